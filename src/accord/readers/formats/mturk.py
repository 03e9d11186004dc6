"""Mechanical Turk's batch results: one row an assignment, answers in columns Answer.*."""

from __future__ import annotations

from typing import Any

from accord.errors import FileError, listing
from accord.readers.csv_files import header, records_of_csv
from accord.readers.source import Found, Source
from accord.study.tables.rows import ReadOptions, Record, Rows
from accord.study.tables.sheet import json_cell

NAME = "mturk"
STATUS = {"submitted": None, "approved": None, "rejected": "rejected"}
IDS = ("id", "item", "item_id", "doc_id", "uid", "example_id", "instance_id")


def sniff(source: Source) -> Found | None:
    """The columns HITId and WorkerId."""
    if source.only is None:
        return None
    columns = set(header(source, source.only))
    return Found(NAME, "the columns HITId and WorkerId") if {"HITId", "WorkerId"} <= columns else None


def read(source: Source, options: ReadOptions) -> Rows:
    """A row for each answer; columns of true and false with one beginning are one question with several labels."""
    rows, name = Rows("file of Mechanical Turk results", options), source.only or ""
    columns = header(source, name)
    records = list(records_of_csv(source, name, options, rows))
    questions = _questions([column for column in columns if column.startswith("Answer.")], records)
    if not questions:
        raise FileError(source.where(name), f"No column Answer.* was found among {listing(columns)}.", line=1)
    item = _item_column(columns, records)
    rows.note(f"items are named by {item!r}")
    for record in records:
        with rows.guarding():
            _assignment(record, item, questions, rows)
    return rows


def _item_column(columns: list[str], records: list[Record]) -> str:
    """An id among the inputs names the item better than the HIT, which changes with every batch."""
    for column in columns:
        if (
            column.startswith("Input.")
            and column[len("Input.") :].lower() in IDS
            and all(column in record for record in records)
        ):
            return column
    return "HITId"


def _questions(answers: list[str], records: list[Record]) -> dict[str, list[str]]:
    """Answer.topic.complaint and Answer.topic.praise are the labels of one question; else a column is a question."""
    found: dict[str, list[str]] = {}
    for column in answers:
        name = column.removeprefix("Answer.")
        stem, dot, _ = name.rpartition(".")
        yes_no = all(str(record.data.get(column, "false")).lower() in ("true", "false") for record in records)
        found.setdefault(stem if dot and yes_no else name, []).append(column)
    return found


def _assignment(record: Record, item: str, questions: dict[str, list[str]], rows: Rows) -> None:
    status = str(record.data.get("AssignmentStatus", "Submitted")).lower()
    if status not in STATUS:
        raise record.error(f"'AssignmentStatus' should be Submitted, Approved or Rejected, and it is {status!r}.")
    seconds = record.data.get("WorkTimeInSeconds")
    common: dict[str, Any] = {
        "item": record.needed(item),
        "annotator": record.needed("WorkerId"),
        "annotation": record.scalar("AssignmentId"),
        "time": record.scalar("SubmitTime"),
        "status": STATUS[status],
        "seconds": int(seconds) if isinstance(seconds, str) and seconds.isascii() and seconds.isdigit() else None,
    }
    text = record.data.get("Input.text") or record.data.get("Input.sentence")
    for question, columns in questions.items():
        if len(columns) > 1 or columns[0] != f"Answer.{question}":
            labels = [c.rpartition(".")[2] for c in columns if str(record.data.get(c, "")).lower() == "true"]
            rows.answer("single" if len(labels) == 1 else "set", labels, task=question, text=text, **common)
        elif columns[0] in record:
            _cell(record, question, record.data[columns[0]], text, rows, common)


def _cell(record: Record, question: str, cell: str, text: Any, rows: Rows, common: dict[str, Any]) -> None:
    """One column: a label, labels joined by '|' (checkboxes), or the JSON of the whole form."""
    opened = json_cell(cell) if cell[:1] in "[{" else cell
    if question == "taskAnswers" and isinstance(opened, list):
        for form in Record({"forms": opened}, *record.place).records("forms"):
            for name in form.data:
                _form_field(form, name, text, rows, common)
    elif isinstance(opened, list):
        rows.answer(
            "set", Record({"labels": opened}, *record.place).labels("labels"), task=question, text=text, **common
        )
    elif "|" in cell:
        rows.answer("set", [part for part in cell.split("|") if part], task=question, text=text, **common)
    else:
        rows.add("single", label=cell, task=question, text=text, **common)


def _form_field(form: Record, name: str, text: Any, rows: Rows, common: dict[str, Any]) -> None:
    value = form.data[name]
    if isinstance(value, dict):
        chosen = [label for label, marked in value.items() if marked is True]
        rows.answer("single" if len(chosen) == 1 else "set", chosen, task=name, text=text, **common)
    else:
        rows.add("single", label=form.scalar(name), task=name, text=text, **common)
