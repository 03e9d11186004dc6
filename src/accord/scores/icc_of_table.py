"""The intraclass correlation of a table without gaps: a formula of sums over items."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from accord.annotations.arrays import FloatArray
from accord.coefficients.item_sums import ItemSums
from accord.coefficients.measurable import Parts
from accord.coefficients.sums_over_units import SumsOverUnits
from accord.scores.components import share
from accord.scores.icc import Icc
from accord.scores.icc_forms import IccForm
from accord.scores.mean_squares import subsets
from accord.scores.score_table import EXACTLY, ITEM, Effect, ScoreTable

Numbers: TypeAlias = npt.NDArray[Any]  # sums, which are complex where a slope is asked for


class IccOfTable(SumsOverUnits, Icc):
    """Every cell holds the same number of scores: all of it from sums over items."""

    def __init__(self, table: ScoreTable, form: IccForm) -> None:
        Icc.__init__(self, table, form)
        levels = table.levels
        self.shape = tuple(levels[name] for name in table.factors[1:])
        self.sets = [frozenset[str](), *subsets(table.factors)]

    @cached_property
    def _cube(self) -> FloatArray:
        """(items, scores of an item) in the order of the other factors."""
        table = self.whole
        cell = np.zeros(len(table), dtype=np.int64)
        for name in table.factors:
            cell = cell * table.levels[name] + table.codes[name]
        ordered = bool((cell[1:] >= cell[:-1]).all())
        score = table.score if ordered else table.score[np.argsort(cell, kind="stable")]
        return score.reshape(table.levels[ITEM], -1)

    @cached_property
    def parts(self) -> Parts:
        """Of the study itself, from its mean squares: no sums by item are made until somebody asks for others."""
        if self._unmeasurable:
            return Parts.of_value(np.array(np.nan))
        return Parts.of_value(np.array(share(self.components.divided, self.weights, self.place)))

    @cached_property
    def item_sums(self) -> ItemSums:  # type: ignore[override]
        """Of each item: that it is one, its squares, the squares of its totals by every set of factors, its scores."""
        scores = self._cube.reshape(len(self._cube), *self.shape, -1)
        cells = scores.sum(axis=-1)
        columns = [np.ones(len(cells)), (scores**2).reshape(len(cells), -1).sum(axis=1)]
        for effect in self.sets:
            if ITEM in effect:
                total = cells.sum(axis=self._axes_without(effect))
                per = self._cube.shape[1] / (total.size / len(cells))
                columns.append((total**2).reshape(len(cells), -1).sum(axis=1) / per)
        return ItemSums.dense(np.column_stack([*columns, cells.reshape(len(cells), -1)]))

    def _axes_without(self, effect: Effect) -> tuple[int, ...]:
        return tuple(axis + 1 for axis, name in enumerate(self.whole.factors[1:]) if name not in effect)

    def combine(self, sums: FloatArray) -> Parts:
        """The ratio of variances; NaN where there is nothing to measure."""
        if self._unmeasurable:
            return Parts.of_value(np.full(sums.shape[:-1], np.nan))
        with np.errstate(divide="ignore", invalid="ignore"):
            return Parts.of_value(np.asarray(self._ratio(sums), dtype=np.float64))

    def slopes(self, sums: FloatArray) -> FloatArray:
        """By a step along the imaginary axis, which is exact: the ratio is made of sums, products and quotients."""
        step = 1e-30
        moved = sums[None, :] + 1j * step * np.eye(len(sums))
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self._ratio(moved).imag / step)

    def _ratio(self, sums: Numbers) -> Numbers:
        """σ²_item / (σ²_item + error), from sums that may be complex."""
        items, squares = sums[..., 0], sums[..., 1]
        totals = self._totals(sums, items)
        per_item = self._cube.shape[1]
        if self.form.error == "1":
            between = (totals[frozenset((ITEM,))] - totals[frozenset()]) / (items - 1)
            within = (squares - totals[frozenset((ITEM,))]) / (items * (per_item - 1))
            own, error = (between - within) / per_item, within * self.weights[-1]
            return _share(own, error)
        variances = self._components(totals, squares, items)
        own = variances[self.place]
        error = sum(weight * variance for weight, variance in zip(self.weights, variances, strict=True) if weight)
        return _share(own, error)

    def _totals(self, sums: Numbers, items: Numbers) -> dict[Effect, Numbers]:
        """The squared totals over their numbers, of every set of factors."""
        with_item = [effect for effect in self.sets if ITEM in effect]
        found = {effect: sums[..., 2 + place] for place, effect in enumerate(with_item)}
        cells = sums[..., 2 + len(with_item) :].reshape((*sums.shape[:-1], *self.shape))
        lead = sums.ndim - 2
        for effect in self.sets:
            if ITEM not in effect:
                total = cells.sum(axis=tuple(lead + axis for axis in self._axes_without(effect)))
                size = math.prod(self.whole.levels[name] for name in effect)
                squared = (total**2).reshape(*sums.shape[:-1], -1).sum(axis=-1)
                found[effect] = squared / (items * (self._cube.shape[1] / size))
        return found

    def _components(
        self,
        totals: dict[Effect, Numbers],
        squares: Numbers,
        items: Numbers,
    ) -> list[Numbers]:
        """The variances by mean squares, what is left over last."""
        levels: dict[str, Any] = {**self.whole.levels, ITEM: items}
        full = frozenset(self.whole.factors)
        mean: dict[Effect, Numbers] = {}
        for effect in self.sets[1:]:
            alone = sum((-1) ** (len(effect) - len(part)) * totals[part] for part in self.sets if part <= effect)
            mean[effect] = alone / math.prod((levels[name] - 1 for name in effect), start=1.0)
        cells = math.prod(self.shape)
        repeats = self._cube.shape[1] // cells
        rest = mean[full] if repeats == 1 else (squares - totals[full]) / (items * cells * (repeats - 1))
        found = []
        for effect in self.table.effects:
            above = sum((-1) ** (len(other) - len(effect)) * mean[other] for other in mean if other >= effect)
            above = above - rest if effect == full else above
            found.append(above / math.prod((levels[name] for name in full - effect), start=float(repeats)))
        return [*found, rest]


def _share(own: Numbers, error: Numbers) -> Numbers:
    """What the item's variance is of itself and the error; NaN of nothing, and of less than nothing."""
    whole = np.asarray(own + error)
    least = EXACTLY * (np.abs(own) + np.abs(error))
    return np.asarray(own / np.where(whole.real > least, whole, np.nan))
