"""What one item of each pattern adds to sums over items: a sparse matrix, patterns × sums, kept by rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up

FULL_CELLS = 16_000_000  # numbers in a matrix kept in full
FULL_SPREAD = 30  # cells for each number that is not zero, up to which a full matrix multiplies more quickly


@dataclass(frozen=True, eq=False)
class ItemSums:
    """Row p holds `values` in `columns` from `starts[p]` to `starts[p + 1]`."""

    columns: IntArray
    values: FloatArray
    starts: IntArray
    width: int

    @classmethod
    def none(cls, patterns: int) -> ItemSums:
        """No sums at all."""
        return cls(np.empty(0, np.int64), np.empty(0), np.zeros(patterns + 1, np.int64), 0)

    @classmethod
    def dense(cls, table: FloatArray) -> ItemSums:
        """From a full table, patterns × sums."""
        patterns, width = table.shape
        columns = np.tile(np.arange(width), patterns)
        return cls(columns, table.ravel(), np.arange(patterns + 1) * width, width)

    @classmethod
    def added(cls, parts: Iterable[tuple[IntArray, IntArray | int, FloatArray]], shape: tuple[int, int]) -> ItemSums:
        """From rows, columns and values at any places of patterns × sums; those of one place are added up."""
        patterns, width = shape
        if patterns * width <= FULL_CELLS:
            full = np.zeros(patterns * width)
            for row, column, value in parts:
                full += add_up(row * width + column, value, patterns * width)
            place = np.nonzero(full)[0]
            values = full[place]
        else:
            every = [(row * width + column, value) for row, column, value in parts]
            place, which = np.unique(np.concatenate([cells for cells, _ in every]), return_inverse=True)
            values = add_up(which, np.concatenate([value for _, value in every]), len(place))
        starts = np.searchsorted(place, np.arange(patterns + 1) * width).astype(np.int64)
        return cls(place % max(width, 1), values, starts, width)

    def joined(self, other: ItemSums) -> ItemSums:
        """These sums, then the other's."""
        mine = np.arange(len(self.columns)) + other.starts[self.pattern]  # where each goes, row by row
        theirs = np.arange(len(other.columns)) + self.starts[other.pattern + 1]
        columns = np.empty(len(mine) + len(theirs), dtype=np.int64)
        values = np.empty(len(columns))
        columns[mine], columns[theirs] = self.columns, other.columns + self.width
        values[mine], values[theirs] = self.values, other.values
        return ItemSums(columns, values, self.starts + other.starts, self.width + other.width)

    def times(self, number: FloatArray) -> ItemSums:
        """What so much of each pattern adds."""
        return ItemSums(self.columns, self.values * number[self.pattern], self.starts, self.width)

    @cached_property
    def pattern(self) -> IntArray:
        """The row of each value."""
        return np.arange(len(self.starts) - 1).repeat(self.starts[1:] - self.starts[:-1])

    def total(self, items: FloatArray | IntArray) -> FloatArray:
        """The sums, for items of each pattern: one row (P,) or resamples (B, P)."""
        if items.ndim == 1:
            return add_up(self.columns, self.values * items[self.pattern], self.width)
        return np.asarray(items @ self._matrix, dtype=np.float64)

    def along(self, slopes: FloatArray, begin: FloatArray | None = None) -> FloatArray:
        """Each row times the slopes: what an item of a pattern changes; beside what it begins with."""
        steps, patterns = self.values * slopes[self.columns], len(self.starts) - 1
        if begin is None:
            return add_up(self.pattern, steps, patterns)
        return add_up(np.concatenate((np.arange(patterns), self.pattern)), np.concatenate((begin, steps)), patterns)

    def rows(self, first: int, last: int) -> FloatArray:
        """Some rows in full."""
        inside = slice(self.starts[first], self.starts[last])
        place = (self.pattern[inside] - first) * self.width + self.columns[inside]
        return add_up(place, self.values[inside], (last - first) * self.width).reshape(last - first, self.width)

    @cached_property
    def _matrix(self) -> Any:
        """All rows: in full where that is quicker, else as SciPy's sparse matrix."""
        patterns = len(self.starts) - 1
        if patterns * self.width <= min(FULL_CELLS, FULL_SPREAD * len(self.values) + 1000):
            return self.rows(0, patterns)
        from scipy.sparse import csr_array  # slow to import

        return csr_array((self.values, self.columns, self.starts), shape=(patterns, self.width))
