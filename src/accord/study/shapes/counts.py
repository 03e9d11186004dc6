"""Tables of numbers: counts of labels, two annotators' confusion; and yes/no columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from accord.annotations import assemble
from accord.annotations.answers import Label, refuse_mixed_types, scale_of
from accord.annotations.arrays import FloatArray, IntArray, filled
from accord.annotations.assemble import Names
from accord.annotations.coded import CodedAnnotations
from accord.annotations.factorize import Coded, code
from accord.annotations.left_out import LeftOut, Reason
from accord.errors import InputError, Keyword, OptionError, Place, Remedy, all_quoted, at_column, in_python, quoted
from accord.study.shapes.cells import Numbered, is_frame, is_table, rectangle
from accord.study.shapes.loaded import Loaded, from_grid

MOST_COUNTED = 2**40  # in one cell: their squares are still exact enough, and nobody asked more annotators
MOST_CONFUSED = 100_000_000  # items of a confusion table, which are laid out one by one


def from_counts(data: Any, labels: Sequence[Any] | None) -> Loaded:
    """Items × labels."""
    counts, columns = counts_of(data, "counts")
    scale = scale_of((), labels if labels is not None else columns)
    if len(scale) != counts.shape[1]:
        raise InputError(
            f"The table has {counts.shape[1]} columns of counts, and labels names {len(scale)}: ",
            all_quoted(scale.labels),
            ". Give each label a column of its own.",
            option=Keyword("labels", scale.labels),
        )
    item, answer = np.nonzero(counts)
    annotations = CodedAnnotations(
        scale, len(counts), (), item=item, answer=answer, count=counts[item, answer], counts=counts,
        items=Numbered(len(counts)), row=item,
    )  # fmt: skip
    left_out = LeftOut()
    left_out.add(Reason.NO_ANSWER, int((counts.sum(axis=1) == 0).sum()))
    return Loaded(annotations, left_out, "table of counts", len(counts))


def from_unnamed(items: Sequence[Any], variables: Mapping[Any, Sequence[Any]], labels: Sequence[Any] | None) -> Loaded:
    """A row per answer, of people who are not named: an item for each, and its answer to each variable."""
    left_out = LeftOut()
    found = {name: of_unnamed(items, cells, labels, left_out) for name, cells in variables.items()}
    whole = next(iter(found.values())) if len(found) == 1 else None
    return Loaded(whole, left_out, "table of unnamed answers", len(items), {}, {} if whole is not None else found)


def of_unnamed(
    items: Sequence[Any],
    cells: Sequence[Any],
    labels: Sequence[Any] | None,
    left_out: LeftOut,
    times: Sequence[int] | None = None,
) -> CodedAnnotations:
    """How many gave each label to each item; `times` is how often each row stands for one."""
    which, label = code(list(items), what="item"), code(list(cells))
    refuse_mixed_types(label.values)
    left_out.add(Reason.NO_ITEM, int((which.codes < 0).sum()))
    left_out.add(Reason.NO_ANSWER, int(((which.codes >= 0) & (label.codes < 0)).sum()))
    scale = scale_of(label.values, labels)
    answer = label.onto(scale.labels)
    number = np.ones(len(answer), np.int64) if times is None else np.array(times, dtype=np.int64)
    keep = (which.codes >= 0) & (answer >= 0) & (number > 0)
    if not keep.any():
        raise InputError("No row names both an item and an answer.", option=Keyword("item"))
    pairs, place = np.unique(np.stack((which.codes[keep], answer[keep]), axis=1), axis=0, return_inverse=True)
    count = np.bincount(place.ravel(), number[keep], len(pairs)).astype(np.int64)
    return CodedAnnotations(
        scale, len(which.values), (), item=pairs[:, 0], answer=pairs[:, 1], count=count, items=tuple(which.values),
        row=pairs[:, 0],
    )  # fmt: skip


def from_confusion(data: Any, labels: Sequence[Any] | None) -> Loaded:
    """One annotator's labels × the other's."""
    counts, columns = counts_of(data, "a confusion table")
    if counts.shape[0] != counts.shape[1]:
        raise InputError(
            f"A confusion table must be square, one row and one column per label; got {counts.shape[0]} × "
            f"{counts.shape[1]}. Add the labels that one of the two did not use, as rows or columns of 0. For items × "
            "labels: ",
            Remedy({"shape": "counts"}, python="Study.from_counts(table)"),
            ".",
        )
    scale = scale_of((), labels if labels is not None else columns)
    if len(scale) != len(counts):
        raise InputError(
            f"The table has {len(counts)} rows, and labels names {len(scale)}: ",
            all_quoted(scale.labels),
            ". Give one label per row.",
            option=Keyword("labels", scale.labels),
        )
    counts = counts[_rows_as_columns(data, columns)]
    if counts.sum() > MOST_CONFUSED:
        raise InputError(
            f"The table counts {int(counts.sum()):,} items; at most {MOST_CONFUSED:,} are laid out one by one. "
            "Are these counts? Proportions times a large number give too small errors.",
            option=Keyword("data"),
        )
    first, second = np.nonzero(counts)
    grid = np.repeat(np.stack((first, second), axis=1), counts[first, second], axis=0)
    return from_grid(grid, scale, Names(Numbered(len(grid)), ("1", "2")), None, "confusion table")


def _rows_as_columns(data: Any, columns: list[Any]) -> list[int]:
    """The order of the rows that puts the diagonal where both said the same: pandas rows have names of their own."""
    in_order = list(range(len(columns)))
    if not is_frame(data):
        return in_order
    from accord.engine.frames import index_of

    index = index_of(data)
    if index is None or index in (in_order, columns):
        return in_order
    if len(set(index)) < len(index) or set(index) != set(columns):
        raise InputError(
            "The rows of a confusion table are labelled like its columns; the rows are ",
            all_quoted(index),
            " and the columns ",
            all_quoted(columns),
            ". Put them on one scale",
            in_python(": table.reindex(index=labels, columns=labels, fill_value=0)", ""),
            ".",
        )
    return [index.index(column) for column in columns]


def from_indicators(data: Any, item: str, annotator: str, columns: Sequence[str]) -> Loaded:
    """One row per annotation, one yes/no column per label."""
    from accord.engine.frames import Frame, refuse_empty

    if isinstance(columns, str) or not list(columns):
        raise OptionError.must("columns", "list the yes/no columns, one per label, such as ['joy', 'fear']", columns)
    frame = Frame.open(data)
    names = [frame.need("columns", column) for column in columns]
    roles = {"item": frame.need("item", item), "annotator": frame.need("annotator", annotator)}
    refuse_empty(len(frame), frame.columns)
    held = np.stack([yes_no(frame.code(name, what="cell"), name) for name in names], axis=1)
    whole: list[bool] = np.asarray((held >= 0).all(axis=1)).tolist()
    place, given = np.nonzero(held > 0)
    ends = np.cumsum(np.bincount(place, minlength=len(held))).tolist()
    labels = [names[k] for k in given.tolist()]
    begins = [0, *ends[:-1]]
    lists = [labels[a:b] if complete else None for a, b, complete in zip(begins, ends, whole, strict=True)]
    from accord.annotations.assemble_several import Lists, listed_answers

    left_out = LeftOut()
    who = frame.code(roles["annotator"], what="annotator")
    rows = assemble.read_rows(frame.code(roles["item"], what="item"), who, left_out)
    answers = Lists(lists, names, "set", missing=Reason.GAP)
    annotations = replace(listed_answers(rows, answers, left_out), table=frame)
    return Loaded(annotations, left_out, "table of yes/no columns", len(frame), roles)


def counts_of(data: Any, what: str) -> tuple[IntArray, list[Any]]:
    """A table of counts as whole numbers, with the names of its columns."""
    columns: list[Any] | None = None
    if is_table(data):
        from accord.engine.frames import Frame

        frame = Frame.open(data)
        columns = list(frame.columns)
        data = list(zip(*(frame.cells(name) for name in columns), strict=True))
    array = rectangle(data, what, nothing="0")
    if array.ndim != 2 or not array.size:
        raise InputError(
            f"{what.capitalize()} must be a table with rows and columns; got shape {array.shape}.",
            option=Keyword("data", array.shape),
        )
    columns = columns if columns is not None else list(range(array.shape[1]))
    if array.dtype.kind in "iu" and array.min() >= 0 and array.max() <= MOST_COUNTED and type(array) is np.ndarray:
        return array.astype(np.int64), columns  # a copy: the caller's may change
    numbers = _numbers(array)
    bad = ~np.isfinite(numbers) | (numbers < 0) | (numbers != np.floor(numbers)) | (numbers > MOST_COUNTED)
    if bad.any():
        row, column = (int(place) for place in np.argwhere(bad)[0])
        raise InputError(
            f"{what.capitalize()} must be whole numbers from 0 to {MOST_COUNTED:,}, none missing; found ",
            quoted(array.item(row, column)),
            f" in row {row}, column ",
            quoted(columns[column]),
            ". Leave out columns that are no counts, and write 0 for none.",
            place=Place(item=row),
        )
    return numbers.astype(np.int64), columns


def _numbers(array: npt.NDArray[Any]) -> FloatArray:
    """Cells as numbers, NaN where they are none."""
    if array.dtype.kind in "biuf":
        return filled(array)
    return np.array([_count(cell) for cell in array.ravel().tolist()]).reshape(array.shape)


def _count(cell: Any) -> float:
    """A cell of a table of counts as a number; NaN where it is none."""
    try:
        return float("nan") if isinstance(cell, str | bytes | np.ndarray) else float(cell)  # a masked cell is an array
    except (TypeError, ValueError, OverflowError):
        return float("nan")


def yes_no(coded: Coded, name: str) -> IntArray:
    """A yes/no column: 1, 0, and −1 for missing."""
    allowed: dict[Label, int] = {True: 1, False: 0}  # 1 and 0 are equal to these
    if any(value not in allowed for value in coded.values):
        raise InputError(
            "The column ",
            at_column(name),
            " must say yes or no (True/False, 1/0); found ",
            all_quoted(coded.values),
            ".",
            option=Keyword("columns", name),
        )
    table = np.array([*(allowed[value] for value in coded.values), -1], dtype=np.int64)
    return table[coded.codes]
