"""Who said what of which item, against a parse of the same file by hand that knows where everything stands."""

from __future__ import annotations

import csv
import json
from collections import Counter
from typing import Any

import pytest

import accord
from accord.study.study import Study
from tests.readers.test_samples import SAMPLES

Said = set[tuple[str, str, str]]


def said(study: Study) -> Said:
    """Item, annotator and label of every answer, as text."""
    rows = study._annotations.rows
    return {
        (str(study.items[item]), study.annotators[who], str(study.answers.value(answer)))
        for item, who, answer in zip(*(column.tolist() for column in rows[:3]), strict=True)
    }


def records(name: str) -> list[dict[str, str]]:
    with (SAMPLES / name).open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def loaded(name: str) -> Any:
    return json.loads((SAMPLES / name).read_text(encoding="utf-8"))


def test_mechanical_turk() -> None:
    forms = [
        (row["Input.lamp_id"], row["WorkerId"], json.loads(row["Answer.taskAnswers"])[0])
        for row in records("mturk-site/batch.csv")
    ]
    by_hand = {
        (item, who, next(label for label, marked in form["topic"].items() if marked)) for item, who, form in forms
    }
    assert said(accord.read(SAMPLES / "mturk-site/batch.csv", only="topic")) == by_hand


def test_turkle() -> None:
    by_hand = {(row["HITId"], row["WorkerId"], row["Answer.broken"]) for row in records("turkle/results.csv")}
    assert said(accord.read(SAMPLES / "turkle/results.csv", only="broken")) == by_hand


def test_qualtrics() -> None:
    responses = [row for row in records("qualtrics/boats.csv")[2:] if row["Status"] != "Survey Preview"]
    by_hand = {(item, row["ResponseId"], row[item]) for row in responses for item in ("Q1", "Q2", "Q3") if row[item]}
    assert said(accord.read(SAMPLES / "qualtrics/boats.csv")) == by_hand


def test_a_loop_of_qualtrics() -> None:
    responses = [row for row in records("qualtrics/loop.csv")[2:] if row["Status"] != "Survey Preview"]
    by_hand = {(turn, row["ResponseId"], row[f"{turn}_Q4"]) for row in responses for turn in "12"}
    assert said(accord.read(SAMPLES / "qualtrics/loop.csv", only="Q4")) == by_hand


def test_a_grid_of_qualtrics() -> None:
    responses = [row for row in records("qualtrics/grid.csv")[2:] if row["Status"] != "Survey Preview"]
    by_hand = {(f"Q{text}", row["ResponseId"], row[f"Q{text}_2"]) for row in responses for text in "123"}
    assert said(accord.read(SAMPLES / "qualtrics/grid.csv", only="kind")) == by_hand


def test_google_forms() -> None:
    asked = ("How kind is text 1?", "How kind is text 2?")
    rows = records("google-forms/questions.csv")
    by_hand = {(item, row["Email Address"], row[item]) for row in rows for item in asked if row[item]}
    assert said(accord.read(SAMPLES / "google-forms/questions.csv")) == by_hand


def test_spss() -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    table, about = pyreadstat.read_sav(SAMPLES / "statistics/wide.sav", output_format="dict")
    by_hand = {
        (str(int(item)), who, about.variable_value_labels[who][table[who][place]])
        for place, item in enumerate(table["item"])
        for who in ("ana", "ben")
        if table[who][place] is not None
    }
    assert said(accord.read(SAMPLES / "statistics/wide.sav")) == by_hand


def test_lewidi() -> None:
    parts = ("train", "dev")
    entries = {
        f"{part}/{key}": held for part in parts for key, held in loaded(f"lewidi-2023/Boats_{part}.json").items()
    }
    by_hand = {
        (item, who, label)
        for item, held in entries.items()
        for who, label in zip(held["annotators"].split(","), held["annotations"].split(","), strict=True)
    }
    assert said(accord.read(SAMPLES / "lewidi-2023", only="kindness detection")) == by_hand


def test_the_alternative_annotator_test() -> None:
    people = {**loaded("alt-test/human_annotations.json"), **loaded("alt-test/llm_annotations.json")}
    by_hand = {
        (instance.removesuffix("__kind"), who, str(label))
        for who, answers in people.items()
        for instance, label in answers.items()
        if instance.endswith("__kind")
    }
    assert said(accord.read(SAMPLES / "alt-test", only="kind")) == by_hand


def test_judge_bench() -> None:
    study = accord.read(SAMPLES / "judge-bench/recipes.json", only="edible")
    item, _, answer, count = (column.tolist() for column in study._annotations.rows)
    counts = {(study.items[i], study.answers.value(k)): n for i, k, n in zip(item, answer, count, strict=True)}
    instances = loaded("judge-bench/recipes.json")["instances"]
    by_hand = Counter(
        (instance["id"], score)
        for instance in instances
        for score in instance["annotations"]["edible"]["individual_human_scores"]
    )
    assert counts == by_hand


def test_labelme() -> None:
    shapes = accord.read(SAMPLES / "labelme").tasks["shapes"]
    boxes = {place for places in shapes.answers.places for place in places}
    drawn = {(float(x), 10.0, 50.0 - x, 30.0) for x in (10, 12)}  # the two people's boats, by their corners
    assert drawn <= {tuple(float(side) for side in box[:4]) for box in boxes}


def test_langfuse_and_phoenix() -> None:
    scores = loaded("langfuse-v3/scores.json")["data"]
    by_hand = {(one["subject"]["id"], one["authorUserId"], one["value"]) for one in scores if one["name"] == "helpful"}
    assert said(accord.read(SAMPLES / "langfuse-v3/scores.json", only="helpful")) == by_hand
    rows = [row for row in records("phoenix-dataframe/annotations.csv") if row["annotation_name"] == "correct"]
    by_hand = {(row["span_id"], row["user_id"] or row["identifier"], row["result.label"]) for row in rows}
    assert said(accord.read(SAMPLES / "phoenix-dataframe/annotations.csv", only="correct")) == by_hand
