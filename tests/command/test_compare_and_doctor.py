"""`accord compare` puts two rounds side by side; `accord doctor` tells what a file was taken for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import accord
from accord.readers.diagnosis import diagnose
from tests.command.running import TINY, Said, run
from tests.command.test_command import SCHEMA


def as_json(said: Said) -> Any:
    told = json.loads(said.out)
    jsonschema.Draft202012Validator(SCHEMA).validate(told)
    return told


@pytest.fixture
def rounds(tmp_path: Path) -> Path:
    good = [
        f"{item},{who},{'xy'[(item + (item in (7, 22, 30) and who == 'ben')) % 2]}"  # they differ on three items
        for item in range(40)
        for who in ("ana", "ben")
    ]
    bad = [
        f"{item},{who},{'xy'[(item // (1 + place)) % 2]}"
        for item in range(40)
        for place, who in enumerate(("ana", "ben"))
    ]
    for name, lines in (("good", good), ("bad", bad)):
        (tmp_path / f"{name}.csv").write_text("item,annotator,label\n" + "\n".join(lines), encoding="utf-8")
    return tmp_path


# -- compare -----------------------------------------------------------------------------------------------------------


def test_two_rounds_are_compared_on_the_items_that_they_share(rounds: Path) -> None:
    told = as_json(run("compare", "bad.csv", "good.csv", "--json", folder=rounds))
    (part,) = told["variables"]
    kappas = [accord.cohen_kappa(accord.read(rounds / name)) for name in ("bad.csv", "good.csv")]
    expected = accord.compare(*kappas)
    assert told["studies"] == ["bad.csv", "good.csv"]
    assert part["measure"] == "cohen_kappa"
    assert (part["comparison"]["difference"], part["comparison"]["p"]) == (expected.difference, expected.p)
    assert part["comparison"]["common_items"] == 40
    said = run("compare", "bad.csv", "good.csv", folder=rounds)
    assert "Cohen's kappa is higher in good.csv than in bad.csv by " in said.out
    assert "paired over 40 common items" in said.out
    assert said.code == 0


def test_a_round_that_is_worse_can_fail_a_build(rounds: Path) -> None:
    assert run("compare", "bad.csv", "good.csv", "--fail-if-lower", folder=rounds).code == 0
    said = run("compare", "good.csv", "bad.csv", "--fail-if-lower", folder=rounds)
    assert said.code == 1
    assert said.err.startswith("accord: Cohen's kappa is lower in bad.csv than in good.csv by ")


def test_the_coefficient_fits_both_or_is_named(rounds: Path) -> None:
    more = (rounds / "good.csv").read_text(encoding="utf-8") + "\n0,chloe,x\n1,chloe,y"
    (rounds / "three.csv").write_text(more, encoding="utf-8")
    said = run("compare", "good.csv", "three.csv", folder=rounds)
    assert "Krippendorff's alpha fits both." in said.out
    named = run("compare", "good.csv", "bad.csv", "--measure", "gwet-ac", "--format", "csv", folder=rounds)
    assert named.out.count("Gwet's AC1") == 2


def test_rounds_without_common_items_are_compared_as_such(rounds: Path) -> None:
    said = run("compare", "bad.csv", "good.csv", "--not-paired", "-q", folder=rounds)
    assert "on different items" in said.out


@pytest.mark.parametrize("files", [["good.csv"], ["good.csv", "bad.csv", "good.csv"]])
def test_two_files_are_compared(files: list[str], rounds: Path) -> None:
    said = run("compare", *files, folder=rounds)
    assert said.code == 2
    assert "Two files are compared" in said.err


def test_a_margin_asks_whether_the_second_is_no_worse_than_that(rounds: Path) -> None:
    told = as_json(run("compare", "bad.csv", "good.csv", "--margin", "0.05", "--json", folder=rounds))
    within = told["variables"][0]["within_margin"]
    kappas = [accord.cohen_kappa(accord.read(rounds / name)) for name in ("bad.csv", "good.csv")]
    assert within["p"] == accord.compare(kappas[1], kappas[0], margin=0.05).p
    assert (within["alternative"], within["margin"]) == ("non-inferior", 0.05)
    better = run("compare", "bad.csv", "good.csv", "--margin", "0.05", folder=rounds)
    assert "good.csv is shown to be at least bad.csv less 0.05 (p = " in better.out
    worse = run("compare", "good.csv", "bad.csv", "--margin", "0.05", "--alternative", "equivalent", folder=rounds)
    assert "bad.csv is not shown to be within 0.05 of good.csv (p = " in worse.out


@pytest.mark.parametrize("options", [["--margin", "-1"], ["--alternative", "equivalent"]])
def test_a_margin_that_cannot_be_is_refused(options: list[str], rounds: Path) -> None:
    said = run("compare", "bad.csv", "good.csv", *options, folder=rounds)
    assert said.code == 2
    assert "--margin" in said.err


def test_a_round_without_a_single_disagreement_is_not_compared(rounds: Path) -> None:
    """Forty items that agree do not show by how much the next forty would not; p was 0."""
    rows = [f"{item},{who},{'xy'[item % 2]}" for item in range(40) for who in ("ana", "ben")]
    (rounds / "perfect.csv").write_text("item,annotator,label\n" + "\n".join(rows), encoding="utf-8")
    said = run("compare", "bad.csv", "perfect.csv", folder=rounds)
    assert said.code == 3
    assert "cannot be compared" in said.out


def test_an_undefined_round_is_three(rounds: Path) -> None:
    (rounds / "one.csv").write_text("item,annotator,label\n1,ana,x\n1,ben,x\n2,ana,x\n2,ben,x\n", encoding="utf-8")
    said = run("compare", "good.csv", "one.csv", folder=rounds)
    assert said.code == 3
    assert "cannot be compared" in said.out


# -- doctor ------------------------------------------------------------------------------------------------------------


def test_every_column_is_told_what_it_was_taken_for(tmp_path: Path) -> None:
    rows = ["doc,coder,code,topic,age,minutes,empty"]
    for item in range(6):
        for who, age in (("ana", 30), ("ben", 41)):
            rows.append(f"{item},{who},{'xy'[item % 2]},{'abc'[item % 3]},{age},{item + age},")
    (tmp_path / "x.csv").write_text("\n".join(rows), encoding="utf-8")
    found = {column.name: column.taken_for for column in diagnose(tmp_path / "x.csv").columns}
    assert found == {
        "doc": "the item",
        "coder": "the annotator",
        "code": "the label",
        "topic": "something about items; it can make groups",
        "age": "something about annotators; it can make groups",
        "minutes": "something about single answers; kept, and not measured",
        "empty": "nothing: it is empty",
    }
    said = run("doctor", "x.csv", folder=tmp_path)
    assert said.code == 0
    for words in (
        "--item …",
        "--by topic",
        "Can be measured: Cohen's kappa",
        "Cannot be measured:",
        "time (--time …): ",
    ):
        assert words in said.out


def test_what_is_there_is_not_said_to_be_missing() -> None:
    told = as_json(run("doctor", TINY, "--json"))
    held = {column["taken_for"].removeprefix("the ") for column in told["columns"]}
    assert "text" in held
    assert "text" not in {gain["role"] for gain in told["gains"]}
    assert "time" in {gain["role"] for gain in told["gains"]}


def test_numbers_are_asked_about(tmp_path: Path) -> None:
    lines = [f"{item},{who},{1 + item % 5}" for item in range(10) for who in ("ana", "ben")]
    (tmp_path / "x.csv").write_text("item,annotator,label\n" + "\n".join(lines), encoding="utf-8")
    said = run("doctor", "x.csv", folder=tmp_path).out
    assert "say --level ordinal" in said or "say --level interval" in said
    assert "at the ordinal level" in run("doctor", "x.csv", "--level", "ordinal", folder=tmp_path).out


def test_a_wide_table_has_a_column_an_annotator(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("item,ana,ben,topic\n1,x,x,a\n2,y,x,b\n3,x,x,a\n", encoding="utf-8")
    found = {column.name: column.taken_for for column in diagnose(tmp_path / "x.csv").columns}
    assert found["ana"] == found["ben"] == "the answers of an annotator"
    assert found["topic"] == "something about items; it can make groups"


def test_a_file_that_is_no_study_is_told_about_too(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("item,label\n1,x\n2,y\n", encoding="utf-8")
    said = run("doctor", "x.csv", folder=tmp_path)
    assert said.code == 2
    assert "the label" in said.out
    assert "Which column is the annotator?" in said.err
    assert as_json(run("doctor", "x.csv", "--json", folder=tmp_path))["problem"]["error"] == "InputError"


def test_an_export_tells_its_format(tmp_path: Path) -> None:
    result = [{"type": "choices", "from_name": "tone", "to_name": "text", "value": {"choices": ["good"]}}]
    tasks = [
        {
            "id": 1,
            "data": {"text": "t"},
            "annotations": [{"id": who, "completed_by": who, "result": result} for who in (1, 2)],
        }
    ]
    (tmp_path / "x.json").write_text(json.dumps(tasks), encoding="utf-8")
    found = diagnose(tmp_path / "x.json")
    assert found.recognised.startswith("label-studio: ")
    assert found.why == "a JSON list of tasks with 'data' and 'annotations'"
    assert all(column.otherwise is None for column in found.columns), "nothing of an export can be chosen"


def test_the_doctor_reads_a_pipe_once() -> None:
    import io
    import sys
    from unittest import mock

    from tests.command.running import DATA

    with mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO((DATA / TINY).read_bytes()))):
        assert diagnose("-").study is not None


def test_the_columns_of_a_family_are_told_with_their_variable_and_annotator(tmp_path: Path) -> None:
    rows = [f"{place},{place % 3},{place % 3},{place % 5},{99 if place == 4 else place % 5}" for place in range(30)]
    (tmp_path / "x.csv").write_text("unit,frame_c1,frame_c2,tone_c1,tone_c2\n" + "\n".join(rows), encoding="utf-8")
    found = diagnose(tmp_path / "x.csv")
    assert [column.taken_for for column in found.columns][1:3] == ["frame by c1", "frame by c2"]
    said = run("doctor", "x.csv", folder=tmp_path)
    assert "99 is no answer" in said.out
    assert accord.read(tmp_path / "x.csv").n_rows == 30
