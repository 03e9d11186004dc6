"""Texts of at most eight plain letters as the numbers that their bytes are: ids of items and annotators mostly are.

Numbers are told apart several times as quickly as texts. They are made some at a time and not kept: new memory for all
of them takes longer than they do. Blocks run in threads.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from accord.annotations.arrays import BoolArray, IntArray
from accord.annotations.factorize import Coded, in_small_integers
from accord.annotations.in_threads import each_in_threads

LETTERS = 8  # of a text that fits a number of 64 bits
NUMBER = np.dtype("<u8")  # the first letter is the lowest byte, so that nothing is turned round
PAIR = np.dtype("<u2")  # two letters
PAIRS, PLACES = 1 << 16, LETTERS // 2  # what two letters can be, and where they can stand
DIGITS = slice(ord("0"), ord("9") + 1)
KEPT = np.array([2 ** (8 * size) - 1 for size in range(LETTERS + 1)], dtype=NUMBER)
SPREAD = 4  # a table of codes may have so many places for each cell
BLOCK = 1 << 14  # texts at a time: what is made of them stays in the cache, and in memory that is there
SERIES = 64 * BLOCK  # texts that a thread takes at once: fewer are told apart sooner than threads begin
SAMPLE = 8  # blocks that tell which letters are likely
END = ord("\n")  # no plain letter

Numbers = npt.NDArray[np.uint64]
Found = TypeVar("Found")


def coded_short_texts(column: Any) -> Coded | None:
    """A pandas column of short texts as codes in canonical order; None where one is missing, long, or not plain.

    Plain are letters of ASCII that can be seen: such a text is no blank, and its own normal form.
    """
    arrow = column.array
    texts = ShortTexts.of(arrow.__arrow_array__()) if hasattr(arrow, "__arrow_array__") else None
    marked = None if texts is None else _marked(texts, texts.sample())
    if texts is None or marked is None:
        return None
    coded = _by_table(texts, _counted_on(marked))
    if coded is None:  # some texts have other letters, or too many could be there
        marked = _marked(texts)
        if marked is None:
            return None
        coded = _by_table(texts, marked) or _by_hash(texts)
    codes, found = coded
    return Coded(in_small_integers(codes, len(found)), tuple(_written(found)))


@dataclass(frozen=True, eq=False)
class ShortTexts:
    """The texts of an Arrow column: where each begins and ends among all letters."""

    bounds: npt.NDArray[np.int64]
    letters: npt.NDArray[np.uint8]

    @classmethod
    def of(cls, cells: Any) -> ShortTexts | None:
        """Of an array without gaps; None of any other."""
        import pyarrow as pa

        if isinstance(cells, pa.ChunkedArray):
            cells = cells.combine_chunks() if cells.num_chunks != 1 else cells.chunk(0)
        if not pa.types.is_large_string(cells.type) or cells.null_count or not len(cells):
            return None
        _, offsets, data = cells.buffers()
        bounds = np.frombuffer(offsets, dtype=np.int64)[cells.offset : cells.offset + len(cells) + 1]
        return cls(bounds, np.frombuffer(data, dtype=np.uint8) if data is not None else np.empty(0, dtype=np.uint8))

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def begins(self) -> range:
        """Where blocks begin."""
        return range(0, len(self), BLOCK)

    def sample(self) -> Sequence[int]:
        """Where some blocks begin, from the first to the last."""
        begins = self.begins()
        return [begins[place] for place in sorted({*np.linspace(0, len(begins) - 1, SAMPLE).astype(int).tolist()})]

    def each(self, work: Callable[[Sequence[int]], Found], begins: Sequence[int] | None = None) -> Iterator[Found]:
        """What `work` makes of series of blocks, given where these begin; of many in threads."""
        blocks, step = self.begins() if begins is None else begins, SERIES // BLOCK
        series = [blocks[place : place + step] for place in range(0, len(blocks), step)]
        return map(work, series) if len(series) == 1 else each_in_threads(work, zip(series))

    def are_plain(self, begin: int) -> bool:
        """Are the texts of a block short and plain?"""
        some = self.bounds[begin : begin + BLOCK + 1]
        sizes, letters = np.diff(some), self.letters[some[0] : some[-1]]
        if sizes.min() < 1 or sizes.max() > LETTERS:
            return False
        return bool(letters.min() > ord(" ") and letters.max() < 127)

    def numbers(self, begin: int) -> Numbers:
        """(at most BLOCK,) the bytes of each text of a block as a number."""
        some = self.bounds[begin : begin + BLOCK + 1]
        low, size = some[0], int(some[-1] - some[0])
        letters = np.zeros(size + LETTERS, dtype=np.uint8)  # the last text is read beyond its end too
        letters[:size] = self.letters[low : low + size]
        at_each = np.lib.stride_tricks.as_strided(letters[:LETTERS].view(NUMBER), (size + 1,), (1,), writeable=False)
        numbers: Numbers = at_each.take(some[:-1] - low)
        numbers &= KEPT.take(np.diff(some))
        return numbers


def _marked(texts: ShortTexts, begins: Sequence[int] | None = None) -> BoolArray | None:
    """(places, pairs) which pairs of letters stand at each place of some blocks; None where a text is not plain."""
    marked = np.zeros((PLACES, PAIRS), dtype=np.bool_)

    def mark(begins: Iterable[int]) -> bool:
        for begin in begins:
            if not texts.are_plain(begin):
                return False
            numbers = texts.numbers(begin)
            pairs = numbers.view(PAIR).reshape(-1, PLACES)
            vary = int(np.bitwise_or.reduce(numbers) ^ np.bitwise_and.reduce(numbers))
            for place in range(PLACES):
                some = pairs[:, place] if vary >> (16 * place) & (PAIRS - 1) else pairs[:1, place]
                marked[place][some.astype(np.intp)] = True  # two threads may mark one pair
        return True

    return marked if all(texts.each(mark, begins)) else None


def _counted_on(marked: BoolArray) -> BoolArray:
    """The pairs that a sample had, and those that counting on would bring: other digits, and fewer of them."""
    likely = marked.copy()
    by_letters = likely.reshape(PLACES, 256, 256)  # the second letter, and the first
    for place in range(PLACES):
        pairs = by_letters[place]
        after_digits = pairs[:, DIGITS].any(1)
        pairs[:, DIGITS] |= after_digits[:, None]
        before_digits = pairs[DIGITS].any(0)
        pairs[DIGITS] |= before_digits
        pairs[0] |= before_digits
        pairs[0, 0] |= place > 0 and bool(after_digits.any())
    return likely


def _by_table(texts: ShortTexts, marked: BoolArray) -> tuple[IntArray, Numbers] | None:
    """Codes, and the numbers that they stand for in order, two letters at a time.

    Ids are mostly counted, so that few pairs of letters stand at each place: those that are marked make the digits.
    None where the table of all that can be made of them is too large, or a text is not among them.
    """
    found = [np.flatnonzero(there).astype(PAIR) for there in marked]
    digits = [pairs[np.argsort(pairs.byteswap())].astype(NUMBER) for pairs in found]  # in the order of the letters
    size = math.prod(map(len, digits))
    if size > SPREAD * len(texts):
        return None
    unknown = size  # is added for what is not marked, so that the sum is too large
    kind = np.min_scalar_type(-(PLACES + 1) * size)  # an integer with a sign that holds any sum
    tables: dict[int, npt.NDArray[Any]] = {}
    constant, fixed, weight = 0, 0, size
    for place, pairs in enumerate(digits):
        weight //= len(pairs)
        if len(pairs) > 1:
            tables[place] = np.full(PAIRS, unknown, dtype=kind)
            tables[place][pairs] = np.arange(len(pairs)) * weight
        else:
            constant |= int(pairs[0]) << (16 * place)
            fixed |= (PAIRS - 1) << (16 * place)
    codes, there = np.zeros(len(texts), dtype=kind), np.zeros(size, dtype=np.bool_)

    def put(begins: Iterable[int]) -> bool:
        for begin in begins:
            if not texts.are_plain(begin):
                return False
            numbers, block = texts.numbers(begin), codes[begin : begin + BLOCK]
            letters = numbers.view(PAIR).reshape(-1, PLACES)
            for place, table in tables.items():
                block += table.take(letters[:, place], mode="wrap")  # which need not be checked
            other = int(np.bitwise_or.reduce(numbers ^ NUMBER.type(constant))) & fixed
            if other or block.max() >= size:
                return False
            there[block] = True
        return True

    if not all(texts.each(put)):
        return None
    left = kept = np.flatnonzero(there)
    numbers = np.zeros(len(kept), dtype=NUMBER)
    for place, pairs in reversed(list(enumerate(digits))):
        rest = left // len(pairs)  # twice as quick as both at once
        numbers |= (pairs << NUMBER.type(16 * place)).take(left - rest * len(pairs))
        left = rest
    return codes if len(kept) == size else _ranked(texts, codes, kept, size), numbers


def _ranked(texts: ShortTexts, codes: npt.NDArray[Any], kept: IntArray, size: int) -> npt.NDArray[Any]:
    """Codes of which only some are there as numbers without gaps; written where they stood."""
    rank = np.zeros(size, dtype=codes.dtype)
    rank[kept] = np.arange(len(kept))

    def put(begins: Iterable[int]) -> None:
        for begin in begins:
            codes[begin : begin + BLOCK] = rank.take(codes[begin : begin + BLOCK], mode="wrap")

    for _ in texts.each(put):
        pass
    return codes


def _by_hash(texts: ShortTexts) -> tuple[IntArray, Numbers]:
    """The same for texts of any letters."""
    import pandas as pd

    numbers = np.empty(len(texts), dtype=np.uint64)
    for begin in texts.begins():
        numbers[begin : begin + BLOCK] = texts.numbers(begin)
    place, found = pd.factorize(numbers)
    order = np.argsort(found.byteswap())
    rank: IntArray = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank[place], found[order]


def _written(numbers: Numbers) -> list[str]:
    """The texts that numbers stand for: some at a time written into one, and cut where each ends."""
    texts: list[str] = []
    for begin in range(0, len(numbers), BLOCK):
        some = numbers[begin : begin + BLOCK].astype(NUMBER, copy=False)
        letters = np.full((len(some), LETTERS + 1), END, dtype=np.uint8)
        letters[:, :LETTERS] = some.view(np.uint8).reshape(-1, LETTERS)
        texts += letters[letters != 0].tobytes().decode("ascii").split("\n")[:-1]
    return texts
