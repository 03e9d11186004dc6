"""Cells before they have a meaning: rectangles of them, columns of them, tables that hold them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from accord.annotations.answers import Label
from accord.errors import InputError, Keyword, Part, Place, all_quoted, as_typed, quoted, remedy, with_article


class Numbered(Sequence[Label]):
    """Items without names: row numbers from 0, without a list of a million integers."""

    def __init__(self, size: int) -> None:
        self._range = range(size)

    def __len__(self) -> int:
        return len(self._range)

    def __iter__(self) -> Iterator[Label]:
        return iter(self._range)

    def __getitem__(self, place: Any) -> Any:
        found = self._range[place]
        return int(found) if not isinstance(found, range) else tuple(found)


def is_frame(data: Any) -> bool:
    """Is this a table with named columns?"""
    if isinstance(data, np.ndarray | list | tuple):
        return False
    from accord.engine.frames import is_frame

    return isinstance(data, Mapping) or is_frame(data)


def is_table(data: Any) -> bool:
    """Is this a table with named columns, or a list of records?"""
    if isinstance(data, list | tuple):
        return bool(data) and isinstance(data[0], Mapping)
    return is_frame(data)


def refuse_path(data: Any) -> None:
    """A path is read first: whoever measures wants to see what was read."""
    if all(
        callable(getattr(data, name, None)) for name in ("read", "close")
    ):  # any name is a column of a Connect frame
        raise InputError(
            "A study is made from a table in memory; got an open file. Read it by name: ",
            remedy("accord.read", "path"),
            ".",
        )
    if isinstance(data, str | PathLike):
        raise InputError(
            "A study is made from a table in memory; got the text ",
            quoted(str(data)),
            ". If it is a file, read it first: ",
            remedy("accord.read", quoted(str(data))),
            ".",
        )


def column(data: Any) -> Any:
    """A column of answers as cells to code."""
    if isinstance(data, np.ndarray | list | tuple):
        return data
    from accord.engine.frames import column_cells, is_series

    if is_series(data):
        return column_cells(data)
    if is_frame(data) or _not_cells(data):
        raise InputError(
            "One annotator's answers are a list, an array or a column; got ",
            _described(data),
            ". For a table: ",
            remedy("Study.from_wide", "table", annotators=[...]),
            ", or, if a row is an annotation, ",
            remedy("Study", "table", item=..., annotator=..., label=...),
            ". For a file: ",
            remedy("accord.read", "path"),
            ".",
        )
    return data.tolist() if hasattr(data, "tolist") else list(data)  # Arrow arrays hold scalars of their own


def rectangle(data: Any, what: str = "items × annotators", nothing: str = "None") -> npt.NDArray[Any]:
    """A 2-D array from rows, cells left as they are, lists inside cells too; 1-D from a sequence of cells."""
    if isinstance(data, np.ndarray):
        return data
    if _not_cells(data):
        refuse_path(data)
        raise InputError(
            f"A table of {what} has rows and columns; got ",
            _described(data),
            ".",
            option=Keyword("data", _described(data)),
        )
    rows = [_row(row) for row in data]
    odd = next((place for place, row in enumerate(rows) if isinstance(row, list) != isinstance(rows[0], list)), None)
    if odd is not None:
        raise InputError(
            f"A table of {what} has rows of cells; row 0 is ",
            _described(rows[0]),
            f", and row {odd} ",
            _described(rows[odd]),
            ".",
            place=Place(part=f"row {odd}"),
        )
    if not rows or not isinstance(rows[0], list):
        return _safe(rows)
    widths = {len(row) for row in rows}
    if len(widths) > 1:
        other = next(place for place, row in enumerate(rows) if len(row) != len(rows[0]))
        raise InputError(
            "The rows are of different lengths (",
            all_quoted(sorted(widths)),
            f"): {what} needs a cell everywhere, with {nothing} where there is nothing.",
            place=Place(part=f"row {other}"),
        )
    array = np.empty((len(rows), widths.pop()), dtype=object)
    for place, row in enumerate(rows):
        array[place, :] = _safe(row)
    return array


def _row(row: Any) -> Any:
    """A row as a list of cells; what is no row stays as it is."""
    if isinstance(row, list | tuple):
        return list(row)
    if isinstance(row, np.ndarray) and row.ndim:
        return list(row)
    return row.tolist() if hasattr(row, "tolist") and hasattr(row, "__len__") and not np.isscalar(row) else row


def _not_cells(data: Any) -> bool:
    """Text, a set or one thing alone is no sequence of cells."""
    return isinstance(data, str | bytes | set | frozenset) or not isinstance(data, Iterable)


def _described(data: Any) -> Part:
    """What was given, for a message: small things as they are, others by their type."""
    plain = data is None or isinstance(data, str | bytes | int | float)
    shown = as_typed(data) if plain else ""
    name = type(data).__name__
    return quoted(data) if plain and len(shown) <= 40 else with_article(name)


def _safe(row: list[Any]) -> npt.NDArray[Any]:
    """A row of cells as objects, so that a cell that is a list stays one cell."""
    cells = np.empty(len(row), dtype=object)
    for place, cell in enumerate(row):
        cells[place] = cell
    return cells
