"""Variance components: closed forms, restricted likelihood, gaps, runs, and decision studies."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.special import chdtri

import accord
from accord.annotations.arrays import FloatArray
from accord.errors import MeasureError, OptionError
from accord.planning import decision_study
from accord.scores.components import fitted, presence_of
from accord.scores.eliminated_items import EliminatedItems
from accord.scores.mixed_equations import MixedEquations
from accord.scores.restricted_likelihood import maximise
from accord.scores.score_table import ScoreTable
from tests.oracles.scores import deviance, likeliest
from tests.scores import acceptance
from tests.scores.test_icc import scores, study_of


def table_of(cells: Any) -> ScoreTable:
    grid = np.array([[math.nan if cell is None else cell for cell in row] for row in cells], dtype=np.float64)
    item, annotator = np.nonzero(~np.isnan(grid))
    return ScoreTable.coded({"item": item, "annotator": annotator}, grid[item, annotator], len(grid))


def faceted(cube: FloatArray, names: tuple[str, ...]) -> list[dict[str, Any]]:
    return [
        {
            "item": f"i{place[0]}",
            **{name: f"{name}{at}" for name, at in zip(names, place[1:], strict=True)},
            "score": cell,
        }
        for place, cell in np.ndenumerate(cube)
    ]


# -- published ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["TEN_BY_FOUR", "AT_ZERO"])
def test_scores_with_gaps_have_the_components_of_lme4(name: str) -> None:
    found, fit = accord.variance_components(study_of(getattr(acceptance, name))), getattr(acceptance, f"{name}_FIT")
    expected = [fit["var_item"], fit["var_rater"], fit["var_error"]]
    assert list(found.variances.values()) == pytest.approx(expected, abs=2e-5)
    told = found.to_dict()
    assert [told["criterion"], told["mean"], told["mean_se"]] == pytest.approx(
        [fit["reml_criterion"], fit["mean"], fit["se_mean"]], abs=2e-5
    )


def test_brennans_persons_by_items_are_the_analysis_of_variance() -> None:
    found = accord.variance_components(study_of(acceptance.PERSONS_BY_ITEMS))
    expected = list(acceptance.PERSONS_BY_ITEMS_VARIANCES.values())
    assert list(found.variances.values()) == pytest.approx(expected, abs=1e-9)
    for (number,), (relative, absolute) in acceptance.PERSONS_BY_ITEMS_DECISIONS.items():
        decided = decision_study(found.study)
        assert decided.reliability({"annotator": number}, "C") == pytest.approx(relative, abs=1e-9)
        assert decided.reliability({"annotator": number}, "A") == pytest.approx(absolute, abs=1e-9)


def test_brennans_gaps_by_equated_sums() -> None:
    found = accord.variance_components(study_of(acceptance.PERSONS_BY_ITEMS_WITH_GAPS)).to_table()
    assert list(found["anova"]) == pytest.approx(
        list(acceptance.PERSONS_BY_ITEMS_WITH_GAPS_VARIANCES.values()), abs=1e-6
    )


def test_brennans_occasions_are_runs() -> None:
    cube = np.array(acceptance.PERSONS_BY_ITEMS_BY_OCCASIONS, dtype=np.float64).reshape(10, 2, 4)
    study = accord.Study(faceted(cube, ("run", "annotator")), score="score", run="run", duplicates="repeat")
    found = decision_study(study, target=0.7)
    names = {"p": "item", "i": "annotator", "o": "run", "pi": "item × annotator", "po": "item × run"}
    names |= {"io": "annotator × run", "pio": "left over (item × annotator × run, and error)"}
    expected = {names[key]: value for key, value in acceptance.PERSONS_BY_ITEMS_BY_OCCASIONS_VARIANCES.items()}
    assert found.components.variances == pytest.approx(expected, abs=1e-9)
    for (items, runs), (relative, absolute) in acceptance.PERSONS_BY_ITEMS_BY_OCCASIONS_DECISIONS.items():
        numbers = {"annotator": items, "run": runs}
        assert found.reliability(numbers, "C") == pytest.approx(relative, abs=1e-9)
        assert found.reliability(numbers, "A") == pytest.approx(absolute, abs=1e-9)
    assert (found.annotators, found.needed({"run": 2})) == (17, 9)
    assert "With 2 of run each, 9 annotators are enough." in str(found)
    value = accord.icc(study).value
    assert value == pytest.approx(acceptance.PERSONS_BY_ITEMS_BY_OCCASIONS_DECISIONS[1, 1][1], abs=1e-9)


def test_brennans_raters_within_fixed_tasks() -> None:
    grid = np.array(acceptance.PERSONS_BY_RATERS_IN_TASKS, dtype=np.float64)
    rows = [
        {"item": f"p{p}", "annotator": f"r{r}", "part": f"t{r // 4}", "score": cell}
        for (p, r), cell in np.ndenumerate(grid)
    ]
    found = decision_study(rows, item="item", annotator="annotator", score="score", facets="part", fixed="part")
    published = acceptance.PERSONS_BY_RATERS_IN_TASKS_VARIANCES
    order = [published[name] for name in ("p", "r:t", "t", "pt", "pr:t")]
    assert list(found.components.variances.values()) == pytest.approx(order, abs=1e-6)
    for (tasks, raters), (relative, absolute) in acceptance.PERSONS_BY_RATERS_IN_TASKS_DECISIONS.items():
        assert found.reliability({"annotator": tasks * raters}, "C") == pytest.approx(relative, abs=1e-6)
        assert found.reliability({"annotator": tasks * raters}, "A") == pytest.approx(absolute, abs=1e-6)


# -- slow twins --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_with_gaps_the_variances_are_the_likeliest(seed: int) -> None:
    grid = scores(9, 3, gaps=0.25, seed=seed, annotator=1.0)
    table = table_of(grid)
    rows = [((int(i), int(j)), float(grid[i, j])) for i, j in zip(*np.nonzero(~np.isnan(grid)), strict=True)]
    fit = fitted(table)
    expected = likeliest(rows, [(0,), (1,)])
    assert fit.variances * table.unit**2 == pytest.approx(expected, abs=1e-4)
    assert fit.deviance <= deviance(rows, [(0,), (1,)], expected) + 1e-9


def test_three_ways_to_the_criterion_agree() -> None:
    table = table_of(scores(12, 4, seed=3))
    squares, eliminated = fitted(table).criterion, EliminatedItems(presence_of(table))
    equations = MixedEquations(table, table.effects)
    for variances in (np.array([0.4, 0.2, 0.3]), np.array([1.0, 0.0, 0.1])):
        value, slope = squares(variances)
        for other in (eliminated, equations):
            assert other(variances)[0] == pytest.approx(value, abs=1e-8)
            assert other(variances)[1] == pytest.approx(slope, abs=1e-7)
            assert other.mean(variances) == pytest.approx(squares.mean(variances), abs=1e-9)


def test_a_likelihood_counts_items_again_where_it_goes_by_item() -> None:
    grid = scores(8, 3, gaps=0.2, seed=8)
    whole, gaps, twice = table_of(scores(8, 3, seed=8)), table_of(grid), table_of(np.repeat(grid, 2, axis=0))
    model = fitted(gaps).criterion.by_item
    assert model is not None
    again = model.of_items(np.full(8, 2.0))
    assert again is not None
    at = np.array([0.4, 0.2, 0.3])
    assert twice.unit == gaps.unit
    assert again(at)[0] == pytest.approx(EliminatedItems(presence_of(twice))(at)[0], rel=1e-9)
    assert model.of_items(np.eye(8)[0]) is None  # one item
    for other in (fitted(whole).criterion, MixedEquations(gaps, gaps.effects)):
        assert other.by_item is None
        assert (other.mean_squares is None) == isinstance(other, MixedEquations)


def test_the_gradient_is_that_of_the_criterion(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(scores(15, 4, gaps=0.3, seed=4))
    variances, step = np.array([0.4, 0.2, 0.3]), 1e-6
    full = MixedEquations(table, table.effects)
    monkeypatch.setattr("accord.scores.mixed_equations.FULL", 0)
    sparse = MixedEquations(table, table.effects)
    for model in (EliminatedItems(presence_of(table)), full, sparse):
        for place in range(3):
            ahead, behind = variances.copy(), variances.copy()
            ahead[place], behind[place] = variances[place] + step, variances[place] - step
            slope = (model(ahead)[0] - model(behind)[0]) / (2 * step)
            assert model(variances)[1][place] == pytest.approx(slope, abs=1e-3)


def test_sparse_equations_end_where_the_full_ones_do(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(scores(30, 5, gaps=0.4, seed=5))
    expected = fitted(table).variances
    monkeypatch.setattr("accord.scores.mixed_equations.FULL", 0)
    assert maximise(MixedEquations(table, table.effects), expected * 2).variances == pytest.approx(expected, rel=1e-4)


def test_a_search_may_look_where_nothing_is_left_over() -> None:
    table = table_of(scores(100, 3, gaps=0.2, seed=103))
    for model in (EliminatedItems(presence_of(table)), MixedEquations(table, table.effects)):
        for rest in (1e-9, 1e-13, 1e-16):
            value, slope = model(np.array([1e-3, 1e6, rest]))
            assert math.isfinite(value)
            assert np.isfinite(slope).all()


def test_runs_with_gaps_are_the_likeliest_too() -> None:
    cube = np.random.default_rng(6).normal(size=(5, 3, 2)) + np.arange(5)[:, None, None]
    kept = faceted(cube, ("annotator", "run"))[2:]
    study = accord.Study(kept, score="score", run="run", duplicates="repeat")
    found = accord.variance_components(study)
    rows = [
        ((int(row["item"][1:]), int(row["annotator"][9:]), int(row["run"][3:])), float(row["score"])) for row in kept
    ]
    effects = [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]
    variances = list(found.variances.values())
    assert found.to_dict()["criterion"] == pytest.approx(deviance(rows, effects, variances), abs=1e-7)
    for place, variance in enumerate(variances):
        for other in (1.2 * variance + 0.01, 0.8 * variance):
            moved = [*variances[:place], other, *variances[place + 1 :]]
            assert deviance(rows, effects, moved) >= deviance(rows, effects, variances) - 1e-9


# -- what is said ------------------------------------------------------------------------------------------------------


def test_a_negative_component_is_said_with_its_value_and_stops_at_zero() -> None:
    found = accord.variance_components(study_of(acceptance.EIGHT_BY_FIVE))
    assert found.variances["annotator"] == 0
    note = next(note for note in found.notes if note.startswith("Negative component: annotator"))
    assert "-0.06846" in note
    assert found.to_table()["low"][1] == 0


def test_shares_add_up_and_intervals_hold_the_value() -> None:
    table = accord.variance_components(study_of(scores(40, 4, gaps=0.2, seed=7))).to_table()
    assert float(table["share"].sum()) == pytest.approx(1)
    assert (table["low"] <= table["variance"]).all()
    assert (table["high"] >= table["variance"]).all()


def test_the_interval_of_what_is_left_over_is_near_the_exact_one() -> None:
    found = accord.variance_components(study_of(scores(30, 4, seed=8))).to_table()
    rest, df = float(found["variance"][-1]), 29 * 3
    exact = [rest * df / chdtri(df, tail) for tail in (0.025, 0.975)]
    assert [found["low"][-1], found["high"][-1]] == pytest.approx(exact, rel=0.01)


def test_every_form_is_a_row_with_both_names() -> None:
    rows = {row["shrout_fleiss"]: row for row in accord.variance_components(study_of(acceptance.SHROUT_FLEISS)).iccs()}
    for name, form in acceptance.SHROUT_FLEISS_FORMS.items():
        assert (rows[name]["value"], rows[name]["low"]) == pytest.approx((form.value, form.low))


def test_what_has_no_components_says_why() -> None:
    found = accord.variance_components(study_of([[3, 3], [3, 3]]))
    assert "All scores are the same" in str(found)
    assert found.to_dict()["components"] == []
    with pytest.raises(MeasureError, match="All scores are the same"):
        decision_study(study_of([[3, 3], [3, 3]]))


def test_a_facet_that_is_not_everywhere_is_an_error() -> None:
    rows = [
        {"item": i, "annotator": a, "score": i + len(a), "day": None if i else "mon"}
        for i in range(3)
        for a in ("x", "yy")
    ]
    with pytest.raises(OptionError, match="'day' is empty for 4 scores"):
        accord.variance_components(rows, item="item", annotator="annotator", score="score", facets="day")


# -- decisions ---------------------------------------------------------------------------------------------------------


def test_the_annotators_needed_are_the_fewest_that_reach_the_target() -> None:
    found = decision_study(study_of(acceptance.SHROUT_FLEISS), target=0.8)
    assert found.annotators == 10
    assert found.reliability({"annotator": 10}) >= 0.8 > found.reliability({"annotator": 9})
    assert decision_study(found.components.study, target=0.8, error="C").annotators == 2
    row = next(row for row in found.to_table() if row["annotators"] == 1)
    assert row["agreement"] == pytest.approx(acceptance.SHROUT_FLEISS_FORMS["ICC(2,1)"].value)
    assert row["low"] == pytest.approx(acceptance.SHROUT_FLEISS_FORMS["ICC(2,1)"].low)


def test_what_runs_add_no_number_of_annotators_takes_away() -> None:
    rng = np.random.default_rng(9)
    cube = rng.normal(size=(30, 1, 1)) + 1.2 * rng.normal(size=(30, 1, 3)) + 0.3 * rng.normal(size=(30, 4, 3))
    study = accord.Study(faceted(cube, ("annotator", "run")), score="score", run="run", duplicates="repeat")
    found = decision_study(study, target=0.9)
    assert found.annotators is None
    assert "what runs add stays" in str(found)
    with pytest.raises(OptionError, match="'annotator', 'run'"):
        decision_study(study, numbers={"week": 2})
    counts = accord.Study.from_counts([[3, 0], [0, 3], [1, 2]], labels=[1, 2])
    with pytest.raises(MeasureError, match="does not say who scored what"):
        decision_study(counts)


def test_a_facet_is_neither_the_item_nor_the_annotator() -> None:
    rows = [{"item": i, "annotator": a, "score": i + len(a)} for i in range(3) for a in ("x", "yy")]
    with pytest.raises(OptionError, match="besides items and annotators"):
        accord.variance_components(rows, item="item", annotator="annotator", score="score", facets="annotator")


def test_more_annotators_than_a_full_table_of_who_scored_what_holds() -> None:
    table = scores(120, 70, gaps=0.9, seed=12)
    fit = fitted(table_of(table))
    equations = maximise(MixedEquations(table_of(table), fit.effects), fit.variances)
    assert equations.variances == pytest.approx(fit.variances, rel=1e-6)
    found = accord.icc(study_of(table))
    assert found.interval().low < found.value < found.interval().high
    assert found.interval(method="analytic").se > 0


def by_run(cube: FloatArray) -> accord.Study:
    """A study of items × annotators × runs."""
    names, index = ("item", "annotator", "run"), np.indices(cube.shape).reshape(3, -1)
    rows = {name: [f"{name}{level}" for level in levels] for name, levels in zip(names, index, strict=True)}
    return accord.Study(pl.DataFrame({**rows, "score": cube.ravel()}), score="score", run="run")


def test_a_decision_study_and_an_icc_have_one_number_for_one_annotator() -> None:
    rng = np.random.default_rng(5)
    below = 0
    for _ in range(6):
        cube = rng.normal(size=(6, 1, 1)) + rng.normal(size=(6, 3, 2))
        for study in (by_run(cube), accord.Study.from_wide(cube[:, :, 0], answers="score")):
            found = decision_study(study)
            below += int((found.components.fit.by_anova < 0).any())
            assert found.reliability() == pytest.approx(accord.icc(study).value, rel=1e-9)
    assert below > 3


def test_one_annotator_is_spoken_of_as_one() -> None:
    rng = np.random.default_rng(7)
    scores = 2 * rng.normal(size=(30, 1)) + 0.3 * rng.normal(size=(30, 3))
    said = str(decision_study(accord.Study.from_wide(scores, answers="score"), target=0.8))
    assert said.startswith("1 annotator for a mean score")
    assert "they" not in said


def test_limits_rise_with_every_number_that_a_mean_is_over() -> None:
    rng = np.random.default_rng(9)
    cube = rng.normal(size=(10, 1, 1)) + 0.4 * rng.normal(size=(1, 3, 1)) + 0.6 * rng.normal(size=(10, 3, 2))
    numbers = (1, 2, 5)
    table = decision_study(by_run(cube), numbers={"annotator": numbers, "run": numbers}).to_table()
    for end in ("low", "high"):
        limits = np.array([row[end] for row in table]).reshape(3, 3)
        assert (np.diff(limits, axis=0) > -1e-6).all()
        assert (np.diff(limits, axis=1) > -1e-6).all()
