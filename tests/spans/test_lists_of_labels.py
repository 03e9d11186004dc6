"""A span whose cell holds a list of labels is a span for each of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import accord
from accord.errors import InputError

ROLES: dict[str, Any] = {"item": "doc", "annotator": "who", "label": "tag", "start": "start", "end": "end"}


def rows(*tags: Any) -> list[dict[str, Any]]:
    """Two documents by two people, marked at one place each."""
    places = [("d1", "ana", 0), ("d1", "ben", 0), ("d2", "ana", 4), ("d2", "ben", 4)]
    return [
        {"doc": doc, "who": who, "tag": tag, "start": start, "end": start + 3, "sure": who == "ana"}
        for (doc, who, start), tag in zip(places, tags, strict=True)
    ]


LISTED = rows(["PER", "ORG"], ["PER"], ["LOC"], ["LOC"])
ONE_EACH = [*rows("PER", "PER", "LOC", "LOC"), {**rows("ORG", "", "", "")[0]}]


@pytest.mark.parametrize("form", [list, pl.DataFrame], ids=["records", "Polars"])
def test_each_label_of_a_list_is_a_span_of_its_own(form: Any) -> None:
    study, same = accord.Study(form(LISTED), **ROLES), accord.Study(form(ONE_EACH), **ROLES)
    assert study.labels == same.labels == ("LOC", "ORG", "PER")
    assert accord.span_f1(study).value == accord.span_f1(same).value == pytest.approx(0.8)
    assert "4 rows" in str(study.describe()), "rows are those of the table that was given"


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet"])
def test_what_is_written_is_read_again(ending: str, tmp_path: Path) -> None:
    source = tmp_path / "lists.jsonl"
    source.write_text("\n".join(map(json.dumps, LISTED)), encoding="utf-8")
    study = accord.read(source, **ROLES)
    again = accord.read(study.write(tmp_path / f"long{ending}"))
    assert accord.span_f1(again).value == accord.span_f1(study).value == pytest.approx(0.8)


def test_rows_that_are_set_aside_may_hold_lists_too(tmp_path: Path) -> None:
    source = tmp_path / "lists.jsonl"
    said = ["submitted", "submitted", "submitted", "skipped"]
    rows_of_tool = [{**row, "status": status} for row, status in zip(LISTED, said, strict=True)]
    source.write_text("\n".join(map(json.dumps, rows_of_tool)), encoding="utf-8")
    study = accord.read(source, **ROLES)
    assert (study.kind, study.n_annotations, study.n_rows) == ("spans", 3, 4)
    assert accord.span_f1(study).value == pytest.approx(2 / 3)
    assert accord.span_f1(accord.read(study.write(tmp_path / "long.csv"))).value == pytest.approx(2 / 3)


def test_the_labels_of_one_place_are_a_set_there() -> None:
    matched = accord.matched_spans(accord.Study(LISTED, **ROLES))
    assert (matched.kind, matched.n_items, matched.labels) == ("set", 2, ("LOC", "ORG", "PER"))


def test_an_empty_list_marks_nothing() -> None:
    study = accord.Study(rows(["PER"], [], ["LOC"], ["LOC"]), **ROLES)
    assert accord.span_f1(study).by_item()["value"].tolist() == [0.0, 1.0]


def test_a_place_that_cannot_be_is_named_by_its_row_in_the_table() -> None:
    wrong = [LISTED[0], {**LISTED[1], "end": -2}, *LISTED[2:]]
    with pytest.raises(InputError, match=r"A span ends at -2, before it begins at 0, in row 1\."):
        accord.Study(wrong, **ROLES)


def test_a_list_of_lists_is_an_error() -> None:
    with pytest.raises(InputError, match="'tag'"):
        accord.Study(rows([["PER"]], ["PER"], ["LOC"], ["LOC"]), **ROLES)
