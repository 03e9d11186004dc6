"""A small logistic regression by Newton's method, which says when the data cannot settle it.

Statsmodels has one: 12 MB packed, with pandas and patsy, to fit a handful of columns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import FloatArray

STEPS = 60
SETTLED = 1e-10  # change of the log-likelihood
FAR = 15.0  # log-odds of a column's spread beyond which an answer is certain: the data are separated
CERTAIN = 1e-7


@dataclass(frozen=True, eq=False)
class Logistic:
    """log-odds = X · slopes, with standard errors; `undefined` says why there are none."""

    slopes: FloatArray
    errors: FloatArray
    log_likelihood: float
    undefined: str | None = None


def fit_logistic(columns: FloatArray, answers: FloatArray) -> Logistic:
    """Maximum likelihood; answers are 0 or 1, and the columns hold the constant if one is wanted."""
    number, width = columns.shape
    nothing = np.full(width, np.nan)
    if number <= width:
        return Logistic(nothing, nothing, math.nan, f"{number} verdicts are too few for {width} coefficients.")
    if not 0 < answers.sum() < number:
        return Logistic(nothing, nothing, math.nan, "All verdicts are the same, so nothing can explain them.")
    if np.linalg.matrix_rank(columns) < width:
        return Logistic(nothing, nothing, math.nan, "The explanations say the same thing (or never vary).")
    slopes, before = np.zeros(width), -math.inf
    now = _log_likelihood(columns @ slopes, answers)
    for _ in range(STEPS):
        chance = _chance(columns @ slopes)
        spread = columns.T @ (columns * (chance * (1 - chance))[:, None])
        if _separated(columns, slopes, chance, answers) or np.linalg.cond(spread) > 1e12:
            return Logistic(
                nothing, nothing, now, "The explanations tell the verdicts apart without a rest (separation)."
            )
        if abs(now - before) < SETTLED * (abs(now) + SETTLED):
            return Logistic(slopes, np.sqrt(np.diag(np.linalg.inv(spread))), now)
        step = np.asarray(np.linalg.solve(spread, columns.T @ (answers - chance)), dtype=np.float64)
        before, (slopes, now) = now, _uphill(columns, answers, slopes, step, now)
    return Logistic(nothing, nothing, now, f"No settled answer after {STEPS} steps of Newton's method.")


def _uphill(
    columns: FloatArray, answers: FloatArray, slopes: FloatArray, step: FloatArray, now: float
) -> tuple[FloatArray, float]:
    """The step, or as much of it as makes the likelihood higher."""
    for _ in range(30):
        tried = slopes + step
        value = _log_likelihood(columns @ tried, answers)
        if value >= now:
            return tried, value
        step = step / 2
    return slopes, now


def _separated(columns: FloatArray, slopes: FloatArray, chance: FloatArray, answers: FloatArray) -> bool:
    """Is every verdict certain, or does a coefficient run away?"""
    far = np.abs(slopes) * np.maximum(columns.std(axis=0), 1e-12) > FAR
    return bool(far.any() or (np.abs(chance - answers) < CERTAIN).all())


def _chance(odds: FloatArray) -> FloatArray:
    return np.asarray(0.5 * (1 + np.tanh(odds / 2)))  # no overflow


def _log_likelihood(odds: FloatArray, answers: FloatArray) -> float:
    return float((answers * odds - np.logaddexp(0, odds)).sum())
