"""Random tables: cells that people and programs write, and those that nobody expects."""

from __future__ import annotations

import random
from typing import Any

FAMILIES: dict[str, list[Any]] = {
    "words": ["yes", "no", "maybe", "unsure"],
    "numbers": [1, 2, 3, 4, 5],
    "scores": [0.5, 1.25, 2.0, -3.5, 1e-9],
    "booleans": [True, False],
    "digits": ["1", "2", "03", "1.0", "1e3"],
    "hostile": ["=1+1", "@x", "-y", "'=z", "\tq", "<b>", "\x1b]0;x\x07", "a\u202eb"],
    "breaks": ["a\nb", "a\r\nb", "a\rb", "x\u2028y", 'q"q', "c,d", "e;f", "g|h"],
    "blanks": [" lead", "trail ", "in  side", "\u00a0", "\ufeffmark", "."],
    "nothing words": ["nan", "None", "null", "NA", "N/A", "-", "true", "TRUE"],
    "letters": ["é", "e\u0301", "🙂", "ß", "İ", "ﬁ", "ж"],
    "half": ["great \ud83d", "x\0y", "ok"],
    "huge": [10**30, -(10**30), 2**63, 2**64, 0],
    "mixed": [1, "1", 1.0, "one", True, None],
    "long": ["x" * 5000, "y" * 300, "z"],
    "one": ["same"],
    "lists": [["a"], ["a", "b"], [], ["b"]],
}
NAMES = ["ana", "ben", "cy", "=dan", "7", "", "eva maria", "ß"]


def table(chance: random.Random, families: dict[str, list[Any]] | None = None) -> dict[str, list[Any]]:
    """A long table of a few items and annotators, with gaps, and maybe with more columns."""
    families = families or FAMILIES
    labels = families[chance.choice(list(families))]
    people = chance.sample(NAMES, chance.randint(1, 4))
    rows: list[tuple[Any, Any, Any]] = []
    for number in range(chance.choice((1, 2, 3, 6, 12))):
        for who in people:
            if chance.random() < 0.9:
                rows.append((number, who, chance.choice(labels) if chance.random() < 0.93 else None))
    if not rows:
        rows.append((0, people[0], labels[0]))
    item, annotator, label = map(list, zip(*rows, strict=True))
    found: dict[str, list[Any]] = {"item": item, "annotator": annotator, "label": label}
    if chance.random() < 0.3:
        found["topic"] = [chance.choice(["a", "b", None]) for _ in rows]
    if chance.random() < 0.15:
        found["text"] = [f"text {number}" for number in item]
    if chance.random() < 0.1:
        found["time"] = [chance.choice(["2026-01-01", "2026-02-30", 5, None]) for _ in rows]
    return found


def spans(chance: random.Random) -> dict[str, list[Any]]:
    """Marked stretches of a few short texts; of some people nothing, of some marks no place."""
    rows: list[tuple[Any, ...]] = []
    for number in range(chance.choice((1, 2, 4))):
        for who in chance.sample(NAMES, chance.randint(1, 3)):
            for _ in range(chance.choice((0, 1, 1, 2, 4))):
                start = chance.randint(0, 12)
                place = (start, start + chance.choice((0, 1, 3, 8))) if chance.random() < 0.95 else (None, None)
                rows.append((number, who, chance.choice(("PER", "LOC", None)), *place))
    return _columns(rows or [(0, "ana", "PER", 0, 3)], "item", "annotator", "label", "start", "end")


def rankings(chance: random.Random) -> dict[str, list[Any]]:
    """Options of a few queries in order, with ties, gaps and options that nobody ranked."""
    rows = [
        (number, who, option, chance.choice((1, 2, 3, 4, 1.5, None)) if chance.random() < 0.2 else place)
        for number in range(chance.choice((1, 2, 5)))
        for who in chance.sample(NAMES, chance.randint(1, 4))
        for place, option in enumerate(chance.sample("abcde", chance.randint(1, 5)), start=1)
    ]
    return _columns(rows, "item", "annotator", "label", "rank")


def preferences(chance: random.Random) -> dict[str, list[Any]]:
    """Which of two options is better, ties and nonsense among the answers."""
    rows = [
        (number, chance.choice(NAMES), *chance.choice((("x", "y"), ("y", "x"), ("x", "z"), ("z", "y"))),
         chance.choice(("first", "second", "tie", "x", None)))
        for number in range(chance.choice((1, 4, 12)))
    ]  # fmt: skip
    return _columns(rows, "item", "annotator", "first", "second", "label")


def scored(chance: random.Random) -> dict[str, list[Any]]:
    """Numbers on a scale, with gaps, large ones and equal ones."""
    scale = chance.choice(
        (
            [1, 2, 3, 4, 5],
            [0.5, 1.25, -3.5],
            [1e-9, 1e12],
            [7],
            [1e149, -1e148, 0.0],
            [5e-324, 1e-200, -0.0],
            [1e308, -1e308, 1.0],
        )
    )
    rows = [
        (number, who, chance.choice(scale) if chance.random() < 0.9 else None)
        for number in range(chance.choice((1, 2, 3, 8)))
        for who in chance.sample(NAMES, chance.randint(1, 4))
    ]
    return _columns(rows, "item", "annotator", "score")


def _columns(rows: list[tuple[Any, ...]], *names: str) -> dict[str, list[Any]]:
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


KINDS: dict[str, tuple[Any, dict[str, str]]] = {
    "labels": (table, {}),
    "spans": (spans, {"start": "start", "end": "end"}),
    "rankings": (rankings, {"rank": "rank", "answers": "ranking"}),
    "preferences": (preferences, {"first": "first", "second": "second"}),
    "scores": (scored, {"score": "score"}),
}
