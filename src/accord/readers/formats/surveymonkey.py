"""SurveyMonkey: a row per respondent; one line of the header has the questions, the next their rows and choices."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from accord.errors import FileError, all_quoted, quoted
from accord.readers import survey_lines
from accord.readers.delimited import whole_rows
from accord.readers.found_format import Found
from accord.readers.respondents import Respondent, SurveyQuestion, add_answers
from accord.readers.source import Source
from accord.study.tables.rows import ReadOptions, Rows

NAME = "surveymonkey"
OPTIONS = ("encoding", "delimiter", "separator", "sheet")
WHO, COLLECTOR, WHEN = "Respondent ID", "Collector ID", "Date Modified"
OWN = re.compile(
    r"respondent id|collector id|date created|date modified|ip address|email address|first name|last name"
    r"|custom data ?\d*|start date|end date",
    re.IGNORECASE,
)
WHOLE = ("", "Response")  # below a question that has neither rows nor choices
IN_WORDS = ("Open-Ended Response",)
OTHER = re.compile(r"other\b.*|comments?\b.*|please (explain|specify)\b.*", re.IGNORECASE)


def sniff(source: Source) -> Found | None:
    """The columns Respondent ID and Collector ID."""
    first = survey_lines.first_lines(source, (COLLECTOR, "Collector"))
    names = {name.strip() for name in first[0]} if first else set()
    return Found(NAME, f"the columns {WHO!r} and {COLLECTOR!r}") if {WHO, COLLECTOR} <= names else None


def read(source: Source, options: ReadOptions) -> Rows:
    """A row for each answer of a respondent."""
    where = source.where(source.only or "")
    lines = survey_lines.lines(source, options)
    above = [cell.strip() for cell in lines[0][1]] if lines else []
    if WHO not in above:
        raise FileError(where, "There is no column ", quoted(WHO), ", with which SurveyMonkey begins.")
    who = above.index(WHO)
    second = [cell.strip() for cell in lines[1][1]] if len(lines) > 1 else []
    goes_on = len(second) == len(above) and not second[who]  # nobody has answered in this line
    below = second if goes_on else [""] * len(above)
    rows = Rows("SurveyMonkey survey", options)
    responses = list(whole_rows(lines[2 if goes_on else 1 :], len(above), where, options, rows.left_out))
    cells = [[cell.strip() for cell in row] for _, row in responses]
    questions = _questions(above, below, cells)
    if not responses or not questions:
        raise FileError(where, "No question with a response was found among ", all_quoted(above), ".", line=lines[0][0])
    rows.note(f"annotators are respondents, by {WHO!r}")
    when = above.index(WHEN) if WHEN in above else None
    add_answers(
        rows, questions, [_respondent(line, row, who, when) for (line, _), row in zip(responses, cells, strict=True)]
    )
    return rows


def _respondent(line: int, cells: Sequence[str], who: int, when: int | None) -> Respondent:
    about = {"annotator": cells[who] or f"response in line {line}", "annotation": f"line {line}"}
    return Respondent(cells, {**about, "time": None if when is None else cells[when] or None})


def _questions(above: Sequence[str], below: Sequence[str], cells: Sequence[Sequence[str]]) -> list[SurveyQuestion]:
    """What was asked: a question goes over the columns to its right that have no name of their own."""
    spans: list[tuple[str, list[int]]] = []
    for place, text in enumerate(above):
        if text and not OWN.fullmatch(text):
            spans.append((text, [place]))
        elif not text and spans and not OWN.fullmatch(above[place - 1] or "-"):
            spans[-1][1].append(place)
    return [question for text, places in spans for question in _of_span(text, places, below, cells)]


def _of_span(
    text: str, places: Sequence[int], below: Sequence[str], cells: Sequence[Sequence[str]]
) -> Iterator[SurveyQuestion]:
    """The parts of one question: answers in a cell, a column for each choice, or a column for each row of a grid."""
    parts = [place for place in places if below[place] not in (*WHOLE, *IN_WORDS) and not OTHER.match(below[place])]
    ticked = bool(parts) and all({row[place] for row in cells} <= {"", below[place]} for place in parts)
    for place in places:
        if place in parts:
            continue
        name = text if below[place] in (*WHOLE, *IN_WORDS) else f"{text}: {below[place]}"
        yield SurveyQuestion(name, place, text, in_words=name != text)
    if ticked:
        yield SurveyQuestion(text, parts[0], text, choices={place: below[place] for place in parts})
    else:
        yield from (SurveyQuestion(f"{text} [{below[at]}]", at, text, stem=text, row=below[at]) for at in parts)
