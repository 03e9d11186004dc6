"""Google Forms, and Microsoft's: a row per respondent; the header is what was asked, rows of a grid stand in [ ]."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from accord.errors import FileError, Message, all_quoted
from accord.readers import survey_lines
from accord.readers.asked_questions import questions
from accord.readers.delimited import whole_rows
from accord.readers.found_format import Found
from accord.readers.respondents import Respondent, add_answers
from accord.readers.source import Source
from accord.study.tables import column_names
from accord.study.tables.rows import ReadOptions, Rows

NAME = "google-forms"
OPTIONS = ("encoding", "delimiter", "separator", "sheet")
# The first column, as Google calls it in the language of the form.
STAMPS = {
    "Timestamp", "Zeitstempel", "Horodateur", "Marca temporal", "Informazioni cronologiche", "Carimbo de data/hora",
    "Tijdstempel", "Tidsstämpel", "Tidsstempel", "Sygnatura czasowa", "Отметка времени", "タイムスタンプ", "时间戳记",
}  # fmt: skip
MICROSOFT = ("start time", "completion time")
PEOPLE = {
    "email address", "username", "email", "e-mail-adresse", "adresse e-mail", "dirección de correo electrónico",
    "e-mail", "indirizzo email", "endereço de e-mail", "your name", "name", "annotator", "annotator id", "rater",
    "participant id", "prolific id", "worker id",
}  # fmt: skip
GRADES = re.compile(r"(?:total )?score|.+ \[(?:score|feedback)\]", re.IGNORECASE)  # of a form that is a quiz
MICROSOFT_OWN = {"id", "start time", "completion time", "last modified time", "email", "name"}


def sniff(source: Source) -> Found | None:
    """A first column called Timestamp, in the form's language; or Microsoft's Start time and Completion time."""
    first = survey_lines.first_lines(source, (*STAMPS, "Completion time"))
    names = [name.strip() for name in first[0]] if first else []
    if names[:1] and names[0] in STAMPS and len(names) > 1 and not _is_table(names[1:]):
        return Found(NAME, f"the first column {names[0]!r}, and what was asked in the others")
    if set(MICROSOFT) <= {name.lower() for name in names[:4]}:
        return Found(NAME, "the columns 'Start time' and 'Completion time', as Microsoft Forms writes them")
    return None


def _is_table(names: Sequence[str]) -> bool:
    """Columns for the item, or for the annotator and the answer, are a table, whatever its first column."""
    item, annotator, label, score = (
        column_names.candidates(role, names) for role in ("item", "annotator", "label", "score")
    )
    return bool(item) or (bool(annotator) and bool(label or score or column_names.weak_item(names)))


def read(source: Source, options: ReadOptions) -> Rows:
    """A row for each answer of a respondent."""
    name = source.only or ""
    where = source.where(name)
    lines = survey_lines.lines(source, options)
    if len(lines) < 2:
        raise FileError(where, "There is no response below the line of questions.")
    names = [cell.strip() for cell in lines[0][1]]
    microsoft = set(MICROSOFT) <= {column.lower() for column in names}
    rows = Rows(f"{'Microsoft' if microsoft else 'Google'} Forms survey", options)
    responses = [
        (line, [cell.strip() for cell in row])
        for line, row in whole_rows(lines[1:], len(names), where, options, rows.left_out)
    ]
    who = _who(names, responses)
    own = {place for place, column in enumerate(names) if column.lower() in MICROSOFT_OWN} if microsoft else {0}
    graded = [place for place, column in enumerate(names) if GRADES.fullmatch(column) and place not in own]
    left = {*own, *graded, *([] if who is None else [who])}
    survey_questions = questions([(place, column) for place, column in enumerate(names) if place not in left])
    if not survey_questions:
        raise FileError(where, "No question was found among ", all_quoted(names), ".", line=lines[0][0])
    whose = column_names.column(names[who]) if who is not None else "their lines in the file"
    rows.note(Message("annotators are respondents, by ", whose))
    if graded:
        of_grades = column_names.columns([names[place] for place in graded], most=4)
        rows.note(Message("scores and feedback, no answers: ", of_grades))
    when = next(place for place, column in enumerate(names) if not microsoft or column.lower() == MICROSOFT[1])
    add_answers(rows, survey_questions, [_respondent(line, cells, who, when) for line, cells in responses])
    return rows


def _who(names: Sequence[str], responses: Sequence[tuple[int, list[str]]]) -> int | None:
    """The column that names the respondent, which everybody filled in, and not all alike ('anonymous')."""
    for place, column in enumerate(names):
        cells = [row[place] for _, row in responses]
        if column.lower().rstrip(":?.* ") in PEOPLE and all(cells) and len(set(cells)) > min(1, len(cells) - 1):
            return place
    return None


def _respondent(line: int, cells: Sequence[str], who: int | None, when: int) -> Respondent:
    name: Any = cells[who] if who is not None else f"response in line {line}"
    return Respondent(cells, {"annotator": name, "annotation": f"line {line}", "time": cells[when] or None})
