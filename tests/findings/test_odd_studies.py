"""What explain and its tables say of studies that are hardly any."""

import json
import math
from pathlib import Path

import pytest

import accord
from accord.agreement.uncertainty import Interval
from accord.errors import MeasureError, OptionError
from accord.findings import (
    base_rate_curve,
    chance_models,
    conditional_agreement,
    confusion,
    contested_items,
    explain,
    leave_one_out,
    relative_biases,
)
from accord.findings.finding import Evidence


def test_a_coefficient_that_is_undefined_with_all_is_no_number_in_a_title() -> None:
    table = leave_one_out([["a", "a", "a"]] * 5)
    assert table.title == "Fleiss' kappa without each annotator"
    assert any(note.startswith("With all of them it is undefined. Only 'a' was given") for note in table.notes)


def test_a_study_in_which_nobody_answered_is_not_told_to_hold_another_kind_of_answers() -> None:
    silent = accord.Study([{"item": item, "annotator": name, "label": None} for item in range(3) for name in "ab"])
    with pytest.raises(MeasureError, match="Nobody answered anything"):
        chance_models(silent)


def test_answers_given_twice_are_refused_with_the_way_out() -> None:
    rows = [{"item": 1, "annotator": "ana", "label": "a"}] * 2 + [{"item": 1, "annotator": "ben", "label": "b"}]
    with pytest.raises(MeasureError, match="duplicates='first' or 'last'"):
        relative_biases(accord.Study(rows, duplicates="repeat"))


def test_the_ends_of_an_interval_are_told_apart() -> None:
    assert str(Evidence("kappa", 0.00245, Interval(0.001, 0.004, 0.001, 0.95, "analytic"))) == (
        "kappa: 0.00245 [0.001, 0.004]"
    )
    assert str(Evidence("kappa", -0.005, Interval(-0.0095, -0.0012, 0.001, 0.95, "analytic"))).endswith("[-0.01, 0.00]")
    assert str(Evidence("kappa", 1.0, Interval(1.0, 1.0, 0.0, 0.95, "analytic"))).endswith("[1.00, 1.00]")
    assert str(Evidence("kappa", 1.0, Interval(math.nan, math.nan, 0.0, 0.95, "analytic"))) == "kappa: 1"


def test_one_annotator_who_repeats_is_not_a_subjective_task() -> None:
    rows = [
        {"item": item, "annotator": "gpt", "label": "abc"[(item * 7 + run * (item % 3)) % 3]}
        for item in range(60)
        for run in range(3)
    ]
    found = explain(accord.Study(rows, duplicates="repeat"))
    assert "subjective-task" not in [finding.name for finding in found]
    assert not found.warnings
    assert "nobody to agree with; self_agreement(study) tells agreement with oneself." in str(found).replace("\n", " ")


def test_models_among_the_annotators_are_told() -> None:
    rows = [
        {"item": item, "annotator": name, "label": "ab"[item % 2], "kind": kind}
        for item in range(10)
        for name, kind in (("ana", "person"), ("ben", "person"), ("gpt", "model"))
    ]
    (finding,) = explain(accord.Study(rows, kind="kind"))["models-among-annotators"]
    assert finding.says.startswith("1 of 3 annotators is a model ('gpt')")
    assert (finding.severity, finding.annotators) == ("note", ("gpt",))
    people = [row for row in rows if row["kind"] == "person"]
    assert "models-among-annotators" not in [finding.name for finding in explain(accord.Study(people, kind="kind"))]


def test_what_several_variables_do_not_allow_is_told_once() -> None:
    rows = [
        {"item": item, "annotator": name, "label": "ab"[item % 2], "task": task}
        for item in range(10)
        for name in ("ana", "ben")
        for task in ("first", "second", "third")
        if task != "third" or name == "ana"
    ]
    found = explain(accord.Study(rows, task="task"))
    assert len(set(found.gaps)) == len(found.gaps) < len(found.not_looked_at)
    assert any("(third)" in gap for gap in found.gaps)
    assert any("(first, second)" in gap for gap in found.gaps)
    assert all(gap in " ".join(found.to_text(200).split()) for gap in found.gaps)


def test_a_target_that_is_no_number_is_refused() -> None:
    with pytest.raises(OptionError, match="target must be one of"):
        explain([["a", "b"]], target=[0.7])  # type: ignore[arg-type]


def test_labels_that_are_none_make_no_first_decision() -> None:
    rows = [["accept", "accept"], ["reject", "accept"], ["none", "none"]] * 5
    for given in (["acept"], []):
        with pytest.raises(OptionError, match="given must hold labels that belong together, of 'accept', 'none'"):
            conditional_agreement(rows, given=given)


def test_nobody_is_confused_with_themselves() -> None:
    with pytest.raises(OptionError, match="name two annotators"):
        confusion([["a", "b"], ["b", "b"]], annotators=["1", "1"])


@pytest.mark.parametrize("most", [0, -1, "all"])
def test_contested_items_are_one_or_more(most: object) -> None:
    with pytest.raises(OptionError, match="most must be a whole number"):
        contested_items([["a", "b"], ["b", "b"]], most=most)  # type: ignore[arg-type]


def test_shares_of_a_curve_lie_between_0_and_1() -> None:
    with pytest.raises(OptionError, match="sensitivity must lie between 0 and 1"):
        base_rate_curve(sensitivity="high", specificity=0.5)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="base_rate must lie between 0 and 1; got 2"):
        base_rate_curve(sensitivity=0.9, specificity=0.9).at(2)


def test_a_target_is_no_scale_of_words() -> None:
    result = accord.cohen_kappa([*"aabbaabbab"] * 8, [*"aabbaabbba"] * 8)
    assert str(result.interpret("subjective")).startswith("0.600 is “on target” (Zhao's target for subjective tasks")
    assert str(result.interpret("objective")).endswith("above 0.80); so is the whole interval")
    assert str(result.interpret("highly-subjective")).endswith("; so is the whole interval")
    with pytest.raises(OptionError, match="threshold must lie between -1 and 1"):
        result.interpret(threshold="high")  # type: ignore[arg-type]


def test_a_column_of_conversations_is_kept_and_looked_at_by_nobody(tmp_path: Path) -> None:
    talk = [{"role": "user", "content": "Which of the two boats is the faster one on a calm day?"}]
    rows = [
        {"item": item, "annotator": who, "label": "xy"[(item + shift) % 2], "conversation": talk}
        for item in range(8)
        for shift, who in enumerate(("ana", "ben", "cy"))
    ]
    path = tmp_path / "talks.json"
    path.write_text(json.dumps(rows))
    study = accord.read(path)
    assert len(accord.explain(study)) > 0
    assert accord.report(study, tmp_path / "page.html").exists()
