"""The oracle of alpha on numbers: observed over expected disagreement in rational numbers, no rounding anywhere."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations

Distance = Callable[[Fraction, Fraction], Fraction]


def squared(a: Fraction, b: Fraction) -> Fraction:
    """Of interval alpha, and of ordinal alpha on mid-ranks."""
    return (a - b) ** 2


def in_proportion(a: Fraction, b: Fraction) -> Fraction:
    """Of ratio alpha."""
    return ((a - b) / (a + b)) ** 2 if a + b else Fraction(0)


def disagreement(rows: Sequence[Sequence[float]], distance: Distance) -> Fraction:
    """D_o / D_e in rational numbers: every pair of answers, no rounding anywhere."""
    exact = [[Fraction(cell) for cell in row if not math.isnan(cell)] for row in rows]
    items = [item for item in exact if len(item) >= 2]
    bag = [answer for item in items for answer in item]
    within = sum((_apart(item, distance) / (len(item) - 1) for item in items), Fraction(0))
    between = _apart(bag, distance)
    return within * (len(bag) - 1) / between


def _apart(answers: list[Fraction], distance: Distance) -> Fraction:
    return sum((distance(a, b) for a, b in permutations(answers, 2)), Fraction(0))


def mid_ranked(rows: list[list[float]]) -> list[list[float]]:
    """Every answer beside another replaced by its mid-rank among them."""
    bag = [cell for row in rows if sum(not math.isnan(c) for c in row) >= 2 for cell in row if not math.isnan(cell)]
    return [
        [cell if math.isnan(cell) else sum(b < cell for b in bag) + bag.count(cell) / 2 for cell in row] for row in rows
    ]
