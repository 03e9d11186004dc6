"""Concordance, correlations and differences of scores: golden values, slow twins, laws, and what is said."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord.measures.registered import MEASURES
from accord.scores.lin_concordance import LinParts
from tests.laws.studies import Drawn, studies
from tests.oracles import score_pairs as oracle

# Bland and Altman 1986, table 1: peak flow by two meters, first readings
WRIGHT = [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427]
MINI = [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451]

SLOW: dict[str, Any] = {
    "lin_concordance": oracle.overall_concordance,
    "mean_absolute_difference": oracle.mean_absolute_difference,
    "within_item_sd": oracle.within_item_sd,
    "mean_pearson": lambda items: oracle.mean_over_pairs(items, oracle.pearson),
    "mean_spearman": lambda items: oracle.mean_over_pairs(items, oracle.spearman),
    "mean_kendall": lambda items: oracle.mean_over_pairs(items, oracle.kendall),
}
EVERY = pytest.mark.parametrize("measure", SLOW)
CORRELATIONS = ("mean_pearson", "mean_spearman", "mean_kendall")


def drawn_scores(**limits: Any) -> st.SearchStrategy[Drawn]:
    return studies(("score",), **limits)


def noisy(people: int = 4, items: int = 60, gaps: float = 0.0, seed: int = 3) -> np.ndarray[Any, Any]:
    """Scores with a truth, levels of their own and noise."""
    rng = np.random.default_rng(seed)
    table = rng.normal(5, 2, (items, 1)) + rng.normal(0, 0.5, people) + rng.normal(0, 1, (items, people))
    table = np.round(table, 1)
    table[rng.random(table.shape) < gaps] = np.nan
    return table


# Values -------------------------------------------------------------------------------------------------------


def test_lins_concordance_of_two_meters() -> None:
    # golden/scores.json, ccc_two_methods_a: the same as epiR 2.0.57
    found = accord.lin_concordance(WRIGHT, MINI)
    assert found.value == pytest.approx(0.9427424314274846, abs=1e-12)
    x, y = np.array(WRIGHT, float), np.array(MINI, float)
    parts = LinParts.of(17, x.mean(), y.mean(), x.var(), y.var(), ((x - x.mean()) * (y - y.mean())).mean())
    assert parts.pearson == pytest.approx(0.9432794468909462)
    assert parts.accuracy == pytest.approx(0.9994306931363429)
    assert parts.scale_shift == pytest.approx(1.0282679905624332)
    assert parts.location_shift == pytest.approx(-0.019030250091597076)
    assert parts.z_error == pytest.approx(0.2572598378603633)
    assert parts.interval() == pytest.approx((0.8504918731685608, 0.9787262791701226))
    assert "[0.8505, 0.9787]" in found.working()


def test_lins_concordance_of_twelve_pairs() -> None:
    # golden/scores.json, ccc_two_methods_b
    x = [3.43, 2.43, 5.65, 1.39, 3.66, 2.86, 2.65, 4.07, 1.18, 2.02, 2.89, 4.74]
    y = [4.03, 3.22, 5.77, 1.49, 4.53, 3.21, 3.16, 4.89, 0.98, 2.16, 3.41, 4.91]
    assert accord.lin_concordance(x, y).value == pytest.approx(0.9275381477134163, abs=1e-12)


@EVERY
@settings(max_examples=25)
@given(drawn=drawn_scores(items=(1, 9)))
def test_values_are_those_of_the_definitions(measure: str, drawn: Drawn) -> None:
    if not any(row.count(None) < drawn.people for row in drawn.rows):
        return
    items = [{who: float(score) for who, score in item.items()} for item in drawn.items()]
    found, slow = getattr(accord, measure)(drawn.study()), SLOW[measure](items)
    assert found.value == pytest.approx(slow, abs=1e-9, nan_ok=True)
    assert (found.undefined is None) == math.isfinite(slow)


@EVERY
def test_values_on_a_few_hundred_items_with_gaps(measure: str) -> None:
    table = noisy(items=200, gaps=0.3)
    items = [{str(who): score for who, score in enumerate(row) if not math.isnan(score)} for row in table.tolist()]
    found = getattr(accord, measure)(accord.Study.from_wide(table, answers="score"))
    assert found.value == pytest.approx(SLOW[measure](items), abs=1e-10)


def test_the_mean_of_pairs_is_another_average_of_concordances() -> None:
    table = noisy(gaps=0.2)
    items = [{str(who): score for who, score in enumerate(row) if not math.isnan(score)} for row in table.tolist()]
    found = accord.lin_concordance(accord.Study.from_wide(table, answers="score"), average="pairs")
    assert found.value == pytest.approx(oracle.mean_over_pairs(items, oracle.lin_concordance))
    assert found.value == pytest.approx(np.mean(found.by_pair()["value"]))


def test_concordance_is_a_kappa_with_quadratic_weights() -> None:
    table = np.random.default_rng(2).integers(1, 6, (40, 3))
    overall = accord.conger_kappa(table, weights="quadratic").value
    assert accord.lin_concordance(table).value == pytest.approx(overall)


# Laws ---------------------------------------------------------------------------------------------------------


@EVERY
def test_errors_are_those_of_resamples(measure: str) -> None:
    found = getattr(accord, measure)(accord.Study.from_wide(noisy(items=150, gaps=0.15), answers="score"))
    analytic = found.interval().se
    assert found.interval(method="jackknife").se == pytest.approx(analytic, rel=0.12)
    assert found.interval(method="bootstrap", n_resamples=300, rng=1).se == pytest.approx(analytic, rel=0.2)


@EVERY
def test_the_influence_is_the_derivative(measure: str) -> None:
    found = getattr(accord, measure)(accord.Study.from_wide(noisy(items=12, gaps=0.1), answers="score")).coefficient
    own = found.sample.items.astype(float)
    step, numeric = 1e-5, []
    for place in range(len(own)):
        more = own.copy()
        more[place] += step
        less = own.copy()
        less[place] -= step
        numeric.append(float(found.evaluate(more).value - found.evaluate(less).value) / (2 * step))
    moves = np.array(numeric) * own.sum()
    assert found.influence() == pytest.approx(moves - own @ moves / own.sum(), abs=1e-5)


@EVERY
def test_the_order_of_rows_and_names_changes_no_digit(measure: str) -> None:
    table = noisy(gaps=0.2)
    rows = [(f"i{i}", f"a{who}", x) for i, row in enumerate(table.tolist()) for who, x in enumerate(row) if x == x]
    shuffled = rows.copy()
    random.Random(4).shuffle(shuffled)
    names = ("item", "annotator", "score")
    one, other = (
        getattr(accord, measure)(dict(zip(names, zip(*part, strict=True), strict=True)), score="score")
        for part in (rows, shuffled)
    )
    assert one.value == other.value
    assert one.interval().se == other.interval().se


@EVERY
def test_where_the_scale_begins_and_its_unit_change_what_they_should(measure: str) -> None:
    table = noisy()
    plain, other = (
        getattr(accord, measure)(accord.Study.from_wide(scores, answers="score")).value
        for scores in (table, 1e6 + 1000 * table)
    )
    factor = 1000 if MEASURES[measure].high == math.inf else 1
    assert other == pytest.approx(factor * plain, rel=1e-7)


@EVERY
def test_parts_make_up_the_whole(measure: str) -> None:
    found = getattr(accord, measure)(accord.Study.from_wide(noisy(gaps=0.2), answers="score"))
    pairs = found.by_pair()
    assert len(pairs) == 6
    assert np.isfinite(pairs["se"]).all()
    one = getattr(accord, measure)(found.study.of_annotators(["1", "2"]))
    assert pairs["value"][0] == pytest.approx(one.value)
    assert pairs["se"][0] == pytest.approx(one.interval().se)
    people = found.by_annotator()
    assert ((people["low"] < people["value"]) & (people["value"] < people["high"])).all()
    if MEASURES[measure].high == math.inf:
        items = found.by_item()
        told = np.isfinite(items["value"])
        assert float(items["weight"][told] @ items["value"][told]) == pytest.approx(found.value)


@EVERY
def test_annotators_can_be_left_out_and_drawn_again(measure: str) -> None:
    found = getattr(accord, measure)(accord.Study.from_wide(noisy(people=6), answers="score"))
    assert found.interval(resample="annotators").se > 0
    assert found.interval(resample="annotators", method="bootstrap", n_resamples=50, rng=1).se > 0


@EVERY
def test_two_groups_can_be_compared(measure: str) -> None:
    table = noisy()
    rows = {
        "item": [i for i in range(60) for _ in range(4)],
        "annotator": [who for _ in range(60) for who in "abcd"],
        "score": table.ravel().tolist(),
        "kind": ["xy"[i % 2] for i in range(60) for _ in range(4)],
    }
    groups = getattr(accord, measure)(rows, score="score", by="kind").by_group()
    assert list(groups["kind"]) == ["x", "y"]
    assert np.isfinite(groups["value"]).all()


# What is said -------------------------------------------------------------------------------------------------


def test_pairs_with_too_few_items_in_common_are_named() -> None:
    table = noisy(people=3)
    table[2:, 2] = np.nan  # the third scored two items
    found = accord.mean_pearson(accord.Study.from_wide(table, answers="score"))
    assert found.notes == ("2 pairs of annotators (1 and 3; 2 and 3) have fewer than 3 items in common: left out.",)
    assert found.value == pytest.approx(accord.mean_pearson(table[:, 0], table[:, 1]).value)


@pytest.mark.parametrize("measure", CORRELATIONS)
def test_one_score_throughout_has_no_correlation(measure: str) -> None:
    found = getattr(accord, measure)([1, 2, 3, 4], [2, 2, 2, 2])
    assert math.isnan(found.value)
    assert "gives one score throughout" in found.undefined
    assert accord.lin_concordance([1, 2, 3, 4], [2, 2, 2, 2]).value == pytest.approx(0)


def test_two_items_are_no_correlation() -> None:
    found = accord.mean_pearson([1, 2], [1, 3])
    assert found.undefined == "No two annotators have 3 items in common, so no pair has a value."


def test_equal_constant_scores_have_no_concordance_and_no_distance() -> None:
    assert accord.lin_concordance([2, 2, 2], [2, 2, 2]).undefined is not None
    assert accord.mean_absolute_difference([2, 2, 2], [2, 2, 2]).value == 0
    assert accord.within_item_sd([2, 2, 2], [2, 2, 2]).value == 0


def test_names_are_no_numbers() -> None:
    names: tuple[list[str], list[str]] = (["a", "b", "c"], ["a", "b", "b"])
    for measure in (accord.mean_pearson, accord.lin_concordance, accord.mean_absolute_difference):
        with pytest.raises(accord.AccordError, match=r"needs numbers.* what fits names: krippendorff_alpha\."):
            measure(*names)  # none of which takes a level
    assert accord.krippendorff_alpha(*names).undefined is None


def test_labels_are_measured_as_scores_only_where_somebody_says_so() -> None:
    labels = np.random.default_rng(1).integers(1, 6, (30, 3))
    assert "mean_pearson" in accord.measure(labels).left_out
    said = accord.measure(accord.Study.from_wide(labels, levels="interval"))
    assert math.isfinite(said["mean_pearson"].value)
    assert math.isfinite(accord.mean_pearson(labels).value)


@EVERY
def test_no_label_has_a_value_of_its_own(measure: str) -> None:
    """Nor the share of those who agree on it, which is none of this measure."""
    study = accord.Study.from_wide([[1, 2, 1], [3, 3, 4], [5, 4, 5], [2, 2, 2]], levels="interval")
    with pytest.raises(accord.AccordError, match="no label has a value of its own; by_annotator"):
        getattr(accord, measure)(study).by_label()


def test_an_average_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(accord.AccordError, match="average"):
        accord.lin_concordance([1, 2, 3], [1, 2, 3], average="median")  # type: ignore[arg-type]
