"""Rows that are hard on SQL."""

from __future__ import annotations

import random
from typing import Any

LABELS = ["yes", "n'o", "back\\slash", "two\nlines", "ж “quoted”", "x'); DROP TABLE answers; --", "Yes"]
PEOPLE = ["ana", "o'neil", 'b"c', "ünal"]
MISSING = ["99", "don't know"]
TOPICS = ["sport", "it's", None]
COLUMNS = ("item id", "who", "tag", "topic", "doc")  # the first with a blank, as people call columns

Row = tuple[Any, ...]


def rows(seed: int = 0, items: int = 40) -> list[Row]:
    """One row per answer, some without an item, an annotator or a label."""
    draw = random.Random(seed)
    found: list[Row] = []
    for item in range(items):
        topic, doc = draw.choice(TOPICS), f"d{item % 5}"
        for who in PEOPLE:
            if draw.random() < 0.8:
                label = draw.choice([*LABELS[:2], *LABELS, *MISSING, None, "", "  "])
                found.append((f"i{item}", who, label, topic, doc))
    found += [(None, "ana", "yes", "sport", "d0"), ("i1", None, "yes", "sport", "d0"), (" ", "ana", "yes", None, "d1")]
    draw.shuffle(found)
    return found
