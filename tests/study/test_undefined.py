"""Undefined is undefined: NaN with its reason, in every measure; never 1, never an error, never a warning."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import accord
from accord import Agreement, Study
from tests.study.test_groups import NAMES, every_measure

NOBODY = "Nobody answered anything: every answer is missing."
ALONE = "Only one annotator answered, so there is nothing to compare."
APART = "No item has two answers, so there is nothing to compare."
SILENT = {
    "rows": [[None, None], [np.nan, ""]],
    "array": np.full((2, 2), np.nan),
    "long": {"item": [1, 1], "annotator": ["ana", "ben"], "label": [None, None]},
    "long pandas": pd.DataFrame({"item": [1, 1], "annotator": ["ana", "ben"], "label": [None, None]}),
    "long lazy": pl.LazyFrame({"item": [1, 1], "annotator": ["ana", "ben"], "label": [None, None]}),
    "nobody named": {"item": [1, 1], "annotator": [None, None], "label": ["a", "b"]},
    "nothing named": {"item": [None, None], "annotator": ["ana", "ben"], "label": ["a", "b"]},
}


def is_undefined(result: Agreement, reason: str) -> None:
    """The value is NaN, whatever is asked of it is NaN, and all of it says why."""
    assert math.isnan(result.value)
    assert math.isnan(float(result))
    assert result.undefined is not None
    assert reason in result.undefined
    assert reason in str(result)
    for method in ("analytic", "jackknife", "bootstrap"):
        found = result.interval(method=method, n_resamples=10, rng=1)
        assert math.isnan(found.low)
        assert math.isnan(found.high)
        assert found.undefined == result.undefined
    assert result.test().undefined == result.undefined
    assert accord.compare(result, result).undefined == result.undefined
    told = result.to_dict()
    assert told["value"] is None
    assert told["undefined"] == told["interval"]["undefined"] == result.undefined
    assert len(result.by_item()) == result.study.n_items
    assert "There is no value" in result.working() or "there is none" in result.working()


@every_measure
@pytest.mark.parametrize("data", SILENT.values(), ids=SILENT)
def test_all_missing(name: str, data: Any) -> None:
    is_undefined(getattr(accord, name)(data), NOBODY)


@every_measure
def test_all_missing_in_two_sequences(name: str) -> None:
    is_undefined(getattr(accord, name)([None, " "], [math.nan, pd.NA]), NOBODY)
    is_undefined(getattr(accord, name)([], []), NOBODY)


@pytest.mark.parametrize(
    "study", [Study.from_counts([[0, 0], [0, 0]]), Study.from_confusion([[0, 0], [0, 0]])], ids=["counts", "confusion"]
)
def test_a_table_of_zeros(study: Study) -> None:
    is_undefined(accord.fleiss_kappa(study), NOBODY)
    is_undefined(accord.krippendorff_alpha(study), NOBODY)


@every_measure
def test_one_annotator(name: str) -> None:
    is_undefined(getattr(accord, name)({"item": [1, 2], "annotator": ["ana", "ana"], "label": ["a", "b"]}), ALONE)
    is_undefined(getattr(accord, name)([["a"], ["b"]]), ALONE)
    is_undefined(getattr(accord, name)([["a", None], ["b", None]]), ALONE)


@every_measure
def test_annotators_who_never_meet(name: str) -> None:
    is_undefined(getattr(accord, name)([["a", None], [None, "b"]]), APART)


CHANCE_CORRECTED = [name for name in NAMES if name != "percent_agreement"]


@pytest.mark.parametrize("name", CHANCE_CORRECTED)
def test_one_label_used(name: str) -> None:
    result = getattr(accord, name)([["a", "a"], ["a", "a"]])
    is_undefined(result, "'a'")
    assert "chance alone would give full agreement" in result.undefined or "defined kappa" in result.undefined
    if name != "light_kappa":  # a mean over pairs, of which none is left
        assert result.observed == 1, "what was observed is told all the same"


def test_one_label_used_is_full_agreement_in_percent() -> None:
    assert accord.percent_agreement([["a", "a"], ["a", "a"]]).value == 1


@pytest.mark.parametrize("name", ["brennan_prediger_kappa", "gwet_ac"])
def test_one_label_used_of_two_declared_is_defined_on_a_finite_scale(name: str) -> None:
    assert getattr(accord, name)([["a", "a"], ["a", "a"]], labels=["a", "b"]).value == 1


@pytest.mark.parametrize(
    "name", [name for name in CHANCE_CORRECTED if name not in ("brennan_prediger_kappa", "gwet_ac")]
)
def test_one_label_used_of_two_declared_stays_undefined_elsewhere(name: str) -> None:
    is_undefined(getattr(accord, name)([["a", "a"], ["a", "a"]], labels=["a", "b"]), "'a'")


@pytest.mark.parametrize("level", ["interval", "ratio", "circular", "ordinal"])
def test_one_number_used(level: Any) -> None:
    is_undefined(accord.krippendorff_alpha(Study.from_wide([[2, 2], [2, 2]]), level=level), "2")


@pytest.mark.parametrize("kind", ["set", "ranked"])
def test_one_set_or_ranking_used(kind: Any) -> None:
    study = Study.from_wide([[["a", "b"], ["a", "b"]]] * 2, answers=kind)
    is_undefined(accord.krippendorff_alpha(study), "('a', 'b')")
    is_undefined(accord.fleiss_kappa(study), "('a', 'b')")


@every_measure
def test_a_single_item_has_a_value_and_no_interval(name: str) -> None:
    result = getattr(accord, name)([["a", "b"]])
    assert math.isfinite(result.value)
    for method in ("analytic", "jackknife", "bootstrap"):
        found = result.interval(method=method)
        assert math.isnan(found.low)
        assert found.undefined == "A single item (or cluster) does not show how much items differ."


@pytest.mark.parametrize("data", SILENT.values(), ids=SILENT)
def test_measure_of_nothing_tells_nothing_of_everything(data: Any) -> None:
    found = accord.measure(data)
    assert {result.undefined for result in found} == {NOBODY}
    assert set(NAMES) <= {result.measure for result in found}, "no value is no reason to refuse a measure"
    assert str(found) == "No agreement can be measured. Nobody has answered anything yet."
    assert "Nobody has answered anything yet." in found._repr_html_()


def test_measure_of_one_label_says_why_and_still_recommends() -> None:
    found = accord.measure([["a", "a"], ["a", "a"]])
    assert found["percent_agreement"].value == 1
    assert found["cohen_kappa"].undefined is not None
    assert "chance" in str(found)


def test_a_pair_without_a_common_item_is_not_in_the_table_of_pairs() -> None:
    table = accord.pairwise([["a", "a", None], ["b", "b", None], ["a", None, "a"]])
    assert [(row["first"], row["second"]) for row in table] == [("1", "2"), ("1", "3")]


@pytest.mark.parametrize("scale", [1e149, 1e-200, 5e-324])
def test_huge_and_tiny_numbers_do_not_overflow(scale: float) -> None:
    cells = np.array([[1, 2], [2, 2], [3, 1], [1, 1]])
    for level in ("interval", "ratio", "ordinal"):
        plain = accord.krippendorff_alpha(Study.from_wide(cells), level=level)
        scaled = accord.krippendorff_alpha(Study.from_wide(cells * scale, answers="score"), level=level)
        assert scaled.value == pytest.approx(plain.value), level
    for weights in ("linear", "quadratic", "radical", "ratio", "bipolar"):
        plain = accord.fleiss_kappa(Study.from_wide(cells), weights=weights)
        scaled = accord.fleiss_kappa(Study.from_wide(cells * scale, answers="score"), weights=weights)
        assert scaled.value == pytest.approx(plain.value), weights


def test_the_reason_is_about_the_answers_that_count() -> None:
    """'yes' stands alone on its item, so two annotators who both answered only ever said 'no'."""
    lonely = accord.Study.from_wide([["no", "no"], ["no", "no"], ["yes", None]])
    for measure in (accord.cohen_kappa, accord.light_kappa, accord.krippendorff_alpha):
        assert str(measure(lonely).undefined).startswith("Only 'no' was given")
