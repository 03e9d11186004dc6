"""One query as its lists: who puts which option before which, and how far an order goes against that."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, divide
from accord.rankings.midranks import places
from accord.rankings.ranks import Ranks


@dataclass(frozen=True, eq=False)
class QueryLists:
    """The lists of a query: (lists, options) ranks, low first, NaN for an option that is not ranked."""

    options: IntArray  # (n,) which of all options
    ranks: FloatArray  # (m, n)

    @classmethod
    def of(cls, ranks: Ranks, query: int) -> QueryLists:
        """One query of a study."""
        cells = slice(int(ranks.cells_of[query]), int(ranks.cells_of[query + 1]))
        lists = np.arange(ranks.lists_of[query], ranks.lists_of[query + 1])
        return cls(ranks.cell_option[cells], ranks.table(lists)[:, : cells.stop - cells.start])

    def __len__(self) -> int:
        """How many options somebody ranked."""
        return len(self.options)

    @cached_property
    def before(self) -> FloatArray:
        """(n, n) how many put the first option before the second; who ties them, or ranks one only, does neither."""
        return np.asarray((self.ranks[:, :, None] < self.ranks[:, None, :]).sum(0), dtype=np.float64)

    @cached_property
    def rankers(self) -> IntArray:
        """(n,) how many ranked an option."""
        return np.asarray((~np.isnan(self.ranks)).sum(0))

    @cached_property
    def after(self) -> FloatArray:
        """(m, n) the share of a list's other options that stand after an option, tied ones by half; NaN for none."""
        mid, size = places(self.ranks).mid, (~np.isnan(self.ranks)).sum(1, keepdims=True)
        return divide(size - mid, np.broadcast_to(size - 1, mid.shape))

    @cached_property
    def borda(self) -> tuple[FloatArray, FloatArray]:
        """(n,) its mean over the lists that hold the option and another one, and the standard error over them."""
        held = ~np.isnan(self.after)
        number = held.sum(0)
        mean = divide(np.where(held, self.after, 0.0).sum(0), number)
        squares = np.where(held, (self.after - mean) ** 2, 0.0).sum(0)
        return mean, np.sqrt(divide(squares, number * np.maximum(number - 1, 0)))

    def support(self, order: FloatArray) -> FloatArray:
        """(n,) of those who ranked an option and its next one in an order, how many put them so; NaN for the last."""
        found = np.full(len(self), np.nan)
        after = np.argsort(order, kind="stable")
        one, other = self.ranks[:, after[:-1]], self.ranks[:, after[1:]]
        found[after[:-1]] = divide((one < other).sum(0), (~np.isnan(one) & ~np.isnan(other)).sum(0))
        return found


@dataclass(frozen=True, eq=False)
class QueryOrder:
    """An order of the options of one query: its ranks, low first, what they rest on, and what is not decided."""

    ranks: FloatArray  # (n,) equal where two options cannot be told apart
    score: FloatArray  # (n,) what the method gives each option; NaN where it gives none
    error: FloatArray  # (n,) its standard error; NaN where it has none
    open: tuple[tuple[int, int], ...] = ()  # pairs of options that are undecided
    why: str = ""  # what makes them so
