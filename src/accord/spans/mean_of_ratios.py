"""A mean of ratios of sums over documents: F1 of every pair of annotators, then their mean.

A *cell* is what has a ratio of its own: a pair of annotators, a label of a pair, or all of them together. A row says
what one document adds to the two sums of one cell. The value is the mean over groups of the mean over the cells of a
group that have a ratio; it is a differentiable function of sums, so that every resample costs two products.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.annotations.tally import ranges

Amount: TypeAlias = Literal["above", "below", "rows"]
MOST_DENSE = 4_000_000  # documents × cells that are held as a table


@dataclass(frozen=True, eq=False)
class MeanOfRatios:
    """Sums by document and cell, one row each, and what is asked of their ratios."""

    document: IntArray  # (N,) the place among the documents that count
    cell: IntArray  # (N,)
    above: FloatArray  # (N,)
    below: FloatArray  # (N,)
    n_documents: int
    group: IntArray  # (C,) of each cell, from zero
    empty_is_one: bool = False  # has a cell with documents and nothing below the line the ratio 1, or none?
    times: FloatArray | None = None  # (P,) how much of each document there is; None where there is one of each
    _made: dict[Amount, Any] = field(default_factory=dict, init=False, repr=False)  # matrices of documents × cells

    @property
    def n_cells(self) -> int:
        """How many ratios there may be."""
        return len(self.group)

    # -- values -------------------------------------------------------------------------------------------------------

    def ratios(self, number: FloatArray | IntArray) -> FloatArray:
        """(..., C) the ratio of each cell for so many of each document; NaN where there is none."""
        ratio = divide(self._total(number, "above"), self._total(number, "below"))
        if not self.empty_is_one:
            return ratio
        there = self._total(number, "rows")
        return np.where(np.isnan(ratio) & (there > 0), 1.0, ratio)

    def value(self, number: FloatArray | IntArray) -> FloatArray:
        """(...) the mean over groups of the means over cells."""
        ratio = self.ratios(number)
        return np.asarray((np.nan_to_num(ratio) * self._shares(ratio)).sum(-1) / _any(ratio))

    def _shares(self, ratio: FloatArray) -> FloatArray:
        """(..., C) what each cell counts in the mean; zero without a ratio."""
        defined = np.isfinite(ratio).astype(np.float64)
        groups = int(self.group.max(initial=-1)) + 1
        if groups == 1:
            return divide(defined, np.maximum(defined.sum(-1, keepdims=True), 1))
        member = np.zeros((self.n_cells, groups))
        member[np.arange(self.n_cells), self.group] = 1.0
        many = defined @ member  # cells of each group that have a ratio
        some = np.maximum((many > 0).sum(-1, keepdims=True), 1)
        return np.asarray(defined / np.maximum(many, 1)[..., self.group] / some)

    def _total(self, number: FloatArray | IntArray, what: Amount) -> FloatArray:
        """(..., C) the sums of each cell."""
        if number.ndim == 1:
            return add_up(self.cell, number[self.document] * self._amounts(what), self.n_cells)
        return np.asarray(number @ self._matrix(what))

    def _amounts(self, what: Amount) -> FloatArray:
        """(N,) what each row adds."""
        each = np.ones(len(self.cell)) if what == "rows" else self.above if what == "above" else self.below
        return each if self.times is None else each * self.times[self.document]

    def _matrix(self, what: Amount) -> Any:
        """(P, C) what each document adds to each cell; many blocks of resamples ask for it."""
        if what not in self._made:
            self._made[what] = self._made_matrix(self._amounts(what))
        return self._made[what]

    def _made_matrix(self, amount: FloatArray) -> Any:
        shape = self.n_documents, self.n_cells
        if shape[0] * shape[1] <= MOST_DENSE:
            return add_up(self.document * shape[1] + self.cell, amount, shape[0] * shape[1]).reshape(shape)
        from scipy.sparse import csr_array

        return csr_array((amount, (self.document, self.cell)), shape=shape)

    # -- how far a document moves them --------------------------------------------------------------------------------

    @cached_property
    def own(self) -> FloatArray:
        """(C,) the ratios of the documents themselves."""
        return self.ratios(np.ones(self.n_documents))

    @cached_property
    def own_shares(self) -> FloatArray:
        """(C,) what each counts."""
        return self._shares(self.own)

    @cached_property
    def _moves(self) -> FloatArray:
        """(N,) how far each row moves the ratio of its cell, times the number of documents."""
        below = self._total(np.ones(self.n_documents), "below")[self.cell]
        away = self._amounts("above") - np.nan_to_num(self.own)[self.cell] * self._amounts("below")
        return self.n_documents * np.nan_to_num(divide(away, below))

    def influence(self) -> FloatArray:
        """(P,) how far each document moves the value, times their number."""
        return add_up(self.document, self.own_shares[self.cell] * self._moves, self.n_documents)

    def influence_on(self, number: FloatArray) -> FloatArray:
        """(B, P) the same on each of some resamples."""
        ratio, below = self.ratios(number), self._total(number, "below")
        step = np.nan_to_num(divide(self._shares(ratio), below))
        moves = step @ self._matrix("above").T - (step * np.nan_to_num(ratio)) @ self._matrix("below").T
        return np.asarray(number.sum(1, keepdims=True) * moves)

    def errors(self) -> FloatArray:
        """(C,) the standard error of each ratio over documents."""
        return _error(add_up(self.cell, self._moves**2, self.n_cells), self.n_documents)

    def means(self, cell: IntArray, of: IntArray, size: int) -> tuple[FloatArray, FloatArray]:
        """(size,) means of some ratios and their standard errors: cell cell[k] belongs to the mean of[k]."""
        defined = np.isfinite(self.own[cell])
        cell, of = cell[defined], of[defined]
        many = np.bincount(of, minlength=size)
        value = divide(add_up(of, self.own[cell], size), many)
        order = np.argsort(self.cell, kind="stable")
        begins = np.searchsorted(self.cell[order], np.arange(self.n_cells + 1))
        lengths = np.diff(begins)[cell]
        row = order[ranges(begins[cell], lengths)]
        key, place = np.unique(np.repeat(of, lengths) * self.n_documents + self.document[row], return_inverse=True)
        moved = add_up(place, self._moves[row], len(key))
        squares = divide(add_up(key // max(self.n_documents, 1), moved**2, size), many.astype(np.float64) ** 2)
        return value, _error(squares, self.n_documents)

    def parts_of_documents(self) -> tuple[FloatArray, FloatArray]:
        """(P,) the value of each document and its weight: Σ weight · value is the value of all."""
        below = self._total(np.ones(self.n_documents), "below")[self.cell]
        there = self._total(np.ones(self.n_documents), "rows")[self.cell]
        empty = (below == 0) & self.empty_is_one  # full agreement on nothing: all its documents alike
        alike = divide(self._amounts("rows"), there)
        share = np.where(empty, alike, np.nan_to_num(divide(self._amounts("below"), below)))
        part = np.where(empty, alike, np.nan_to_num(divide(self._amounts("above"), below)))
        weight = add_up(self.document, self.own_shares[self.cell] * share, self.n_documents)
        total = add_up(self.document, self.own_shares[self.cell] * part, self.n_documents)
        return divide(total, weight), weight


def _any(ratio: FloatArray) -> FloatArray:
    """One where there is a ratio, NaN where there is none."""
    return np.where(np.isfinite(ratio).any(-1), 1.0, np.nan)


def _error(squares: FloatArray, number: int) -> FloatArray:
    """The standard error of a mean of so many, from the sum of squared deviations; NaN of one."""
    return np.sqrt(squares * number / (number - 1)) / number if number > 1 else np.full(len(squares), np.nan)
