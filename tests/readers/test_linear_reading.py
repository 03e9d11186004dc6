"""Twice the file is twice the work: what was quadratic is counted, not timed."""

from __future__ import annotations

import json
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.errors import AccordError
from accord.readers import source, xml_files
from accord.readers.annotator_paths import BACK
from accord.readers.format_registry import FORMATS
from accord.study.tables import offsets
from benchmarks._doubling_tables import EVERY as MAKERS
from benchmarks.reading_doubles import SAID
from tests.readers.make_table_samples import book_of


@pytest.fixture
def looked_through(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The lengths of the texts that were looked through for characters beyond 16 bits."""
    lengths: list[int] = []
    real = offsets.CodePoints.__init__

    def counting(self: offsets.CodePoints, text: str) -> None:
        lengths.append(len(text))
        real(self, text)

    monkeypatch.setattr(offsets.CodePoints, "__init__", counting)
    return lengths


@pytest.mark.parametrize("name", [
    "WebAnno TSV, one long document", "UIMA XMI, one long document", "doccano, one long text",
    "Label Studio, one long text",
])  # fmt: skip
def test_a_text_beyond_ascii_is_looked_through_once_for_an_annotator(
    name: str, looked_through: list[int], tmp_path: Path
) -> None:
    accord.read(MAKERS[name](tmp_path, 300))
    assert 1 <= len(looked_through) <= 2


def test_the_list_of_sheets_is_read_once_for_all_of_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sheets: dict[str, list[list[str | int | None]]] = {
        f"Ann{who}": [["item", "label"], [1, "x"], [2, "xy"[who % 2]]] for who in range(20)
    }
    (tmp_path / "book.xlsx").write_bytes(book_of(sheets))
    read: list[str] = []
    real = xml_files.parse

    def counting(data: bytes, where: str) -> Any:
        read.append(where)
        return real(data, where)

    monkeypatch.setattr(xml_files, "parse", counting)
    assert accord.read(tmp_path / "book.xlsx").n_annotators == 20
    assert len(read) == 2


def test_a_zip_is_opened_once_for_all_its_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = MAKERS["brat, many documents in a zip"](tmp_path, 20)
    opened: list[object] = []
    real = zipfile.ZipFile.__init__

    def counting(self: zipfile.ZipFile, file: object, *more: object) -> None:
        opened.append(file)
        real(self, file, *more)  # type: ignore[call-overload]

    monkeypatch.setattr(zipfile.ZipFile, "__init__", counting)
    assert accord.read(path).n_items == 20
    assert len(opened) == 1


def test_records_that_are_skipped_do_not_look_through_those_before(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    looked: list[int] = []
    real = offsets.Documents.forget

    def counting(self: offsets.Documents, row: int) -> None:
        before = len(self.texts)
        real(self, row)
        looked.append(before - len(self.texts))

    monkeypatch.setattr(offsets.Documents, "forget", counting)
    path = MAKERS["doccano, many broken spans skipped"](tmp_path, 40)
    study = accord.read(path, on_error="skip")
    assert dict(study.left_out) == {"records that could not be read": 40}
    assert sum(looked) == 40  # one span of each record, none of the others


def test_a_megabyte_of_blank_lines_after_a_list_is_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[{"item": 1, "annotator": "a", "label": "x"}]' + "\n" * (1 << 20))
    assert accord.read(path).n_annotations == 1


def test_a_megabyte_of_blanks_in_an_attribute_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "d.ann").write_text("T1\tLOC 0 4\tRome\nA1\tSure T1" + " " * (1 << 20) + "\n")
    assert set(accord.read(tmp_path / "d.ann").tasks) == {"Sure", "entities"}


LONG_CELLS = {
    "brackets": "[" * 200_000, "dashes": "-" * 200_000, "digits": "1" * 200_000 + "x", "points": "." * 200_000,
    "capitals": "aA" * 100_000 + "!", "underlines": "_" * 200_000 + "!", "choices": "a (choice=" * 20_000,
    "blanks": f"a{' ' * 200_000}b", "orders": f"a >{' ' * 200_000}b{' ' * 200_000}c",
}  # fmt: skip


@pytest.mark.parametrize("cell", LONG_CELLS.values(), ids=LONG_CELLS)
@pytest.mark.parametrize("head", ["item,annotator,label,{0}", "{0}\nitem,annotator,label,note", "{0},{0} ana,{0} ben"])
def test_a_long_cell_is_looked_at_in_a_breath(head: str, cell: str, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    rows = [f"{item},{who},x,{cell}" for item in range(3) for who in "ab"]
    path.write_text("\n".join([head.format(cell), *rows, ""]))
    with suppress(AccordError):
        accord.read(path)
    with suppress(AccordError):
        accord.Study({"item": [1, 1], "annotator": ["a", "b"], "label": [cell, "x"]})


def test_long_names_of_files_are_taken_apart_in_a_breath() -> None:
    assert BACK.fullmatch("." * 200_000 + "a-") is None
    taken = [BACK.fullmatch(name) for name in ("a..b", "..b", "a.b.c", ".b")]
    assert [parts and parts.groups() for parts in taken] == [("a", "b"), (".", "b"), ("a.b", "c"), None]


@pytest.mark.parametrize("ending", ["\n", "", "\n\n"])
def test_a_first_record_longer_than_the_glance_tells_its_format(ending: str, tmp_path: Path) -> None:
    record = {"id": 1, "text": "Rome " * 250_000, "label": [[0, 4, "LOC"]], "Comments": []}
    for who in ("ana", "ben"):
        (tmp_path / f"{who}.jsonl").write_text(json.dumps(record) + ending)
    assert accord.read(tmp_path).annotators == ("ana", "ben")


@pytest.mark.parametrize("ending", ["\n", "]}\n"])
def test_a_record_that_is_longer_than_any_glance_is_seen_as_far_as_it_goes(
    ending: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(source, "HEAD", 100)
    monkeypatch.setattr(source, "LONG_HEAD", 200)
    (tmp_path / "a.json").write_text('{"id": 1, "kept": {"a": [1, {"b": 2}, ' + "3, " * 100 + "4" + ending)
    seen = source.Source(tmp_path / "a.json").glance("a.json")
    assert (seen.form, seen.record["id"], seen.record["kept"]["a"][:3]) == ("json lines", 1, [1, {"b": 2}, 3])


def test_every_format_has_an_export_that_can_be_doubled(tmp_path: Path) -> None:
    read = {}
    for place, (name, make) in enumerate(MAKERS.items()):
        (tmp_path / str(place)).mkdir()
        read[name] = accord.read(make(tmp_path / str(place), 20), **SAID.get(name, {}))
    told = " ".join(note for study in read.values() for note in study.notes)
    assert [name for name in FORMATS if f"format '{name}'" not in told] == []
