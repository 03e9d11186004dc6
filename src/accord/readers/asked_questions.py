"""What a survey asked, by the line of its header: rows of a grid stand in brackets, and a question may come again."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from accord.readers.respondents import SurveyQuestion

AGAIN = re.compile(r"(.+)\.\d+", re.DOTALL)
GRID = re.compile(r"(?=.*\]\Z)(.*\S)\s*\[(.+)\]", re.DOTALL)


def questions(columns: Sequence[tuple[int, str]]) -> list[SurveyQuestion]:
    """What was asked; a question that is asked again and again is asked of another item each time."""
    given = {text for _, text in columns}
    times: dict[str, int] = {}
    called = [(place, _without_number(text, given)) for place, text in columns]
    for _, text in called:
        times[text] = times.get(text, 0) + 1
    seen: dict[str, int] = {}
    found = []
    for place, text in called:
        seen[text] = seen.get(text, 0) + 1
        grid = GRID.fullmatch(text)
        question = SurveyQuestion(text, place, text)
        if times[text] > 1:
            question = replace(question, turn=str(seen[text]))
        elif grid is not None:
            question = replace(question, stem=grid[1], row=grid[2])
        found.append(question)
    return found


def _without_number(text: str, given: Collection[str]) -> str:
    """The question that pandas numbered when it came again: 'Is it kind?.1'."""
    again = AGAIN.fullmatch(text)
    return again[1] if again is not None and again[1] in given else text
