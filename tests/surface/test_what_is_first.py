"""What stands first, and what two values are compared on, where a new user would take the wrong number for the one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import accord
from tests.command.running import run

TRUTH = ["good", "bad", "good", "bad", "good", "bad", "good", "bad"]


def _choice(label: str) -> list[dict[str, Any]]:
    return [{"from_name": "tone", "to_name": "text", "type": "choices", "value": {"choices": [label]}}]


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """Two annotators who agree on all items but one; the model that the tool stored says the opposite of both."""
    tasks = []
    for number, label in enumerate(TRUTH):
        answers = [label, label if number else "bad"]
        tasks.append(
            {
                "id": number,
                "data": {"text": f"text {number}"},
                "annotations": [
                    {"id": 10 * number + who, "completed_by": who + 1, "result": _choice(answer)}
                    for who, answer in enumerate(answers)
                ],
                "predictions": [{"model_version": "m1", "result": _choice("bad" if label == "good" else "good")}],
            }
        )
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks), encoding="utf-8")
    return path


def test_predictions_that_a_tool_stored_do_not_take_the_place_of_agreement(export: Path) -> None:
    found = accord.measure(accord.read(export))
    assert found.recommended.measure == "cohen_kappa"
    assert found[1].measure == "dipietro_hazari_kappa"
    assert "does not say whether annotators saw them" in found.reason
    assert "Of the labels that were stored with the items, DiPietro–Hazari kappa was -" in found.sentence()
    assert str(accord.explain(found.recommended.study)).startswith("Cohen's kappa is ")
    assert run("measure", str(export), "--fail-below", "0.7").code == 0


def test_labels_that_were_named_as_suggested_are_judged_with_agreement_beside() -> None:
    rows = {
        "item": [number for number in range(8) for _ in "ab"],
        "annotator": ["ana", "ben"] * 8,
        "label": [label for label in TRUTH for _ in "ab"],
        "suggested": ["good"] * 16,
    }
    found = accord.measure(accord.Study(rows))
    assert [result.measure for result in found][:2] == ["dipietro_hazari_kappa", "fleiss_kappa"]
    assert "Among the annotators themselves, Fleiss' kappa was 1.000" in found.sentence()


def test_sentences_of_several_variables_name_items_where_they_differ() -> None:
    rows = {
        "item": [1, 1, 2, 2, 3, 3, 1, 1, 2, 2],
        "annotator": ["ana", "ben"] * 5,
        "label": ["a", "a", "b", "b", "a", "b", "x", "x", "y", "y"],
        "task": ["tone"] * 6 + ["topic"] * 4,
    }
    said = accord.measure(accord.Study(rows)).sentence()
    assert "3 items) for tone" in said
    assert "2 items) for topic" in said


# -- the same items ----------------------------------------------------------------------------------------------------


def _round(folder: Path, name: str, text: str | None, first: int = 1) -> str:
    lines = ["item,annotator,label" + (",text" if text else "")]
    for number in range(first, first + 12):
        for who in ("ana", "ben"):
            label = "xy"[number % 2] if who == "ana" or number % 5 else "x"
            lines.append(f"{number},{who},{label}" + (f",{text} {number}" if text else ""))
    (folder / name).write_text("\n".join(lines), encoding="utf-8")
    return str(folder / name)


def test_ids_of_other_texts_are_other_items(tmp_path: Path) -> None:
    one = _round(tmp_path, "one.csv", "the first batch of posts")
    other = _round(tmp_path, "other.csv", "a second batch of posts")
    same = _round(tmp_path, "same.csv", "the first batch of posts")
    said = run("compare", one, other).out
    assert "on different items: 12 of 12 common ids have another text in the other study" in said
    assert "paired over 12 common items)" in run("compare", one, same).out
    assert "paired over 12 common items)" in run("compare", one, other, "--paired").out  # as the user says


def test_ids_that_are_row_numbers_say_so(tmp_path: Path) -> None:
    said = run("compare", _round(tmp_path, "one.csv", None), _round(tmp_path, "other.csv", None)).out
    assert "by their ids, which are row numbers: if they are other items, say --not-paired" in said
    assert "row numbers" not in run("compare", *(_round(tmp_path, name, None, 500) for name in ("a.csv", "b.csv"))).out


def test_lists_of_one_length_may_be_of_the_same_items() -> None:
    first, second, third = list("xyxyxyyy"), list("xyxyyyyx"), list("xyxxxyyx")
    kappas = accord.cohen_kappa(first, second), accord.cohen_kappa(first, third)
    assert "not known to be the same items, so compared as different; paired=True pairs them by row" in str(
        accord.compare(*kappas)
    )
    assert "paired over 8 common items" in str(accord.compare(*kappas, paired=True))


def test_two_levels_of_one_coefficient_are_two_yardsticks() -> None:
    study = accord.Study.from_pairs([1, 2, 3, 4, 2], [1, 2, 3, 3, 2])
    found = accord.compare(accord.krippendorff_alpha(study), accord.krippendorff_alpha(study, level="ordinal"))
    assert "Krippendorff's alpha (nominal) and Krippendorff's alpha (ordinal) count disagreement differently" in str(
        found
    )
    assert accord.compare(accord.cohen_kappa(study), accord.scott_pi(study)).caveat is None
