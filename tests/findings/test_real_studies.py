"""Findings on real studies: what a careful reader of the data would say."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import accord
from tests.shared import DATA

HOW: dict[str, dict[str, Any]] = {"leoka_taxonomy": {"answers": "set", "duplicates": "first"}}

pytestmark = pytest.mark.shared


@cache
def found(name: str) -> accord.findings.Findings:
    return accord.explain(accord.read(DATA / name / "long.csv", **HOW.get(name, {})))


def names(name: str) -> list[str]:
    return [one.name for one in found(name)]


def test_in_linkedin_posts_one_of_four_annotators_carries_the_disagreement() -> None:
    first, *_ = found("linkedin_posts")
    assert (first.cause, first.severity, first.annotators) == (True, "warning", ("label_3",))
    assert "low-agreement" in [one.name for one in found("linkedin_posts").warnings]
    assert "“6” takes 67% of the answers" in found("linkedin_posts")["skewed-labels"][0].says
    assert "confused-labels" not in names(
        "linkedin_posts"
    )  # all labels are taken for the common one, as often as it is used


def test_presto_distortion_is_about_on_target_and_one_person_sees_distortion_more_often() -> None:
    assert found("presto_distortion").warnings == ()
    assert "target-not-shown" in names("presto_distortion")
    (use,) = found("presto_distortion")["different-label-use"]
    assert "between 38.0% and 47.3%" in use.says


def test_the_crowd_of_snow_2008_agrees_little_and_one_worker_gave_one_answer_throughout() -> None:
    told = [one.name for one in found("snow2008_rte").warnings]
    assert {"low-agreement", "constant-answers"} <= set(told)
    assert "0.24" in found("snow2008_rte").headline


def test_conconcor_is_skewed_and_i_do_not_know_is_agreed_on_least() -> None:
    assert "“Niet omstreden” takes 63%" in found("conconcor")["skewed-labels"][0].says
    assert found("conconcor")["weak-label"][0].labels == ("Weet ik niet",)


def test_leoka_is_explained_as_sets_and_says_what_sets_do_not_allow() -> None:
    assert "low-agreement" in [one.name for one in found("leoka_taxonomy").warnings]
    assert "confused labels" in [gap.what for gap in found("leoka_taxonomy").not_looked_at]


@pytest.mark.parametrize("name", ["linkedin_posts", "presto_distortion", "snow2008_rte", "conconcor", "leoka_taxonomy"])
def test_no_study_is_accused_of_near_twins_that_it_has_not(name: str) -> None:
    assert "near-twin-labels" not in names(name)
