"""Units that count by their weights where each is a kind of its own: documents, queries, items with scores.

Such a value is a differentiable function of sums over units, so the value of weighted units is its value with as many
of each as it weighs, and a unit moves it by its weight times what a weight of one does there.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray
from accord.coefficients.measurable import Measurable, Parts
from accord.errors import MeasureError, keyword

if TYPE_CHECKING:
    from accord.coefficients.units import Sampled, Units
    from accord.study.item_weights import ItemWeights


class Weighted(Measurable):
    """A value whose units count by their weights: so many of a kind count that many times its weight."""

    def __init__(self, inner: Measurable, weights: ItemWeights) -> None:
        self.inner, self.weights = inner, weights
        self.of_what, self.no_interval = inner.of_what, inner.no_interval

    @property
    @abstractmethod
    def weight(self) -> FloatArray:
        """(P,) what a unit of each kind weighs."""

    @property
    @abstractmethod
    def effective(self) -> float:
        """How many units that count alike would be as sure about a mean: (Σ w)² / Σ w²."""

    @property
    def unweighted(self) -> Measurable:
        """The value as it would be."""
        return self.inner

    @property
    def n_answers(self) -> int:
        """All answers on the units that count."""
        return self.inner.n_answers

    def evaluate(self, number: FloatArray | IntArray) -> Parts:
        """So many units of each kind, each with its weight."""
        return self.inner.evaluate(number * self.weight)

    def influence_on(self, number: FloatArray) -> FloatArray:
        """Of each resample, whose units may weigh more or less together than they are many."""
        weights = number * self.weight
        scale = number.sum(1, keepdims=True) / weights.sum(1, keepdims=True)
        return np.asarray(scale * self.weight * self.inner.influence_on(weights))

    def worth(self, units: Units) -> float:
        """Fewer than there are, where some weigh more than others."""
        return min(self.effective, units.number)

    def why_undefined(self) -> str | None:
        """Why there is no value."""
        return self.inner.why_undefined()

    def notes(self) -> tuple[str, ...]:
        """That units are weighted, and how many they are worth."""
        number = f"{self.sample.n_items:,} are worth {self.effective:,.1f} that count alike."
        return (f"Items are {self.weights.words}: {number}{self._left_out()}", *self.inner.notes())

    def _left_out(self) -> str:
        return ""


class WeightedUnits(Weighted):
    """A value whose units are all different, the mean weight being 1."""

    smooth = True
    dealt_anew = False

    @classmethod
    def of(cls, found: Measurable, weights: ItemWeights) -> WeightedUnits:
        """The same value of weighted units; refused where it is no function of sums over them, each by itself."""
        one_each = found.weighable and found.sample.locate is not None and bool((found.sample.items == 1).all())
        if not one_each or weights.codes is None:
            raise MeasureError(
                "This value is no function of sums over items that could each count more or less, so that it is not "
                "defined what weights of items would do to it. Leave ",
                keyword("item_weight"),
                " out.",
            )
        return cls(found, weights)

    @cached_property
    def weight(self) -> FloatArray:
        """(P,) what each unit weighs."""
        assert self.sample.locate is not None
        assert self.weights.codes is not None
        place = self.sample.locate()
        found = np.ones(len(self.sample))
        found[place[place >= 0]] = self.weights.values[self.weights.codes[place >= 0]]
        return found / found.mean() if len(found) else found

    # -- the waist ----------------------------------------------------------------------------------------------------

    @property
    def sample(self) -> Sampled:
        """The units that count, each once."""
        return self.inner.sample

    def influence(self) -> FloatArray:
        """A unit moves the value by its weight times what a weight of one would."""
        return np.asarray(self.weight * self.inner.influence_on(self.weight[None])[0])

    @property
    def effective(self) -> float:
        """From their weights, each once."""
        return float(self.weight.sum() ** 2 / (self.weight @ self.weight)) if len(self.weight) else 0.0

    def of_label(self, label: int) -> Measurable | None:
        """The same on one label alone."""
        alone = self.inner.of_label(label)
        return None if alone is None else WeightedUnits.of(alone, self.weights)

    # -- in words -----------------------------------------------------------------------------------------------------

    def size_in_words(self, annotators: int) -> str:
        """With what the weights do."""
        return f"{self.inner.size_in_words(annotators)} Items are {self.weights.words}, the mean weight being 1."

    def own_reading(self) -> str | None:
        """As without weights: its test knows of none."""
        return self.inner.own_reading()

    def observed_in_words(self) -> str | None:
        """Observed agreement, where it is not one share of matching pairs."""
        parts = self.parts
        if not np.isfinite(parts.observed):
            return self.inner.observed_in_words()
        return f"observed agreement of {float(parts.observed):z.3f} and expected of {float(parts.expected):z.3f}"
