"""Other items might have been drawn: results by pattern against literally leaving out and drawing items."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import accord
from accord.agreement.build import tallied
from accord.coefficients.coefficient import Coefficient
from tests.laws.studies import (
    LEVELS,
    PERIOD,
    Case,
    Drawn,
    annotators_for,
    at_level,
    cases,
    measures,
    near,
    studies,
    studies_for,
)

Array = npt.NDArray[np.float64]
EVERY_MEASURE = pytest.mark.parametrize("measure", measures)


def with_a_value(data: st.DataObject, measure: str, least: int = 2) -> tuple[Drawn, Case, accord.Agreement]:
    """A study on a fixed scale, a choice of weights or level, and its result, which is defined."""
    kinds = ("single", "set", "ranked", "score") if measure == "krippendorff_alpha" else ("single", "set", "ranked")
    drawn = data.draw(studies_for(measure, kinds, items=(least, 12)))
    if drawn.kind == "single":  # parts of a study are measured on the scale of the whole
        drawn = replace(drawn, labels=tuple(drawn.scale), declared=True)
        assume(drawn.labels)
    if drawn.kind == "score":
        case = at_level(data.draw(st.sampled_from(LEVELS[1:])), drawn)
        if case.options["level"] == "circular":
            case.options["period"] = PERIOD
    else:
        choices = list(cases(measure, drawn))
        assume(choices)
        case = data.draw(st.sampled_from(choices))
    result = case(drawn.study())
    assume(result.undefined is None)
    return drawn, case, result


def inner(result: accord.Agreement, rows: int) -> tuple[Coefficient, npt.NDArray[np.int64]]:
    """The coefficient, and the pattern of every row of the wide table: −1 for an item that it does not have."""
    coefficient = tallied(result)
    assert coefficient.tally.locate is not None
    place = np.full(rows, -1)
    place[np.array(result.study.items, dtype=np.int64)] = coefficient.tally.locate()
    return coefficient, place


def value_of(case: Case, drawn: Drawn, rows: list[int]) -> float:
    """The measure of some of the items, as often as they are named."""
    return case(replace(drawn, rows=tuple(drawn.rows[row] for row in rows)).study()).value


# Leaving out ------------------------------------------------------------------------------------------------


@EVERY_MEASURE
@settings(max_examples=15)
@given(data=st.data())
def test_leaving_out_a_pattern_is_leaving_out_an_item(measure: str, data: st.DataObject) -> None:
    drawn, case, result = with_a_value(data, measure)
    coefficient, place = inner(result, len(drawn.rows))
    without = coefficient.leave_one_out()
    everything = list(range(len(drawn.rows)))
    for row in everything:
        if place[row] >= 0:
            literal = value_of(case, drawn, [other for other in everything if other != row])
            assert near(float(without[place[row]]), literal, 1e-9), (case, row)


@EVERY_MEASURE
@settings(max_examples=10)
@given(data=st.data())
def test_the_jackknife_is_that_of_the_items_in_the_coefficient(measure: str, data: st.DataObject) -> None:
    drawn, case, result = with_a_value(data, measure, 3)
    _, place = inner(result, len(drawn.rows))
    rows = [row for row in range(len(drawn.rows)) if place[row] >= 0]
    assume(len(rows) >= 2)
    values = np.array([value_of(case, drawn, [other for other in rows if other != row]) for row in rows])
    span = result.interval(method="jackknife")
    undefined = int(np.isnan(values).sum())
    if span.method == "exact":  # all agree: nothing is left out one by one
        return
    assert span.undefined_resamples == undefined
    if undefined == 0:
        error = math.sqrt((len(rows) - 1) / len(rows) * float(((values - values.mean()) ** 2).sum()))
        assert near(span.se, error, 1e-8), case
    elif undefined > 0.05 * len(rows):
        assert span.undefined
        assert math.isnan(span.low)


@EVERY_MEASURE
@settings(max_examples=15)
@given(data=st.data())
def test_any_numbers_of_items_have_the_value_of_the_study_of_those_items(measure: str, data: st.DataObject) -> None:
    """Also where only copies of one item are left, and nothing can be better than chance."""
    drawn, case, result = with_a_value(data, measure)
    coefficient, place = inner(result, len(drawn.rows))
    times = data.draw(st.lists(st.sampled_from((0, 0, 1, 2, 5)), min_size=len(place), max_size=len(place)))
    rows = [row for row, number in enumerate(times) for _ in range(number)]
    assume(any(place[row] >= 0 for row in rows))
    there = [int(place[row]) for row in rows if place[row] >= 0]
    counts = np.bincount(there, minlength=len(coefficient.tally)).astype(np.float64)
    assert near(float(coefficient.evaluate(counts).value), value_of(case, drawn, rows), 1e-9), (case, times)


# Influence --------------------------------------------------------------------------------------------------


@EVERY_MEASURE
@settings(max_examples=15)
@given(data=st.data())
def test_influence_is_the_derivative_by_the_number_of_items(measure: str, data: st.DataObject) -> None:
    drawn, case, result = with_a_value(data, measure)
    coefficient, _ = inner(result, len(drawn.rows))
    items = coefficient.tally.items.astype(np.float64)
    step = 1e-4 * np.eye(len(items))
    slopes = (coefficient.evaluate(items + step).value - coefficient.evaluate(items - step).value) / 2e-4
    assume(np.isfinite(slopes).all())
    numerical = items.sum() * slopes
    numerical -= items @ numerical / items.sum()
    scale = max(1.0, float(np.abs(numerical).max()))
    assert coefficient.influence() == pytest.approx(numerical, abs=1e-5 * scale), case


@settings(max_examples=20)
@given(drawn=studies(("single",), items=(2, 12)))
def test_the_analytic_error_of_fleiss_is_the_linearised_form(drawn: Drawn) -> None:
    """zᵢ = (n/n₂)·1[rᵢ ≥ 2](oᵢ − o)/(1 − e) − 2(1 − κ)(eᵢ − e)/(1 − e), with eᵢ = Σ share of k × π_k."""
    result = accord.fleiss_kappa(drawn.study())
    assume(result.undefined is None and result.n_items > 1)
    items = [[cell for cell in row if cell is not None] for row in drawn.rows]
    items = [item for item in items if item]
    n, pairable = len(items), sum(len(item) >= 2 for item in items)
    marginals = {label: sum(item.count(label) / len(item) for item in items) / n for label in drawn.scale}
    room = 1 - result.expected
    scores = []
    for item in items:
        chance = sum(item.count(label) / len(item) * share for label, share in marginals.items())
        score = -2 * (1 - result.value) * (chance - result.expected) / room
        if len(item) >= 2:
            r = len(item)
            observed = sum(item.count(label) * (item.count(label) - 1) for label in set(item)) / (r * (r - 1))
            score += n / pairable * (observed - result.observed) / room
        scores.append(score)
    error = math.sqrt(sum(score**2 for score in scores) / (n * (n - 1)))
    assert near(result.interval().se, error, 1e-10)


@settings(max_examples=20)
@given(drawn=studies(("single",), items=(2, 12)))
def test_the_analytic_error_of_conger_is_the_one_by_a_join(drawn: Drawn) -> None:
    """eᵢ − e = Σ over the item's answers of t[g, x]; t = (n/n_g)·[(S − p_g)_x − p_g·(S − p_g)]·2 / (R(R − 1))."""
    result = accord.conger_kappa(drawn.study())
    assume(result.undefined is None and result.n_items > 1)
    items = [item for item in drawn.items() if item]
    n, pairable = len(items), sum(len(item) >= 2 for item in items)
    people = sorted({who for item in items for who in item}, key=str)
    answers = {who: [item[who] for item in items if who in item] for who in people}
    marginals = {who: {label: answers[who].count(label) / len(answers[who]) for label in drawn.scale} for who in people}

    def step(who: Any, answer: Any) -> float:
        others = {label: sum(marginals[other][label] for other in people if other != who) for label in drawn.scale}
        centre = sum(marginals[who][label] * others[label] for label in drawn.scale)
        return 2 * n / len(answers[who]) * (others[answer] - centre) / (len(people) * (len(people) - 1))

    room = 1 - result.expected
    by_item = {row["item"]: row for row in result.by_item()}
    names = [place for place, item in enumerate(drawn.items()) if item]
    scores = []
    for name, item in zip(names, items, strict=True):
        score = -(1 - result.value) * sum(step(who, answer) for who, answer in item.items()) / room
        if len(item) >= 2:
            score += n / pairable * (by_item[name]["observed"] - result.observed) / room
        scores.append(score)
    error = math.sqrt(sum(score**2 for score in scores) / (n * (n - 1)))
    assert near(result.interval().se, error, 1e-9)


@pytest.mark.parametrize("measure", [name for name in measures if name not in ("krippendorff_alpha", "light_kappa")])
@settings(max_examples=6)
@given(data=st.data())
def test_gwets_form_is_the_analytic_one_where_every_item_has_two_answers(measure: str, data: st.DataObject) -> None:
    """The two part where items have a single answer; alpha's published form draws with replacement and is apart."""
    drawn = data.draw(studies_for(measure, ("single",), items=(2, 12), gaps=False))
    for case in cases(measure, drawn):
        result = case(drawn.study())
        if result.undefined is None:
            assert near(result.interval(method="gwet").se, result.interval().se, 1e-9), case


# Large studies ----------------------------------------------------------------------------------------------


def large(measure: str, items: int = 400, people: int = 4, seed: int = 5) -> accord.Study:
    """Annotators who are right two times in three, with gaps; numbers, so that every level has a meaning."""
    rng = np.random.default_rng(seed)
    people = min(people, annotators_for(measure)[1])
    truth = rng.choice([1.0, 2.0, 3.0, 5.0], items, p=[0.4, 0.3, 0.2, 0.1])
    cells = np.repeat(truth[:, None], people, axis=1)
    wrong = rng.random(cells.shape) < 1 / 3
    cells[wrong] = rng.choice([1.0, 2.0, 3.0, 5.0], int(wrong.sum()))
    cells[rng.random(cells.shape) < 0.2] = np.nan
    return accord.Study.from_wide(cells, labels=[1, 2, 3, 5])


LARGE: list[tuple[str, dict[str, Any]]] = [(name, {}) for name in measures]
LARGE += [("krippendorff_alpha", {"level": level}) for level in LEVELS[1:]]
LARGE += [(name, {"weights": "quadratic"}) for name in ("conger_kappa", "light_kappa", "gwet_ac")]
ON_LARGE = pytest.mark.parametrize(
    ("measure", "options"), LARGE, ids=[f"{name}-{'-'.join(said.values())}".strip("-") for name, said in LARGE]
)


def on_large(measure: str, options: dict[str, Any], **size: int) -> accord.Agreement:
    """The result on a large study."""
    case = Case(measure, lambda drawn: pytest.fail("no oracle"), options)
    return case(large(measure, **size))


@ON_LARGE
def test_the_analytic_error_comes_near_the_jackknife(measure: str, options: dict[str, Any]) -> None:
    result = on_large(measure, options)
    assert result.interval().se == pytest.approx(result.interval(method="jackknife").se, rel=0.03)
    assert result.interval(method="bootstrap", rng=1).se == pytest.approx(result.interval().se, rel=0.12)


@ON_LARGE
def test_drawing_patterns_is_drawing_items(measure: str, options: dict[str, Any]) -> None:
    """Each draw of items, reduced to patterns, has the value of the study that consists of those items."""
    study = large(measure, items=40)
    case = Case(measure, lambda drawn: pytest.fail("no oracle"), options)
    cells = wide(study)
    coefficient, place = inner(case(study), len(cells))
    rng = np.random.default_rng(2)
    for _ in range(12):
        rows = rng.integers(0, len(cells), len(cells))
        inside = place[rows][place[rows] >= 0]
        counts = np.bincount(inside, minlength=len(coefficient.tally)).astype(np.float64)
        literal = case(accord.Study.from_wide(cells[rows], labels=[1, 2, 3, 5])).value
        assert float(coefficient.evaluate(counts).value) == pytest.approx(literal, rel=1e-10)


def wide(study: accord.Study) -> Array:
    """The cells of a study again."""
    item, annotator, answer, _ = study._annotations.rows
    cells = np.full((len(study.items), len(study.annotators)), np.nan)
    cells[item, annotator] = np.array(study.labels, dtype=np.float64)[answer]
    return cells


@ON_LARGE
@pytest.mark.parametrize("method", ["bootstrap", "bayesian"])
def test_resamples_spread_as_items_drawn_one_by_one(measure: str, options: dict[str, Any], method: Any) -> None:
    """Mean and spread of 2,000 draws of patterns and of 2,000 of items, within the Monte Carlo error of each.

    The spread of 2,000 draws is known to 1/√4000 = 1.6 %; the bound is four times the error of a difference, 8.9 %.
    """
    from accord.agreement.inference import resampling
    from accord.coefficients.units import Units

    n_resamples = 1000 if options.get("level") == "ordinal" else 2000
    result = on_large(measure, options, items=60)
    coefficient, place = inner(result, 60)
    place = place[place >= 0]
    draw = resampling.bayesian if method == "bayesian" else resampling.bootstrap
    quick = draw(coefficient, Units(coefficient.tally), n_resamples, np.random.default_rng(3), lambda done, total: None)
    rng = np.random.default_rng(4)
    literal = np.zeros((n_resamples, len(coefficient.tally)))
    for row in range(n_resamples):
        weights = rng.dirichlet(np.ones(len(place))) * len(place) if method == "bayesian" else None
        rows = np.arange(len(place)) if method == "bayesian" else rng.integers(0, len(place), len(place))
        literal[row] = np.bincount(place[rows], weights=weights, minlength=literal.shape[1])
    slow = coefficient.evaluate(literal).value
    assert np.isfinite(quick).all()
    assert quick.mean() == pytest.approx(slow.mean(), abs=4 * slow.std() * math.sqrt(2 / n_resamples))
    assert quick.std() == pytest.approx(slow.std(), rel=4 / math.sqrt(n_resamples))
