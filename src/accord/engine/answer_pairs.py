"""Every two answers to one item, in an engine: counted by annotators and answers, or their scores added up.

Annotators and labels are numbers here, so that a pair of answers is one number too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from accord.annotations.arrays import FloatArray, IntArray
from accord.engine.lookup import Lookup
from accord.engine.scan import Scan


@dataclass(frozen=True, eq=False)
class AnswerPairs:
    """The answers of a study in an engine, as pairs of annotators who answered the same item."""

    scan: Scan
    item: str
    annotator: str
    label: str
    people: Sequence[Any]  # annotators as the engine calls them
    codes: Mapping[Any, int]  # which answer each raw label is; none of them is missing
    answers: int  # how many answers there are
    cluster: str | None = None  # a column with one value per item

    @cached_property
    def _rows(self) -> nw.LazyFrame[Any]:
        """Item, annotator and answer of each row, the last two as numbers."""
        names = self.scan.uploaded({self.annotator: list(self.people), "who_": list(range(len(self.people)))})
        first = Lookup(self.label, {raw: code + 1 for raw, code in self.codes.items()}).expression()
        rows = self.scan.frame.join(names.frame, on=self.annotator, how="inner").with_columns(first_answer_=first)
        more = [] if self.cluster is None else [nw.col(self.cluster)]
        return rows.filter(nw.col("first_answer_") > 0).select(
            nw.col(self.item),
            nw.col("who_").cast(nw.Int64),
            (nw.col("first_answer_") - 1).alias("first_answer_"),
            *more,
        )

    @cached_property
    def pairs(self) -> nw.LazyFrame[Any]:
        """A row for every two annotators who answered an item, the first before the second.

        `pair_` is one number for both of them, `cell_` for both and their answers.
        """
        right = self._rows.select(
            nw.col(self.item), nw.col("who_").alias("whom_"), nw.col("first_answer_").alias("second_answer_")
        )
        pairs = self._rows.join(right, on=self.item, how="inner").filter(nw.col("who_") < nw.col("whom_"))
        pairs = pairs.with_columns(pair_=nw.col("who_") * len(self.people) + nw.col("whom_"))
        return pairs.with_columns(
            cell_=(nw.col("pair_") * self.answers + nw.col("first_answer_")) * self.answers + nw.col("second_answer_")
        )

    def cells(self, most: int) -> tuple[IntArray, IntArray]:
        """(M, 4) two annotators and their answers, and how often; `most` such cells and one more."""
        counted = self.pairs.group_by("cell_").agg(nw.len().alias("number_"))
        found = self.scan.of_frame(counted).integers("cell_", "number_", most=most)
        order = np.argsort(found["cell_"])
        pair, first = np.divmod(found["cell_"][order], self.answers**2)
        columns = (*np.divmod(pair, len(self.people)), *np.divmod(first, self.answers))
        return np.stack(columns, axis=1), found["number_"][order]

    def with_scores(self, cells: IntArray, score: FloatArray) -> Scan:
        """A table of the scores of pairs of answers, for the sums below: `cell_` and `score_`."""
        key = ((cells[:, 0] * len(self.people) + cells[:, 1]) * self.answers + cells[:, 2]) * self.answers + cells[:, 3]
        return self.scan.uploaded({"cell_": key.tolist(), "score_": score.tolist()})

    def _scored(self, scores: Scan) -> nw.LazyFrame[Any]:
        """Every pair of answers with its score."""
        return self.pairs.join(scores.frame, on="cell_", how="inner")

    def squares(self, scores: Scan) -> float:
        """The scores of the pairs of answers of an item, added up, squared and summed over items."""
        whole = self._scored(scores).group_by(self.item).agg(nw.col("score_").sum())
        squares = self.scan.of_frame(
            whole.with_columns(square_=nw.col("score_") * nw.col("score_")).select(nw.col("square_").sum())
        )
        return float(squares.arrive("square_")["square_"][0] or 0.0)

    def by_cluster(self, scores: Scan) -> tuple[list[Any], FloatArray, FloatArray]:
        """By cluster: the scores of the pairs of answers of its items, added up, and their squares item by item."""
        assert self.cluster is not None
        each = self._scored(scores).group_by(self.item).agg(nw.col("score_").sum(), nw.col(self.cluster).min())
        each = each.with_columns(square_=nw.col("score_") * nw.col("score_"))
        sums = self.scan.of_frame(each.group_by(self.cluster).agg(nw.col("score_").sum(), nw.col("square_").sum()))
        found = sums.arrive(self.cluster, "score_", "square_")
        return found[self.cluster], np.array(found["score_"], np.float64), np.array(found["square_"], np.float64)

    def squares_of_each(self, scores: Scan) -> FloatArray:
        """(people,) the same for each annotator, over the pairs of answers that hold one of theirs."""
        pairs = self._scored(scores)
        ends = [
            pairs.select(nw.col(self.item), nw.col(end).alias("who_"), nw.col("score_")) for end in ("who_", "whom_")
        ]
        each = nw.concat(ends).group_by(self.item, "who_").agg(nw.col("score_").sum())
        each = each.with_columns(square_=nw.col("score_") * nw.col("score_"))
        found = self.scan.of_frame(each.group_by("who_").agg(nw.col("square_").sum())).arrive("who_", "square_")
        people = np.zeros(len(self.people))
        people[np.array(found["who_"], dtype=np.int64)] = found["square_"]
        return people
