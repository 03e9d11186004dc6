"""The intraclass correlation as something measurable: what all designs have in common.

    ICC = σ²_item / (σ²_item + error)

What is error depends on the form. Of a table without gaps the variances come from mean squares, so that an ICC below
zero is one; with gaps, or with further facets, they come from restricted maximum likelihood, and end at zero.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Self

import numpy as np

from accord.annotations.arrays import FloatArray, add_up, divide
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.coefficients.measurable import Breakdown, Decomposition, Measurable, ModelInterval
from accord.coefficients.units import OneOfEach
from accord.scores import f_intervals
from accord.scores.components import Components
from accord.scores.icc_forms import IccForm, error_weights
from accord.scores.pair_icc import PairIccs
from accord.scores.score_table import (
    ANNOTATOR,
    EXACTLY,
    ITEM,
    ScoreTable,
    confounded_factors,
    in_words,
    nothing_to_measure,
)

if TYPE_CHECKING:
    from accord.annotations.tally import Tally
    from accord.study.study import Study

PERFECT = "Nobody differs from anybody on any item, so nothing shows how much others would."

NOTHING_LEFT_OVER = (
    "Items and annotators' severities explain every score and nothing is left over, so nothing shows how much others "
    "would differ."
)
SAME_MEANS_ALONE = "The mean scores of the items are all equal, so nothing shows how much those of others would differ."
SEVERITIES_ALONE = (
    "Only annotators' severities differ: items do not and nothing is left over, so there is no variance to divide "
    "without them."
)
SAME_MEANS = (
    "The mean scores of the items are all equal, so that the variance to be divided comes out at or below zero: the "
    "share of the items in it is unknown."
)
POLE = (
    "The mean scores of the items differ by less than the differences between annotators would make them by chance, so "
    "that the variance to be divided comes out at or below zero: the share of the items in it is unknown."
)


class Icc(Measurable):
    """An intraclass correlation of some form."""

    usual_method: Literal["model-based"] = "model-based"
    reads_runs = True

    def __init__(self, table: ScoreTable, form: IccForm) -> None:
        self.whole, self.form, self.of_what = table, form, form.name
        self.table = table.by_item_alone if form.error == "1" else table
        self._units = OneOfEach.of(table.answered)
        self.times: FloatArray | None = None  # (items,) how much of each item there is, where not one of each

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
            "No annotator scored two items, so that annotators' severities cannot be told from what is left over: "
            "consistency is unknown, absolute agreement is not."
        )

    def why_undefined(self) -> str | None:
        """One item, equal scores, no item with two of them; or a variance that is none."""
        if self._unmeasurable:
            return self._unmeasurable
        if abs(float(self._variances[self.place])) <= EXACTLY * float(np.abs(self._variances).sum()):
            return SEVERITIES_ALONE
        return SAME_MEANS if self._same_means else POLE

    @cached_property
    def _same_means(self) -> bool:
        """Are the mean scores of all items the same?"""
        return float(np.ptp(self._within(self.table.score)[1])) <= EXACTLY

    @cached_property
    def _nobody_differs(self) -> bool:
        """Has no item two scores that differ?"""
        return not float(np.nanmax(self._within(self.table.score)[2])) > EXACTLY

    # -- how sure -----------------------------------------------------------------------------------------------------

    def model_interval(self, confidence: float) -> ModelInterval:
        """By the model: exact where F is, of the likelihood else."""
        drawn: Literal["items", "both"] = "items" if self.form.error == "C" else "both"
        refusal = self._why_no_interval()
        if refusal:
            return ModelInterval(math.nan, math.nan, math.nan, drawn, refusal)
        error = self.components.share_error(self.weights)
        exact = f_intervals.of(self.components, self.whole, self.form, confidence)
        low, high = exact or self.components.share_interval(self.weights, confidence)
        return ModelInterval(low, high, error, drawn)

    def _why_no_interval(self) -> str | None:
        """Where a mean square is zero, a model knows nothing of how much it would differ on other items."""
        if math.isnan(float(self.parts.value)):
            return self.why_undefined()
        if not self.components.nothing_left_over:
            return None if self.components.items_differ else SAME_MEANS_ALONE
        return PERFECT if self._nobody_differs else NOTHING_LEFT_OVER

    def counted(self, number: FloatArray) -> Self:
        """Items have so many times the scores that they have."""
        found = self._afresh()
        found.times, found.parts = number, self.evaluate(number)
        return found

    # -- where from ---------------------------------------------------------------------------------------------------

    def _within(self, values: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(items,) how many values each has, their mean and their variance; NaN of a single one."""
        item, items = self.table.codes[ITEM], self.whole.levels[ITEM]
        number = np.bincount(item, minlength=items).astype(np.float64)
        mean = add_up(item, values, items) / number
        return number, mean, divide(add_up(item, (values - mean[item]) ** 2, items), number - 1)

    def decomposition(self) -> Decomposition:
        """Each item's spread as a share of all variance: 1 − s² / (σ²_item + error), scaled so that the mean is it."""
        values = self.table.score
        times = np.ones(self.whole.levels[ITEM]) if self.times is None else self.times
        if self.form.error == "C":
            person, much = self.table.codes[ANNOTATOR], times[self.table.codes[ITEM]]
            away = values - self._within(values)[1][self.table.codes[ITEM]]
            people = self.table.levels[ANNOTATOR]
            values = values - (add_up(person, much * away, people) / add_up(person, much, people))[person]
        number, _, spread = self._within(values)
        weight = times * (number - 1) / float(times @ (number - 1))
        mean = float(np.nansum(weight * spread))
        missing = 1 - float(self.parts.value)
        value = 1 - missing * spread / mean if mean > 0 else np.where(np.isnan(spread), np.nan, 1.0)
        return Decomposition(np.full(len(number), np.nan), value, weight)

    def unit_columns(self) -> dict[str, list[float]]:
        """The mean and the standard deviation of an item's scores."""
        _, mean, spread = self._within(self.table.score)
        unit = self.table.unit
        return {
            "mean": (mean * unit + self.table.mean).tolist(),
            "standard_deviation": (np.sqrt(spread) * unit).tolist(),
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
        found = list(confounded_factors(self.table)) if self.form.error != "1" else []
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
        with np.errstate(over="ignore"):  # of scores near the largest number there is
            variances = self._variances * self.table.unit * self.table.unit
        error = float(self.weights @ variances)
        own = float(variances[self.place])
        return [
            *("", "Step 1: what each part adds to the variance of a score"),
            *(f"  {name}: {variance:.6g}" for name, variance in zip(names, variances.tolist(), strict=True)),
            *("", f"Step 2: what of it is error in {self.form.in_words}"),
            f"  {' + '.join(self._terms(variances))} = {error:.6g}",
            *("", "Step 3: the share of the item", f"  {own:.6g} / ({own:.6g} + {error:.6g}) = {self._value:z.4f}"),
        ]

    def _terms(self, variances: FloatArray) -> list[str]:
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
        return self.components.divided
