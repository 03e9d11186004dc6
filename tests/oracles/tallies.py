"""The oracle of tallies: patterns of items, cell by cell."""

from __future__ import annotations

from collections.abc import Sequence


def patterns(grid: Sequence[Sequence[int]], *, named: bool) -> list[object]:
    """The pattern of each item: (annotator or −1, answer, count), sorted; None where nobody answered."""
    found: list[object] = []
    for row in grid:
        said = [(who if named else -1, answer) for who, answer in enumerate(row) if answer >= 0]
        found.append(tuple(sorted({(*one, said.count(one)) for one in said})) or None)
    return found
