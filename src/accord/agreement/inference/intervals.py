"""The interval of a result: which method, over which units, and when there is none."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import get_args

import numpy as np

from accord.agreement.inference import resampling
from accord.agreement.inference.few_counts import perfect_interval
from accord.agreement.inference.influence import published_error
from accord.agreement.inference.informative_items import (
    ROUNDING,
    SAME_EFFECT,
    Information,
    covered,
    error_and_information,
    from_moves,
    information,
    informed_interval,
    is_perfect,
    refusal_of_resamples,
)
from accord.agreement.inference.wald import SINGLE, interval_around, no_interval
from accord.agreement.result import Agreement
from accord.agreement.uncertainty import WITHIN_ITEM, Interval, Method, Resample
from accord.annotations.arrays import FloatArray
from accord.coefficients.measurable import Measurable
from accord.coefficients.redrawn import MOST_UNDEFINED
from accord.coefficients.standard_errors import NO_ERROR
from accord.coefficients.units import Units
from accord.errors import Keyword, Message, OptionError, keyword, remedy
from accord.options import MOST_RESAMPLES, Progress, Rng, check_choice, check_confidence, check_whole, reporter, seeded

NOBODY_DIFFERS = "Nobody differs from anybody on any item, so nothing shows how much others would. More items may."
METHODS, RESAMPLED = get_args(Method), get_args(Resample)
DRAWN = ("bootstrap", "bca", "bayesian")
MODEL_BASED = "model-based"


@dataclass(frozen=True)
class Request:
    """What was asked for, checked."""

    confidence: float
    method: str
    n_resamples: int
    resample: str
    population: int | None
    rng: Rng
    progress: Progress


def interval(
    result: Agreement,
    confidence: float,
    method: Method | None,
    n_resamples: int,
    cluster: str | None,
    resample: Resample,
    population: int | None,
    rng: Rng,
    progress: Progress,
) -> Interval:
    """Where the value may lie."""
    check_choice("resample", resample, RESAMPLED)
    chosen = _usual(result, cluster, resample, population) if method is None else method
    request = Request(confidence, chosen, n_resamples, resample, population, rng, progress)
    _check(request, result)
    without = partial(no_interval, confidence=confidence, method=chosen, resample=resample)
    if result.coefficient is None or result.undefined:
        return without(result.undefined or "The value is undefined.")
    if result.coefficient.no_interval:
        return without(result.coefficient.no_interval)
    units = Units.of(result.study, result.coefficient.sample, cluster)
    if chosen == MODEL_BASED:
        return _by_model(result.coefficient, units, request)
    if units.number < 2:
        return _inside(result, result.coefficient, request, units) or without(SINGLE)
    top = result.entry.high == 1 and is_perfect(result.value, result.observed)
    if top and resample != "items":
        return without(NOBODY_DIFFERS)
    if top and not _all_annotated(result, population):
        number = result.coefficient.worth(units)
        return perfect_interval(
            result.value, result.expected, number, units, confidence=confidence, lowest=result.entry.low
        )
    if resample != "items":
        from accord.agreement.inference import resample_annotators  # and what copies of annotators need

        return resample_annotators.interval(result, result.coefficient, units, request)
    if result.coefficient.design is not None and result.coefficient.design.by_label:
        return _by_design(result, result.coefficient, units, request)
    if chosen in DRAWN:
        return _drawn(result, result.coefficient, units, request)
    return _symmetric(result, result.coefficient, units, request)


def _usual(result: Agreement, cluster: str | None, resample: str, population: int | None) -> str:
    """The method where nobody asked for one; a model of items that stand alone does not know of clusters."""
    if resample != "items":
        return "jackknife"
    usual = "analytic" if result.coefficient is None else result.coefficient.usual_method
    grouped = cluster is not None or "cluster" in result.study.roles or population is not None
    return "analytic" if usual == MODEL_BASED and grouped else usual


def _by_model(coefficient: Measurable, units: Units, request: Request) -> Interval:
    """As the model of the measure has it."""
    if units.cluster is not None or request.resample != "items" or request.population is not None:
        raise OptionError(
            "The model takes items one by one, drawn from very many, and says itself whether annotators are drawn too; "
            "for clusters, a population or other annotators use ",
            remedy(method="jackknife"),
            ".",
        )
    found = coefficient.model_interval(request.confidence)
    if found.undefined:
        return no_interval(found.undefined, request.confidence, request.method)
    return Interval(found.low, found.high, found.error, request.confidence, request.method, found.drawn)


def _inside(result: Agreement, coefficient: Measurable, request: Request, units: Units) -> Interval | None:
    """Of a single item, from what differs inside it, where that can be told and nothing else was asked for."""
    usual = request.method == coefficient.usual_method and request.resample == "items" and request.population is None
    within = coefficient.within() if usual and units.cluster is None else None
    if within is None or within.number < 2:
        return None
    ends = (result.entry.low, result.entry.high)
    if result.entry.high == 1 and is_perfect(result.value, result.observed):
        found = perfect_interval(
            result.value, result.expected, within.number, units, confidence=request.confidence, lowest=ends[0]
        )
        return replace(found, method=WITHIN_ITEM)
    return interval_around(
        result.value, within.error, df=within.number - 1, confidence=request.confidence, method=WITHIN_ITEM,
        ends=(min(ends[0], result.value), ends[1]),
    )  # fmt: skip


def _all_annotated(result: Agreement, population: int | None) -> bool:
    """Is there no other item that might have been drawn?"""
    return population is not None and population <= _annotated(result)


def _check(request: Request, result: Agreement) -> None:
    check_confidence(request.confidence)
    check_choice("method", request.method, METHODS)
    check_whole("n_resamples", request.n_resamples, 2, most=MOST_RESAMPLES)
    if request.population is not None:
        check_whole("population", request.population, _annotated(result), "all items there are, annotated or not")
    weights = None if request.population is None else result.study._uneven_weights
    if weights is not None:
        raise OptionError(
            keyword("population"),
            f" is for items that were all as likely to be chosen, and these are {weights.words}: their proportions do "
            "not say how many there are. Leave it out.",
        )
    if request.population is not None and request.method in DRAWN:
        raise OptionError(
            keyword("population"),
            " corrects analytic, gwet and jackknife errors; resamples do not know of it. Choose ",
            remedy(method="analytic"),
            ".",
        )


def _annotated(result: Agreement) -> int:
    """Items with an answer: the part of the population that was looked at, even where a single answer is no use."""
    return result.n_items if result.study.tasks else result.study.tally().n_items


def _symmetric(result: Agreement, coefficient: Measurable, units: Units, request: Request) -> Interval:
    """Value ± t · se."""
    population = coefficient.design.total if coefficient.design is not None else request.population
    if _all_annotated(result, population):
        return Interval(result.value, result.value, 0.0, request.confidence, request.method, clusters=units.clusters)
    _need_formula(coefficient, request)
    error, known, undefined = _error(coefficient, units, request.method)
    if not error > NO_ERROR and coefficient.error_method == "bootstrap":
        stays = Message("Leaving one item out moves nothing; ", remedy(method="bootstrap"), " draws them again.")
        return replace(no_interval(stays, request.confidence, request.method), clusters=units.clusters)
    if population is not None:
        error *= math.sqrt(1 - _annotated(result) / population)
    found = informed_interval(
        result.value, error, known, confidence=request.confidence, method=request.method,
        ends=(result.entry.low, result.entry.high),
    )  # fmt: skip
    if units.cluster is not None or undefined:
        found = replace(found, clusters=units.clusters, undefined_resamples=undefined)
    return without_too_many(found, undefined, units.number)


def _need_formula(coefficient: Measurable, request: Request) -> None:
    """Whoever asks for the error of a formula is told where there is none."""
    if request.method in ("analytic", "bca") and coefficient.knows_items and not coefficient.has_influence:
        coefficient.influence()  # which says what to ask for instead


def _error(coefficient: Measurable, units: Units, method: str) -> tuple[float, Information, int]:
    """The standard error by a method, what it rests on, and how often the value was undefined on the way to it."""
    if method == "jackknife":
        left = resampling.jackknife(coefficient, units)
        return left.error, from_moves(coefficient, units, left.moves, left.number), left.undefined
    if method == "gwet":
        if units.cluster is not None:
            raise OptionError(
                "Gwet's published error is for single items; with clusters use ", remedy(method="analytic"), "."
            )
        known = replace(information(coefficient, units), df=math.inf, worst=None)  # the limits are published too
        return published_error(coefficient), known, 0
    return *error_and_information(coefficient, units), 0


def _by_design(result: Agreement, coefficient: Measurable, units: Units, request: Request) -> Interval:
    """For a sample drawn label by label: value ± t · the error of its design."""
    if request.method != "analytic" or units.cluster is not None:
        raise OptionError(
            "The items were drawn label by label, and the interval follows the design, not ",
            Keyword("method", request.method),
            f"{' with clusters' if units.cluster is not None else ''}: choose ",
            remedy(method="analytic"),
            ", without clusters.",
        )
    error, df = coefficient.design_error(), units.number - 1
    found = interval_around(result.value, error, df=df, confidence=request.confidence, ends=(result.entry.low, 1.0))
    if math.isnan(found.se):
        return replace(found, undefined="Of some label a single item was annotated, which does not show a spread.")
    return found


def _drawn(result: Agreement, coefficient: Measurable, units: Units, request: Request) -> Interval:
    """From resamples."""
    _need_formula(coefficient, request)
    known = information(coefficient, units)
    refusal = refusal_of_resamples(known)
    if refusal:
        return replace(no_interval(refusal, request.confidence, request.method), clusters=units.clusters)
    generator, seed = seeded(request.rng)
    report = reporter(request.progress, "resamples")
    draw = resampling.bayesian if request.method == "bayesian" else resampling.bootstrap
    values = draw(coefficient, units, request.n_resamples, generator, report)
    if float(np.nanmax(values, initial=-np.inf) - np.nanmin(values, initial=np.inf)) <= ROUNDING:
        return replace(no_interval(SAME_EFFECT, request.confidence, request.method), clusters=units.clusters)
    expanded = covered(request.confidence, known)
    found = from_resamples(values, request.confidence, seed, request.method, request.resample, expanded=expanded)
    if request.method == "bca" and found.undefined is None:
        totals, number = units.totals(coefficient.influences)
        defined = values[np.isfinite(values)]
        low, high = resampling.bca(defined, result.value, totals, np.asarray(number, np.float64), expanded)
        found = replace(found, low=low, high=high)
    return replace(found, clusters=units.clusters, df=known.df)


def from_resamples(
    values: FloatArray,
    confidence: float,
    seed: int | None,
    method: str = "bootstrap",
    resample: str = "items",
    *,
    expanded: float | None = None,
) -> Interval:
    """Percentiles and spread of the defined resamples; `expanded` is the share of them to take, where it is another."""
    defined = values[np.isfinite(values)]
    undefined = len(values) - len(defined)
    nothing = Interval(
        math.nan, math.nan, math.nan, confidence, method, resample, None, len(values), undefined, seed
    )  # fmt: skip
    if len(defined) < 2:
        return replace(nothing, undefined="The value is undefined on nearly every resample.")
    low, high = resampling.percentiles(defined, confidence if expanded is None else expanded)
    found = replace(nothing, low=low, high=high, se=float(defined.std(ddof=1)))
    return without_too_many(found, undefined, len(values))


def without_too_many(found: Interval, undefined: int, number: int) -> Interval:
    """No interval where the value is undefined too often."""
    if undefined <= MOST_UNDEFINED * number:
        return found
    reason = f"The value is undefined on {undefined:,} of {number:,} resamples: the data are too few or too alike."
    return replace(found, low=math.nan, high=math.nan, se=math.nan, undefined=reason)
