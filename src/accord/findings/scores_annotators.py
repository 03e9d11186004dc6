"""Scores by annotator: who is severe or lenient, keeps to the middle or to an end, scores backwards, or drifts."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from accord.agreement.inference.wald import interval_around
from accord.agreement.uncertainty import Interval
from accord.annotations.answers import tidy_number
from accord.annotations.arrays import IntArray
from accord.coefficients.standard_errors import FISHER, error_on_fishers_scale, of_correlation, p_value
from accord.errors import MeasureError
from accord.findings.annotators_on_scale import ONE_ORDER, change_over_time, halo_of, is_scale, people_of, scale_use_of
from accord.findings.finding import CANDIDATE, Clue, Evidence, Finding, NotLookedAt, TestFamily
from accord.findings.study_view import View
from accord.scores.scale_use import Contrast, Halo, ScaleUse
from accord.study.study import Study

FEWEST = 20  # items shared with others, below which nobody is judged
MUCH = 0.25  # of the standard deviation of all scores: a severity that is worth a word
MUCH_CHANGE = 0.5  # of the same: a change from the first answer to the last that is worth a word, if it is one at all
LITTLE_SPREAD = 0.75  # of the others' standard deviation: below, somebody keeps to the middle
AT_AN_END = 0.5  # the share of somebody's answers at one end from which on they keep to it
MORE_AT_AN_END = 0.25  # beyond the others' share
MORE_HALO = 0.2  # beyond that of the others
LEAST_HALO = 0.3
ON_SCALE = "how annotators use the scale"


def look(view: View) -> Iterator[Clue]:
    """Everybody with enough items: severity, spread, ends, order, and drift where times are known."""
    study = view.study
    if not is_scale(study) or view.main.undefined:
        return
    try:
        use = scale_use_of(study)
    except MeasureError as refusal:
        yield NotLookedAt(ON_SCALE, str(refusal))
        return
    judged = np.nonzero(use.items >= FEWEST)[0]
    if not len(judged):
        yield NotLookedAt(ON_SCALE, f"Nobody has {FEWEST} items that somebody else scored too.")
        return
    if study.n_annotators == 2:
        yield TestFamily(1, "questions about how annotators use the scale")
        yield from _two(study, use)
        return
    change = change_over_time(study, use)
    questions = 5 + isinstance(change, Contrast)
    yield TestFamily(questions * len(judged), "questions about how annotators use the scale")
    for person in judged.tolist():
        yield from _backwards(study, use, person)
        yield from _severity(study, use, person)
        yield from _middle(study, use, person)
        yield from _end(study, use, person)
        if isinstance(change, Contrast):
            yield from _drift(study, use, change, person)


def _beyond(found: Contrast, person: int, limit: float, sign: float, centre: float = 0.0) -> float:
    """The chance of a difference like this if it truly were no further than `limit` to that side; twice, for two."""
    apart = sign * (float(found.difference[person]) - centre) - limit
    error, df = float(found.error[person]), float(found.items[person]) - 1
    p = p_value(apart, error, df, "greater")
    return 1.0 if math.isnan(p) else min(1.0, 2 * p)


def _span(found: Contrast, person: int, centre: float = 0.0) -> Interval:
    value, error = float(found.difference[person]) - centre, float(found.error[person])
    return interval_around(value, error, df=max(float(found.items[person]) - 1, 1), method="by item")


def _two(study: Study, use: ScaleUse) -> Iterator[Finding]:
    """Of two annotators, that their severities differ."""
    found = use.severity
    first, second = study._present.tolist()
    twice = Contrast(found.own, found.others, 2 * found.difference, 2 * found.error, found.items)
    sign = 1.0 if found.difference[first] > 0 else -1.0
    p = _beyond(twice, first, MUCH * use.whole_sd, sign)
    if p < CANDIDATE:
        low, high = (first, second) if sign > 0 else (second, first)
        names, apart = study.annotators, abs(float(twice.difference[first]))
        yield Finding(
            "annotator-severity",
            "warning",
            f"{names[low]} scores {apart:.2g} below {names[high]} on the same items. Which of them is severe and which "
            "lenient, two annotators do not tell.",
            "Score some items together and agree what each point of the scale stands for; until then report agreement "
            "beside consistency, or take severity off.",
            evidence=(Evidence("difference of their severities", apart, _span(twice, low)),),
            sources=("bland1986",),
            annotators=(names[first], names[second]),
            p=p,
            weight=min(1.0, apart / max(2 * use.whole_sd, 1e-300)),
        )


def _severity(study: Study, use: ScaleUse, person: int) -> Iterator[Finding]:
    """Somebody whose severity surely lies away from the middle of all."""
    found = use.severity
    centre = float(np.nanmedian(found.difference[study._present]))
    severe = found.difference[person] > centre
    p = _beyond(found, person, MUCH * use.whole_sd, 1.0 if severe else -1.0, centre)
    if not p < CANDIDATE:
        return
    name, apart = study.annotators[person], abs(float(found.difference[person]) - centre)
    yield Finding(
        "annotator-severity",
        "warning",
        f"Annotator {name} is {'severe' if severe else 'lenient'}: {apart:.2g} {'below' if severe else 'above'} the "
        f"middle of all annotators, on the same items (mean {found.own[person]:.3g}, the others "
        f"{found.others[person]:.3g}).",
        "Go through scored items together and agree what each point of the scale stands for. What remains can be taken "
        "off: a gold by severity-adjusted means does so, and says how sure it is.",
        evidence=(
            Evidence(
                "severity, items allowed for", float(found.difference[person]) - centre, _span(found, person, centre)
            ),
            Evidence("items shared with others", float(found.items[person])),
        ),
        speaks_against=("Severity of one's own is no carelessness: the order of the items may be the same.",),
        sources=("linacre1989",),
        annotators=(name,),
        p=p,
        weight=_share(use, person),
        covers=("outlying-annotator", "unreliable-annotator"),
    )


def _share(use: ScaleUse, person: int) -> float:
    """How much of the squared differences from the others goes with somebody's severity."""
    effect = float(np.nan_to_num(use.effects.effect[person])) ** 2
    rest = float(np.nan_to_num(use.effects.noise[person])) ** 2
    return effect / (effect + rest) if effect + rest > 0 else 0.0


def _middle(study: Study, use: ScaleUse, person: int) -> Iterator[Finding]:
    """Somebody who uses surely less of the scale than the others do on the same items."""
    found = use.spread
    usual = float(np.nanmedian(found.own[study._present]))  # one who goes to extremes makes the others no less
    p = _beyond(found, person, -float(np.log(LITTLE_SPREAD)), -1.0)
    if not p < CANDIDATE or not found.own[person] < LITTLE_SPREAD * usual:
        return
    name = study.annotators[person]
    yield Finding(
        "central-tendency",
        "warning",
        f"Annotator {name} keeps to a part of the scale: scores have a standard deviation of {found.own[person]:.2g}, "
        f"those of the others on the same items {found.others[person]:.2g}.",
        "Show examples for both ends of the scale, and ask for the whole of it. Standardise scores by annotator before "
        "they are averaged, if the order of the items is what counts.",
        evidence=(
            Evidence("spread over that of the others", float(np.exp(found.difference[person]))),
            Evidence("items shared with others", float(found.items[person])),
        ),
        speaks_against=("Somebody with less noise than the others has less spread too.",),
        sources=("linacre1989",),
        annotators=(name,),
        p=p,
        covers=("outlying-annotator", "unreliable-annotator"),
    )


def _end(study: Study, use: ScaleUse, person: int) -> Iterator[Finding]:
    """Somebody who gives one end of the scale most of the time where the others do not."""
    for end, word in ((float(use.rated.value.min()), "lowest"), (float(use.rated.value.max()), "highest")):
        found = use.at(end)
        if not found.own[person] >= AT_AN_END:
            continue
        p = _beyond(found, person, MORE_AT_AN_END, 1.0)
        if not p < CANDIDATE:
            continue
        name = study.annotators[person]
        yield Finding(
            "end-of-scale",
            "warning",
            f"Annotator {name} gives the {word} score, {tidy_number(end)}, in {found.own[person]:.0%} of answers; the "
            f"others on the same items in {found.others[person]:.0%}.",
            "Ask how the scale was understood: perhaps as yes or no, or turned around. Have a part of the items scored "
            "again after examples for every point.",
            evidence=(
                Evidence(
                    f"share of the {word} score, beyond the others'",
                    float(found.difference[person]),
                    _span(found, person),
                ),
            ),
            sources=("linacre1989",),
            annotators=(name,),
            p=p,
            weight=float(found.difference[person]),
            covers=("annotator-severity", "central-tendency", "outlying-annotator", "unreliable-annotator"),
        )


def _backwards(study: Study, use: ScaleUse, person: int) -> Iterator[Finding]:
    """Somebody whose scores surely fall as those of the others rise."""
    value, items = float(use.with_others[person]), float(use.items[person])
    if not (np.isfinite(value) and value < 0 and items > 3):
        return
    p = p_value(float(FISHER.place(np.array(value))), error_on_fishers_scale(items))
    if not p < CANDIDATE:
        return
    name = study.annotators[person]
    low, high, error = of_correlation(value, items)
    yield Finding(
        "scores-backwards",
        "warning",
        f"Annotator {name} scores backwards: where the others' scores rise, these fall (correlation {value:z.2f} over "
        f"{items:.0f} items).",
        "Ask whether the scale was read the other way round. If so, turn the scores around and say so; if not, have "
        "the items scored again.",
        evidence=(
            Evidence("correlation with the mean of the others", value, Interval(low, high, error, 0.95, "fisher")),
        ),
        annotators=(name,),
        p=p,
        weight=min(1.0, -value),
        covers=(
            "annotator-severity",
            "central-tendency",
            "outlying-annotator",
            "unreliable-annotator",
            "low-agreement",
        ),
    )


def _drift(study: Study, use: ScaleUse, change: Contrast, person: int) -> Iterator[Finding]:
    """Somebody who becomes more severe or more lenient."""
    if change.items[person] < FEWEST:
        return
    rises = change.difference[person] > 0
    p = _beyond(change, person, 0.0, 1.0 if rises else -1.0)
    if not p < CANDIDATE or not abs(change.difference[person]) > MUCH_CHANGE * use.whole_sd:
        return
    name, value = study.annotators[person], float(change.difference[person])
    yield Finding(
        "severity-drifts",
        "warning",
        f"Annotator {name} becomes more {'lenient' if rises else 'severe'} while going on: scores "
        f"{'rise' if rises else 'fall'} by {abs(value):.2g} from the first to the last, the items allowed for.",
        "Score a few items of the beginning again at the end, plan calibration on the way, and give items in another "
        "order to everybody.",
        evidence=(Evidence("change from the first answer to the last", value, _span(change, person)),),
        speaks_against=(ONE_ORDER,) if change.from_median else (),
        sources=("linacre1989",),
        annotators=(name,),
        p=p,
        weight=min(1.0, abs(value) / max(4 * use.whole_sd, 1e-300)),
        covers=("annotator-drifts",),
    )


# -- across variables --------------------------------------------------------------------------------------------------


def look_across(study: Study) -> Iterator[Clue]:
    """Halo: somebody whose scores of several variables go together more than the items and the others explain."""
    parts = {name: part for name, part in study.tasks.items() if is_scale(part) and part._annotations.named}
    if len(parts) < 2:
        return
    try:
        uses = {name: scale_use_of(part) for name, part in parts.items()}
    except MeasureError as refusal:
        yield NotLookedAt("halo across variables", str(refusal))
        return
    found = halo_of(parts, uses)
    people = people_of(parts)
    judged = np.nonzero((found.items >= FEWEST) & np.isfinite(found.value))[0]
    if len(judged) < 3:
        yield NotLookedAt(
            "halo across variables", f"It takes three annotators with {FEWEST} items scored on two variables."
        )
        return
    yield TestFamily(len(judged), "annotators whose scores of several variables might go together")
    for person in judged.tolist():
        yield from _one_halo(people[person], found, person, judged[judged != person], len(parts))


def _one_halo(name: str, found: Halo, person: int, others: IntArray, variables: int) -> Iterator[Finding]:
    """Of one annotator, beside the middle of the others."""
    value = found.value
    usual = float(np.median(value[others]))
    limit = max(usual + MORE_HALO, LEAST_HALO)
    contrast = Contrast(value, value, value, found.error, found.items)
    p = _beyond(contrast, person, usual, 1.0)
    if not p < CANDIDATE or not value[person] > limit:
        return
    yield Finding(
        "halo",
        "warning",
        f"Annotator {name} gives one impression in several variables: items and severity allowed for, scores "
        f"of two variables correlate by {value[person]:z.2f}, those of the others by {usual:z.2f}.",
        "Have variables scored one at a time over all items, and show what tells them apart. Do not add up scores of "
        f"these {variables} variables as if they were independent.",
        evidence=(Evidence("correlation of what is left over", float(value[person]), _span(contrast, person)),),
        sources=("linacre1989",),
        annotators=(name,),
        p=p,
        weight=float(value[person]),
    )
