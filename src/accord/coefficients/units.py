"""What might have been drawn otherwise: items, or clusters of them, and the standard error over them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up, ordinary, sum_of_products, totals, used
from accord.annotations.factorize import code

if TYPE_CHECKING:
    from accord.annotations.tally import Crossed
    from accord.study.study import Study


class Sampled(Protocol):
    """What was sampled, by kind, and how many of each kind: a tally, whose kinds are patterns, or `OneOfEach`."""

    @property
    def items(self) -> IntArray | FloatArray:
        """(P,) how many units are of each kind, as `evaluate` takes them."""

    @property
    def units(self) -> IntArray:
        """(P,) the same as whole numbers."""

    @property
    def weight(self) -> FloatArray | None:
        """(P,) what one unit of each kind weighs, if `items` is what all of them weigh; None where they count alike."""

    def each_once(self) -> Sampled:
        """The same units, each of which counts once, whatever it weighs."""

    @property
    def n_items(self) -> int:
        """Units in all."""

    @property
    def locate(self) -> Callable[[], IntArray] | None:
        """The kind of every item of the study, −1 for one that does not count; None where only an engine knows."""

    @property
    def crossed(self) -> Callable[[tuple[str, ...]], Crossed] | None:
        """Kinds by columns of a table that stays in its engine."""

    def __len__(self) -> int: ...


class _CountedAlike:
    """Units each of which counts as one, and which are here."""

    items: IntArray
    weight = None
    crossed = None

    def each_once(self) -> Self:
        """As they are."""
        return self

    @property
    def n_items(self) -> int:
        """Units in all."""
        return int(self.items.sum())

    @property
    def units(self) -> IntArray:
        """(P,) as they are: whole numbers."""
        return self.items

    def __len__(self) -> int:
        return len(self.items)


@dataclass(frozen=True, eq=False)
class OneOfEach(_CountedAlike):
    """Units that are all different: every item that counts is a kind of its own."""

    place: IntArray  # (items of the study,) its place among the units, −1 for an item that does not count
    items: IntArray  # (P,) one each; or none, where items that do not count keep a place

    @classmethod
    def of(cls, counts: BoolArray) -> OneOfEach:
        """The items of a study that count, and no others."""
        return cls(np.where(counts, np.cumsum(counts) - 1, -1), np.ones(int(counts.sum()), dtype=np.int64))

    def locate(self) -> IntArray:
        """The unit that each item of the study is."""
        return self.place


@dataclass(frozen=True, eq=False)
class KindsOfUnits(_CountedAlike):
    """Units that are alike in what is asked, counted together: which item is of which kind is not known."""

    items: IntArray
    locate: None = None


@dataclass(frozen=True, eq=False)
class Units:
    """What might have been drawn otherwise: items, or clusters of items that come together."""

    sample: Sampled
    cluster: IntArray | None = None  # (items of the study,) the cluster of each item, −1 for one by itself
    column: str | None = None  # the column that tells the clusters
    crossed: Crossed | None = None  # patterns and clusters, where items stay in their engine

    @classmethod
    def of(cls, study: Study, sample: Sampled, column: str | None) -> Units:
        """Clusters by a column, by the study's own cluster role, or items."""
        name = study.roles.get("cluster") if column is None else column
        if name is None:
            return cls(sample)
        if sample.crossed is not None:
            found = sample.crossed((name,))
            return cls(sample, code(found.values[0], what="cluster").codes, name, found)
        last: list[Units] = study._clusters
        if not last or last[0].sample is not sample or last[0].column != name:
            last[:] = [cls(sample, study._item_column(name, "cluster").codes, name)]
        return last[0]

    @classmethod
    def of_items(cls, present: BoolArray, cluster: IntArray | None = None) -> Units:
        """Where scores are by item, not by pattern: every item that is present is a kind of its own."""
        place = np.where(present, np.arange(len(present)), -1)
        return cls(OneOfEach(place, present.astype(np.int64)), cluster)

    def over(self, sample: Sampled) -> Units:
        """The same units by the kinds of another sample of the same items."""
        if self.crossed is None or sample.crossed is None or self.column is None:
            return Units(sample, self.cluster, self.column)
        found = sample.crossed((self.column,))
        return Units(sample, code(found.values[0], what="cluster").codes, self.column, found)

    @cached_property
    def _cells(self) -> tuple[IntArray, IntArray, IntArray]:
        """Unit, pattern and number of items; units in the order of the clusters' names, items by themselves last."""
        assert self.cluster is not None
        if self.crossed is not None:
            cluster, pattern, number = self.cluster, self.crossed.pattern, self.crossed.number
        else:
            assert self.sample.locate is not None
            pattern = self.sample.locate()
            cluster, pattern = self.cluster[pattern >= 0], pattern[pattern >= 0]
            number = np.ones(len(pattern), dtype=np.int64)
        together, patterns = cluster >= 0, max(len(self.sample), 1)
        size = (int(cluster.max(initial=-1)) + 1) * patterns
        joint, many = totals(cluster[together] * patterns + pattern[together], number[together], size)
        first = joint // patterns
        unit = np.cumsum(first[1:] != first[:-1], dtype=np.int64)  # clusters without an item are none
        unit = np.concatenate((np.zeros(min(len(first), 1), dtype=np.int64), unit))
        alone = np.sort(np.repeat(pattern[~together], number[~together]))
        return (
            np.concatenate((unit, unit.max(initial=-1) + 1 + np.arange(len(alone)))),
            np.concatenate((joint % patterns, alone)),
            np.concatenate((many, np.ones(len(alone)))).astype(np.int64),
        )

    @cached_property
    def number(self) -> int:
        """How many units there are."""
        if self.cluster is None:
            return self.sample.n_items
        of_items = self.crossed is None and self.sample.locate is not None
        if "_cells" in self.__dict__ or not of_items or self.sample.n_items < len(self.cluster):
            return int(self._cells[0].max(initial=-1)) + 1
        together = len(used(self.cluster, int(self.cluster.max(initial=-1)) + 1))  # every item counts
        return together + int(np.count_nonzero(self.cluster < 0))

    @property
    def clusters(self) -> int | None:
        """How many clusters, if units are clusters."""
        return None if self.cluster is None else self.number

    def totals(self, scores: FloatArray) -> tuple[FloatArray, FloatArray | IntArray]:
        """The scores of each kind of unit, and how many units are of that kind."""
        if self.cluster is None:
            return scores, self.sample.items
        unit, pattern, number = self._cells
        return add_up(unit, number * scores[pattern], self.number), np.ones(self.number)

    def spread(self, scores: FloatArray) -> float:
        """Over how many clusters of equal weight that is spread which moves the mean; infinite where units are items.

        What a cluster adds is near zero where all that moves the mean lies within it: its items speak against each
        other, and the error over clusters is small because it rests on one of them.
        """
        if self.cluster is None:
            return math.inf
        unit, pattern, number = self._cells
        weight = add_up(unit, number * ordinary(scores)[pattern] ** 2, self.number)
        total = float(weight.sum())
        return total**2 / float(weight @ weight) if total > 0 else math.inf

    def error(self, scores: FloatArray) -> float:
        """The standard error of a mean whose linearised scores these are."""
        totals, number = self.totals(scores)
        squares = sum_of_products(number, totals**2)
        return math.sqrt(variance_of_sum(squares, self.number)) / max(self.sample.n_items, 1)

    @cached_property
    def matrix(self) -> Any:
        """(clusters × patterns) how many items of each pattern a cluster holds."""
        from scipy.sparse import csr_array

        unit, pattern, number = self._cells
        return csr_array((number.astype(np.float64), (unit, pattern)), shape=(self.number, len(self.sample)))


def variance_of_sum(squares: float, units: int) -> float:
    """Of a sum over units that might have been others, from the sum of their squares; NaN of a single unit."""
    return units / (units - 1) * squares if units > 1 else math.nan
