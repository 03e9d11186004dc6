"""Sums of scores that stay in their engine: all that variance components of items and annotators are made of.

By how many scores an item has: how many such items, their totals and squared totals; the same by annotator; and how
often each two annotators met. None of it grows with the items.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
import numpy as np

from accord.annotations.arrays import FloatArray, IntArray

if TYPE_CHECKING:
    from accord.engine.lazy_annotations import LazyAnnotations
    from accord.engine.scan import Scan


@dataclass(frozen=True, eq=False)
class ScoreSums:
    """The scores of an engine in a unit of their own, and what is added up of them there."""

    annotations: LazyAnnotations
    value: FloatArray  # (answers,) what each answer counts

    @property
    def people(self) -> int:
        """How many annotators there are."""
        return len(self.annotations.raw_annotators)

    @cached_property
    def _rows(self) -> Scan:
        """Item, annotator (a number) and score of each row."""
        item, annotator, label = self.annotations.roles
        scan, known = self.annotations.digested(None), self.annotations.raw_labels
        people = self.annotations.raw_annotators
        scores = {label: list(known), "value_": self.value[list(known.values())].tolist()}
        names = {annotator: list(people), "who_": list(range(len(people)))}
        rows = scan.joined(scan.uploaded(scores), [label]).joined(scan.uploaded(names), [annotator])
        return rows.of_frame(rows.frame.select(item, nw.col("who_").cast(nw.Int64), "value_"))

    @cached_property
    def _items(self) -> Scan:
        """Each item: how many scores it has, their sum, and the sum of their squares."""
        rows = self._rows.frame.with_columns(square_=nw.col("value_") * nw.col("value_"))
        each = rows.group_by(self.annotations.roles.item).agg(
            nw.len().alias("answers_"), nw.col("value_").sum().alias("total_"), nw.col("square_").sum()
        )
        return self._rows.of_frame(each.with_columns(nw.col("answers_").cast(nw.Int64)))

    @cached_property
    def _by_size(self) -> dict[str, FloatArray]:
        """Items of one number of scores each: how many, their totals, squared totals and squares."""
        each = self._items.frame.with_columns(score_=nw.col("total_") * nw.col("total_"))
        found = self._items.of_frame(
            each.group_by("answers_").agg(
                nw.len().alias("number_"), nw.col("total_").sum(), nw.col("score_").sum(), nw.col("square_").sum()
            )
        ).arrive("answers_", "number_", "total_", "score_", "square_")
        order = np.argsort(found["answers_"])
        return {name: np.array(cells, dtype=np.float64)[order] for name, cells in found.items()}

    @property
    def sizes(self) -> IntArray:
        """(G,) the numbers of scores that an item may have, ascending."""
        return self._by_size["answers_"].astype(np.int64)

    @property
    def items(self) -> FloatArray:
        """(G,) how many items have as many."""
        return self._by_size["number_"]

    @property
    def totals(self) -> FloatArray:
        """(G,) the sum of their scores."""
        return self._by_size["total_"]

    @property
    def squared_totals(self) -> FloatArray:
        """(G,) the sum over items of the square of an item's total."""
        return self._by_size["score_"]

    @property
    def squares(self) -> float:
        """The sum of the squares of all scores."""
        return float(self._by_size["square_"].sum())

    @cached_property
    def _by_person(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(G, annotators) how many scores, the totals of their items, and their own total."""
        item = self.annotations.roles.item
        both = self._rows.frame.join(self._items.frame.select(item, "answers_", "total_"), on=item, how="inner")
        sums = both.group_by("answers_", "who_").agg(
            nw.len().alias("number_"), nw.col("total_").sum(), nw.col("value_").sum()
        )
        found = self._rows.of_frame(sums).arrive("answers_", "who_", "number_", "total_", "value_")
        place = np.searchsorted(self.sizes, found["answers_"]), np.array(found["who_"], dtype=np.int64)
        tables: list[FloatArray] = []
        for name in ("number_", "total_", "value_"):
            table = np.zeros((len(self.sizes), self.people))
            table[place] = found[name]
            tables.append(table)
        return tables[0], tables[1], tables[2]

    @property
    def often(self) -> FloatArray:
        """(G, annotators) how many items with so many scores each annotator scored."""
        return self._by_person[0]

    @property
    def by_person(self) -> FloatArray:
        """(G, annotators) the totals of these items."""
        return self._by_person[1]

    @property
    def own_totals(self) -> FloatArray:
        """(annotators,) the sum of each annotator's scores."""
        return np.asarray(self._by_person[2].sum(0))

    @cached_property
    def common(self) -> FloatArray:
        """(G, annotators, annotators) on how many items with so many scores each two met."""
        item = self.annotations.roles.item
        left = self._rows.frame.join(self._items.frame.select(item, "answers_"), on=item, how="inner")
        right: Any = self._rows.frame.select(item, nw.col("who_").alias("whom_"))
        pairs = left.select(item, "who_", "answers_").join(right, on=item, how="inner")
        sums = pairs.group_by("answers_", "who_", "whom_").agg(nw.len().alias("number_"))
        found = self._rows.of_frame(sums).integers("answers_", "who_", "whom_", "number_")
        table = np.zeros((len(self.sizes), self.people, self.people))
        table[np.searchsorted(self.sizes, found["answers_"]), found["who_"], found["whom_"]] = found["number_"]
        return table
