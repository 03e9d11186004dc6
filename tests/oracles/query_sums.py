"""The oracle of the queries: the sums that they must give, row by row."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

from tests.warehouses.hard_rows import LABELS, MISSING, PEOPLE, Row


def expected(given: list[Row], people: list[str] | None = None) -> dict[str, Counter[Row]]:
    """The lines of every result, counted one by one."""
    taken = [row for row in given if people is None or row[1] in people]
    named = [row for row in taken if _says(row[0]) and _says(row[1])]
    answers = [row for row in named if _says(row[2]) and row[2] not in MISSING]
    by_item: dict[Any, list[Row]] = {}
    for row in answers:
        by_item.setdefault(row[0], []).append(row)
    counts = (
        len(taken), len(answers), len(by_item), len({row[1] for row in answers}), len(named) - len(answers)
    )  # fmt: skip
    return {
        "totals": Counter([counts]),
        "labels": _lines(Counter((row[2],) for row in answers)),
        "duplicates": Counter([(0,)]),
        "several_groups": Counter([(0,)]),
        "patterns": _lines(Counter(_pattern(held) for held in by_item.values())),
        "annotators": _lines(Counter((row[1], row[2]) for row in answers)),
        "pairs": _lines(Counter(pair for held in by_item.values() for pair in _pairs(held))),
        "named_patterns": _lines(Counter(_named(held, people or PEOPLE) for held in by_item.values())),
    }


def _says(cell: Any) -> bool:
    return cell is not None and bool(str(cell).strip())


def _lines(counted: Counter[Row]) -> Counter[Row]:
    """A line of a result each: the key, and how many."""
    return Counter({(*key, number): 1 for key, number in counted.items()})


def _pattern(held: list[Row]) -> Row:
    given = Counter(row[2] for row in held)
    return (held[0][3], held[0][4], *(given[label] for label in LABELS))


def _named(held: list[Row], people: list[str]) -> Row:
    said = {row[1]: row[2] for row in held}
    return (held[0][3], held[0][4], *(said.get(name) for name in people))


def _pairs(held: list[Row]) -> list[Row]:
    ordered = sorted(held, key=lambda row: str(row[1]))
    return [(one[1], other[1], one[2], other[2]) for one, other in combinations(ordered, 2)]
