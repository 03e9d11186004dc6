"""Shares: Wilson's interval of one, and the sign test of two outcomes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from accord.agreement.inference.wald import no_interval
from accord.agreement.uncertainty import Interval
from accord.annotations.arrays import FloatArray
from accord.coefficients.standard_errors import quantile


def wilson(right: float, total: float, confidence: float) -> Interval:
    """Around a share of `right` in `total`; undefined of nothing."""
    if not total > 0:
        return no_interval("No items to compare.", confidence, "wilson")
    z, share = quantile(confidence), right / total
    centre = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * np.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    se = float(np.sqrt(share * (1 - share) / total))
    return Interval(max(0.0, float(centre - half)), min(1.0, float(centre + half)), se, confidence, "wilson")


def sign_test(one: npt.ArrayLike, other: npt.ArrayLike) -> FloatArray:
    """Exact and two-sided: that a coin falls so unevenly; 1 if never thrown. McNemar's exact test is this one.

    >>> sign_test([9, 0], [1, 0]).round(4).tolist()
    [0.0215, 1.0]
    """
    from scipy.special import bdtr

    first, second = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    total = (first + second).astype(np.int64)
    return np.asarray(np.minimum(1.0, 2 * bdtr(np.minimum(first, second), total, 0.5)), dtype=np.float64)
