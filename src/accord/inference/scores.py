"""How much each item moves a value: the raw material of standard errors, clusters and comparisons."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from accord.arrays import FloatArray, IntArray, add_up
from accord.coding import code
from accord.coefficient import Coefficient
from accord.errors import MeasureError
from accord.result import Agreement
from accord.study import Study
from accord.tally import Crossed, Tally


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
        return cls(tally, study.item_column(name, "cluster").codes, name)

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
        items = self.tally.n_items
        totals, number = self.totals(scores)
        if self.number < 2:
            return math.nan
        if self.cluster is None:
            return math.sqrt(float(number @ totals**2) / (items * (items - 1)))
        return math.sqrt(self.number / (self.number - 1) * float(totals @ totals)) / items

    @cached_property
    def matrix(self) -> Any:
        """(clusters × patterns) how many items of each pattern a cluster holds."""
        from scipy.sparse import csr_array

        unit, pattern, number = self._cells
        return csr_array((number.astype(np.float64), (unit, pattern)), shape=(self.number, len(self.tally)))


def published_error(coefficient: Coefficient) -> float:
    """Gwet's published standard error."""
    return Units(coefficient.tally).error(coefficient.published_scores())


def item_scores(result: Agreement) -> FloatArray:
    """(items of the study,) what each item adds to the value's error: the squares sum to the squared standard error."""
    coefficient = result.coefficient
    if coefficient is None or coefficient.tally.n_items < 2 or coefficient.tally.locate is None:
        return np.full(result.study.triples.n_items, np.nan)
    pattern = coefficient.tally.locate()
    scores = np.zeros(len(pattern))
    items = coefficient.tally.n_items
    inside = pattern >= 0
    scores[inside] = coefficient.influence()[pattern[inside]] / math.sqrt(items * (items - 1.0))
    return scores


def _cluster_scores(coefficient: Coefficient, units: Units) -> tuple[FloatArray, Sequence[Any]]:
    """The same for clusters of items that stay in their engine."""
    assert units.crossed is not None
    assert units.cluster is not None
    if (units.cluster < 0).any():
        raise MeasureError("Some items belong to no cluster, and which they are stays in the engine.")
    items, number = coefficient.tally.n_items, units.number
    totals, _ = units.totals(coefficient.influence())
    factor = math.sqrt(number / (number - 1)) / items if number > 1 else math.nan
    present = np.unique(units.cluster)
    values = code(units.crossed.values[0], what="cluster").values
    return factor * totals, [("cluster", values[place]) for place in present.tolist()]


def unit_scores(result: Agreement) -> tuple[FloatArray, Sequence[Any]]:
    """The same for what might have been drawn otherwise, and its names: items, or the study's clusters of them."""
    study = result.study
    column = study.roles.get("cluster")
    if column is not None and result.coefficient is not None and result.coefficient.tally.crossed is not None:
        return _cluster_scores(result.coefficient, Units.of(study, result.coefficient.tally, column))
    scores = item_scores(result)
    if column is None or result.coefficient is None or result.coefficient.tally.locate is None:
        return scores, study.items
    coded = study.item_column(column, "cluster")
    inside = np.nonzero(result.coefficient.tally.locate() >= 0)[0]
    # an item of no cluster is one by itself
    codes = np.where(coded.codes[inside] >= 0, coded.codes[inside], len(coded.values) + inside)
    units, place = np.unique(codes, return_inverse=True)
    items, number = len(inside), len(units)
    factor = math.sqrt(number / (number - 1) * (items - 1) / items) if number > 1 else math.nan
    known = len(coded.values)
    names = [
        ("cluster", coded.values[unit]) if unit < known else ("item", study.items[unit - known])
        for unit in units.tolist()
    ]
    return factor * add_up(place, scores[inside], number), names


def shared(first: Sequence[Any], second: Sequence[Any]) -> tuple[IntArray, IntArray]:
    """The positions of the names that both have."""
    if first is second:
        everyone = np.arange(len(first))
        return everyone, everyone
    place = {name: number for number, name in enumerate(second)}
    both = [(number, place[name]) for number, name in enumerate(first) if name in place]
    pairs = np.array(both, dtype=np.int64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]
