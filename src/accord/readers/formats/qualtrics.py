"""Qualtrics: a row per response, below two or three lines of headers (names, questions, import ids)."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from accord.errors import FileError, Message, all_quoted, counted, listing
from accord.options import whole_number
from accord.readers import survey_lines
from accord.readers.delimited import whole_rows
from accord.readers.found_format import Found
from accord.readers.respondents import Respondent, SurveyQuestion, add_answers
from accord.readers.source import Source
from accord.readers.survey_lines import first_lines
from accord.study.tables import column_names
from accord.study.tables.rows import ReadOptions, Rows, kept_name

NAME = "qualtrics"
OPTIONS = ("encoding", "delimiter", "separator", "sheet")
RESPONSE = ("ResponseId", "ResponseID")
# What Qualtrics writes of each response beside its answers.
KNOWN = {
    "StartDate", "EndDate", "Status", "IPAddress", "Progress", "Duration (in seconds)", "Finished", "RecordedDate",
    "ResponseId", "ResponseID", "ResponseSet", "RecipientLastName", "RecipientFirstName", "RecipientEmail", "Name",
    "EmailAddress", "ExternalReference", "ExternalDataReference", "LocationLatitude", "LocationLongitude",
    "LocationAccuracy", "DistributionChannel", "UserLanguage",
}  # fmt: skip
USEFUL = {"UserLanguage", "DistributionChannel"}  # to make groups by; the others say who somebody is
PREVIEWS, SPAM = {"survey preview", "survey test", "1", "2", "9", "17"}, {"spam", "8", "12", "40"}
QUESTION = re.compile(r"(?:(?P<turn>[^_]+)_)?QID\d+(?P<rest>.*)")
ASIDE = re.compile(  # times on a page, the order in which things were shown, groups that Qualtrics makes itself
    r".*_(?:DO(?:_.*)?|first[ _]click|last[ _]click|page[ _]submit|click[ _]count|NPS_GROUP)", re.IGNORECASE
)
OTHER_WORDS = re.compile(r".*_\d+_TEXT")  # 'Other, namely …'
LOOP = re.compile(r"(\d+)_(.+)")
MATRIX = re.compile(r"(.+)_(\d+)")


@dataclass(frozen=True)
class _Column:
    """A column by its headers."""

    place: int
    name: str
    text: str
    id: str  # how Qualtrics calls the question, where the third line says it
    choice: str | None


def sniff(source: Source) -> Found | None:
    """A line of import ids; or the columns of a response with its times."""
    first = first_lines(source, ("ImportId", *RESPONSE))
    if any(map(_are_ids, first[1:4])):
        return Found(NAME, "a line of import ids below the names of the columns")
    if first and _is_legacy(first):
        return Found(NAME, "the columns V1, V2 … called ResponseID, ResponseSet … in the second line")
    names = set(first[0]) if first else set()
    if names & set(RESPONSE) and len(names & (KNOWN - set(RESPONSE))) >= 3 and not _repeats(first):
        return Found(NAME, f"the columns {listing(sorted(names & KNOWN), most=3)}")
    return None


def _repeats(first: Sequence[Sequence[str]]) -> bool:
    """Has a response several rows? Then somebody has made a long table of the survey already."""
    place = next(place for place, name in enumerate(first[0]) if name in RESPONSE)
    seen = [row[place] for row in first[1:] if place < len(row)]
    return len(set(seen)) < len(seen)


def _are_ids(row: Sequence[str]) -> bool:
    filled = [cell for cell in row if cell.strip()]
    return bool(filled) and all(cell.lstrip().startswith("{") and "ImportId" in cell for cell in filled)


def _is_legacy(first: Sequence[Sequence[str]]) -> bool:
    return len(first) > 1 and first[0][:1] == ["V1"] and "ResponseID" in first[1]


def read(source: Source, options: ReadOptions) -> Rows:
    """A row for each answer of a respondent."""
    rows, name = Rows("Qualtrics survey", options), source.only or ""
    where = source.where(name)
    lines = survey_lines.lines(source, options)
    if not lines:
        raise FileError(where, "The file is empty.")
    heads = _heads([row for _, row in lines[:4]])
    columns = _columns([row for _, row in lines[:heads]], where)
    responses = [
        (line, [cell.strip() for cell in row])
        for line, row in whole_rows(lines[heads:], len(columns), where, options, rows.left_out)
    ]
    if not responses:
        raise FileError(where, f"There is no response below the {counted(heads, 'lines')} of headers.")
    questions = _questions(columns)
    if not questions:
        raise FileError(where, "No question was found among ", all_quoted([column.name for column in columns]), ".")
    rows.note(f"{counted(heads, 'lines')} of headers; annotators are responses, by 'ResponseId'")
    about = [column for column in columns if not _is_question(column) and not ASIDE.fullmatch(column.name)]
    add_answers(rows, questions, [Respondent(cells, _about(cells, about, line)) for line, cells in responses])
    _tell(rows, columns, responses)
    return rows


def _heads(first: Sequence[Sequence[str]]) -> int:
    """How many lines come before the first response; people delete the second and the third."""
    ids = next((place for place, row in enumerate(first) if place and _are_ids(row)), None)
    if ids is not None:
        return ids + 1
    if _is_legacy(first):
        return 2
    place = next((place for place, name in enumerate(first[0]) if name in RESPONSE), None)
    if place is None or len(first) < 2 or place >= len(first[1]):
        return 1
    return 2 if first[1][place].replace(" ", "").lower() == "responseid" else 1


def _columns(heads: Sequence[Sequence[str]], where: str) -> list[_Column]:
    names = [name.strip() for name in heads[0]]
    if any(len(row) != len(names) for row in heads[1:]):
        raise FileError(
            where, "The lines of headers have ", all_quoted([len(row) for row in heads]), " cells: one is cut."
        )
    if len(set(names)) != len(names):
        twice = sorted(name for name, number in Counter(names).items() if number > 1)
        raise FileError(where, "The header names ", all_quoted(twice), " more than once.", line=1)
    ids = [_import_id(cell) for cell in heads[-1]] if _are_ids(heads[-1]) else [("", None)] * len(names)
    texts = [cell.strip() for cell in heads[1]] if len(heads) > 1 and not _are_ids(heads[1]) else [""] * len(names)
    legacy = _is_legacy(heads)
    found = []
    for place, (name, text, (called, choice)) in enumerate(zip(names, texts, ids, strict=True)):
        known = legacy and text in KNOWN
        found.append(_Column(place, text if known else name, "" if known else text, called, choice))
    return found


def _import_id(cell: str) -> tuple[str, str | None]:
    try:
        parsed = json.loads(cell)
    except (ValueError, RecursionError):
        parsed = None
    if not isinstance(parsed, dict) or not isinstance(parsed.get("ImportId"), str):
        return "", None
    return parsed["ImportId"], None if parsed.get("choiceId") is None else str(parsed["choiceId"])


def _is_question(column: _Column) -> bool:
    if ASIDE.fullmatch(column.name) or ASIDE.fullmatch(column.id):
        return False
    if column.id:
        return bool(QUESTION.fullmatch(column.id))
    return column.name not in KNOWN and not column.name.startswith("Q_")


def _questions(columns: Sequence[_Column]) -> list[SurveyQuestion]:
    """The questions: one with several choices has a column for each of them."""
    question_columns = [column for column in columns if _is_question(column)]
    by_choice: dict[str, dict[int, str]] = {}
    for column in question_columns:
        if column.choice is not None and not OTHER_WORDS.fullmatch(column.name):
            by_choice.setdefault(column.id, {})[column.place] = _last_part(column.text) or column.choice
    found, done = [], set()
    for column in question_columns:
        choices = by_choice.get(column.id, {})
        if column.place not in choices:
            found.append(_question(column))
        elif column.id not in done:
            done.add(column.id)
            stem = MATRIX.fullmatch(column.name)
            called = replace(column, name=stem[1] if stem else column.name, text=_first_part(column.text))
            found.append(replace(_question(called), choices=choices, stem="", row=None))
    return _with_rows(found)


def _question(column: _Column) -> SurveyQuestion:
    loop = LOOP.fullmatch(column.name)
    by_id = QUESTION.fullmatch(column.id)
    in_loop = loop is not None and (not column.id or (by_id is not None and by_id["turn"] is not None))
    turn, name = (loop[1], loop[2]) if loop is not None and in_loop else (None, column.name)
    matrix = MATRIX.fullmatch(name)
    stem, row = (matrix[1], _last_part(column.text) or matrix[2]) if matrix else ("", None)
    words = OTHER_WORDS.fullmatch(column.name) is not None
    return SurveyQuestion(name, column.place, column.text, turn, stem, row, in_words=words)


def _with_rows(questions: list[SurveyQuestion]) -> list[SurveyQuestion]:
    """A number at the end of a name is a row of a grid only where there are several of them."""
    sizes: dict[str, int] = {}
    for question in questions:
        sizes[question.stem] = sizes.get(question.stem, 0) + 1
    return [one if one.row is None or sizes[one.stem] > 1 else replace(one, stem="", row=None) for one in questions]


def _last_part(text: str) -> str:
    """What follows the question: 'How warm is it? - The lamp'."""
    return text.rpartition(" - ")[2].strip() if " - " in text else ""


def _first_part(text: str) -> str:
    return text.rpartition(" - ")[0].strip() if " - " in text else text


def _about(cells: Sequence[str], columns: Sequence[_Column], line: int) -> dict[str, Any]:
    """What is said of a response: who gave it, when, and whether it counts; and what the survey put beside it."""
    known = {column.name: cells[column.place] for column in columns if cells[column.place]}
    state = known.get("Status", "").lower()
    seconds = known.get("Duration (in seconds)", "")
    beside = {kept_name(name): cell for name, cell in known.items() if name not in KNOWN - USEFUL}
    return {
        **beside,
        "annotator": known.get("ResponseId") or known.get("ResponseID") or f"response in line {line}",
        "time": known.get("RecordedDate") or known.get("EndDate"),
        "seconds": whole_number(seconds),
        "status": "draft" if state in PREVIEWS else "untrusted" if state in SPAM else None,
    }


def _tell(rows: Rows, columns: Sequence[_Column], responses: Sequence[tuple[int, list[str]]]) -> None:
    by_name = {column.name: column.place for column in columns}
    aside = [column.name for column in columns if ASIDE.fullmatch(column.name) or ASIDE.fullmatch(column.id)]
    if aside:
        rows.note(Message("no answers, and not read: ", column_names.columns(aside, most=4)))
    personal = [name for name in by_name if name in KNOWN - USEFUL - {"Status", "Finished", *RESPONSE}]
    if personal:
        left_out = column_names.columns(personal, most=4)
        rows.note(Message("not kept, as it says who somebody is or how the survey went: ", left_out))
    finished = by_name.get("Finished")
    if finished is not None:
        begun = sum(cells[finished].lower() in ("false", "0") for _, cells in responses)
        if begun:
            rows.note(f"{counted(begun, 'responses')} not finished; what was answered counts")
    if "Status" in by_name and any(cells[by_name["Status"]].lower() in PREVIEWS for _, cells in responses):
        rows.note("previews and tests of the survey are set aside as drafts")
