"""The kinds of arrays that accord computes with, and four operations that everybody needs."""

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


def used(codes: IntArray, size: int) -> IntArray:
    """The codes in use, in order; by counting, which is much faster than sorting or hashing."""
    return np.nonzero(np.bincount(codes, minlength=size))[0]


def divide(above: npt.ArrayLike, below: npt.ArrayLike) -> FloatArray:
    """A quotient that is NaN where it does not exist."""
    numerator, denominator = np.broadcast_arrays(np.asarray(above, np.float64), np.asarray(below, np.float64))
    quotient: FloatArray = np.divide(
        numerator, denominator, out=np.full(numerator.shape, np.nan), where=denominator != 0
    )
    return quotient


def ordinary(values: FloatArray) -> FloatArray:
    """The values in proportion, where their powers would overflow or vanish: for what does not depend on the unit."""
    largest = float(np.abs(values).max(initial=0.0))
    return values if largest == 0 or 1e-40 < largest < 1e40 else values / largest


def dot(left: FloatArray, right: FloatArray) -> FloatArray:
    """The sum of products along the last axis."""
    products: FloatArray = (left * right).sum(-1)
    return products
