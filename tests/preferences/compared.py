"""Tables of preferences for tests."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any

WORDS = {"first": 0, "tie": 1, "second": 2}


def of_counts(table: Iterable[Sequence[Any]]) -> list[dict[str, Any]]:
    """Rows from [first, second, first wins, second wins, ties]; every comparison is an item of its own."""
    rows: list[dict[str, Any]] = []
    for first, second, wins, losses, ties in table:
        for label, number in (("first", wins), ("second", losses), ("tie", ties)):
            for _ in range(number):
                row = {"item": len(rows), "annotator": "ana", "label": label, "first": first, "second": second}
                rows.append(row)
    return rows


def drawn(
    seed: int, *, items: int = 120, people: int = 3, options: str = "abcd", first: float = 0.0, rebel: bool = False
) -> list[dict[str, Any]]:
    """Comparisons by people who share items; standing first is worth `first`, and a rebel prefers the weaker."""
    rng = random.Random(seed)
    strength = {name: 1.5 - place for place, name in enumerate(options)}
    rows = []
    for item in range(items):
        pair = rng.sample(sorted(options), 2)
        shared = rng.gauss(0, 0.7)
        for who in range(people):
            turn = -1 if rebel and who == 0 else 1
            lead = first + turn * (strength[pair[0]] - strength[pair[1]]) + shared + rng.gauss(0, 1.2)
            label = "tie" if abs(lead) < 0.3 else "first" if lead > 0 else "second"
            rows.append({"item": item, "annotator": f"j{who}", "label": label, "first": pair[0], "second": pair[1]})
    return rows
