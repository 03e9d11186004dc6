"""Toloka's assignments: TSV with INPUT:, OUTPUT:, GOLDEN: and ASSIGNMENT: columns."""

from __future__ import annotations

from typing import Any

from accord.annotations.left_out import Reason
from accord.errors import quoted
from accord.readers.csv_files import header, records_of_csv
from accord.readers.found_format import Found
from accord.readers.source import Source
from accord.study.tables.rows import ReadOptions, Record, Rows
from accord.study.tables.sheet import json_cell

NAME = "toloka"
STATUS = {
    "submitted": None,
    "approved": None,
    "accepted": None,
    "rejected": "rejected",
    "skipped": "skipped",
    "expired": "skipped",
    "active": "draft",
}


def sniff(source: Source) -> Found | None:
    """The column ASSIGNMENT:worker_id, or OUTPUT: with CONFIDENCE:."""
    if source.only is None:
        return None
    columns = header(source, source.only, "\t")
    if "ASSIGNMENT:worker_id" in columns:
        return Found(NAME, "the column ASSIGNMENT:worker_id")
    if any(column.startswith("OUTPUT:") for column in columns) and any(
        column.startswith("CONFIDENCE:") for column in columns
    ):
        return Found(NAME, "columns OUTPUT: and CONFIDENCE:, an aggregated file")
    return None


def read(source: Source, options: ReadOptions) -> Rows:
    """A row for each output; assignments without a task are pages that nobody answered."""
    name = source.only or ""
    columns = header(source, name, "\t")
    if "ASSIGNMENT:worker_id" not in columns:
        return _aggregated(source, name, columns, options)
    outputs = [column for column in columns if column.startswith("OUTPUT:")]
    rows = Rows("file of Toloka assignments", options)
    for record in records_of_csv(source, name, options, rows, "\t"):
        with rows.guarding():
            _assignment(record, outputs, rows)
    return rows


def _aggregated(source: Source, name: str, columns: list[str], options: ReadOptions) -> Rows:
    rows = Rows("Toloka file of aggregated answers", options)
    rows.note("an aggregated file names no workers: there is nobody to compare. The assignments have them")
    outputs = [column for column in columns if column.startswith("OUTPUT:")]
    for place, record in enumerate(records_of_csv(source, name, options, rows, "\t"), start=1):
        with rows.guarding():
            for output in outputs:
                rows.add(
                    "single",
                    item=place,
                    annotator="aggregated",
                    label=record.scalar(output),
                    task=output.removeprefix("OUTPUT:"),
                )
    return rows


def _assignment(record: Record, outputs: list[str], rows: Rows) -> None:
    status = str(record.data.get("ASSIGNMENT:status", "SUBMITTED")).lower()
    if status not in STATUS:
        raise record.error(f"'ASSIGNMENT:status' should be one of {', '.join(STATUS)}, and it is ", quoted(status), ".")
    item = record.scalar("ASSIGNMENT:task_id") or record.scalar("INPUT:id")
    if item is None:
        rows.left_out.add(Reason.NO_ITEM, 1)
        return
    common: dict[str, Any] = {
        "item": item,
        "annotator": record.needed("ASSIGNMENT:worker_id"),
        "annotation": record.scalar("ASSIGNMENT:assignment_id"),
        "time": record.scalar("ASSIGNMENT:submitted"),
        "text": record.scalar("INPUT:text"),
        "status": STATUS[status],
    }
    golden = any(column.startswith("GOLDEN:") and column in record for column in record.data)
    if golden:
        common["control"] = True
    for output in outputs:
        task = output.removeprefix("OUTPUT:")
        cell = record.data.get(output)
        held = json_cell(cell) if isinstance(cell, str) and cell[:1] == "[" else cell
        if isinstance(held, list):
            rows.answer("set", Record({"labels": held}, *record.place).labels("labels"), task=task, **common)
        else:
            rows.add("single", label=cell, task=task, **common)
