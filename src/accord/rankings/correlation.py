"""How alike two orders are: Kendall's tau-b and Spearman's correlation, of many pairs of lists at once.

Both are of the options that the two lists have in common, put in order among themselves; NaN where fewer than two are,
or where one of the two lists ties all of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from accord.annotations.arrays import FloatArray, divide
from accord.rankings.midranks import places

SIGNS_AT_ONCE = 4_000_000  # pairs of options that are compared in one go


def spearman(first: FloatArray, second: FloatArray) -> FloatArray:
    """(M,) Pearson's correlation of mid-ranks; ranks are (M, options), NaN for an option that is not ranked.

    >>> spearman(np.array([[1.0, 2, 3, 4]]), np.array([[2.0, 1, 4, 3]])).tolist()
    [0.6]
    """
    both = ~(np.isnan(first) | np.isnan(second))
    one, other = (places(ranks, both).mid for ranks in (first, second))
    middle = (both.sum(1, keepdims=True) + 1) / 2  # the mean of mid-ranks, whatever the ties
    one, other = (np.where(both, ranks - middle, 0.0) for ranks in (one, other))
    return divide((one * other).sum(1), np.sqrt((one**2).sum(1) * (other**2).sum(1)))


def tau_b(first: FloatArray, second: FloatArray) -> FloatArray:
    """(M,) concordant less discordant pairs of options, over the pairs that each list does not tie.

    >>> tau_b(np.array([[1.0, 2, 3, 4]]), np.array([[2.0, 1, 4, 3]])).round(6).tolist()
    [0.333333]
    """
    found = np.empty(len(first))
    step = max(1, SIGNS_AT_ONCE // max(first.shape[1] ** 2, 1))
    for begin in range(0, len(first), step):
        one, other = first[begin : begin + step], second[begin : begin + step]
        missing = np.isnan(one) | np.isnan(other)
        signs = [_signs(np.where(missing, np.nan, ranks)) for ranks in (one, other)]
        untied = [np.abs(sign).sum((1, 2), dtype=np.float64) for sign in signs]
        agree = (signs[0] * signs[1]).sum((1, 2), dtype=np.float64)
        found[begin : begin + step] = divide(agree, np.sqrt(untied[0] * untied[1]))
    return found


def _signs(ranks: FloatArray) -> NDArray[np.int8]:
    """(M, options, options) which of two options comes first; 0 where they are tied, or one is not ranked."""
    one, other = ranks[:, :, None], ranks[:, None, :]
    return np.asarray((one > other).astype(np.int8) - (one < other).astype(np.int8))
