"""Lists of items, a page at a time: what each is, what was answered, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from accord.annotations.answers import Label
from accord.annotations.arrays import IntArray
from accord.findings.contested import given_answers
from accord.reporting.context import Context
from accord.study.study import Study
from accord.workbench.span_units import marked_words
from accord.workbench.written_answers import AnswerForm

ON_A_PAGE = 50

Outcome = Callable[[int], tuple[str, str]]  # an item's position ─▶ its label in words, and how it came by it


@dataclass(frozen=True)
class ItemRow:
    """One item of a list."""

    item: Label
    text: str
    answers: Sequence[str]  # each with who gave it, or how many did
    label: str  # "" where it is undecided
    how: str  # by whom or what it was decided, or why not


@dataclass(frozen=True)
class ItemPage:
    """Some items of a list, in their order."""

    rows: Sequence[ItemRow]
    number: int  # of all items in the list
    first: int  # the number of the first on this page, from 1 on
    after: int | None  # the key of the next page; None on the last


def page_of_items(
    context: Context, found: IntArray, outcome: Outcome, after: int = -1, most: int = ON_A_PAGE
) -> ItemPage:
    """The items of a list behind a key: the position of an item, whether it is still in the list or not."""
    start = int(np.searchsorted(found, after, side="right"))
    places = found[start : start + most].tolist()
    study = context.study
    texts = context.texts(places) if context.text_column is not None else [""] * len(places)
    given = _given(study, places, texts)
    rows = [
        ItemRow(study.items[place], text, answers, *outcome(place))
        for place, text, answers in zip(places, texts, given, strict=True)
    ]
    last = start + len(places) >= len(found)
    return ItemPage(rows, len(found), start + 1, None if last or not places else places[-1])


def _given(study: Study, places: list[int], texts: Sequence[str]) -> list[Sequence[str]]:
    """What was answered to some items, each answer with who gave it; of spans, what was marked."""
    if not places:
        return []
    if study.kind != "spans":
        return [answers.split("\n") for answers in given_answers(study, places)]
    form, names_by_answer = AnswerForm.of(study), {place: dict[int, list[str]]() for place in places}
    item, who, answer, _ = study._annotations.rows
    for row in np.flatnonzero(np.isin(item, places)).tolist():
        name = study.annotators[who[row]] if study._annotations.named else ""
        names_by_answer[int(item[row])].setdefault(int(answer[row]), []).append(name)
    return [
        [
            f"{marked_words(form.given(code), text)}{': ' if names[0] else ''}{', '.join(names)}"
            for code, names in sorted(names_by_answer[place].items(), key=lambda one: -len(one[1]))
        ]
        for place, text in zip(places, texts, strict=True)
    ]


def outcome_of_report(context: Context) -> Outcome:
    """What the report's own gold says of an item."""
    gold, form = context.gold, AnswerForm.of(context.study)

    def outcome(place: int) -> tuple[str, str]:
        if gold is None:
            return "", ""
        label = gold.labels[place]
        return ("", "undecided") if label is None else (form.words(label), gold.title)

    return outcome
