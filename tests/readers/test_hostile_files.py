"""Files, settings and columns that once ended in errors of others, in silence or in gigabytes."""

from __future__ import annotations

import inspect
import json
import os
import socket
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import accord
from accord import Study
from accord.coefficients import annotator_pairs
from accord.engine import lazy_annotations
from accord.errors import AccordError, FileError, InputError, LabelError, MeasureError, Message, OptionError
from accord.readers import source
from tests.command.running import run
from tests.fuzz.odd_options import ODD
from tests.readers.corruption import SAMPLES

LONG = "item,annotator,label\n1,ana,x\n1,ben,x\n2,ana,y\n2,ben,x\n"
ENDLESS = "9" * 5000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "x.csv").write_text(LONG, encoding="utf-8")
    (tmp_path / "wide.csv").write_text("item,ana,ben\n1,x,x\n2,y,x\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("ending", ["json", "jsonl"])
def test_a_number_of_too_many_digits_is_told_where_it_stands(ending: str, tmp_path: Path) -> None:
    row = f'{{"item": 1, "annotator": "a", "label": {ENDLESS}}}'
    (tmp_path / f"x.{ending}").write_text(f"[{row}]" if ending == "json" else row, encoding="utf-8")
    with pytest.raises(FileError, match=r"It holds a number of more than 4,300 digits\. Write it as text"):
        accord.read(tmp_path / f"x.{ending}")


@pytest.mark.parametrize(
    ("settings", "said"),
    [(f"labels = {ENDLESS}", "This is not TOML"), (f"labels = {'[' * 5000}", "nested too deeply to be settings")],
)
def test_settings_that_cannot_be_read_are_told(settings: str, said: str, folder: Path) -> None:
    (folder / "accord.toml").write_text(settings, encoding="utf-8")
    done = run("measure", "x.csv", folder=folder)
    assert (done.code, said in done.err) == (2, True)


def test_a_status_that_no_column_says_is_an_error(folder: Path) -> None:
    with pytest.raises(OptionError, match="names a status, and no column of the table says one"):
        accord.read(folder / "x.csv", include=["draft"])
    assert run("measure", "x.csv", "--include", "draft", folder=folder).code == 2


@pytest.mark.parametrize("adjudicator", [5.5, [5.5], {"ana": 1}, [None]])
def test_an_adjudicator_is_a_name(adjudicator: Any, folder: Path) -> None:
    with pytest.raises(OptionError, match="adjudicator must be a name, or a list of names"):
        accord.read(folder / "x.csv", adjudicator=adjudicator)


@pytest.mark.parametrize("option", sorted({*inspect.signature(accord.read).parameters} - {"path", "progress"}))
def test_an_option_of_the_wrong_kind_is_refused_or_taken(option: str, folder: Path) -> None:
    """Python's own errors fail the test."""
    for file in (folder / "x.csv", folder / "wide.csv", SAMPLES / "label-studio" / "export.json"):
        for value in ODD.values():
            with suppress(AccordError):
                str(accord.read(file, **{option: value}))


@pytest.mark.parametrize("role", ["item", "label"])
@pytest.mark.parametrize("lazy", [False, True])
def test_columns_of_128_bits_are_numbers_like_others(role: str, lazy: bool) -> None:
    table: dict[str, Any] = {"item": [1, 1, 2, 2, 3, 3], "annotator": ["a", "b"] * 3, "label": [1, 2, 2, 2, 1, 1]}
    plain = accord.fleiss_kappa(Study(table)).value
    frame = pl.DataFrame(table).with_columns(pl.col(role).cast(pl.Int128))
    assert accord.fleiss_kappa(Study(frame.lazy() if lazy else frame)).value == plain
    large = pl.DataFrame({**table, role: pl.Series([cell * 2**90 for cell in table[role]], dtype=pl.Int128)})
    assert accord.fleiss_kappa(Study(large)).value == plain


@pytest.mark.parametrize("unit", ["D", "ns"])
def test_a_duration_is_no_label(unit: Any) -> None:
    with pytest.raises(LabelError, match="timedelta64"):
        Study.from_pairs([np.timedelta64(1, unit)], [np.timedelta64(2, unit)])


def test_lines_of_utf_16_end_at_line_ends_only(tmp_path: Path) -> None:
    rows = [{"item": i, "annotator": who, "label": "x\u2028y\x85z"} for i in (1, 2) for who in "ab"]
    text = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    (tmp_path / "x.jsonl").write_bytes(text.encode("utf-16"))
    assert accord.read(tmp_path / "x.jsonl").labels == ("x\u2028y\x85z",)


def test_parquet_that_is_damaged_further_down_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lazy_annotations, "CROWD_ROWS", 100)
    path = tmp_path / "x.parquet"
    rows = 60_000
    columns = {"item": [f"i{row // 3}" for row in range(rows)], "annotator": [*"abc"] * (rows // 3)}
    pl.DataFrame({**columns, "label": ["x", "y"] * (rows // 2)}).write_parquet(path, row_group_size=5_000)
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 20_000] = bytes(20_000)
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"damaged|cannot be read as Parquet"):
        str(accord.measure(accord.read(path)))


def test_files_of_a_zip_that_claim_too_much_together_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "ALL_AT_LEAST", 0)
    with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        for place in range(4):
            packed.writestr(f"{place}.csv", "a" * 1_000_000)
    with pytest.raises(FileError, match=r"Its 4 files claim 4,000,000 bytes out of .* Unpack it with a tool you trust"):
        accord.read(tmp_path / "x.zip")


def test_of_many_files_less_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "ALL_HEADS", 40)
    monkeypatch.setattr(source, "LEAST_HEAD", 10)
    for place in range(3):
        (tmp_path / f"{place}.txt").write_text("word " * 100, encoding="utf-8")
    assert len(source.Source(tmp_path).glance("0.txt").text) <= 13


def test_a_folder_is_not_walked_to_its_end_to_be_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "MOST_NAMES", 2)
    for place in range(5):
        (tmp_path / str(place)).mkdir()
        (tmp_path / str(place) / "x.csv").write_text(LONG, encoding="utf-8")
    with pytest.raises(FileError, match=r"more than 2 files\. Name the folder of the export"):
        accord.read(tmp_path)


def put_no_files(folder: Path) -> None:
    """Everything that may stand in a folder and is no file, each under the name of a table."""
    (folder / "elsewhere").symlink_to(folder.parent, target_is_directory=True)
    (folder / "gone.csv").symlink_to(folder / "nowhere.csv")
    (folder / "null.csv").symlink_to("/dev/null")
    os.mkfifo(folder / "pipe.csv")
    held = Path.cwd()
    os.chdir(folder)  # the path of a socket may have a hundred characters
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind("socket.csv")
    finally:
        os.chdir(held)


NO_FILES = "not read, as there is no file: 1 broken link, 1 device, 1 linked folder, 1 pipe, 1 socket"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
@pytest.mark.parametrize("export", [False, True])
def test_what_is_no_file_in_a_folder_is_counted_and_named(tmp_path: Path, export: bool) -> None:
    folder = tmp_path / "study"
    (folder / "own").mkdir(parents=True)
    put_no_files(folder / "own")
    if export:
        sample = next((SAMPLES / "label-studio").glob("*.json"))
        (folder / sample.name).write_bytes(sample.read_bytes())
    else:
        (folder / "x.csv").write_text(LONG, encoding="utf-8")
    (note,) = (note for note in accord.read(folder).notes if note.startswith("not read, as"))
    assert note == f"{NO_FILES}: 'own/elsewhere', 'own/gone.csv', 'own/null.csv' … (5 in all)"
    assert isinstance(note, Message)
    assert note.unnamed({}) == NO_FILES


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_folder_of_no_files_says_what_there_is(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "ana.csv")
    with pytest.raises(FileError, match=r"The folder holds no files, but 1 pipe: 'ana\.csv'\."):
        accord.read(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_among_tallies_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "ana.tally")
    with pytest.raises(FileError, match=r"ana\.tally: It is a pipe or a device"):
        accord.read(tmp_path)


def test_a_folder_that_may_not_be_opened_is_told_and_not_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x.csv").write_text(LONG, encoding="utf-8")
    (tmp_path / "ana").mkdir()
    looked = os.scandir

    def refusing(path: Any) -> Any:
        if Path(path).name == "ana":
            raise PermissionError(13, "Permission denied", str(path))
        return looked(path)

    monkeypatch.setattr(os, "scandir", refusing)
    with pytest.raises(FileError, match="/ana: The folder cannot be opened: Permission denied"):
        accord.read(tmp_path)


def test_people_who_all_met_are_not_paired_beyond_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(annotator_pairs, "MOST_ANSWER_PAIRS", 20)
    study = Study.from_wide([[*"ababa"], [*"aabba"], [*"bbbab"]])
    with pytest.raises(
        MeasureError, match=r"There are 30 pairs of answers .* at most 20 .* Use a coefficient that pools"
    ):
        accord.light_kappa(study)
    table = str(accord.measure(study))
    assert "Fleiss' kappa" in table
    assert str(accord.explain(study))


@pytest.mark.parametrize(
    "question", ["measure", "gold --method majority -o g.csv", "report -o r.md", "convert -o c.csv"]
)
def test_bidirectional_marks_and_escapes_are_shown_not_sent(question: str, tmp_path: Path) -> None:
    text = "item,annotator,label\n1,a\u202eb,x\u2066\n1,c,x\u2066\n2,a\u202eb,\x1b]0;y\x07\n2,c,\x1b]0;y\x07\n"
    (tmp_path / "x.csv").write_text(text, encoding="utf-8")
    command, *more = question.split()
    said = run(command, "x.csv", *more, folder=tmp_path)
    assert said.code in (0, 3)
    assert not [mark for mark in "\u202e\u2066\x1b\x07" if mark in said.out + said.err]
    if command == "report":
        page = (tmp_path / "r.md").read_text(encoding="utf-8")
        assert not [mark for mark in "\u202e\u2066\x1b\x07" if mark in page]
