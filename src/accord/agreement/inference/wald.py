"""From a value and its standard error to an `Interval`, or to why there is none."""

from __future__ import annotations

import math

import numpy as np

from accord.agreement.uncertainty import Interval
from accord.annotations.arrays import FloatArray
from accord.coefficients.standard_errors import ANYWHERE, Ends
from accord.coefficients.student_t import two_sided_quantile

SINGLE = "A single item (or cluster) does not show how much items differ."
TOO_FEW = "There are too few items to tell how much they differ."


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
        return no_interval(SINGLE if df < 1 else TOO_FEW, confidence, method, resample)
    half = two_sided_quantile(confidence, df) * error
    low, high = max(value - half, ends[0]), min(value + half, ends[1])
    return Interval(low, high, error, confidence, method, resample, clusters, df=df)


def no_interval(why: str, confidence: float = 0.95, method: str = "analytic", resample: str = "items") -> Interval:
    """An interval that does not exist, and why."""
    return Interval(math.nan, math.nan, math.nan, confidence, method, resample, undefined=why)


def mean_interval(values: FloatArray, confidence: float) -> Interval:
    """The mean of the values that there are ± t · its standard error."""
    present = values[np.isfinite(values)]
    if len(present) < 2:
        return no_interval(SINGLE, confidence, "t")
    error = float(present.std(ddof=1)) / math.sqrt(len(present))
    return interval_around(float(present.mean()), error, df=len(present) - 1, confidence=confidence, method="t")
