"""Is one of two contestants inferior by a margin? One-sided tests on wins and losses.

A difference d is 1 where the person alone wins an item, −1 where the model alone does, 0 where both do. Its
distribution is given by three numbers: items n, and how often d = 1 and d = −1. All tests take arrays of these, of any
shape, and answer H0: mean of d ≥ ε against "less"; so a resample costs no more than its counts.
"""

from __future__ import annotations

import numpy as np

from accord.annotations.arrays import FloatArray, divide
from accord.coefficients.standard_errors import p_values


def mean_and_spread(items: FloatArray, lost: FloatArray, won: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean of d, and its standard deviation with n − 1; `lost` is d = 1 (the person wins), `won` is d = −1."""
    mean = divide(lost - won, items)
    squares = lost + won - items * mean**2
    return mean, np.sqrt(np.maximum(divide(squares, items - 1), 0.0))


def t_test(items: FloatArray, lost: FloatArray, won: FloatArray, epsilon: float) -> tuple[FloatArray, FloatArray]:
    """Student's t and its p; NaN where the differences have no variance (the published test passes there)."""
    mean, spread = mean_and_spread(items, lost, won)
    error = np.where(spread > 0, spread, 0.0) / np.sqrt(np.maximum(items, 1))
    return divide(mean - epsilon, error), p_values(mean - epsilon, error, items - 1, "less")


def tango_test(items: FloatArray, lost: FloatArray, won: FloatArray, epsilon: float) -> tuple[FloatArray, FloatArray]:
    """Tango's 1998 score test for the difference of paired proportions, and its p.

    z = (b − c − nε) / √(n (2q + ε (1 − ε))), q the constrained maximum-likelihood estimate of P(d = −1) where
    P(d = 1) = q + ε. With ε = 0 and no difference at all nothing can be said: p is 1.
    """
    from scipy.special import ndtr

    leading = 2 * items
    linear = -lost - won + (2 * items - lost + won) * epsilon
    constant = -won * epsilon * (1 - epsilon)
    root = np.sqrt(np.maximum(linear**2 - 4 * leading * constant, 0.0))
    rare = divide(root - linear, 2 * leading)
    variance = items * (2 * rare + epsilon * (1 - epsilon))
    z = divide(lost - won - items * epsilon, np.where(variance > 0, np.sqrt(np.maximum(variance, 0.0)), 0.0))
    return z, np.where(np.isnan(z), np.where(items > 0, 1.0, np.nan), ndtr(z))


def wilcoxon_test(
    items: FloatArray, lost: FloatArray, won: FloatArray, epsilon: float
) -> tuple[FloatArray, FloatArray]:
    """Wilcoxon's signed-rank test of d − ε by its normal approximation with ties, zeros dropped; and its p.

    Published for fewer than 30 items. The differences take three values only, and are not symmetric around ε: at the
    null boundary it rejects 7 to 94 % of the time where 5 % is meant.
    """
    from scipy.special import ndtr

    tied = items - lost - won
    values = [(1 - epsilon, lost), (-epsilon, tied), (-1 - epsilon, won)]
    ranked = sorted((abs(round(value, 12)), value, number) for value, number in values if abs(value) > 1e-12)
    before = np.zeros_like(items)
    positive, ties = np.zeros_like(items), np.zeros_like(items)
    for size in dict.fromkeys(magnitude for magnitude, _, _ in ranked):
        group = [(value, number) for magnitude, value, number in ranked if magnitude == size]
        together = np.sum([number for _, number in group], axis=0)
        rank = before + (together + 1) / 2
        positive = positive + rank * np.sum([number for value, number in group if value > 0] or [0 * items], axis=0)
        ties = ties + together**3 - together
        before = before + together
    mean = before * (before + 1) / 4
    variance = before * (before + 1) * (2 * before + 1) / 24 - ties / 48
    z = divide(positive - mean, np.sqrt(np.maximum(variance, 0.0)))
    return z, np.where(np.isnan(z), np.where(items > 0, 1.0, np.nan), ndtr(z))
