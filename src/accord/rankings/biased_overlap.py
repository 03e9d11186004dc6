"""Rank-biased overlap of many pairs of lists at once, with ties, lists of different length and different options.

Agreement at depth d is how much the first d places of both lists share; the value is its mean over depths with weights
(1 − p) pᵈ⁻¹, so that early places count most. With ties an option reaches its place by degrees (corsi2024):

    w   tied options all stand at the first of their places; 2 X / (as many as stand there in both lists)
    a   the mean over all orders of tied options: an option counts by the share of orders that have it by depth d; X / d
    b   as a, and divided by √Σc² of each list instead of d, so that a list has agreement 1 with itself

X_d = Σ over options of the product of how far each list holds it. Every such product is a polynomial in d between the
places where ties begin and end, so X at all depths are three running sums, however long ties are. Below the end of the
shorter list (length s) its further options are not known, and below the longer one (l) nobody's are: "min" takes them
for different, "max" for the same as far as can be, "ext" as agreeing like what was seen; "res" is max − min.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias, get_args

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.rankings.midranks import RankPlaces, places

Ties: TypeAlias = Literal["w", "a", "b"]
Bound: TypeAlias = Literal["ext", "min", "max", "res"]
TIES: tuple[Ties, ...] = get_args(Ties)
BOUNDS: tuple[Bound, ...] = get_args(Bound)


def biased_overlap(
    first: FloatArray, second: FloatArray, p: float, ties: Ties = "a", bound: Bound = "ext"
) -> FloatArray:
    """(M,) the overlap of two lists each; ranks are (M, options), low first, NaN for an option that is not ranked.

    >>> ranks = np.array([[1, 2, 3, 4, 5, np.nan, np.nan], [2, 1, 3, np.nan, np.nan, 4, 5]])
    >>> biased_overlap(ranks[:1], ranks[1:], 0.9).round(6).tolist()
    [0.619335]
    """
    lengths = [(~np.isnan(ranks)).sum(1) for ranks in (first, second)]
    longer_first = (lengths[0] > lengths[1])[:, None]
    short = places(np.where(longer_first, second, first))
    long = places(np.where(longer_first, first, second))
    untied = not any((part.tied > 1).any() for part in (short, long))  # then all three are one, and this is quickest
    p = max(p, sys.float_info.min)  # of what is less, one divided by it is infinite
    found = _Overlap(short, long, np.minimum(*lengths), np.maximum(*lengths), p, "w" if untied else ties)
    return found.extrapolated if bound == "ext" else found.bound(bound)


@dataclass(frozen=True, eq=False)
class _Overlap:
    """Pairs of a shorter and a longer list; tables are (M, depths), the first column is depth 1."""

    short: RankPlaces
    long: RankPlaces
    s: IntArray  # (M,) the length of the shorter list
    end: IntArray  # (M,) of the longer one
    p: float
    ties: Ties

    @cached_property
    def depth(self) -> FloatArray:
        """(depths,) 1, 2 … up to the longest list."""
        return np.arange(1.0, float(self.end.max(initial=1)) + 1)

    @cached_property
    def seen(self) -> FloatArray:
        """(M, D) X: how much the lists share of what was seen."""
        return self._shared(self.short, self.long)

    @cached_property
    def _both(self) -> FloatArray:
        """(M, D) what X is divided by, beyond the end of the shorter list with that list filled up."""
        within = self.depth <= self.s[:, None]
        if self.ties == "a":
            return np.broadcast_to(self.depth, within.shape)
        if self.ties == "w":
            held = [_reached(part.before, len(self.depth)) for part in (self.short, self.long)]
            return np.asarray((np.where(within, held[0], self.depth) + held[1]) / 2)
        squares = [tie.begin + tie.size * tie.part**2 for tie in (self._tie(self.short), self._tie(self.long))]
        return np.sqrt(np.where(within, squares[0], self.depth) * squares[1])  # √Σc²: 1 each before the tie

    @cached_property
    def _agreed(self) -> FloatArray:
        """(M,) A_s: agreement at the end of the shorter list."""
        at = (self.s - 1)[:, None]
        return np.take_along_axis(self.seen / self._both, at, axis=1)[:, 0]

    @cached_property
    def _beyond(self) -> FloatArray:
        """(M, D) how many depths beyond the end of the shorter list; 0 before."""
        return np.maximum(self.depth - self.s[:, None], 0.0)

    @cached_property
    def _total(self) -> FloatArray:
        """(M,) X_l: how many options both lists hold."""
        return np.asarray((~np.isnan(self.short.before) & ~np.isnan(self.long.before)).sum(1), dtype=np.float64)

    def _shared(self, one: RankPlaces, other: RankPlaces) -> FloatArray:
        """(M, D) Σ over options of how far one list holds it times how far the other does."""
        depths = len(self.depth)
        if self.ties == "w":
            return _reached(np.maximum(one.before, other.before), depths)
        return _products(one, other, depths)

    # -- options that only the longer list holds ----------------------------------------------------------------------

    @cached_property
    def _only_long(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(M, D) how many of them are held fully at each depth, how many at all, and how far those in between are."""
        depths = len(self.depth)
        only = np.isnan(self.short.before) & ~np.isnan(self.long.before)
        before = np.where(only, self.long.before, np.nan)
        if self.ties == "w":
            reached = _reached(before, depths)
            return reached, reached, np.ones_like(reached)
        full = _reached(before + self.long.tied - 1, depths)
        return full, _reached(before, depths), self._tie(self.long).part

    def _tie(self, places: RankPlaces) -> _Tie:
        """The tie of a list that each depth falls into; beyond the end of the list, its last one."""
        row, column = np.nonzero(~np.isnan(places.before))
        first = places.before[row, column].astype(np.int64)
        begin = np.zeros((len(self.end), len(self.depth)), dtype=np.int64)
        size = np.ones(begin.shape)
        begin[row, first], size[row, first] = first, places.tied[row, column]
        begin = np.maximum.accumulate(begin, axis=1)
        size = np.take_along_axis(size, begin, axis=1)
        return _Tie(begin, size, np.minimum((self.depth - begin) / size, 1.0))

    def _unseen_most(self) -> FloatArray:
        """(M, D) what X gains if the shorter list goes on with options that only the longer one holds."""
        full, held, part = self._only_long
        room = self._beyond
        whole = np.minimum(full, room)
        return np.asarray(whole + (np.minimum(held, room) - whole) * part)

    def _unseen_alike(self) -> FloatArray:
        """(M, D) what X gains if the shorter list goes on to agree as it did up to its end."""
        full, held, part = self._only_long
        mean = np.nan_to_num(divide(full + (held - full) * part, held))
        return np.asarray(self._beyond * self._agreed[:, None] * mean)

    # -- all depths ---------------------------------------------------------------------------------------------------

    def _summed(self, gained: FloatArray | float) -> FloatArray:
        """(M,) Σ of agreement · pᵈ over the depths of the longer list."""
        agreed = np.nan_to_num(divide(self.seen + gained, self._both))
        return np.asarray(np.where(self.depth <= self.end[:, None], agreed, 0.0) @ self.p**self.depth)

    @cached_property
    def extrapolated(self) -> FloatArray:
        """(M,) as if what was not seen agreed like what was."""
        p, long = self.p, self.end.astype(np.float64)
        after = (self._total + (long - self.s) * self._agreed) / long * p ** (long + 1) / (1 - p)
        return np.asarray((1 - p) / p * (self._summed(self._unseen_alike()) + after))

    def bound(self, which: Bound) -> FloatArray:
        """(M,) the least or the most there can be, or how far these are apart."""
        if which == "res":
            return self.bound("max") - self.bound("min")
        p = self.p
        most = int((self.end + self.s).max(initial=1))
        steps = np.arange(1, most + 1)
        powers, shares = (np.concatenate(([0.0], np.cumsum(part))) for part in (p**steps, p**steps / steps))
        if which == "min":
            after = self._total * (-np.log1p(-p) - shares[self.end])
            return np.asarray((1 - p) / p * (self._summed(0.0) + after))
        full = (self.end + self.s - self._total).astype(np.int64)  # from this depth on both may hold the same
        after = 2 * (powers[full] - powers[self.end]) - full * (shares[full] - shares[self.end])
        after += p ** (full + 1.0) / (1 - p)
        return np.asarray((1 - p) / p * (self._summed(self._unseen_most()) + after))


@dataclass(frozen=True, eq=False)
class _Tie:
    """(M, D) of each depth: how many places are before its tie, how many it takes, and how far a list holds it."""

    begin: IntArray
    size: FloatArray
    part: FloatArray


def _reached(before: FloatArray, depths: int) -> FloatArray:
    """(M, D) for how many options at most d − 1 places are before them; NaN is none."""
    row, column = np.nonzero(~np.isnan(before))
    at = row * depths + before[row, column].astype(np.int64)
    return np.cumsum(add_up(at, np.ones(len(at)), before.shape[0] * depths).reshape(-1, depths), axis=1)


def _products(one: RankPlaces, other: RankPlaces, depths: int) -> FloatArray:
    """(M, D) Σ over options of c · c′, where c rises from 0 before a tie to 1 at its end, in equal steps.

    An option of a tie of g that begins at place t counts (d − t + 1) / g, so that a product is quadratic in d where
    both ties are open, linear where one is, and 1 after both. Each piece is added where it begins and taken away where
    it ends.
    """
    row, column = np.nonzero(~np.isnan(one.before) & ~np.isnan(other.before))
    begin = [part.before[row, column] for part in (one, other)]  # c = (d − begin) / size
    size = [part.tied[row, column] for part in (one, other)]
    end = [low + many for low, many in zip(begin, size, strict=True)]  # the depth at which c is 1
    later = end[1] > end[0]  # the list in which the option is the last to be whole
    last_begin, last_size = (np.where(later, pair[1], pair[0]) for pair in (begin, size))
    start, whole = np.maximum(*begin) + 1, np.maximum(*end)
    open_until = np.maximum(np.minimum(*end), start)  # from here on one of the two is 1
    pieces = _Pieces(row, len(one.before), depths)
    scale = 1 / (size[0] * size[1])
    pieces.add(start, open_until, begin[0] * begin[1] * scale, -(begin[0] + begin[1]) * scale, scale)
    pieces.add(open_until, whole, -last_begin / last_size, 1 / last_size, None)
    pieces.add(whole, None, np.ones(len(row)), None, None)
    return pieces.values()


class _Pieces:
    """Polynomials in the depth that hold from one depth up to another, added up for each row."""

    def __init__(self, row: IntArray, rows: int, depths: int) -> None:
        self.row, self.shape = row, (rows, depths + 1)
        self.parts = [np.zeros(rows * (depths + 1)) for _ in range(3)]

    def add(self, low: FloatArray, high: FloatArray | None, *coefficients: FloatArray | None) -> None:
        """Σ a + b d + c d² from depth `low` on, up to `high`, which is left out."""
        width = self.shape[1]
        for bound, sign in ((low, 1.0), (high, -1.0)):
            if bound is None:
                continue
            at = self.row * width + np.minimum(bound.astype(np.int64) - 1, width - 1)
            for power, amount in enumerate(coefficients):
                if amount is not None:
                    self.parts[power] += add_up(at, sign * amount, len(self.parts[power]))

    def values(self) -> FloatArray:
        """(rows, depths) their sums."""
        depth = np.arange(1.0, self.shape[1])
        constant, linear, square = (np.cumsum(part.reshape(self.shape), axis=1)[:, :-1] for part in self.parts)
        return np.asarray(constant + linear * depth + square * depth**2)
