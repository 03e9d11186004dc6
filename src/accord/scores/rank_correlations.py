"""Rank correlations of two annotators' scores, for each pair on the items both answered: Spearman's and Kendall's.

Ranks are made within each pair and anew on every resample; ties share their middle rank. All pairs are worked at once,
in the order of their scores.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.annotations.tally import Tally
from accord.scores.score_pair_values import ScorePairValues
from accord.scores.score_pairs import ScorePairs


@dataclass(frozen=True, eq=False)
class InOrder:
    """Rows in the order of a value within groups; rows of one group with the same value are tied."""

    order: IntArray  # (M,) of the rows
    group: IntArray  # (M,) in that order: the first place of the row's group
    group_end: IntArray  # (M,) and the place after its last
    tie: IntArray  # (M,) the first place of the rows that are tied with it
    tie_end: IntArray

    @classmethod
    def of(cls, value: FloatArray | IntArray, *groups: IntArray) -> InOrder:
        """By the value within groups; the last of the groups is the coarsest."""
        order = np.lexsort((value, *groups))
        group = np.zeros(max(len(order) - 1, 0), dtype=np.bool_)
        for keys in groups:
            group |= keys[order][1:] != keys[order][:-1]
        tie = group | (value[order][1:] != value[order][:-1])
        return cls(order, *_runs(group, len(order)), *_runs(tie, len(order)))

    def sums(self, amount: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(M,) of each row: the sum over lower rows of its group, over tied ones, and over the whole group."""
        before = np.concatenate(([0.0], np.cumsum(amount[self.order])))
        found = (
            before[self.tie] - before[self.group],
            before[self.tie_end] - before[self.tie],
            before[self.group_end] - before[self.group],
        )
        return tuple(self._back(part) for part in found)  # type: ignore[return-value]

    def _back(self, sorted_values: FloatArray) -> FloatArray:
        back = np.empty_like(sorted_values)
        back[self.order] = sorted_values
        return back

    def dense(self) -> IntArray:
        """(M,) the place of each row's value among the different ones of its group, from zero."""
        first = np.arange(len(self.order)) == self.tie
        number = np.cumsum(first) - 1
        back = np.empty(len(self.order), dtype=np.int64)
        back[self.order] = number - number[self.group]
        return back


def _runs(begins: np.ndarray[tuple[int], np.dtype[np.bool_]], size: int) -> tuple[IntArray, IntArray]:
    """(M,) the first place of each row's run and the place after its last, from where runs begin after the first."""
    starts = np.concatenate(([0], np.nonzero(begins)[0] + 1)) if size else np.empty(0, np.int64)
    lengths = np.diff(np.append(starts, size))
    return np.repeat(starts, lengths), np.repeat(starts + lengths, lengths)


class RankCorrelation(ScorePairValues):
    """A correlation of ranks for each pair, and the mean of the pairs."""

    resample_cost = "a ranking of all scores of every pair"

    def __init__(self, tally: Tally) -> None:
        super().__init__(tally)
        self._ordered: tuple[ScorePairs, _Orders] | None = None

    @abstractmethod
    def _parts(self, scores: ScorePairs, number: FloatArray | IntArray) -> tuple[FloatArray, ...]:
        """(J,) the correlations first, then what they are made of."""

    def values(self, scores: ScorePairs, number: FloatArray | IntArray) -> FloatArray:
        """From the orders of each pair."""
        return self._parts(scores, number)[0]

    def orders(self, scores: ScorePairs) -> _Orders:
        """The rows in the order of either score: known once for all resamples."""
        if self._ordered is None or self._ordered[0] is not scores:
            self._ordered = scores, _Orders(scores)
        return self._ordered[1]


class _Orders:
    """The rows of pairs in the order of the first's scores and of the second's."""

    def __init__(self, scores: ScorePairs) -> None:
        self.pair, self.pattern, self.size = scores.pairs.pair, scores.pairs.pattern, len(scores)
        self.x, self.y = InOrder.of(scores.x, self.pair), InOrder.of(scores.y, self.pair)

    @cached_property
    def y_within_x(self) -> InOrder:
        """By the second's score among rows with one and the same score of the first."""
        return InOrder.of(self.y.dense(), self.x.dense(), self.pair)

    @cached_property
    def halves(self) -> list[tuple[FloatArray, InOrder]]:
        """For each binary digit of the first's place: who has it, and all in order of the second within higher digits.

        Two rows of a pair differ first in one digit, and the one that has it set is the higher.
        """
        place = self.x.dense()
        digits = range(int(place.max(initial=0)).bit_length())
        second = self.y.dense()
        return [
            ((place >> digit & 1).astype(np.float64), InOrder.of(second, place >> (digit + 1), self.pair))
            for digit in digits
        ]

    def total(self, amount: FloatArray) -> FloatArray:
        """(J,) the sum of each pair."""
        return add_up(self.pair, amount, self.size)


class MeanSpearman(RankCorrelation):
    """Spearman's correlation of each pair: Pearson's of the middle ranks."""

    pair_title = "Spearman's correlation"

    def _parts(self, scores: ScorePairs, number: FloatArray | IntArray) -> tuple[FloatArray, ...]:
        """(J,) the correlations, covariances and variances of the ranks over n, and n; (M,) the ranks less a half."""
        orders = self.orders(scores)
        weight = number[orders.pattern].astype(np.float64)
        whole = orders.total(weight)
        ranks = []
        for side in (orders.x, orders.y):
            lower, tied, total = side.sums(weight)
            ranks.append(np.nan_to_num(divide(lower + tied / 2, total)) - 0.5)
        moments = [
            divide(orders.total(weight * one * other), whole)
            for one, other in ((ranks[0], ranks[1]), (ranks[0], ranks[0]), (ranks[1], ranks[1]))
        ]
        spread = np.sqrt(np.where((moments[1] > 1e-15) & (moments[2] > 1e-15), moments[1] * moments[2], 0.0))
        return np.clip(divide(moments[0], spread), -1.0, 1.0), *moments, whole, *ranks

    def moves(self, scores: ScorePairs) -> FloatArray:
        """One item more changes the moments by its own ranks, and by the ranks of all that lie above it."""
        orders = self.orders(scores)
        value, cov, var_x, var_y, whole, x, y = self._parts(scores, scores.tally.items)
        weight = scores.tally.items[orders.pattern].astype(np.float64)

        def above(side: InOrder, ranks: FloatArray) -> FloatArray:
            lower, tied, total = side.sums(weight * ranks)
            return np.asarray((total - lower - tied / 2) / whole[orders.pair])

        pair = orders.pair
        by_cov = x * y + above(orders.x, y) + above(orders.y, x) - 3 * cov[pair]
        by_x = x * x + 2 * above(orders.x, x) - 3 * var_x[pair]
        by_y = y * y + 2 * above(orders.y, y) - 3 * var_y[pair]
        spread = np.sqrt(var_x * var_y)
        moved = divide(by_cov, spread[pair]) - value[pair] / 2 * (divide(by_x, var_x[pair]) + divide(by_y, var_y[pair]))
        return divide(moved, whole[pair])


class MeanKendall(RankCorrelation):
    """Kendall's τ_b of each pair: pairs of items in the same order less those in opposite order."""

    pair_title = "Kendall's tau-b"
    resample_cost = "a comparison of every two scores of every pair"

    def _parts(self, scores: ScorePairs, number: FloatArray | IntArray) -> tuple[FloatArray, ...]:
        """(J,) τ_b, pairs of items that the first tells apart and the second; (M,) the same of a row, and its score."""
        orders = self.orders(scores)
        weight = number[orders.pattern].astype(np.float64)
        untied = []
        for side in (orders.x, orders.y):
            _, tied, total = side.sums(weight)
            untied.append(total - tied)
        same = self._same_order(orders, weight)
        apart = [orders.total(weight * part) for part in untied]
        spread = np.sqrt(apart[0] * apart[1])
        return np.clip(divide(orders.total(weight * same), spread), -1.0, 1.0), *apart, *untied, same

    def _same_order(self, orders: _Orders, weight: FloatArray) -> FloatArray:
        """(M,) items of the pair in the same order as this one for both, less those in opposite order.

        Over items that the first puts lower, plus and minus as the second does; those put higher are all the others.
        """
        lower, tied, total = orders.y.sums(weight)
        everywhere = 2 * lower + tied - total
        lower, tied, total = orders.y_within_x.sums(weight)
        beside = 2 * lower + tied - total
        below = np.zeros(len(weight))
        for high, side in orders.halves:
            lower, tied, total = side.sums(weight * (1 - high))
            below += high * (2 * lower + tied - total)
        return np.asarray(2 * below + beside - everywhere)

    def moves(self, scores: ScorePairs) -> FloatArray:
        """One item more adds the pairs it is in."""
        orders = self.orders(scores)
        value, apart_x, apart_y, x, y, same = self._parts(scores, scores.tally.items)
        pair = orders.pair
        spread = np.sqrt(apart_x * apart_y)[pair]
        return divide(2 * same, spread) - value[pair] * (divide(x, apart_x[pair]) + divide(y, apart_y[pair]))
