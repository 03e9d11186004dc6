"""Mechanical Turk's batch results, and Turkle's: one row per assignment, answers in columns Answer.*."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from accord.errors import ColumnMissing, FileError, MayBeNames, Message, all_quoted, listing, quoted
from accord.options import whole_number
from accord.readers.crowd_forms import TICKED, add_field
from accord.readers.csv_files import header, records_of_csv
from accord.readers.found_format import Found
from accord.readers.source import Source
from accord.study.tables.free_text import set_free_text_aside
from accord.study.tables.rows import ReadOptions, Record, Rows
from accord.study.tables.sheet import json_cell

NAME = "mturk"
CHOOSES = ("item",)
STATUS = {"submitted": None, "approved": None, "rejected": "rejected"}
UNFILLED = ("Approve", "Reject")  # for the requester to fill in: rows end before them, as they are downloaded
ANSWER, INPUT = "Answer.", "Input."
FIELDS = ("label", "labels", "entities", "boundingBoxes")  # of crowd elements, each in a column
SIZES = ".inputImageProperties."  # of what was shown
IDS = ("id", "item", "item_id", "doc_id", "uid", "example_id", "instance_id")
AN_ID = re.compile(r"(.*[^a-z])?id|.*[a-z]I[Dd]")  # tweet_id, sentence-ID, tweetId; not 'valid'
SHORT = 200  # characters of an input that may tell items apart; longer ones are what was shown
NUMBERED = re.compile(r"(.*?)[ _.-]?(?<!\d)(\d+)")
SEVERAL = 3  # texts of a HIT from which on numbers tell items: two may be a pair of which two things are asked
TEXTS = ("text", "sentence", "tweet", "document")


def sniff(source: Source) -> Found | None:
    """The columns HITId and WorkerId, and answers: a table that was made of results may keep the two."""
    if source.only is None:
        return None
    columns = header(source, source.only)
    answered = any(column.startswith(ANSWER) for column in columns)
    found = answered and {"HITId", "WorkerId"} <= set(columns)
    return Found(NAME, "the columns HITId and WorkerId") if found else None


def read(source: Source, options: ReadOptions) -> Rows:
    """A row for each answer; columns of true and false with one beginning are one question with several labels."""
    rows, name = Rows("file of Mechanical Turk results", options), source.only or ""
    columns = header(source, name)
    records = list(records_of_csv(source, name, options, rows, unfilled=UNFILLED))
    questions = _questions([column for column in columns if column.startswith(ANSWER)], records)
    if not questions:
        raise FileError(source.where(name), "No column Answer.* was found among ", all_quoted(columns), ".", line=1)
    item = options.roles.get("item") or _item_column(columns, records)
    if item not in columns:
        raise ColumnMissing("item", item, columns)
    rows.note(Message("items are named by ", quoted(item), ", annotators by 'WorkerId'"))
    for record in records:
        with rows.guarding():
            _assignment(record, item, questions, rows)
    _split_items_of_hits(rows, [column.removeprefix(INPUT) for column in columns if column.startswith(INPUT)])
    set_free_text_aside(rows)
    return rows


def _split_items_of_hits(rows: Rows, inputs: list[str]) -> None:
    """A HIT may show several texts (Input.text1 …) and ask the same of each (Answer.tone1 …): each is an item."""
    shown = _numbered(inputs)
    task_numbers = _numbered([str(task) for task in dict.fromkeys(rows.column("task"))])
    places = {
        task: (stem, number)
        for stem, numbers in task_numbers.items()
        if len(numbers) >= SEVERAL and any(set(numbers) == set(other) for other in shown.values())
        for number, task in numbers.items()
    }
    if not places:
        return
    named = next((held for stem, held in shown.items() if stem.lower() in IDS or AN_ID.fullmatch(stem)), {})
    names = {number: rows.column(f"{INPUT}{column}") for number, column in named.items()}
    items, tasks = rows.column("item"), rows.column("task")
    for row, task in enumerate(tasks):
        if task in places:
            stem, number = places[task]
            called = names[number][row] if number in names else None
            items[row], tasks[row] = called or f"{items[row]}/{number}", stem or "answer"
    rows.columns["item"], rows.columns["task"] = items, tasks
    fields = MayBeNames(listing(list(places), most=4), "some fields")
    rows.note(Message("a HIT shows several items, told apart by the numbers of ", fields))


def _numbered(names: Iterable[str]) -> dict[str, dict[str, str]]:
    """Names that end with a number, by what stands before it."""
    found: dict[str, dict[str, str]] = {}
    for name in names:
        parts = NUMBERED.fullmatch(name)
        if parts is not None:
            found.setdefault(parts[1], {})[parts[2]] = name
    return found


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
        stem, dot, leaf = name.rpartition(".")
        if SIZES in name:
            continue
        yes_no = all(str(record.data.get(column, "false")).lower() in ("true", "false") for record in records)
        found.setdefault(stem if dot and (yes_no or leaf in FIELDS) else name, []).append(column)
    return found


def _assignment(record: Record, item: str, questions: dict[str, list[str]], rows: Rows) -> None:
    status = str(record.data.get("AssignmentStatus", "Submitted")).lower()
    if status not in STATUS:
        raise record.error(
            "'AssignmentStatus' should be Submitted, Approved or Rejected, and it is ", quoted(status), "."
        )
    seconds = record.data.get("WorkTimeInSeconds")
    inputs = {name: cell for name, cell in record.data.items() if name.startswith(INPUT) and len(cell) <= SHORT}
    common: dict[str, Any] = {
        **inputs,
        "item": record.needed(item),
        "annotator": record.needed("WorkerId"),
        "annotation": record.scalar("AssignmentId"),
        "time": record.scalar("SubmitTime"),
        "status": "rejected" if "Reject" in record else STATUS[status],
        "seconds": whole_number(seconds),
    }
    text = next((record.data[f"{INPUT}{name}"] for name in TEXTS if f"{INPUT}{name}" in record), None)
    for question, columns in questions.items():
        if columns == [f"{ANSWER}{question}.{TICKED}"]:
            ticked = str(record.data.get(columns[0], "false")).lower()
            rows.add("single", label=ticked, task=question, text=text, **common)
        elif len(columns) == 1 and columns[0].rpartition(".")[2] in FIELDS and columns[0] != f"{ANSWER}{question}":
            _field(record, question, columns[0], text, rows, common)
        elif columns != [f"{ANSWER}{question}"]:
            labels = [c.rpartition(".")[2] for c in columns if str(record.data.get(c, "")).lower() == "true"]
            rows.answer("single" if len(labels) == 1 else "set", labels, task=question, text=text, **common)
        elif columns[0] in record:
            _cell(record, question, record.data[columns[0]], text, rows, common)


def _field(record: Record, question: str, column: str, text: Any, rows: Rows, common: dict[str, Any]) -> None:
    """One part of a crowd element: Answer.topic.label, Answer.names.entities."""
    if column in record:
        cell = record.data[column]
        held = {column.rpartition(".")[2]: json_cell(cell) if cell[:1] == "[" else cell}
        add_field(Record({question: held}, *record.place), question, text, rows, common)


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
