"""Other annotators might have been asked: leave each out, or draw them again."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from accord.agreement.build import coefficient_of
from accord.agreement.inference.informative_items import SAME_EFFECT, error_and_information
from accord.agreement.inference.wald import interval_around, no_interval
from accord.agreement.result import Agreement
from accord.agreement.uncertainty import Interval
from accord.annotations.arrays import FloatArray, add_up, divide
from accord.annotations.tally import Located, Tally
from accord.coefficients.annotator_copies import AnnotatorCopies
from accord.coefficients.measurable import Measurable
from accord.coefficients.standard_errors import NO_ERROR, quantile
from accord.coefficients.units import Units, variance_of_sum
from accord.errors import MeasureError, OptionError, remedy
from accord.options import reporter, seeded

if TYPE_CHECKING:
    from accord.agreement.inference.intervals import Request

Part: TypeAlias = tuple[float, float]  # a variance and its degrees of freedom

FEWEST = 5  # annotators, below which drawing them again says nothing


def interval(result: Agreement, coefficient: Measurable, units: Units, request: Request) -> Interval:
    """The interval over annotators, or over annotators and items."""
    if not result.study._annotations.named:
        raise MeasureError(
            "Annotators cannot be resampled: a ",
            result.study.shape,
            " does not say who answered. Use ",
            remedy(resample="items"),
            ".",
        )
    if request.method in ("jackknife", "analytic"):
        return _jackknife(result, coefficient, units, request)
    if request.method != "bootstrap":
        raise OptionError.must("method", "be 'jackknife' (the default) or 'bootstrap' over annotators", request.method)
    return _bootstrap(result, coefficient, units, request)


def _jackknife(result: Agreement, coefficient: Measurable, units: Units, request: Request) -> Interval:
    """Leave out each annotator; for both, add the items' variance, less what the two have in common."""
    from accord.agreement.inference.intervals import without_too_many

    people = result.study._present
    patterns = _patterns(result, coefficient)
    spread = _SpreadByItems(units, patterns) if request.resample == "both" else None
    values = np.array(_values_without_each(result, patterns, spread, request))
    undefined = len(people) - len(values)
    request = replace(request, method="jackknife")
    if len(values) < 2:
        why = "Leaving out an annotator leaves nothing to compare: three or more are needed."
        return replace(no_interval(why, request.confidence, request.method), resample=request.resample)
    number = len(people)
    annotators = (number - 1) / number * float(((values - values.mean()) ** 2).sum())
    variance, df = annotators, number - 1.0
    whole = annotators
    if spread is not None:
        error, known = error_and_information(coefficient, units)
        items, items_df = error**2, known.student_df(divide(result.entry.high - result.value, error).item())
        shared = (number - 1) / number * spread.variance()
        whole = max(items + annotators - shared, items, annotators)
        variance, df = _widest(whole, (items, items_df), (annotators, df), request.confidence)
    if not variance > NO_ERROR**2:
        return replace(no_interval(SAME_EFFECT, request.confidence, request.method), resample=request.resample)
    found = interval_around(
        result.value, math.sqrt(variance), df=df, confidence=request.confidence, method=request.method,
        ends=(result.entry.low, result.entry.high), resample=request.resample,
    )  # fmt: skip
    found = replace(found, undefined_resamples=undefined, se=math.sqrt(whole))
    return without_too_many(found, undefined, number)


def _patterns(result: Agreement, coefficient: Measurable) -> Tally | None:
    """Who answered what, where the value rests on nothing else: annotators are then left out of its patterns."""
    annotations = result.study._annotations
    if not annotations.in_memory or not coefficient.knows_items:
        return None
    named = result.study._tally_of_people(named=True)
    return None if coefficient.of_tally(named) is None else named


def _values_without_each(
    result: Agreement, patterns: Tally | None, spread: _SpreadByItems | None, request: Request
) -> list[float]:
    """The values without one annotator that there are. Each is forgotten before the next: all would fill the memory."""
    people, values = result.study._present, []
    report = reporter(request.progress, "annotators")
    for done, person in enumerate(people, start=1):
        part = _without(result, person, patterns)
        if part is not None and math.isfinite(value := float(part.parts.value)):
            values.append(value)
            if spread is not None:
                spread.add(part)
        report(done, len(people))
    return values


class _SpreadByItems:
    """By how much the values without one annotator would differ from each other through the choice of items alone.

    Leave out an annotator, and what is left differs from what others leave because annotators differ, and because each
    has answers of their own to these items. The second part, the interaction, is in the items' variance already: it is
    the variance over items of the differences between these values, from how far each item moves each of them. (In the
    analysis of variance of two crossed factors: V = V_items + V_annotators − V_interaction.) 0 where single items are
    not known, which leaves the interval too wide.
    """

    def __init__(self, units: Units, patterns: Tally | None) -> None:
        self.units, self.patterns = units, patterns
        self.known, self.values = True, 0
        self.total = self.squares = np.zeros(1)

    def add(self, part: Measurable) -> None:
        """One more value, without somebody."""
        scores = _by_unit(part, self.units, self.patterns) if self.known else None
        if scores is None:
            self.known = False
            return
        self.values += 1
        self.total, self.squares = self.total + scores, self.squares + scores**2

    def variance(self) -> float:
        """Of all that were added."""
        if not self.known:
            return 0.0
        spread = self.squares - np.square(self.total) / self.values
        if self.patterns is not None and self.units.cluster is None:
            spread = spread * self.patterns.units
        return variance_of_sum(float(spread.sum()), self.units.number)


def _by_unit(coefficient: Measurable, units: Units, patterns: Tally | None) -> FloatArray | None:
    """How far each item moves a value (each pattern of them where they have patterns in common), or each cluster of
    items; None where that is not known one by one.
    """
    if not coefficient.knows_items or coefficient.sample.locate is None or units.crossed is not None:
        return None
    place = coefficient.sample.locate()
    scores = np.append(coefficient.influences / coefficient.sample.n_items, 0.0)[
        place
    ]  # −1: what counts not moves nothing
    if units.cluster is None:
        return scores
    if patterns is not None:
        assert patterns.locate is not None
        scores = np.append(scores, 0.0)[patterns.locate()]
    known = int(units.cluster.max(initial=-1)) + 1
    alone = known + np.arange(len(scores))  # an item of no cluster is one by itself
    return add_up(np.where(units.cluster >= 0, units.cluster, alone), scores, 0)


def _widest(whole: float, items: Part, annotators: Part, confidence: float) -> Part:
    """The variance and degrees of freedom of both together (Satterthwaite), or of one of them if that is wider."""
    unit = (
        max(whole, items[0], annotators[0]) or 1.0
    )  # degrees of freedom have none, and no square of a huge one is a number
    uncertain = sum((variance / unit) ** 2 / df for variance, df in (items, annotators))
    together = (whole / unit) ** 2 / uncertain if uncertain > 0 else annotators[1]
    both = (whole, min(max(together, annotators[1]), max(items[1], annotators[1])))
    return max(both, items, annotators, key=lambda part: quantile(confidence, part[1]) * math.sqrt(part[0]))


def _without(result: Agreement, person: int, patterns: Tally | None) -> Measurable | None:
    if patterns is not None:
        left = patterns.without(np.arange(len(patterns.annotators)) == person)
        left = replace(left, locate=Located(np.arange(len(left)))).where(left.answered > 0)
        assert result.coefficient is not None
        return result.coefficient.of_tally(left) if left.pairable.any() else None
    study = result.study._where(result.study._annotations.rows[1] != person)
    return coefficient_of(result.recipe, study) if study._tally_of_people().pairable.any() else None


def _bootstrap(result: Agreement, coefficient: Measurable, units: Units, request: Request) -> Interval:
    """Draw annotators with replacement; for both, draw items (or clusters) too."""
    from accord.agreement.inference.intervals import from_resamples

    people = result.study._present
    if len(people) < FEWEST:
        raise OptionError(
            f"Drawing {len(people)} annotators again says little about others; at least {FEWEST} are needed. Use ",
            remedy(method="jackknife"),
            ".",
        )
    generator, seed = seeded(request.rng)
    report = reporter(request.progress, "resamples")
    copies = AnnotatorCopies(coefficient, result.study._tally_of_people(named=True))
    values = np.empty(request.n_resamples)
    for draw in range(request.n_resamples):
        times = np.zeros(len(result.study.annotators))
        times[people] = generator.multinomial(len(people), np.full(len(people), 1 / len(people)))
        items = copies.items if request.resample == "annotators" else copies.other_items(generator, units)
        values[draw] = coefficient.with_copies(copies, times, items)
        report(draw + 1, request.n_resamples)
    return from_resamples(values, request.confidence, seed, request.method, request.resample)
