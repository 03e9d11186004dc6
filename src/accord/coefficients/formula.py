"""The one formula: value = 1 − (1 − observed) / (1 − expected)."""

from __future__ import annotations

import numpy as np

from accord.annotations.arrays import NOTHING_LEFT, FloatArray, IntArray, divide, sum_of_products


def chance_corrected(observed: FloatArray, expected: FloatArray) -> FloatArray:
    """1 − (1 − observed) / (1 − expected), NaN where chance leaves nothing to be better than."""
    left = 1 - expected
    return 1 - divide(1 - observed, np.where(left > NOTHING_LEFT, left, 0.0))


def centred(scores: FloatArray, items: FloatArray | IntArray) -> FloatArray:
    """Scores less their mean over items."""
    return scores - sum_of_products(items, scores) / float(items.sum())
