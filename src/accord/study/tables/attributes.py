"""Columns of an export that are no answers: what is constant within a person, and what is an item's own.

Some tools write every column of a table alike. A column that has one value per annotator (age, gender) describes
people, and one that has nearly as many values as there are items, the same for all who saw one, describes items. They
are no variables, but serve in `by=`.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from accord.errors import Message
from accord.study.tables import column_names
from accord.study.tables.rows import Rows, kept_name

LEAST = 3  # answers of an annotator from which on one value says something
NEARLY = 0.99  # of the items may be without exception
OWN = 0.5  # of the items: so many values are no labels
# What surveys ask people of themselves: one value per annotator is then enough, however few their answers.
ABOUT_PEOPLE = re.compile(
    r"(?i)(.*[_ .])?(age|gender|sex|race|ethnicity|education|occupation|nationality|country|religion|income|native[_ ]?"
    r"language|political[_ ]?\w*|marital[_ ]?status|profession)([_ .].*)?"
)


def set_attributes_aside(rows: Rows) -> None:
    """Make columns of the tasks that are attributes, and say so; where all would be, nothing is done."""
    tasks = rows.column("task")
    places: dict[Any, list[int]] = {}
    for place, task in enumerate(tasks):
        places.setdefault(task, []).append(place)
    people, items, labels = (rows.column(name) for name in ("annotator", "item", "label"))
    of_people = [
        task
        for task, mine in places.items()
        if _of_people(
            [(people[place], labels[place]) for place in mine], by_name=bool(ABOUT_PEOPLE.fullmatch(str(task)))
        )
    ]
    of_items = [
        task
        for task, mine in places.items()
        if task not in of_people and _of_items([(items[place], labels[place]) for place in mine])
    ]
    if not of_people + of_items or len(of_people + of_items) == len(places):
        return
    for found, whose, what in ((of_people, people, "annotators"), (of_items, items, "items")):
        for task in found:
            value = {whose[place]: labels[place] for place in places[task] if labels[place] is not None}
            rows.columns[kept_name(str(task))] = [value.get(one) for one in whose]
        if found:
            sentence = f" describe {what} and are no variables; they serve to make groups by"
            rows.note(Message(column_names.columns(list(map(str, found))), sentence))
    gone = {place for task in of_people + of_items for place in places[task]}
    rows.take_out(gone)


def are_attributes(name: str, people: Sequence[Any], items: Sequence[Any], cells: Sequence[Any]) -> bool:
    """Does a column describe people, or items, so that it holds no answers?"""
    by_name = bool(ABOUT_PEOPLE.fullmatch(name))
    of_people = _of_people(list(zip(people, cells, strict=True)), by_name=by_name)
    return of_people or _of_items(list(zip(items, cells, strict=True)))


def _of_people(pairs: list[tuple[Hashable, Any]], *, by_name: bool) -> bool:
    """Has every annotator one value, and not all the same? Where the name tells too, they may be."""
    values = _values(pairs)
    if by_name:
        return all(len(held) == 1 for held in values.values())
    known = {next(iter(held)) for held in values.values() if len(held) == 1}
    often = len([label for _, label in pairs if label is not None]) >= LEAST * max(len(values), 1)
    return len(values) >= 2 and often and len(known) >= 2 and all(len(held) == 1 for held in values.values())


def _of_items(pairs: list[tuple[Hashable, Any]]) -> bool:
    """Has an item one value, whoever saw it, and nearly every item its own?"""
    values = _values(pairs)
    seen: dict[Hashable, int] = {}
    for item, label in pairs:
        if label is not None:
            seen[item] = seen.get(item, 0) + 1
    shared = [item for item, number in seen.items() if number >= 2]
    if len(shared) < LEAST:
        return False
    constant = sum(len(values[item]) == 1 for item in shared) >= NEARLY * len(shared)
    return constant and len({label for held in values.values() for label in held}) > OWN * len(values)


def _values(pairs: Iterable[tuple[Hashable, Any]]) -> dict[Hashable, set[Any]]:
    found: dict[Hashable, set[Any]] = {}
    for one, label in pairs:
        if label is not None:
            found.setdefault(one, set()).add(label)
    return found
