"""Questions that were answered in words of one's own: what is said there are no labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from accord.errors import Message
from accord.study.tables import column_names
from accord.study.tables.rows import Rows

FREE_TEXT = "free text"
COMMENTS = {"comment", "comments", "feedback", "explanation", "rationale", "remarks", "suggestions", "notes"}
LONG, SOMEWHAT_LONG, OFTEN_OTHER, SOME = 60, 25, 0.5, 3


def is_prose(cells: Sequence[Any]) -> bool:
    """Are they long or ever different texts, such as no label is?

    >>> is_prose(["yes", "no"]), is_prose(["The lamp broke on the second day, and nobody came to see to it at all."])
    (False, True)
    """
    texts = [cell for cell in cells if isinstance(cell, str)]
    if not texts:
        return False
    length = sum(map(len, texts)) / len(texts)
    return length > LONG or (length > SOMEWHAT_LONG and _ever_different(texts))


def _ever_different(cells: Sequence[Any]) -> bool:
    return len(set(cells)) > OFTEN_OTHER * len(cells) and len(cells) > SOME


def set_free_text_aside(rows: Rows) -> None:
    """Set the answers of such questions aside; where there would be no others, nothing is done."""
    places: dict[Any, list[int]] = {}
    kinds, labels = rows.column("answers"), rows.column("label")
    for place, task in enumerate(rows.column("task")):
        if kinds[place] == "single":
            places.setdefault(task, []).append(place)
    found = [task for task, mine in places.items() if _is_comment(task) or is_free([labels[place] for place in mine])]
    if not found or len(found) == len(set(rows.column("task"))):
        return
    status = rows.column("status")
    for place in (place for task in found for place in places[task] if status[place] is None):
        status[place] = FREE_TEXT
    rows.columns["status"] = status
    rows.note(Message("answered in words, which are no labels: ", column_names.columns(list(map(str, found)), most=6)))


def is_free(cells: Sequence[Any]) -> bool:
    """Are they words of one's own? A long text that many chose from a list is a label all the same."""
    given = [cell for cell in cells if cell is not None]
    return is_prose(given) and _ever_different(given)


def _is_comment(task: Any) -> bool:
    return str(task).rpartition(".")[2].strip().lower() in COMMENTS
