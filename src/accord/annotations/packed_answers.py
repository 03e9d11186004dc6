"""Answers of several labels as one integer each: millions of sets or rankings without a loop over them.

A set is the sum of one bit per label, a ranking a number with one digit per rank. Sums of n distinct bits have n bits,
so a label that stands twice in an answer, or ranks with a gap, show in the sum. Whatever does not fit, or is not as it
should be, gives None: the caller then goes through the answers one by one and says what is wrong where.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from accord.annotations.arrays import IntArray
from accord.annotations.factorize import Coded, code
from accord.errors import AccordError

MOST_BITS = 62  # of a signed 64-bit integer
FEW_BITS = 40  # of which thousands of repeats still add up exactly in a float
HALF = 31  # bits of which a sum of many is exact in a float
DENSE = 4_000_000  # up to here integers are counted in a table, beyond they are sorted


@dataclass(frozen=True, eq=False)
class Packed:
    """The distinct answers in canonical order, and which of them each group of rows makes."""

    members: tuple[tuple[int, ...], ...]
    codes: IntArray


def grouped(key: IntArray) -> tuple[IntArray, IntArray]:
    """The group of each row, groups in the order of their keys; and the first row of each group."""
    top = int(key.max(initial=-1)) + 1
    if top > DENSE + 4 * len(key):
        _, first, place = np.unique(key, return_index=True, return_inverse=True)
        return place, first
    seen = np.bincount(key, minlength=top) > 0
    place = (np.cumsum(seen) - 1)[key]
    first = np.empty(int(seen.sum()), dtype=np.int64)
    first[place[::-1]] = np.arange(len(key) - 1, -1, -1)  # the last to be written is the first row
    return place, first


def packed_sets(place: IntArray, groups: int, label: IntArray, size: int) -> Packed | None:
    """Sets of labels from rows of one label each (−1 for none); `place` is the group of each row."""
    if size > MOST_BITS:
        return None
    given = label >= 0
    if not given.all():
        place, label = place[given], label[given]
    mask = _bit_sums(place, label, groups, size)
    if (np.bitwise_count(mask) != np.bincount(place, minlength=groups)).any():
        return None  # a label stands twice
    return _distinct(mask, _bits)


def packed_rankings(place: IntArray, groups: int, label: IntArray, rank: IntArray, size: int) -> Packed | None:
    """Rankings from rows of one label and its rank from 1."""
    deepest, base = int(rank.max(initial=1)), size + 1
    if size > MOST_BITS or deepest > MOST_BITS or base**deepest >= 2**MOST_BITS:
        return None
    held = np.bincount(place, minlength=groups)
    labels = _bit_sums(place, label, groups, size)
    ranks = _bit_sums(place, rank - 1, groups, deepest)
    if (np.bitwise_count(labels) != held).any() or (ranks != np.left_shift(np.int64(1), held) - 1).any():
        return None  # a label stands twice, or ranks do not run 1, 2, …
    digits = (label.astype(np.int64) + 1) * np.int64(base) ** (rank - 1)

    def decoded(number: int) -> tuple[int, ...]:
        found = []
        while number:
            number, digit = divmod(number, base)
            found.append(digit - 1)
        return tuple(found)

    return _distinct(_sums(place, digits, groups), decoded)


def flattened(cells: Sequence[Any], *, ranked: bool) -> tuple[IntArray, Coded] | None:
    """Cells that hold lists as rows of one label each: the cell of each row, and the labels; None if a cell is odd."""
    plain = {list, tuple} if ranked else {list, tuple, set, frozenset}
    if not set(map(type, cells)) <= plain:
        return None
    sizes = np.fromiter(map(len, cells), dtype=np.int64, count=len(cells))
    if ranked and (sizes == 0).any():
        return None
    try:
        labels = code(list(chain.from_iterable(cells)))
    except AccordError:
        return None
    if labels.n_missing:
        return None
    return np.repeat(np.arange(len(cells)), sizes), labels


def _bit_sums(place: IntArray, bit: IntArray, groups: int, size: int) -> IntArray:
    """The sum of one bit per row; from a table of powers where floats hold the sums with room for repeats."""
    if size <= FEW_BITS:
        return np.bincount(place, weights=(2.0 ** np.arange(size))[bit], minlength=groups).astype(np.int64)
    return _sums(place, np.left_shift(np.int64(1), bit.astype(np.int64)), groups)


def _sums(place: IntArray, values: IntArray, groups: int) -> IntArray:
    """Exact integer sums by place: `np.bincount` adds floats, so in two halves where the values are wide."""
    if int(values.max(initial=0)) < 2 ** (52 - HALF):
        return np.bincount(place, weights=values, minlength=groups).astype(np.int64)
    low = np.bincount(place, weights=values & ((1 << HALF) - 1), minlength=groups).astype(np.int64)
    high = np.bincount(place, weights=values >> HALF, minlength=groups).astype(np.int64)
    return low + (high << HALF)


def _distinct(numbers: IntArray, decoded: Callable[[int], tuple[int, ...]]) -> Packed:
    """Each number as a position among the distinct answers, shorter ones first, then by their labels."""
    if int(numbers.max(initial=0)) < DENSE:
        seen = np.bincount(numbers, minlength=1) > 0
        values, inverse = np.nonzero(seen)[0], (np.cumsum(seen) - 1)[numbers]
    else:
        values, inverse = np.unique(numbers, return_inverse=True)
    members = [decoded(number) for number in values.tolist()]
    order = sorted(range(len(members)), key=lambda at: (len(members[at]), members[at]))
    place = np.empty(len(members), dtype=np.int64)
    place[order] = np.arange(len(members))
    return Packed(tuple(members[at] for at in order), place[inverse])


def _bits(number: int) -> tuple[int, ...]:
    """The positions of the bits of a number, lowest first."""
    found = []
    while number:
        lowest = number & -number
        found.append(lowest.bit_length() - 1)
        number ^= lowest
    return tuple(found)
