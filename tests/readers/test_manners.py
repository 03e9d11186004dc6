"""How `read` behaves: it refuses to guess, says what it saw, codes large tables late, and takes others' readers."""

# ruff: noqa: E501 - the records are data, and one stands on one line

from __future__ import annotations

import json
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import accord
from accord.readers import delimited, format_registry, large_csv
from accord.readers.found_format import Found
from accord.readers.source import Source
from accord.study.tables import sheet
from accord.study.tables.rows import ReadOptions, Rows

SAMPLES = Path(__file__).parent / "samples"
LONG = "item,annotator,label\n" + "".join(f"{n},{who},{'ab'[n % 2]}\n" for n in range(50) for who in ("ana", "ben"))


def put(folder: Path, content: str, name: str = "table.csv") -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


# -- large tables ------------------------------------------------------------------------------------------------------


@pytest.fixture
def everything_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "SMALL", 10)
    monkeypatch.setattr(sheet, "MANY", 10)


@pytest.mark.usefixtures("everything_is_large")
class TestLarge:
    """With the limits lowered, so that a small table takes the large one's way."""

    def test_a_large_table_is_the_same_study(self, tmp_path: Path) -> None:
        study = accord.read(put(tmp_path, LONG))
        assert "_made" not in vars(study)  # nothing has been coded yet
        assert repr(study) == "Study of 50 items by 2 annotators: 100 single answers on the labels 'a', 'b'"
        assert study.shape == "CSV table (long table)"
        assert accord.cohen_kappa(study).value == 1.0

    def test_what_the_columns_tell_is_refused_at_once(self, tmp_path: Path) -> None:
        with pytest.raises(accord.AccordError, match="could each be the label"):
            accord.read(
                put(tmp_path, LONG.replace("label", "tone,aim").replace("a\n", "a,x\n").replace("b\n", "b,x\n"))
            )
        with pytest.raises(accord.AccordError, match="No column 'who'"):
            accord.read(put(tmp_path, LONG), annotator="who")

    def test_a_short_row_is_found_before_the_study_is_made(self, tmp_path: Path) -> None:
        with pytest.raises(accord.AccordError, match="line 102: The row has 2 cells"):
            accord.read(put(tmp_path, LONG + "60,ana\n"))

    def test_repeats_are_an_error_as_soon_as_something_is_asked(self, tmp_path: Path) -> None:
        study = accord.read(put(tmp_path, LONG + "0,ana,b\n"))
        for _ in range(2):  # and every time
            with pytest.raises(accord.AccordError, match="more than once"):
                accord.fleiss_kappa(study)

    def test_it_can_be_described_grouped_and_written(self, tmp_path: Path) -> None:
        grouped = LONG.replace("label\n", "label,lang\n").replace("a\n", "a,de\n").replace("b\n", "b,en\n")
        study = accord.read(put(tmp_path, grouped))
        assert {name: part.n_items for name, part in study.groups("lang").items()} == {"de": 25, "en": 25}
        again = accord.read(study.write(tmp_path / "again.csv"))
        assert "_made" not in vars(again)  # what accord wrote is as quick to read as what others wrote
        assert again.n_annotations == study.n_annotations == 100
        assert again.kind == "single"

    def test_progress_is_told(self, tmp_path: Path) -> None:
        told: list[tuple[int, int]] = []
        path = put(tmp_path, LONG)
        accord.read(path, progress=lambda done, total: told.append((done, total)))
        assert told == [(0, path.stat().st_size), (path.stat().st_size, path.stat().st_size)]

    @pytest.mark.parametrize("numbers", [["007", "08", "9"], ["1.1", "1.10", "2.5"]])
    def test_numbers_whose_zeros_tell_them_apart_stay_text(self, numbers: list[str], tmp_path: Path) -> None:
        text = "item,annotator,label\n" + "".join(f"{n},{who},{x}\n" for n, x in enumerate(numbers) for who in "ab")
        assert accord.read(put(tmp_path, text)).labels == tuple(sorted(numbers))

    def test_an_empty_last_cell_is_missing_and_not_a_short_row(self, tmp_path: Path) -> None:
        study = accord.read(put(tmp_path, LONG + "60,ana,\n"))
        assert dict(study.left_out) == {"rows without an answer": 1}


def test_short_rows_are_counted_only_where_a_last_cell_is_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(large_csv, "_marks", lambda *_: pytest.fail("the file need not be read again"))
    monkeypatch.setattr(delimited, "SMALL", 10)
    assert accord.read(put(tmp_path, LONG)).n_annotations == 100


# -- detection ---------------------------------------------------------------------------------------------------------


def test_where_two_formats_fit_both_calls_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = format_registry.readers()
    twin = SimpleNamespace(sniff=lambda _: Found("twin", "anything"), read=None)
    monkeypatch.setattr(format_registry, "readers", lambda: {**known, "twin": twin})
    path = put(tmp_path, (SAMPLES / "prodigy/choice.jsonl").read_text(encoding="utf-8"), "choice.jsonl")
    with pytest.raises(accord.AccordError) as caught:
        accord.read(path)
    assert "accord.read('choice.jsonl', format='prodigy')" in str(caught.value)
    assert "accord.read('choice.jsonl', format='twin') (anything)" in str(caught.value)


@pytest.mark.parametrize(
    ("content", "calls"),
    [
        ("item,annotator,coder,label\n1,a,b,x\n", None),  # accord's own word wins
        ("unit,rater,coder,label\n1,a,b,x\n", ("annotator='rater'", "annotator='coder'")),
        ("unit,rater,tone,aim\n1,a,b,x\n", ("label='tone'", "label=['tone', 'aim']")),
        ("item,yes,no\n1,2,1\n2,0,3\n3,1,2\n4,2,1\n5,3,0\n", ("shape='counts'", "shape='wide'")),
        ("item,annotator,label,score\n1,a,x,3\n1,b,x,4\n", ("score='score'", "label='label'")),
    ],
)
def test_a_table_that_can_be_read_in_two_ways_shows_both(
    content: str, calls: tuple[str, ...] | None, tmp_path: Path
) -> None:
    path = put(tmp_path, content)
    if calls is None:
        assert accord.read(path).annotators == ("a",)
        return
    with pytest.raises(accord.AccordError) as caught:
        accord.read(path)
    assert all(call in str(caught.value) for call in calls)


# -- empty, skipped, never seen ----------------------------------------------------------------------------------------


def three(name: str) -> Any:
    """An export in which one found something, one found nothing, one skipped it and one never saw it."""
    text = "Nia 🚤 sailed."
    if name == "label-studio":
        mark = {
            "from_name": "ner",
            "to_name": "text",
            "type": "labels",
            "value": {"start": 0, "end": 3, "text": "Nia", "labels": ["PER"]},
        }
        held = [
            {"id": 1, "completed_by": 1, "result": [mark]},
            {"id": 2, "completed_by": 2, "result": []},
            {"id": 3, "completed_by": 3, "was_cancelled": True, "result": []},
        ]
        return "e.json", json.dumps(
            [
                {"id": 1, "data": {"text": text}, "annotations": held},
                {"id": 2, "data": {"text": text}, "annotations": []},
            ]
        )
    if name == "prodigy":
        spans: list[tuple[str, list[Any], str]] = [
            ("ana", [{"start": 0, "end": 3, "label": "PER"}], "accept"),
            ("ben", [], "accept"),
            ("cy", [], "ignore"),
        ]
        return "p.jsonl", "\n".join(
            json.dumps(
                {
                    "text": text,
                    "_input_hash": 1,
                    "_task_hash": 2,
                    "tokens": [],
                    "spans": held,
                    "answer": answer,
                    "_annotator_id": f"d-{who}",
                }
            )
            for who, held, answer in spans
        )
    if name == "argilla":
        return "a.jsonl", json.dumps(
            {
                "id": "1",
                "text": text,
                "ner.responses": [[{"label": "PER", "start": 0, "end": 3}], [], None],
                "ner.responses.users": ["u1", "u2", "u3"],
                "ner.responses.status": ["submitted", "submitted", "discarded"],
            }
        )
    assert name == "labelbox"
    entity = {"name": "PER", "annotation_kind": "TextEntity", "location": {"start": 0, "end": 2}}
    labels = [
        {
            "id": str(n),
            "label_details": {"created_by": f"u{n}"},
            "performance_details": {"skipped": n == 3},
            "annotations": {"objects": [entity] if n == 1 else [], "classifications": []},
        }
        for n in (1, 2, 3)
    ]
    return "l.ndjson", json.dumps({"data_row": {"id": "d", "row_data": text}, "projects": {"p": {"labels": labels}}})


@pytest.mark.parametrize("name", ["label-studio", "prodigy", "argilla", "labelbox"])
def test_empty_skipped_and_never_seen_are_three_things(name: str, tmp_path: Path) -> None:
    file, content = three(name)
    study = accord.read(put(tmp_path, content, file))
    assert (study.n_items, study.n_annotators, study.n_annotations) == (1, 2, 2)
    assert sorted(map(len, study.answers.members)) == [0, 1]  # somebody found nothing, which is an answer
    assert dict(study.left_out) == {"skipped": 1}  # somebody skipped it, which is counted; the rest is missing


def test_a_document_without_a_file_was_never_seen_and_an_empty_file_is_an_answer(tmp_path: Path) -> None:
    for who, standoff in (("ana", "T1\tPER 0 3\tNia\n"), ("ben", ""), ("cy", None)):
        (tmp_path / who).mkdir()
        put(tmp_path / who, "Nia 🚤 sailed.", "boat.txt")
        if standoff is not None:
            put(tmp_path / who, standoff, "boat.ann")
    study = accord.read(tmp_path)
    assert study.annotators == ("ana", "ben")
    assert sorted(map(len, study.answers.members)) == [0, 1]


# -- offsets -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "task"),
    [
        ("doccano/all.jsonl", "entities"),
        ("doccano/project.zip", None),
        ("prodigy/relations.jsonl", "spans"),
        ("brat-events", "entities"),
    ],
)
def test_behind_an_emoji_spans_lie_where_the_text_is(name: str, task: str | None) -> None:
    study = accord.read(SAMPLES / name)
    part = study.tasks[task] if task is not None else study
    places = {place for held in part.answers.places for place in held}
    assert (18, 23) in places, places


BOAT = "Nia 🚤 sailed from Split to Vis."
SPLIT = [{"start": 18, "end": 23, "text": "Split", "labels": ["LOC"]}]
MIN = {"text": BOAT, "id": 1, "ner": SPLIT, "annotator": 1, "annotation_id": 2, "lead_time": 1.5}
BEHIND: dict[str, tuple[str, str]] = {
    "Label Studio JSON-MIN": ("min.json", json.dumps([MIN])),
    "Label Studio CSV": (
        "min.csv",
        'annotation_id,annotator,id,lead_time,ner,text\n2,1,1,1.5,"{}",{}\n'.format(
            json.dumps(SPLIT).replace('"', '""'), BOAT
        ),
    ),
    "doccano with users": (
        "all.jsonl",
        json.dumps({"id": 1, "text": BOAT, "annotations": [{"label": 1, "start_offset": 18, "end_offset": 23, "user": 1}]}),
    ),
    "Argilla": (
        "a.jsonl",
        json.dumps({"id": "1", "text": BOAT, "ner.responses": [[{"label": "LOC", "start": 18, "end": 23}]], "ner.responses.users": ["u"], "ner.responses.status": ["submitted"]}),
    ),
    "a table": ("t.csv", "item,annotator,label,start,end\n1,ana,LOC,18,23\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", BEHIND)
def test_spans_behind_an_emoji_are_counted_in_characters(name: str, tmp_path: Path) -> None:
    file, content = BEHIND[name]
    study = accord.read(put(tmp_path, content, file))
    assert study.answers.places == (((18, 23),),)
    if name != "a table":
        assert study._column("covered").values == ("Split",)


@pytest.mark.parametrize("name", ["Label Studio JSON-MIN", "Label Studio CSV"])
def test_utf_16_is_recognised_by_the_covered_text(name: str, tmp_path: Path) -> None:
    file, content = BEHIND[name]
    study = accord.read(put(tmp_path, content.replace("18", "19").replace("23", "24"), file))
    assert study.answers.places == (((18, 23),),)
    assert any("UTF-16" in note for note in study.notes)


@pytest.mark.parametrize("name", ["inception-diff/diff.json", "inception-diff/diff.csv"])
def test_offsets_without_a_text_stay_as_they_are_and_say_so(name: str) -> None:
    study = accord.read(SAMPLES / name)
    assert (19, 24) in {place for held in study.answers.places for place in held}
    assert any("offsets are UTF-16 units, as the texts are not in this export" in note for note in study.notes)


def test_utf_16_is_recognised_by_a_text_that_is_too_short(tmp_path: Path) -> None:
    """Where an export does not say what a span covers, an end beyond the text tells."""
    text = "🚤🚤 Nia"
    record = {"id": 1, "text": text, "label": [[5, 8, "PER"]], "Comments": []}
    study = accord.read(put(tmp_path, json.dumps(record) + "\n", "ana.jsonl"))
    assert study.answers.places == (((3, 6),),)
    assert any("UTF-16" in note for note in study.notes)


# -- others' readers ---------------------------------------------------------------------------------------------------


class Ours:
    """What a distribution of somebody else would bring."""

    @staticmethod
    def sniff(source: Source) -> Found | None:
        return Found("ours", "a first line OURS") if source.glance(source.names[0]).first_line == "OURS" else None

    @staticmethod
    def read(source: Source, options: ReadOptions) -> Rows:
        rows = Rows("file of ours", options)
        for line in source.text(source.names[0], options.encoding).splitlines()[1:]:
            with rows.guarding():
                item, who, label = line.split()
                rows.add("single", item=item, annotator=who, label=label)
        return rows


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Any:
    point = EntryPoint("ours", f"{__name__}:Ours", format_registry.GROUP)
    monkeypatch.setattr(
        format_registry, "entry_points", lambda *, group: [point] if group == format_registry.GROUP else []
    )
    format_registry.readers.cache_clear()
    yield
    format_registry.readers.cache_clear()


@pytest.mark.usefixtures("installed")
def test_what_a_format_of_somebody_else_does_not_say_is_as_of_ours() -> None:
    theirs, ours = (format_registry.readers()[name] for name in ("ours", "prodigy"))
    said = (theirs.LOOSE, theirs.OPTIONS, theirs.CHOOSES, theirs.asks)
    assert said == (ours.LOOSE, ours.OPTIONS, ours.CHOOSES, ours.asks) == (False, ("encoding",), (), False)


@pytest.mark.usefixtures("installed")
def test_a_format_of_somebody_else_is_found_and_read(tmp_path: Path) -> None:
    path = put(tmp_path, "OURS\n1 ana x\n1 ben y\n", "answers.txt")
    study = accord.read(path)
    assert (study.labels, study.shape) == (("x", "y"), "file of ours")
    assert "format 'ours': a first line OURS" in study.notes
    assert accord.read(path, format="ours").n_annotations == 2


@pytest.mark.usefixtures("installed")
def test_an_unknown_format_names_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(accord.AccordError, match="'ours'"):
        accord.read(put(tmp_path, "OURS\n", "answers.txt"), format="our")
