"""Other annotators might have been asked: leave each out, or draw them again."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from accord.agreement.inference import resampling
from accord.agreement.inference.wald import interval_around, no_interval
from accord.agreement.result import Agreement, Interval
from accord.coefficients.annotator_copies import AnnotatorCopies
from accord.coefficients.measurable import Measurable
from accord.coefficients.units import Units
from accord.errors import MeasureError, OptionError, remedy
from accord.options import reporter

if TYPE_CHECKING:
    from accord.agreement.inference.intervals import Request

FEWEST = 5  # annotators, below which drawing them again says nothing


def interval(result: Agreement, coefficient: Measurable, units: Units, request: Request) -> Interval:
    """The interval over annotators, or over annotators and items."""
    if not result.study._annotations.named:
        raise MeasureError(
            f"Annotators cannot be resampled: a {result.study.shape} does not say who answered. Use ",
            remedy(resample="items"),
            ".",
        )
    if request.method in ("jackknife", "analytic"):
        return _jackknife(result, coefficient, units, request)
    if request.method != "bootstrap":
        raise OptionError.must("method", "be 'jackknife' (the default) or 'bootstrap' over annotators", request.method)
    return _bootstrap(result, coefficient, units, request)


def _jackknife(result: Agreement, coefficient: Measurable, units: Units, request: Request) -> Interval:
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
        variance += coefficient.error(units) ** 2
    found = interval_around(
        result.value, math.sqrt(variance), df=number - 1, confidence=request.confidence, method=request.method,
        ends=(-math.inf, 1.0), resample=request.resample,
    )  # fmt: skip
    return without_too_many(replace(found, undefined_resamples=undefined), undefined, number)


def _without(result: Agreement, person: int) -> float:
    study = result.study._where(result.study._annotations.rows[1] != person)
    if not study._tally_of_people().pairable.any():
        return math.nan
    return float(result.recipe(study).parts.value)


def _bootstrap(result: Agreement, coefficient: Measurable, units: Units, request: Request) -> Interval:
    """Draw annotators with replacement; for both, draw items (or clusters) too."""
    from accord.agreement.inference.intervals import from_draws

    people = result.study._present
    if len(people) < FEWEST:
        raise OptionError(
            f"Drawing {len(people)} annotators again says little about others; at least {FEWEST} are needed. Use ",
            remedy(method="jackknife"),
            ".",
        )
    generator, seed = resampling.seeded(request.rng)
    report = reporter(request.progress, "resamples")
    copies = AnnotatorCopies(coefficient, result.study._tally_of_people(named=True))
    values = np.empty(request.n_resamples)
    for draw in range(request.n_resamples):
        times = np.zeros(len(result.study.annotators))
        times[people] = generator.multinomial(len(people), np.full(len(people), 1 / len(people)))
        items = copies.items if request.resample == "annotators" else copies.other_items(generator, units)
        values[draw] = coefficient.with_copies(copies, times, items)
        report(draw + 1, request.n_resamples)
    return from_draws(values, request.confidence, seed, request.method, request.resample)
