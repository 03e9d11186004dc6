"""Potato: a folder a user with user_state.json; older versions' annotated_instances.jsonl."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

from accord.readers import json_files
from accord.readers.csv_files import header, records_of_csv
from accord.readers.source import Found, Source
from accord.study.tables.attributes import set_attributes_aside
from accord.study.tables.rows import ReadOptions, Record, Rows

NAME = "potato"
LOOSE = True  # its folders hold other files too
STATES, OLD = "user_state.json", "annotated_instances.jsonl"


def sniff(source: Source) -> Found | None:
    """Files user_state.json or annotated_instances.jsonl, or the columns instance_id and user_id."""
    for wanted in (STATES, OLD):
        files = [name for name in source.names if PurePosixPath(name).name == wanted]
        if files:
            return Found(NAME, f"{len(files)} {'file' if len(files) == 1 else 'files'} {wanted}")
    if source.only is None:
        return None
    columns = set(header(source, source.only)) | source.glance(source.only).keys
    return Found(NAME, "the columns instance_id and user_id") if {"instance_id", "user_id"} <= columns else None


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
    if not states and not old:
        _table(source, source.only or "", options, rows)
        set_attributes_aside(
            rows.finish()
        )  # a table of Potato's does not tell schemes from what people said of themselves
    return rows


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
    schemes = record.record("label_annotations")
    for scheme in schemes.data:
        _labels(schemes.record(scheme), scheme, rows, cells)
    if record.data.get("span_annotations"):
        _spans(record.records("span_annotations"), "spans", rows, cells)


def _table(source: Source, name: str, options: ReadOptions, rows: Rows) -> None:
    """One row a user and instance, one column a scheme; or, of spans, a row each."""
    is_json = source.glance(name).form.startswith("json")
    for record in (
        json_files.records(source, name, options, rows) if is_json else records_of_csv(source, name, options, rows)
    ):
        with rows.guarding():
            cells = {"item": record.needed("instance_id"), "annotator": str(record.needed("user_id"))}
            if "schema_name" in record:
                _spans([record], str(record.scalar("schema_name")), rows, cells)
                continue
            for scheme in record.data:
                if scheme not in ("instance_id", "user_id", "displayed_text", "text"):
                    value = record.data[scheme]
                    rows.answer(
                        "set" if isinstance(value, list) else "single", record.labels(scheme), task=scheme, **cells
                    )
