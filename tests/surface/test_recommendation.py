"""What `measure` recommends: a coefficient that applies, that has a value, and why, in words that are true."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

import accord
from accord import Study
from accord.cli.application import BELOW, FINE, UNDEFINED
from tests.command.running import run

SAMPLES = Path(__file__).parents[1] / "readers" / "samples"
ONE_LABEL = Study.from_wide([["yes", "yes"]] * 5)
TASKS: dict[str, list[Any]] = {
    "item": [1, 1, 2, 2, 3, 3] * 2,
    "annotator": ["ana", "ben"] * 6,
    "label": [None] * 6 + ["a", "a", "b", "a", "b", "b"],
    "task": ["empty"] * 6 + ["tone"] * 6,
}


def test_where_the_usual_choice_is_undefined_another_that_has_a_value_is_recommended() -> None:
    found = accord.measure(ONE_LABEL)
    assert found.recommended.measure == "percent_agreement"  # every kappa is undefined: only one label was given
    assert "Cohen's kappa is undefined: Only 'yes' was given" in found.reason
    assert "says nothing of chance" in found.reason
    declared = accord.measure([["yes", "yes"]] * 5, labels=["yes", "no"])
    assert declared.recommended.measure == "brennan_prediger_kappa"
    assert declared.recommended.value == 1


@pytest.mark.parametrize(
    "data",
    [
        ONE_LABEL,
        Study.from_wide([["a", "b"], ["a", "a"]]),
        Study.from_wide([["a", None], [None, "b"]]),
        Study.from_wide([[["a"], ["a", "b"]], [["a"], ["a"]]]),
        Study.from_wide([[["a"], ["a"]], [["a"], ["a"]]], answers="ranked"),
        Study.from_wide([[1.0, 1.0], [1.0, 1.0]], answers="score"),
    ],
)
def test_what_is_recommended_has_a_value_if_any_agreement_has(data: Study) -> None:
    """A distance of zero is none: nothing tells it from agreement by chance."""
    found = accord.measure(data)
    others = [result for result in found if not result.entry.is_distance]
    assert math.isfinite(found.recommended.value) or all(result.undefined for result in others)


def test_an_empty_first_variable_is_not_what_the_reason_speaks_of() -> None:
    found = accord.measure(Study(TASKS, task="task"))
    assert "Nobody" not in found.advice
    assert found.recommended.measure == "cohen_kappa"
    assert "Two annotators answered every item" in found.advice


def test_one_annotator_is_told_that_agreement_needs_two() -> None:
    found = accord.measure(Study({"item": [1, 2, 3], "annotator": ["ana"] * 3, "label": ["a", "b", "a"]}))
    assert found.advice == (
        "No agreement can be measured. Agreement needs two annotators, and there is one, with 3 answers to 3 items."
    )
    assert str(found) == found.advice  # no table of dashes
    apart = accord.measure(Study.from_wide([["a", None], [None, "b"]]))
    assert "2 annotators gave 2 answers to 2 items, one to each" in apart.advice


def test_variables_of_different_kinds_are_each_recommended_their_own() -> None:
    found = accord.measure(accord.read(SAMPLES / "label-studio-config"))
    assert found.advice == (
        "Recommended: the variables hold answers of different kinds, and each has what fits it: Krippendorff's alpha "
        "(MASI) for tags, where; Cohen's kappa for topic."
    )


def test_what_is_recommended_is_among_the_values_of_the_table_and_spans_have_their_own() -> None:
    """A sample whose only coefficients are a kappa and a share was told that alpha is recommended."""
    found = accord.measure(accord.read(SAMPLES / "potato"))
    assert found.recommended.measure == "cohen_kappa"
    assert found.advice.endswith("Cohen's kappa for feeling; Span F1 for ner; Percent agreement alone for stars.")
    sentence = found.recommended.sentence()
    assert "Span F1" in sentence
    assert "undefined" not in sentence


def test_variables_of_one_kind_have_one_coefficient_so_that_they_can_be_compared() -> None:
    gaps = {name: list(cells) for name, cells in TASKS.items()}
    gaps["label"] = ["a", "a", "b", None, "b", "b", "a", "a", "b", "a", "b", "b"]
    found = accord.measure(Study(gaps, task="task"))
    assert found.recommended.measure == "krippendorff_alpha"
    assert "one coefficient lets them be compared" in found.reason


def test_percent_agreement_of_sets_is_the_share_of_equal_sets_unless_weights_are_asked_for() -> None:
    sets = Study.from_wide([[["a"], ["a", "b"]], [["b"], ["b"]], [["a"], ["b"]], [["a", "b"], ["a", "b"]]])
    assert accord.measure(sets)["percent_agreement"].value == 0.5
    weighed = accord.measure(sets, weights="masi")["percent_agreement"]
    assert (weighed.title, weighed.value > 0.5) == ("Percent agreement (MASI)", True)


def test_items_are_those_that_can_agree() -> None:
    study = Study.from_wide([["a", "a"], ["b", "a"], ["a", None], [None, "b"], ["b", "b"]])
    assert {result.n_items for result in accord.measure(study)} == {3}


def test_a_share_alone_passes_no_limit(tmp_path: Path) -> None:
    """Every kappa is undefined, so a limit is neither reached nor missed, though percent agreement is 1."""
    file = tmp_path / "same.csv"
    file.write_text("item,ana,ben\n1,yes,yes\n2,yes,yes\n3,yes,yes\n", encoding="utf-8")
    assert run("measure", str(file), "--fail-below", "0.67").code == UNDEFINED
    file.write_text("item,ana,ben\n1,yes,yes\n2,no,no\n3,yes,yes\n4,no,yes\n", encoding="utf-8")
    assert run("measure", str(file), "--fail-below", "0.9").code == BELOW
    assert run("measure", str(file), "--fail-below", "0.3").code == FINE
