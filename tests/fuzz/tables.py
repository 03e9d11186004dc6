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
