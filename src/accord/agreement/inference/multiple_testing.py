"""Corrections for many questions asked at once. A p-value that is NaN is no question: it is not counted."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from accord.annotations.arrays import BoolArray, FloatArray, divide


def holm(p: npt.ArrayLike, family: int | None = None) -> FloatArray:
    """Holm's step-down correction; `family` is how many questions were asked, where only the smallest p are given.

    >>> holm([0.01, 0.04]).tolist(), holm([0.01, 0.04], family=4).tolist()
    ([0.02, 0.04], [0.04, 0.12])
    """
    values = np.asarray(p, dtype=np.float64)
    defined = np.nonzero(np.isfinite(values))[0]
    order = defined[np.argsort(values[defined], kind="stable")]
    family_size = len(order) if family is None else max(family, len(order))
    steps = np.maximum.accumulate(values[order] * (family_size - np.arange(len(order))))
    corrected = np.full(len(values), np.nan)
    corrected[order] = np.minimum(steps, 1.0)
    return corrected


def benjamini_yekutieli(p: FloatArray, q: float = 0.05) -> BoolArray:
    """Which hypotheses are rejected, along the last axis: up to the largest k with p_(k) ≤ k/m · q / Σ 1/r.

    A p that is NaN is not a hypothesis: it is not rejected, and not counted in m.

    >>> benjamini_yekutieli(np.array([0.001, 0.02, 0.03])).tolist()
    [True, False, False]
    """
    defined = np.isfinite(p)
    number = defined.sum(-1, keepdims=True)
    order = np.argsort(np.where(defined, p, np.inf), axis=-1, kind="stable")
    ranked = np.take_along_axis(np.where(defined, p, np.inf), order, axis=-1)
    place = np.arange(1, p.shape[-1] + 1)
    harmonic = np.concatenate(([0.0], np.cumsum(1 / place)))[number]
    passed = ranked <= divide(place * q, number * harmonic)
    last = np.where(passed, place, 0).max(-1, keepdims=True, initial=0)
    rejected = np.empty_like(defined)
    np.put_along_axis(rejected, order, place <= last, axis=-1)
    return rejected
