"""What people said again: their answers to items that they answered more than once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

import numpy as np

from accord.annotations.answers import Label
from accord.annotations.arrays import DENSE, IntArray, places, totals

if TYPE_CHECKING:
    from accord.annotations.coded import CodedAnnotations


def cells_again(annotations: CodedAnnotations) -> IntArray:
    """Item · annotators + annotator wherever somebody answered an item more than once, in order."""
    item, annotator, _, count = annotations.rows
    people = max(len(annotations.annotators), 1)
    cell, size = item * people + annotator, annotations.n_items * people
    if count.max(initial=0) > 1:
        found, times = totals(cell, count, size)
        return np.asarray(found[times > 1])
    if size <= DENSE * len(cell):
        return np.nonzero(np.bincount(cell, minlength=1) > 1)[0]
    cell = np.sort(cell)
    return np.unique(cell[1:][cell[1:] == cell[:-1]])


def answered_again(annotations: CodedAnnotations) -> CodedAnnotations:
    """The answers that were given more than once: an item for each item and person, whose answers nobody is named for.

    So agreement between the answers of such an item is agreement of one person with oneself.
    """
    from accord.annotations.coded import CodedAnnotations

    item, annotator, answer, count = annotations.rows
    people = max(len(annotations.annotators), 1)
    cells, key, row = annotations.cells_again, item * people + annotator, annotations.table_rows
    place = places(cells, key, annotations.n_items * people)
    kept = place >= 0
    return CodedAnnotations(
        annotations.answers, len(cells), item=place[kept], answer=answer[kept],
        count=count[kept], table=annotations.table, row=row[kept] if len(row) == len(item) else None,
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
