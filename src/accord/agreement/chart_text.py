"""The words of a chart: labels over as many lines as they need, titles that fit, what a mark says to a pointer."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from typing import Any

WIDE, NARROW = 720, 320  # a desk, a telephone
DESK = 500  # from this width on there is room for longer names and more ticks
LONGEST_LABEL = 28
LONGEST_NAME = 120  # under a pointer
LINE, LINE_NARROW = 32, 19  # letters in a line of a label on an axis
LINES = 5  # of a label; what is longer still is cut, and says so by its dots
LETTER = 6.6  # the width of a letter on an axis, generously: the reader's font may be wider than ours
LINE_HEIGHT = 13
MANY_ROWS = 16  # from which on they move closer together
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
SPLIT = "split(datum.label, '\\n')"  # how an axis draws a label of several lines


def short(text: object, longest: int = LONGEST_LABEL) -> str:
    """A text of one line and a bearable length, without the marks that turn text around.

    >>> short("a" * 40, 10)
    'aaaaaaaaa…'
    """
    plain = " ".join(CONTROL.sub(" ", str(text)).split()) or "(blank)"
    return plain if len(plain) <= longest else plain[: longest - 1] + "…"


def lines(text: object, longest: int, most: int = LINES) -> list[str]:
    """A text over lines of so many letters; only a word longer than a line is broken, only the last line cut.

    >>> lines("moved to the present size of the house", 14)
    ['moved to the', 'present size', 'of the house']
    """
    words = [
        word[start : start + longest] for word in short(text, 10_000).split() for start in range(0, len(word), longest)
    ]
    found = [""]
    for word in words:
        if found[-1] and len(found[-1]) + 1 + len(word) > longest:
            found.append(word)
        else:
            found[-1] = f"{found[-1]} {word}".strip()
    if len(found) > most:
        found = [*found[: most - 1], short(" ".join(found[most - 1 :]), longest)]
    return found


def shown_names(names: Sequence[Hashable], width: int = WIDE, longest: int | None = None) -> dict[Any, str]:
    """Each name as an axis shows it, lines joined by breaks; names that look alike are told apart by a number.

    >>> shown_names(["yes", "no"])
    {'yes': 'yes', 'no': 'no'}
    >>> [name.count("x") for name in shown_names(["x" * 400, "x" * 401], NARROW).values()]
    [94, 94]
    """
    letters = longest or (LINE if width > DESK else LINE_NARROW)
    found: dict[Any, str] = {}
    taken: set[str] = set()
    for name in dict.fromkeys(names):
        shown = look = "\n".join(lines(name, letters))
        number = 1
        while shown in taken:
            number += 1
            shown = f"{look} ({number})"
        taken.add(shown)
        found[name] = shown
    return found


def most_lines(names: Sequence[str]) -> int:
    """How many lines the tallest of these has."""
    return max((name.count("\n") + 1 for name in names), default=1)


def height_of_rows(number: int, names: Sequence[str]) -> int:
    """How high a chart is with a row for each of these names, an axis below them."""
    step = max(34 if number <= MANY_ROWS else 27, most_lines(names) * LINE_HEIGHT + 8)
    return 46 + step * max(number, 1)


def longest_line(names: Sequence[str]) -> int:
    """How many letters the longest line of these has."""
    return max((len(line) for name in names for line in name.split("\n")), default=1)


def fitted(text: str, width: float, letter: float = LETTER) -> list[str]:
    """A title over as many lines as it needs in so much room."""
    return lines(short(text, 240), max(int(width / letter), 8), most=8)
