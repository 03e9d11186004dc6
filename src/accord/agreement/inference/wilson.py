"""Wilson's interval of a share."""

from __future__ import annotations

import numpy as np

from accord.agreement.inference.wald import quantile
from accord.agreement.result import Interval


def wilson(right: float, total: float, confidence: float) -> Interval:
    """Around a share of `right` in `total`; undefined of nothing."""
    if not total > 0:
        return Interval(np.nan, np.nan, np.nan, confidence, "wilson", undefined="No items to compare.")
    z, share = quantile(confidence), right / total
    centre = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * np.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    se = float(np.sqrt(share * (1 - share) / total))
    return Interval(max(0.0, float(centre - half)), min(1.0, float(centre + half)), se, confidence, "wilson")
