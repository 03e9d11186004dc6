"""The kinds of arrays that accord computes with, and three operations that everybody needs."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]


def add_up(place: IntArray, values: npt.ArrayLike, size: int) -> FloatArray:
    """The sum of the values that go to each place."""
    return np.asarray(np.bincount(place, weights=values, minlength=size), dtype=np.float64)


def divide(above: npt.ArrayLike, below: npt.ArrayLike) -> FloatArray:
    """A quotient that is NaN where it does not exist."""
    numerator, denominator = np.broadcast_arrays(np.asarray(above, np.float64), np.asarray(below, np.float64))
    quotient: FloatArray = np.divide(
        numerator, denominator, out=np.full(numerator.shape, np.nan), where=denominator != 0
    )
    return quotient


def dot(left: FloatArray, right: FloatArray) -> FloatArray:
    """The sum of products along the last axis."""
    products: FloatArray = (left * right).sum(-1)
    return products
