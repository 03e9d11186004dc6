"""Mechanical Turk's batch results, and Turkle's: one row an assignment, answers in columns Answer.*."""

from __future__ import annotations

import re
from typing import Any

from accord.errors import ColumnMissing, FileError, listing
from accord.readers.crowd_forms import TICKED, add_field
from accord.readers.csv_files import header, records_of_csv
from accord.readers.source import Found, Source
from accord.study.tables.free_text import set_free_text_aside
from accord.study.tables.rows import ReadOptions, Record, Rows
from accord.study.tables.sheet import json_cell

NAME = "mturk"
CHOOSES = ("item",)
STATUS = {"submitted": None, "approved": None, "rejected": "rejected"}
UNFILLED = ("Approve", "Reject")  # for the requester to fill in: rows end before them, as they are downloaded
ANSWER, INPUT = "Answer.", "Input."
IDS = ("id", "item", "item_id", "doc_id", "uid", "example_id", "instance_id")
AN_ID = re.compile(r"(.*[^a-z])?id|.*[a-z]I[Dd]")  # tweet_id, sentence-ID, tweetId; not 'valid'
SHORT = 200  # characters of an input that may tell items apart; longer ones are what was shown
TEXTS = ("text", "sentence", "tweet", "document")


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
    records = list(records_of_csv(source, name, options, rows, unfilled=UNFILLED))
    questions = _questions([column for column in columns if column.startswith(ANSWER)], records)
    if not questions:
        raise FileError(source.where(name), f"No column Answer.* was found among {listing(columns)}.", line=1)
    item = options.roles.get("item") or _item_column(columns, records)
    if item not in columns:
        raise ColumnMissing("item", item, columns)
    rows.note(f"items are named by {item!r}, annotators by 'WorkerId'")
    for record in records:
        with rows.guarding():
            _assignment(record, item, questions, rows)
    set_free_text_aside(rows)
    return rows


def _item_column(columns: list[str], records: list[Record]) -> str:
    """An id among the inputs names the item better than the HIT, which changes with every batch."""
    inputs = [column for column in columns if column.startswith(INPUT) and all(column in record for record in records)]
    known = [column for column in inputs if column.removeprefix(INPUT).lower() in IDS]
    others = [
        column for column in inputs if AN_ID.fullmatch(column.removeprefix(INPUT)) and _is_of_hits(column, records)
    ]
    return next(iter(known + others), "HITId")


def _is_of_hits(column: str, records: list[Record]) -> bool:
    """Has every HIT a value of its own? An id of documents in which several HITs are does not name what was asked."""
    pairs = {(record.data.get("HITId"), record.data[column]) for record in records}
    return len({hit for hit, _ in pairs}) == len({value for _, value in pairs}) == len(pairs)


def _questions(answers: list[str], records: list[Record]) -> dict[str, list[str]]:
    """Answer.topic.complaint and Answer.topic.praise are the labels of one question; else a column is a question."""
    found: dict[str, list[str]] = {}
    for column in answers:
        name = column.removeprefix(ANSWER)
        stem, dot, _ = name.rpartition(".")
        yes_no = all(str(record.data.get(column, "false")).lower() in ("true", "false") for record in records)
        found.setdefault(stem if dot and yes_no else name, []).append(column)
    return found


def _assignment(record: Record, item: str, questions: dict[str, list[str]], rows: Rows) -> None:
    status = str(record.data.get("AssignmentStatus", "Submitted")).lower()
    if status not in STATUS:
        raise record.error(f"'AssignmentStatus' should be Submitted, Approved or Rejected, and it is {status!r}.")
    seconds = record.data.get("WorkTimeInSeconds")
    inputs = {name: cell for name, cell in record.data.items() if name.startswith(INPUT) and len(cell) <= SHORT}
    common: dict[str, Any] = {
        **inputs,
        "item": record.needed(item),
        "annotator": record.needed("WorkerId"),
        "annotation": record.scalar("AssignmentId"),
        "time": record.scalar("SubmitTime"),
        "status": "rejected" if "Reject" in record else STATUS[status],
        "seconds": int(seconds) if isinstance(seconds, str) and seconds.isascii() and seconds.isdigit() else None,
    }
    text = next((record.data[f"{INPUT}{name}"] for name in TEXTS if f"{INPUT}{name}" in record), None)
    for question, columns in questions.items():
        if columns == [f"{ANSWER}{question}.{TICKED}"]:
            ticked = str(record.data.get(columns[0], "false")).lower()
            rows.add("single", label=ticked, task=question, text=text, **common)
        elif columns != [f"{ANSWER}{question}"]:
            labels = [c.rpartition(".")[2] for c in columns if str(record.data.get(c, "")).lower() == "true"]
            rows.answer("single" if len(labels) == 1 else "set", labels, task=question, text=text, **common)
        elif columns[0] in record:
            _cell(record, question, record.data[columns[0]], text, rows, common)


def _cell(record: Record, question: str, cell: str, text: Any, rows: Rows, common: dict[str, Any]) -> None:
    """One column: a label, labels joined by '|' (checkboxes), or JSON: of the whole form, or of one field of it."""
    opened = json_cell(cell) if cell[:1] in "[{" else cell
    if question == "taskAnswers" and isinstance(opened, list) and all(isinstance(form, dict) for form in opened):
        for form in Record({"forms": opened}, *record.place).records("forms"):
            for name in form.data:
                add_field(form, name, text, rows, common)
    elif isinstance(opened, list | dict):
        add_field(Record({question: opened}, *record.place), question, text, rows, common)
    elif "|" in cell:
        rows.answer("set", [part for part in cell.split("|") if part], task=question, text=text, **common)
    else:
        rows.add("single", label=cell, task=question, text=text, **common)
