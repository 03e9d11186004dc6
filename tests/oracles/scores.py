"""The oracle of scores: the restricted likelihood on the full covariance matrix, searched without a gradient.

Shares no code with accord.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from scipy.optimize import minimize

Row: TypeAlias = tuple[tuple[int, ...], float]  # the levels of the factors, and the score
Effects: TypeAlias = Sequence[tuple[int, ...]]  # which factors make an effect


def deviance(rows: Sequence[Row], effects: Effects, variances: Sequence[float]) -> float:
    """−2 log restricted likelihood, with all constants."""
    size = len(rows)
    covariance = variances[-1] * np.eye(size)
    for effect, variance in zip(effects, variances, strict=False):
        levels = np.array([[row[0][factor] for factor in effect] for row in rows])
        covariance += variance * (levels[:, None] == levels[None]).all(axis=2)
    inverse, ones = np.linalg.inv(covariance), np.ones(size)
    scores = np.array([score for _, score in rows])
    mean = float(ones @ inverse @ scores / (ones @ inverse @ ones))
    away = scores - mean
    volume = np.linalg.slogdet(covariance)[1] + math.log(float(ones @ inverse @ ones))
    return float((size - 1) * math.log(2 * math.pi) + volume + away @ inverse @ away)


def likeliest(rows: Sequence[Row], effects: Effects) -> list[float]:
    """The variances with the least deviance, none below zero, from several starts."""
    best, found = math.inf, [math.nan]
    for start in ((0.3, 0.3), (1.0, 0.01), (0.01, 1.0)):
        first = [*(start[place % 2] for place in range(len(effects))), 0.5]
        search = minimize(
            lambda roots: deviance(rows, effects, [root**2 for root in roots[:-1]] + [roots[-1] ** 2 + 1e-9]),
            first, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12, "maxiter": 4000, "maxfev": 4000},
        )  # fmt: skip
        if search.fun < best:
            best, found = search.fun, [float(root) ** 2 for root in search.x]
    return found


def shrout_fleiss(table: Sequence[Sequence[float]], form: str) -> float:
    """A form of the intraclass correlation, as the paper writes it, with sums written out."""
    items, people = len(table), len(table[0])
    every = sum(map(sum, table)) / (items * people)
    rows = [sum(row) / people for row in table]
    columns = [sum(row[place] for row in table) / items for place in range(people)]
    between = people * sum((row - every) ** 2 for row in rows) / (items - 1)
    annotators = items * sum((column - every) ** 2 for column in columns) / (people - 1)
    within = sum((cell - mean) ** 2 for row, mean in zip(table, rows, strict=True) for cell in row)
    within /= items * (people - 1)
    rest = (within * items * (people - 1) - annotators * (people - 1)) / ((items - 1) * (people - 1))
    return {
        "1,1": lambda: (between - within) / (between + (people - 1) * within),
        "2,1": lambda: (between - rest) / (between + (people - 1) * rest + people * (annotators - rest) / items),
        "3,1": lambda: (between - rest) / (between + (people - 1) * rest),
        "1,k": lambda: (between - within) / between,
        "2,k": lambda: (between - rest) / (between + (annotators - rest) / items),
        "3,k": lambda: (between - rest) / between,
    }[form]()
