"""What people said again: their answers to items that they answered more than once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from accord.annotations.arrays import IntArray, add_up

if TYPE_CHECKING:
    from accord.annotations.coded import CodedAnnotations


def cells_again(annotations: CodedAnnotations) -> IntArray:
    """Item · annotators + annotator wherever somebody answered an item more than once, in order."""
    item, annotator, _, count = annotations.rows
    cell, place = np.unique(item * max(len(annotations.annotators), 1) + annotator, return_inverse=True)
    return np.asarray(cell[add_up(place, count, len(cell)) > 1])


def answered_again(annotations: CodedAnnotations) -> CodedAnnotations:
    """The answers that were given more than once: an item for each item and person, whose answers nobody is named for.

    So agreement between the answers of such an item is agreement of one person with oneself.
    """
    from accord.annotations.coded import CodedAnnotations

    item, annotator, answer, count = annotations.rows
    people = max(len(annotations.annotators), 1)
    cells, key, row = cells_again(annotations), item * people + annotator, annotations.table_rows
    kept = np.isin(key, cells)
    names = zip((cells // people).tolist(), (cells % people).tolist(), strict=True)
    return CodedAnnotations(
        annotations.answers, len(cells), item=np.searchsorted(cells, key[kept]), answer=answer[kept],
        count=count[kept], table=annotations.table, row=row[kept] if len(row) == len(item) else None,
        items=tuple(f"{annotations.items[place]} · {annotations.annotators[who]}" for place, who in names),
    )  # fmt: skip
