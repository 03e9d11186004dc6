"""LimeSurvey: a row per response; the header has the codes of questions, their texts, or both."""

from __future__ import annotations

import re
from collections.abc import Sequence

from accord.errors import FileError, Message, all_quoted
from accord.readers import survey_lines
from accord.readers.asked_questions import questions
from accord.readers.delimited import whole_rows
from accord.readers.found_format import Found
from accord.readers.respondents import Respondent, add_answers
from accord.readers.source import Source
from accord.study.tables import column_names
from accord.study.tables.rows import ReadOptions, Rows

NAME = "limesurvey"
OPTIONS = ("encoding", "delimiter", "separator", "sheet")
# The columns that say who answered, when it was handed in, the last page and the language: codes, English, German.
KNOWN = (
    ("id", "submitdate", "lastpage", "startlanguage"),
    ("Response ID", "Date submitted", "Last page", "Start language"),
    ("Antwort ID", "Datum Abgeschickt", "Letzte Seite", "Start-Sprache"),
)
# What else LimeSurvey says of a response by itself; addresses and times are not kept.
OWN = re.compile(
    r"seed|token|startdate|datestamp|ipaddr|refurl|date started|date last action|ip address|referrer url"
    r"|zufallsstartwert|zugangsschlüssel|datum gestartet|datum letzte aktivität|ip-adresse|total time|gesamtzeit"
    r"|interviewtime"
    r"|(?-i:\w+Time\d*)"
    r"|(group|question) time: .*",
    re.IGNORECASE,
)


def sniff(source: Source) -> Found | None:
    """The columns with which LimeSurvey begins, in the codes or the words that it has for them."""
    first = survey_lines.first_lines(source, [words[1] for words in KNOWN])
    known = _known(first[0]) if first else None
    return None if known is None else Found(NAME, f"the columns {known[1]!r} and {known[2]!r}")


def _known(header: Sequence[str]) -> tuple[str, ...] | None:
    names = {_code(name) for name in header}
    return next((words for words in KNOWN if {words[0], *words[2:]} <= names), None)


def _code(name: str) -> str:
    """The code of a column whose header has the text as well: 'id. Response ID' is 'id'."""
    code, _, text = name.strip().partition(". ")
    return code if text and code.isidentifier() and code.islower() else name.strip()


def read(source: Source, options: ReadOptions) -> Rows:
    """A row for each answer of a respondent."""
    where = source.where(source.only or "")
    lines = survey_lines.lines(source, options)
    known = _known(lines[0][1]) if lines else None
    if known is None or len(lines) < 2:
        raise FileError(where, "There is no response below a line with LimeSurvey's columns.")
    rows = Rows("LimeSurvey survey", options)
    names = [_code(name) for name in lines[0][1]]
    who, when = names.index(known[0]), names.index(known[1]) if known[1] in names else None
    own = {place for place, name in enumerate(names) if name in known or OWN.fullmatch(name)}
    survey_questions = questions([(place, name) for place, name in enumerate(names) if place not in own])
    if not survey_questions:
        raise FileError(where, "No question was found among ", all_quoted(names), ".", line=lines[0][0])
    respondents, open_ones = [], 0
    for line, row in whole_rows(lines[1:], len(names), where, options, rows.left_out):
        cells = [cell.strip() for cell in row]
        time = cells[when] if when is not None else ""
        open_ones += when is not None and not time
        about = {"annotator": cells[who] or f"response in line {line}", "annotation": f"line {line}"}
        respondents.append(Respondent(cells, {**about, "time": time or None}))
    rows.note(Message("annotators are respondents, by ", column_names.column(known[0])))
    if open_ones:
        rows.note(f"responses that were not handed in count too: {open_ones:,}")
    add_answers(rows, survey_questions, respondents)
    return rows
