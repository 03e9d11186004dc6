"""Items that count by their weights: the inverse of the chance that each had of being chosen.

A coefficient is the value under any weights of its units, so it needs no formula of its own for this. Its tally tells
items of different weight apart and counts each by its weight (`Tally.weight`); here units are turned into weights and
back: `number` units of a kind that weighs w count `number · w`, and a unit moves the value w times as far as a weight
of one does. The standard error that follows is the linearised one of a ratio estimated from a sample with unequal
chances: n/(n − 1) · Σ (wᵢ zᵢ)² / (Σ wᵢ)², with zᵢ the influence at these weights.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from accord.annotations.arrays import FloatArray
from accord.annotations.tally import RareAnswers, Tally
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.coefficients.measurable import Breakdown, Decomposition, Measurable, Parts
from accord.coefficients.units import Sampled
from accord.coefficients.weighted_units import Weighted, WeightedUnits
from accord.errors import MeasureError, OptionError, collected, counted, keyword, remedy
from accord.study.item_weights import ItemWeights

if TYPE_CHECKING:
    from accord.coefficients.annotator_copies import AnnotatorCopies
    from accord.study.study import Study


class WeightedItems(Weighted):
    """What rests on a tally whose items count by their weights; its units are the items, as many as there are."""

    def __init__(self, inner: Measurable, weights: ItemWeights) -> None:
        super().__init__(inner, weights)
        self.smooth = inner.smooth

    @classmethod
    def of(cls, found: Measurable, weights: ItemWeights) -> WeightedItems | WeightedUnits:
        """The same coefficient of weighted items; refused where it cannot be right."""
        if not found.knows_items:
            raise _stays(weights)
        if found.sample.weight is None:
            return WeightedUnits.of(found, weights)
        if found.design is not None and found.design.by_label:
            raise MeasureError(
                "The sample was drawn label by label, and its design says already what each item stands for. Leave ",
                keyword("item_weight"),
                " out.",
            )
        return cls(found, weights)

    # -- the waist ----------------------------------------------------------------------------------------------------

    @cached_property
    def sample(self) -> Sampled:
        """The items that count, each once."""
        return self.inner.sample.each_once()

    @property
    def weight(self) -> FloatArray:
        """(P,) what an item of each pattern weighs."""
        found = self.inner.sample.weight
        assert found is not None
        return found

    @property
    def n_compared(self) -> int:
        """The items with two answers or more."""
        return self.inner.n_compared

    @property
    def maximum(self) -> float:
        """As of the weighted items."""
        return self.inner.maximum

    @cached_property
    def parts(self) -> Parts:
        """The study's own."""
        return self.inner.parts

    @property
    def usual_method(self) -> Literal["analytic", "bootstrap", "model-based"]:
        """As without weights."""
        return self.inner.usual_method

    @property
    def has_influence(self) -> bool:
        """As without weights."""
        return self.inner.has_influence

    def thin(self) -> str | None:
        """As of the items, each once."""
        return self.inner.thin()

    def rare_answers(self) -> RareAnswers | None:
        """As of the items, each once."""
        return self.inner.rare_answers()

    def influence(self) -> FloatArray:
        """An item moves the value by its weight times what a weight of one would."""
        return self.weight * self.inner.influence()

    def leave_one_out(self) -> FloatArray:
        """Without one item and its weight."""
        return self.inner.leave_one_out()

    def published_scores(self) -> FloatArray:
        """Gwet's form is for items that count alike."""
        raise OptionError(
            "Gwet's published error is for items that count alike; with weights of items use ",
            remedy(method="analytic"),
            ".",
        )

    def with_copies(self, copies: AnnotatorCopies, times: FloatArray, items: FloatArray) -> float:
        """With each annotator `times` over, on items that weigh so much."""
        return self.inner.with_copies(copies, times, items)

    # -- where from ---------------------------------------------------------------------------------------------------

    @property
    def tables(self) -> tuple[str, ...]:
        """As without weights."""
        return self.inner.tables

    def among(self, named: Tally) -> Tally:
        """The items that count, by their weights."""
        return self.inner.among(self.weights.of(named))

    def pair_agreement(self, named: Tally, pairs: AnnotatorPairs) -> FloatArray:
        """(M,) how alike the two answers of each pair on an item are."""
        return self.inner.pair_agreement(named, pairs)

    def decomposition(self) -> Decomposition:
        """What an item adds is its weight times what a weight of one would."""
        parts = self.inner.decomposition()
        return replace(parts, weight=parts.weight * self.weight)

    def of_label(self, label: int) -> Measurable | None:
        """The same on one label alone."""
        alone = self.inner.of_label(label)
        return None if alone is None else WeightedItems.of(alone, self.weights)

    def unit_columns(self) -> dict[str, list[Any]]:
        """What `by_item` shows besides."""
        return {**self.inner.unit_columns(), "item_weight": self.weight.tolist()}

    def by_annotator(self, study: Study) -> Breakdown:
        """Each annotator of the study with the others, on weighted items."""
        if study._annotations.crowd(anyway=self.inner.rests_on_engine) is not None:
            raise _stays(self.weights)
        return self.inner.by_annotator(study._weighed)

    def by_pair(self, named: Tally, pairs: AnnotatorPairs) -> Breakdown | None:
        """All pairs of annotators at once, on weighted items."""
        if named.locate is None and named.crossed is None:
            raise _stays(self.weights)
        weighed = self.weights.of(named)
        return self.inner.by_pair(weighed, AnnotatorPairs.of(weighed))  # the same pairs in the same order

    # -- in words -----------------------------------------------------------------------------------------------------

    @property
    def effective(self) -> float:
        """From the weights of patterns."""
        return self.weights.effective(self.inner.sample.items, self.weight)

    def size_in_words(self, annotators: int) -> str:
        """With what the weights do."""
        return (
            f"{self.inner.size_in_words(annotators)} Items are {self.weights.words}: below, every item counts by its "
            "weight, the mean weight of those with two answers or more being 1."
        )

    def steps(self, undefined: str | None) -> list[str]:
        """The calculation with weighted items."""
        return self.inner.steps(undefined)

    def observed_in_words(self) -> str | None:
        """Observed agreement, where it is not one share of matching pairs."""
        return self.inner.observed_in_words()

    def _left_out(self) -> str:
        left = self.weights.left_out
        return f" {counted(left, 'items')} with a single answer and no weight left out." if left else ""


def _stays(weights: ItemWeights) -> MeasureError:
    """What cannot be weighed in an engine."""
    return MeasureError(
        f"Items are {weights.words}, and these weights would have to meet everybody's own answers, which stay in the "
        "engine. Collect the frame, or ask for what does not need to know who answered.",
        remedies=[collected()],
    )
