"""The waist: whatever can be measured, and all that intervals, tests, groups, comparison and reports know of it.

What is measured may be a kappa, a span F1, an ICC, a strength in a tournament. What is asked of it is always the same:
how sure, for which group, against which other, where does it come from. So a measurable gives *the value under any
weights of its units* (`evaluate`) and, where it has one, *how much each unit moves it* (`influence`). Units are what
was sampled: items, documents, queries. From the first come bootstrap, jackknife, permutation and groups; from the
second analytic errors, clusters and paired comparison. What must be computed anew on every resample (an optimisation, a
sampler) gives the first only and says what that costs (`resample_cost`).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray
from accord.coefficients.formula import centred
from accord.coefficients.redrawn import moves_when_drawn_again
from accord.coefficients.standard_errors import NO_ERROR, of_both_tails
from accord.errors import MeasureError, OptionError, in_python, one_of, remedy

if TYPE_CHECKING:
    from accord.annotations.tally import RareAnswers, Tally
    from accord.coefficients.annotator_copies import AnnotatorCopies
    from accord.coefficients.annotator_pairs import AnnotatorPairs
    from accord.coefficients.coefficient import Coefficient
    from accord.coefficients.dipietro_hazari import Differential
    from accord.coefficients.pair_sum import PairSum
    from accord.coefficients.units import Sampled, Units
    from accord.study.study import Study
    from accord.study.suggested_labels import Design

CELLS_AT_ONCE = 2_000_000  # numbers of units held at a time while units are left out


@dataclass(frozen=True)
class Parts:
    """Observed and expected agreement and the value, for one study or for each resample; NaN for what it has not."""

    observed: FloatArray
    expected: FloatArray
    value: FloatArray

    def slope(self, by_observed: FloatArray | float, by_expected: FloatArray | float) -> FloatArray:
        """The derivative of the value, from those of its parts: [dₒ − (1 − value) dₑ] / (1 − expected)."""
        return (by_observed - (1 - self.value) * by_expected) / (1 - self.expected)

    @classmethod
    def of_value(cls, value: FloatArray) -> Parts:
        """Of what is not made of observed and expected agreement."""
        nothing = np.full(np.shape(value), np.nan)
        return cls(nothing, nothing, np.asarray(value))


@dataclass(frozen=True)
class Decomposition:
    """What each kind of unit contributes: Σ number · weight · value is the value of all."""

    observed: FloatArray  # (P,) NaN for an item with a single answer
    value: FloatArray
    weight: FloatArray


@dataclass(frozen=True)
class Breakdown:
    """A row per annotator, or per pair of annotators: the parts, and the standard error of the value."""

    observed: FloatArray
    expected: FloatArray
    value: FloatArray
    error: FloatArray

    @classmethod
    def nothing(cls, size: int) -> Breakdown:
        """Rows without a value."""
        return cls(*(np.full(size, np.nan) for _ in range(4)))


@dataclass(frozen=True)
class Within:
    """How sure the value of a single unit is, from what differs inside it."""

    error: float
    number: int  # of parts that stand for a sample


@dataclass(frozen=True)
class ModelInterval:
    """What a measure's own model says of how sure its value is."""

    low: float
    high: float
    error: float
    drawn: Literal["items", "both"]  # what might have been otherwise: items, or annotators as well
    undefined: str | None = None


@dataclass(frozen=True)
class OwnTest:
    """What a measure's own test against chance found: how often chance gives as much, and as little."""

    greater: float
    less: float = math.nan  # NaN where the test only asks for more
    statistic: float = math.nan
    df: float | None = None
    note: str | None = None
    undefined: str | None = None

    @classmethod
    def of_null_values(cls, value: float, by_chance: FloatArray) -> OwnTest:
        """From values that chance gave, as many as were simulated; one that is undefined counts against us."""
        more, less = np.sum(~(by_chance < value - 1e-12)), np.sum(~(by_chance > value + 1e-12))
        many = len(by_chance) + 1
        return cls(float(1 + more) / many, float(1 + less) / many, value)

    @classmethod
    def undefined_because(cls, why: str) -> OwnTest:
        """There is none."""
        return cls(math.nan, undefined=why)

    def p(self, alternative: str) -> float:
        """The p-value; of a test that only asks for more, one-sided is what there is."""
        if math.isnan(self.less):
            return self.greater if alternative != "less" else 1 - self.greater
        return of_both_tails(self.greater, self.less, alternative)


class Measurable(ABC):
    """A value of a study that can be asked about other units than those the study has."""

    design: Design | None = None  # how the units were drawn from a whole, where that is known
    no_interval: str | None = None  # why it cannot be known how sure the value is, where that is so
    resample_cost: str | None = None  # what each resample takes, where the value must be computed anew
    whole_numbers: bool = False  # can `evaluate` count units by whole numbers only, and by no weights?
    smooth: bool = False  # is it a differentiable function of sums, so that resamples come with their derivatives?
    of_what: str | None = None  # what is compared, where that is not the answers themselves: "of ranks"
    dealt_anew: bool = True  # can answers be dealt out anew over items? Marks belong to the text they are marked in
    reads_runs: bool = False  # does it read each answer that somebody gave again? Others mix them into one
    own_tests: tuple[str, ...] = ()  # tests against chance that it brings along
    knows_items: bool = True  # can it say what each item adds? In an engine it may know its error only

    @property
    def influence_at_weights(self) -> bool:
        """Does `influence_on` tell how far each unit moves the value where some count more than others?"""
        return self.smooth

    @property
    def rests_on_engine(self) -> bool:
        """Does it need what only an engine knows, however small the study?"""
        return False

    @property
    @abstractmethod
    def sample(self) -> Sampled:
        """The units that count, by kind: units of one kind are interchangeable."""

    @abstractmethod
    def evaluate(self, number: FloatArray | IntArray) -> Parts:
        """The parts for other numbers of units of each kind: (P,), or (B, P) for resamples."""

    @property
    @abstractmethod
    def n_answers(self) -> int:
        """The answers that the value rests on."""

    @property
    def shuffle_work(self) -> int:
        """As how many answers are read in the time that it takes to compute it anew of answers dealt out anew."""
        return self.n_answers

    @property
    def n_compared(self) -> int:
        """The units that can agree at all."""
        return self.sample.n_items

    @property
    def maximum(self) -> float:
        """The value that perfect agreement would have with these answers: 1, or less; NaN where nobody knows."""
        return 1.0

    @cached_property
    def parts(self) -> Parts:
        """The parts for the study itself."""
        return self.evaluate(self.sample.items)

    # -- what more it is ----------------------------------------------------------------------------------------------

    @property
    def unweighted(self) -> Measurable:
        """What is measured, apart from weights of items: itself where these count alike."""
        return self

    def on_patterns(self) -> Coefficient | None:
        """Itself, where it rests on a tally of items that count alike: answers can then be looked at by pattern."""
        return None

    def on_suggestions(self) -> Differential | None:
        """What judges suggested labels in it, where it does."""
        return None

    def counted(self, number: FloatArray) -> Measurable | None:
        """Itself with so much of each unit, for its tables by item and annotator; None where it has none of these."""
        return None

    def _afresh(self) -> Self:
        """A copy that has to work out anew what it knew."""
        found = copy(self)
        for name in list(vars(found)):
            if isinstance(getattr(type(self), name, None), cached_property):
                del vars(found)[name]
        return found

    # -- how sure -----------------------------------------------------------------------------------------------------

    @property
    def usual_method(self) -> Literal["analytic", "bootstrap", "model-based"]:
        """How an interval is made unless somebody asks for another."""
        return "analytic" if self.has_influence else "bootstrap"

    @property
    def has_influence(self) -> bool:
        """Is it known by a formula how much each unit moves the value?"""
        return type(self).influence is not Measurable.influence

    def influence(self) -> FloatArray:
        """(P,) how far one unit of each kind moves the value, times the number of units; mean zero."""
        costs = f" Each resample takes {self.resample_cost}." if self.resample_cost else ""
        raise OptionError(
            "How far an item moves this value is not known by a formula; ",
            remedy(method=one_of("jackknife", "bootstrap")),
            f" computes it anew.{costs}",
        )

    @cached_property
    def influences(self) -> FloatArray:
        """(P,) the same worked out once for all, by the formula or else by `error_method`; not to be written."""
        found = self.influence() if self.has_influence else self._without_formula()
        found.flags.writeable = False
        return found

    @property
    def error_method(self) -> Literal["analytic", "jackknife", "bootstrap"]:
        """The method that has the standard error: the formula, else leaving units out, else drawing them again."""
        if self.has_influence or not self.knows_items:
            return "analytic"
        return "jackknife" if self._by_drawing_again is None else "bootstrap"

    @cached_property
    def _values_without(self) -> FloatArray:
        return self.leave_one_out()

    @cached_property
    def _by_drawing_again(self) -> FloatArray | None:
        """(P,) the influences where leaving one unit out moves nothing and drawing units again does; None otherwise."""
        left = self._values_without[self.sample.items > 0]
        if len(left) < 2 or not np.isfinite(left).all() or np.ptp(left) > NO_ERROR:
            return None
        return moves_when_drawn_again(self)

    def _without_formula(self) -> FloatArray:
        """(P,) how far one unit of each kind moves the value, times the number of units, where no formula tells."""
        if self._by_drawing_again is not None:
            return self._by_drawing_again
        number = self.sample.items.astype(np.float64)
        moved = (number.sum() - 1) * (self.parts.value - self._values_without)
        return centred(np.where(np.isfinite(moved), moved, 0.0), number)  # without it there may be no value

    def model_interval(self, confidence: float) -> ModelInterval:
        """By the model behind the measure, where it is the estimate of one."""
        raise OptionError(
            "This measure is no estimate of a model that could tell how sure it is; use ",
            remedy(method=self.usual_method),
            ".",
        )

    def influence_on(self, number: FloatArray) -> FloatArray:
        """(B, P) the same for each of some resamples; only of what is smooth."""
        raise NotImplementedError("not a differentiable function of sums")

    def value_and_influence_on(self, number: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(B,) the value on each resample, and (B, P) the influences there; NaN where there is no value."""
        value = self.evaluate(number).value
        found = np.full(number.shape, np.nan)
        present = np.isfinite(value)
        if present.any():
            found[present] = self.influence_on(number[present])
        return value, found

    def thin(self) -> str | None:
        """Why too few items stand behind its parts for an interval, where it is made of parts; else None."""
        return None

    def worth(self, units: Units) -> float:
        """How many units that count alike these are worth."""
        return units.number

    def rare_answers(self) -> RareAnswers | None:
        """What there is besides the commonest answer, where the value hangs on few such items; else None."""
        return None

    def error(self, units: Units) -> float:
        """The standard error over items, or clusters of them."""
        return units.error(self.influences)

    def within(self) -> Within | None:
        """The error of the value of a single unit, where its parts can stand for a sample; else None."""
        return None

    @property
    def usual_test(self) -> str:
        """Which of its own tests is made unless somebody asks for another."""
        return self.own_tests[0]

    def own_test(self, method: str, shuffles: int, rng: np.random.Generator) -> OwnTest:
        """A test against chance by one of its own methods; `shuffles` and `rng` where it draws."""
        raise NotImplementedError("no test of its own")

    def leave_one_out(self) -> FloatArray:
        """(P,) the value without one unit of each kind."""
        number, one = self.sample.items.astype(np.float64), self.sample.weight
        values = np.empty(len(number))
        step = max(1, CELLS_AT_ONCE // max(len(number), 1))
        for first in range(0, len(number), step):
            last = min(first + step, len(number))
            rows = np.tile(number, (last - first, 1))
            rows[np.arange(last - first), np.arange(first, last)] -= 1 if one is None else one[first:last]
            values[first:last] = self.evaluate(rows).value
        return values

    def published_scores(self) -> FloatArray:
        """(P,) deviations whose variance is Gwet's published one; here there is none."""
        without = "jackknife" if self.usual_method == "bootstrap" else self.usual_method  # which a test has too
        way = "analytic" if self.has_influence else without
        raise OptionError("Gwet's published error is not defined for this coefficient; use ", remedy(method=way), ".")

    def design_error(self) -> float:
        """The standard error that follows from the design, where one is known."""
        raise NotImplementedError

    def of_tally(self, tally: Tally) -> Measurable | None:
        """The same of other answers on the same scale; None where it rests on more than who answered what."""
        return None

    def with_copies(self, copies: AnnotatorCopies, times: FloatArray, items: FloatArray) -> float:
        """The value with each annotator `times` over, on these items."""
        raise OptionError(
            "Annotators cannot be drawn again for this measure; ", remedy(method="jackknife"), " leaves each out."
        )

    # -- where from ---------------------------------------------------------------------------------------------------

    @property
    def tables(self) -> tuple[str, ...]:
        """Which tables show where its value comes from; every pair of annotators can be a study of its own."""
        kind = type(self)
        known = {
            "by_item": kind.decomposition is not Measurable.decomposition,
            "by_annotator": kind.by_annotator is not Measurable.by_annotator,
            "by_pair": True,
        }
        return tuple(name for name, there in known.items() if there)

    def among(self, named: Tally) -> Tally:
        """The part of a tally of who said what that counts here: all of it."""
        return named

    def pair_agreement(self, named: Tally, pairs: AnnotatorPairs) -> FloatArray:
        """(M,) how alike the two answers of each pair on an item are; `named` is what `among` gave."""
        raise MeasureError("This measure does not compare answers two by two, so it has no such table.")

    def pair_sum(self, named: Tally | None) -> PairSum | None:
        """Observed agreement as a sum over pairs of answers, where it is one; `named` tells who answered."""
        return None

    def decomposition(self) -> Decomposition:
        """The value as a weighted mean over units."""
        raise MeasureError(
            "This value is not a mean over items; ",
            in_python("by_group() shows", "groups show"),
            " where it differs.",
            available=("by_group",),
        )

    def of_label(self, label: int) -> Measurable | None:
        """The same on one label alone, where that is more than whether an answer holds it."""
        return None

    def label_columns(self) -> dict[str, list[Any]]:
        """What `by_label` shows besides, one cell per label, of a measure that knows each label by itself."""
        return {}

    def unit_columns(self) -> dict[str, list[Any]]:
        """What `by_item` shows besides, one cell per kind of unit."""
        return {}

    def by_annotator(self, study: Study) -> Breakdown:
        """Each annotator of the study with the others."""
        raise MeasureError(
            "This value does not come apart by annotator; ",
            in_python("by_pair() measures every two of them", "every two of them have a value"),
            ".",
            available=("by_pair",),
        )

    def by_pair(self, named: Tally, pairs: AnnotatorPairs) -> Breakdown | None:
        """All pairs of annotators at once, on the items both answered; None where each must be a study of its own."""
        return None

    # -- in words -----------------------------------------------------------------------------------------------------

    def size_in_words(self, annotators: int) -> str:
        """What the value rests on."""
        return f"{self.sample.n_items:,} items, {annotators:,} annotators, {self.n_answers:,} answers."

    def steps(self, undefined: str | None) -> list[str]:
        """The calculation step by step, with the study's own numbers; `undefined` says why there is no value."""
        return ["", f"  there is none: {undefined}" if undefined else f"  the value is {float(self.parts.value):z.4f}"]

    def own_reading(self) -> str | None:
        """What the value says, where neither a scale nor a target of agreement fits it; None where they do."""
        return None

    def observed_in_words(self) -> str | None:
        """Observed agreement as a report would give it, where it is not one share of matching pairs."""
        return None

    def why_undefined(self) -> str | None:
        """Why there is no value, where this measure has reasons of its own."""
        return None

    def why_no_part(self, part: Literal["item", "pair"]) -> str | None:
        """Why a unit or a pair of annotators has no value, where this measure has reasons of its own."""
        return None

    def notes(self) -> tuple[str, ...]:
        """What a reader of the value should know of how it was made."""
        return ()
