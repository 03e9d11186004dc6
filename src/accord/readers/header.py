"""The names of a table's columns: one line of them, or two where the first names what the second divides."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from accord.errors import FileError, MayBeNames, all_quoted, listing, remedy

UNNAMED = "unnamed"
TWO_LINES = "two lines name the columns"


def check_header(row: Sequence[str], where: str, line: int = 1) -> list[str]:
    """The names of the columns, none twice; an index without a name is called 'row', other columns 'unnamed'."""
    names = [name.strip() for name in row]
    if names and names[0] == "":
        names[0] = "row"
    blank = [place for place, name in enumerate(names) if name == ""]
    for number, place in enumerate(blank, start=1):
        names[place] = UNNAMED if len(blank) == 1 else f"{UNNAMED} {number}"
    if all(re.fullmatch(r"-?\d+([.,]\d+)?", name) for name in names):
        shown = listing([name[:20] for name in names], most=4)
        raise FileError(
            where,
            "The header holds only numbers (",
            MayBeNames(shown),
            "). If there is no header, say so: ",
            remedy(header=False),
            ".",
            line=line,
        )
    seen: set[str] = set()
    twice: list[str] = []
    for name in names:
        twice += [name] if name in seen and name not in twice else []
        seen.add(name)
    if twice:
        raise FileError(
            where,
            "The header names ",
            all_quoted(sorted(twice)),
            " more than once. Give every column a name of its own. If there is no header, say so: ",
            remedy(header=False),
            ".",
            line=line,
        )
    return names


def of_two_lines(first: Sequence[str], second: Sequence[str] | None) -> list[str] | None:
    """The names that two lines make together, group and part: None where the second line is no header.

    Where one cell above spans the others, its question, these stand for themselves: they name annotators.

    >>> of_two_lines(["id", "Ana", "", "Ben", ""], ["", "tone", "topic", "tone", "topic"])
    ['id', 'Ana_tone', 'Ana_topic', 'Ben_tone', 'Ben_topic']
    >>> of_two_lines(["id", "Tone", "", ""], ["", "ana", "ben", "cy"])
    ['id', 'ana', 'ben', 'cy']
    >>> of_two_lines(["who", "ana", "ana", "ben", "ben"], ["what", "tone", "topic", "tone", "topic"])
    ['', 'ana_tone', 'ana_topic', 'ben_tone', 'ben_topic']
    >>> of_two_lines(["id", "ana", "ben"], ["1", "x", "y"])
    """
    if second is None or len(second) != len(first):
        return None
    above, below = ([cell.strip() for cell in line] for line in (first, second))
    names = _of_groups(above, below) or _of_named_levels(above, below) or _of_one_question(above, below)
    return names if names is not None and len(set(names)) == len(names) else None


def _of_groups(above: Sequence[str], below: Sequence[str]) -> list[str] | None:
    """Group and part, where several groups are divided alike: nobody's answers are."""
    names: list[str] = []
    parts: dict[str, list[str]] = {}
    group = ""
    for over, under in zip(above, below, strict=True):
        group = over or group
        if under and group:
            parts.setdefault(group, []).append(under)
        names.append(f"{group}_{under}" if under else over)
    alike = [held for held in parts.values() if len(held) >= 2]
    whole = len(alike) >= 2 and all(sorted(held) == sorted(alike[0]) for held in alike) and len(alike) == len(parts)
    return names if whole else None


def _of_named_levels(above: Sequence[str], below: Sequence[str]) -> list[str] | None:
    """The same where the first cells say what the lines name, and a group comes again over each of its parts."""
    again = len(set(above[1:])) < len(above) - 1
    return _of_groups(["", *above[1:]], ["", *below[1:]]) if above[0] and below[0] and again else None


def names_index(names: Sequence[str], row: Sequence[str]) -> bool:
    """Does a line below two of names say what the first column is, and nothing else, as pandas writes it?"""
    return len(row) == len(names) and bool(row[0].strip()) and not any(cell.strip() for cell in row[1:])


def _of_one_question(above: Sequence[str], below: Sequence[str]) -> list[str] | None:
    """The columns below a cell that spans them, beside others that are named above: who answered one question."""
    under = [place for place, cell in enumerate(below) if cell]
    spanned = bool(under) and under == list(range(under[0], under[-1] + 1)) and bool(above[under[0]])
    if not spanned or not 2 <= len(under) < len(above) or any(above[place] for place in under[1:]):
        return None
    names = [low or high for high, low in zip(above, below, strict=True)]
    return names if all(names) else None


def without_unnamed(columns: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """The columns without those that have neither a name nor a cell, as spreadsheets leave them at the right."""
    return {
        name: cells
        for name, cells in columns.items()
        if not name.startswith(UNNAMED) or any(cell is not None for cell in cells)
    }
