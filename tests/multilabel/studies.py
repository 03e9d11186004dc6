"""Random studies of sets and ranked labels, with gaps and two to six annotators."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from itertools import combinations, permutations
from typing import Any

import accord

LABELS = ("d", "a", "c", "e", "b")
SEEDS = range(60)


def drawn(
    seed: int, answers: Callable[[Sequence[str]], list[Any]], *, gaps: bool = True
) -> tuple[list[dict[str, Any]], list[str]]:
    """Items with answers that lean to a common one, and the labels there are."""
    rng = random.Random(seed)
    labels = list(LABELS[: rng.randint(2, 5)])
    options = answers(labels)
    people = [f"p{who}" for who in range(rng.randint(2, 6))]
    missing = rng.choice((0.0, 0.2, 0.5)) if gaps else 0.0
    study = []
    for _ in range(rng.randint(1, 25)):
        truth = rng.choice(options)
        said = {who: truth if rng.random() < 0.5 else rng.choice(options) for who in people if rng.random() >= missing}
        study.append(said)
    return study, labels


def wide(study: Sequence[dict[str, Any]], kind: Any, labels: Sequence[str] | None = None) -> accord.Study:
    """The study as accord reads a wide table, annotators by name."""
    people = sorted({who for item in study for who in item}) or ["p0"]
    columns: dict[str, Any] = {"item": list(range(len(study)))}
    for who in people:
        cells = [item.get(who) for item in study]
        columns[who] = [list(cell) if cell is not None and kind != "single" else cell for cell in cells]
    return accord.Study.from_wide(columns, item="item", annotators=people, answers=kind, labels=labels)


def ranked(labels: Sequence[str]) -> list[Any]:
    return [held for size in (1, 2) for held in permutations(labels, size)]


def three_ranks(labels: Sequence[str]) -> list[Any]:
    return [held for size in (1, 2, 3) for held in permutations(labels, size)]


def sets(labels: Sequence[str]) -> list[Any]:
    return [frozenset(held) for size in range(4) for held in combinations(labels, size)]


def near(found: float, slow: float) -> bool:
    return math.isclose(found, slow, rel_tol=1e-12, abs_tol=1e-12) or (math.isnan(found) and math.isnan(slow))
