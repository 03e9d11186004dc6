"""The kinds of arrays that accord computes with, and a few operations that everybody needs."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
DENSE = 16  # bytes a row that marking may take
MANY = 100_000  # pairs from which on it pays to load SciPy's sparse matrices


def add_up(place: IntArray, values: npt.ArrayLike, size: int) -> FloatArray:
    """The sum of the values that go to each place."""
    return np.asarray(np.bincount(place, weights=values, minlength=size), dtype=np.float64)


def used(codes: IntArray, size: int) -> IntArray:
    """The codes in use, in order; by counting, which is much faster than sorting or hashing."""
    return np.nonzero(np.bincount(codes, minlength=size))[0]


def has_twice(codes: IntArray, size: int) -> bool:
    """Does a code below `size` stand twice? By marking where that takes little memory, else by sorting."""
    if size <= DENSE * len(codes):
        seen = np.zeros(size, dtype=np.bool_)
        seen[codes] = True
        return int(np.count_nonzero(seen)) < len(codes)
    ordered = np.sort(codes)  # several times quicker than the order of the rows, which few tables need
    return bool((ordered[1:] == ordered[:-1]).any())


def pairs_repeat(first: IntArray, second: IntArray, shape: tuple[int, int]) -> bool:
    """Does a pair of codes stand twice? Many pairs are put in order by the first, which is quicker than by both."""
    size = shape[0] * shape[1]
    if len(first) < MANY or size <= DENSE * len(first) or max(shape) >= 2**31:
        return has_twice(first.astype(np.int64) * shape[1] + second, size)
    from scipy.sparse import coo_array

    places = (first.astype(np.int32, copy=False), second.astype(np.int32, copy=False))
    rows = coo_array((np.ones(len(first), dtype=np.bool_), places), shape=shape).tocsr()
    rows.sum_duplicates()  # equal pairs are joined
    return int(rows.nnz) < len(first)


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
