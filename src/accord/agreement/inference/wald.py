"""From a value and its standard error to an interval and a p-value."""

from __future__ import annotations

import math

import numpy as np

from accord.agreement.result import Interval
from accord.annotations.arrays import FloatArray

SINGLE = "A single item (or cluster) does not show how much items differ."
NO_ERROR = 1e-12  # a standard error below this is none


def quantile(confidence: float, df: float = math.inf) -> float:
    """How many standard errors an interval reaches to either side: Student's t, normal without a limit of freedom.

    >>> round(quantile(0.95), 3), round(quantile(0.95, df=9), 3)
    (1.96, 2.262)
    """
    from scipy.special import ndtri, stdtrit

    share = (1 + confidence) / 2
    return float(ndtri(share) if math.isinf(df) else stdtrit(df, share))


def interval_around(
    value: float,
    error: float,
    df: float = math.inf,
    confidence: float = 0.95,
    method: str = "analytic",
    *,
    ends: tuple[float, float] = (-math.inf, math.inf),
    clusters: int | None = None,
) -> Interval:
    """Value ± quantile · standard error, cut where the value cannot lie; undefined without an error or freedom."""
    if df < 1 or not math.isfinite(error):
        return no_interval(SINGLE, confidence, method)
    reach = quantile(confidence, df) * error
    return Interval(
        max(ends[0], value - reach), min(ends[1], value + reach), error, confidence, method, clusters=clusters
    )


def no_interval(why: str, confidence: float = 0.95, method: str = "analytic") -> Interval:
    """An interval that does not exist, and why."""
    return Interval(math.nan, math.nan, math.nan, confidence, method, undefined=why)


def p_value(value: float, error: float, df: float = math.inf) -> float:
    """Two-sided, of a true value of zero; NaN where there is no error to tell by.

    >>> round(p_value(1.96, 1.0), 3), round(p_value(2.262, 1.0, df=9), 3)
    (0.05, 0.05)
    """
    from scipy.special import ndtr, stdtr

    if not (error > NO_ERROR and math.isfinite(value) and df >= 1):
        return math.nan
    statistic = -abs(value) / error
    return float(2 * (ndtr(statistic) if math.isinf(df) else stdtr(df, statistic)))


def mean_interval(values: FloatArray, confidence: float) -> Interval:
    """The mean of the values that there are ± t · its standard error."""
    there = values[np.isfinite(values)]
    if len(there) < 2:
        return no_interval(SINGLE, confidence, "t")
    error = float(there.std(ddof=1)) / math.sqrt(len(there))
    return interval_around(float(there.mean()), error, len(there) - 1, confidence, "t")
