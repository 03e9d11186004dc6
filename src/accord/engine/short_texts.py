"""Texts of at most eight plain letters as the numbers that their bytes are: ids of items and annotators mostly are.

Numbers are told apart several times as quickly as texts, and they are in the order of the texts that they stand for.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from accord.annotations.arrays import BLOCK, BoolArray, IntArray, seen
from accord.annotations.factorize import Coded, in_small_integers

LETTERS = 8  # of a text that fits a number of 64 bits
KEPT = np.array([(2 ** (8 * size) - 1) << (8 * (LETTERS - size)) for size in range(LETTERS + 1)], dtype=np.uint64)
PAIRS = 1 << 16  # what two letters can be
SPREAD = 4  # a table of codes may have so many places for each cell


def coded_short_texts(column: Any) -> Coded | None:
    """A pandas column of short texts as codes in canonical order; None where one is missing, long, or not plain.

    Plain are letters of ASCII that can be seen: such a text is no blank, and its own normal form.
    """
    arrow = column.array
    numbers = _numbers(arrow.__arrow_array__()) if hasattr(arrow, "__arrow_array__") else None
    if numbers is None:
        return None
    codes, found = _by_table(numbers) or _by_hash(numbers)
    texts = found.astype(">u8").view(f"S{LETTERS}").astype(f"U{LETTERS}").tolist()
    return Coded(in_small_integers(codes, len(texts)), tuple(texts))


def _by_table(numbers: npt.NDArray[np.uint64]) -> tuple[IntArray, npt.NDArray[np.uint64]] | None:
    """Codes, and the numbers that they stand for in order, two letters at a time; None where a table is too large.

    Ids are mostly counted, so that few pairs of letters stand at each place: those there are make the digits.
    """
    digits = [np.flatnonzero(_pairs_at(place, numbers)) for place in range(4)]
    size = math.prod(map(len, digits))
    if size > SPREAD * len(numbers):
        return None
    tables, weight = [], size
    for found in digits:
        weight //= len(found)
        tables.append(np.zeros(PAIRS, dtype=np.int64))
        tables[-1][found] = np.arange(len(found)) * weight
    code = np.zeros(len(numbers), dtype=np.int64)
    for begin in range(0, len(numbers), BLOCK):
        for place in (place for place in range(4) if len(digits[place]) > 1):
            code[begin : begin + BLOCK] += tables[place][_pair(numbers[begin : begin + BLOCK], place)]
    there = np.flatnonzero(seen(code, size))
    rank = np.zeros(size, dtype=np.int64)
    rank[there] = np.arange(len(there))
    left, letters = there, np.zeros(len(there), dtype=np.uint64)
    for place, found in reversed(list(enumerate(digits))):
        left, digit = np.divmod(left, len(found))
        letters |= found[digit].astype(np.uint64) << np.uint64(16 * (3 - place))
    return rank[code], letters


def _pairs_at(place: int, numbers: npt.NDArray[np.uint64]) -> BoolArray:
    """(PAIRS,) which pairs of letters stand at a place?"""
    marked = np.zeros(PAIRS, dtype=np.bool_)
    for begin in range(0, len(numbers), BLOCK):
        marked[_pair(numbers[begin : begin + BLOCK], place)] = True
    return marked


def _pair(numbers: npt.NDArray[np.uint64], place: int) -> npt.NDArray[np.uint16]:
    """The pair of letters at a place, from the first."""
    return (numbers >> np.uint64(16 * (3 - place))).astype(np.uint16)


def _by_hash(numbers: npt.NDArray[np.uint64]) -> tuple[IntArray, npt.NDArray[np.uint64]]:
    """The same for numbers of any range."""
    import pandas as pd

    place, found = pd.factorize(numbers)
    order = np.argsort(found)
    rank: IntArray = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank[place], found[order]


def _numbers(cells: Any) -> npt.NDArray[np.uint64] | None:
    """(cells,) the bytes of each text as a number, the first letter first; None where not all are short and plain."""
    import pyarrow as pa

    if isinstance(cells, pa.ChunkedArray):
        cells = cells.combine_chunks() if cells.num_chunks != 1 else cells.chunk(0)
    if not pa.types.is_large_string(cells.type) or cells.null_count or not len(cells):
        return None
    _, offsets, data = cells.buffers()
    bounds = np.frombuffer(offsets, dtype=np.int64)[cells.offset : cells.offset + len(cells) + 1]
    low, high = int(bounds[0]), int(bounds[-1])
    letters = np.zeros(high - low + LETTERS, dtype=np.uint8)  # the last text is read beyond its end too
    letters[: high - low] = np.frombuffer(data, dtype=np.uint8)[low:high]
    if letters[: high - low].min(initial=127) <= ord(" ") or letters.max() >= 127:
        return None
    at_each = np.lib.stride_tricks.as_strided(letters[:LETTERS].view(">u8"), (high - low + 1,), (1,), writeable=False)
    numbers = np.empty(len(cells), dtype=np.uint64)
    for begin in range(0, len(cells), BLOCK):  # some at a time: what is made of them stays in the processor's cache
        some = bounds[begin : begin + BLOCK + 1]
        sizes = np.diff(some)
        if sizes.min() < 1 or sizes.max() > LETTERS:
            return None
        numbers[begin : begin + BLOCK] = at_each[some[:-1] - low]
        numbers[begin : begin + BLOCK] &= KEPT[sizes]
    return numbers
