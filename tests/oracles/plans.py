"""The oracle of plans: every answer of every annotator to every item of a study that the model would give."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np


def answers_of_those_who_know(
    margins: Mapping[str, float], knows: float, people: int, items: int, rng: np.random.Generator
) -> list[list[str]]:
    """(items, people) answers: each annotator knows an item's label with probability `knows`, or draws one."""
    labels, shares = list(margins), list(margins.values())
    rows = []
    for _ in range(items):
        true = rng.choice(labels, p=shares)
        rows.append([str(true if rng.random() < knows else rng.choice(labels, p=shares)) for _ in range(people)])
    return rows
