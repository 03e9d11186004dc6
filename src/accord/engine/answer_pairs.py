"""Who met whom in an engine: every two answers of one item, counted by what was said, or added up by what it is worth.

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
class Meeting:
    """The answers of a study in an engine, as pairs of annotators who answered the same item."""

    scan: Scan
    item: str
    annotator: str
    label: str
    people: Sequence[Any]  # annotators as the engine calls them
    codes: Mapping[Any, int]  # which answer each raw label is; none of them is silence
    answers: int  # how many answers there are
    cluster: str | None = None  # a column of the rows that says one thing of an item

    @cached_property
    def _rows(self) -> nw.LazyFrame[Any]:
        """Item, annotator and answer of each row, the last two as numbers."""
        names = self.scan.uploaded({self.annotator: list(self.people), "who_": list(range(len(self.people)))})
        said = Lookup(self.label, {raw: code + 1 for raw, code in self.codes.items()}).expression()
        rows = self.scan.frame.join(names.frame, on=self.annotator, how="inner").with_columns(said_=said)
        beside = [] if self.cluster is None else [nw.col(self.cluster)]
        return rows.filter(nw.col("said_") > 0).select(
            nw.col(self.item), nw.col("who_").cast(nw.Int64), (nw.col("said_") - 1).alias("said_"), *beside
        )

    @cached_property
    def met(self) -> nw.LazyFrame[Any]:
        """A row for every two annotators who answered an item, the first before the second.

        `pair_` is one number for both of them, `cell_` for both and what they said.
        """
        right = self._rows.select(nw.col(self.item), nw.col("who_").alias("whom_"), nw.col("said_").alias("replied_"))
        met = self._rows.join(right, on=self.item, how="inner").filter(nw.col("who_") < nw.col("whom_"))
        met = met.with_columns(pair_=nw.col("who_") * len(self.people) + nw.col("whom_"))
        return met.with_columns(
            cell_=(nw.col("pair_") * self.answers + nw.col("said_")) * self.answers + nw.col("replied_")
        )

    def cells(self, most: int) -> tuple[IntArray, IntArray]:
        """(M, 4) who, whom, said, replied, and how often; `most` such cells and one more."""
        counted = self.met.group_by("cell_").agg(nw.len().alias("number_"))
        found = self.scan.of_frame(counted).integers("cell_", "number_", most=most)
        order = np.argsort(found["cell_"])
        pair, said = np.divmod(found["cell_"][order], self.answers**2)
        columns = (*np.divmod(pair, len(self.people)), *np.divmod(said, self.answers))
        return np.stack(columns, axis=1), found["number_"][order]

    def priced(self, cells: IntArray, worth: FloatArray) -> Scan:
        """A table of what meetings are worth, for the sums below: `cell_` and `worth_`."""
        key = ((cells[:, 0] * len(self.people) + cells[:, 1]) * self.answers + cells[:, 2]) * self.answers + cells[:, 3]
        return self.scan.uploaded({"cell_": key.tolist(), "worth_": worth.tolist()})

    def _worth(self, prices: Scan) -> nw.LazyFrame[Any]:
        """Every meeting with what it is worth."""
        return self.met.join(prices.frame, on="cell_", how="inner")

    def squares(self, prices: Scan) -> float:
        """What the pairs of answers of an item are worth together, squared and summed over items."""
        whole = self._worth(prices).group_by(self.item).agg(nw.col("worth_").sum())
        squares = self.scan.of_frame(
            whole.with_columns(square_=nw.col("worth_") * nw.col("worth_")).select(nw.col("square_").sum())
        )
        return float(squares.arrive("square_")["square_"][0] or 0.0)

    def by_cluster(self, prices: Scan) -> tuple[list[Any], FloatArray, FloatArray]:
        """By cluster: what the pairs of answers of its items are worth together, and the squares item by item."""
        assert self.cluster is not None
        each = self._worth(prices).group_by(self.item).agg(nw.col("worth_").sum(), nw.col(self.cluster).min())
        each = each.with_columns(square_=nw.col("worth_") * nw.col("worth_"))
        sums = self.scan.of_frame(each.group_by(self.cluster).agg(nw.col("worth_").sum(), nw.col("square_").sum()))
        found = sums.arrive(self.cluster, "worth_", "square_")
        return found[self.cluster], np.array(found["worth_"], np.float64), np.array(found["square_"], np.float64)

    def squares_of_each(self, prices: Scan) -> FloatArray:
        """(people,) the same for each annotator, over the pairs of answers that hold one of theirs."""
        met = self._worth(prices)
        ends = [met.select(nw.col(self.item), nw.col(end).alias("who_"), nw.col("worth_")) for end in ("who_", "whom_")]
        each = nw.concat(ends).group_by(self.item, "who_").agg(nw.col("worth_").sum())
        each = each.with_columns(square_=nw.col("worth_") * nw.col("worth_"))
        found = self.scan.of_frame(each.group_by("who_").agg(nw.col("square_").sum())).arrive("who_", "square_")
        people = np.zeros(len(self.people))
        people[np.array(found["who_"], dtype=np.int64)] = found["square_"]
        return people
