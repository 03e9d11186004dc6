"""Work on blocks in threads, and rows put in blocks: NumPy and SciPy let other threads run while they compute.

How rows are cut into blocks follows from the rows alone, never from how many processors there are, and what blocks give
is put together in their order. So the digits are the same on one processor and on sixty-four.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from accord.annotations.arrays import numbers

BATCH = 1 << 20  # rows that are put in blocks at once
BLOCK_ROWS = 1 << 18  # rows that a block is meant to have, so that it stays in the cache
BLOCK_BITS = 16  # codes of a block are told apart by so many bits
WAITING = 2  # pieces of work for each thread that wait for it
ONE, THREADS = 1, "ACCORD_THREADS"  # the environment may ask for fewer threads

Codes = npt.NDArray[np.integer[Any]]
Found = TypeVar("Found")


def threads() -> int:
    """As many as this process has processors, or as the environment asks for; one where a platform has no threads."""
    asked = os.environ.get(THREADS, "")
    if asked.isdecimal() and int(asked):
        return int(asked)
    if hasattr(os, "sched_getaffinity"):
        return max(ONE, len(os.sched_getaffinity(0)))
    return os.cpu_count() or ONE


def each_in_threads(work: Callable[..., Found], given: Iterable[tuple[Any, ...]]) -> Iterator[Found]:
    """What `work` gives for each, in order; what is given is asked for no sooner than a thread is nearly free."""
    number = threads()
    if number == ONE:
        yield from (work(*one) for one in given)
        return
    try:
        pool = ThreadPoolExecutor(number)
        first = pool.submit(int)
    except RuntimeError:  # a platform without threads, such as Pyodide
        yield from (work(*one) for one in given)
        return
    with pool:
        first.result()
        running: list[Future[Found]] = []
        for one in given:
            running.append(pool.submit(work, *one))
            if len(running) > WAITING * number:
                yield running.pop(0).result()
        while running:
            yield running.pop(0).result()


@dataclass(frozen=True, eq=False)
class Block:
    """The rows whose first codes lie in one range: what is left of these beyond its beginning, and the second codes."""

    begin: int  # the first code of the range
    size: int  # how many codes it has
    firsts: Codes
    seconds: Codes

    def by_first(self) -> tuple[Codes, Codes]:
        """(size + 1,) where each first code's rows begin, and the second codes in that order."""
        from scipy.sparse import csr_array

        shape = (len(self.firsts), self.size)
        rows = csr_array((self.seconds, self.firsts.astype(np.int32), numbers(len(self.firsts) + 1)), shape=shape)
        turned = rows.tocsc()
        return turned.indptr, turned.data


@dataclass(frozen=True, eq=False)
class Batch:
    """Some rows, put in blocks."""

    starts: Codes  # (blocks + 1,) where the rows of each block begin
    firsts: npt.NDArray[np.uint16]  # beyond the beginning of their block
    seconds: Codes

    def rows(self, block: int) -> slice:
        """Where the rows of a block are."""
        return slice(self.starts[block], self.starts[block + 1])


class Blocks:
    """Rows of two codes, put in blocks by the first, some at a time and in threads."""

    def __init__(self, batches: Iterable[tuple[npt.NDArray[Any], ...]], size: int, n_rows: int) -> None:
        self.size = size
        wanted = max(1.0, BLOCK_ROWS * size / max(n_rows, 1))
        self.bits = int(min(BLOCK_BITS, max(4, np.ceil(np.log2(wanted)))))
        self.number = (size + (1 << self.bits) - 1) >> self.bits
        self._batches = list(each_in_threads(self._put, batches))

    def _put(self, firsts: npt.NDArray[Any], seconds: npt.NDArray[Any]) -> Batch:
        """One batch in order of block."""
        from scipy.sparse import csr_array

        firsts = firsts.astype(np.int32, copy=False)
        block, within = firsts >> self.bits, (firsts & ((1 << self.bits) - 1)).astype(np.uint16)
        rows = csr_array((within, block, numbers(len(block) + 1)), shape=(len(block), self.number)).tocsc()
        return Batch(rows.indptr, rows.data, seconds.take(rows.indices))

    def lengths(self) -> npt.NDArray[np.int64]:
        """(blocks,): how many rows each has."""
        total = np.zeros(self.number, dtype=np.int64)
        for batch in self._batches:
            total += np.diff(batch.starts)
        return total

    def block(self, number: int) -> Block:
        """The rows of one block, of all batches."""
        parts = [(batch, batch.rows(number)) for batch in self._batches]
        begin = number << self.bits
        firsts = _joined([batch.firsts[rows] for batch, rows in parts], np.uint16)
        seconds = _joined([batch.seconds[rows] for batch, rows in parts], np.int32)
        return Block(begin, min(1 << self.bits, self.size - begin), firsts, seconds)


def cut(*columns: npt.NDArray[Any]) -> Iterator[tuple[npt.NDArray[Any], ...]]:
    """Columns of one length in batches."""
    for begin in range(0, len(columns[0]), BATCH):
        yield tuple(column[begin : begin + BATCH] for column in columns)


def _joined(parts: Sequence[Codes], kind: type[Any]) -> Codes:
    return np.concatenate(parts) if parts else np.empty(0, dtype=kind)
