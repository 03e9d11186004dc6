"""Work on blocks in threads, and rows put in blocks: NumPy and SciPy let other threads run while they compute.

How rows are cut into blocks follows from the rows alone, never from how many processors there are, and what blocks give
is put together in their order. So the digits are the same on one processor and on sixty-four.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from accord.annotations.arrays import numbers
from accord.errors import InputError

BATCH = 1 << 20  # rows that are put in blocks at once
BLOCK_ROWS = 1 << 18  # rows that a block is meant to have, so that it stays in the cache
BLOCK_BITS = 16  # codes of a block are told apart by so many bits
WAITING = 2  # pieces of work for each thread that wait for it
ONE, THREADS = 1, "ACCORD_THREADS"  # the environment may ask for fewer threads

Codes = npt.NDArray[np.integer[Any]]
Found = TypeVar("Found")


def threads() -> int:
    """As many as this process has processors, or as the environment asks for; one where a platform has no threads."""
    requested = os.environ.get(THREADS, "")
    if requested.isdecimal() and int(requested):
        return int(requested)
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


class Blocks:
    """Rows of two codes, put in blocks by the first, some at a time and in threads.

    How many rows each first code has is known, so that every row is put where its block lies: six bytes a row, no more.
    Within a block rows lie in the order in which threads came, which what is made of them must not show.
    """

    def __init__(
        self,
        batches: Iterable[tuple[npt.NDArray[Any], ...]],
        per_first: npt.NDArray[np.int64],
        second: Callable[..., npt.NDArray[Any]] | None = None,
    ) -> None:
        """`second` makes the second codes of the further columns of a batch, in the threads."""
        self.size = len(per_first)
        total = int(per_first.sum())
        wanted = max(1.0, BLOCK_ROWS * self.size / max(total, 1))
        self.bits = int(min(BLOCK_BITS, max(4, np.ceil(np.log2(wanted)))))
        begins = np.arange(0, self.size, 1 << self.bits)
        self.number = len(begins)
        lengths = np.add.reduceat(per_first, begins) if self.number else np.empty(0, np.int64)
        self.edges = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
        self._firsts, self.seconds = np.empty(total, dtype=np.uint16), np.empty(total, dtype=np.int32)
        self._free, self._turn = self.edges[:-1].copy(), Lock()
        self._second = second
        for _ in each_in_threads(self._put, batches):
            pass
        if not np.array_equal(self._free, self.edges[1:]):
            raise InputError("The table was changed while it was read: it held other numbers of rows. Read it again.")

    def _put(self, firsts: npt.NDArray[Any], *columns: npt.NDArray[Any]) -> None:
        """One batch to its blocks."""
        from scipy.sparse import csr_array

        seconds = columns[0] if self._second is None else self._second(*columns)
        firsts = firsts.astype(np.int32, copy=False)
        block, within = firsts >> self.bits, (firsts & ((1 << self.bits) - 1)).astype(np.uint16)
        rows = csr_array((within, block, numbers(len(block) + 1)), shape=(len(block), self.number)).tocsc()
        mine = np.flatnonzero(np.diff(rows.indptr))
        begins, ends = rows.indptr[mine], rows.indptr[mine + 1]
        with self._turn:
            free = self._free[mine]
            self._free[mine] = free + (ends - begins)
        ordered = seconds.take(rows.indices)
        for place, begin, end in zip(free.tolist(), begins.tolist(), ends.tolist(), strict=True):
            self._firsts[place : place + end - begin] = rows.data[begin:end]
            self.seconds[place : place + end - begin] = ordered[begin:end]

    def block(self, number: int) -> Block:
        """The rows of one block."""
        begin, rows = number << self.bits, slice(self.edges[number], self.edges[number + 1])
        return Block(begin, min(1 << self.bits, self.size - begin), self._firsts[rows], self.seconds[rows])


def counted(codes: npt.NDArray[Any], size: int) -> npt.NDArray[np.int64]:
    """How often each code below `size` stands there, in threads."""
    total = np.zeros(size, dtype=np.int64)
    turn = Lock()

    def count(some: npt.NDArray[Any]) -> None:
        part = np.bincount(some, minlength=size)
        with turn:  # whole numbers: their sum is the same in any order
            np.add(total, part, out=total)

    for _ in each_in_threads(count, cut(codes, rows=max(BATCH, size))):
        pass
    return total


def cut(*columns: npt.NDArray[Any], rows: int | None = None) -> Iterator[tuple[npt.NDArray[Any], ...]]:
    """Columns of one length in batches."""
    step = rows or BATCH
    for begin in range(0, len(columns[0]), step):
        yield tuple(column[begin : begin + step] for column in columns)
