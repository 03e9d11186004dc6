"""LeWiDi, the shared tasks on learning with disagreements: JSON keyed by item, answers and annotators in each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any

from accord.errors import Message, counted, listing, quoted
from accord.readers import json_files
from accord.readers.found_format import Found
from accord.readers.source import Source
from accord.study.tables.rows import ReadOptions, Record, Rows, kept_name
from accord.study.tables.sheet import json_cell

NAME = "lewidi"
LOOSE = True  # its folders hold guidelines and baselines too
HEAD = 20_000  # characters looked at
KEYED = re.compile(r'\s*\{\s*"[^"]*"\s*:\s*\{')
MADE = ("hard_label", "soft_label")  # out of the answers
PEOPLE = "_annotators_meta.json"
OTHERS = re.compile(r"other[ _]annotations", re.IGNORECASE)


def sniff(source: Source) -> Found | None:
    """JSON files keyed by item, with 'annotations', 'annotators' and 'soft_label' in each."""
    files = [name for name in source.ending(".json") if _is_data(source, name)]
    if not files or (source.kind == "file" and len(files) != 1):
        return None
    return Found(
        NAME, f"{counted(len(files), 'files')} keyed by item, with 'annotations', 'annotators' and 'soft_label'"
    )


def _is_data(source: Source, name: str) -> bool:
    glance = source.glance(name)
    head = glance.text[:HEAD]
    keys = ('"annotations"', '"annotators"', '"soft_label"')
    return glance.form in ("json object", "json lines") and bool(KEYED.match(head)) and all(key in head for key in keys)


def read(source: Source, options: ReadOptions) -> Rows:
    """A row for each answer; items of several files are called by the part of the data and the key."""
    rows = Rows("LeWiDi data set", options)
    files = [name for name in source.ending(".json") if _is_data(source, name)] or [source.names[0]]
    people = _people(source, options)
    loaded = [(name, json_files.load_record(source, name, options)) for name in files]
    keys = [key for _, file in loaded for key in file.data]
    again = len(set(keys)) < len(keys)
    for name, file in loaded:
        for key in file.data:
            with rows.guarding():
                entry = Record(file.data[key], source.where(name), "part", Message("item ", quoted(key)))
                part = str(entry.scalar("split") or PurePosixPath(name).stem)
                _entry(entry, f"{part}/{key}" if again else key, people, rows)
    if again:
        rows.note("the files use one key for different items, so items are called by the part of the data and the key")
    rows.note(f"made of the answers, and not read: {listing(MADE)}")
    return rows


def _people(source: Source, options: ReadOptions) -> dict[str, dict[str, Any]]:
    """What is known of the annotators, where it lies beside the answers."""
    found: dict[str, dict[str, Any]] = {}
    for name in source.names:
        if name.endswith(PEOPLE):
            file = json_files.load_record(source, name, options)
            for who in file.data:
                about = file.record(who)
                found[who] = {kept_name(key): about.scalar(key) for key in about.data}
    return found


def _entry(entry: Record, item: str, people: dict[str, dict[str, Any]], rows: Rows) -> None:
    answers = _answers(entry)
    info = entry.record("other_info")
    common = {
        "item": item,
        "text": _text(entry.data.get("text")),
        **{key: entry.scalar(key) for key in ("split", "lang")},
        **{kept_name(key): cell for key, cell in info.data.items() if isinstance(cell, str | int | float)},
    }
    others = next((info.record(key) for key in info.data if OTHERS.fullmatch(key)), Record({}, *entry.place))
    task = entry.text("annotation task")
    for who, label in answers:
        _add(rows, label, {**people.get(who, {}), **common, "annotator": who, "task": task})
    for other in others.data:
        labels = _split(others, other)
        _check_lengths(entry, other, labels, answers)
        for (who, _), label in zip(answers, labels, strict=True):
            _add(rows, label, {**people.get(who, {}), **common, "annotator": who, "task": other})


def _answers(entry: Record) -> list[tuple[str, Any]]:
    """Who said what: as an object, or as two lists of one length, with commas between."""
    raw_annotations = entry.data.get("annotations")
    if isinstance(raw_annotations, dict):
        answers = entry.record("annotations")
        return [(who, answers.scalar(who)) for who in answers.data]
    people, labels = _split(entry, "annotators"), _split(entry, "annotations")
    if labels:  # those of a test set are kept back
        _check_lengths(entry, "annotations", labels, people)
    return list(zip(people, labels, strict=True)) if labels else []


def _check_lengths(entry: Record, name: str, labels: Sequence[Any], people: Sequence[Any]) -> None:
    if len(labels) != len(people):
        raise entry.error(f"There are {len(labels)} answers in ", quoted(name), f", and {len(people)} annotators.")


def _split(entry: Record, name: str) -> list[str]:
    """The parts of a field; the last comma may be followed by nothing."""
    if isinstance(entry.data.get(name), list):
        parts = entry.labels(name)
    else:
        parts = str(entry.scalar(name)).split(",") if name in entry else []
    return [str(part).strip() for part in parts if str(part).strip()]


def _add(rows: Rows, label: Any, cells: dict[str, Any]) -> None:
    """Several labels are separated by commas."""
    if isinstance(label, str) and "," in label:
        rows.answer("set", [part.strip() for part in label.split(",") if part.strip()], **cells)
    else:
        rows.add("single", label=label, **cells)


def _text(text: Any) -> str | None:
    """What was shown: a text, or an object of several, which may be written as JSON."""
    opened = json_cell(text) if isinstance(text, str) and text[:1] == "{" else text
    if isinstance(opened, dict):
        return "\n".join(str(part) for part in opened.values() if isinstance(part, str | int | float))
    return text if isinstance(text, str) else None
