"""Records decoded into the fields that are read say the same as records that are looked at field by field."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.errors import AccordError
from accord.readers import json_files

SAMPLES = Path(__file__).parent / "samples"
RICH: dict[str, Any] = {
    "id": 1,
    "data": {"text": 'a } b " { c \\ 😀 word', "lang": "en", "n": 3},
    "predictions": [5, {"id": 9, "score": 0.5, "result": [
        {"from_name": "topic", "to_name": "text", "type": "choices", "value": {"choices": ["x"]}}]}],
    "drafts": [{"id": 2, "user": "u", "result": [
        {"from_name": "topic", "to_name": "text", "type": "choices", "value": {"choices": ["x"]}}]}],
    "annotations": [
        {"id": 11, "completed_by": {"id": 1, "email": "e@x"}, "lead_time": 2, "reviews": [{"accepted": True}],
         "result": [
            {"id": "r1", "from_name": "ner", "to_name": "text", "type": "labels",
             "value": {"start": 0, "end": 1, "text": "a", "labels": ["P"]}},
            {"id": "r2", "from_name": "ner", "to_name": "text", "type": "labels",
             "value": {"start": 4, "end": 5, "text": "b", "labels": ["Q"]}},
            {"type": "relation", "from_id": "r1", "to_id": "r2", "labels": ["rel"]},
            {"from_name": "stars", "to_name": "text", "type": "rating", "value": {"rating": 3}}]},
        {"id": 12, "completed_by": 2, "ground_truth": True, "result": [
            {"from_name": "topic", "to_name": "text", "type": "choices", "score": 1, "value": {"choices": ["y", "x"]}},
            {"from_name": "tax", "to_name": "text", "type": "taxonomy", "value": {"taxonomy": [["a", "b"]]}}]},
        {"id": 13, "completed_by": 3, "was_cancelled": True, "result": "not looked at"},
        {"id": 14, "completed_by": 4, "result": []},
    ],
}  # fmt: skip
ODD: list[Any] = [
    None, 0, True, -1, 1.5, "", "x", "1", [], {}, [1], {"a": 1}, [None], float("nan"), 10**30, "\ud800", 1e300,
    ["x", "x"], [["a"]], {"id": 3}, {"start": 1},
]  # fmt: skip


def places(held: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    parts = held.items() if isinstance(held, dict) else enumerate(held) if isinstance(held, list) else ()
    for key, part in parts:
        yield (*path, key)
        yield from places(part, (*path, key))


def spoilt(task: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """A task of which one part is gone, or something else."""
    task = copy.deepcopy(task)
    *path, last = chance.choice(list(places(task)))
    held: Any = task
    for key in path:
        held = held[key]
    if chance.random() < 0.25:
        del held[last]
    else:
        held[last] = chance.choice(ODD)
    return task


def exports(number: int) -> Iterator[bytes]:
    tasks = [*json.loads((SAMPLES / "label-studio" / "export.json").read_text(encoding="utf-8")), RICH]
    chance = random.Random(3)
    for round_ in range(number):
        chosen = [{**chance.choice(tasks), "id": place} for place in range(chance.choice((1, 2, 4)))]
        chosen[-1] = spoilt(chosen[-1], chance)
        written = json.dumps(chosen, ensure_ascii=bool(round_ % 3), indent=1 if round_ % 2 else None)
        text = bytearray(written.encode("utf-8", "surrogatepass"))
        if round_ % 4 == 0:
            text[chance.randrange(len(text))] = chance.choice(b'{}[],:"\\ \n0-eu\x00\xff\x01')
        yield bytes(text[: chance.randrange(len(text))] if round_ % 16 == 5 else text)


def outcome(path: Path, on_error: Any) -> tuple[Any, ...]:
    """All that a study of the file tells, or what is wrong with it."""
    try:
        study = accord.read(path, format="label-studio", on_error=on_error, duplicates="last")
    except AccordError as problem:
        return type(problem).__name__, str(problem)
    written = path.with_suffix(".csv")
    study.write(written)
    return repr(study), str(study.describe()), study.notes, dict(study.left_out), written.read_text(encoding="utf-8")


@pytest.mark.parametrize("on_error", ["raise", "skip"])
def test_decoded_fields_and_looked_at_fields_say_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, on_error: str
) -> None:
    pytest.importorskip("msgspec")
    path, found = tmp_path / "export.json", 0
    for text in exports(48):
        path.write_bytes(text)
        with monkeypatch.context() as changed:
            changed.setattr(json_files, "decoder_of", lambda _: None)
            looked_at = outcome(path, on_error)
        assert outcome(path, on_error) == looked_at
        found += len(looked_at) > 2
    assert found > 8  # not only errors were compared


def test_windows_of_any_size_find_the_same_tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "export.json"
    path.write_text(json.dumps([{**RICH, "id": place} for place in range(40)], ensure_ascii=False), encoding="utf-8")
    expected = outcome(path, "raise")
    assert "40 items" in expected[1]
    for chunk, window in ((300, 100), (5_000, 3_000), (7_000, 100_000)):
        monkeypatch.setattr(json_files, "CHUNK", chunk)
        monkeypatch.setattr(json_files, "WINDOW", window)
        assert outcome(path, "raise") == expected


def test_tasks_are_decoded_whatever_braces_their_texts_hold(tmp_path: Path) -> None:
    pytest.importorskip("msgspec")
    from accord.readers.formats.label_studio_fields import LabelStudioTask
    from accord.readers.source import Source
    from accord.study.tables.rows import ReadOptions, Rows

    path, options = tmp_path / "export.json", ReadOptions()
    kept = {"id": 0, "data": {"text": "plain"}, "annotations": []}
    for text, decoded in (("{}", 30), ("a } b {", 30), ("}", 10), ("{", 10)):
        tasks = [*([kept] * 10), {**kept, "data": {"text": text}}, *([kept] * 19)]
        path.write_text(json.dumps(tasks), encoding="utf-8")
        source = Source(path)
        found = list(json_files.typed_records(source, path.name, options, Rows("export", options), LabelStudioTask))
        assert [record.record().data for record in found] == tasks
        assert sum(record.fields is not None for record in found) >= decoded
