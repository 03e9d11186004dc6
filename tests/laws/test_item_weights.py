"""Weights of items: an item of weight 3 is three items of weight 1 to every value, and one item to every error.

The oracle is the slow version of every coefficient on a study in which items stand as often as they weigh. Alpha draws
two different answers from all N that there are, and N is the study's own, whatever items weigh: 1 − α has a factor
(N − 1) / N by which it differs from that of the repeated study. For N = Σ wᵢ rᵢ the weights have the mean 1 over the
items that are compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from tests.laws.studies import Case, Drawn, cases, measures, near, same, studies_for

EVERY_MEASURE = pytest.mark.parametrize("measure", measures)
PEOPLE = 3


def repeated(drawn: Drawn, weights: list[int]) -> Drawn:
    """Every item as often as it weighs."""
    rows = [row for row, weight in zip(drawn.rows, weights, strict=True) for _ in range(weight)]
    return replace(drawn, rows=tuple(rows))


def draws_without_replacement(drawn: Drawn, weights: list[int]) -> float:
    """(N − 1) / N of the weighted study over that of the repeated one."""
    answers = [sum(cell is not None for cell in row) for row in drawn.rows]
    compared = [place for place, number in enumerate(answers) if number > 1]
    if not compared:
        return math.nan
    repeats = sum(weights[place] * answers[place] for place in compared)
    whole = repeats / (sum(weights[place] for place in compared) / len(compared))
    return (whole - 1) / whole / ((repeats - 1) / repeats)


def check(case: Case, drawn: Drawn, weights: list[int]) -> None:
    """The value is that of the repeated study."""
    found, slow = case(drawn.study().with_item_weights(weights)), case.slow(repeated(drawn, weights))
    value = slow.value
    if found.undefined is None:
        assert near(found.observed, slow.observed, 1e-10)
    if case.measure == "krippendorff_alpha":
        if "weights" in case.options and case.options["weights"] != "identity":
            return  # where answers are not fully like themselves, drawing without replacement is no factor
        value = 1 - (1 - value) * draws_without_replacement(drawn, weights)
    assert near(found.value, value, 1e-10), f"{case.measure}{case.options}: {found!r} and {slow}"


@EVERY_MEASURE
@settings(max_examples=20)
@given(data=st.data())
def test_an_item_counts_as_often_as_it_weighs(measure: str, data: st.DataObject) -> None:
    drawn = data.draw(studies_for(measure))
    weights = data.draw(st.lists(st.integers(1, 4), min_size=len(drawn.rows), max_size=len(drawn.rows)))
    for case in cases(measure, drawn):
        check(case, drawn, weights)


# Laws on one study ----------------------------------------------------------------------------------------------------


def cells(items: int = 40, seed: int = 0) -> np.ndarray[Any, np.dtype[Any]]:
    """Three people who are right two times in three, some of them silent."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, items)
    said = np.where(rng.random((items, PEOPLE)) < 0.66, truth[:, None], rng.integers(0, 3, (items, PEOPLE)))
    answers = said.astype(object)
    answers[rng.random(said.shape) < 0.1] = None
    return answers


WEIGHTS = np.random.default_rng(5).choice([0.5, 1.0, 2.5, 4.0], 40)
STUDY = accord.Study.from_wide(cells(), labels=[0, 1, 2])
WEIGHTED = STUDY.with_item_weights(WEIGHTS)
BY_NAME: dict[str, Callable[[accord.Study], accord.Agreement]] = {
    "fleiss": accord.fleiss_kappa,
    "conger": accord.conger_kappa,
    "light": accord.light_kappa,
    "percent": accord.percent_agreement,
    "uniform": accord.brennan_prediger_kappa,
    "hesitant": accord.gwet_ac,
    "alpha": accord.krippendorff_alpha,
    "ordinal": lambda study: accord.krippendorff_alpha(study, level="ordinal"),
    "interval": lambda study: accord.krippendorff_alpha(study, level="interval"),
    "ratio": lambda study: accord.krippendorff_alpha(study, level="ratio"),
    "circular": lambda study: accord.krippendorff_alpha(study, level="circular"),
}
EACH = pytest.mark.parametrize("name", BY_NAME)


@EACH
def test_equal_weights_change_no_digit(name: str) -> None:
    plain, alike = BY_NAME[name](STUDY), BY_NAME[name](STUDY.with_item_weights([7.25] * 40))
    assert same(plain.value, alike.value)
    assert plain.notes == alike.notes
    for method in ("analytic", "jackknife", "bootstrap", "bayesian"):
        assert plain.interval(method=method) == alike.interval(method=method)


@EACH
def test_only_proportions_of_weights_matter(name: str) -> None:
    one, other = BY_NAME[name](WEIGHTED), BY_NAME[name](STUDY.with_item_weights(WEIGHTS * 37.3))
    assert near(one.value, other.value)
    assert near(one.interval().se, other.interval().se)


@EACH
def test_the_error_is_the_linearised_one_of_weighted_items(name: str) -> None:
    """Se² = n/(n − 1) Σ (wᵢ ∂v/∂wᵢ)², the derivative taken by a small step of each weight in turn."""
    step, squares = 1e-5, 0.0
    counts = np.array([sum(cell is not None for cell in row) for row in cells()])
    for item in np.nonzero(counts)[0]:
        more, less = WEIGHTS.copy(), WEIGHTS.copy()
        more[item] *= 1 + step
        less[item] *= 1 - step
        moved = [BY_NAME[name](STUDY.with_item_weights(weights)).value for weights in (more, less)]
        squares += ((moved[0] - moved[1]) / (2 * step)) ** 2
    whole = BY_NAME[name](WEIGHTED)
    assert whole.coefficient is not None
    number = whole.coefficient.sample.n_items
    # alpha's N is a number of answers; a step of one weight leaves the mean at 1 and so hardly moves it
    slack = 0.01 if whole.measure == "krippendorff_alpha" else 1e-6
    assert whole.interval().se == pytest.approx(math.sqrt(number / (number - 1) * squares), rel=slack)


@EACH
def test_the_jackknife_and_resamples_agree_with_the_linearised_error(name: str) -> None:
    result = BY_NAME[name](WEIGHTED)
    error = result.interval().se
    assert result.interval(method="jackknife").se == pytest.approx(error, rel=0.12)
    assert result.interval(method="bootstrap", n_resamples=400).se == pytest.approx(error, rel=0.25)
    assert result.interval(method="bayesian", n_resamples=400).se == pytest.approx(error, rel=0.25)


@EACH
def test_repeating_items_would_claim_more_than_there_is(name: str) -> None:
    whole = np.repeat(cells(), (2 * WEIGHTS).astype(int), axis=0)
    naive = BY_NAME[name](accord.Study.from_wide(whole, labels=[0, 1, 2])).interval().se
    assert BY_NAME[name](WEIGHTED).interval().se > 1.4 * naive  # items are 2.5 to 4 times as many there


def test_clusters_are_summed_before_they_are_squared() -> None:
    long: dict[str, list[Any]] = {"item": [], "annotator": [], "label": [], "w": [], "doc": []}
    for item, row in enumerate(cells()):
        for who, answer in enumerate(row):
            for name, cell in zip(long, (item, f"a{who}", answer, WEIGHTS[item], item % 9), strict=True):
                long[name].append(cell)
    roles: dict[str, Any] = {"item": "item", "annotator": "annotator", "label": "label"}
    found = accord.fleiss_kappa(long, item_weight="w", cluster="doc", **roles)
    item_by_item = accord.fleiss_kappa(long, item_weight="w", **roles)
    assert found.coefficient is not None
    assert found.coefficient.sample.locate is not None
    scores = found.coefficient.influence()[found.coefficient.sample.locate()]
    totals = np.array([scores[np.arange(40) % 9 == cluster].sum() for cluster in range(9)])
    assert found.interval().clusters == 9
    assert found.interval().se == pytest.approx(math.sqrt(9 / 8 * totals @ totals) / 40)
    assert found.value == item_by_item.value
    assert found.interval(method="jackknife").se == pytest.approx(found.interval().se, rel=0.2)


# Parts ----------------------------------------------------------------------------------------------------------------


@EACH
def test_items_add_up_to_the_value(name: str) -> None:
    result = BY_NAME[name](WEIGHTED)
    table = result.by_item()
    there = np.isfinite(np.array(table["value"]))
    total = float(np.array(table["weight"])[there] @ np.array(table["value"])[there])
    assert total == pytest.approx(result.value)


@pytest.mark.parametrize("breakdown", ["by_label", "by_annotator", "by_pair"])
@pytest.mark.parametrize("name", ["fleiss", "conger", "light", "uniform", "hesitant"])
def test_breakdowns_are_those_of_repeated_items_and_their_errors_are_not(name: str, breakdown: str) -> None:
    times = (2 * WEIGHTS).astype(int)
    repeats = accord.Study.from_wide(np.repeat(cells(), times, axis=0), labels=[0, 1, 2])
    one, other = (getattr(BY_NAME[name](study), breakdown)() for study in (WEIGHTED, repeats))
    assert np.array(one["value"]) == pytest.approx(np.array(other["value"]))
    assert np.array(one["observed"]) == pytest.approx(np.array(other["observed"]))
    if breakdown == "by_label":
        assert np.array(one["share"]) == pytest.approx(np.array(other["share"]))
        assert sum(one["answers"]) == STUDY.n_annotations
    widths = [
        np.array(table["se"]) if breakdown == "by_pair" else np.array(table["high"]) - np.array(table["low"])
        for table in (one, other)
    ]
    assert (widths[0] > 1.3 * widths[1]).all()


def test_breakdowns_errors_are_those_of_the_whole_where_it_is_one_pair() -> None:
    """Two people: the pair is the study, and each with the others is the pair."""
    two = accord.Study.from_wide(cells()[:, :2], labels=[0, 1, 2]).with_item_weights(WEIGHTS)
    found = accord.cohen_kappa(two)
    assert found.by_pair()["se"][0] == pytest.approx(found.interval().se)
    assert found.by_pair()["value"][0] == pytest.approx(found.value)
    assert found.by_pair()["items"][0] == found.n_items


@pytest.mark.parametrize(
    ("name", "breakdown"),
    [
        *product(["fleiss", "conger", "light", "ordinal", "interval"], ["by_annotator", "by_pair"]),
    ],
)
def test_errors_of_breakdowns_are_linearised_ones_of_weighted_items(name: str, breakdown: str) -> None:
    """As of the whole: by a small step of each weight in turn. An item moves a pair only if both answered it."""
    step = 1e-4
    found = getattr(BY_NAME[name](WEIGHTED), breakdown)()
    squares = np.zeros(len(found))
    for item in range(len(WEIGHTS)):
        moved = []
        for sign in (1, -1):
            weights = WEIGHTS.copy()
            weights[item] *= 1 + sign * step
            table = getattr(BY_NAME[name](STUDY.with_item_weights(weights)), breakdown)()
            moved.append(np.array(table["value"]))
        squares += ((moved[0] - moved[1]) / (2 * step)) ** 2
    if breakdown == "by_pair":
        number, errors = np.array(found["items"]), np.array(found["se"])
    else:  # with limits of a normal
        number = np.full(len(found), STUDY.n_items)
        errors = (np.array(found["value"]) - np.array(found["low"])) / 1.959964
    assert errors == pytest.approx(np.sqrt(squares * number / (number - 1)), rel=0.03)


@pytest.mark.parametrize("name", ["fleiss", "hesitant"])
def test_a_label_of_weighted_items_has_the_interval_of_a_study_of_it_and_the_rest(name: str) -> None:
    for row in BY_NAME[name](WEIGHTED).by_label():
        either = [[None if cell is None else cell == row["label"] for cell in answers] for answers in cells()]
        alone = BY_NAME[name](accord.Study.from_wide(either, labels=[False, True]).with_item_weights(WEIGHTS))
        assert row["value"] == pytest.approx(alone.value)
        assert (row["low"], row["high"]) == pytest.approx(tuple(alone.interval()), nan_ok=True)


def test_other_annotators_are_drawn_on_weighted_items() -> None:
    result = accord.fleiss_kappa(WEIGHTED)
    without = [accord.fleiss_kappa(WEIGHTED.without_annotators([name])).value for name in WEIGHTED.annotators]
    expected = 2 / 3 * sum((value - np.mean(without)) ** 2 for value in without)
    assert result.interval(resample="annotators").se == pytest.approx(math.sqrt(expected))
    both, items = result.interval(resample="both").se, result.interval().se
    assert max(items, math.sqrt(expected)) <= both <= math.hypot(items, math.sqrt(expected))  # less the interaction
    five = accord.Study.from_wide(np.concatenate((cells(), cells(seed=0)), axis=1)).with_item_weights(WEIGHTS)
    drawn = accord.fleiss_kappa(five).interval(method="bootstrap", resample="both", n_resamples=200)
    assert drawn.low < accord.fleiss_kappa(five).value < drawn.high


def test_values_on_the_same_items_are_compared_in_pairs() -> None:
    long = accord.compare(accord.fleiss_kappa(WEIGHTED), accord.gwet_ac(WEIGHTED))
    assert long.paired
    assert long.difference == pytest.approx(accord.fleiss_kappa(WEIGHTED).value - accord.gwet_ac(WEIGHTED).value)
    drawn = accord.compare(accord.fleiss_kappa(WEIGHTED), accord.gwet_ac(WEIGHTED), method="bootstrap")
    assert drawn.se == pytest.approx(long.se, rel=0.25)
