"""JSON that is no list of records: keyed by id, by annotator and item, under a key, columns as pandas writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.errors import FileError, InputError, OptionError


@pytest.fixture(params=[None, 1], ids=["one line", "several lines"])
def indent(request: pytest.FixtureRequest) -> Any:
    return request.param


def put(folder: Path, held: Any, indent: int | None = None, name: str = "t.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(held, indent=indent), encoding="utf-8")
    return path


RECORDS = [{"id": item, "annotator": who, "label": label} for item, who, label in (
    (1, "ana", "x"), (1, "ben", "y"), (2, "ana", "x"), (2, "ben", "x"),
)]  # fmt: skip


def test_labels_by_annotator_and_item_are_read_whichever_comes_first(tmp_path: Path, indent: int | None) -> None:
    by_person = {"ana": {"1": "x", "2": "y", "3": "x"}, "ben": {"1": "x", "2": "x", "3": "x"}}
    by_item = {item: {who: by_person[who][item] for who in by_person} for item in ("1", "2", "3")}
    for held, where in ((by_person, "outside"), (by_item, "inside")):
        study = accord.read(put(tmp_path, held, indent))
        assert (study.items, study.annotators, study.n_annotations) == ((1, 2, 3), ("ana", "ben"), 6)
        assert any(f"annotators are called by the keys {where}: 'ana', 'ben'" in note for note in study.notes)


def test_who_is_who_among_as_many_keys_is_asked_with_options_that_work(tmp_path: Path) -> None:
    path = put(tmp_path, {"d1": {"ana": "x", "ben": "x"}, "d2": {"ana": "x", "ben": "y"}})
    with pytest.raises(FileError, match="Say what those outside are: annotator='key' or item='key'"):
        accord.read(path)
    assert accord.read(path, item="key").annotators == ("ana", "ben")
    assert accord.read(path, annotator="key").annotators == ("d1", "d2")
    named = {"rater1": {"a": "x", "b": "x"}, "rater2": {"a": "x", "b": "y"}}
    assert accord.read(put(tmp_path, named)).annotators == ("rater1", "rater2"), "names tell"


def test_records_by_their_ids_are_records(tmp_path: Path, indent: int | None) -> None:
    held = {
        f"d{n}": {"text": f"text {n}", "labels": {"ana": "x", "ben": label}, "soft": {"x": 0.5}}
        for n, label in enumerate("xyx")
    }
    study = accord.read(put(tmp_path, held, indent))
    assert (study.items, study.annotators, study.n_annotations) == (("d0", "d1", "d2"), ("ana", "ben"), 6)
    assert "text" in study.roles
    side = {name: {"annotators": "a,b", "annotations": "0,1"} for name in ("d0", "d1")}
    assert accord.read(put(tmp_path, side, indent)).n_annotations == 4


def test_a_list_for_each_annotator_is_read(tmp_path: Path) -> None:
    mine = [{"id": 1, "label": "x"}, {"id": 2, "label": "y"}]
    assert accord.read(put(tmp_path, {"ana": mine, "ben": mine})).annotators == ("ana", "ben")
    parts = {"train": RECORDS[:2], "test": RECORDS[2:]}
    assert accord.read(put(tmp_path, parts)).annotators == ("ana", "ben"), "train and test are nobody"


def test_a_list_for_each_annotator_may_lie_under_a_key(tmp_path: Path) -> None:
    mine = [{"id": 1, "label": "x"}, {"id": 2, "label": "y"}]
    study = accord.read(put(tmp_path, {"annotations": {"ana": mine, "ben": mine}, "meta": {"v": 1}}))
    assert (study.annotators, study.n_annotations) == (("ana", "ben"), 4)


def test_votes_in_an_object_are_counts(tmp_path: Path) -> None:
    study = accord.read(put(tmp_path, [{"id": item, "votes": {"yes": 2, "no": 1}} for item in range(3)]))
    assert (study.n_items, study.n_annotations, study.labels) == (3, 9, ("no", "yes"))


def test_records_under_a_key_are_found_and_said(tmp_path: Path, indent: int | None) -> None:
    for held, path in (({"annotations": RECORDS}, "annotations"), ({"v": 1, "data": {"rows": RECORDS}}, "data.rows")):
        study = accord.read(put(tmp_path, held, indent))
        assert (study.n_items, study.n_annotations) == (2, 4)
        assert f"records lie under {path!r}" in study.notes


def test_the_one_of_several_lists_of_records_is_asked_for(tmp_path: Path) -> None:
    path = put(tmp_path, {"items": [{"id": 1, "text": "foo"}], "annotations": RECORDS})
    with pytest.raises(FileError, match="Say which: records='items' or records='annotations'"):
        accord.read(path)
    assert accord.read(path, records="annotations").n_annotations == 4
    with pytest.raises(OptionError, match="records must be one of 'items', 'annotations'; got 'answers'"):
        accord.read(path, records="answers")


def test_objects_of_objects_have_variables(tmp_path: Path) -> None:
    said = {"d1": {"tone": "p", "mood": "x"}, "d2": {"tone": "q", "mood": "x"}, "d3": {"tone": "q", "mood": "y"}}
    path = put(tmp_path, {"ana": said, "ben": said})
    study = accord.read(path, label=["tone", "mood"])
    assert {name: part.n_annotations for name, part in study.tasks.items()} == {"mood": 6, "tone": 6}
    records = [{"id": item, "annotations": {"ana": cells, "ben": cells}} for item, cells in said.items()]
    assert set(accord.read(put(tmp_path, records)).tasks) == {"tone", "mood"}


def test_objects_of_objects_tell_their_variables(tmp_path: Path) -> None:
    said = {who: {str(n): {"tone": tone, "mood": mood} for n, (tone, mood) in enumerate(zip(tones, moods, strict=True))}
            for who, tones, moods in (("ana", "pqpqp", "xyyxx"), ("ben", "pqqqp", "xyyyx"))}  # fmt: skip
    with pytest.raises(accord.AccordError, match=r"label=\['tone', 'mood'\] for several variables"):
        accord.read(put(tmp_path, said))
    study = accord.read(put(tmp_path, said), label=["tone", "mood"])
    assert {name: (part.n_items, part.annotators) for name, part in study.tasks.items()} == {
        "mood": (5, ("ana", "ben")), "tone": (5, ("ana", "ben"))
    }  # fmt: skip


NAMES, ROWS = ["item", "ana", "ben"], [["1", "x", "x"], ["2", "y", "x"], ["3", "y", "y"]]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([NAMES, *ROWS]),
        "\n".join(map(json.dumps, [NAMES, *ROWS])),
        json.dumps({"columns": NAMES, "index": [0, 1, 2], "data": ROWS}),
        json.dumps({"columns": NAMES, "data": ROWS}, indent=1),
    ],
    ids=["rows", "lines of rows", "pandas' split", "split, in lines"],
)
def test_rows_that_are_lists_are_a_table_where_something_names_the_columns(tmp_path: Path, text: str) -> None:
    path = tmp_path / "t.json"
    path.write_text(text)
    study = accord.read(path)
    assert (study.items, study.annotators, study.n_annotations) == ((1, 2, 3), ("ana", "ben"), 6)


def test_breaks_within_a_text_end_no_line_of_rows(tmp_path: Path) -> None:
    rows = [["1", "x\u2028y", "x\u2028y"], ["2", "z\x85", "x\u2028y"]]
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in [NAMES, *rows]), "utf-8")
    assert accord.read(path).labels == ("x\u2028y", "z\x85")


@pytest.mark.parametrize(
    "held", [[[1, 2, 1], [2, 2, 2], [1, 1, 3]], [["x", "x", "y"], ["x", "y", "y"], ["y", "y", "y"]], {"data": ROWS}]
)
def test_rows_that_are_lists_without_names_are_asked_about(tmp_path: Path, held: Any) -> None:
    path = put(tmp_path, held)
    with pytest.raises(accord.AccordError, match="nothing names the columns") as problem:
        accord.read(path)
    assert "header=False, shape='wide'" in str(problem.value)
    study = accord.read(path, header=False, shape="wide")
    assert (study.n_items, study.n_annotators, study.n_annotations) == (3, 3, 9)


def test_rows_of_different_lengths_name_the_row(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"t.json, record 3: The row has 2 cells, and the first has 3"):
        accord.read(put(tmp_path, [NAMES, ROWS[0], ROWS[1][:2]]))


def test_a_table_as_pandas_writes_it_is_read(tmp_path: Path, indent: int | None) -> None:
    columns = {name: {str(row): record[name] for row, record in enumerate(RECORDS)} for name in RECORDS[0]}
    study = accord.read(put(tmp_path, columns, indent))
    assert (study.items, study.annotators, study.n_annotations) == ((1, 2), ("ana", "ben"), 4)


def test_one_object_of_many_records_is_no_table_of_one_row(tmp_path: Path) -> None:
    held = {"dataset": "x", "expert": "true", "instances": [{"id": 1, "label": "a"}, {"id": 2, "label": "b"}]}
    with pytest.raises(accord.AccordError, match=r"Which column is the annotator\? The table has 'id', 'label'"):
        accord.read(put(tmp_path, held))


def test_an_object_over_a_megabyte_among_other_files_is_not_called_broken(tmp_path: Path) -> None:
    put(tmp_path, {"intro": "x" * (1 << 20), "more": {"a": 1}}, name="prompts.json")
    put(tmp_path, RECORDS, name="answers.json")
    with pytest.raises(FileError, match=r"prompts\.json: It is one JSON object with 'intro', 'more'"):
        accord.read(tmp_path)


def test_files_of_labels_by_id_are_an_annotators_each(tmp_path: Path) -> None:
    for who, labels in (("ana", "xy"), ("ben", "xx")):
        put(tmp_path, dict(zip(("d1", "d2"), labels, strict=True)), name=f"labels_{who}.json")
    study = accord.read(tmp_path)
    assert (study.items, study.annotators, study.n_annotations) == (("d1", "d2"), ("ana", "ben"), 4)


@pytest.mark.parametrize("option", [{"delimiter": ","}, {"quote": "none"}, {"sheet": "A"}, {"header": False}])
def test_options_of_other_tables_are_refused(option: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=f"which does not use {next(iter(option))}="):
        accord.read(put(tmp_path, RECORDS), **option)


def test_options_that_a_text_does_not_use_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,annotator,label\n1,a,x\n1,b,x\n", encoding="utf-8")
    for option in ({"records": "data"}, {"sheet": "A"}, {"config": "x.xml"}):
        with pytest.raises(OptionError, match="is a table in text, which does not use"):
            accord.read(path, **option)  # type: ignore[arg-type]


NAN = float("nan")
GAPS = [
    {"item": 1, "annotator": "ana", "label": "x"},
    {"item": 1, "annotator": "ben", "label": NAN},
    {"item": 2, "annotator": "ana", "label": "nan"},
    {"item": 2, "annotator": NAN, "label": "x"},
    {"item": NAN, "annotator": "ben", "label": "x"},
]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(map(json.dumps, GAPS)),
        json.dumps(GAPS),
        json.dumps({name: [row[name] for row in GAPS] for name in GAPS[0]}),
    ],
    ids=["lines", "list", "columns"],
)
def test_not_a_number_is_missing_and_the_word_is_a_label(text: str, tmp_path: Path) -> None:
    """As json.dumps writes the records of a frame."""
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")
    study = accord.read(path)
    assert (study.annotators, study.items, study.labels) == (("ana",), (1, 2), ("nan", "x"))
    assert dict(study.left_out) == {
        "rows without an item": 1, "rows without an annotator": 1, "rows without an answer": 1
    }  # fmt: skip


def test_not_a_number_among_annotations_of_an_item_is_missing(tmp_path: Path) -> None:
    answers = [{"user_id": "ana", "value": "x"}, {"user_id": "ben", "value": NAN}]
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(json.dumps({"id": name, "answers": answers}) for name in "ab"), encoding="utf-8")
    study = accord.read(path)
    assert (study.labels, study.n_annotations) == (("x",), 2)
    assert dict(study.left_out) == {"rows without an answer": 2}


def test_an_object_beside_objects_of_labels_names_nobody(tmp_path: Path) -> None:
    """It was taken for the name "{'0': 'ana'}", which no table that was written of it was read back with."""
    path = tmp_path / "odd.json"
    path.write_text(json.dumps({"item": "i1", "annotator": {"0": "ana", "1": "ben"}, "label": {"tone": "y"}}))
    with pytest.raises(InputError, match=r"row 1: An item and an annotator must be .* column 'annotator' holds"):
        accord.read(path)
