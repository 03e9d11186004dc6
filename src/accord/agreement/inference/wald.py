"""From a value and its standard error to an interval and a p-value."""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from accord.agreement.inference.student_t import two_sided_quantile, two_sided_quantiles
from accord.agreement.uncertainty import Interval
from accord.annotations.arrays import FloatArray

SINGLE = "A single item (or cluster) does not show how much items differ."
TOO_FEW = "There are too few items to tell how much they differ."
NO_ERROR = 1e-12  # a standard error below this is none
NORMAL = math.inf  # degrees of freedom without a limit: the normal distribution instead of Student's t

Ends: TypeAlias = tuple[float, float]
ANYWHERE: Ends = (-math.inf, math.inf)
SHARE: Ends = (0.0, 1.0)  # where a share lies


def quantile(confidence: float, df: float = NORMAL) -> float:
    """How many standard errors an interval reaches to either side: Student's t with `df`, else the normal's.

    >>> round(quantile(0.95), 3), round(quantile(0.95, df=9), 3)
    (1.96, 2.262)
    """
    return two_sided_quantile(confidence, df)


def limits(
    values: npt.ArrayLike, errors: npt.ArrayLike, *, df: npt.ArrayLike, confidence: float = 0.95, ends: Ends = ANYWHERE
) -> tuple[FloatArray, FloatArray]:
    """Many values ± quantile · standard error, cut where a value cannot lie; NaN where there is no error.

    `df` are the degrees of freedom of Student's t, one or many; NORMAL is a normal interval.
    """
    reach = two_sided_quantiles(confidence, df)
    value, half = np.asarray(values, np.float64), reach * np.asarray(errors, np.float64)
    return np.maximum(value - half, ends[0]), np.minimum(value + half, ends[1])


def interval_around(
    value: float,
    error: float,
    *,
    df: float,
    confidence: float = 0.95,
    method: str = "analytic",
    ends: Ends = ANYWHERE,
    clusters: int | None = None,
    resample: str = "items",
) -> Interval:
    """One value ± quantile · standard error, as `limits`; undefined without an error or degrees of freedom."""
    if df < 1 or not math.isfinite(error):
        why = SINGLE if df < 1 else TOO_FEW
        return Interval(math.nan, math.nan, math.nan, confidence, method, resample, undefined=why)
    half = two_sided_quantile(confidence, df) * error
    low, high = max(value - half, ends[0]), min(value + half, ends[1])
    return Interval(low, high, error, confidence, method, resample, clusters, df=df)


def no_interval(why: str, confidence: float = 0.95, method: str = "analytic") -> Interval:
    """An interval that does not exist, and why."""
    return Interval(math.nan, math.nan, math.nan, confidence, method, undefined=why)


def p_value(value: float, error: float, df: float = NORMAL, alternative: str = "two-sided") -> float:
    """Of a true value of zero, of one that is not above it ("greater") or not below it ("less"); NaN without an error.

    >>> round(p_value(1.96, 1.0), 3), round(p_value(2.262, 1.0, df=9), 3), round(p_value(1.645, 1.0, NORMAL, "less"), 3)
    (0.05, 0.05, 0.95)
    """
    from scipy.special import ndtr, stdtr

    if not (error > NO_ERROR and math.isfinite(value) and df >= 1):
        return math.nan
    sign, sides = {"greater": (-1, 1), "less": (1, 1)}.get(alternative, (-1 if value > 0 else 1, 2))
    statistic = sign * value / error
    return float(sides * (ndtr(statistic) if math.isinf(df) else stdtr(df, statistic)))


def mean_interval(values: FloatArray, confidence: float) -> Interval:
    """The mean of the values that there are ± t · its standard error."""
    present = values[np.isfinite(values)]
    if len(present) < 2:
        return no_interval(SINGLE, confidence, "t")
    error = float(present.std(ddof=1)) / math.sqrt(len(present))
    return interval_around(float(present.mean()), error, df=len(present) - 1, confidence=confidence, method="t")
