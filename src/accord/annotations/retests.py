"""What people said again: their answers to items that they answered more than once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

import numpy as np

from accord.annotations.answers import Label
from accord.annotations.arrays import BLOCK, DENSE, IntArray, places, used

if TYPE_CHECKING:
    from accord.annotations.coded import CodedAnnotations


@dataclass(frozen=True, eq=False)
class RowsAgain:
    """Rows whose annotator had answered their item in a row before, in order, and the first row that did."""

    row: IntArray
    first: IntArray

    def __len__(self) -> int:
        return len(self.row)


NO_ROWS = RowsAgain(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))


def rows_again(annotations: CodedAnnotations) -> RowsAgain:
    """Of annotations row by row."""
    rows, size = annotations.n_rows, annotations.n_cells
    if size > DENSE * rows or rows >= 2**31:
        return _by_sorting(annotations.cells(slice(None)))
    first, found = np.full(size, -1, dtype=np.int32), [NO_ROWS]  # the first row of each cell
    for begin in range(0, rows, BLOCK):  # some rows at a time: no array of all cells is made
        end = min(begin + BLOCK, rows)
        cell = annotations.cells(slice(end - 1, begin - 1 if begin else None, -1))  # backwards: the first is the last
        row = np.arange(end - 1, begin - 1, -1, dtype=np.int32)
        if begin:
            fresh = np.nonzero(first.take(cell) < 0)[0]
            first[cell[fresh]] = row[fresh]
        else:
            first[cell] = row
        before = first.take(cell)
        again = np.nonzero(before != row)[0][::-1]
        found.append(RowsAgain(end - 1 - again, before[again].astype(np.int64)))
    return RowsAgain(*(np.concatenate([getattr(part, name) for part in found]) for name in ("row", "first")))


def _by_sorting(cell: IntArray) -> RowsAgain:
    """The same where a table of all cells would take too much memory."""
    order = np.argsort(cell, kind="stable")
    fresh = np.ones(len(cell), dtype=np.bool_)
    fresh[1:] = cell[order[1:]] != cell[order[:-1]]
    first = order[fresh][np.cumsum(fresh) - 1]
    row, first = order[~fresh], first[~fresh]
    ascending = np.argsort(row)
    return RowsAgain(row[ascending], first[ascending])


def cells_again(annotations: CodedAnnotations) -> IntArray:
    """Item · annotators + annotator wherever somebody answered an item more than once, in order."""
    cell, size = annotations.cells(_first_rows(annotations)), annotations.n_cells
    if (cell[1:] > cell[:-1]).all():  # as where everything was answered in one order, and once more
        return cell
    return np.unique(cell) if size > DENSE * len(cell) else used(cell, size)


def _first_rows(annotations: CodedAnnotations) -> IntArray:
    """The first row of everybody who answered an item more than once; some of them more than once, in no order."""
    first = annotations.rows_again.first
    if annotations.count is None:
        return first
    return np.concatenate((first, np.nonzero(annotations.count > 1)[0]))


def answered_again(annotations: CodedAnnotations) -> CodedAnnotations:
    """The answers that were given more than once: an item for each item and person, whose answers nobody is named for.

    So agreement between the answers of such an item is agreement of one person with oneself.
    """
    from accord.annotations.coded import CodedAnnotations

    cells, row, again = annotations.cells_again, annotations.table_rows, annotations.rows_again.row
    answer = annotations.rows[2] if annotations.answer is None else annotations.answer
    known = _first_rows(annotations)
    place = places(cells, annotations.cells(known), annotations.n_cells)
    first = np.empty(len(cells), dtype=np.int64)
    first[place] = known
    behind = np.concatenate((first, again))  # whose cells are those of the first rows
    count = None if annotations.count is None else annotations.count[behind]
    return CodedAnnotations(
        annotations.answers, len(cells), item=np.concatenate((np.arange(len(cells)), place[: len(again)])),
        answer=answer[behind], count=count, table=annotations.table,
        row=row[behind] if len(row) == annotations.n_rows else None,
        items=NamesAgain(cells, annotations.items, annotations.annotators),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class NamesAgain(Sequence[Label]):
    """What was answered again, and by whom: written when somebody looks at it, for there may be very many."""

    cells: IntArray
    items: Sequence[Label]
    annotators: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.cells)

    @overload
    def __getitem__(self, place: int) -> Label: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Label]: ...

    def __getitem__(self, place: int | slice) -> Label | Sequence[Label]:
        if isinstance(place, slice):
            return NamesAgain(self.cells[place], self.items, self.annotators)
        item, who = divmod(int(self.cells[place]), max(len(self.annotators), 1))
        return f"{self.items[item]} · {self.annotators[who]}"
