"""Tiers: which options can be told apart, so that an order is no ladder of point estimates.

All pairs are tested at once (differences of strengths with their sandwich errors, Holm's correction). Two rules follow:

- a *tier* holds its best option and those that cannot be told from it: the first option that can begins the next;
- options that share a *letter* stand in a run of the order in which no two can be told apart. A tier is a partition and
  reads quickly; letters tell all of it: an option with two letters is told from neither side.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase

import numpy as np

from accord.agreement.inference.multiple_testing import holm
from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.coefficients.standard_errors import p_values


@dataclass(frozen=True, eq=False)
class StrengthDifferences:
    """All pairs of options, the stronger first: positions, difference, its error, p and p after Holm's correction."""

    better: IntArray
    worse: IntArray
    value: FloatArray
    error: FloatArray
    p: FloatArray
    corrected: FloatArray


@dataclass(frozen=True, eq=False)
class Tiers:
    """Options in order, with what can be told apart; `alpha` is the chance of one wrong distinction in all."""

    strength: FloatArray  # (K,) finite
    covariance: FloatArray
    df: float
    alpha: float

    @cached_property
    def order(self) -> IntArray:
        """Positions from the strongest to the weakest."""
        return np.argsort(-self.strength, kind="stable")

    @cached_property
    def differences(self) -> StrengthDifferences:
        """Every two options."""
        at, below = np.triu_indices(len(self.strength), 1)
        better, worse = self.order[at], self.order[below]
        variance = np.diag(self.covariance)
        error = np.sqrt(np.maximum(variance[better] + variance[worse] - 2 * self.covariance[better, worse], 0.0))
        value = self.strength[better] - self.strength[worse]
        p = np.nan_to_num(p_values(value, error, max(self.df, 1.0)), nan=1.0)  # without an error, nothing is told
        return StrengthDifferences(better, worse, value, error, p, holm(p))

    @cached_property
    def apart(self) -> BoolArray:
        """(K, K) can two options be told apart?"""
        found, apart = self.differences, np.zeros((len(self.strength),) * 2, dtype=np.bool_)
        sure = found.corrected < self.alpha
        apart[found.better[sure], found.worse[sure]] = apart[found.worse[sure], found.better[sure]] = True
        return apart

    @cached_property
    def tier(self) -> IntArray:
        """(K,) the tier of each option, 1 for the first."""
        tier, best, number = np.zeros(len(self.strength), dtype=np.int64), -1, 0
        for option in self.order.tolist():
            if best < 0 or self.apart[best, option]:
                best, number = option, number + 1
            tier[option] = number
        return tier

    @cached_property
    def letters(self) -> list[str]:
        """The letters of each option."""
        order, size = self.order.tolist(), len(self.strength)
        apart = self.apart[np.ix_(order, order)]
        found: list[list[str]] = [[] for _ in range(size)]
        reached, number = -1, 0
        for start in range(size):
            end = start
            while end + 1 < size and not apart[start : end + 1, end + 1].any():
                end += 1
            if end > reached:  # not within the run before
                for place in range(start, end + 1):
                    found[order[place]].append(_letter(number))
                reached, number = end, number + 1
        return [("" if number <= len(ascii_lowercase) else " ").join(one) for one in found]


def _letter(number: int) -> str:
    """a, b … z, a2, b2 …"""
    lap, place = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(lap + 1) if lap else "")
