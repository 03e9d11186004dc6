"""Cells before they have a meaning: rectangles of them, columns of them, tables that hold them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from accord.answers import Label
from accord.errors import InputError, listing


class Numbered(Sequence[Label]):
    """Items without names: row numbers from 0, without a list of a million integers."""

    def __init__(self, size: int) -> None:
        self._range = range(size)

    def __len__(self) -> int:
        return len(self._range)

    def __getitem__(self, place: Any) -> Any:
        found = self._range[place]
        return int(found) if not isinstance(found, range) else tuple(found)


def is_frame(data: Any) -> bool:
    """Is this a table with named columns?"""
    if isinstance(data, np.ndarray | list | tuple):
        return False
    from accord.engine import is_frame

    return isinstance(data, Mapping) or is_frame(data)


def is_table(data: Any) -> bool:
    """Is this a table with named columns, or a list of records?"""
    if isinstance(data, list | tuple):
        return bool(data) and isinstance(data[0], Mapping)
    return is_frame(data)


def column(data: Any) -> Any:
    """A column of answers as cells to code."""
    if isinstance(data, np.ndarray | list | tuple):
        return data
    from accord.engine import column_cells, is_series

    return column_cells(data) if is_series(data) else list(data)


def rectangle(data: Any) -> npt.NDArray[Any]:
    """A 2-D array from rows, cells left as they are; lists inside cells stay lists."""
    if isinstance(data, np.ndarray):
        return data
    rows = [list(row) if isinstance(row, list | tuple | np.ndarray) else row for row in data]
    if not rows or not all(isinstance(row, list) for row in rows):
        return np.array(rows, dtype=object)
    widths = {len(row) for row in rows}
    if len(widths) > 1:
        raise InputError(
            f"The rows are of different lengths ({listing(sorted(widths))}): items × annotators needs a cell for "
            "everyone, with None where there is no answer."
        )
    array = np.empty((len(rows), widths.pop()), dtype=object)
    for place, row in enumerate(rows):
        array[place, :] = _safe(row)
    return array


def _safe(row: list[Any]) -> npt.NDArray[Any]:
    """A row of cells as objects, so that a cell that is a list stays one cell."""
    cells = np.empty(len(row), dtype=object)
    for place, cell in enumerate(row):
        cells[place] = cell
    return cells
