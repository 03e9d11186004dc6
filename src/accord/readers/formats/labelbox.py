"""Labelbox export v2: a data row a line, its labels by project; ends of text entities are inclusive."""

from __future__ import annotations

from typing import Any

from accord.annotations.left_out import Reason
from accord.readers import json_files
from accord.readers.found_format import Found
from accord.readers.source import Source
from accord.study.tables.rows import ReadOptions, Record, Rows

NAME = "labelbox"


def sniff(source: Source) -> Found | None:
    """Records with data_row and projects."""
    if source.only is None:
        return None
    keys = source.glance(source.only).keys
    return Found(NAME, "records with 'data_row' and 'projects'") if {"data_row", "projects"} <= keys else None


def read(source: Source, options: ReadOptions) -> Rows:
    """A row for each answer and each marked object of each label."""
    rows = Rows("Labelbox export", options)
    for record in json_files.records(source, source.only or "", options, rows):
        with rows.guarding():
            _data_row(record, rows)
    rows.add_empty_answers()
    return rows


def _data_row(record: Record, rows: Rows) -> None:
    row = record.record("data_row")
    item = row.scalar("global_key") or row.scalar("external_id") or row.needed("id")
    content = row.data.get("row_data")
    text = content if isinstance(content, str) and "://" not in content[:12] else None
    projects = record.record("projects")
    for project in projects.data:
        for label in projects.record(project).records("labels"):
            _label(label, rows, item, text, project if len(projects.data) > 1 else None)


def _label(label: Record, rows: Rows, item: Any, text: str | None, project: str | None) -> None:
    details, performance = label.record("label_details"), label.record("performance_details")
    common: dict[str, Any] = {
        "item": item,
        "annotator": str(details.scalar("created_by") or "unknown"),
        "annotation": str(label.scalar("id")),
        "time": details.scalar("updated_at") or details.scalar("created_at"),
        "seconds": performance.number("seconds_to_create"),
        "project": project,
    }
    if performance.flag("skipped"):
        rows.add("single", status="skipped", **common)
        return
    if performance.flag("benchmark_reference_label"):
        common["gold"] = True
    annotations = label.record("annotations")
    places: dict[str, tuple[int, int]] = {}
    rows.document(common["item"], text)
    for part in annotations.records("objects"):
        place = _object(part, rows, text, common)
        if place is not None:
            places[str(part.scalar("feature_id"))] = place
    for part in annotations.records("classifications"):
        _classification(part, rows, text, common, "")
    for part in annotations.records("relationships"):
        _relationship(part, rows, places, common)
    rows.done_with(**common)


def _relationship(part: Record, rows: Rows, places: dict[str, tuple[int, int]], common: dict[str, Any]) -> None:
    """From one text entity to another; without a direction, from the first in the text."""
    key = next((key for key in part.data if key.endswith("_relationship") and isinstance(part.data[key], dict)), None)
    ends = part if key is None else part.record(key)
    head, child = (places.get(str(ends.scalar(key))) for key in ("source", "target"))
    if head is None or child is None:
        rows.left_out.add(Reason.NO_ENDS, 1)
        return
    kind = f"{key or ''} {part.data.get('annotation_kind', '')} {part.data.get('edge_type', '')}".lower()
    if "bidirectional" in kind:
        head, child = sorted((head, child))
    name = part.scalar("name") or part.scalar("value") or "related"
    rows.relation(head, child, label=name, task="relationships", **common)


def _object(part: Record, rows: Rows, text: str | None, common: dict[str, Any]) -> tuple[int, int] | None:
    """A marked object, and the questions about it; the place of a text entity."""
    name = part.scalar("name") or part.scalar("value") or "(no label)"
    if "location" in part:
        location = part.record("location")
        start, end = location.offset("start"), location.offset("end") + 1  # inclusive there
        rows.span(text, start, end, label=name, task="objects", **common)
        for task, label in _object_questions(part, str(name), rows):
            rows.span(text, start, end, label=label, task=task, **common)
        return start, end
    place = _box(part)
    if place is None:
        rows.left_out.add(Reason.UNREAD_TYPE, 1, str(part.scalar("annotation_kind")))
        return None
    rows.add("boxes", label=name, task="boxes", **place, **common)
    for task, label in _object_questions(part, str(name), rows):
        rows.add("boxes", label=label, task=task, **place, **common)
    return None


def _box(part: Record) -> dict[str, Any] | None:
    """The box of an object, or the box around its points."""
    if "bounding_box" in part:
        box = part.record("bounding_box")
        sides = {"x": "left", "y": "top", "width": "width", "height": "height"}
        return {key: box.number(name) or 0.0 for key, name in sides.items()}
    outline = next((key for key in ("polygon", "line") if isinstance(part.data.get(key), list)), None)
    points = part.records(outline) if outline else [part.record("point")] if "point" in part else []
    if not points:
        return None
    xs, ys = ([point.number(key) or 0.0 for point in points] for key in ("x", "y"))
    return {"x": min(xs), "y": min(ys), "width": max(xs) - min(xs), "height": max(ys) - min(ys)}


def _object_questions(part: Record, name: str, rows: Rows) -> list[tuple[str, Any]]:
    """The questions about a marked object: each, under the object's name, and each label."""
    found = []
    for question in part.records("classifications"):
        task = f"{name}.{question.scalar('name') or question.scalar('value') or 'classification'}"
        if "radio_answer" in question:
            answers = [question.record("radio_answer")]
        else:
            answers = question.records("checklist_answers")
        labels = [answer.scalar("name") or answer.scalar("value") for answer in answers]
        if not answers:
            rows.left_out.add(Reason.IN_WORDS, 1)
        found += [(task, label) for label in labels if label is not None]
    return found


def _classification(part: Record, rows: Rows, text: str | None, common: dict[str, Any], within: str) -> None:
    task = f"{within}{part.scalar('name') or part.scalar('value') or 'classification'}"
    if "radio_answer" in part:
        answer = part.record("radio_answer")
        rows.add("single", label=answer.scalar("name") or answer.scalar("value"), task=task, text=text, **common)
        for nested in answer.records("classifications"):
            _classification(nested, rows, text, common, f"{task}.")
    elif "checklist_answers" in part:
        labels = [answer.scalar("name") or answer.scalar("value") for answer in part.records("checklist_answers")]
        rows.answer("set", [label for label in labels if label is not None], task=task, text=text, **common)
    elif "text_answer" in part:
        free_text = (
            part.record("text_answer").scalar("content")
            if isinstance(part.data["text_answer"], dict)
            else part.scalar("text_answer")
        )
        rows.add("single", task=task, text=str(free_text), **{**common, "status": "free text"})
    else:
        rows.left_out.add(Reason.UNREAD_ANSWER, 1)
