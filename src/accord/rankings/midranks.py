"""Mid-ranks, of many lists at once or of one: what is tied shares the mean of the places it takes together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray


@dataclass(frozen=True, eq=False)
class RankPlaces:
    """Where each option of each list stands: how many are before it, and how many share its place, itself too.

    Both are (lists, options); NaN for an option that a list does not rank.
    """

    before: FloatArray
    tied: FloatArray

    @property
    def mid(self) -> FloatArray:
        """The mid-rank: the mean of the places that tied options take."""
        return np.asarray(self.before + (self.tied + 1) / 2)


def places(ranks: FloatArray, kept: BoolArray | None = None) -> RankPlaces:
    """The places in lists of ranks, low first, of the options that are kept; NaN is not ranked.

    >>> places(np.array([[10.0, 30.0, 20.0, 20.0]])).mid.tolist()
    [[1.0, 4.0, 2.5, 2.5]]
    """
    given = ~np.isnan(ranks) if kept is None else kept & ~np.isnan(ranks)
    values = np.where(given, ranks, np.inf)
    order = np.argsort(values, axis=1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=1)
    width = np.arange(values.shape[1])
    new = np.ones(values.shape, dtype=np.bool_)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    first = np.maximum.accumulate(np.where(new, width, 0), axis=1)
    ends = np.ones(values.shape, dtype=np.bool_)
    ends[:, :-1] = new[:, 1:]
    last = np.minimum.accumulate(np.where(ends, width, values.shape[1])[:, ::-1], axis=1)[:, ::-1]
    before, tied = (np.empty(values.shape) for _ in range(2))
    np.put_along_axis(before, order, first.astype(np.float64), axis=1)
    np.put_along_axis(tied, order, (last - first + 1).astype(np.float64), axis=1)
    return RankPlaces(np.where(given, before, np.nan), np.where(given, tied, np.nan))


def midranks(values: FloatArray) -> FloatArray:
    """Those of one list, from 1: equal values share the mean of their places.

    >>> midranks(np.array([0.2, 0.9, 0.2])).tolist()
    [1.5, 3.0, 1.5]
    """
    _, place, tied = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(tied) - (tied - 1) / 2)[place], dtype=np.float64)
