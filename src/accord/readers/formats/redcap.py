"""REDCap: a row per record, an event or a repeated form; checkboxes have a column for each choice."""

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
from accord.study.tables.rows import ReadOptions, Rows

NAME = "redcap"
OPTIONS = ("encoding", "delimiter", "sheet")
CHOOSES = ("item", "annotator")
TWICE = re.compile(r"(.+)--([123])")  # a record as each of two people entered it, and as they were merged
MERGED = "3"
OF_REDCAP = re.compile(r"redcap_\w+|\w+_complete|\w+_timestamp|Event Name|Repeat Instrument|Repeat Instance|Complete\?")
CHOICE = re.compile(r"(?=\w+\Z)(\w+)___(\w+)|(?=.*\)\Z)(.+\S) \(choice[=](.+)\)")


def sniff(source: Source) -> Found | None:
    """A column that only REDCap has, or records that two people entered, with the state of a form."""
    lines = survey_lines.first_lines(source, ("redcap_", "_complete", "--1"))
    names = [name.strip() for name in lines[0]] if lines else []
    own = next((name for name in names if name.startswith("redcap_")), None)
    if own is not None:
        return Found(NAME, f"the column {own!r}")
    if any(name.endswith("_complete") for name in names) and _entered_twice([row[0] for row in lines[1:] if row]):
        return Found(NAME, "records called --1 and --2, as of double data entry")
    return None


def _entered_twice(records: Sequence[str]) -> bool:
    found = [TWICE.fullmatch(record.strip()) for record in records]
    return bool(found) and all(found) and len({record[2] for record in found if record is not None}) > 1


def read(source: Source, options: ReadOptions) -> Rows:
    """A row for each field of each form."""
    where = source.where(source.only or "")
    lines = survey_lines.lines(source, options)
    if len(lines) < 2:
        raise FileError(where, "There is no record below the line of names.")
    rows = Rows("REDCap export", options)
    names = [name.strip() for name in lines[0][1]]
    body = list(whole_rows(lines[1:], len(names), where, options, rows.left_out))
    form = Form(where, names, {name for name in names if OF_REDCAP.fullmatch(name)}, _choices(names))
    record = names[0]
    twice = _entered_twice([row[0] for _, row in body])
    who = None if twice and "annotator" not in options.roles else form.role("annotator", options)
    if who is None and not twice:
        raise FileError(
            where,
            "No field names the annotator; there are ",
            all_quoted(form.fields, most=12),
            ". Say which one does: ",
            remedy(annotator=...),
            ".",
        )
    rest = Form(where, names, {*form.own, record, *([who] if who else [])})
    once = len({row[0] for _, row in body}) == len(body) and not twice
    item = (rest.role("item", options) if once or "item" in options.roles else None) or record
    done = [name for name in names if name.endswith("_complete")]
    form.own.add(record)

    def about(cells: dict[str, str]) -> dict[str, Any]:
        entered = TWICE.fullmatch(cells[record]) if twice else None
        named = entered[1] if entered is not None and item == record else cells[item]
        person = cells[who] if who is not None else f"entry {entered[2]}" if entered is not None else ""
        state = "draft" if len(done) == 1 and cells[done[0]] in ("0", "Incomplete") else None
        merged = entered is not None and entered[2] == MERGED and who is None
        return {"item": named or None, "annotator": person or None, "status": "adjudicated" if merged else state}

    add_forms(rows, form, body, {"item": item, "annotator": who}, about)
    return rows


def _choices(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """The columns of checkboxes, by their question: signs___1, or 'Signs (choice=Fever)'."""
    found: dict[str, dict[str, str]] = {}
    for name in names:
        choice = CHOICE.fullmatch(name)
        if choice is not None:
            question, label = (choice[1], choice[2]) if choice[1] else (choice[3], choice[4])
            found.setdefault(question, {})[name] = label
    return found
