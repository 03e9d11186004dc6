"""What might have been drawn otherwise: items, or clusters of them, and the standard error over them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from accord.annotations.answers import Answers
from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up
from accord.annotations.factorize import code
from accord.annotations.tally import Crossed, Tally
from accord.study.study import Study


@dataclass(frozen=True, eq=False)
class Units:
    """What might have been drawn otherwise: items, or clusters of items that come together."""

    tally: Tally
    cluster: IntArray | None = None  # (items of the study,) the cluster of each item, −1 for one by itself
    column: str | None = None  # the column that tells the clusters
    crossed: Crossed | None = None  # patterns and clusters, where items stay in their engine

    @classmethod
    def of(cls, study: Study, tally: Tally, column: str | None) -> Units:
        """Clusters by a column, by the study's own cluster role, or items."""
        name = column or study.roles.get("cluster")
        if name is None:
            return cls(tally)
        if tally.crossed is not None:
            found = tally.crossed((name,))
            return cls(tally, code(found.values[0], what="cluster").codes, name, found)
        return cls(tally, study._item_column(name, "cluster").codes, name)

    @classmethod
    def of_items(cls, present: BoolArray, cluster: IntArray | None = None) -> Units:
        """Where scores are by item, not by pattern: every item that is present is a pattern of its own."""
        return cls(_one_pattern_per_item(present), cluster)

    def over(self, tally: Tally) -> Units:
        """The same units by the patterns of another tally of the same items."""
        if self.crossed is None or tally.crossed is None or self.column is None:
            return Units(tally, self.cluster, self.column)
        found = tally.crossed((self.column,))
        return Units(tally, code(found.values[0], what="cluster").codes, self.column, found)

    @cached_property
    def _cells(self) -> tuple[IntArray, IntArray, IntArray]:
        """Unit, pattern and number of items; units in the order of the clusters' names, items by themselves last."""
        assert self.cluster is not None
        if self.crossed is not None:
            cluster, pattern, number = self.cluster, self.crossed.pattern, self.crossed.number
        else:
            assert self.tally.locate is not None
            pattern = self.tally.locate()
            cluster, pattern = self.cluster[pattern >= 0], pattern[pattern >= 0]
            number = np.ones(len(pattern), dtype=np.int64)
        together, patterns = cluster >= 0, max(len(self.tally), 1)
        joint, place = np.unique(cluster[together] * patterns + pattern[together], return_inverse=True)
        _, unit = np.unique(joint // patterns, return_inverse=True)
        alone = np.sort(np.repeat(pattern[~together], number[~together]))
        return (
            np.concatenate((unit, unit.max(initial=-1) + 1 + np.arange(len(alone)))),
            np.concatenate((joint % patterns, alone)),
            np.concatenate((add_up(place, number[together], len(joint)), np.ones(len(alone)))).astype(np.int64),
        )

    @cached_property
    def number(self) -> int:
        """How many units there are."""
        return self.tally.n_items if self.cluster is None else int(self._cells[0].max(initial=-1)) + 1

    @property
    def clusters(self) -> int | None:
        """How many clusters, if units are clusters."""
        return None if self.cluster is None else self.number

    def totals(self, scores: FloatArray) -> tuple[FloatArray, FloatArray | IntArray]:
        """The scores of each kind of unit, and how many units are of that kind."""
        if self.cluster is None:
            return scores, self.tally.items
        unit, pattern, number = self._cells
        return add_up(unit, number * scores[pattern], self.number), np.ones(self.number)

    def error(self, scores: FloatArray) -> float:
        """The standard error of a mean whose linearised scores these are."""
        totals, number = self.totals(scores)
        return math.sqrt(variance_of_sum(float(number.astype(np.float64) @ totals**2), self.number)) / max(
            self.tally.n_items, 1
        )

    @cached_property
    def matrix(self) -> Any:
        """(clusters × patterns) how many items of each pattern a cluster holds."""
        from scipy.sparse import csr_array

        unit, pattern, number = self._cells
        return csr_array((number.astype(np.float64), (unit, pattern)), shape=(self.number, len(self.tally)))


def variance_of_sum(squares: float, units: int) -> float:
    """Of a sum over units that might have been others, from the sum of their squares; NaN of a single unit."""
    return units / (units - 1) * squares if units > 1 else math.nan


def _one_pattern_per_item(present: BoolArray) -> Tally:
    none = np.empty(0, dtype=np.int64)
    starts = np.zeros(len(present) + 1, dtype=np.int64)
    items = np.arange(len(present))
    return Tally(
        Answers("single"), present.astype(np.int64), starts, none, none, locate=lambda: np.where(present, items, -1)
    )
