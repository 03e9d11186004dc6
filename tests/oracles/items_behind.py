"""The oracle of the items behind a mark of a report: whose answers are looked at item by item."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import TypeAlias

Answers: TypeAlias = Mapping[str, Mapping[str, str]]  # item ─▶ annotator ─▶ label


def where_labels_met(answers: Answers, one: str, other: str) -> list[str]:
    """The items to which two annotators gave these two labels."""
    return [
        item
        for item, given in answers.items()
        if any({a, b} == {one, other} for a, b in combinations(given.values(), 2))
    ]


def given_by(answers: Answers, who: str, label: str) -> list[str]:
    """The items to which an annotator gave a label."""
    return [item for item, given in answers.items() if given.get(who) == label]


def answered_by_both(answers: Answers, one: str, other: str, *, alike: bool) -> list[str]:
    """The items that both annotators answered, and alike, or not."""
    both = {item: (given[one], given[other]) for item, given in answers.items() if {one, other} <= set(given)}
    return [item for item, (a, b) in both.items() if (a == b) == alike]


def with_option_at(orders: Mapping[tuple[str, str], str], option: str, place: int) -> set[str]:
    """The items in whose order, of whoever gave it, the option stands at that place, from 1."""
    return {item for (item, _), order in orders.items() if order[place - 1] == option}
