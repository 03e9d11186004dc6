"""Have several values one true value? Tests for all at once, whose errors are estimated from few items.

Where a few items weigh far more than the others, as with squared differences of scores, F has next to no degrees of
freedom left once every contrast has taken one, and shows nothing that a single difference would show. So the surest
difference, corrected for the number of pairs, is asked too, and what is surer is told (`benchmarks/test_sizes.py`
counts how often that finds what is not there).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from accord.agreement.inference.informative_items import FEW_HEAVY, LEAST
from accord.agreement.inference.wald import SINGLE
from accord.annotations.arrays import FloatArray, divide, ordinary, unit_of
from accord.coefficients.standard_errors import NO_ERROR, p_values
from accord.options import Shown

RANK = 1e-14  # of a covariance: what is below this is rounding
SAME = 1e-9  # two p-values that differ by less of their size are one: of two values both tests are
CANCELLED = 1e-9  # of fourth powers: a difference of sums below this is rounding


@dataclass(frozen=True, repr=False)
class JointTest(Shown):
    """F on two degrees of freedom, or the surest difference of two, and its p-value."""

    statistic: float
    numerator: int
    denominator: float
    p: float
    undefined: str | None = None
    pairs: int | None = None  # of which the surest difference was taken, where that is the test

    def __str__(self) -> str:
        if self.pairs is None:
            return f"F {self.statistic:z.2f} on {self.numerator} and {self.denominator:.1f}, p = {self.p:.3g}"
        size = f"{self.statistic:.2f} errors on {self.denominator:.1f} degrees of freedom"
        return f"the surest difference is {size}, p = {self.p:.3g} corrected for {self.pairs:,} pairs"


@dataclass(frozen=True, eq=False)
class Together:
    """What the scores of several values add up to, unit by unit: of their products, and of higher ones.

    Scores are counted in `scale`: fourth powers of huge ones are no numbers.
    """

    covariance: FloatArray  # (G, G) Σ a b
    squares: FloatArray  # (G, G) Σ a² b²
    cubes: FloatArray  # (G, G) Σ a³ b, a of the row
    scale: float

    @classmethod
    def of(cls, scores: FloatArray) -> Together:
        """Of (G, units) scores, zero where a unit is no part of a value."""
        scale = unit_of(scores)
        scores = scores / scale
        squares = scores**2
        return cls(scores @ scores.T, squares @ squares.T, (squares * scores) @ scores.T, scale)

    def df(self, alone: FloatArray) -> FloatArray:
        """(G, G) of every difference: as `degrees_of_freedom` of its scores; of values that share nothing, from the
        df of either (Welch and Satterthwaite).
        """
        variance, fourth = np.diag(self.covariance), np.diag(self.squares)
        second = variance[:, None] + variance[None, :] - 2 * self.covariance
        most = fourth[:, None] + fourth[None, :]
        power = most + 6 * self.squares - 4 * (self.cubes + self.cubes.T)
        reliable = power > CANCELLED * most  # else the two move nearly as one, and what is left is rounding
        together = np.where(reliable, np.maximum(divide(second**2, power) - 1, LEAST), LEAST)
        return np.where(self.squares > 0, together, df_apart(variance, alone))


def welch(values: FloatArray, variances: FloatArray, df: FloatArray) -> JointTest:
    """Of independent values: Welch's F (1951), the form of James's corrected chi-squared that has an F distribution.

    >>> print(welch(np.array([0.5, 0.6, 0.9]), np.array([0.01, 0.01, 0.02]), np.array([9.0, 9.0, 9.0])))
    F 2.60 on 2 and 17.6, p = 0.102
    """
    weights = 1 / variances
    total, number = float(weights.sum()), len(values)
    middle = float(weights @ values) / total
    uncertain = float(((1 - weights / total) ** 2 / df).sum())
    between = float(weights @ (values - middle) ** 2) / (number - 1)
    statistic = between / (1 + 2 * (number - 2) / (number**2 - 1) * uncertain)
    return _f_test(statistic, number - 1, (number**2 - 1) / (3 * uncertain))


def hotelling(values: FloatArray, covariance: FloatArray, df: float) -> JointTest:
    """Of values that share units: Hotelling's T² of their contrasts with the first; `df` as of one contrast.

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
    differences = contrast @ values
    return of_t_squared(float(differences @ np.linalg.pinv(spread, hermitian=True) @ differences), number, df)


def of_t_squared(square: float, number: int, df: float) -> JointTest:
    """The test that Hotelling's T² of so many differences makes; `df` as of one of them.

    >>> print(of_t_squared(5.4, 2, 20.0))
    F 2.57 on 2 and 19.0, p = 0.103
    """
    left = df - number + 1
    if left < 1:
        return _nothing("There are too few items for so many.")
    return _f_test(square * left / (df * number), number, left)


def with_surest(joint: JointTest, values: FloatArray, covariance: FloatArray, df: FloatArray) -> JointTest:
    """The joint test, or the surest difference of two where that is surer; `df` (G, G) as of each difference.

    >>> none = hotelling(np.array([0.5, 0.6, 0.9]), np.diag([0.01, 0.01, 0.02]), 2.0)
    >>> print(with_surest(none, np.array([0.5, 0.6, 0.9]), np.diag([0.01, 0.01, 0.02]), np.full((3, 3), 9.0)))
    the surest difference is 2.31 errors on 9.0 degrees of freedom, p = 0.139 corrected for 3 pairs
    """
    one, other = np.triu_indices(len(values), 1)
    variance = np.diag(covariance)
    error = np.sqrt(np.maximum(variance[one] + variance[other] - 2 * covariance[one, other], 0.0))
    pairs = int((error > NO_ERROR).sum())
    reliable = (error > NO_ERROR) & (df[one, other] >= FEW_HEAVY - 1)  # the error of fewer may be far too small
    if not reliable.any():
        return joint
    apart, own = np.abs(values[one] - values[other])[reliable], df[one, other][reliable]
    statistic, p = apart / error[reliable], p_values(apart, error[reliable], own)
    place = int(np.argmin(p))
    corrected = min(float(p[place]) * pairs, 1.0)
    if joint.p <= corrected * (1 + SAME):
        return joint
    if pairs == 1:  # the square of t is an F
        return JointTest(float(statistic[place]) ** 2, 1, float(own[place]), corrected)
    return JointTest(float(statistic[place]), 1, float(own[place]), corrected, pairs=pairs)


def df_apart(variances: FloatArray, df: FloatArray) -> FloatArray:
    """(G, G) of the differences of independent values (Welch and Satterthwaite)."""
    parts = ordinary(variances)
    total = (parts[:, None] + parts[None, :]) ** 2
    own = parts**2 / df
    return divide(total, own[:, None] + own[None, :])


def _f_test(statistic: float, numerator: int, denominator: float) -> JointTest:
    from scipy.special import fdtrc

    return JointTest(statistic, numerator, denominator, float(fdtrc(numerator, denominator, statistic)))


def _nothing(why: str) -> JointTest:
    return JointTest(math.nan, 0, math.nan, math.nan, why)
