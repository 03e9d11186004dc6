"""The data of the alternative annotator test: human_annotations.json and llm_annotations.json, annotator by item."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Any

from accord.annotations.left_out import Reason
from accord.errors import Message, all_quoted, counted, listing, quoted
from accord.readers import json_files
from accord.readers.found_format import Found
from accord.readers.source import Source
from accord.study.tables.rows import ReadOptions, Record, Rows

NAME = "alt-test"
LOOSE = True  # pictures and outputs of models lie beside
KINDS = {"human_annotations.json": "person", "llm_annotations.json": "model"}
PROMPTS = "prompts.json"
FEATURE = "__"  # before what was asked of the text, at the end of an instance's id
MOST_FEATURES, MOSTLY = 50, 0.8


def sniff(source: Source) -> Found | None:
    """Files human_annotations.json or llm_annotations.json."""
    files = [name for name in source.names if PurePosixPath(name).name in KINDS]
    if not files or any(not source.glance(name).form.startswith("json") for name in files):
        return None
    return Found(
        NAME, f"{counted(len(files), 'files')} {listing([PurePosixPath(name).name for name in files], most=2)}"
    )


def read(source: Source, options: ReadOptions) -> Rows:
    """A row for each answer of a person or a model; data sets in folders of their own are variables."""
    rows = Rows("set of human and LLM annotations", options)
    files = [name for name in source.names if PurePosixPath(name).name in KINDS] or list(source.names)
    folders = list(dict.fromkeys(str(PurePosixPath(name).parent) for name in files))
    for folder in folders:
        mine = [name for name in files if str(PurePosixPath(name).parent) == folder]
        _data_set(source, mine, folder if len(folders) > 1 else None, rows)
    return rows


def _data_set(source: Source, files: Iterable[str], called: str | None, rows: Rows) -> None:
    """The answers in one folder; several data sets are told apart by its name."""
    loaded = {name: json_files.load_record(source, name, rows.options) for name in files}
    people = {name: _by_annotator(file, name) for name, file in loaded.items()}
    features = _features({item for held in people.values() for answers in held.values() for item in answers})
    texts = _texts(source, PurePosixPath(next(iter(loaded))).parent, rows.options)
    for name, held in people.items():
        for who, answers in held.items():
            with rows.guarding():
                record = Record(answers, source.where(name), "part", Message("annotator ", quoted(who)))
                cells = {"annotator": who, "kind": KINDS.get(PurePosixPath(name).name)}
                for item in record.data:
                    stem, _, feature = item.rpartition(FEATURE)
                    task_parts = [part for part in (called, feature if features else None) if part]
                    place = {"item": stem if features else item, "task": " ".join(task_parts) or None}
                    _answer(rows, record.data[item], {**place, "cluster": texts.get(item), **cells})
    if features:
        rows.note(Message("what follows the last '__' of an id is the variable: ", all_quoted(sorted(features), 6)))


def _by_annotator(file: Record, name: str) -> dict[str, dict[str, Any]]:
    """The answers of each; one model's alone are an object of items."""
    if any(isinstance(held, dict) for held in file.data.values()):
        return {who: file.record(who).data for who in file.data}
    return {PurePosixPath(name).stem.removesuffix("_annotations"): file.data}


def _features(ids: Iterable[str]) -> set[str]:
    """What was asked of each text, where ids say it and nearly every text was asked all of it."""
    parts = [item.rpartition(FEATURE) for item in ids]
    features, texts = {feature for _, _, feature in parts}, {text for text, _, _ in parts}
    if not parts or "" in texts or not 2 <= len(features) <= MOST_FEATURES:
        return set()
    return features if len(parts) >= MOSTLY * len(texts) * len(features) else set()


def _texts(source: Source, folder: PurePosixPath, options: ReadOptions) -> dict[str, str]:
    """The text that an instance is about, which several share."""
    name = str(folder / PROMPTS)
    if name not in source.names:
        return {}
    file = json_files.load_record(source, name, options)
    return {
        item: str(held["text_id"])
        for item, held in file.data.items()
        if isinstance(held, dict) and isinstance(held.get("text_id"), str | int)
    }


def _answer(rows: Rows, label: Any, cells: dict[str, Any]) -> None:
    if isinstance(label, list) and all(isinstance(part, str | int | float) for part in label):
        rows.answer("set", label, **cells)
    elif isinstance(label, dict | list):
        rows.left_out.add(Reason.UNREAD_ANSWER, 1)
    else:
        rows.add("single", label=label, **cells)
