"""Have several values one true value? Tests for all at once, whose errors are estimated from few items."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from accord.agreement.inference.wald import SINGLE
from accord.annotations.arrays import FloatArray
from accord.options import Shown

RANK = 1e-14  # of a covariance: what is below this is rounding


@dataclass(frozen=True, repr=False)
class JointTest(Shown):
    """F on two degrees of freedom, and its p-value."""

    statistic: float
    numerator: int
    denominator: float
    p: float
    undefined: str | None = None

    def __str__(self) -> str:
        return f"F {self.statistic:z.2f} on {self.numerator} and {self.denominator:.1f}, p = {self.p:.3g}"


def welch(values: FloatArray, variances: FloatArray, freedoms: FloatArray) -> JointTest:
    """Of independent values: Welch's F (1951), the form of James's corrected chi-squared that has an F distribution.

    >>> print(welch(np.array([0.5, 0.6, 0.9]), np.array([0.01, 0.01, 0.02]), np.array([9.0, 9.0, 9.0])))
    F 2.60 on 2 and 17.6, p = 0.102
    """
    weights = 1 / variances
    total, number = float(weights.sum()), len(values)
    middle = float(weights @ values) / total
    uncertain = float(((1 - weights / total) ** 2 / freedoms).sum())
    between = float(weights @ (values - middle) ** 2) / (number - 1)
    statistic = between / (1 + 2 * (number - 2) / (number**2 - 1) * uncertain)
    return _told(statistic, number - 1, (number**2 - 1) / (3 * uncertain))


def hotelling(values: FloatArray, covariance: FloatArray, freedom: float) -> JointTest:
    """Of values that share units: Hotelling's T² of their contrasts with the first; `freedom` as of one contrast.

    >>> print(hotelling(np.array([0.5, 0.6, 0.9]), np.diag([0.01, 0.01, 0.02]), 20.0))
    F 2.57 on 2 and 19.0, p = 0.103
    """
    if not np.isfinite(covariance).all():
        return _nothing(SINGLE)
    contrast = np.concatenate((-np.ones((len(values) - 1, 1)), np.eye(len(values) - 1)), axis=1)
    spread = contrast @ covariance @ contrast.T
    number = int(np.linalg.matrix_rank(spread, tol=RANK))
    if not number:
        return _nothing("Every item moves them alike.")
    left = freedom - number + 1
    if left < 1:
        return _nothing("There are too few items for so many.")
    differences = contrast @ values
    square = float(differences @ np.linalg.pinv(spread, hermitian=True) @ differences)
    return _told(square * left / (freedom * number), number, left)


def _told(statistic: float, numerator: int, denominator: float) -> JointTest:
    from scipy.special import fdtrc

    return JointTest(statistic, numerator, denominator, float(fdtrc(numerator, denominator, statistic)))


def _nothing(why: str) -> JointTest:
    return JointTest(math.nan, 0, math.nan, math.nan, why)
