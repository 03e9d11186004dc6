"""JSON arrays are read as a stream; progress is told; UTF-16 offsets become characters; others can add a format."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import accord
from accord.errors import FileError
from accord.readers import json_files
from accord.readers.format_registry import readers
from accord.readers.found_format import Found
from accord.readers.source import Source
from accord.study.tables.offsets import CodePoints
from accord.study.tables.rows import ReadOptions, Rows

SAMPLES = Path(__file__).parent / "samples"


@pytest.mark.parametrize("chunk", [1, 2, 7, 64, 100_000])
@pytest.mark.parametrize("indent", [None, 1])
def test_a_stream_gives_what_the_whole_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int, indent: int | None
) -> None:
    held = [{"a": 'é🙂\\" ]', "b": [1.5e3, -2, True, None, {"c": []}]}, {"d": "x" * 50}, {"e": 12345}]
    path = tmp_path / "a.json"
    path.write_text(json.dumps(held, indent=indent, ensure_ascii=False), encoding="utf-8")
    monkeypatch.setattr(json_files, "CHUNK", chunk)
    assert [record.data for record in json_files.array(Source(path), "a.json", ReadOptions())] == held


@pytest.mark.parametrize("chunk", [3, 1000])
def test_a_broken_record_in_a_stream_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    path = tmp_path / "a.json"
    path.write_text('[{"a": 1},\n {"b": 2},\n {"c": oops},\n {"d": 4}]')
    monkeypatch.setattr(json_files, "CHUNK", chunk)
    with pytest.raises(FileError, match=r"a\.json, record 3, line 3: It is not JSON"):
        list(json_files.array(Source(path), "a.json", ReadOptions()))


def test_a_first_record_longer_than_the_glance_is_known(tmp_path: Path) -> None:
    result = {"from_name": "topic", "to_name": "text", "type": "choices", "value": {"choices": ["a"]}}
    held = [
        {"id": 1, "completed_by": 1, "result": [result], "history": "x" * (1 << 20)},
        {"id": 2, "completed_by": 2, "result": [result]},
    ]
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{"id": 1, "annotations": held, "data": {"text": "t"}}]))
    assert accord.read(path).n_annotations == 2


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    accord.read(SAMPLES / "label-studio/export.json", progress=lambda done, total: told.append((done, total)))
    size = (SAMPLES / "label-studio/export.json").stat().st_size
    assert told[-1] == (size, size)


@pytest.mark.parametrize(("offset", "expected"), [(0, 0), (1, 1), (2, None), (3, 2), (4, 3), (5, None)])
def test_offsets_in_utf_16_units(offset: int, expected: int | None) -> None:
    assert CodePoints("a🛫b").of(offset) == expected


def test_others_can_add_a_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Ours:
        @staticmethod
        def sniff(source: Source) -> Found | None:
            return Found("ours", "it begins with OURS") if source.glance(source.names[0]).first_line == "OURS" else None

        @staticmethod
        def read(source: Source, options: ReadOptions) -> Rows:
            rows = Rows("file of ours", options)
            for line in source.text(source.names[0]).splitlines()[1:]:
                item, who, label = line.split()
                rows.add("single", item=item, annotator=who, label=label)
            return rows

    class Point:
        name = "ours"

        def load(self) -> type[Ours]:
            return Ours

    monkeypatch.setattr(
        "accord.readers.format_registry.entry_points", lambda group: [Point()] if group == "accord.readers" else []
    )
    readers.cache_clear()
    path = tmp_path / "x.ours"
    path.write_text("OURS\n1 ana a\n1 ben b\n")
    try:
        assert accord.read(path).annotators == ("ana", "ben")
    finally:
        readers.cache_clear()
