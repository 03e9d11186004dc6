"""How annotators use a scale: severity, spread, limits of agreement, the rating-scale model, gold without severity."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import accord
from accord.scores.rating_scale import Ratings
from accord.scores.scale_use import ScaleUse
from accord.scores.severity import AnnotatorEffects, Rated
from tests.oracles import scale_use as oracle
from tests.scores.severity_case import JML, MML, ROWS
from tests.scores.test_pair_measures import MINI, WRIGHT

Table = np.ndarray[Any, np.dtype[np.float64]]


def scored(
    items: int = 120, gaps: float = 0.0, effects: tuple[float, ...] = (0.0, 0.3, -1.0, 0.2), seed: int = 1
) -> Table:
    """A truth, effects and noise; gaps leave every item a score."""
    rng = np.random.default_rng(seed)
    table = rng.normal(5, 1.5, (items, 1)) + np.array(effects) + rng.normal(0, 0.7, (items, len(effects)))
    missing = rng.random(table.shape) < gaps
    missing[np.arange(items), rng.integers(0, len(effects), items)] = False
    table[missing] = np.nan
    return np.asarray(table)


def rated(table: Table) -> Rated:
    item, who = np.nonzero(np.isfinite(table))
    return Rated(item, who, table[item, who], *table.shape)


# Severity -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gaps", [0.0, 0.4])
def test_severities_are_those_of_a_least_squares_fit(gaps: float) -> None:
    table = scored(gaps=gaps)
    assert -AnnotatorEffects.of(rated(table)).effect == pytest.approx(oracle.severities(table), abs=1e-9)


def test_without_gaps_an_effect_is_the_difference_of_means() -> None:
    table = scored()
    found = AnnotatorEffects.of(rated(table))
    assert found.effect == pytest.approx(table.mean(0) - table.mean())
    assert found.item_value == pytest.approx(table.mean(1))


def test_errors_of_effects_and_items_are_those_of_studies_drawn_again() -> None:
    found = [AnnotatorEffects.of(rated(scored(60, 0.3, seed=seed))) for seed in range(60)]
    effect = np.array([one.effect[2] for one in found])
    assert effect.std() == pytest.approx(np.mean([one.error[2] for one in found]), rel=0.25)


def test_noise_allows_for_item_and_effect() -> None:
    drawn = np.random.default_rng(3).normal(size=(300, 3, 4))
    assert np.mean([AnnotatorEffects.of(rated(one)).noise ** 2 for one in drawn]) == pytest.approx(1, abs=0.1)
    table = scored(12, 0.4)
    found = AnnotatorEffects.of(rated(table))
    assert found.left.sum() == pytest.approx(found.df)  # the trace of what projects on the rest


def test_who_is_linked_by_no_item_cannot_be_compared() -> None:
    table = scored(40)
    table[:20, 2:] = np.nan
    table[20:, :2] = np.nan
    found = AnnotatorEffects.of(rated(table))
    assert not found.linked
    told = accord.annotators_on_scale(accord.Study.from_wide(table, answers="score"))
    assert any("2 groups without a common item" in note for note in told.notes)


def test_the_table_puts_the_most_severe_first() -> None:
    table = accord.annotators_on_scale(accord.Study.from_wide(scored(gaps=0.3), answers="score"))
    assert table["annotator"][0] == "3"
    row = next(iter(table))
    assert row["low"] < 1.0 < row["high"] + 0.3
    assert float(np.sum(table["severity"])) == pytest.approx(0, abs=1e-9)


def test_somebody_who_keeps_to_the_middle_has_less_spread() -> None:
    table = scored(200)
    table[:, 1] = 5 + 0.4 * (table[:, 1] - 5)
    use = ScaleUse(rated(table))
    assert math.exp(use.spread.difference[1]) == pytest.approx(0.4, abs=0.07)
    assert use.spread.difference[1] + 4 * use.spread.error[1] < 0


@pytest.mark.parametrize(("offset", "unit"), [(0.0, 1e-9), (1e9, 1.0)])
def test_where_the_scale_begins_and_its_unit_change_no_ratio(offset: float, unit: float) -> None:
    table = np.round(scored(30), 2)
    plain, moved = (ScaleUse(rated(one)) for one in (table, offset + unit * table))
    assert moved.spread.difference == pytest.approx(plain.spread.difference, abs=1e-5)
    assert moved.with_others == pytest.approx(plain.with_others, abs=1e-5)
    assert moved.effects.noise / unit == pytest.approx(plain.effects.noise, abs=1e-5)


def test_a_scale_of_names_is_refused() -> None:
    with pytest.raises(accord.AccordError, match="needs numbers"):
        accord.annotators_on_scale([["a", "b"], ["b", "b"], ["a", "a"]])


def test_repeated_scores_count_by_their_mean() -> None:
    table = {
        "item": [1, 1, 1, 2, 2, 3, 3],
        "who": list("aababab"),
        "score": [1.0, 3.0, 2.0, 4.0, 5.0, 1.0, 1.0],
    }
    study = accord.Study(table, item="item", annotator="who", score="score", duplicates="repeat")
    assert accord.mean_absolute_difference(study).value == pytest.approx(1 / 3)
    assert accord.annotators_on_scale(study)["severity"] == pytest.approx([1 / 6, -1 / 6])
    for measure in (accord.mean_absolute_difference, accord.within_item_sd, accord.lin_concordance):
        notes = measure(study).notes
        assert any("means of an annotator's repeated scores" in note for note in notes)
        assert not any("95%" in note for note in notes)


# Limits of agreement ------------------------------------------------------------------------------------------


def test_limits_of_agreement_of_two_meters() -> None:
    # golden/scores.json, bland_altman_two_methods_a: Bland and Altman 1986, table 1
    row = accord.bland_altman(WRIGHT, MINI).row()
    assert row["bias"] == pytest.approx(-2.1176470588235294)
    assert row["sd"] == pytest.approx(38.76512987360738)
    assert (row["lower"], row["upper"]) == pytest.approx((-78.097301611094, 73.86200749344692))
    assert (row["bias_low"], row["bias_high"]) == pytest.approx((-22.04883769664517, 17.81354357899811))
    assert (row["lower_low"], row["lower_high"]) == pytest.approx((-112.85337790919502, -43.34122531299298))
    assert (row["upper_low"], row["upper_high"]) == pytest.approx((39.10593119534591, 108.61808379154795))


def test_a_difference_that_grows_with_the_score_is_said() -> None:
    rng = np.random.default_rng(0)
    x = rng.uniform(1, 9, 80)
    found = accord.bland_altman(1.3 * x + rng.normal(0, 0.3, 80), x + rng.normal(0, 0.3, 80))
    row = found.row()
    assert row["slope_p"] < 1e-6
    assert row["slope"] == pytest.approx(0.26, abs=0.05)
    assert "changes by" in str(found)


def test_what_is_rounding_alone_is_no_bias() -> None:
    found = accord.bland_altman([0.1 + 0.2, 0.7, 0.4, 0.9], [0.3, 0.6, 0.5, 0.9])
    assert 0 < abs(found.row()["bias"]) < 1e-15
    assert "is 0 [" in str(found)
    assert "differences is 0.08165" in str(found)


def test_every_pair_has_limits_and_a_chart() -> None:
    found = accord.bland_altman(accord.Study.from_wide(scored(gaps=0.2), answers="score"))
    assert len(found.to_table()) == 6
    assert "less" in str(found.plot("2", "1").to_dict())
    with pytest.raises(accord.AccordError, match="must be one of"):
        found.plot("1", "9")
    assert found.to_dict()["object"] == "limits_of_agreement"


# The rating-scale model ---------------------------------------------------------------------------------------


def model(method: Any) -> accord.RatingScaleModel:
    item, who, score = zip(*ROWS, strict=True)
    table = {"item": item, "annotator": [f"r{one}" for one in who], "score": score}
    return accord.rating_scale_model(table, score="score", method=method)


def test_joint_estimates_are_those_of_the_golden_case() -> None:
    # golden/scores.json, severity_full, jml
    found = model("jml")
    table = found.annotators().sorted("annotator")
    assert table["severity"] == pytest.approx(JML["severity"], abs=1e-6)
    assert table["se"] == pytest.approx(JML["se_severity"], abs=1e-6)
    assert table["infit"] == pytest.approx(JML["infit"], abs=1e-6)
    assert table["outfit"] == pytest.approx(JML["outfit"], abs=1e-6)
    assert found.thresholds()["threshold"] == pytest.approx(JML["thresholds"], abs=1e-6)
    assert found.thresholds()["se"] == pytest.approx(JML["se_thresholds"], abs=1e-6)
    assert found.log_likelihood == pytest.approx(JML["loglik"][0], abs=1e-8)


def test_marginal_estimates_are_those_of_the_golden_case() -> None:
    # golden/scores.json, severity_full, mml
    found = model("mml")
    table = found.annotators().sorted("annotator")
    assert table["severity"] == pytest.approx(MML["severity"], abs=1e-4)
    assert found.thresholds()["threshold"] == pytest.approx(MML["thresholds"], abs=1e-4)
    assert found.log_likelihood == pytest.approx(MML["loglik"][0], abs=1e-4)
    assert np.isfinite(table["se"]).all()


def test_the_marginal_likelihood_is_that_of_the_definition() -> None:
    from accord.scores.marginal_rating_scale import Marginal

    table = np.array([[0, 1, 2], [2, 2, 1], [0, 0, np.nan], [1, np.nan, 2], [2, 1, 1]], dtype=float)
    item, who = np.nonzero(np.isfinite(table))
    data = Ratings(item, who, table[item, who].astype(int), np.ones(5), 3, 3)
    free = np.array([0.3, -0.2, -0.5, 0.1, np.log(0.8)])
    value, slope = Marginal(data).value_and_slope(free)
    severity, threshold = np.array([0.3, -0.2, -0.1]), np.array([-0.5, 0.5])
    assert -value == pytest.approx(oracle.marginal_log_likelihood(table, severity, threshold, 0.1, 0.8), abs=1e-8)
    step = 1e-6 * np.eye(5)
    numeric = [
        (Marginal(data).value_and_slope(free + one)[0] - Marginal(data).value_and_slope(free - one)[0]) / 2e-6
        for one in step
    ]
    assert slope == pytest.approx(numeric, abs=1e-6)


def test_who_gives_one_end_throughout_is_left_out_by_name() -> None:
    table = np.clip(np.round(scored(60) - 2), 1, 5)
    table[:, 3] = 5
    found = accord.rating_scale_model(accord.Study.from_wide(table, answers="score"))
    assert found.notes == ("Left out, as they gave one end of the scale throughout: '4'.",)
    assert len(found.annotators()) == 3


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ([[3, 3], [3, 3]], "one and the same score"),
        ([[1, 1], [2, 2], [3, 3]], "no finite best fit"),
        ([[3, 1], [3, 1]], "It takes two annotators"),
    ],
)
def test_what_has_no_model_says_why(table: list[list[int]], why: str) -> None:
    found = accord.rating_scale_model(accord.Study.from_wide(table, answers="score"))
    assert why in str(found.undefined)
    assert why in str(found)


def test_scores_with_many_values_are_no_categories() -> None:
    with pytest.raises(accord.AccordError, match="ordered categories"):
        accord.rating_scale_model(accord.Study.from_wide(scored(), answers="score"))


# Gold ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["severity-adjusted", "rating-scale"])
def test_taking_severity_off_comes_nearer_to_the_truth(method: str) -> None:
    rng = np.random.default_rng(1)
    truth = rng.normal(3, 1, 150)
    table = np.clip(np.round(truth[:, None] + np.array([0, 0.5, -1.2, 0.3]) + rng.normal(0, 0.6, (150, 4))), 1, 5)
    missing = rng.random(table.shape) < 0.5
    missing[np.arange(150), rng.integers(0, 4, 150)] = False
    table[missing] = np.nan
    study = accord.Study.from_wide(table, answers="score")
    plain, adjusted = accord.gold(study, method="mean"), accord.gold(study, method=method)
    assert np.corrcoef(adjusted.values, truth)[0, 1] > np.corrcoef(plain.values, truth)[0, 1] + 0.02
    assert np.isfinite(adjusted.standard_errors).all()
    known = accord.gold(study, method=method, known={study.items[0]: 4.0})
    assert (known.values[0], known.standard_errors[0]) == (4.0, 0.0)


def test_gold_of_a_severity_that_is_not_known_has_no_error() -> None:
    nan = math.nan
    table = [[1, 2, nan], [2, 3, nan], [3, 5, nan], [4, 5, nan], [nan, nan, 4], [nan, nan, 2]]
    found = accord.gold(accord.Study.from_wide(table, answers="score"), method="severity-adjusted")
    assert np.isnan(found.standard_errors).tolist() == [False] * 4 + [True] * 2
    assert any(note.startswith("2 items scored by somebody who shares no item") for note in found.notes)


@pytest.mark.parametrize("method", ["mml", "jml"])
def test_a_model_of_annotators_without_a_common_item_says_so(method: Any) -> None:
    table = np.full((8, 4), math.nan)
    table[:4, :2] = [[1, 2], [2, 4], [3, 3], [5, 4]]
    table[4:, 2:] = [[1, 2], [4, 2], [5, 5], [3, 2]]
    found = accord.rating_scale_model(accord.Study.from_wide(table, answers="score"), method=method)
    assert any("fall into 2 groups" in note for note in found.notes)


def test_where_there_is_no_model_gold_names_another_way() -> None:
    with pytest.raises(accord.AccordError, match="severity-adjusted"):
        accord.gold(accord.Study.from_wide([[1, 1], [2, 2], [3, 3]], answers="score"), method="rating-scale")


def test_results_hold_to_the_schema() -> None:
    from tests.surface.test_results import valid

    study = accord.Study.from_wide(scored(gaps=0.2), answers="score")
    assert len(valid(accord.bland_altman(study).to_dict(), "limits_of_agreement")["pairs"]) == 6
    assert valid(model("mml").to_dict(), "rating_scale_model")["converged"]
    nothing = accord.rating_scale_model(accord.Study.from_wide([[3, 3], [3, 3]], answers="score"))
    assert valid(nothing.to_dict(), "rating_scale_model")["annotators"] == []


def test_missing_scores_alone_are_told_so() -> None:
    nothing = accord.Study.from_wide(np.full((3, 2), np.nan), answers="score")
    table = accord.annotators_on_scale(nothing)
    assert len(table) == 0
    assert table.notes == ("Nobody answered anything: every answer is missing.",)
    assert accord.variance_components(nothing).undefined == table.notes[0]


def test_what_every_item_says_alike_has_no_interval() -> None:
    shifted = accord.Study.from_wide([[1.0, 2], [2, 3], [4, 5], [5, 6]], answers="score")
    limits = next(iter(accord.bland_altman(shifted).to_table()))
    assert limits["bias"] == pytest.approx(-1)
    assert np.isnan([limits[name] for name in ("bias_low", "bias_high", "lower_low", "upper_high")]).all()
    table = accord.annotators_on_scale(shifted)
    assert all(np.isnan(row["low"]) and np.isnan(row["high"]) for row in table)
    assert any("no interval of severity" in note for note in table.notes)
    two = accord.annotators_on_scale(accord.Study.from_wide([[1.0, 2, 2], [3, 5, 3.5]], answers="score"))
    assert all(np.isnan(row["spread_low"]) and np.isfinite(row["spread"]) for row in two)


# Change over time ---------------------------------------------------------------------------------------------


def test_who_goes_backwards_through_the_items_is_not_blamed_for_the_drift_of_another() -> None:
    onward = np.linspace(0, 1, 100)
    table = np.random.default_rng(1).normal(size=(100, 1)) + 0.01 * np.arange(3.0)
    table[:, 0] += onward
    moment = np.stack((onward, onward, 1 - onward), axis=1).ravel()
    assert ScaleUse(rated(table)).change(moment).difference == pytest.approx([1, 0, 0], abs=1e-9)


def test_nobody_who_shares_an_item_has_no_change() -> None:
    table = np.array([[1.0, math.nan], [math.nan, 2.0], [3.0, math.nan], [2.0, math.nan]])
    found = ScaleUse(rated(table)).change(np.array([0.0, 0.0, 0.5, 1.0]))
    assert np.isnan(found.difference).all()
    assert not found.from_median


@pytest.mark.parametrize("one_order", [True, False])
def test_one_who_drifts_is_told_in_full_and_nobody_else_is_blamed(one_order: bool) -> None:
    rng = np.random.default_rng(0)
    truth, rows = rng.normal(size=200), []
    for who in "pqr":
        order = np.arange(200) if one_order else rng.permutation(200)
        for place, item in enumerate(order.tolist()):
            score = truth[item] + 0.1 * rng.normal() + (who == "p") * place / 199
            rows.append((item, who, score, f"2026-01-01 {place // 60:02}:{place % 60:02}"))
    table = dict(zip(("item", "who", "score", "time"), zip(*rows, strict=True), strict=True))
    study = accord.Study(table, item="item", annotator="who", score="score", time="time")
    found = accord.annotators_on_scale(study).sorted("annotator")
    assert found["change"] == pytest.approx([1, 0, 0], abs=0.06)
    assert all(row["change_low"] <= (row["annotator"] == "p") <= row["change_high"] for row in found)
    assert any("median" in note for note in found.notes) == one_order
    drifting = [one.annotators for one in accord.explain(study) if one.name == "severity-drifts"]
    assert drifting == [("p",)]
