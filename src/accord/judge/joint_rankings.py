"""Orders of a system beside those of people, query by query: tau-b and rank-biased overlap, and what people reach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up, divide
from accord.rankings.biased_overlap import biased_overlap
from accord.rankings.correlation import tau_b
from accord.rankings.midranks import places
from accord.rankings.ranks import Ranks

RANKING_QUALITIES = ("tau", "overlap")
PATIENCE = 0.9  # the p of rank-biased overlap: the weight of a depth falls to nine tenths at the next
NO_ORDER = "No query has two orders that can be compared."


@dataclass(frozen=True, eq=False)
class MeasuredOrders:
    """The mean over queries, and why there is none."""

    value: float
    by_query: FloatArray  # (Q,) NaN where there is none
    undefined: str | None

    def scores(self, present: BoolArray) -> FloatArray:
        """(Q,) how far each query moves the mean, times their number; queries without a value move nothing."""
        known = np.isfinite(self.by_query)
        scale = float(present.sum()) / max(int(known.sum()), 1)
        return np.where(known, scale * (np.nan_to_num(self.by_query) - self.value), 0.0)


@dataclass(frozen=True, eq=False)
class JointRankings:
    """(Q,) by query the mean of each measure over the orders that are held against each other; NaN for none."""

    values: dict[str, FloatArray]

    @property
    def present(self) -> BoolArray:
        """(Q,) the queries on which two orders met."""
        return np.asarray(np.isfinite(self.values["overlap"]))

    def where(self, present: BoolArray) -> JointRankings:
        """On some queries."""
        return JointRankings({name: np.where(present, held, np.nan) for name, held in self.values.items()})

    def measured(self, name: str) -> MeasuredOrders:
        """One measure."""
        known = self.values[name][np.isfinite(self.values[name])]
        return MeasuredOrders(
            float(known.mean()) if len(known) else np.nan, self.values[name], None if len(known) else NO_ORDER
        )


@dataclass(frozen=True, eq=False)
class Orders:
    """Every list of a study as a row of ranks."""

    ranks: Ranks

    @cached_property
    def table(self) -> FloatArray:
        """(lists, options of the query) the ranks; NaN for an option that a list does not hold."""
        return self.ranks.table(np.arange(len(self.ranks)))

    @cached_property
    def share(self) -> FloatArray:
        """(lists, options) how far down a list an option stands, 0 to 1."""
        found = places(self.table).mid
        return np.asarray(found / (np.isfinite(found).sum(1, keepdims=True) + 1))

    def lists_of(self, names: Sequence[str]) -> IntArray:
        """The lists of some annotators."""
        wanted = [self.ranks.annotators.index(name) for name in names]
        return np.nonzero(np.isin(self.ranks.annotator, wanted))[0]

    def of_each_query(self, lists: IntArray) -> IntArray:
        """(Q,) the first of some lists in each query; −1 for none."""
        found = np.full(self.ranks.n_queries, -1, dtype=np.int64)
        found[self.ranks.query[lists[::-1]]] = lists[::-1]
        return found

    def against(self, lists: IntArray, others: IntArray) -> JointRankings:
        """The first list of each query against every other of it."""
        mine = self.of_each_query(lists)[self.ranks.query[others]]
        met = (mine >= 0) & (mine != others)
        return self._joint(self.ranks.query[others[met]], self.table[mine[met]], self.table[others[met]])

    def one_against_another(self, lists: IntArray) -> JointRankings:
        """Every two different people of a query."""
        first, second = self.ranks.list_pairs
        both = np.isin(first, lists) & np.isin(second, lists)
        first, second = first[both], second[both]
        return self._joint(self.ranks.query[first], self.table[first], self.table[second])

    def others_together(self, lists: IntArray) -> JointRankings:
        """Each person against the mean order of the others."""
        total, number = self._together(lists)
        query, share = self.ranks.query[lists], self.share[lists]
        left = number[query] - np.isfinite(share)
        mean = divide(total[query] - np.nan_to_num(share), left)
        several = np.bincount(query, minlength=self.ranks.n_queries)[query] > 1
        return self._joint(query[several], mean[several], self.table[lists[several]])

    def all_together(self, lists: IntArray, against: IntArray) -> JointRankings:
        """The mean order of some lists of a query against other lists of it."""
        mean = divide(*self._together(lists))
        query = self.ranks.query[against]
        return self._joint(query, mean[query], self.table[against])

    def _together(self, lists: IntArray) -> tuple[FloatArray, FloatArray]:
        """(Q, options) the sum over some lists of where an option stands, and how many of them hold it."""
        queries, wide = self.ranks.n_queries, self.share.shape[1]
        key = self.ranks.query[lists][:, None] * wide + np.arange(wide)
        share = self.share[lists]
        sums = (
            add_up(key.ravel(), held.ravel(), queries * wide) for held in (np.nan_to_num(share), np.isfinite(share))
        )
        total, number = (found.reshape(queries, wide) for found in sums)
        return total, number

    def _joint(self, query: IntArray, one: FloatArray, other: FloatArray) -> JointRankings:
        """By query, the mean over pairs of lists."""
        some = np.isfinite(one).any(1) & np.isfinite(other).any(1)
        query, one, other = query[some], one[some], other[some]
        found = {"tau": tau_b(one, other), "overlap": biased_overlap(one, other, PATIENCE)}
        return JointRankings({name: self._mean(query, value) for name, value in found.items()})

    def _mean(self, query: IntArray, value: FloatArray) -> FloatArray:
        known, queries = np.isfinite(value), self.ranks.n_queries
        return divide(add_up(query[known], value[known], queries), np.bincount(query[known], minlength=queries))
