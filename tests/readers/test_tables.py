"""Plain tables: the roles are told by names, and where two readings are possible both calls are shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import accord
from accord.readers import delimited, large_csv, table_file
from accord.readers.source import Source
from accord.study.tables.rows import ReadOptions

EXAMPLES = Path(__file__).parents[2] / "examples"
SAMPLES = Path(__file__).parent / "samples/tables"


def put(folder: Path, content: str | bytes, name: str = "table.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    ("item", "annotator", "label"),
    [
        ("item", "annotator", "label"),
        ("unit", "coder", "category"),
        ("task", "worker", "label"),
        ("id", "rater", "rating"),
        ("Subject", "Rater", "Code"),
        ("doc_id", "annotator_id", "class"),
        ("itemId", "workerId", "answer"),
        ("question_id", "judge", "verdict"),
        ("id", "user", "value"),
        ("document", "username", "tag"),
    ],
)
def test_the_usual_names_tell_the_roles(tmp_path: Path, item: str, annotator: str, label: str) -> None:
    path = put(tmp_path, f"{item},{annotator},{label}\n1,ana,yes\n1,ben,no\n2,ana,no\n2,ben,no\n")
    study = accord.read(path)
    assert (study.n_items, study.annotators, study.labels) == (2, ("ana", "ben"), ("no", "yes"))
    assert study.roles["item"] == item


def test_roles_can_be_said(tmp_path: Path) -> None:
    path = put(tmp_path, "a,b,c\n1,ana,yes\n1,ben,no\n")
    assert accord.read(path, item="a", annotator="b", label="c").n_annotations == 2
    with pytest.raises(accord.AccordError, match=r"Did you mean label='c'|Say which one it is: label=…"):
        accord.read(path, item="a", annotator="b", label="d")


def test_two_columns_that_could_be_the_annotator_are_refused_with_both_calls(tmp_path: Path) -> None:
    path = put(tmp_path, "item,rater,user,label\n1,ana,x,yes\n1,ben,y,no\n")
    with pytest.raises(
        accord.AccordError, match=r"annotator='rater'\) or accord.read\('table.csv', annotator='user'\)"
    ):
        accord.read(path)


def test_several_columns_that_could_be_the_label_are_refused_or_said(tmp_path: Path) -> None:
    path = put(tmp_path, "item,annotator,tone,aim\n1,ana,warm,ask\n1,ben,cold,ask\n")
    with pytest.raises(accord.AccordError, match=r"label='tone' for one of them; label=\['tone', 'aim'\] for several"):
        accord.read(path)
    assert set(accord.read(path, label=["tone", "aim"]).tasks) == {"tone", "aim"}
    assert accord.read(path, label="aim").labels == ("ask",)


def test_yes_no_columns_could_be_labels_or_variables(tmp_path: Path) -> None:
    path = put(tmp_path, "item,annotator,joy,fear\n1,ana,1,0\n1,ben,1,1\n")
    with pytest.raises(accord.AccordError, match="shape='indicators'"):
        accord.read(path)
    assert accord.read(path, shape="indicators").kind == "set"
    assert set(accord.read(path, label=["joy", "fear"]).tasks) == {"joy", "fear"}


def test_a_text_is_never_an_annotator() -> None:
    study = accord.read(EXAMPLES / "two-annotators.csv")
    assert (study.annotators, study.n_items) == (("ana", "ben"), 40)


def test_a_column_that_shares_no_label_is_refused(tmp_path: Path) -> None:
    rows = "".join(f"{k},{'yes' if k % 2 else 'no'},no,{'xyz'[k % 3]}\n" for k in range(8))
    path = put(tmp_path, "item,ana,ben,genre\n" + rows)
    with pytest.raises(accord.AccordError, match="'genre' shares no label"):
        accord.read(path)
    assert accord.read(path, annotators=["ana", "ben"]).annotators == ("ana", "ben")


def test_numbered_annotators_are_annotators(tmp_path: Path) -> None:
    path = put(tmp_path, "id,lang,rater_1,rater_2,extra\n1,en,a,b,q\n2,de,a,a,r\n")
    assert accord.read(path).annotators == ("rater_1", "rater_2")


def test_counts_and_ratings_are_not_guessed_apart() -> None:
    with pytest.raises(accord.AccordError, match=r"shape='counts'\) or accord.read\('counts.csv', shape='wide'\)"):
        accord.read(SAMPLES / "counts.csv")


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("*.csv")))
def test_every_example_is_read(name: str) -> None:
    said: dict[str, dict[str, Any]] = {
        "coded-articles.csv": {"label": "frame"},
        "coded-pilot.csv": {"label": "frame"},
        "emotions.csv": {"answers": "set"},
        "repeated-runs.csv": {"duplicates": "repeat"},
    }
    assert accord.read(EXAMPLES / name, **said.get(name, {})).n_items >= 20


def test_labels_of_several_in_a_cell_are_one_label_unless_said() -> None:
    asked = accord.read(SAMPLES / "sets.csv", separator="|")
    assert asked.labels == ("city", "complaint", "light", "travel")
    plain = accord.read(SAMPLES / "sets.csv")
    assert "travel|city" in plain.labels
    assert any("separator='|'" in note for note in plain.notes)


def test_json_lists_in_a_cell(tmp_path: Path) -> None:
    path = put(tmp_path, 'item,annotator,label\n1,ana,"[""a"", ""b""]"\n1,ben,"[]"\n')
    study = accord.read(path, separator="json", answers="set")
    assert (study.kind, study.n_annotations, study.labels) == ("set", 2, ("a", "b"))


def test_semicolons_decimal_commas_and_western_windows() -> None:
    study = accord.read(SAMPLES / "western.csv")
    assert study.annotators == ("Ben", "Zoë")
    assert study.answers.scores.tolist() == [0.25, 0.5, 1.5, 2.0]
    assert any("cp1252" in note for note in study.notes)


def test_ids_with_zeros_stay_as_they_are(tmp_path: Path) -> None:
    study = accord.read(put(tmp_path, "item,annotator,label\n007,ana,1.10\n007,ben,1.1\n"))
    assert tuple(study.items) == ("007",)
    assert study.labels == ("1.1", "1.10")  # codes, which numbers would have made one


def test_numbers_are_numbers(tmp_path: Path) -> None:
    study = accord.read(put(tmp_path, "item,annotator,label\n1,ana,3\n1,ben,5\n"))
    assert study.labels == (3, 5)


@pytest.mark.parametrize("ending", [".parquet", ".arrow", ".feather"])
def test_tables_of_the_engines(tmp_path: Path, ending: str) -> None:
    frame = pl.DataFrame({"unit": [1, 1, 2], "coder": ["ana", "ben", "ana"], "category": ["a", "b", None]})
    path = tmp_path / f"table{ending}"
    frame.write_parquet(path) if ending == ".parquet" else frame.write_ipc(path)
    study = accord.read(path)
    assert (study.n_annotations, dict(study.left_out)) == (2, {"rows without an answer": 1})


def test_a_column_of_lists_is_sets(tmp_path: Path) -> None:
    frame = pl.DataFrame({"item": [1, 1], "annotator": ["ana", "ben"], "label": [["a", "b"], []]})
    frame.write_parquet(tmp_path / "table.parquet")
    study = accord.read(tmp_path / "table.parquet")
    assert (study.kind, study.n_annotations) == ("set", 2)


def test_the_way_for_large_files_reads_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = 'item,annotator,label,note\n007,ana,3,\n007,ben,2.5,"a, b"\n008,ana,,\n\n008,ben,3,x\n'
    path = put(tmp_path, content)
    small = table_file.load(Source(path), path.name, ReadOptions())
    monkeypatch.setattr(delimited, "SMALL", 0)
    large = table_file.load(Source(path), path.name, ReadOptions())
    assert not isinstance(large.data, dict)
    assert small.lists() == large.lists()
    monkeypatch.setattr(large_csv, "_frame", lambda *_: None)  # as where Polars reads it otherwise
    assert small.lists() == table_file.load(Source(path), path.name, ReadOptions()).lists()
    monkeypatch.undo()
    monkeypatch.setattr(delimited, "SMALL", 0)
    path = put(
        tmp_path,
        content.replace('"a, b"', "ab").replace(",\n007,ben", ",q\n007,ben").replace("008,ana,,\n\n", "008,ana,,z\n"),
    )
    large = table_file.load(Source(path), path.name, ReadOptions())
    assert not isinstance(large.data, dict)
    monkeypatch.undo()
    assert large.lists() == table_file.load(Source(path), path.name, ReadOptions()).lists()


def test_a_sheet_of_several_is_asked_for() -> None:
    assert accord.read(SAMPLES / "book.xlsx", sheet="Answers").n_annotations == 4
    with pytest.raises(accord.AccordError, match="There is no sheet 'Answer'; there are 'Answers'"):
        accord.read(SAMPLES / "book.xlsx", sheet="Answer")


def test_a_table_without_a_header_is_read_on_request() -> None:
    with pytest.raises(accord.AccordError, match="header=False"):
        accord.read(SAMPLES / "headerless.csv")
    assert accord.read(SAMPLES / "headerless.csv", header=False, shape="wide").n_annotations == 9


@pytest.mark.parametrize(("delimiter", "labels"), [(",", "01"), ("\t", "ny"), (" ", "ny")])
def test_three_columns_without_names_may_be_item_annotator_and_label(
    tmp_path: Path, delimiter: str, labels: str
) -> None:
    path = tmp_path / "crowd.csv"
    rows = [(f"{item}", f"{who}", labels[item == who]) for item in (1, 2, 3) for who in (1, 2)]
    path.write_text("".join(delimiter.join(row) + "\n" for row in rows), encoding="utf-8")
    study = accord.read(path, header=False, shape="long", delimiter=delimiter)
    assert (study.n_items, study.n_annotators, study.n_annotations) == (3, 2, 6)
    assert accord.read(path, header=False, shape="wide", delimiter=delimiter).n_items == 6
    likelier = r"item='column_1', annotator='column_2', label='column_3'\) \(3 items by 2 annotators\)"
    with pytest.raises(accord.AccordError, match=rf"{likelier}, .*item='column_2', .* or .*shape='wide'\)"):
        accord.read(path, header=False, delimiter=delimiter)


def test_a_first_line_of_data_is_not_taken_for_names(tmp_path: Path) -> None:
    """Read as a wide table it would have lost a row and made annotators of an item, a person and a label."""
    path = tmp_path / "crowd.tsv"
    path.write_text("t1\tana\tyes\nt1\tben\tno\nt2\tana\tyes\nt2\tben\tyes\n", encoding="utf-8")
    with pytest.raises(accord.AccordError, match="line 1: It looks like data, not like names of columns"):
        accord.read(path)
    assert accord.read(path, header=False, shape="long").n_annotations == 4


def test_empty_skipped_and_never_seen_are_three_things(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        "item,annotator,label,status\n1,ana,a,submitted\n1,ben,,submitted\n1,cy,,skipped\n1,dan,b,draft\n2,ana,a,submitted\n",
    )
    study = accord.read(path, answers="set")
    assert study.annotators == ("ana", "ben")
    assert () in study.answers.members
    assert dict(study.left_out) == {"drafts": 1, "skipped": 1}
    assert "dan" in accord.read(path, answers="set", include=["draft"]).annotators


def test_a_status_of_other_words_is_a_column(tmp_path: Path) -> None:
    path = put(tmp_path, "item,annotator,label,status\n1,ana,a,sold\n1,ben,b,rejected\n")
    assert accord.read(path).n_annotations == 2


def test_rankings_are_ranks_with_ties() -> None:
    study = accord.read(SAMPLES / "rankings.csv")
    assert (study.kind, tuple(study.items), study.labels) == ("ranking", ("q1",), ("a", "b"))
    assert [str(study.answers.value(held)) for held in range(2)] == ["a = b", "b > a"]


def test_a_question_that_goes_with_its_item_is_no_variable(tmp_path: Path) -> None:
    rows = "".join(f"{k},Is it {k}?,{who},yes\n" for k in range(4) for who in ("ana", "ben"))
    study = accord.read(put(tmp_path, "id,question,annotator,label\n" + rows))
    assert (study.n_items, study.tasks) == (4, {})
    rows = "".join(f"{k},{task},{who},yes\n" for k in range(4) for task in ("tone", "aim") for who in ("ana", "ben"))
    assert set(accord.read(put(tmp_path, "id,question,annotator,label\n" + rows)).tasks) == {"aim", "tone"}


def test_the_names_that_told_are_told(tmp_path: Path) -> None:
    study = accord.read(put(tmp_path, "unit,coder,category\n1,ana,a\n1,ben,a\n"))
    assert "by their names, item='unit', annotator='coder', label='category'" in str(study.describe())


@pytest.mark.parametrize("indent", [None, 1])
def test_json_of_columns_and_of_records(tmp_path: Path, indent: int | None) -> None:
    columns = {"item": [1, 1], "annotator": ["ana", "ben"], "label": ["a", "b"]}
    records = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    for held in (columns, records):
        study = accord.read(put(tmp_path, json.dumps(held, indent=indent), "table.json"))
        assert (study.annotators, study.labels) == (("ana", "ben"), ("a", "b"))


def test_text_under_the_name_of_an_old_excel_file_is_read_as_text(tmp_path: Path) -> None:
    path = put(tmp_path, "item\tana\tben\n1\tx\tx\n2\ty\tx\n", "export.xls")
    assert accord.read(path).annotators == ("ana", "ben")


def test_how_parquet_holds_texts_changes_no_label(tmp_path: Path) -> None:
    """Categories are texts held as numbers; an enumeration says which labels there are, and stays as it is."""
    labels = ["1", "2", "10", "10", "2", "2"]
    plain = pl.DataFrame({"item": [1, 1, 2, 2, 3, 3], "annotator": ["a", "b"] * 3, "label": labels})
    found = {}
    for name, kind in (("text", pl.String), ("categories", pl.Categorical), ("enumeration", pl.Enum(["1", "2", "10"]))):
        plain.with_columns(pl.col("label").cast(kind)).write_parquet(tmp_path / f"{name}.parquet")
        found[name] = accord.read(tmp_path / f"{name}.parquet").labels
    assert found == {"text": (1, 2, 10), "categories": (1, 2, 10), "enumeration": ("1", "2", "10")}
