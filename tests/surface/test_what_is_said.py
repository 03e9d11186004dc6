"""What a number is, said beside it: near misses, identical answers, primary labels, labels as names."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

import pytest

import accord
from accord import Study
from accord.errors import MeasureError, OptionError
from tests.surface.source import nodes

SETS = Study.from_wide([[["a"], ["a", "b"]], [["b"], ["b"]], [["a"], ["b"]], [["a", "b"], ["a", "b"]]])
RANKED = Study.from_wide(
    [[["a"], ["a", "b"]], [["b"], ["b"]], [["a"], ["b"]], [["b", "a"], ["a", "b"]]], answers="ranked"
)
WHOLE = [[list("abc"), list("acb")], [list("abc"), list("bca")], [list("cab"), list("cab")]]
ORDERS, RANKINGS = Study.from_wide(WHOLE, answers="ranked"), Study.from_wide(WHOLE, answers="ranking")
STARS = [1, 2, 3, 4, 3, 2], [1, 2, 3, 3, 3, 1]


def test_observed_agreement_with_near_misses_is_not_taken_for_percent_agreement() -> None:
    plain = accord.measure(["a", "b", "b", "a"], ["a", "b", "a", "a"]).to_table()
    assert not any("near misses" in note for note in plain.notes)
    both = accord.measure(*STARS).to_table()
    whose = "Observed and expected of Krippendorff's alpha (ordinal)"
    assert f"{whose} count near misses in part: they are no percent agreement." in both.notes
    assert any("of coefficients with weights count" in note for note in accord.measure(SETS).to_table().notes)


@pytest.mark.parametrize(
    ("result", "way"),
    [
        (accord.krippendorff_alpha(SETS), "weights='masi'"),
        (accord.cohen_kappa(RANKED), "weights='overlap'"),
        (accord.krippendorff_alpha(RANKINGS, level="nominal"), "level='ordinal'"),
    ],
)
def test_answers_that_count_only_where_they_are_identical_say_so(result: accord.Agreement, way: str) -> None:
    (note,) = result.notes
    assert note.startswith("Only identical ")
    assert way in note


def test_answers_that_count_in_part_say_nothing_of_identity() -> None:
    assert accord.krippendorff_alpha(SETS, weights="masi").notes == ()
    assert accord.percent_agreement(SETS).notes == ()
    assert accord.cohen_kappa(list("aab"), list("abb")).notes == ()


def test_a_table_by_label_names_its_chance_model_and_what_enters() -> None:
    kappa = accord.cohen_kappa(RANKED)
    assert "Scott's pi of each label against the rest; chance='own' has Cohen's." in kappa.by_label().notes[0]
    assert "its primary label alone counts" in kappa.by_label().notes[1]
    assert kappa.by_label(chance="own").notes[0] == "Chance model: own."
    assert accord.fleiss_kappa(list("aabb"), list("abbb")).by_label().notes == ("Chance model: pooled.",)


@pytest.mark.parametrize("question", [accord.p_curve, accord.item_classes])
def test_whole_orders_have_no_secondary_labels(question: Callable[..., Any]) -> None:
    with pytest.raises(MeasureError, match=r"orders all 3 labels.*answers='ranking'"):
        question(ORDERS)


# -- explain -----------------------------------------------------------------------------------------------------------


def test_a_target_may_be_a_number() -> None:
    with pytest.raises(OptionError, match=r"A number between -1 and 1 will do as well, such as 0\.667"):
        accord.explain(*STARS, target="krippendorff")


def test_chance_models_of_a_scale_are_those_of_names() -> None:
    said = " ".join(str(accord.explain(*STARS, level="ordinal")).split())
    assert "chance-models: Of the labels as names, without their order: " in said


def test_times_that_are_all_the_same_are_times_all_the_same() -> None:
    rows = {
        "item": [number for number in range(60) for _ in "ab"],
        "annotator": ["ana", "ben"] * 60,
        "label": ["xy"[number % 2] for number in range(120)],
        "time": ["2024-01-01T10:00:00"] * 120,
    }
    said = str(accord.explain(Study(rows)))
    assert "Only 0 answers" not in said
    assert "120 answers have a time, and nobody's answers have four different ones" in " ".join(said.split())


def test_hard_items_of_one_annotator_are_not_blamed_on_the_kind_of_answer() -> None:
    said = " ".join(str(accord.explain([["a"], ["b"], ["a"]])).split())
    assert "It is told for one label per answer" not in said


def test_variables_above_the_target_tell_whether_their_intervals_are() -> None:
    rows = {
        "item": [1, 1, 2, 2, 3, 3, 4, 4] * 2,
        "annotator": ["ana", "ben"] * 8,
        "label": [*"aabbaabb", *"aabbaaba"],
        "task": ["tone"] * 8 + ["topic"] * 8,
    }
    said = " ".join(str(accord.explain(Study(rows), target=0.3)).split())
    assert "The value of 2 of 2 variables is above the target, " in said
    assert "with the whole interval; the target is above 0.30" in said


SIGNED = {"value", "kappa", "alpha", "difference", "gap", "slope", "bias", "correlation"}
NOT_SAID = {"agreement/svg_parts.py", "findings/finding.py"}  # a place in a picture; a number of which zero is told


def test_no_value_is_said_to_be_minus_zero() -> None:
    """What may lie a hair below zero is written with a `z`: 0.000, and never -0.000."""
    gold = accord.gold({"item": [1, 1, 2, 2], "annotator": list("abab"), "score": [1.0, 1.0, 2.0, 2.0]}, method="mean")
    assert "bias 0.000, " in str(gold.score({1: 1.000001, 2: 2.000001}))
    without = [
        f"{path}:{node.lineno} {ast.unparse(node.value)}"
        for path, node in nodes(ast.FormattedValue)
        if node.format_spec is not None and path.as_posix() not in NOT_SAID
        if re.fullmatch(r"[+]?,?\.\d+f", "".join(map(_as_written, node.format_spec.values)))  # type: ignore[attr-defined]
        if SIGNED & {getattr(node.value, "id", ""), getattr(node.value, "attr", "")}
    ]
    assert without == []


def _as_written(part: ast.expr) -> str:
    """Of a format: its text, and a digit for what is known only when it runs."""
    return str(part.value) if isinstance(part, ast.Constant) else "1"
