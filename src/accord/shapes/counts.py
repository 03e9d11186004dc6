"""Tables of numbers: counts of labels, two annotators' confusion; and yes/no columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from accord import assembly
from accord.answers import Label, scale_of
from accord.arrays import IntArray
from accord.assembly import Assembled, LeftOut, Names
from accord.coding import code
from accord.errors import InputError, listing
from accord.shapes.cells import Numbered, is_frame, rectangle
from accord.shapes.made import Made, from_grid
from accord.triples import Triples


def from_counts(data: Any, labels: Sequence[Any] | None) -> Made:
    """Items × labels."""
    counts, columns = counts_of(data, "counts")
    scale = scale_of((), labels if labels is not None else columns)
    if len(scale) != counts.shape[1]:
        raise InputError(f"The table has {counts.shape[1]} columns of counts and labels names {len(scale)}.")
    item, answer = np.nonzero(counts)
    triples = Triples(scale, len(counts), (), item=item, answer=answer, count=counts[item, answer])
    assembled = Assembled(triples, Names(Numbered(len(counts)), ()), item)
    return Made(assembled, None, LeftOut(), "table of counts", len(counts))


def from_confusion(data: Any, labels: Sequence[Any] | None) -> Made:
    """One annotator's labels × the other's."""
    counts, columns = counts_of(data, "a confusion table")
    if counts.shape[0] != counts.shape[1]:
        raise InputError(
            f"A confusion table must be square, one row and one column a label; got {counts.shape[0]} × "
            f"{counts.shape[1]}. For items × labels: Study.from_counts(table)."
        )
    scale = scale_of((), labels if labels is not None else columns)
    if len(scale) != len(counts):
        raise InputError(f"The table has {len(counts)} rows and labels names {len(scale)}.")
    first, second = np.nonzero(counts)
    grid = np.repeat(np.stack((first, second), axis=1), counts[first, second], axis=0)
    return from_grid(grid, scale, Names(Numbered(len(grid)), ("1", "2")), None, "confusion table")


def from_indicators(data: Any, item: str, annotator: str, columns: Sequence[str]) -> Made:
    """One row an annotation, one yes/no column a label."""
    from accord.engine import Frame, refuse_empty

    frame = Frame.open(data)
    names = [frame.need("columns", column) for column in columns]
    roles = {"item": frame.need("item", item), "annotator": frame.need("annotator", annotator)}
    refuse_empty(len(frame), frame.columns)
    held = np.stack([yes_no(frame.cells(name), name) for name in names], axis=1)
    lists = [[names[k] for k in np.nonzero(row > 0)[0]] if (row >= 0).all() else None for row in held]
    left_out = LeftOut()
    left_out.add("rows with a gap among the yes/no columns", sum(cells is None for cells in lists))
    sayings = assembly.read_sayings(frame.code(item, what="item"), frame.code(annotator, what="annotator"), left_out)
    assembled = assembly.listed_answers(sayings, lists, names, "set")
    return Made(assembled, frame, left_out, "table of yes/no columns", len(frame), roles)


def counts_of(data: Any, what: str) -> tuple[IntArray, list[Any]]:
    """A table of counts as whole numbers, with the names of its columns."""
    columns: list[Any] | None = None
    if is_frame(data):
        from accord.engine import Frame

        frame = Frame.open(data)
        columns = list(frame.columns)
        data = np.array([frame.cells(name) for name in columns], dtype=object).T
    array = rectangle(data)
    if array.ndim != 2 or not array.size:
        raise InputError(f"{what.capitalize()} must be a table with rows and columns; got shape {array.shape}.")
    try:
        numbers = array.astype(np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{what.capitalize()} must hold numbers only.") from None
    bad = ~np.isfinite(numbers) | (numbers < 0) | (numbers != np.floor(numbers))
    if bad.any():
        row, column = (int(place) for place in np.argwhere(bad)[0])
        raise InputError(
            f"{what.capitalize()} must be whole numbers, none below 0; found {array[row, column]} in row "
            f"{row}, column {column}."
        )
    return numbers.astype(np.int64), columns if columns is not None else list(range(array.shape[1]))


def yes_no(cells: list[Any], name: str) -> IntArray:
    """A yes/no column: 1, 0, and −1 for silence."""
    coded = code(cells)
    allowed: dict[Label, int] = {True: 1, False: 0}  # 1 and 0 are equal to these
    if any(value not in allowed for value in coded.values):
        raise InputError(f"The column {name!r} must say yes or no (True/False, 1/0); found {listing(coded.values)}.")
    table = np.array([*(allowed[value] for value in coded.values), -1], dtype=np.int64)
    return table[coded.codes]
