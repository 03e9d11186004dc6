"""Exports as other versions and settings of the tools write them: our own tiny records, one oddity each."""

# ruff: noqa: E501 - the records are data, and one stands on one line

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import accord

BOAT = "Nia 🚤 sailed from Split to Vis."


def task(number: int, annotations: list[Any], **more: Any) -> dict[str, Any]:
    return {"id": number, "data": {"text": BOAT}, "annotations": annotations, **more}


def done(who: int, results: list[Any], **more: Any) -> dict[str, Any]:
    return {"id": who * 10, "completed_by": who, "result": results, **more}


def result(kind: str, value: dict[str, Any], name: str = "topic", shown: str = "text", **more: Any) -> dict[str, Any]:
    return {"from_name": name, "to_name": shown, "type": kind, "value": value, **more}


def chosen(*labels: str) -> dict[str, Any]:
    return result("choices", {"choices": list(labels)})


def example(who: str, **more: Any) -> dict[str, Any]:
    return {
        "text": BOAT, "_input_hash": 1, "_task_hash": 2, "answer": "accept", "_annotator_id": f"boats-{who}", **more,
    }  # fmt: skip


def lines(*records: dict[str, Any]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


BOTH = [done(1, [chosen("a")]), done(2, [chosen("b")])]
MIN = "annotation_id,annotator,created_at,id,lead_time,tone,text,updated_at\n1,1,x,1,3.2,good,Hi,x\n2,2,x,1,3.2,bad,Hi,x\n"
CUT = [{"start": 0.5, "end": 1.5, "label": "S", "id": "1"}]
SHAPE = [{"label": "car", "x": 1, "y": 2, "width": 3, "height": 4, "points": [[1, 2], [4, 6]], "type": "rect"}]
FREEHAND = [{"label": "car", "points": [[1, 2], [4, 6], [2, 9]], "type": "freehand"}]
TOKENS = [{"text": "Nia", "start": 0, "end": 3, "id": 0}, {"text": "sailed", "start": 6, "end": 12, "id": 1}]

# the file(s), then: items, annotators, answers, kind, labels
VARIANTS: dict[str, tuple[dict[str, Any], tuple[int, int, int, str, tuple[Any, ...]]]] = {
    "label studio: a choice that is no list": (
        {"e.json": [task(1, [done(1, [result("choices", {"choices": "a"})]), done(2, [chosen("b")])])]},
        (1, 2, 2, "single", ("a", "b")),
    ),
    "label studio: JSON Lines": ({"e.jsonl": lines(task(1, BOTH), task(2, []))}, (1, 2, 2, "single", ("a", "b"))),
    "label studio: a page of tasks": (
        {"e.json": {"total": 1, "tasks": [task(1, BOTH)]}},
        (1, 2, 2, "single", ("a", "b")),
    ),
    "label studio: one task": ({"e.json": task(1, BOTH)}, (1, 2, 2, "single", ("a", "b"))),
    "label studio: predictions by number": (
        {"e.json": [task(1, BOTH, predictions=[5, 6], drafts=[3])]},
        (1, 2, 2, "single", ("a", "b")),
    ),
    "label studio: legacy completions": (
        {"e.json": [{"id": 1, "data": {"text": BOAT}, "completions": [*BOTH, {"skipped": True, "result": []}]}]},
        (1, 2, 2, "single", ("a", "b")),
    ),
    "label studio: dates in a time series": (
        {"e.json": [task(1, [done(1, [result("timeserieslabels", {"start": "2026-01-01 00:00:00", "end": "2026-01-01 00:01:00", "timeserieslabels": ["Run"]})]), done(2, [])])]},
        (1, 2, 2, "spans", ("Run",)),
    ),
    "label studio: sound": (
        {"e.json": [{"id": 1, "data": {"audio": "/data/upload/a.wav"}, "annotations": [done(who, [result("labels", {"start": 0.5, "end": who, "labels": ["Speech"]}, shown="audio")]) for who in (1, 2)]}]},
        (1, 2, 2, "spans", ("Speech",)),
    ),
    "label studio: a ranking as a list": (
        {"e.json": [task(1, [done(1, [result("ranker", {"ranker": ["x", "y"]})]), done(2, [result("ranker", {"ranker": ["y", "x"]})])])]},
        (1, 2, 2, "ranking", ("x", "y")),
    ),
    "label studio: the text behind a name, by the configuration": (
        {
            "e.json": [{"id": 1, "data": {"title": "A title that is much longer than the body", "body": "🚤 Nia"}, "annotations": [done(1, [result("labels", {"start": 2, "end": 5, "text": "Nia", "labels": ["PER"]}, "ner", "doc")])]}],
            "c.xml": '<View><Text name="doc" value="$body"/><Labels name="ner" toName="doc"><Label value="PER"/></Labels></View>',
        },
        (1, 1, 1, "spans", ("PER",)),
    ),
    "label studio: CSV": ({"e.csv": MIN}, (1, 2, 2, "single", ("bad", "good"))),
    "label studio: TSV": ({"e.tsv": MIN.replace(",", "\t")}, (1, 2, 2, "single", ("bad", "good"))),
    "prodigy: shapes in pictures": (
        {"p.jsonl": lines(example("ana", spans=SHAPE), example("ben", spans=FREEHAND))},
        (1, 2, 2, "boxes", ("car",)),
    ),
    "prodigy: stretches of sound": (
        {"p.jsonl": lines(example("ana", audio_spans=CUT), example("ben", audio_spans=[*CUT, {"start": 2, "end": 3, "label": "T"}]))},
        (1, 2, 2, "spans", ("S", "T")),
    ),
    "prodigy: two versions side by side": (
        {"p.jsonl": lines(*(example(who, accept={"text": "A"}, reject={"text": "B"}, mapping={"A": "accept"}, answer=said) for who, said in (("ana", "accept"), ("ben", "reject"))))},
        (1, 2, 2, "single", ("accept", "reject")),
    ),
    "prodigy: one span to accept or reject": (
        {"p.jsonl": lines(*(example(who, _is_binary=True, spans=[{"start": 0, "end": 3, "label": "PER"}], answer=said) for who, said in (("ana", "accept"), ("ben", "reject"))))},
        (1, 2, 2, "single", ("accept", "reject")),
    ),
    "prodigy: a file a session": (
        {f"{who}.jsonl": lines(example(who, label="X", answer=said, _annotator_id=None)) for who, said in (("ana", "accept"), ("ben", "reject"))},
        (1, 2, 2, "single", ("accept", "reject")),
    ),
    "prodigy: no option chosen": (
        {"p.jsonl": lines(*(example(who, options=[{"id": "a"}, {"id": "b"}], config={"choice_style": "multiple"}, accept=said) for who, said in (("ana", []), ("ben", ["b"]))))},
        (1, 2, 2, "set", ("a", "b")),
    ),
    "prodigy: options with numbers": (
        {"p.jsonl": lines(*(example(who, options=[{"id": n} for n in (1, 2, 3)], accept=[said]) for who, said in (("ana", 1), ("ben", 3))))},
        (1, 2, 2, "single", (1, 2, 3)),
    ),
    "doccano: the older field 'labels'": (
        {"ana.jsonl": lines({"id": 1, "text": BOAT, "labels": [[0, 3, "PER"]]}), "ben.jsonl": lines({"id": 1, "text": BOAT, "labels": []})},
        (1, 2, 2, "spans", ("PER",)),
    ),
    "doccano: classes without comments": (
        {"ana.jsonl": lines({"id": 1, "text": BOAT, "label": []}), "ben.jsonl": lines({"id": 1, "text": BOAT, "label": ["b"]})},
        (1, 2, 2, "set", ("b",)),
    ),
    "doccano: a member who begins with nothing": (
        {f"{who}.jsonl": lines(*({"id": n, "text": BOAT, "label": [[0, 3, "PER"]] if n == mine else []} for n in (1, 2))) for who, mine in (("ana", 1), ("ben", 2))},
        (2, 2, 4, "spans", ("PER",)),
    ),
    "argilla: statuses in the nested form": (
        {"a.json": [{"id": "1", "fields": {"text": "hi"}, "suggestions": {}, "responses": {"topic": [{"value": "a", "user_id": "u1", "status": "submitted"}, {"value": "b", "user_id": "u2", "status": "discarded"}]}}]},
        (1, 1, 1, "single", ("a",)),
    ),
    "argilla: a response a user": (
        {"a.jsonl": lines({"id": "1", "fields": {"text": "hi"}, "responses": [{"user_id": "u1", "status": "submitted", "values": {"topic": {"value": "a"}}}, {"user_id": "u2", "status": "discarded", "values": None}], "suggestions": [{"question_name": "topic", "value": "a", "agent": "m", "score": 0.2}]})},
        (1, 1, 1, "single", ("a",)),
    ),
    "argilla: one agent a record": (
        {"a.jsonl": lines(*({"id": str(n), "text": "hi", "prediction": [{"label": "a", "score": 0.9}], "prediction_agent": "m", "annotation": "b", "annotation_agent": "ana", "multi_label": False, "status": status} for n, status in enumerate(("Validated", "Discarded"))))},
        (1, 1, 1, "single", ("b",)),
    ),
    "argilla: no span found": (
        {"a.jsonl": lines({"id": "1", "text": BOAT, "ner.responses": [[{"label": "PER", "start": 0, "end": 3}], []], "ner.responses.users": ["u1", "u2"], "ner.responses.status": ["submitted"] * 2})},
        (1, 2, 2, "spans", ("PER",)),
    ),
    "hugging face: rows of the viewer": (
        {"r.json": {"features": [], "rows": [{"row_idx": 0, "row": {"text": "hi", "annotators": ["u1", "u2"], "labels": ["a", "b"]}}]}},
        (1, 2, 2, "single", ("a", "b")),
    ),
    "hugging face: an object of lists": (
        {"r.jsonl": lines({"id": 1, "text": "hi", "annotations": {"annotator": [1, 2], "label": ["a", "b"]}})},
        (1, 2, 2, "single", ("a", "b")),
    ),
    "cvat: a folder an annotator, with the pictures": (
        {**{f"{who}/annotations.xml": '<annotations><version>1.1</version><image id="0" name="a.jpg"><ellipse label="car" cx="5" cy="5" rx="2" ry="1"/></image></annotations>' for who in ("ana", "ben")}, "ana/images/a.jpg": "x"},
        (1, 2, 2, "boxes", ("car",)),
    ),
}  # fmt: skip


def put(folder: Path, files: dict[str, Any]) -> Path:
    for name, content in files.items():
        path = folder / "export" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content, ensure_ascii=False), "utf-8")
    return folder / "export" / (next(iter(files)) if len(files) == 1 else "")


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_is_read(name: str, tmp_path: Path) -> None:
    files, expected = VARIANTS[name]
    study = accord.read(put(tmp_path, files))
    assert (study.n_items, study.n_annotators, study.n_annotations, study.kind, study.labels) == expected


def test_what_cannot_be_read_is_counted_by_its_reason(tmp_path: Path) -> None:
    mask = result("brushlabels", {"format": "rle", "rle": [0, 1], "brushlabels": ["x"]}, "b")
    moving = result("videorectangle", {"sequence": [], "labels": ["car"]}, "v")
    path = put(tmp_path, {"e.json": [task(1, [done(1, [chosen("a"), mask, moving]), done(2, [chosen("a")])])]})
    assert dict(accord.read(path).left_out) == {
        "masks (brushes, bitmasks), which are pictures and no boxes": 1,
        "tracks in videos, which are not read": 1,
    }


def test_only_free_text_is_told(tmp_path: Path) -> None:
    with pytest.raises(accord.AccordError, match="2 free-text answers"):
        accord.read(put(tmp_path, {"p.jsonl": lines(example("ana", user_input="x"), example("ben", user_input="y"))}))


def test_the_review_of_an_annotation_is_kept(tmp_path: Path) -> None:
    reviewed = [done(1, [chosen("a")], reviews=[{"accepted": False}]), done(2, [chosen("b")], reviews=[])]
    study = accord.read(put(tmp_path, {"e.json": [task(1, reviewed)]}))
    assert study._column("review").values == ("rejected",)


def test_a_question_left_unanswered_is_missing_and_a_discarded_one_is_skipped(tmp_path: Path) -> None:
    record = {
        "id": "1", "text": BOAT, "topic.responses": [None, None, "a"], "topic.responses.users": ["u1", "u2", "u3"],
        "topic.responses.status": ["submitted", "discarded", "submitted"],
    }  # fmt: skip
    study = accord.read(put(tmp_path, {"a.jsonl": lines(record)}))
    assert dict(study.left_out) == {"questions that were left unanswered": 1, "skipped": 1}
    assert study.n_annotations == 1


def test_relations_between_tokens_find_them(tmp_path: Path) -> None:
    related = [example(who, tokens=TOKENS, relations=[{"head": 1, "child": 0, "label": "subj"}]) for who in ("a", "b")]
    study = accord.read(put(tmp_path, {"p.jsonl": lines(*related)})).tasks["relations"]
    assert study.answers.places == (((6, 12, 0, 3),),)


def test_objects_in_cells_are_nobodys_answers(tmp_path: Path) -> None:
    records = [{"id": n, "what": {"a": 1}, "other": [{"b": 2}], "more": "x"} for n in range(3)]
    with pytest.raises(accord.AccordError, match="Which column is the annotator"):
        accord.read(put(tmp_path, {"r.jsonl": lines(*records)}))


def test_answers_that_are_all_the_same_cannot_be_told_from_texts_without_the_configuration(tmp_path: Path) -> None:
    same = MIN.replace("bad", "good")
    path = put(tmp_path, {"e.csv": same})
    with pytest.raises(accord.AccordError, match="Give the labelling configuration"):
        accord.read(path)
    config = '<View><Text name="text" value="$text"/><Choices name="tone" toName="text"><Choice value="bad"/><Choice value="good"/></Choices></View>'
    assert accord.read(path, config=config).labels == ("bad", "good")
