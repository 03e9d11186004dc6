"""Intraclass correlations: the published forms and intervals, gaps, and everything that the waist asks of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord.annotations.arrays import FloatArray
from accord.errors import LabelError, MeasureError, OptionError
from accord.scores.icc_forms import IccForm
from tests.oracles.scores import shrout_fleiss
from tests.scores import acceptance
from tests.scores.acceptance import Form

TABLES = ("SHROUT_FLEISS", "TWELVE_BY_THREE", "EIGHT_BY_FIVE")
NAMES = [
    ["A,1", "2,1", "ICC(2,1)", "ICC(A,1)", "a,1"],
    ["C,k", "3,k", "ICC(C,k)"],
    ["1,1", "1", "ICC(1)"],
    ["1,k", "k"],
]


def study_of(table: Any) -> accord.Study:
    cells = [[math.nan if cell is None else cell for cell in row] for row in table]
    return accord.Study.from_wide(np.array(cells, dtype=np.float64), answers="score")


def scores(items: int, people: int, *, gaps: float = 0.0, seed: int = 0, annotator: float = 0.5) -> FloatArray:
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(items, 1)) + annotator * rng.normal(size=people) + rng.normal(size=(items, people))
    table[rng.random(table.shape) < gaps] = np.nan
    return table


GAPS = study_of(scores(40, 5, gaps=0.3, seed=2))


# -- published ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("form", list(acceptance.SHROUT_FLEISS_FORMS))
def test_the_six_forms_and_their_intervals_are_the_published_ones(name: str, form: str) -> None:
    expected: Form = getattr(acceptance, f"{name}_FORMS")[form]
    found = accord.icc(study_of(getattr(acceptance, name)), form=form)
    assert found.value == pytest.approx(expected.value, abs=1e-9)
    assert list(found.interval()) == pytest.approx([expected.low, expected.high], abs=1e-9)


@pytest.mark.parametrize("name", ["TEN_BY_FOUR", "AT_ZERO"])
def test_with_gaps_it_is_the_ratio_of_the_likeliest_variances(name: str) -> None:
    study, fit = study_of(getattr(acceptance, name)), getattr(acceptance, f"{name}_FIT")
    assert accord.icc(study).value == pytest.approx(fit["icc_agreement"], abs=2e-5)
    assert accord.icc(study, form="C,1").value == pytest.approx(fit["icc_consistency"], abs=2e-5)


@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=3, max_size=8), st.sampled_from(
    ["1,1", "2,1", "3,1", "1,k", "2,k", "3,k"]))  # fmt: skip
@settings(max_examples=40, deadline=None)
def test_without_gaps_it_is_what_the_paper_writes(table: list[list[int]], form: str) -> None:
    found = accord.icc(study_of(table), form=form)
    try:
        expected = shrout_fleiss(table, form)
    except ZeroDivisionError:
        return
    if found.undefined is None and abs(found.value) < 1e6:
        assert found.value == pytest.approx(expected, abs=1e-6)


def test_each_form_has_several_names() -> None:
    for names in NAMES:
        assert len({IccForm.named(name) for name in names}) == 1
    with pytest.raises(OptionError, match="'A,1'"):
        accord.icc(GAPS, form="4,1")


def test_a_form_of_some_annotators_is_that_of_their_mean() -> None:
    study = study_of(acceptance.SHROUT_FLEISS)
    assert accord.icc(study, form="A,4").value == accord.icc(study, form="A,k").value
    single = accord.icc(study, form="C,1").value
    assert accord.icc(study, form="C,3").value == pytest.approx(3 * single / (1 + 2 * single))


# -- laws --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gaps", [0.0, 0.3])
@pytest.mark.parametrize("form", ["A,1", "C,1", "1,1", "A,k"])
def test_unit_and_origin_of_the_scores_do_not_matter(form: str, gaps: float) -> None:
    table = scores(30, 4, gaps=gaps, seed=5)
    first = accord.icc(study_of(table), form=form)
    for other in (table * 1e-150, table * 1e149, 40 - 3 * table):
        again = accord.icc(study_of(other), form=form)
        assert again.value == pytest.approx(first.value, abs=1e-9)
    assert list(again.interval()) == pytest.approx(list(first.interval()), abs=1e-6)


@pytest.mark.parametrize("gaps", [0.0, 0.3])
def test_the_order_of_items_and_annotators_does_not_matter(gaps: float) -> None:
    table = scores(30, 4, gaps=gaps, seed=6)
    order = np.random.default_rng(1).permutation(30)
    first, again = accord.icc(study_of(table)), accord.icc(study_of(table[order][:, [2, 0, 3, 1]]))
    assert again.value == pytest.approx(first.value, abs=1e-10)


def test_consistency_does_not_see_what_an_annotator_adds_to_every_score() -> None:
    table = scores(40, 4, seed=7)
    shifted = table + np.array([0, 5, -3, 1])
    assert accord.icc(study_of(shifted), form="C,1").value == pytest.approx(
        accord.icc(study_of(table), form="C,1").value
    )
    assert accord.icc(study_of(shifted)).value < accord.icc(study_of(table)).value


def test_full_agreement_is_one_and_has_no_interval() -> None:
    for table in ([[1, 1], [2, 2], [4, 4]], [[1, 1, None], [2, 2, 2], [4, None, 4]]):
        found = accord.icc(study_of(table))
        assert found.value == pytest.approx(1)
        assert "Nobody differs" in str(found.interval().undefined)


# -- the waist ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["A,1", "C,1", "1,1", "A,k"])
@pytest.mark.parametrize("study", [study_of(scores(60, 4, seed=3)), GAPS], ids=["complete", "gaps"])
def test_the_error_over_items_is_that_of_leaving_each_out(study: accord.Study, form: str) -> None:
    found = accord.icc(study, form=form)
    analytic, jackknife = found.interval(method="analytic"), found.interval(method="jackknife")
    assert analytic.se == pytest.approx(jackknife.se, rel=0.1)


def test_a_bootstrap_draws_items_also_with_gaps() -> None:
    found = accord.icc(GAPS)
    drawn = found.interval(method="bootstrap", n_resamples=20, rng=1)
    assert drawn.se == pytest.approx(found.interval(method="analytic").se, rel=0.4)


def test_the_model_counts_that_other_annotators_might_have_scored() -> None:
    found = accord.icc(study_of(scores(400, 4, seed=4)))
    model, items = found.interval(), found.interval(method="analytic")
    assert (model.method, model.resample) == ("model-based", "both")
    assert model.high - model.low > 2 * (items.high - items.low)
    assert accord.icc(found.study, form="C,1").interval().resample == "items"


def test_clusters_are_not_in_the_model() -> None:
    rows = [
        {"item": f"i{item}", "annotator": f"a{who}", "score": float(cell), "document": f"d{item % 9}"}
        for item, row in enumerate(scores(45, 3, seed=8))
        for who, cell in enumerate(row)
    ]
    study = accord.Study(pl.DataFrame(rows), score="score", cluster="document")
    found = accord.icc(study)
    assert (found.interval().method, found.interval().clusters) == ("analytic", 9)
    with pytest.raises(OptionError, match="jackknife"):
        found.interval(method="model-based")
    groups = accord.icc(study, by="document").by_group()
    assert len(groups) == 9
    halves = [accord.icc(study.where("document", *names)) for names in (("d1", "d2", "d3"), ("d4", "d5", "d6"))]
    apart = accord.compare(*halves)
    assert apart.difference == pytest.approx(halves[0].value - halves[1].value)


@pytest.mark.parametrize("study", [study_of(acceptance.SHROUT_FLEISS), GAPS], ids=["complete", "gaps"])
def test_items_make_up_the_value_and_pairs_are_the_measure_of_two(study: accord.Study) -> None:
    for form in ("A,1", "C,1", "1,1", "A,k"):
        found = accord.icc(study, form=form)
        items = found.by_item()
        weight, value = np.asarray(items["weight"], float), np.asarray(items["value"], float)
        assert float(np.nansum(weight * value)) == pytest.approx(found.value, abs=1e-9)
        pair = next(iter(found.by_pair()))
        two = [study.annotators.index(pair[name]) for name in ("first", "second")]
        grid = np.full((study.n_items, len(study.annotators)), np.nan)
        item, person, answer, _ = study._annotations.rows
        grid[item, person] = study.answers.scores[answer]
        both = grid[:, two][~np.isnan(grid[:, two]).any(axis=1)]
        assert pair["value"] == pytest.approx(accord.icc(study_of(both), form=form).value, abs=1e-9)
    people = accord.icc(study).by_annotator()
    assert np.isfinite(people["value"]).all()
    assert (np.asarray(people["low"]) < np.asarray(people["value"])).all()


def test_a_pair_s_error_is_that_of_the_measure_of_two() -> None:
    study = study_of(scores(200, 2, seed=9))
    for form in ("A,1", "C,1", "1,1"):
        found = accord.icc(study, form=form)
        assert found.by_pair()["se"][0] == pytest.approx(found.interval(method="analytic").se, rel=0.03)


def test_the_steps_add_up() -> None:
    assert "2.55556 / (2.55556 + 6.26389) = 0.2898" in accord.icc(study_of(acceptance.SHROUT_FLEISS)).working()


# -- what is measured --------------------------------------------------------------------------------------------------


def test_measure_leads_with_it_and_says_which_form_to_report() -> None:
    found = accord.measure(study_of(acceptance.SHROUT_FLEISS))
    assert [result.options.get("form") for result in found][:4] == ["A,1", "C,1", "A,k", "C,k"]
    assert found["icc"] is found.recommended
    assert "Report A,1 where" in found.reason
    assert found["krippendorff_alpha"].value == pytest.approx(0.147, abs=1e-3)


def test_labels_that_are_amounts_may_be_asked_for_it() -> None:
    table = [[1, 2, 2], [3, 3, 4], [5, 5, 5], [2, 1, 2]]
    assert "icc" in accord.measure(table).left_out
    assert accord.measure(table, level="interval")["icc"].value == accord.icc(study_of(table)).value
    with pytest.raises(LabelError, match="needs numbers"):
        accord.icc([["a", "b"], ["b", "b"]])


def test_where_nobody_is_named_it_is_of_one_way() -> None:
    counts = accord.Study.from_counts([[3, 0, 0], [0, 1, 2], [1, 1, 1], [0, 0, 3]], labels=[1, 2, 5])
    found = accord.icc(counts)
    assert found.options["form"] == "1,1"
    table = [[1, 1, 1], [2, 5, 5], [1, 2, 5], [5, 5, 5]]
    assert found.value == pytest.approx(accord.icc(study_of(table), form="1,1").value)
    assert list(found.interval()) == pytest.approx(list(accord.icc(study_of(table), form="1,1").interval()))
    with pytest.raises(MeasureError, match="does not say who answered"):
        accord.icc(counts, form="A,1")


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([[3, 3], [3, 3], [3, 3]], "All scores are the same"),
        ([[1, 2, 3]], "one item"),
        ([[1], [2], [3]], "Only one annotator"),
        ([[1, None], [None, 2], [3, None]], "No item has two"),
    ],
)
def test_what_cannot_be_measured_is_undefined_with_its_reason(table: Any, reason: str) -> None:
    found = accord.icc(study_of(table))
    assert math.isnan(found.value)
    assert reason in str(found.undefined)
    assert found.interval().undefined


@pytest.mark.parametrize(
    ("table", "form", "reason"),
    [
        ([[1, 5], [5, 1], [2, 4], [4, 2], [1, 5]], "A,k", "are all equal"),
        ([[1, 5], [5, 1], [2, 4], [4, 2], [1, 5]], "C,k", "are all equal"),
        ([[10, 50], [50, 11], [20, 40], [40, 20], [30, 32]], "A,k", "by less than the differences"),
        ([[1, 2, 3]] * 4, "C,1", "Only annotators' severities differ"),
    ],
)
def test_a_share_of_a_variance_that_is_none_is_undefined(table: Any, form: str, reason: str) -> None:
    result = accord.icc(study_of(table), form=form)
    assert math.isnan(result.value)
    assert reason in str(result.undefined)


def test_an_end_beyond_what_a_mean_can_have_has_no_limit() -> None:
    study = study_of([[0, 1], [0, 0], [1, 1], [1, 0], [0, 0]])
    rows = {row["form"]: row for row in accord.variance_components(study).iccs()}
    assert rows["ICC(A,k)"]["low"] == -math.inf
    assert all(row["low"] <= row["value"] <= row["high"] <= 1 for row in rows.values())
    assert all(row["low"] <= row["high"] <= 1 for row in accord.planning.decision_study(study).to_table())


@pytest.mark.parametrize(
    ("table", "form", "reason"),
    [
        ([[1, 5], [5, 1], [2, 4], [4, 2], [1, 5]], "A,1", "mean scores of the items are all equal"),
        ([[1, 5], [5, 1], [2, 4], [4, 2], [1, 5]], "C,1", "mean scores of the items are all equal"),
        ([[1, 2, 3], [2, 3, 4], [3, 4, 5], [5, 6, 7]], "A,1", "explain every score"),
        ([[1, 1], [2, 2], [3, 3]], "A,1", "Nobody differs"),
    ],
)
def test_a_mean_square_of_zero_gives_no_interval_and_says_which(table: Any, form: str, reason: str) -> None:
    result = accord.icc(study_of(table), form=form)
    span = result.interval()
    assert math.isfinite(result.value)
    assert math.isnan(span.low)
    assert reason in str(span)


def test_a_value_below_every_band_is_in_the_first() -> None:
    result = accord.icc(study_of([[1, 5], [5, 1], [2, 4], [4, 2], [1, 5.0001]]), form="A,1")
    assert result.interval().high < -1
    assert result.interpret().probabilities == (1, 0, 0, 0)


def test_as_many_unknowns_as_scores_are_no_consistency() -> None:
    saturated = study_of([[1, None], [None, 2], [3, 4], [None, 4]])
    result = accord.icc(saturated, form="C,1")
    assert math.isnan(result.value)
    assert "as many unknowns as scores" in str(result.undefined)
    assert math.isfinite(accord.icc(saturated, form="1,1").value)
    assert math.isfinite(accord.icc(study_of([[1, None], [None, 2], [3, 4], [2, 4]]), form="C,1").value)


def test_who_scored_one_item_only_has_no_level_to_be_told() -> None:
    rows = [
        {"item": item, "annotator": f"{item}-{who}", "score": float(item + who)}
        for item in range(6)
        for who in range(3)
    ]
    study = accord.Study(rows, item="item", annotator="annotator", score="score")
    assert accord.icc(study).value == pytest.approx(accord.icc(study, form="1,1").value)
    assert "what is left over" in " ".join(accord.icc(study).notes)
    assert "No annotator scored two items" in str(accord.icc(study, form="C,1").undefined)


def test_an_infinite_score_is_an_error_that_says_where() -> None:
    with pytest.raises(LabelError, match=r"finite number.*row 1"):
        study_of([[1.0, 2.0], [2.0, math.inf]])


def test_one_way_needs_as_many_scores_of_every_item_and_nobody_s_name() -> None:
    table = [[1, 2, None], [None, 4, 6], [3, None, 3], [7, 6, None]]
    pairs = [[1, 2], [4, 6], [3, 3], [7, 6]]
    found, expected = accord.icc(study_of(table), form="1,1"), accord.icc(study_of(pairs), form="1,1")
    assert found.value == pytest.approx(expected.value)
    assert list(found.interval()) == pytest.approx(list(expected.interval()))
    assert found.interval(method="analytic").se == pytest.approx(expected.interval(method="analytic").se)
