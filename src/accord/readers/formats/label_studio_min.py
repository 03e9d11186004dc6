"""Label Studio's JSON-MIN and CSV: one record per annotation, the answers under the names of their controls."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from accord.annotations.left_out import Reason
from accord.errors import FileError, Message, all_quoted, remedy
from accord.readers import json_files
from accord.readers.csv_files import header, records_of_csv, separator_of
from accord.readers.formats import label_studio_config
from accord.readers.source import Source
from accord.study.tables import column_names
from accord.study.tables.rows import ReadOptions, Record, Rows
from accord.study.tables.sheet import json_cell

KNOWN = ("id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement")


def is_min(source: Source, name: str) -> bool:
    """Are there annotation_id and lead_time?"""
    glance = source.glance(name)
    if glance.form.startswith("json"):
        return {"annotation_id", "lead_time"} <= glance.keys
    return glance.form == "text" and {"annotation_id", "lead_time", "annotator"} <= set(
        header(source, name, separator_of(name))
    )


def read(source: Source, name: str, options: ReadOptions) -> Rows:
    """A row for each answer; what these exports lose is said."""
    is_json = source.glance(name).form.startswith("json")
    rows = Rows(f"Label Studio export ({'JSON-MIN' if is_json else 'CSV'})", options)
    rows.note("this export has no skipped annotations, predictions, drafts and relations; the full JSON has them")
    records: list[Record] = list(
        json_files.records(source, name, options, rows)
        if is_json
        else records_of_csv(source, name, options, rows, separator_of(name))
    )
    if not is_json:
        records = [_opened(record) for record in records]
    declared = label_studio_config.find(source, options, rows)
    controls = list(declared) or _controls(records, ordered=is_json)
    if not controls:
        raise FileError(
            source.where(name),
            "Which columns are answers cannot be told from the texts of the tasks: among ",
            all_quoted(records[0].data if records else ()),
            " none differs within a task. Give the labelling configuration (",
            remedy(config=...),
            "), or the export as JSON.",
        )
    rows.note(Message("answers are in ", column_names.columns(controls), ", items in 'id', annotators in 'annotator'"))
    for record in records:
        with rows.guarding():
            _record(record, controls, rows)
    rows.add_empty_answers(label_studio_config.apply(declared, rows))
    return rows


def _opened(record: Record) -> Record:
    """Cells of a CSV that hold JSON, opened."""
    for key, cell in record.data.items():
        if isinstance(cell, str) and cell[:1] in "[{":
            record.data[key] = json_cell(cell)
    return record


def _controls(records: Iterable[Record], *, ordered: bool) -> list[str]:
    """The fields that hold answers: structured ones, those after the id, and those that differ within a task."""
    controls: dict[str, None] = {}
    values: dict[str, dict[Any, set[str]]] = {}
    for record in records:
        keys = list(record.data)
        after = keys.index("id") if ordered and "id" in keys else None
        for place, key in enumerate(keys):
            cell = record.data[key]
            if key in KNOWN or cell is None:
                continue
            if _structured(cell) or (
                after is not None and after < place < keys.index("annotator") if "annotator" in keys else False
            ):
                controls[key] = None
            values.setdefault(key, {}).setdefault(str(record.data.get("id")), set()).add(str(cell))
    for key, by_item in values.items():
        if not ordered and any(len(held) > 1 for held in by_item.values()):
            controls[key] = None
    return list(controls)


def _structured(cell: Any) -> bool:
    if isinstance(cell, dict):
        return bool(set(cell) & {"choices", "taxonomy", "ranker"})
    return isinstance(cell, list) and bool(cell) and all(isinstance(part, dict) for part in cell)


def _record(record: Record, controls: list[str], rows: Rows) -> None:
    common = {
        "item": record.needed("id"),
        "annotator": str(record.scalar("annotator") or "unknown"),
        "annotation": str(record.needed("annotation_id")),
        "time": record.scalar("updated_at") or record.scalar("created_at"),
        "seconds": record.scalar("lead_time"),
    }
    document = record.data.get("text") if isinstance(record.data.get("text"), str) and "text" not in controls else None
    rows.document(common["item"], document)
    for control in controls:
        cell = record.data.get(control)
        if cell is not None and cell != "":
            _answer(record, control, cell, document, rows, {**common, "task": control})
    rows.done_with(**common)


def _answer(record: Record, control: str, cell: Any, document: str | None, rows: Rows, cells: dict[str, Any]) -> None:
    if isinstance(cell, dict):
        held = record.record(control)
        labels = held.labels("choices") or [
            " > ".join(map(str, path)) for path in held.listed("taxonomy") if isinstance(path, list)
        ]
        rows.answer("set", labels, text=document, **cells)
        return
    if not isinstance(cell, list):
        record.check_label(cell)
        rows.add("single", label=cell, text=document, **cells)
        return
    if cell and all(isinstance(part, str) for part in cell):
        rows.answer("set", cell, text=document, **cells)
        return
    for part in record.records(control):
        _part(part, document, rows, cells)


def _part(part: Record, document: str | None, rows: Rows, cells: dict[str, Any]) -> None:
    for score in ("rating", "number"):
        if score in part:
            rows.add("score", score=part.number(score), text=document, **cells)
            return
    if "start" in part and "end" in part and not isinstance(part.data["start"], float):
        for label in part.labels("labels") or ["(no label)"]:
            rows.span(document, part.offset("start"), part.offset("end"), part.text("text"), label=label, **cells)
        return
    if "x" in part and "y" in part:
        named = next((key for key in part.data if key.endswith("labels")), "labels")
        for label in part.labels(named) or ["(no label)"]:
            place: dict[str, Any] = {key: part.number(key) or 0.0 for key in ("x", "y", "width", "height")}
            rows.add("boxes", label=label, **place, **cells)
        return
    if "taxonomy" in part:
        paths = [" > ".join(map(str, path)) for path in part.listed("taxonomy") if isinstance(path, list)]
        rows.answer("set", paths, text=document, **cells)
        return
    if "choices" in part:
        rows.answer("set", part.labels("choices"), text=document, **cells)
        return
    rows.left_out.add(Reason.UNREAD_ANSWER, 1)
