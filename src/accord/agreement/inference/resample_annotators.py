"""Other annotators might have been asked: leave each out, or draw them again.

A copy of an annotator is never paired with itself, or resampling would invent agreement.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from accord.agreement.inference import resampling
from accord.agreement.inference.wald import interval_around, no_interval
from accord.agreement.result import Agreement, Interval
from accord.annotations.arrays import FloatArray, add_up, divide
from accord.annotations.tally import Tally
from accord.coefficients.alpha_levels import at_level
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.coefficients.chance import NoChance, Own, Uniform, WithoutReplacement
from accord.coefficients.coefficient import Coefficient, MeanOfPairs, Tabular, chance_corrected
from accord.coefficients.dipietro_hazari import Differential
from accord.coefficients.units import Units
from accord.errors import MeasureError, OptionError
from accord.options import reporter

if TYPE_CHECKING:
    from accord.agreement.inference.intervals import Request

FEWEST = 5  # annotators, below which drawing them again says nothing


def interval(result: Agreement, coefficient: Coefficient, units: Units, request: Request) -> Interval:
    """The interval over annotators, or over annotators and items."""
    if not result.study._annotations.named:
        raise MeasureError(
            f"Annotators cannot be resampled: a {result.study.shape} does not say who answered. Use resample='items'."
        )
    if request.method in ("jackknife", "analytic"):
        return _jackknife(result, coefficient, units, request)
    if request.method != "bootstrap":
        raise OptionError(
            f"Over annotators the methods are 'jackknife' (the default) and 'bootstrap'; got {request.method!r}."
        )
    return _bootstrap(result, coefficient, units, request)


def _jackknife(result: Agreement, coefficient: Coefficient, units: Units, request: Request) -> Interval:
    """Leave out each annotator; for both, add the items' variance, which is the analytic one."""
    from accord.agreement.inference.intervals import without_too_many

    people = result.study._present
    values = np.array([_without(result, person) for person in people])
    defined = values[np.isfinite(values)]
    undefined = len(values) - len(defined)
    request = replace(request, method="jackknife")
    if len(defined) < 2:
        why = "Leaving out an annotator leaves nothing to compare: three or more are needed."
        return replace(no_interval(why, request.confidence, request.method), resample=request.resample)
    number = len(people)
    variance = (number - 1) / number * float(((defined - defined.mean()) ** 2).sum())
    if request.resample == "both":
        variance += units.error(coefficient.influence()) ** 2
    found = interval_around(
        result.value, math.sqrt(variance), df=number - 1, confidence=request.confidence, method=request.method,
        ends=(-math.inf, 1.0), resample=request.resample,
    )  # fmt: skip
    return without_too_many(replace(found, undefined_resamples=undefined), undefined, number)


def _without(result: Agreement, person: int) -> float:
    study = result.study._where(result.study._annotations.rows[1] != person)
    if not study.tally().pairable.any():
        return math.nan
    return float(result.recipe(study).parts.value)


def _bootstrap(result: Agreement, coefficient: Coefficient, units: Units, request: Request) -> Interval:
    """Draw annotators with replacement; for both, draw items (or clusters) too."""
    from accord.agreement.inference.intervals import from_draws

    people = result.study._present
    if len(people) < FEWEST:
        raise OptionError(
            f"Drawing {len(people)} annotators again says little about others; at least {FEWEST} are needed. "
            "Use method='jackknife'."
        )
    generator, seed = resampling.seeded(request.rng)
    tell = reporter(request.progress, "resamples")
    copies = Copies(result, coefficient)
    values = np.empty(request.n_resamples)
    for draw in range(request.n_resamples):
        times = np.zeros(len(result.study.annotators))
        times[people] = generator.multinomial(len(people), np.full(len(people), 1 / len(people)))
        items = copies.items if request.resample == "annotators" else copies.other_items(generator, units)
        values[draw] = copies.value(times, items)
        tell(draw + 1, request.n_resamples)
    return from_draws(values, request.confidence, seed, request.method, request.resample)


class Copies:
    """A coefficient whose annotators, and items, come in any number of copies."""

    def __init__(self, result: Agreement, coefficient: Coefficient) -> None:
        self.coefficient = coefficient
        self.tally: Tally = coefficient.among(result.study.tally(named=True))
        self.items = self.tally.items.astype(np.float64)
        self._options = result.options

    @cached_property
    def meetings(self) -> AnnotatorPairs:
        """Where two annotators meet."""
        return AnnotatorPairs.of(self.tally)

    @cached_property
    def _alike(self) -> FloatArray:
        """(M,) how alike the two answers of each meeting are."""
        return self.coefficient.meeting(self.tally, self.meetings)

    def other_items(self, rng: np.random.Generator, units: Units) -> FloatArray:
        """Items drawn again, by item or by cluster."""
        if units.cluster is None:
            number = int(self.items.sum())
            return rng.multinomial(number, self.items / number).astype(np.float64)
        named = units.over(self.tally)
        drawn = rng.multinomial(named.number, np.full(named.number, 1 / named.number))
        return np.asarray(drawn @ named.matrix, dtype=np.float64)

    def value(self, times: FloatArray, items: FloatArray) -> float:
        """The coefficient with each annotator `times` over, on these items."""
        if isinstance(self.coefficient, MeanOfPairs):
            return self._mean_of_pairs(self.coefficient, times, items)
        assert self.tally.annotator is not None
        copies = times[self.tally.annotator] * self.tally.count
        answered = self.tally.per_pattern(copies)
        pairs = answered**2 - self.tally.per_pattern(copies**2)  # ordered, of different people
        if isinstance(self.coefficient, Tabular):
            return self._tabular(self.coefficient, times, copies, answered, pairs, items)
        if isinstance(self.coefficient, Differential):
            return self._differential(self.coefficient, times, copies, answered, pairs, items)
        return self._at_level(copies, answered, pairs, items)

    def _differential(
        self,
        coefficient: Differential,
        times: FloatArray,
        copies: FloatArray,
        answered: FloatArray,
        pairs: FloatArray,
        items: FloatArray,
    ) -> float:
        """Against suggestions: the pairs that copies make, and the shares of their answers."""
        assert self.tally.key is not None
        met = self.meetings
        items = items * coefficient.stands_for[self.tally.key]
        weight = 2 * times[met.first[met.pair]] * times[met.second[met.pair]] * self._alike
        pairable = items * (pairs > 0.5)
        agreed = np.nan_to_num(divide(add_up(met.pattern, weight, len(self.tally)), pairs))
        share = np.nan_to_num(divide(copies, answered[self.tally.pattern])) * items[self.tally.pattern]
        suggested = add_up(self.tally.key, items * (answered > 0), len(coefficient.labels))
        observed = divide(pairable @ agreed, pairable.sum())
        given = add_up(self.tally.answer, share, len(coefficient.labels))
        return float(chance_corrected(observed, coefficient.expected_of(given, suggested)))

    def _tabular(
        self,
        coefficient: Tabular,
        times: FloatArray,
        copies: FloatArray,
        answered: FloatArray,
        pairs: FloatArray,
        items: FloatArray,
    ) -> float:
        pairable = items * (pairs > 0.5)
        met = self.meetings
        weight = 2 * times[met.first[met.pair]] * times[met.second[met.pair]] * self._alike
        agreed = divide(add_up(met.pattern, weight, len(self.tally)), pairs)
        once = pairable * (answered if coefficient.each == "answer" else 1.0)
        observed = divide(once @ np.nan_to_num(agreed), once.sum())
        expected = self._expected(coefficient, times, copies, answered, pairable, items)
        return float(chance_corrected(observed, np.asarray(expected)))

    def _expected(
        self,
        coefficient: Tabular,
        times: FloatArray,
        copies: FloatArray,
        answered: FloatArray,
        pairable: FloatArray,
        items: FloatArray,
    ) -> float:
        weights, chance, tally = coefficient.chance_weights, coefficient.chance, self.tally
        if isinstance(chance, Own):
            return self._expected_own(coefficient, chance, times, items)
        if isinstance(chance, Uniform | NoChance):
            return float(chance.expected(np.empty(0), weights))
        if isinstance(chance, WithoutReplacement):
            given = copies * pairable[tally.pattern]
            numbers, squares = tally.per_answer(given), tally.per_answer(given * copies)
            alike = numbers @ weights.apply(numbers) - squares @ weights.diagonal
            return float(divide(alike, numbers.sum() ** 2 - squares.sum()))
        each = answered if getattr(chance, "each", "item") == "item" else np.ones(len(tally))
        share = np.nan_to_num(divide(copies, each[tally.pattern]))
        return float(chance.expected(tally.per_answer(share * items[tally.pattern]), weights))

    def _expected_own(self, coefficient: Tabular, chance: Own, times: FloatArray, items: FloatArray) -> float:
        """Mean over pairs of different people, each pair as often as its copies meet."""
        mixes, there = chance.mixes(chance.features(self.tally).total(items))
        present = times * there
        everyone = present @ mixes
        alone = present**2 @ (mixes * coefficient.chance_weights.apply(mixes)).sum(1)
        together = everyone @ coefficient.chance_weights.apply(everyone)
        return float(divide(together - alone, present.sum() ** 2 - present @ present))

    def _at_level(self, copies: FloatArray, answered: FloatArray, pairs: FloatArray, items: FloatArray) -> float:
        """Alpha from disagreement: a copy lies at no distance from itself, so only the numbers of pairs change."""
        there = (pairs > 0.5) & (items > 0)
        if not there.any():
            return math.nan
        tally = replace(self.tally, count=copies.astype(np.int64)).where(there).without_zeros()
        level = at_level(str(self._options["level"]), tally, self._options.get("period"))
        answered, pairs, items = answered[there], pairs[there], items[there]
        within = level.apart_within(items) * (answered - 1)
        observed = divide(items @ (answered * within / pairs), items @ answered)
        different = (items @ answered) ** 2 - items @ (answered**2 - pairs)
        return float(1 - divide(observed, divide(np.asarray(level.total_apart(items)), different)))

    def _mean_of_pairs(self, coefficient: MeanOfPairs, times: FloatArray, items: FloatArray) -> float:
        """The pairs' kappas on these items, each pair as often as its copies meet."""
        met = coefficient.meetings
        pairs, *_ = coefficient.by_pair(coefficient.features.total(items[self.tally.pairable]))
        weight = times[met.first] * times[met.second] * np.isfinite(pairs.value)
        return float(divide(weight @ np.nan_to_num(pairs.value), weight.sum()))
