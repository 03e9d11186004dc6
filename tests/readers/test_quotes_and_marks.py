"""What stands between cells, round them and in numbers: found, said, and the same in small files and large ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import accord
from accord.errors import FileError, OptionError
from accord.readers import delimited, table_file
from accord.readers.source import Source
from accord.study.tables.rows import ReadOptions


@pytest.fixture(params=["small", "large"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Row by row, and as files of more than 16 MiB are read."""
    if request.param == "large":
        monkeypatch.setattr(delimited, "SMALL", 0)
    return str(request.param)


def put(folder: Path, text: str, name: str = "t.tsv", encoding: str = "utf-8") -> Path:
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


SWALLOWING = 'id\ttext\tana\tben\n1\t"hello\tx\tx\n2\tworld"\ty\ty\n3\tfoo\tx\ty\n4\tbar\ty\ty\n'


@pytest.mark.usefixtures("way")
def test_a_quotation_mark_at_the_beginning_of_a_text_swallows_no_row_of_a_tsv(tmp_path: Path) -> None:
    study = accord.read(put(tmp_path, SWALLOWING))
    assert (study.items, study.n_annotations) == ((1, 2, 3, 4), 8)
    assert any(note.startswith("quotation marks were read as part of the text") for note in study.notes)
    assert accord.read(put(tmp_path, SWALLOWING), quote='"').n_items == 3, "as whoever says it wants it"


@pytest.mark.usefixtures("way")
def test_words_in_quotation_marks_are_words_of_a_text(tmp_path: Path) -> None:
    text = 'id\ttext\tana\tben\n1\t"hi" there\tx\tx\n2\tworld\ty\ty\n'
    assert accord.read(put(tmp_path, text)).n_items == 2
    assert accord.read(put(tmp_path, text.replace("\t", ","), "t.csv")).n_items == 2


@pytest.mark.usefixtures("way")
def test_a_row_that_vanishes_in_a_cell_of_a_csv_is_asked_about(tmp_path: Path) -> None:
    path = put(tmp_path, SWALLOWING.replace("\t", ","), "t.csv")
    with pytest.raises(FileError, match=r"t.csv, line 2: A cell .* holds whole rows.*quote='none'.*quote='\"'"):
        accord.read(path)
    assert accord.read(path, quote="none").n_items == 4
    assert accord.read(path, quote='"').n_items == 3


@pytest.mark.usefixtures("way")
def test_cells_that_a_program_enclosed_are_read_without_their_marks(tmp_path: Path) -> None:
    text = 'id\ttext\tana\tben\n1\t"say ""hi"""\tx\tx\n2\t"two\nlines"\ty\ty\n3\tfoo\tx\ty\n'
    study = accord.read(put(tmp_path, text))
    assert study.n_items == 3
    assert "cells in quotation marks were read without them" in study.notes
    quoted = '"id"\t"ana"\t"ben"\n"1"\t"x"\t"x"\n"2"\t"y"\t"x"\n'
    assert accord.read(put(tmp_path, quoted)).labels == ("x", "y")


@pytest.mark.usefixtures("way")
def test_single_quotation_marks_are_found(tmp_path: Path) -> None:
    path = put(tmp_path, "id,text,ana,ben\n1,'hello, you',x,x\n2,'world',y,y\n", "t.csv")
    study = accord.read(path)
    assert (study.n_items, study.labels) == (2, ("x", "y"))
    assert "cells in single quotation marks were read without them" in study.notes


def test_a_mark_that_never_closes_names_the_way_out(tmp_path: Path) -> None:
    path = put(tmp_path, 'id,text,ana,ben\n1,"a, b",x,x\n2,"foo,x,x\n3,bar,y,y\n', "t.csv")
    with pytest.raises(FileError, match=r"line 3: .*opens a cell and none closes it.*quote='none'"):
        accord.read(path)


def test_a_mark_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="quote must be one of"):
        accord.read(put(tmp_path, SWALLOWING), quote="«")


@pytest.mark.usefixtures("way")
def test_a_decimal_comma_is_found_between_tabs_and_said(tmp_path: Path) -> None:
    text = "id\tannotator\tscore\n1\ta\t0,5\n1\tb\t0,7\n2\ta\t1,5\n2\tb\t1,0\n"
    study = accord.read(put(tmp_path, text))
    assert (study.kind, sorted(study.answers.scores.tolist())) == ("score", [0.5, 0.7, 1.0, 1.5])
    assert any("'score' were read with a decimal comma" in note and "decimal='.'" in note for note in study.notes)
    assert accord.read(put(tmp_path, text), decimal=".", label="score").labels == ("0,5", "0,7", "1,0", "1,5")


def test_blanks_between_cells_lines_before_the_table_and_excels_first_line_are_found(tmp_path: Path) -> None:
    rows = "id,annotator,label\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n"
    for text in (
        rows.replace(",", " "),
        f"# by hand\n# in May\n{rows}",
        "sep=;\n" + rows.replace(",", ";"),
        f"#{rows}",
    ):
        assert accord.read(put(tmp_path, text, "t.txt")).n_annotations == 4
    noted = accord.read(put(tmp_path, f"# by hand\n{rows}", "t.csv")).notes
    assert "lines before the table that begin with '#' were passed over: 1" in noted


def test_an_error_behind_lines_that_were_passed_over_names_its_own_line(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="line 4: The row has 2 cells"):
        accord.read(put(tmp_path, "# by hand\nid,annotator,label\n1,a,x\n1,b\n", "t.csv"))


def test_the_encoding_that_was_found_is_said(tmp_path: Path) -> None:
    rows = "id,annotator,label\n1,a,schön\n1,b,schön\n"
    assert any("cp1252" in note for note in accord.read(put(tmp_path, rows, "t.csv", "cp1252")).notes)
    assert any("UTF-16" in note for note in accord.read(put(tmp_path, rows, "t.csv", "utf-16")).notes)


def test_rows_that_are_skipped_are_counted_by_reason(tmp_path: Path) -> None:
    path = put(tmp_path, "id,annotator,label\n1,a,x\n1,b,x,too\n2,a\n2,b\n3,a,y\n3,b,y\n", "t.csv")
    assert dict(accord.read(path, on_error="skip").left_out) == {
        "rows with more cells than there are columns": 1,
        "rows with fewer cells than there are columns": 2,
    }


@pytest.mark.usefixtures("way")
def test_rows_of_nothing_are_counted_and_lines_of_nothing_are_none(tmp_path: Path) -> None:
    study = accord.read(put(tmp_path, "id,annotator,label\n1,a,x\n\n1,b,x\n,,\n2,a,y\n2,b,x\n", "t.csv"))
    assert dict(study.left_out) == {"rows without an item": 1}


@pytest.mark.usefixtures("way")
def test_columns_without_a_name_or_a_cell_are_none(tmp_path: Path) -> None:
    assert accord.read(put(tmp_path, "id,ana,ben,,\n1,a,x,,\n2,x,x,,\n", "t.csv")).annotators == ("ana", "ben")


CELLS = st.text(alphabet="ab\"'x,;|# 1", max_size=4).filter(lambda cell: cell == cell.strip())


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(rows=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=5), large=st.booleans())
def test_no_row_of_a_plain_tsv_vanishes(
    rows: list[tuple[str, str]], large: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delimited, "SMALL", 0 if large else 1 << 24)
    body = "".join(f"{place}\t{one}\t{other}\n" for place, (one, other) in enumerate(rows))
    path = put(tmp_path, f"id\tfirst\tsecond\n{body}")
    sheet = table_file.load(Source(path), path.name, ReadOptions())
    assert sheet.cells("id") == list(range(len(rows)))
