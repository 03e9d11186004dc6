"""Ballots: the answers of a study in order of item, cut into blocks, ready to be summed by item and by annotator.

One sparse row per item; a column is a *cell*, one annotator giving one answer (annotator × K + answer); the entry says
how often. Rows are canonical (cells in order, equal ones joined), so that results do not depend on the order of the
input. Every method is a function of two sums over blocks: evidence by item (rows × a table of cells) and mass by cell
(the other way round). Nothing as large as items × annotators is made, and nothing as large as items × labels is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from accord.annotations.arrays import FloatArray, IntArray, add_up
from accord.annotations.in_threads import BLOCK_ROWS, counted, cut, each_in_threads
from accord.consensus.item_order import fits, in_item_order
from accord.engine.annotations_protocol import Annotations

BLOCK_ITEMS = 32_768  # evidence of that many items stays in the cache
BLOCK_NUMBERS = 2**22  # evidence of one block, whatever the number of labels
FULL_CELLS = 20_000  # items × cells up to which products are those of a full table
LANES = 16  # sums are added lane by lane, so that the number of processors changes no digit

Sums = TypeVar("Sums")


@dataclass(frozen=True, eq=False)
class Ballots:
    """Who chose what: sparse rows of cells, one row per item."""

    n_items: int
    n_annotators: int
    n_answers: int  # K, the number of choices
    starts: npt.NDArray[Any]  # (items + 1,) where each row begins
    cells: npt.NDArray[Any]  # (entries,) annotator × K + answer
    counts: npt.NDArray[Any] | None = None  # (entries,) how often; None where always once

    @classmethod
    def of(cls, annotations: Annotations, choice: IntArray | None = None, choices: int | None = None) -> Ballots:
        """From coded annotations; `choice` maps each answer to what it votes for, where that is not the answer
        itself.
        """
        coded = annotations.to_memory()
        number = len(coded.answers) if choices is None else choices
        if coded.grid is not None and coded.grid.size and coded.count is None:
            return cls.of_grid(coded.grid if choice is None else np.append(choice, -1)[coded.grid], number)
        if coded.grid is not None:
            item, annotator = np.nonzero(coded.grid >= 0)
            answer = coded.grid[item, annotator]
        else:
            assert coded.item is not None
            assert coded.answer is not None
            item, answer = coded.item, coded.answer
            annotator = np.zeros(len(item), np.int8) if coded.annotator is None else coded.annotator
        count = coded.count
        voted = answer if choice is None else choice[answer]
        if choice is not None and bool((choice < 0).any()):  # an answer that votes for nothing: an empty ranking
            answered = voted >= 0
            item, annotator, voted = item[answered], annotator[answered], voted[answered]
            count = None if count is None else count[answered]
        return cls.from_codes(item, annotator, voted, coded.n_items, max(len(coded.annotators), 1), number, count)

    @classmethod
    def of_grid(cls, grid: IntArray, n_answers: int) -> Ballots:
        """From what each annotator (a column) chose for each item, −1 for nothing: rows are in order as they stand."""
        (n_items, people), answered = grid.shape, grid >= 0
        kind: type[np.signedinteger[Any]] = np.int32 if people * n_answers < 2**31 else np.int64
        cells = np.arange(people, dtype=kind) * n_answers + grid
        starts = np.zeros(n_items + 1, np.int32 if grid.size < 2**31 else np.int64)
        starts[1:] = np.cumsum(answered, dtype=starts.dtype)[people - 1 :: people]
        return cls(n_items, people, n_answers, starts, cells.ravel()[answered.ravel()].astype(kind, copy=False))

    @classmethod
    def from_codes(
        cls,
        item: npt.NDArray[Any],
        annotator: npt.NDArray[Any],
        answer: npt.NDArray[Any],
        n_items: int,
        n_annotators: int,
        n_answers: int,
        count: npt.NDArray[Any] | None = None,
    ) -> Ballots:
        """From columns of codes, in any order; small integer types are welcome."""
        from scipy.sparse import coo_array, csr_array

        width = n_annotators * n_answers
        kind = np.int32 if width < 2**31 else np.int64
        if count is None and len(item) > BLOCK_ROWS and fits(n_items, width):

            def cells(who: npt.NDArray[Any], answers: npt.NDArray[Any]) -> npt.NDArray[Any]:
                return _cells(who, answers, n_answers, kind)

            batches = cut(item, annotator, answer)
            return cls.from_batches(batches, counted(item, n_items), n_annotators, n_answers, cells)
        cell = _cells(annotator, answer, n_answers, kind)
        often = np.ones(len(cell), np.int64) if count is None else count.astype(_wide_enough(count))
        if len(item) == 0 or bool((item[1:] >= item[:-1]).all()):
            starts = np.zeros(n_items + 1, dtype=np.int64)
            np.cumsum(np.bincount(item, minlength=n_items), out=starts[1:])
            starts = starts.astype(np.int32) if len(cell) < 2**31 else starts
            rows = csr_array((often, cell, starts), shape=(n_items, width))
        else:
            place = item.astype(np.int32, copy=False) if n_items < 2**31 else item
            rows = coo_array((often, (place, cell)), shape=(n_items, width)).tocsr()
        return cls._counted(rows, n_annotators, n_answers)

    @classmethod
    def from_batches(
        cls,
        batches: Iterable[tuple[npt.NDArray[Any], ...]],
        per_item: IntArray,
        n_annotators: int,
        n_answers: int,
        cells: Callable[..., npt.NDArray[Any]] | None = None,
    ) -> Ballots:
        """From items and cells in any order, some at a time; `per_item` says how many answers each item has.

        `cells` makes the cells of what a batch has instead of them, in the threads.
        """
        found, n_items = in_item_order(batches, per_item, cells), len(per_item)
        if not found.repeated:
            return cls(n_items, n_annotators, n_answers, found.starts, found.cells)
        from scipy.sparse import csr_array

        ones = np.ones(len(found.cells), np.int32)
        shape = (n_items, n_annotators * n_answers)
        return cls._counted(csr_array((ones, found.cells, found.starts), shape=shape), n_annotators, n_answers)

    @classmethod
    def _counted(cls, rows: Any, n_annotators: int, n_answers: int) -> Ballots:
        """From a sparse matrix of how often each cell stands at an item, equal ones joined."""
        rows.sum_duplicates()
        once = bool((rows.data == 1).all())
        return cls(rows.shape[0], n_annotators, n_answers, rows.indptr, rows.indices, None if once else rows.data)

    def keep(self, entries: npt.NDArray[np.bool_]) -> Ballots:
        """Only some entries; items and annotators keep their numbers."""
        before = np.concatenate(([0], np.cumsum(entries)))
        counts = None if self.counts is None else self.counts[entries]
        starts = before[self.starts].astype(self.starts.dtype)
        return Ballots(self.n_items, self.n_annotators, self.n_answers, starts, self.cells[entries], counts)

    def of_items(self, items: npt.NDArray[np.bool_]) -> Ballots:
        """Only some items, numbered anew."""
        lengths = np.diff(self.starts)
        entries = np.repeat(items, lengths)
        starts = np.concatenate(([0], np.cumsum(lengths[items]))).astype(self.starts.dtype)
        counts = None if self.counts is None else self.counts[entries]
        return Ballots(len(starts) - 1, self.n_annotators, self.n_answers, starts, self.cells[entries], counts)

    def all_alike(self) -> Ballots:
        """The same answers, as if one person had given them all."""
        answer = self.cells % self.n_answers
        item, nobody = self.entry_items(0, self.n_items), np.zeros(len(answer), np.int8)
        return Ballots.from_codes(item, nobody, answer, self.n_items, 1, self.n_answers, self.counts)

    @property
    def width(self) -> int:
        """The number of cells."""
        return self.n_annotators * self.n_answers

    @cached_property
    def total(self) -> int:
        """Answers in all, repeats counted."""
        return len(self.cells) if self.counts is None else int(self.counts.sum())

    def digest(self) -> str:
        """A number for who gave which answers together to how many items; whichever order the items stand in."""
        whole = 0
        for begin in range(0, self.n_items, BLOCK_ITEMS):
            ends = self.starts[begin : begin + BLOCK_ITEMS + 1].astype(np.int64)
            entries = slice(int(ends[0]), int(ends[-1]))
            hashes = _scrambled(self.cells[entries])
            if self.counts is not None:
                hashes *= self.counts[entries].astype(np.uint64)
            until = np.concatenate((np.zeros(1, np.uint64), np.cumsum(hashes, dtype=np.uint64)))[ends - ends[0]]
            whole += int(_scrambled(until[1:] - until[:-1]).sum(dtype=np.uint64))
        return f"{self.n_items} items {whole % 2**64:016x}"

    @cached_property
    def per_item(self) -> IntArray:
        """Answers on each item, repeats counted."""
        if self.counts is None:
            return np.diff(self.starts).astype(np.int64)
        ends = np.concatenate(([0], np.cumsum(self.counts, dtype=np.int64)))
        return ends[self.starts[1:]] - ends[self.starts[:-1]]  # type: ignore[no-any-return]

    @cached_property
    def all_answered(self) -> bool:
        """Has every item an answer?"""
        return bool((self.starts[1:] > self.starts[:-1]).all())

    @cached_property
    def by_cell(self) -> FloatArray:
        """(annotators, K): how often each annotator gave each answer."""

        def work(begin: int, end: int) -> tuple[FloatArray]:
            cell, often = self.entries(begin, end)
            return (np.bincount(cell, None if self.counts is None else often, self.width).astype(np.float64),)

        (counts,) = self.total_of(work) or (np.zeros(self.width),)
        return np.asarray(counts).reshape(self.n_annotators, self.n_answers)

    @cached_property
    def answered(self) -> FloatArray:
        """(annotators,): answers of each annotator."""
        return np.asarray(self.by_cell.sum(axis=1))

    @cached_property
    def overlapping(self) -> bool:
        """Does any item have answers from two annotators?"""

        def of_two(begin: int, end: int) -> bool:
            item, person = self.entry_items(begin, end), self.entries(begin, end)[0] // self.n_answers
            return bool(((item[1:] == item[:-1]) & (person[1:] != person[:-1])).any())

        return any(of_two(begin, end) for begin, end in self.spans())  # as good as always in the first block

    # -- block by block ---------------------------------------------------------------------------------------------

    @cached_property
    def _block_items(self) -> int:
        """Larger blocks where the table of cells is large: making a table a block must not cost more than the
        answers.
        """
        mean = max(len(self.cells) / max(self.n_items, 1), 1.0)
        wanted = max(BLOCK_ITEMS, min(4 * self.width / mean, 64 * BLOCK_ITEMS))
        return int(max(1, min(wanted, BLOCK_NUMBERS / max(self.n_answers, 1))))

    @cached_property
    def _ones(self) -> FloatArray:
        edges = np.append(np.arange(0, self.n_items, self._block_items), self.n_items)
        longest = int(np.diff(self.starts[edges]).max(initial=0))
        return np.ones(longest)

    def spans(self) -> list[tuple[int, int]]:
        """The first item of each block and the first after it."""
        return self._spans

    @cached_property
    def _spans(self) -> list[tuple[int, int]]:
        step = self._block_items
        return [(begin, min(begin + step, self.n_items)) for begin in range(0, self.n_items, step)]

    def rows(self, begin: int, end: int) -> Any:
        """Some items as a sparse matrix (items, cells)."""
        return self._all_rows if end - begin == self.n_items else self._rows(begin, end)

    @cached_property
    def _all_rows(self) -> Any:
        """Of all items, where they are one block: a fit asks again and again, and making costs as much as using."""
        return self._rows(0, self.n_items)

    def columns(self, begin: int, end: int) -> Any:
        """The same the other way round (cells, items)."""
        return self._all_columns if end - begin == self.n_items else self._rows(begin, end).T

    @cached_property
    def _all_columns(self) -> Any:
        return self._all_rows.T

    def over_cells(self, begin: int, end: int, table: FloatArray) -> FloatArray:
        """(items, C): a table of cells summed over the answers to each of some items; −∞ stays where it is given."""
        if self.full is None or not np.isfinite(table).all():
            return np.asarray(self.rows(begin, end) @ table)
        return np.asarray(self.full[begin:end] @ table)

    def over_items(self, begin: int, end: int, table: FloatArray) -> FloatArray:
        """(cells, C): a table of some items summed over those that hold each cell."""
        return np.asarray(self.columns(begin, end) @ table if self.full is None else self.full[begin:end].T @ table)

    @cached_property
    def full(self) -> FloatArray | None:
        """(items, cells), where they are few: what a product of sparse matrices asks first costs more than this one."""
        if self.n_items * self.width > FULL_CELLS:
            return None
        often = 1.0 if self.counts is None else self.counts
        full = np.zeros((self.n_items, self.width))
        full[self.entry_items(0, self.n_items), self.cells] = often
        return full

    def _rows(self, begin: int, end: int) -> Any:
        from scipy.sparse import csr_array

        first, last = int(self.starts[begin]), int(self.starts[end])
        often = self._ones[: last - first] if self.counts is None else self.counts[first:last].astype(np.float64)
        matrix = csr_array((end - begin, self.width))
        matrix.data, matrix.indices = (
            often,
            self.cells[first:last],
        )  # views: no copy and no check of what is known to be right
        matrix.indptr = self.starts[begin : end + 1] - self.starts[begin]
        return matrix

    def voted(self, begin: int, end: int, weights: FloatArray | None) -> Any:
        """(items, K), sparse: the weight of those who gave each answer."""
        from scipy.sparse import csr_array

        cell, often = self.entries(begin, end)
        person, answer = np.divmod(cell, self.n_answers)
        matrix = csr_array((end - begin, self.n_answers))
        matrix.data, matrix.indices = often if weights is None else often * weights[person], answer
        matrix.indptr = self.starts[begin : end + 1] - self.starts[begin]
        return matrix

    def votes(self, begin: int, end: int, weights: FloatArray | None) -> FloatArray:
        """(items, K): the same in full."""
        if weights is None and self.full is not None:  # whole numbers, whose sum is the same in any order
            return np.asarray(self.full[begin:end].reshape(end - begin, self.n_annotators, self.n_answers).sum(axis=1))
        return np.asarray(self.voted(begin, end, weights).toarray())

    def hits(self, begin: int, end: int, table: FloatArray) -> FloatArray:
        """(annotators,): what a table of items × K holds at the answers that each annotator gave."""
        cell, often = self.entries(begin, end)
        person, answer = np.divmod(cell, self.n_answers)
        return add_up(person, often * table[self.entry_items(begin, end), answer], self.n_annotators)

    def entry_items(self, begin: int, end: int) -> IntArray:
        """The item of each entry, counted from `begin`."""
        return np.repeat(np.arange(end - begin), np.diff(self.starts[begin : end + 1]))

    def entries(self, begin: int, end: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """The cell and the count of each entry of some items."""
        first, last = int(self.starts[begin]), int(self.starts[end])
        often = self._ones[: last - first] if self.counts is None else self.counts[first:last].astype(np.float64)
        return self.cells[first:last], often

    def each(self, work: Callable[[int, int], Sums]) -> Iterator[Sums]:
        """What `work` gives for each block, in order; blocks run in threads."""
        spans = self.spans()
        if len(spans) <= 1:
            yield from (work(*span) for span in spans)
            return
        self._ones  # noqa: B018 - made before the threads start, or each would make its own
        yield from each_in_threads(work, spans)

    def total_of(self, work: Callable[[int, int], tuple[Any, ...]]) -> tuple[Any, ...]:
        """The sums over all blocks of what `work` gives; added in a fixed order whatever the number of threads."""
        spans = self.spans()
        if len(spans) <= 1:
            return work(*spans[0]) if spans else ()
        self._ones  # noqa: B018
        lanes = [(spans[start::LANES],) for start in range(min(LANES, len(spans)))]

        def lane(mine: list[tuple[int, int]]) -> list[Any]:
            sums = list(work(*mine[0]))
            for span in mine[1:]:
                for place, part in enumerate(work(*span)):
                    sums[place] += part
            return sums

        total: list[Any] = []
        for part in each_in_threads(lane, lanes):  # a lane is added as soon as those before it are
            total = [one + other for one, other in zip(total, part, strict=True)] if total else part
        return tuple(total)


def _cells(who: npt.NDArray[Any], answer: npt.NDArray[Any], n_answers: int, kind: Any) -> npt.NDArray[Any]:
    """Annotator × K + answer."""
    cell: npt.NDArray[Any] = who.astype(kind)
    np.multiply(cell, n_answers, out=cell)
    np.add(cell, answer.astype(kind, copy=False), out=cell)
    return cell


def _wide_enough(count: npt.NDArray[Any]) -> type[np.signedinteger[Any]]:
    """The smaller of two integer types that holds whatever sum the counts may have."""
    return np.int32 if float(count.sum(dtype=np.float64)) < 2**31 else np.int64


def _scrambled(numbers: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    """Each number as one of 2⁶⁴ that look drawn, so that sums of them tell sets apart (the steps of splitmix64)."""
    found = (numbers.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    found = (found ^ (found >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    found = (found ^ (found >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(found ^ (found >> np.uint64(31)))
