"""A file or a sheet for each annotator: who it is, what fits together, what is said of what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

import accord
from accord.errors import DuplicateAnswers, FileError, InputError
from tests.command.running import run
from tests.readers.make_table_samples import Cells, book_of

ANA, BEN = "id,label\n1,x\n2,y\n3,x\n", "id,label\n1,x\n2,x\n3,x\n"
HEAD: list[str | int | None] = ["id", "text", "label"]


def put(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def sheet(*labels: str) -> Cells:
    rows: list[list[str | int | None]] = [HEAD]
    for number, label in enumerate(labels, start=1):
        rows.append([number, f"a text about {number}", label])
    return rows


def book(folder: Path, **sheets: Cells) -> Path:
    path = folder / "book.xlsx"
    path.write_bytes(book_of(sheets))
    return path


@pytest.mark.parametrize(
    "names",
    [("ana", "ben"), ("posts_ana", "posts_ben"), ("ana-round2", "ben-round2"), ("ana__labels", "ben__labels"),
     ("x__ana__batch_1", "x__ben__batch_1")],
)  # fmt: skip
def test_what_differs_in_the_names_of_files_names_the_annotator(names: tuple[str, str], tmp_path: Path) -> None:
    study = accord.read(put(tmp_path, **dict(zip(names, (ANA, BEN), strict=True))))
    assert (study.annotators, study.n_items, study.n_annotations) == (("ana", "ben"), 3, 6)
    assert any("so the name of the file does" in note for note in study.notes)


def test_files_that_are_called_batches_name_nobody(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is called 'batch_1', which names nobody.*annotator=…"):
        accord.read(put(tmp_path, batch_1=ANA, batch_2=BEN))
    named = "id,who,label\n{},a,x\n{},b,x\n"
    batches = put(tmp_path / "b", batch_1=named.format(1, 1), batch_2=named.format(2, 2))
    assert accord.read(batches).annotators == ("a", "b")


def test_a_file_of_another_shape_is_named_with_the_reason(tmp_path: Path) -> None:
    folder = put(tmp_path / "two", ana=ANA, ben=BEN, guidelines="label,meaning\nx,the first\ny,the second\n")
    with pytest.raises(FileError, match=r"two/guidelines.csv: It is read as a wide table"):
        accord.read(folder)
    study = accord.read(folder, on_error="skip")
    assert study.annotators == ("ana", "ben")
    assert any(note.startswith("not read: two/guidelines.csv: ") for note in study.notes)


def test_files_beside_the_only_table_are_not_read_and_said(tmp_path: Path) -> None:
    put(tmp_path, answers="item,annotator,label\n1,a,x\n1,b,x\n")
    (tmp_path / "README.md").write_text("Answers.", encoding="utf-8")
    study = accord.read(tmp_path)
    assert study.n_annotations == 2
    assert "not read: 1 file about the data: 'README.md'" in study.notes
    (tmp_path / "labels.txt").write_text("x y", encoding="utf-8")
    assert "not read: 1 file beside the table: 'labels.txt'" in accord.read(tmp_path).notes


def test_how_many_items_files_share_is_said(tmp_path: Path) -> None:
    apart = put(tmp_path, ana=ANA, ben="id,label\n3,x\n4,x\n")
    assert "items in more than one of the files: 1 of 4" in accord.read(apart).notes


def test_an_answer_in_two_files_names_both(tmp_path: Path) -> None:
    rows = "item,annotator,label\n1,ana,x\n"
    with pytest.raises(DuplicateAnswers, match=r"'ana' answered item 1 in .*/first.csv and in .*/second.csv"):
        accord.read(put(tmp_path, first=f"{rows}1,ben,x\n", second=f"{rows}2,ben,y\n"))


def test_texts_name_items_where_nothing_else_does(tmp_path: Path) -> None:
    rows = "text,label\na longer text,x\nanother text,{}\n"
    study = accord.read(put(tmp_path, ana=rows.format("x"), ben=rows.format("y")))
    assert study.items == ("a longer text", "another text")
    assert "no column names the item, so the text in 'text' does" in study.notes
    alone = accord.read(put(tmp_path / "one", t="text,annotator,label\nsome text,a,x\nsome text,b,y\n") / "t.csv")
    assert alone.items == ("some text",)


def test_tables_in_text_files_are_a_study_too(tmp_path: Path) -> None:
    for who, text in (("ana", ANA), ("ben", BEN)):
        (tmp_path / f"{who}.txt").write_text(text.replace(",", "\t"), encoding="utf-8")
    assert accord.read(tmp_path).annotators == ("ana", "ben")


def test_a_sheet_each_is_an_annotator_each(tmp_path: Path) -> None:
    path = book(tmp_path, Ana=sheet("x", "y"), Ben=sheet("x", "x"), Empty=[])
    study = accord.read(path)
    assert (study.annotators, study.n_items, study.n_annotations) == (("Ana", "Ben"), 2, 4)
    assert "no column names an annotator, so the name of the sheet does" in study.notes
    assert study.shape == "Excel sheet (long table) in 2 sheets", "titles may be names of people"
    said = run("measure", str(path), "--anonymise", folder=tmp_path)
    assert (said.code, "Ana" in said.out, "Ben" in said.out) == (0, False, False)


def test_a_sheet_that_does_not_fit_is_named_and_one_can_be_chosen(tmp_path: Path) -> None:
    guide: Cells = [["label", "meaning"], ["x", "first"], ["y", "second"]]
    path = book(tmp_path, Guide=guide, Ana=sheet("x", "y"), Ben=sheet("x", "x"))
    with pytest.raises(FileError, match=r"sheet 'Guide': It is read as a wide table.*say sheet='Guide'"):
        accord.read(path)
    assert accord.read(path, on_error="skip").annotators == ("Ana", "Ben")
    with pytest.raises(InputError, match="is called 'Sheet1', which names nobody"):
        accord.read(book(tmp_path, Sheet1=sheet("x", "y"), Sheet2=sheet("x", "x")))


def test_sheets_of_batches_are_one_study(tmp_path: Path) -> None:
    rows: list[Cells] = [[["id", "annotator", "label"], [n, "a", "x"], [n, "b", "y"]] for n in (1, 2)]
    study = accord.read(book(tmp_path, Sheet1=rows[0], Sheet2=rows[1]))
    assert (study.n_items, study.annotators) == (2, ("a", "b"))


def test_a_title_above_the_names_is_passed_over_and_said(tmp_path: Path) -> None:
    table: Cells = [["Boats in spring"], ["item", "annotator", "label"], [1, "a", "x"], [1, "b", "y"]]
    study = accord.read(book(tmp_path, Answers=table))
    assert study.n_annotations == 2
    assert "lines above the table were passed over: 'Boats in spring'" in study.notes


def test_batches_of_a_crowd_are_one_study(tmp_path: Path) -> None:
    head = "_unit_id,_worker_id,_trust,roles\n"
    rows = "{n},10,1.0,sea\n{n},11,1.0,{label}\n"
    folder = put(tmp_path, **{f"f{n}": head + rows.format(n=n, label="sea" if n % 2 else "land") for n in range(4)})
    study = accord.read(folder)
    assert (study.n_items, study.n_annotators, study.n_annotations) == (4, 2, 8)


def test_a_codebook_beside_a_wide_table_holds_no_more_annotators(tmp_path: Path) -> None:
    wide: Cells = [["id", "ana", "ben"], [1, "x", "x"], [2, "y", "x"], [3, "x", "y"]]
    codes: Cells = [["Label", "Meaning"], ["x", "the first"], ["y", "the second"]]
    for sheets in ({"Data": wide, "Codes": codes}, {"Codes": codes, "Data": wide}):
        with pytest.raises(FileError, match=r"sheet 'Codes': It is read as a wide table that does not name its items"):
            accord.read(book(tmp_path, **sheets))
        assert accord.read(book(tmp_path, **sheets), on_error="skip").annotators == ("ana", "ben")
