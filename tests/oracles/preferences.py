"""The oracles of preferences: the likelihood written out comparison by comparison, triads tried one by one.

A comparison is (first, second, outcome, item) with the outcome "first", "tie" or "second". Shares no code with accord.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import TypeAlias

import numpy as np
from scipy.optimize import minimize

Compared: TypeAlias = tuple[str, str, str, object]


def chances(first: float, second: float, order: float, tie: float | None) -> dict[str, float]:
    """The chance of each outcome: strengths as they are, the first times the order, ties by Davidson."""
    one, two = math.exp(order) * math.exp(first), math.exp(second)
    tied = 0.0 if tie is None else math.exp(tie) * math.sqrt(math.exp(first) * math.exp(second))
    total = one + two + tied
    return {"first": one / total, "tie": tied / total, "second": two / total}


class SlowBradleyTerry:
    """Maximum likelihood by a general minimiser, errors by derivatives from small steps."""

    def __init__(self, rows: Sequence[Compared], *, order: bool = False) -> None:
        self.rows, self.order = rows, order
        self.options = sorted({name for one, two, _, _ in rows for name in (one, two)})
        self.ties = any(outcome == "tie" for _, _, outcome, _ in rows)
        start = np.zeros(len(self.options) - 1 + order + self.ties)
        found = minimize(lambda values: -self.log_likelihood(values), start, method="BFGS", options={"gtol": 1e-9})
        self.values = found.x

    def log_of(self, values: np.ndarray, row: Compared) -> float:
        """The log chance of one comparison; the last strength is what makes their sum 0."""
        strengths = [*values[: len(self.options) - 1], -float(sum(values[: len(self.options) - 1]))]
        by_name = dict(zip(self.options, strengths, strict=True))
        rest = list(values[len(self.options) - 1 :])
        order = rest.pop(0) if self.order else 0.0
        return math.log(chances(by_name[row[0]], by_name[row[1]], order, rest[0] if self.ties else None)[row[2]])

    def log_likelihood(self, values: np.ndarray) -> float:
        """Of all comparisons."""
        return sum(self.log_of(values, row) for row in self.rows)

    def strengths(self) -> dict[str, float]:
        """By name."""
        free = list(self.values[: len(self.options) - 1])
        return dict(zip(self.options, [*free, -float(sum(free))], strict=True))

    def errors(self) -> dict[str, float]:
        """The sandwich over items, of all strengths."""
        size, step = len(self.values), 1e-5
        around = [np.eye(size)[place] * step for place in range(size)]
        slopes: dict[object, np.ndarray] = {}
        for row in self.rows:
            slope = [
                (self.log_of(self.values + e, row) - self.log_of(self.values - e, row)) / (2 * step) for e in around
            ]
            slopes[row[3]] = slopes.get(row[3], np.zeros(size)) + np.array(slope)
        curve = np.zeros((size, size))
        for i, one in enumerate(around):
            for j, two in enumerate(around):
                at = [
                    self.log_likelihood(self.values + s * one + t * two)
                    for s, t in ((1, 1), (1, -1), (-1, 1), (-1, -1))
                ]
                curve[i, j] = -(at[0] - at[1] - at[2] + at[3]) / (4 * step * step)
        bread = np.linalg.inv(curve)
        spread = bread @ sum(np.outer(slope, slope) for slope in slopes.values()) @ bread
        count = len(self.options) - 1
        onto = np.vstack([np.eye(size)[:count], [[-1.0] * count + [0.0] * (size - count)]])
        return dict(zip(self.options, np.sqrt(np.diag(onto @ spread @ onto.T)).tolist(), strict=True))


def circular(wins: Sequence[tuple[object, object]]) -> tuple[int, int]:
    """Triads whose three pairs were decided, and those of them that go in a circle: every three tried."""
    beats = set(wins)
    things = sorted({thing for pair in wins for thing in pair}, key=str)
    decided = circles = 0
    for three in combinations(things, 3):
        pairs = [(a, b) if (a, b) in beats else (b, a) for a, b in combinations(three, 2)]
        if all(pair in beats for pair in pairs):
            decided += 1
            circles += {one for one, _ in pairs} == set(three)
    return decided, circles
