"""The intraclass correlation as something measurable: of a table without gaps, with gaps, and of any other design.

    ICC = σ²_item / (σ²_item + error)

What is error depends on the form. Of a table without gaps the variances come from mean squares, so that an ICC below
zero is one; with gaps they come from restricted maximum likelihood, and end at zero.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.coefficients.formula import centred
from accord.coefficients.item_sums import ItemSums
from accord.coefficients.measurable import Breakdown, Decomposition, Measurable, ModelInterval, Parts
from accord.coefficients.sums_over_units import SumsOverUnits
from accord.coefficients.units import OneOfEach
from accord.errors import OptionError, counted, remedy
from accord.scores import f_intervals
from accord.scores.components import Components, fitted, share, share_slopes
from accord.scores.eliminated_items import EliminatedItems
from accord.scores.icc_forms import IccForm, error_weights
from accord.scores.items_alone import ItemsAlone
from accord.scores.mean_squares import subsets
from accord.scores.pair_icc import PairIccs
from accord.scores.restricted_likelihood import curvature, maximise
from accord.scores.score_table import ANNOTATOR, ITEM, Effect, ScoreTable, in_words, not_told_apart, nothing_to_measure

if TYPE_CHECKING:
    from accord.annotations.tally import Tally
    from accord.study.study import Study

PERFECT = "Nobody differs from anybody on any item, so nothing shows how much others would."
MOST_REFITTED = 20_000  # items up to which each may be left out and the rest fitted anew
STEP = 1e-5
Numbers: TypeAlias = npt.NDArray[Any]  # sums, which are complex where a slope is asked for


class Icc(Measurable):
    """An intraclass correlation of some form."""

    usual_method: Literal["model-based"] = "model-based"

    def __init__(self, table: ScoreTable, form: IccForm) -> None:
        self.whole, self.form, self.of_what = table, form, form.name
        self.table = table.by_item_alone if form.error == "1" else table
        self._units = OneOfEach.of(table.answered)

    @property
    def sample(self) -> OneOfEach:
        """The items that have a score."""
        return self._units

    @property
    def n_answers(self) -> int:
        """All scores."""
        return len(self.table)

    @property
    def components(self) -> Components:
        """The variance components behind it."""
        return self.table.components

    @cached_property
    def weights(self) -> FloatArray:
        """How much of each variance is error."""
        number = self.form.annotators(self.whole.annotators_per_item)
        if self.form.error == "1":
            return np.array([0.0, 1 / number])
        return error_weights(self.table, {ANNOTATOR: number}, absolute=self.form.error == "A")

    @property
    def place(self) -> int:
        """Where the item's variance stands."""
        return self.table.effects.index(frozenset((ITEM,)))

    @cached_property
    def _unmeasurable(self) -> str | None:
        """Why there is no value, where that is known before anything is fitted."""
        found = nothing_to_measure(self.table)
        if found or self.form.error != "C" or frozenset((ANNOTATOR,)) in self.table.effects:
            return found
        return (
            "No annotator scored two items, so that annotators' levels cannot be told from what is left over: "
            "consistency is unknown, absolute agreement is not."
        )

    def why_undefined(self) -> str | None:
        """One item, equal scores, no item with two of them."""
        return self._unmeasurable or "Neither items nor annotators differ, so there is no variance to divide."

    # -- how sure -----------------------------------------------------------------------------------------------------

    def model_interval(self, confidence: float) -> ModelInterval:
        """By the model: exact where F is, of the likelihood else."""
        value = float(self.parts.value)
        drawn: Literal["items", "both"] = "items" if self.form.error == "C" else "both"
        if value > 1 - 1e-12 or not float(self.components.variances[-1]) > 0:
            return ModelInterval(math.nan, math.nan, math.nan, drawn, PERFECT)
        error = self.components.share_error(self.weights)
        exact = f_intervals.of(self.components, self.whole, self.form, confidence)
        low, high = exact or self.components.share_interval(self.weights, confidence)
        return ModelInterval(low, high, error, drawn)

    # -- where from ---------------------------------------------------------------------------------------------------

    def decomposition(self) -> Decomposition:
        """Each item's spread as a share of all variance: 1 − s² / (σ²_item + error), scaled so that the mean is it."""
        table, items = self.table, self.whole.levels[ITEM]
        number = np.bincount(table.codes[ITEM], minlength=items).astype(np.float64)
        left = table.score - (add_up(table.codes[ITEM], table.score, items) / number)[table.codes[ITEM]]
        if self.form.error == "C":
            person = table.codes[ANNOTATOR]
            level = add_up(person, left, table.levels[ANNOTATOR]) / np.bincount(person)
            left = left - level[person]
            left -= (add_up(table.codes[ITEM], left, items) / number)[table.codes[ITEM]]
        spread = divide(add_up(table.codes[ITEM], left**2, items), number - 1)
        weight = (number - 1) / (number - 1).sum()
        mean = float(np.nansum(weight * spread))
        missing = 1 - float(self.parts.value)
        value = 1 - missing * spread / mean if mean > 0 else np.where(np.isnan(spread), np.nan, 1.0)
        return Decomposition(np.full(items, np.nan), value, weight)

    def unit_columns(self) -> dict[str, list[float]]:
        """The mean and the standard deviation of an item's scores."""
        table, items = self.table, self.whole.levels[ITEM]
        number = np.bincount(table.codes[ITEM], minlength=items).astype(np.float64)
        mean = add_up(table.codes[ITEM], table.score, items) / number
        squares = add_up(table.codes[ITEM], (table.score - mean[table.codes[ITEM]]) ** 2, items)
        return {
            "mean": (mean * table.unit + table.mean).tolist(),
            "standard_deviation": (np.sqrt(divide(squares, number - 1)) * table.unit).tolist(),
        }

    def by_pair(self, named: Tally, pairs: AnnotatorPairs) -> Breakdown:
        """The same form of every two annotators, on the items both scored."""
        return PairIccs.of(named, pairs, self.form).by_pair()

    def by_annotator(self, study: Study) -> Breakdown:
        """The mean over the pairs that an annotator is one of, each pair by its common items."""
        tally = study._tally_of_people(named=True)
        tally = tally.where(tally.pairable)
        return PairIccs.of(tally, AnnotatorPairs.of(tally), self.form).by_annotator(len(study.annotators))

    # -- in words -----------------------------------------------------------------------------------------------------

    def notes(self) -> tuple[str, ...]:
        """What was done about gaps, about components below zero, and what cannot be told apart."""
        found = list(not_told_apart(self.table)) if self.form.error != "1" else []
        if self._unmeasurable:
            return tuple(found)
        if self.form.number is None and self.whole.annotators_per_item != round(self.whole.annotators_per_item):
            found.append(f"k is {self.whole.annotators_per_item:.4g}, the harmonic mean of the annotators of an item.")
        return tuple(found)

    def steps(self, undefined: str | None) -> list[str]:
        """The variances, the error, their ratio."""
        if undefined:
            return ["", f"  there is none: {undefined}"]
        names = [*(in_words(effect, self.table.factors) for effect in self.table.effects), "left over"]
        variances = self._variances * self.table.unit**2
        error = float(self.weights @ variances)
        own = float(variances[self.place])
        return [
            *("", "Step 1: what each part adds to the variance of a score"),
            *(f"  {name}: {variance:.6g}" for name, variance in zip(names, variances.tolist(), strict=True)),
            *("", f"Step 2: what of it is error in {self.form.in_words}"),
            f"  {' + '.join(self._terms(names, variances))} = {error:.6g}",
            *("", "Step 3: the share of the item", f"  {own:.6g} / ({own:.6g} + {error:.6g}) = {self._value:z.4f}"),
        ]

    def _terms(self, names: list[str], variances: FloatArray) -> list[str]:
        return [
            f"{variance:.6g}" if weight == 1 else f"{variance:.6g} / {1 / weight:.4g}"
            for variance, weight in zip(variances.tolist(), self.weights.tolist(), strict=True)
            if weight
        ]

    @property
    def _value(self) -> float:
        return float(self.parts.value)

    @property
    def _variances(self) -> FloatArray:
        """Those that the value is made of."""
        return self.components.by_anova if self.components.complete else self.components.variances


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
        return Parts.of_value(np.array(share(self.components.by_anova, self.weights, self.place)))

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
            return np.asarray(own / (own + error))
        variances = self._components(totals, squares, items)
        own = variances[self.place]
        error = sum(weight * variance for weight, variance in zip(self.weights, variances, strict=True) if weight)
        return np.asarray(own / (own + error))

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


class FittedIcc(Icc):
    """With gaps: the likeliest variances."""

    def evaluate(self, number: FloatArray | IntArray) -> Parts:
        """The fit on other numbers of items, from where the study's own ended."""
        if self._unmeasurable:
            return Parts.of_value(np.full(np.shape(number)[:-1], np.nan))
        rows = np.asarray(number, dtype=np.float64).reshape(-1, np.shape(number)[-1])
        values = np.array([self._on(row) for row in rows])
        return Parts.of_value(values.reshape(np.shape(number)[:-1]))

    def _on(self, number: FloatArray) -> float:
        if (number == self.sample.items).all():
            return share(self.components.variances, self.weights, self.place)
        variances = self._fitted_on(number)
        return math.nan if variances is None else share(variances, self.weights, self.place)

    @abstractmethod
    def _fitted_on(self, number: FloatArray) -> FloatArray | None:
        """The variances of other numbers of items; None where they have none."""

    def leave_one_out(self) -> FloatArray:
        """Each time fitted anew."""
        if len(self.sample) > MOST_REFITTED:
            raise OptionError(
                f"Leaving out each of {counted(len(self.sample), 'items')} would fit the variances as often; ",
                remedy(method="analytic"),
                " gives the same error at once.",
            )
        return super().leave_one_out()


class IccWithGaps(FittedIcc):
    """Items × annotators, or items alone: the items are eliminated, and each may count any number of times."""

    smooth = True

    def _fitted_on(self, number: FloatArray) -> FloatArray | None:
        model = self._model_on(number)
        if model is None:
            return None
        return maximise(model, np.maximum(self.components.variances, 1e-6)).variances

    def _model_on(self, number: FloatArray) -> EliminatedItems | ItemsAlone | None:
        model = self.components.criterion
        assert isinstance(model, EliminatedItems | ItemsAlone)
        if (number > 0).sum() < 2:
            return None
        counted_in = type(model)(model.presence, number)
        away = counted_in.squares - float(counted_in.totals.sum()) ** 2 / counted_in.n_scores
        return counted_in if away > 0 else None

    def influence(self) -> FloatArray:
        """How far each item moves the likeliest variances, by how it moves the slope of the likelihood."""
        if not self.components.variances[-1] > 0:
            return np.zeros(self.sample.n_items)
        found = self._moved(self.components.criterion, self.components.variances)  # type: ignore[arg-type]
        return centred(self.sample.n_items * found, self.sample.items)

    def influence_on(self, number: FloatArray) -> FloatArray:
        """The same for each resample."""
        found = np.full(number.shape, np.nan)
        for place, row in enumerate(number):
            model = self._model_on(row)
            if model is not None:
                variances = maximise(model, np.maximum(self.components.variances, 1e-6)).variances
                found[place] = centred(row.sum() * self._moved(model, variances), row)
        return found

    def _moved(self, model: EliminatedItems | ItemsAlone, variances: FloatArray) -> FloatArray:
        """(items,) the derivative of the value by how often each item counts."""
        at = np.flatnonzero(variances > 0)
        by_item = np.empty((len(at), self.sample.n_items))
        for row, place in enumerate(at):
            step = STEP * float(variances[place])
            ahead, behind = variances.copy(), variances.copy()
            ahead[place] += step
            behind[place] -= step
            by_item[row] = (model.by_unit(ahead) - model.by_unit(behind)) / (2 * step)
        slope = share_slopes(variances, self.weights, self.place)[at]
        return np.asarray(-np.linalg.solve(curvature(model, variances, at), slope) @ by_item)


class RefittedIcc(FittedIcc):
    """Any other design: fitted anew for every resample."""

    resample_cost = "a fit of all variances"

    def _fitted_on(self, number: FloatArray) -> FloatArray | None:
        again = self.table.with_items(np.round(number).astype(np.int64))
        if nothing_to_measure(again) or again.effects != self.table.effects:
            return None
        return fitted(again).variances


def icc_of(table: ScoreTable, form: IccForm) -> Icc:
    """The intraclass correlation of a table, by what its design allows."""
    if table.repeats is not None:
        return IccOfTable(table, form)
    found = IccWithGaps(table, form)
    if nothing_to_measure(found.table) or isinstance(found.components.criterion, EliminatedItems | ItemsAlone):
        return found
    return RefittedIcc(table, form)
