"""The oracle of limits of a few counts: every count that is as unlikely, at one share."""

from __future__ import annotations

import numpy as np
from scipy import stats


def acceptability(counted: int, units: int, share: float, itself: float) -> float:
    """How likely what was counted is, or anything as unlikely on either side; of `itself` this part (Blaker 2000)."""
    counts = np.arange(units + 1)
    likely = stats.binom.pmf(counts, units, share)
    below = np.concatenate(([0.0], np.cumsum(likely)[:-1])) + itself * likely
    above = 1 - np.cumsum(likely) + itself * likely
    own, other = (above, below) if above[counted] <= below[counted] else (below, above)
    return float(own[counted] + max(other[other <= own[counted]], default=0.0))
