"""The intraclass correlation with gaps: the likeliest variances, and how far each item moves them."""

from __future__ import annotations

import math
from abc import abstractmethod
from functools import cached_property

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray
from accord.coefficients.formula import centred
from accord.coefficients.measurable import Parts
from accord.errors import OptionError, counted, remedy
from accord.scores.components import fitted, share, share_slopes
from accord.scores.eliminated_items import ItemModel
from accord.scores.icc import NOTHING_LEFT_OVER, Icc
from accord.scores.restricted_likelihood import curvature, maximise, n_searches, refined
from accord.scores.score_table import nothing_to_measure

MOST_REFITTED = 20_000  # items up to which each may be left out and the rest fitted anew
STEP = 1e-5
SEARCH = 6_000  # scores that are read, 0.2 µs each, in the time that a search takes for each variance
PER_SCORE = 8  # of the number of equations cubed, what is computed in the time that reading a score takes


class FittedIcc(Icc):
    """With gaps: the likeliest variances."""

    resample_cost = "a fit of all variances"

    @property
    def shuffle_work(self) -> int:
        """The scores, the steps of the searches for the variances, and the equations that these steps solve."""
        criterion = self.components.criterion
        searches = n_searches(criterion, criterion.size)
        return self.n_answers + SEARCH * criterion.size * searches + criterion.equations**3 // PER_SCORE

    @property
    def no_interval(self) -> str | None:  # type: ignore[override]
        """Where there are as many unknowns as scores, and nothing is left over.

        Any scores may be explained like that, so that neither others nor shuffled ones show how sure the value is.
        """
        if self._unmeasurable or not self.components.nothing_left_over:
            return None
        return NOTHING_LEFT_OVER if self.components.criterion.explains_any else None

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

    @cached_property
    def model(self) -> ItemModel:
        """The likelihood of the items."""
        found = self.components.criterion.by_item
        assert found is not None
        return found

    def _fitted_on(self, number: FloatArray) -> FloatArray | None:
        model = self.model.of_items(number)
        return None if model is None else self._variances_on(model)

    def _variances_on(self, model: ItemModel) -> FloatArray:
        """The likeliest variances of other numbers of items, which lie near the study's own."""
        own = np.maximum(self.components.variances, 1e-6)
        if self.components.at_zero or self.components.nothing_left_over:
            return maximise(model, own).variances
        many = (model.n_scores - 1) / (len(self.table) - 1)
        return refined(model, own, many * self._curve).variances

    @cached_property
    def _curve(self) -> FloatArray:
        """How curved the study's own likelihood is at its most."""
        variances = self.components.variances
        return curvature(self.model, variances, np.arange(len(variances)))

    def influence(self) -> FloatArray:
        """How far each item moves the likeliest variances, by how it moves the slope of the likelihood."""
        if self._unmeasurable:
            return np.zeros(self.sample.n_items)
        found = self._moved(self.model, self.components.variances)
        return centred(self.sample.n_items * found, self.sample.items)

    def influence_on(self, number: FloatArray) -> FloatArray:
        """The same for each resample."""
        return self.value_and_influence_on(number)[1]

    def value_and_influence_on(self, number: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Both from one fit of each resample."""
        value, found = np.full(len(number), np.nan), np.full(number.shape, np.nan)
        for place, row in enumerate(number):
            model = None if self._unmeasurable else self.model.of_items(row)
            if model is not None:
                variances = self._variances_on(model)
                value[place] = share(variances, self.weights, self.place)
                found[place] = centred(row.sum() * self._moved(model, variances), row)
        return value, found

    def _moved(self, model: ItemModel, variances: FloatArray) -> FloatArray:
        """(items,) the derivative of the value by how often each item counts; nothing moves scores without an error."""
        if not variances[-1] > 0:
            return np.zeros(self.sample.n_items)
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

    whole_numbers = True

    def _fitted_on(self, number: FloatArray) -> FloatArray | None:
        again = self.table.with_items(np.round(number).astype(np.int64))
        if nothing_to_measure(again) or again.effects != self.table.effects:
            return None
        return fitted(again).variances
