"""An item that several columns name together: in files and frames of every engine, in the command, written and read."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import accord
from accord import Study
from accord.errors import ColumnMissing, DuplicateAnswers, InputError, OptionError
from tests.command.running import run

BOTH = ["transcript", "utterance"]
LONG = "transcript,utterance,annotator,label\n1,1,a,x\n1,1,b,x\n1,2,a,y\n1,2,b,x\n2,1,a,y\n2,1,b,y\n"
WIDE = "transcript,utterance,ana,ben\n1,1,x,x\n1,2,y,x\n2,1,y,y\n2,2,x,x\n"
KAPPA = 1 / 3


def put(folder: Path, text: str, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_two_columns_name_an_item_of_a_file(tmp_path: Path) -> None:
    study = accord.read(put(tmp_path, LONG), item=BOTH)
    assert study.items == ("1 | 1", "1 | 2", "2 | 1")
    assert accord.fleiss_kappa(study).value == pytest.approx(KAPPA)
    assert len(accord.fleiss_kappa(study, by="transcript").by_group()) == 2, "each still makes groups"
    assert accord.read(put(tmp_path, WIDE), item=BOTH).annotators == ("ana", "ben")
    assert accord.read(put(tmp_path, LONG), item=tuple(BOTH)).n_items == 3


def test_frames_lists_and_lazy_tables_take_them_too(tmp_path: Path) -> None:
    frame = pd.read_csv(put(tmp_path, LONG))
    tables = [
        frame,
        pl.from_pandas(frame),
        pl.from_pandas(frame).lazy(),
        frame.to_dict("list"),
        frame.to_dict("records"),
    ]
    for table in tables:
        assert accord.fleiss_kappa(table, item=BOTH).value == pytest.approx(KAPPA)
        said = Study(table, item=BOTH, annotator="annotator", label="label")
        assert accord.fleiss_kappa(said).value == pytest.approx(KAPPA)
    wide = pd.read_csv(put(tmp_path, WIDE))
    for study in (Study.from_wide(wide, item=BOTH), Study(wide, item=BOTH)):
        assert (study.n_items, study.annotators) == (4, ("ana", "ben"))


def test_whole_numbers_with_a_gap_name_the_same_items_as_without(tmp_path: Path) -> None:
    frame = pd.read_csv(put(tmp_path, f"{LONG},9,a,x\n"))
    study = Study(frame, item=BOTH)
    assert study.items == ("1 | 1", "1 | 2", "2 | 1")
    assert dict(study.left_out) == {"rows without an item": 1}


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    first = accord.read(put(tmp_path, LONG), item=BOTH)
    again = accord.read(first.write(tmp_path / "long.csv"))
    assert (again.items, again.n_annotations) == (first.items, first.n_annotations)
    gold = accord.gold(first).to_table().to_dict()
    assert "1 | 1" in str(gold)


def test_the_command_takes_them_with_a_comma(tmp_path: Path) -> None:
    put(tmp_path, LONG)
    said = run("measure", "t.csv", "--item", "transcript,utterance", folder=tmp_path)
    assert (said.code, "Study of 3 items by 2 annotators" in said.out) == (0, True)


def test_answers_that_repeat_because_an_item_has_two_names_say_so(tmp_path: Path) -> None:
    way = r"name an item together, say item=\['utterance', 'transcript'\]"
    with pytest.raises(DuplicateAnswers, match=way):
        accord.read(put(tmp_path, LONG))
    with pytest.raises(InputError, match=way):
        accord.read(put(tmp_path, WIDE))


def test_columns_that_are_missing_or_cannot_be_told_apart_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ColumnMissing, match="'turn'"):
        accord.read(put(tmp_path, LONG), item=["transcript", "turn"])
    table = {"a": ["x | y", "x"], "b": ["z", "y | z"], "annotator": ["p", "q"], "label": [1, 2]}
    for data in (table, pl.LazyFrame(table)):
        with pytest.raises(InputError, match="cannot name items together"):
            Study(data, item=["a", "b"], annotator="annotator", label="label")
    lazy = pl.LazyFrame({"a": [0.5], "b": [1], "annotator": ["p"], "label": ["x"]})
    with pytest.raises(InputError, match="'a' is one of several that name the item, and holds decimals"):
        Study(lazy, item=["a", "b"], annotator="annotator", label="label")


def test_no_column_at_all_is_refused_in_files_and_frames(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"item must name a column, or several; got \[\]"):
        accord.read(put(tmp_path, LONG), item=[])
    with pytest.raises(OptionError, match=r"item must name a column, or several; got \[\]"):
        Study({"item": [1], "annotator": ["ana"], "label": [2]}, item=[])
