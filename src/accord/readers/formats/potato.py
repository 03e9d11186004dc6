"""Potato: a folder a user with user_state.json; older versions' annotated_instances, lines or a table.

Pages of a survey are instances as well (their ids end in .html): what people answer there is about themselves.
"""

from __future__ import annotations

import ast
import re
from pathlib import PurePosixPath
from typing import Any

from accord.errors import MayBeNames, Message, listing, quoted
from accord.readers import json_files
from accord.readers.csv_files import header, records_of_csv, separator_of
from accord.readers.found_format import Found
from accord.readers.source import Source
from accord.study.tables import column_names
from accord.study.tables.attributes import set_attributes_aside
from accord.study.tables.rows import ReadOptions, Record, Rows, kept_name
from accord.study.tables.sheet import json_cell

NAME = "potato"
LOOSE = True  # its folders hold other files too
STATES, OLD, TABLE = "user_state.json", "annotated_instances.jsonl", "annotated_instances"
BETWEEN = ":::"  # a scheme and one of its labels
MARKED = "span_annotation"
OWN = ("instance_id", "user_id", "user", "displayed_text", "text")
ENTERED = ("select-one", "slider", "number", "textbox_number")  # whose value is the answer
NOT_CHOSEN = ("", "false", "none", "nan")
POINT = re.compile(r"scale_(\d+)")  # of a Likert scale


def sniff(source: Source) -> Found | None:
    """Files user_state.json or annotated_instances.jsonl, or the columns instance_id and user_id (or user)."""
    for wanted in (STATES, OLD):
        files = [name for name in source.names if PurePosixPath(name).name == wanted]
        if files:
            return Found(NAME, f"{len(files)} {'file' if len(files) == 1 else 'files'} {wanted}")
    seen = [_seen(source, name) for name in _tables(source)]
    return Found(NAME, f"the columns {seen[0]}") if seen and all(seen) else None


def _tables(source: Source) -> list[str]:
    """The file, or those of a folder that Potato calls so."""
    if source.only is not None:
        return [source.only]
    return [name for name in source.ending(".tsv", ".csv") if PurePosixPath(name).stem == TABLE]


def _seen(source: Source, name: str) -> str:
    columns = set(header(source, name, separator_of(name))) | source.glance(name).keys
    if {"instance_id", "user_id"} <= columns:
        return "instance_id and user_id"
    labels = any(BETWEEN in column for column in columns)
    return f"instance_id, user and scheme{BETWEEN}label" if {"instance_id", "user"} <= columns and labels else ""


def read(source: Source, options: ReadOptions) -> Rows:
    """A row for each label and span of each scheme."""
    rows = Rows("Potato export", options)
    states = [name for name in source.names if PurePosixPath(name).name == STATES]
    old = [name for name in source.names if PurePosixPath(name).name == OLD]
    for name in states:
        with rows.guarding():
            _state(json_files.load_record(source, name, options), _folder(source, name), rows)
    for name in old:
        for record in json_files.lines(source, name, options, rows):
            with rows.guarding():
                _old(record, _folder(source, name), rows)
    for name in [] if states or old else _tables(source):
        _table(source, name, options, rows)
    rows.add_empty_answers()
    _set_surveys_aside(rows)
    if not states and not old:  # a table does not tell schemes from what people said of themselves
        set_attributes_aside(rows.finish())
    return rows


def _set_surveys_aside(rows: Rows) -> None:
    """What people answered on the pages of a survey becomes columns about them."""
    items, people, tasks, labels = (rows.column(name) for name in ("item", "annotator", "task", "label"))
    written = zip(rows.column("status"), rows.column("text"), strict=True)
    labels = [
        text if label is None and status == "free text" else label
        for label, (status, text) in zip(labels, written, strict=True)
    ]
    pages = {row for row, item in enumerate(items) if isinstance(item, str) and item.endswith((".html", ".htm"))}
    if not pages or len(pages) == rows.length:
        return
    by_question: dict[str, dict[Any, list[str]]] = {}
    for row in sorted(pages):
        if labels[row] is not None:
            by_question.setdefault(str(tasks[row]), {}).setdefault(people[row], []).append(str(labels[row]))
    for question, answers in by_question.items():
        cells = [answers.get(who) for who in people]
        rows.columns[kept_name(question)] = [None if one is None else "; ".join(one) for one in cells]
    rows.take_out(pages)
    pages_seen = listing(sorted({str(items[row]) for row in pages}), most=3)
    seen = MayBeNames(f" ({pages_seen})", "")
    rows.note(
        Message(
            column_names.columns(list(by_question)),
            " were answered on pages of a survey",
            seen,
            " and describe annotators",
        )
    )


def _folder(source: Source, name: str) -> str:
    parts = PurePosixPath(name).parts
    return parts[-2] if len(parts) > 1 else source.path.resolve().parent.name if source.kind == "file" else source.name


def _state(state: Record, folder: str, rows: Rows) -> None:
    who = str(state.scalar("user_id") or folder)
    labels = state.record("instance_id_to_label_to_value")
    for item in labels.data:
        schemes = labels.record(item)
        for scheme in schemes.data:
            held = schemes.record(scheme)
            _labels(held.record("labels") if "labels" in held else held, scheme, rows, {"item": item, "annotator": who})
    spans = state.record("instance_id_to_span_to_value")
    for item in spans.data:
        schemes = spans.record(item)
        for scheme in schemes.data:
            _spans(schemes.records(scheme), scheme, rows, {"item": item, "annotator": who})
    for item in dict.fromkeys([*labels.data, *spans.data]):
        rows.done_with(item=item, annotator=who)


def _labels(held: Record, scheme: str, rows: Rows, cells: dict[str, Any]) -> None:
    """{name: true} are chosen labels; {name: value} is a slider, a scale or a text."""
    marked = [
        name
        for name, value in held.data.items()
        if (value in (True, "true", name) and not isinstance(value, int | float)) or value is True
    ]
    if marked or not held.data:
        rows.answer("set" if len(marked) > 1 else "single", marked, task=scheme, **cells)
        return
    for name in held.data:
        value = held.scalar(name)
        rows.add("single", label=value, task=scheme if len(held.data) == 1 else f"{scheme}.{name}", **cells)


def _spans(spans: list[Record], scheme: str, rows: Rows, cells: dict[str, Any]) -> None:
    for span in spans:
        place = {"start": span.offset("start"), "end": span.offset("end")}
        if place["end"] < place["start"]:
            raise span.error(f"A span ends at {place['end']}, before it begins at {place['start']}.")
        label = span.scalar("label") or span.scalar("name") or span.scalar("annotation") or "(no label)"
        rows.add("spans", label=label, covered=span.text("text") or span.text("span"), task=scheme, **place, **cells)
    if not spans:
        rows.add("spans", task=scheme, **cells)


def _old(record: Record, who: str, rows: Rows) -> None:
    cells = {"item": record.needed("id"), "annotator": who}
    text = record.text("displayed_text") or record.text("text")
    schemes = record.record("label_annotations")
    for scheme in schemes.data:
        _chosen(dict(schemes.record(scheme).data), scheme, rows, {**cells, "text": text})
    if record.data.get("span_annotations"):
        _spans(record.records("span_annotations"), "spans", rows, cells)
    rows.document(cells["item"], text, task="spans")
    rows.done_with(**cells)


def _table(source: Source, name: str, options: ReadOptions, rows: Rows) -> None:
    """One row per user and instance, one column per scheme (or a label of a scheme); or, of spans, a row each."""
    is_json = source.glance(name).form.startswith("json")
    records = list(
        json_files.records(source, name, options, rows)
        if is_json
        else records_of_csv(source, name, options, rows, separator_of(name))
    )
    schemes = _schemes(records)
    if schemes and not any("schema_name" in record for record in records):
        rows.note(
            Message(
                "answers are in ",
                column_names.columns(list(schemes)),
                ", items in 'instance_id', annotators in the column of users",
            )
        )
    for record in records:
        with rows.guarding():
            who = record.needed("user_id" if "user_id" in record else "user")
            cells = {"item": record.needed("instance_id"), "annotator": str(who)}
            if "schema_name" in record:
                _spans([record], str(record.scalar("schema_name")), rows, cells)
                continue
            text = record.scalar("displayed_text") or record.scalar("text")
            for scheme, columns in schemes.items():
                if scheme == MARKED:
                    _marked(record, columns, rows, cells, text)
                elif scheme in columns:
                    value = record.data.get(scheme)
                    kind = "set" if isinstance(value, list) else "single"
                    rows.answer(kind, record.labels(scheme), task=scheme, text=text, **cells)
                else:
                    given = {column.partition(BETWEEN)[2]: record.scalar(column) for column in columns}
                    _chosen(given, scheme, rows, {**cells, "text": text})


def _schemes(records: list[Record]) -> dict[str, list[str]]:
    """The columns of each scheme: one of its name, or one for each of its labels."""
    found: dict[str, list[str]] = {}
    for column in dict.fromkeys(column for record in records for column in record.data):
        if column not in OWN:
            found.setdefault(column.partition(BETWEEN)[0], []).append(column)
    return found


def _chosen(given: dict[str, Any], scheme: str, rows: Rows, cells: dict[str, Any]) -> None:
    """The labels of a scheme that were chosen, each with the value of its button; a point of a scale is its number."""
    given = {label: value for label, value in given.items() if str(value).lower() not in NOT_CHOSEN}
    if not given:
        return
    if "text_box" in given:
        text = str(given.pop("text_box"))
        rows.add("single", **{**cells, "text": text}, task=scheme, status="free text")
    values = [given.pop(label) for label in list(given) if label in ENTERED]
    points = [found.group(1) if (found := POINT.fullmatch(label)) else label for label in given]
    labels = [*values, *points]
    if labels:
        rows.answer("set" if len(labels) > 1 else "single", labels, task=scheme, **cells)


def _marked(record: Record, columns: list[str], rows: Rows, cells: dict[str, Any], text: Any) -> None:
    """Spans by their labels: lists of objects, as Python or JSON writes them."""
    spans: list[Record] = []
    for column in columns:
        cell = record.data.get(column)
        held = _opened(cell) if isinstance(cell, str) else cell
        if held is not None and not isinstance(held, list):
            raise record.error(quoted(column), " should hold a list of spans, and it is ", quoted(str(cell)[:40]), ".")
        spans += Record({"spans": held or []}, *record.place).records("spans")
    rows.document(cells["item"], text if isinstance(text, str) else None, task="spans")
    _spans(spans, "spans", rows, cells)


def _opened(cell: str) -> Any:
    """What a cell holds, as JSON or as Python writes it; the cell itself where it is neither."""
    held = json_cell(cell)
    try:
        return ast.literal_eval(cell) if held is cell else held
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return cell
