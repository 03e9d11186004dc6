"""Plain tables as they are found: titles above and sums below, blank rows, odd headers, turned tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import accord
from accord.annotations.left_out import Reason
from accord.errors import DuplicateAnswers, FileError
from accord.readers import delimited

HEAD, ROWS = "id,ana,ben", ("1,x,x", "2,y,x", "3,x,x", "4,y,y", "5,x,y", "6,y,y")
TABLE = "\n".join((HEAD, *ROWS)) + "\n"
SCORES = "id,ana,ben\n1,3,2\n2,1,1\n3,2,2\n4,3,3\n5,1,2\n6,2,2\n"


def put(folder: Path, text: str, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(params=[0, 1 << 24], ids=["as if large", "small"])
def _size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "SMALL", request.param)


@pytest.mark.usefixtures("_size")
@pytest.mark.parametrize("table", [TABLE, SCORES], ids=["words", "numbers"])
@pytest.mark.parametrize("last", ["Total,12,12", "Mean,2.0,1.9", "Cohen's kappa,0.66,", "Sum,12,12\nAverage,2,2"])
def test_sums_below_the_last_item_are_no_items(tmp_path: Path, table: str, last: str) -> None:
    study, plain = accord.read(put(tmp_path, f"{table}{last}\n")), accord.read(put(tmp_path, table, "plain.csv"))
    assert (study.n_items, study.labels, study.n_annotations) == (6, plain.labels, 12)
    assert study.left_out.of(Reason.SUMMARY) == last.count("\n") + 1
    assert any("summing up the others, left out: " in note for note in study.notes)


def test_an_item_that_is_called_total_stays_where_it_stands_among_others(tmp_path: Path) -> None:
    assert accord.read(put(tmp_path, "word,ana,ben\ntotal,x,x\nboat,y,x\nship,x,x\n"), item="word").n_items == 3


@pytest.mark.usefixtures("_size")
def test_blank_rows_are_counted_and_no_items(tmp_path: Path) -> None:
    study = accord.read(put(tmp_path, f"{TABLE},,\n , ,\n"))
    assert (study.n_items, study.n_annotations, study.left_out.of(Reason.NO_ITEM)) == (6, 12, 2)


@pytest.mark.usefixtures("_size")
@pytest.mark.parametrize("above", ["Emails of 2024\n\n", "Emails of 2024,,\n,,\n", "Emails\nSecond round\n"])
def test_titles_above_the_table_are_passed_over_and_named(tmp_path: Path, above: str) -> None:
    for mark in ",;":
        text = f"{above}{TABLE}".replace(",", mark)
        study = accord.read(put(tmp_path, text))
        assert (study.n_items, study.annotators) == (6, ("ana", "ben"))
        assert any(note.startswith("lines above the table were passed over: 'Emails") for note in study.notes)


def test_a_table_as_it_is_printed_is_refused(tmp_path: Path) -> None:
    for text in (
        "| id | ana | ben |\n|----|-----|-----|\n| 1 | x | y |\n",
        "id | ana | ben\n---+-----+----\n1 | x | y\n",
    ):
        with pytest.raises(FileError, match=r"line 2: .* is a rule of dashes.*Save the table as CSV"):
            accord.read(put(tmp_path, text, "t.txt"))


def test_annotators_who_are_called_by_numbers_may_answer_in_numbers(tmp_path: Path) -> None:
    rows = "".join(f"{n},{n % 3 + 1},{n % 2 + 1},{(n + 1) % 3 + 1}\n" for n in range(6))
    assert accord.read(put(tmp_path, f"id,1,2,3\n{rows}")).annotators == ("1", "2", "3")
    with pytest.raises(FileError, match="'ana' comes again below itself, and '8' is a number above numbers"):
        accord.read(put(tmp_path, "ana,LOC,4,8\nana,PER,0,2\nben,LOC,4,9\nben,PER,0,2\n"))


def test_a_frame_without_names_may_hold_the_numbers_of_its_columns() -> None:
    cells = np.array([[0, 1], [1, 1], [0, 0], [1, 1], [0, 1]])
    assert accord.fleiss_kappa(pd.DataFrame(cells)).value == accord.fleiss_kappa(cells).value


@pytest.mark.parametrize(
    "name", ["Resolved", "Gold label (expert)", "Consensus after discussion", "final label (after discussion)"]
)
def test_what_was_decided_is_no_annotator(tmp_path: Path, name: str) -> None:
    text = "\n".join([f"{HEAD},{name}", *(f"{row},{row[2]}" for row in ROWS)])
    study = accord.read(put(tmp_path, text))
    assert study.annotators == ("ana", "ben")
    assert f"taken aside, as no annotator's answers: {name!r}" in study.notes


def test_labels_with_commas_that_share_a_part_may_be_several(tmp_path: Path) -> None:
    rows = "".join(f'{n},{who},"{a}, sad"\n' for n in range(3) for who, a in (("ana", "x"), ("ben", "xy"[n % 2])))
    study = accord.read(put(tmp_path, f"item,annotator,label\n{rows}"))
    assert any(note.endswith("if they hold several, say separator=','") for note in study.notes)
    assert accord.read(put(tmp_path, f"item,annotator,label\n{rows}"), separator=",").labels == ("sad", "x", "y")


def test_items_that_begin_anew_in_every_batch_are_asked_about(tmp_path: Path) -> None:
    rows = "".join(f"{batch},{n},{who},x\n" for batch in "ab" for n in range(3) for who in ("ana", "ben"))
    with pytest.raises(DuplicateAnswers, match=r"say item=\['item', 'batch'\]"):
        accord.read(put(tmp_path, f"batch,item,annotator,label\n{rows}"))


def test_a_turned_table_is_said_to_be_one_and_read_so_where_it_is_said(tmp_path: Path) -> None:
    text = ",d1,d2,d3,d4,d5,d6\nana,x,y,x,y,x,y\nben,x,x,x,y,y,y\n"
    study = accord.read(put(tmp_path, text))
    assert any(
        "more annotators (6) than items (2); if a row is an annotator, say annotator='row'" in n for n in study.notes
    )
    turned = accord.read(put(tmp_path, text), annotator="row")
    assert (turned.annotators, turned.n_items, turned.n_annotations) == (("ana", "ben"), 6, 12)


def test_annotators_who_write_the_same_labels_otherwise_are_annotators(tmp_path: Path) -> None:
    rows = "".join(f"{n},{'Yes' if n % 2 else 'No'},{'yes ' if n % 3 else 'no'}\n" for n in range(6))
    study = accord.read(put(tmp_path, f"id,ana,ben\n{rows}"))
    assert study.annotators == ("ana", "ben")
    assert any("'Yes', 'yes ' differ in case and blanks only; trim=True, fold_case=True" in n for n in study.notes)


def test_percentages_may_be_a_scale(tmp_path: Path) -> None:
    rows = "".join(f"{n},{10 * n}%,{10 * (n // 2)}%\n" for n in range(6))
    found = accord.measure(accord.read(put(tmp_path, f"id,ana,ben\n{rows}")))
    assert "The labels are numbered ('0%' to '50%')" in str(found)
