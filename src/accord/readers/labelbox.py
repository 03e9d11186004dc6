"""Labelbox export v2: a data row a line, its labels by project; ends of text entities are inclusive."""

from __future__ import annotations

from typing import Any

from accord.readers import jsonfiles
from accord.readers.rows import Asked, Record, Rows
from accord.readers.source import Found, Source

TITLE = "Labelbox"
NAME = "labelbox"


def sniff(source: Source) -> Found | None:
    """Records with data_row and projects."""
    if source.only is None:
        return None
    keys = source.glance(source.only).keys
    return Found(NAME, "records with 'data_row' and 'projects'") if {"data_row", "projects"} <= keys else None


def read(source: Source, asked: Asked) -> Rows:
    """A row for each answer and each marked object of each label."""
    rows = Rows("Labelbox export", asked)
    for record in jsonfiles.records(source, source.only or "", asked, rows):
        with rows.guarding():
            _data_row(record, rows)
    rows.fill_empty()
    return rows


def _data_row(record: Record, rows: Rows) -> None:
    row = record.record("data_row")
    item = row.scalar("global_key") or row.scalar("external_id") or row.needed("id")
    told = row.data.get("row_data")
    text = told if isinstance(told, str) and "://" not in told[:12] else None
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
    for part in annotations.records("objects"):
        _object(part, rows, text, common)
    for part in annotations.records("classifications"):
        _classification(part, rows, text, common, "")
    if annotations.listed("relationships"):
        rows.left_out.add("relationships, which are not read", len(annotations.listed("relationships")))
    rows.sat(**common)


def _object(part: Record, rows: Rows, text: str | None, common: dict[str, Any]) -> None:
    name = part.scalar("name") or part.scalar("value") or "(no label)"
    if "location" in part:
        place = part.record("location")
        rows.span(text, place.offset("start"), place.offset("end") + 1, label=name, task="objects", **common)
    elif "bounding_box" in part:
        box = part.record("bounding_box")
        numbers = {
            "x": box.number("left") or 0.0,
            "y": box.number("top") or 0.0,
            "width": box.number("width") or 0.0,
            "height": box.number("height") or 0.0,
        }
        rows.add("boxes", label=name, task="boxes", **numbers, **common)
    else:
        rows.left_out.add(f"objects of kind {part.scalar('annotation_kind')!r}, which are not read", 1)
    for nested in part.records("classifications"):
        rows.left_out.add(f"classifications of objects ({nested.scalar('name')}), which are not read", 1)


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
        said = (
            part.record("text_answer").scalar("content")
            if isinstance(part.data["text_answer"], dict)
            else part.scalar("text_answer")
        )
        rows.add("single", task=task, text=str(said), **{**common, "status": "free text"})
    else:
        rows.left_out.add("classifications of a kind that is not read", 1)
