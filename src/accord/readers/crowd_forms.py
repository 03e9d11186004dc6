"""What people filled in on a form of Amazon's crowd elements, as Mechanical Turk and Ground Truth write it."""

from __future__ import annotations

from typing import Any

from accord.annotations.left_out import Reason
from accord.study.tables.rows import Record, Rows

ENDS = (("startOffset", "endOffset"), ("start", "end"))
TICKED = "on"  # what a checkbox without a value of its own says


def add_field(form: Record, name: str, text: str | None, rows: Rows, cells: dict[str, Any]) -> None:
    """The rows of one field of a form: a label, several, spans, boxes; what is none of these is counted."""
    value = form.data[name]
    task = {"task": name, **cells}
    if isinstance(value, str | int | float):
        rows.add("single", label=value, text=text, **task)
    elif isinstance(value, list):
        _listed(form, name, text, rows, task)
    elif isinstance(value, dict):
        _object(form.record(name), text, rows, task)


def _listed(form: Record, name: str, text: str | None, rows: Rows, task: dict[str, Any]) -> None:
    parts = form.listed(name)
    if all(isinstance(part, str | int | float) for part in parts):
        rows.answer("set", parts, text=text, **task)
    elif all(isinstance(part, dict) and _is_place(part) for part in parts):
        _spans(form.records(name), text, rows, task)
    else:
        _passed_over(rows, task)


def _object(field: Record, text: str | None, rows: Rows, task: dict[str, Any]) -> None:
    if "entities" in field:
        _spans(field.records("entities"), text, rows, task)
    elif "boundingBoxes" in field:
        _boxes(field.records("boundingBoxes"), rows, task)
    elif "labels" in field:
        rows.answer("set", field.labels("labels"), text=text, **task)
    elif "label" in field:
        rows.add("single", label=field.scalar("label"), text=text, **task)
    elif set(field.data) == {TICKED} and isinstance(field.data[TICKED], bool):
        rows.add("single", label="true" if field.data[TICKED] else "false", text=text, **task)
    elif all(isinstance(marked, bool) for marked in field.data.values()):
        chosen = [label for label, marked in field.data.items() if marked]
        rows.answer("single" if len(chosen) == 1 else "set", chosen, text=text, **task)
    elif all(isinstance(part, str | int | float) for part in field.data.values()):
        for key in field.data:
            add_field(field, key, text, rows, {**task, "task": f"{task['task']}.{key}"})
    else:
        _passed_over(rows, task)


def _passed_over(rows: Rows, task: dict[str, Any]) -> None:
    rows.left_out.add(Reason.UNREAD_FORM, 1, str(task["task"]))


def _is_place(part: dict[str, Any]) -> bool:
    return any({*ends, "label"} <= set(part) for ends in ENDS)


def _spans(entities: list[Record], text: str | None, rows: Rows, task: dict[str, Any]) -> None:
    rows.document(task["item"], text, task=task["task"])
    for entity in entities:
        first, last = next((ends for ends in ENDS if ends[0] in entity), ENDS[0])
        start, end = entity.offset(first), entity.offset(last)
        rows.span(text, start, end, label=entity.needed("label"), **task)
    if not entities:
        rows.add("spans", **task)


def _boxes(boxes: list[Record], rows: Rows, task: dict[str, Any]) -> None:
    for box in boxes:
        x, y, width, height = (box.number(side) or 0.0 for side in ("left", "top", "width", "height"))
        rows.add("boxes", label=box.needed("label"), x=x, y=y, width=width, height=height, **task)
    if not boxes:
        rows.add("boxes", **task)
