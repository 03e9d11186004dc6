"""Lists and objects in cells of text, as JSON, pandas and NumPy write them."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import accord
from accord import Study
from accord.readers import delimited
from accord.study.tables.list_cells import nested


def put(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("people", "labels"),
    [
        ('"[""a"", ""b""]"', '"[""x"", ""y""]"'),
        ("\"['a', 'b']\"", "\"['x', 'y']\""),
        ("['a' 'b']", "['x' 'y']"),
        ("\"array(['a', 'b'], dtype=object)\"", "\"array(['x', 'y'], dtype=object)\""),
    ],
    ids=["JSON", "pandas", "NumPy", "array"],
)
@pytest.mark.parametrize("size", [0, 1 << 24], ids=["large", "small"])
def test_people_and_labels_in_lists_are_annotations(
    people: str, labels: str, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delimited, "SMALL", size)
    path = put(tmp_path, f"id,annotators,labels\n1,{people},{labels}\n2,{people},{labels}\n")
    for study in (accord.read(path), Study(pd.read_csv(path))):
        assert (study.annotators, study.labels, study.n_annotations) == (("a", "b"), ("x", "y"), 4)
        assert "cells of 'annotators', 'labels' hold lists and were read as such" in study.notes


def test_lists_of_lists_are_sets_of_people_who_are_called_otherwise(tmp_path: Path) -> None:
    rows = "1,\"['a1', 'a2']\",\"[['age'], ['age', 'race']]\"\n2,\"['a1', 'a3']\",\"[['race'], []]\"\n"
    study = accord.read(put(tmp_path, f"id,anon_annotators,annotations\n{rows}"))
    assert (study.kind, study.annotators, study.labels) == ("set", ("a1", "a2", "a3"), ("age", "race"))
    assert study.n_annotations == 4, "nothing chosen is an answer"


def test_a_list_in_the_column_of_labels_is_a_set(tmp_path: Path) -> None:
    long = accord.read(put(tmp_path, "item,annotator,label\n1,a,\"['x', 'y']\"\n1,b,['x']\n2,a,[]\n2,b,['y']\n"))
    wide = accord.read(put(tmp_path, "item,a,b\n1,\"['x', 'y']\",['x']\n2,[],['y']\n"))
    for study in (long, wide):
        assert (study.kind, study.n_annotations, study.labels) == ("set", 4, ("x", "y"))


def test_a_parquet_file_of_lists_side_by_side_is_sets(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    items = [f"i{number}" for number in range(6)]
    pl.DataFrame({"item": items, "a": [["x"], ["y"]] * 3, "b": [["x"], ["x", "y"]] * 3}).write_parquet(path)
    study = accord.read(path)
    assert (study.kind, study.annotators, study.labels, study.n_annotations) == ("set", ("a", "b"), ("x", "y"), 12)


def test_batches_with_lists_in_cells_are_put_together(tmp_path: Path) -> None:
    paths = []
    for number in (1, 2):
        path = tmp_path / f"batch_{number}.csv"
        rows = (f"{number}{item},\"['a', 'b']\",\"['x', '{label}']\"\n" for item, label in enumerate("xyx"))
        path.write_text("id,annotators,labels\n" + "".join(rows))
        paths.append(path)
    study = accord.read(paths)
    assert (study.n_items, study.annotators, study.n_annotations) == (6, ("a", "b"), 12)


def test_brackets_are_text_where_one_cell_is_no_list(tmp_path: Path) -> None:
    study = accord.read(put(tmp_path, "item,annotator,label\n1,a,[laughs]\n1,b,[1]\n2,a,[laughs]\n2,b,[laughs]\n"))
    assert study.labels == ("[1]", "[laughs]")


def test_names_side_by_side_with_commas_are_lists(tmp_path: Path) -> None:
    study = accord.read(put(tmp_path, 'id,annotators,annotations\n1,"a,b,c","0,1,1"\n2,"a,c","1,1"\n'))
    assert (study.annotators, study.labels, study.n_annotations) == (("a", "b", "c"), (0, 1), 5)


def test_a_separator_that_is_said_leaves_cells_as_they_are(tmp_path: Path) -> None:
    path = put(tmp_path, 'item,annotator,label\n1,a,"[""x"", ""y""]"\n1,b,"[""x""]"\n')
    assert accord.read(path, separator="json").labels == ("x", "y")
    assert accord.read(path, separator="|").labels == ('["x", "y"]', '["x"]')


@pytest.mark.parametrize("text", ["[", "['a'", "[1]]", "['a' 'b", "a b", "[a, b]", "[1, 2] x", "{'a': }", "[" * 200])
def test_what_is_no_list_is_none(text: str) -> None:
    assert nested(text) is None


@pytest.mark.parametrize("cell", ["[{}]", "['{}']", "[{}, 7]"])
@pytest.mark.parametrize("role", ["item", "annotator"])
def test_names_in_brackets_are_names(tmp_path: Path, role: str, cell: str) -> None:
    rows = [(item, who, "xy"[item == who == 2]) for item in (1, 2) for who in (1, 2)]
    named = [{"item": item, "annotator": who, "label": label} for item, who, label in rows]
    path = tmp_path / "table.csv"
    pl.DataFrame([row | {role: cell.format(row[role])} for row in named]).write_csv(path)
    study = accord.read(path)
    names = study.items if role == "item" else study.annotators
    assert (names, study.labels, study.n_annotations) == ((cell.format(1), cell.format(2)), ("x", "y"), 4)
