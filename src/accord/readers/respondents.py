"""Surveys: a row per respondent, a column per question. Respondents are annotators; items are what all were asked.

Nothing in a survey says which of its questions are items. What is known: a question of a loop is asked of each turn of
it; a grid has rows; questions of one kind share their labels. What shares its labels with no other question, such as
somebody's age, was asked once of each respondent and describes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from accord.errors import MayBeNames, Message, counted, listing, remedy
from accord.study.tables import column_names
from accord.study.tables.free_text import FREE_TEXT, is_free
from accord.study.tables.rows import Rows, kept_name
from accord.study.tables.sharing_labels import sharing_labels

AGES = re.compile(r"how old are you|(what is )?your (age|year of birth)|in (which|what) year were you", re.IGNORECASE)
PERSONAL = {"age", "your_age", "birth_year", "year_of_birth", "yob"}
NUMBERED = re.compile(r"(?:q|item|text|image|doc|stimulus|trial|page|s|i|t)?\W?\d+", re.IGNORECASE)
AUTOMATIC = re.compile(r"Q\d+(\.\d+)?")  # as Qualtrics calls questions that nobody named
SEVERAL_IN_A_CELL = (",", ";")


@dataclass(frozen=True, eq=False)
class SurveyQuestion:
    """A question of a survey: the column of its answers, or a column for each of its choices."""

    name: str
    column: int
    text: str = ""
    turn: str | None = None  # of a loop
    stem: str = ""  # of a grid, what is asked of all its rows
    row: str | None = None
    choices: Mapping[int, str] | None = None  # by column, where several may be chosen
    in_words: bool = False  # is it known to be answered in words of one's own?


@dataclass(frozen=True)
class Respondent:
    """One row: its cells, and what is said of the whole of it."""

    cells: Sequence[str]
    about: Mapping[str, Any]  # annotator, time, status …


@dataclass(frozen=True)
class _QuestionItem:
    """Which item a question asks of, and which variable it belongs to; None is the only one."""

    question: SurveyQuestion
    item: str
    task: str | None
    text: str | None = None


def add_answers(rows: Rows, questions: Sequence[SurveyQuestion], respondents: Sequence[Respondent]) -> None:
    """Turn a survey round: a row for each answer, by the respondent, to the item that the question asks of."""
    given = {question: _answers(question, respondents, rows.options.separator) for question in questions}
    unanswered = [question.name for question in questions if not any(given[question])]
    if unanswered:
        rows.note(
            Message("nobody answered ", MayBeNames(listing(unanswered, most=5), counted(len(unanswered), "questions")))
        )
    answered = [question for question in questions if any(given[question])]
    words = [one for one in answered if one.in_words or is_free([_single(answer) for answer in given[one]])]
    in_words = set(words)
    items, once = _items([question for question in answered if question not in in_words], given)
    described = [_attributes(once, given, place) for place in range(len(respondents))]
    for place, respondent in enumerate(respondents):
        common = {**respondent.about, **described[place]}
        for one in items:
            cells = {"item": one.item, "task": one.task, "text": one.text, **common}
            _add(rows, one.question, given[one.question][place], cells)
        for question in words:
            row = {"item": question.name, "task": question.name, "label": _single(given[question][place]), **common}
            if row["label"] is not None:
                rows.add("single", **{**row, "status": FREE_TEXT})
    _tell(rows, items, once, words, given)


def _answers(question: SurveyQuestion, respondents: Iterable[Respondent], separator: str | None) -> list[list[str]]:
    """What each respondent said: no label where nothing was."""
    if question.choices is not None:
        return [[label for column, label in question.choices.items() if one.cells[column]] for one in respondents]
    cells = [one.cells[question.column] for one in respondents]
    if separator is None:
        return [[cell] if cell else [] for cell in cells]
    return [[part.strip() for part in cell.split(separator) if part.strip()] for cell in cells]


def _single(answer: list[str]) -> str | None:
    return answer[0] if len(answer) == 1 else None


def _attributes(
    once: Sequence[SurveyQuestion], given: Mapping[SurveyQuestion, list[list[str]]], place: int
) -> dict[str, str]:
    return {kept_name(question.name): "; ".join(given[question][place]) for question in once if given[question][place]}


def _add(rows: Rows, question: SurveyQuestion, answer: list[str], cells: dict[str, Any]) -> None:
    if answer:
        several = question.choices is not None or rows.options.separator is not None
        rows.answer("set" if several else "single", answer, **cells)


def _tell(
    rows: Rows,
    items: Sequence[_QuestionItem],
    once: Sequence[SurveyQuestion],
    words: Sequence[SurveyQuestion],
    given: Mapping[SurveyQuestion, list[list[str]]],
) -> None:
    names = list(dict.fromkeys(one.item for one in items))
    asking = "turned round: a row is a respondent, and the questions ask of the items "
    rows.note(Message(asking, MayBeNames(listing(names, most=6))))
    if once:
        columns = column_names.columns([question.name for question in once], most=6)
        rows.note(Message("asked once of each respondent, and kept to make groups by: ", columns))
    if words:
        rows.note(
            Message(
                "answered in words, which are no labels: ", column_names.columns([one.name for one in words], most=6)
            )
        )
    for mark in SEVERAL_IN_A_CELL:
        cells = {label for one in items for answer in given[one.question] for label in answer}
        parts = {part.strip() for cell in cells for part in cell.split(mark)}
        if rows.options.separator is None and len(parts) < len(cells):
            cell = min(cell for cell in cells if mark in cell)
            note = f"cells such as {cell!r} were read as one label each; if they hold several, say "
            rows.note(Message(note, remedy(separator=mark)))


def _items(
    questions: Sequence[SurveyQuestion], given: Mapping[SurveyQuestion, list[list[str]]]
) -> tuple[list[_QuestionItem], list[SurveyQuestion]]:
    """What is asked of which item; and the questions that are asked once."""
    turns = [
        _QuestionItem(question, question.turn, question.name) for question in questions if question.turn is not None
    ]
    rest = [question for question in questions if question.turn is None]
    grid = _grid(rest)
    in_grid = {one.question for one in grid}
    plain = [question for question in rest if question not in in_grid]
    groups, once = _groups(plain, given)
    if not groups and not turns and not grid:  # then each question is one of its own
        groups, once = [[question] for question in once], []
    found = [*turns, *grid, *(one for group in groups for one in _as_items(group))]
    return _only_variable(found), once


def _only_variable(found: list[_QuestionItem]) -> list[_QuestionItem]:
    """A single variable needs no name."""
    return [replace(one, task=None) for one in found] if len({one.task for one in found}) == 1 else found


def _as_items(group: list[SurveyQuestion]) -> list[_QuestionItem]:
    if len({question.stem for question in group}) == 1 and all(question.row is not None for question in group):
        return [_QuestionItem(question, str(question.row), question.stem) for question in group]  # one grid, whole
    task = group[0].name if len(group) == 1 else f"{group[0].name} … {group[-1].name}"
    return [_QuestionItem(question, question.name, task, question.row or question.text or None) for question in group]


def _grid(questions: Sequence[SurveyQuestion]) -> list[_QuestionItem]:
    """Questions whose stems all have the same rows: one side are the items, the other the variables."""
    places: dict[tuple[str, str], SurveyQuestion] = {}
    for question in questions:
        stem, row = (question.stem, question.row) if question.row is not None else _parts_of_name(question.name)
        if row and places.setdefault((stem, row), question) is not question:
            return []
    by_stem: dict[str, list[str]] = {}
    for stem, row in places:
        by_stem.setdefault(stem, []).append(row)
    sizes: dict[frozenset[str], list[str]] = {}
    for stem, held in by_stem.items():
        sizes.setdefault(frozenset(held), []).append(stem)
    alike = max(sizes.values(), key=len, default=[])
    held = by_stem[alike[0]] if alike else []
    if len(alike) < 2 or len(held) < 2:
        return []
    stems_are_items = _stems_are_items(alike, held, places)
    found = []
    for stem in alike:
        for row in held:
            item, task = (stem, row) if stems_are_items else (row, stem)
            found.append(_QuestionItem(places[stem, row], item, task))
    return found


def _parts_of_name(name: str) -> tuple[str, str]:
    """tone_1 and tone_2 are two rows of tone; item1_tone and item1_topic two of item1."""
    head, _, tail = name.rpartition("_")
    return (head, tail) if head and tail else ("", "")


def _stems_are_items(
    stems: Sequence[str], held: Sequence[str], places: Mapping[tuple[str, str], SurveyQuestion]
) -> bool:
    """The numbered side; else the one that has more, or says more, as items are more than variables and longer."""
    by_number = [all(NUMBERED.fullmatch(one) for one in side) for side in (stems, held)]
    given_by_tool = all(AUTOMATIC.fullmatch(stem) for stem in stems)  # which say nothing
    if by_number[0] != by_number[1] and not given_by_tool:
        return by_number[0]
    if len(stems) != len(held):
        return len(stems) > len(held)
    stem_texts = [places[stem, held[0]].text.removesuffix(held[0]) or stem for stem in stems]
    return sum(map(len, stem_texts)) >= sum(map(len, held))


def _groups(
    questions: Sequence[SurveyQuestion], given: Mapping[SurveyQuestion, list[list[str]]]
) -> tuple[list[list[SurveyQuestion]], list[SurveyQuestion]]:
    """Questions that share labels, in the order of the survey; and those that share none."""
    labels = {
        question: {label for answer in given[question] for label in answer} if not _is_personal(question) else set()
        for question in questions
    }
    groups = sharing_labels(labels)
    return [group for group in groups if len(group) > 1], [group[0] for group in groups if len(group) == 1]


def _is_personal(question: SurveyQuestion) -> bool:
    """Somebody's age is a number, and may be one that a slider has too."""
    return column_names.plain(question.name) in PERSONAL or bool(AGES.match(question.text or question.name))
