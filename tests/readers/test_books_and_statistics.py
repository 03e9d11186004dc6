"""Spreadsheets of LibreOffice, and files of SPSS and Stata: read as tables, with what they declare."""

from __future__ import annotations

import io
import subprocess
import weakref
import zipfile
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.errors import ExtraMissing, FileError
from accord.readers import statistics_files
from tests.readers.make_table_samples import book_of
from tests.readers.test_samples import SAMPLES

SPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
)


def book(path: Path, sheets: dict[str, list[list[str]]], extra: str = "") -> Path:
    """A spreadsheet with text in its cells."""

    def row(cells: list[str]) -> str:
        inside = "".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in cells)
        return f"<table:table-row>{inside}</table:table-row>"

    tables = "".join(
        f'<table:table table:name="{title}">{"".join(map(row, rows))}{extra}</table:table>'
        for title, rows in sheets.items()
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr(
            "content.xml",
            f"<office:document-content {SPACES}><office:body><office:spreadsheet>{tables}</office:spreadsheet>"
            "</office:body></office:document-content>",
        )
    path.write_bytes(packed.getvalue())
    return path


def test_a_sheet_of_a_spreadsheet_is_chosen_by_name(tmp_path: Path) -> None:
    rows = [["item", "annotator", "label"], ["1", "ana", "x"], ["1", "ben", "y"]]
    path = book(tmp_path / "b.ods", {"first": rows, "second": [*rows, ["2", "ana", "x"]]})
    assert accord.read(path, sheet="second").n_annotations == 3
    with pytest.raises(accord.AccordError, match="Did you mean sheet='second'"):
        accord.read(path, sheet="secnd")


def test_a_sheet_per_annotator_is_one_study(tmp_path: Path) -> None:
    sheets = {who: [["item", "label"], ["1", "x"], ["2", label]] for who, label in (("ana", "x"), ("ben", "y"))}
    study = accord.read(book(tmp_path / "b.ods", sheets))
    assert (study.annotators, study.n_annotations) == (("ana", "ben"), 4)


def test_a_form_in_a_spreadsheet_is_turned_round_too(tmp_path: Path) -> None:
    rows = [["Timestamp", "Is a kind?", "Is b kind?"], ["1 March", "yes", "no"], ["2 March", "no", "no"]]
    study = accord.read(book(tmp_path / "form.ods", {"Form Responses 1": rows}))
    assert (study.items, study.n_annotators) == (("Is a kind?", "Is b kind?"), 2)


def test_blanks_in_a_cell_and_remarks_beside_it_are_told_apart() -> None:
    assert accord.read(SAMPLES / "tables/book.ods").labels == ("3", "far  off", "near")


def test_cells_that_repeat_without_end_are_refused(tmp_path: Path) -> None:
    cell = '<table:table-cell table:number-columns-repeated="900000"><text:p>x</text:p></table:table-cell>'
    many = f'<table:table-row table:number-rows-repeated="900000">{cell}</table:table-row>'
    path = book(tmp_path / "b.ods", {"first": [["item", "annotator", "label"]]}, extra=many)
    with pytest.raises(accord.AccordError, match="repeat without end"):
        accord.read(path)


def test_a_document_of_text_is_no_spreadsheet(tmp_path: Path) -> None:
    path = tmp_path / "letter.odt"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr("content.xml", f"<office:document-content {SPACES}><office:body/></office:document-content>")
    with pytest.raises(accord.AccordError, match="no spreadsheet"):
        accord.read(path)


@pytest.mark.parametrize("name", ["answers.yaml", "answers.txt"])
def test_yaml_is_called_by_its_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("---\n- item: 1\n  annotator: ana, who was here\n  label: x\n")
    with pytest.raises(accord.AccordError, match="It is YAML, which is not read"):
        accord.read(tmp_path / name)


def test_value_labels_are_the_scale_in_the_order_of_the_numbers() -> None:
    study = accord.read(SAMPLES / "statistics/wide.sav")
    assert study.labels == ("never", "sometimes", "often", "always")  # of which nobody said 'often'
    assert study.level == "ordinal"  # as somebody chose in SPSS


def test_what_the_file_declares_to_be_missing_is_missing() -> None:
    study = accord.read(SAMPLES / "statistics/wide.sav")
    assert study.n_annotations == 6
    assert "no answer" not in study.labels
    assert any("declared in the file to be missing: 1 in 'ana'" in note for note in study.notes)


def test_people_are_called_by_their_labels() -> None:
    assert accord.read(SAMPLES / "statistics/long.dta").annotators == ("ana", "ben")


def test_numbers_that_are_labelled_at_the_ends_only_stay_numbers(tmp_path: Path) -> None:
    pyreadstat, pl = pytest.importorskip("pyreadstat"), pytest.importorskip("polars")
    table = pl.DataFrame({"item": [1.0, 2, 3], "ana": [1.0, 2, 3], "ben": [3.0, 3, 1]})
    ends = {1: "worst", 3: "best"}
    pyreadstat.write_sav(table, tmp_path / "x.sav", variable_value_labels={"ana": ends, "ben": ends})
    study = accord.read(tmp_path / "x.sav")
    assert study.labels == (1, 2, 3)
    assert any("numbers are kept: 'ana', 'ben'" in note for note in study.notes)


def test_a_file_is_known_by_its_first_bytes_too(tmp_path: Path) -> None:
    (tmp_path / "export.dat").write_bytes((SAMPLES / "statistics/wide.sav").read_bytes())
    assert accord.read(tmp_path / "export.dat").n_annotations == 6


def test_a_file_that_ends_the_process_that_reads_it_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(*_: Any, **__: Any) -> subprocess.CompletedProcess[bytes]:
        return subprocess.CompletedProcess([], -11, b"", b"")

    monkeypatch.setattr(subprocess, "run", ended)
    with pytest.raises(accord.AccordError, match=r"wide\.sav: It cannot be read as a file of SPSS"):
        accord.read(SAMPLES / "statistics/wide.sav")


def test_without_the_package_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics_files, "find_spec", lambda _: None)
    with pytest.raises(ExtraMissing, match=r'pip install "accord\[spss\]"'):
        accord.read(SAMPLES / "statistics/wide.sav")


def test_of_a_large_sheet_one_row_is_held_at_a_time() -> None:
    from accord.readers import xml_files

    rows = b"".join(b"<row><c>%d</c><c/></row>" % number for number in range(100))
    data = b"<sheet><data>" + rows + b"</data><more><merge/></more></sheet>"
    found = [(element.tag, len(element)) for element in xml_files.elements(data, "x", "row", "merge")]
    assert found == [("row", 2)] * 100 + [("merge", 0)]
    given = [weakref.ref(element) for element in xml_files.elements(data, "x", "row")]
    assert sum(one() is not None for one in given) <= 1, "what was given before is held by nobody"


def test_a_sheet_of_too_many_cells_is_refused_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accord.readers.excel.MOST_CELLS", 5)
    path = tmp_path / "x.xlsx"
    path.write_bytes(book_of({"Answers": [["item", "annotator", "label"], [1, "a", "x"], [1, "b", "x"]]}))
    with pytest.raises(FileError, match=r"more than 5 cells\. Save it as CSV"):
        accord.read(path)
