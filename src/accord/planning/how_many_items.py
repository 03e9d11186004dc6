"""`plan`: from what the caller knows of the task to a population, a target and a search."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from accord.agreement.build import agreement
from accord.agreement.registry import Measure
from accord.agreement.result import Agreement
from accord.annotations.answers import Level
from accord.coefficients.chance import kind_of
from accord.coefficients.redrawn import SEED
from accord.coefficients.weights import WeightsLike
from accord.errors import MeasureError, OptionError, all_quoted, counted, keyword, one_task, percent, remedy
from accord.measures.cohen import cohen_kappa
from accord.measures.fleiss import fleiss_kappa
from accord.measures.measure_all import among_annotators
from accord.measures.measure_all import measure as every_measure
from accord.measures.recommendation import recommended_measure
from accord.measures.registered import measure_called
from accord.options import Progress, Rng, check_confidence, check_finite, check_whole, is_number, reporter, seeded
from accord.planning.closed_forms import intraclass_error, kappa_error
from accord.planning.plan_result import Plan
from accord.planning.population import Answering, Population, of_pilot, supposed
from accord.planning.searching import FEWEST, PlanTarget, search
from accord.planning.simulation import follows_studies, spread
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

SMALL = 30  # items, below which intervals from a standard error are too narrow
MOST_PATTERNS = 10_000  # of a pilot; of one with more, so many items are drawn
PILOTS = 300  # other pilots that might have come out
FEWER_PILOTS = 60  # where the coefficient takes longer


def plan(
    pilot: Any = None,
    *,
    margins: Any = None,
    value: float | None = None,
    n_annotators: int | None = None,
    measure: str | None = None,
    weights: WeightsLike | None = None,
    level: Level | None = None,
    width: float | None = None,
    above: float | None = None,
    power: float = 0.8,
    confidence: float = 0.95,
    labels: Sequence[Any] | None = None,
    n_simulations: int = 1000,
    rng: Rng = None,
    progress: Progress = None,
    **roles: Unpack[Roles],
) -> Plan:
    r"""How many items a study needs for an interval as narrow, or a lower bound as high, as wanted.

    What the items will look like comes from a pilot, or from margins and a supposed value. Studies of many sizes are
    drawn and measured, each with the interval that `result.interval()` would give it; `power` is the share of them
    that should reach the target.

    Args:
        pilot: A `Study`, or what one is made of: items to come are like its items, each as likely as any other.
        margins: Instead of a pilot, each label's share: {"yes": 0.7, "no": 0.3}. An item's label is drawn from them;
            each annotator, independently, knows it with probability s and otherwise draws from them too. For two
            annotators and two labels that is the common correlation model.
        value: With margins, what the measure is supposed to be; s follows from it (for kappas and alpha :math:`s^2`
            is the value).
        n_annotators: With margins, how many answer each item; 2 by default.
        measure: The coefficient by name; by default the one that `measure` recommends.
        weights: How alike two answers are, where the coefficient takes weights.
        level: Krippendorff's level of measurement, for alpha.
        width: The full width of the interval, from its low to its high end: 0.1 is value ± 0.05. Of a measure in the
            unit of the scores, in that unit.
        above: Instead of a width, what the lower bound of the one-sided interval should be above; not of a measure
            that tells how far answers lie apart.
        power: The share of studies that should reach the target.
        confidence: Of the interval, or of the lower bound.
        labels: The scale of the pilot.
        n_simulations: How many studies are drawn of each size.
        rng: A seed or a Generator; by default the seed 0. The plan keeps it.
        progress: True, or a function of (done, total).
        **roles: The keywords of `Study`, for the pilot.

    Returns:
        A `Plan`: `items` with its Monte Carlo `error`, `to_table()` for other sizes, `buys()`, `by_annotators()`.

    Raises:
        InputError: If the pilot cannot be a study.
        MeasureError: If the measure does not fit, or the pilot cannot be drawn from.
        OptionError: If neither a pilot nor margins with a value are given, neither `width` nor `above`, or a number is
            out of range.

    A small pilot is itself uncertain: `pilot_range` tells what other pilots of its size would have asked for. A study
    in which all items agree alike shows no spread and does not count as reaching a target.

    References: donner1992; cantor1996; flack1988 (what the formulas for two annotators and two labels give).

    >>> found = plan(margins={"yes": 0.5, "no": 0.5}, value=0.6, width=0.3, power=0.5, rng=1)
    >>> found.closed_form, abs(found.items - found.closed_form) < 10
    (110, True)
    """
    check_confidence(confidence)
    check_whole("n_simulations", n_simulations, 100)
    entry = None if measure is None else measure_called(measure)
    target = _target(width, above, power, confidence, entry)
    generator, seed = seeded(rng)
    options = {name: option for name, option in (("weights", weights), ("level", level)) if option is not None}
    report = reporter(progress, "sizes")
    if (pilot is None) == (margins is None):
        raise OptionError(
            "Give a pilot study, or ", keyword("margins"), " with ", keyword("value"), ": one of the two."
        )
    if pilot is None:
        if value is None:
            supposed_value = ": what the measure is supposed to be, for example "
            raise OptionError(keyword("margins"), " needs ", keyword("value"), supposed_value, remedy(value=0.7), ".")
        if roles:
            raise OptionError(
                all_quoted(list(roles)), " belong to a pilot; ", keyword("margins"), " has no table to read."
            )
        return _from_margins(
            margins, value, n_annotators, measure, options, target, n_simulations, generator, seed, report
        )
    if value is not None:
        raise OptionError(keyword("value"), " goes with ", keyword("margins"), "; a pilot has a value of its own.")
    result = _measured(as_study(pilot, None, labels, roles), measure, options)
    _same_people(result, n_annotators)
    return _from_pilot(result, target, n_simulations, generator, seed, report)


def _target(
    width: float | None, above: float | None, power: float, confidence: float, entry: Measure | None
) -> PlanTarget:
    for name, given in (("width", width), ("above", above)):
        if given is not None and not is_number(given):
            raise OptionError.must(name, "be a number, for example 0.8", given)
    check_finite("power", power)
    if not 0 < power < 1:
        raise OptionError.must("power", "lie between 0 and 1, for example 0.8", power)
    if width is not None and above is None:
        unit_of_scores = entry is not None and entry.is_distance
        if unit_of_scores and not 0 < width < math.inf:
            raise OptionError.must("width", "be above 0, for example 0.5 for value ± 0.25", width)
        if not unit_of_scores and not 0 < width < 2:
            raise OptionError.must("width", "lie between 0 and 2, for example 0.1 for value ± 0.05", width)
        return PlanTarget("width", float(width), float(power), confidence)
    if above is not None and width is None:
        if entry is not None and entry.is_distance:
            raise OptionError(
                f"{entry.title} tells how far answers lie apart: less of it is better, and no lower bound is a target. "
                "Give ",
                keyword("width"),
                " instead.",
            )
        if not -1 <= above < 1:
            raise OptionError.must("above", "lie between -1 and 1, for example 0.67", above)
        return PlanTarget("above", float(above), float(power), confidence)
    raise OptionError(
        "Give ", keyword("width"), " (of the interval) or ", keyword("above"), " (for its lower bound): one of the two."
    )


def _measured(study: Any, measure: str | None, options: dict[str, Any]) -> Agreement:
    if study.tasks:
        first = next(iter(study.tasks))
        raise MeasureError("A plan is for one variable; choose one of the pilot's: ", one_task(first), ".")
    if measure is None:
        found = every_measure(study, **options)
        if not found.recommended.entry.by_answers:  # of variances: among annotators, how far answers are apart
            return among_annotators(study, **options)
        if not found.recommended.entry.is_share:
            return found.recommended
        best: Agreement = found[recommended_measure(study, options.get("level")).name]
        return best  # which has no value: a share alone is nothing to plan by
    return measure_called(measure).of(study, **options)


def _same_people(result: Agreement, wanted: int | None) -> None:
    if wanted is None or wanted == result.n_annotators:
        return
    raise OptionError(
        f"The pilot has {counted(result.n_annotators, 'annotators')} and does not show how {wanted} would answer. "
        "Suppose it: ",
        remedy("plan", margins=..., value=float(f"{result.value:z.2f}"), n_annotators=wanted),
        " with the shares of the pilot's labels as margins.",
    )


def _from_pilot(
    result: Agreement, target: PlanTarget, n_simulations: int, rng: np.random.Generator, seed: int | None, report: Any
) -> Plan:
    result, thinned = _thinned(result, rng)
    population = of_pilot(result)
    found = search(population, target, n_simulations, rng, report)
    items = result.study.tally().n_items
    span = None if found.items is None else _other_pilots(population, target, found.items, rng)
    notes = [f"From a pilot of {counted(items, 'items')} by {counted(result.n_annotators, 'annotators')}, where it is "
             f"{result.value:z.3f}."]  # fmt: skip
    if thinned:
        notes.append(
            f"These are drawn at random from the pilot's {thinned:,} items, nearly all of which are different."
        )
    if result.coefficient is not None and result.coefficient.usual_method == "model-based":
        notes.append(
            "These are intervals over items, for the annotators of the pilot: what others would change does not shrink "
            "with more items."
        )
    if not follows_studies(population.coefficient):
        how = f" Its items were drawn again (seed {SEED}), for leaving one out moves nothing."
        how = how if population.coefficient.error_method == "bootstrap" else ""
        known = "How far an item moves this value is taken from the pilot: no formula tells it of every study."
        notes.append(f"{known}{how}")
    weights = result.study._uneven_weights
    if weights is not None:
        notes.append(f"The pilot's items are {weights.words}; those to come are chosen and weighted in the same way.")
    if span is not None:
        notes.append(_doubt(span, target.confidence))
    return Plan.of(
        population, target, found, n_annotators=result.n_annotators, source="pilot", seed=seed, pilot_items=items,
        pilot_range=span, notes=(*notes, *_small(found.items)),
    )  # fmt: skip


def _thinned(result: Agreement, rng: np.random.Generator) -> tuple[Agreement, int]:
    """The result on some items only, where a large pilot has nearly as many patterns as items; and how many it had."""
    if result.coefficient is None or len(result.coefficient.sample) <= MOST_PATTERNS:
        return result, 0
    study = result.study
    chosen = np.zeros(study._annotations.n_items, dtype=np.bool_)
    chosen[rng.choice(len(chosen), MOST_PATTERNS, replace=False)] = True
    part = _with_answers_in_use(study._where(chosen[study._annotations.rows[0]]))
    return agreement(result.measure, part, result.recipe, dict(result.options)), study.tally().n_items


def _with_answers_in_use(study: Study) -> Study:
    """Without the scores, sets or rankings that nobody gave; a scale of labels stays as it is."""
    old = study._annotations
    if study.kind == "single":
        return study
    used, place = np.unique(old.rows[2], return_inverse=True)
    answers = (
        replace(old.answers, scores=old.answers.scores[used])
        if study.kind == "score"
        else replace(old.answers, members=tuple(old.answers.members[code] for code in used))
    )
    return study._with_annotations(old.answered(answers, place))


def _doubt(span: tuple[float, float], confidence: float) -> str:
    """What other pilots would have asked for, in a sentence."""
    if math.isfinite(span[1]):
        between = f"{span[0]:,.0f} to {span[1]:,.0f} items"
        return f"Other pilots of that size would have asked for {between} ({percent(confidence)})."
    return (
        f"Other pilots of that size would have asked for {span[0]:,.0f} items or more, and some would have found the "
        f"target out of reach ({percent(confidence)})."
    )


def _other_pilots(
    population: Population, target: PlanTarget, items: int, rng: np.random.Generator
) -> tuple[float, float]:
    """What the root-n law asks for on pilots drawn again, in proportion to what it asks for on this one."""
    units = int(population.pilot_units.sum() / max(population.shares.sum(), 1e-12))
    pilots = PILOTS if population.coefficient.smooth else FEWER_PILOTS
    drawn = population.draw(units, pilots, rng)
    values = population.coefficient.evaluate(population.items(drawn)).value
    needed = np.full(pilots, math.inf)
    for row in np.nonzero(np.isfinite(values))[0]:
        other = replace(population, shares=drawn[row] / units, value=float(values[row]))
        sigma = spread(other)
        if sigma > 0:
            needed[row] = target.by_law(other.value, sigma)
    law = target.by_law(population.value, spread(population))
    ends = np.quantile(needed, [(1 - target.confidence) / 2, (1 + target.confidence) / 2], method="nearest")
    in_proportion = [float(end) if law == 0 else float(end) * items / law for end in ends]  # 0 where any number does
    low, high = (max(end, FEWEST) for end in in_proportion)
    return low, high


def _from_margins(
    margins: Any, value: float, n_annotators: int | None, measure: str | None, options: dict[str, Any],
    target: PlanTarget, n_simulations: int, rng: np.random.Generator, seed: int | None, report: Any,
) -> Plan:  # fmt: skip
    people = 2 if n_annotators is None else n_annotators
    check_whole("n_annotators", people, 2)
    entry = measure_called(measure or (cohen_kappa if people == 2 else fleiss_kappa).__name__)
    population, model = supposed(entry, margins, people, float(value), options)
    found = search(population, target, n_simulations, rng, report)
    shares = ", ".join(f"{label} {share:g}" for label, share in zip(model.labels, model.margins.tolist(), strict=True))
    notes = [
        f"From a model: {counted(people, 'annotators')} and labels {shares}; each annotator independently knows an "
        f"item's label with probability {model.knows:z.3f} and otherwise draws from these shares, which makes "
        f"{population.result.title} {round(population.value, 3) + 0.0:z.3f}."
    ]
    closed = None if options or found.items is None else _closed(population, model, target)
    if closed is not None:
        notes.append(f"The large-sample formula gives {counted(closed, 'items')}{_formula(target)}.")
    given = {"labels": list(model.labels), "margins": model.margins.tolist(), "knows": model.knows}
    return Plan.of(
        population, target, found, n_annotators=people, source="margins", seed=seed, closed_form=closed, model=given,
        notes=(*notes, *_small(found.items)),
    )  # fmt: skip


def _closed(population: Population, model: Answering, target: PlanTarget) -> int | None:
    """The items by the formula for two annotators and two labels."""
    chance, share = kind_of(population.result.entry.chance), float(model.margins[0])
    if model.annotators != 2 or len(model.labels) != 2 or not (chance.named or chance.intraclass):
        return None
    sigma = intraclass_error(share, population.value)
    if chance.named:
        both = population.value * share * (1 - share)  # what agreement adds to independent answers
        discordant = share * (1 - share) - both
        sigma = kappa_error([[share**2 + both, discordant], [discordant, (1 - share) ** 2 + both]])
    return math.ceil(target.by_law(population.value, sigma))


def _formula(target: PlanTarget) -> str:
    return " (for the mean width)" if target.kind == "width" and target.power != 0.5 else ""


def _small(items: int | None) -> tuple[str, ...]:
    if items is None or items >= SMALL:
        return ()
    return (f"With fewer than {SMALL} items intervals from a standard error tend to be too narrow; take {SMALL}.",)
