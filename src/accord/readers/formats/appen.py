"""Appen (Figure Eight): the full report, one row a judgement; the aggregated one names no workers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from accord.errors import FileError, Message, all_quoted, quoted
from accord.readers.csv_files import header, records_of_csv
from accord.readers.found_format import Found
from accord.readers.source import Source
from accord.study.tables import column_names
from accord.study.tables.attributes import are_attributes, set_attributes_aside
from accord.study.tables.rows import ReadOptions, Record, Rows
from accord.study.tables.sheet import json_cell

NAME = "appen"
OPTIONS = ("encoding", "separator")


def sniff(source: Source) -> Found | None:
    """The columns _unit_id and _worker_id, or _unit_id and _trusted_judgments."""
    if source.only is None:
        return None
    columns = set(header(source, source.only))
    for mark in ("_worker_id", "_trusted_judgments"):
        if {"_unit_id", mark} <= columns:
            return Found(NAME, f"the columns _unit_id and {mark}")
    return None


def read(source: Source, options: ReadOptions) -> Rows:
    """A row for each answer; several answers in a cell stand on lines of their own."""
    name = source.only or ""
    columns = header(source, name)
    if "_worker_id" not in columns:
        return _aggregated(source, name, columns, options)
    rows = Rows("Appen full report", options)
    records = list(records_of_csv(source, name, options, rows))
    questions = [column for column in options.questions if column in columns] or _questions(columns, records)
    if not questions:
        raise FileError(source.where(name), "No column of answers was found among ", all_quoted(columns), ".", line=1)
    rows.note(
        Message("answers are in ", column_names.columns(questions), ", items in '_unit_id', annotators in '_worker_id'")
    )
    for record in records:
        with rows.guarding():
            _judgement(record, questions, rows)
    declared = options.questions or any(f"{column}_gold" in columns for column in columns)
    if not declared:  # answers were told by differing within a unit
        set_attributes_aside(rows.finish())
    return rows


def questions(sources: Sequence[Source], options: ReadOptions) -> list[str]:
    """What several batches ask, seen over all of them: in one of them everybody may agree."""
    rows = Rows("Appen full reports", options)
    files = [(source, source.only or "") for source in sources]
    files = [(source, name) for source, name in files if "_worker_id" in header(source, name)]
    columns = list(dict.fromkeys(column for source, name in files for column in header(source, name)))
    records = [record for source, name in files for record in records_of_csv(source, name, options, rows)]
    found = _questions(columns, records)
    if any(f"{column}_gold" in columns for column in columns):
        return found
    people, items = ([record.data.get(name) for record in records] for name in ("_worker_id", "_unit_id"))
    answers = [c for c in found if not are_attributes(c, people, items, [record.data.get(c) for record in records])]
    return answers or found


def _aggregated(source: Source, name: str, columns: list[str], options: ReadOptions) -> Rows:
    rows = Rows("Appen aggregated report", options)
    rows.note("an aggregated report names no workers: there is nobody to compare. The full report has them")
    questions = [column.removesuffix(":confidence") for column in columns if column.endswith(":confidence")]
    for record in records_of_csv(source, name, options, rows):
        with rows.guarding():
            for question in questions:
                rows.add(
                    "single",
                    item=record.needed("_unit_id"),
                    annotator="aggregated",
                    label=record.scalar(question),
                    task=question,
                )
    return rows


def _questions(columns: list[str], records: list[Record]) -> list[str]:
    """Columns with a gold twin (topic, topic_gold); else those that differ within a unit."""
    with_gold = [column for column in columns if f"{column}_gold" in columns]
    if with_gold:
        return with_gold
    plain = [column for column in columns if not column.startswith("_") and not column.endswith("_gold")]
    values: dict[str, dict[str, set[str]]] = {column: {} for column in plain}
    for record in records:
        for column in plain:
            values[column].setdefault(str(record.data.get("_unit_id")), set()).add(str(record.data.get(column)))
    return [column for column in plain if any(len(held) > 1 for held in values[column].values())]


def _judgement(record: Record, questions: list[str], rows: Rows) -> None:
    trust = record.data.get("_trust")
    common: dict[str, Any] = {
        "item": record.needed("_unit_id"), "annotator": record.needed("_worker_id"), "annotation": record.scalar("_id"),
        "time": record.scalar("_created_at"), "text": record.scalar("text"), "trust": trust,
        "status": "untrusted" if str(record.data.get("_tainted", "")).lower() == "true" else None,
        "control": True if str(record.data.get("_golden", "")).lower() == "true" else None,
    }  # fmt: skip
    for question in questions:
        labels, several = _labels(record, question, rows.options.separator)
        rows.answer("set" if several else "single", labels, task=question, **common)


def _labels(record: Record, question: str, separator: str | None) -> tuple[list[Any], bool]:
    """The labels in a cell, and whether it may hold several: on lines of their own, or as a list in JSON."""
    cell = str(record.data.get(question, ""))
    if separator not in (None, "json"):
        return [part.strip() for part in cell.split(separator) if part.strip()], True
    opened = json_cell(cell) if cell.startswith("[") and cell.endswith("]") else None
    if isinstance(opened, list):
        return Record({question: opened}, *record.place).labels(question), True
    if separator == "json" and cell:
        raise record.error(quoted(question), " should hold a list in JSON, and it is ", quoted(cell[:40]), ".")
    labels = [part.strip() for part in cell.split("\n") if part.strip()]
    return labels, len(labels) > 1
