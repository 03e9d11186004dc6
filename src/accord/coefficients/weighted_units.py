"""Units that count by their weights where each is a kind of its own: documents, queries, items with scores.

The value of weighted units is the value with as many of each as it weighs. Where it is a differentiable function of
sums over units, one of them moves it by its weight times what a weight of one does there; else units are left out.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.coefficients.measurable import Breakdown, Decomposition, Measurable, Parts
from accord.errors import MeasureError, keyword

if TYPE_CHECKING:
    from accord.annotations.tally import Tally
    from accord.coefficients.units import Sampled, Units
    from accord.study.item_weights import ItemWeights
    from accord.study.study import Study


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

    dealt_anew = False

    def __init__(self, inner: Measurable, weights: ItemWeights) -> None:
        super().__init__(inner, weights)
        self.smooth, self.resample_cost = inner.smooth, inner.resample_cost

    @classmethod
    def of(cls, found: Measurable, weights: ItemWeights) -> WeightedUnits:
        """The same value of weighted units; refused where it can only count whole ones, or not each by itself."""
        one_each = found.sample.locate is not None and bool((found.sample.items == 1).all())
        if found.whole_numbers or not one_each or weights.codes is None:
            raise MeasureError(
                "This value is of whole items, none of which could count more or less than another, so that it is not "
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

    @property
    def has_influence(self) -> bool:
        """Where it is known at any weights; else a formula for items that count alike says nothing of these."""
        return self.inner.influence_at_weights

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

    # -- where from ---------------------------------------------------------------------------------------------------

    @cached_property
    def _counted(self) -> Measurable:
        """With as much of each unit as it weighs."""
        found = self.inner.counted(self.weight)
        if found is None:
            raise MeasureError(
                "What weights of items do to this table of the measure is not known. Leave ",
                keyword("item_weight"),
                " out.",
            )
        return found

    @property
    def tables(self) -> tuple[str, ...]:
        """Those that it has without weights, if it knows what weights do to them."""
        known = self.inner.counted(self.weight) is not None
        return tuple(name for name in self.inner.tables if known or name == "by_pair")

    def decomposition(self) -> Decomposition:
        """What each unit contributes by its weight."""
        return self._counted.decomposition() if "by_item" in self.inner.tables else self.inner.decomposition()

    def by_annotator(self, study: Study) -> Breakdown:
        """Each annotator of the study with the others, on weighted units."""
        known = "by_annotator" in self.inner.tables
        return self._counted.by_annotator(study._weighed) if known else self.inner.by_annotator(study)

    def by_pair(self, named: Tally, pairs: AnnotatorPairs) -> Breakdown | None:
        """All pairs of annotators at once, where it is known what weights do to the table."""
        counted = self.inner.counted(self.weight)
        if counted is None or named.locate is None:
            return None
        weighed = self.weights.of(named)
        return counted.by_pair(weighed, AnnotatorPairs.of(weighed))  # the same pairs in the same order

    def unit_columns(self) -> dict[str, list[Any]]:
        """What `by_item` shows besides."""
        return {**self.inner.unit_columns(), "item_weight": self.weight.tolist()}

    def why_no_part(self, part: Literal["item", "pair"]) -> str | None:
        """As without weights."""
        return self.inner.why_no_part(part)

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
