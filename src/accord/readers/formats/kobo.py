"""KoBoToolbox and ODK: a row per submission; questions of several choices have a column for each, below their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from accord.errors import FileError, all_quoted, remedy
from accord.readers import survey_lines
from accord.readers.delimited import whole_rows
from accord.readers.form_rows import Form, add_forms
from accord.readers.found_format import Found
from accord.readers.source import Source
from accord.study.tables.layouts import YES_NO
from accord.study.tables.rows import ReadOptions, Rows

NAME = "kobo"
OPTIONS = ("encoding", "delimiter", "sheet")
CHOOSES = ("item", "annotator")
SENT_BY = ("_submitted_by", "username")
OF_KOBO = re.compile(
    r"_.*|start|end|today|username|deviceid|phonenumber|simserial|subscriberid|audit|formhub/uuid|meta/.*|instanceID"
)
REFUSED = ("not approved", "validation_status_not_approved")


def sniff(source: Source) -> Found | None:
    """The columns _uuid and _submission_time."""
    lines = survey_lines.first_lines(source, ("_submission_time",))
    names = {name.strip() for name in lines[0]} if lines else set()
    needed = {"_uuid", "_submission_time"}
    return Found(NAME, "the columns _uuid and _submission_time") if needed <= names else None


def read(source: Source, options: ReadOptions) -> Rows:
    """A row for each question of each submission."""
    where = source.where(source.only or "")
    lines = survey_lines.lines(source, options)
    if len(lines) < 2:
        raise FileError(where, "There is no submission below the line of questions.")
    rows = Rows("KoBo export", options)
    names = [name.strip() for name in lines[0][1]]
    body = list(whole_rows(lines[1:], len(names), where, options, rows.left_out))
    filled = {name for place, name in enumerate(names) if any(row[place].strip() for _, row in body)}
    form = Form(where, names, {name for name in names if OF_KOBO.fullmatch(name)}, _choices(names, body))
    who = form.role("annotator", options) or next((name for name in SENT_BY if name in filled), None)
    item = Form(where, names, {*form.own, *([who] if who else [])}).role("item", options)
    if who is None or item is None:
        role = "annotator" if who is None else "item"
        raise FileError(
            where,
            f"No question names the {role}; there are ",
            all_quoted(form.fields, most=12),
            ". Say which one does: ",
            remedy(**{role: ...}),
            ".",
        )

    def about(cells: dict[str, str]) -> dict[str, Any]:
        refused = cells.get("_validation_status", "").lower() in REFUSED
        return {
            "item": cells[item] or None, "annotator": cells[who] or None, "time": cells.get("_submission_time") or None,
            "status": "rejected" if refused else None,
        }  # fmt: skip

    add_forms(rows, form, body, {"item": item, "annotator": who}, about)
    return rows


def _choices(names: Sequence[str], body: Sequence[tuple[int, Sequence[str]]]) -> dict[str, dict[str, str]]:
    """The columns of choices, by the question above them: themes, themes/news, themes/travel."""
    found: dict[str, dict[str, str]] = {}
    for place, name in enumerate(names):
        question, _, label = name.rpartition("/")
        if question in names and all(row[place].strip().lower() in ("", *YES_NO) for _, row in body):
            found.setdefault(question, {})[name] = label
    return found
