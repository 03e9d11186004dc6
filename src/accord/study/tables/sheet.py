"""A table in memory whose columns are still to be recognised: read from a file, or given as a dataframe."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from accord.annotations.left_out import LeftOut
from accord.errors import InputError, Part, Place, Remedy, remedy
from accord.study.declared_scales import Scale

SAMPLE = 2_000  # rows looked at to find the roles


@dataclass
class Sheet:
    """Named columns: lists, or a Polars frame where there are many rows."""

    where: str
    shape: str  # what it is called in a description
    data: Any
    notes: list[str] = field(default_factory=list)
    left_out: LeftOut = field(default_factory=LeftOut)
    scales: dict[str, Scale] = field(default_factory=dict)  # by variable, where `Study.write` kept them

    def __post_init__(self) -> None:
        self.columns = [str(name) for name in (self.data if isinstance(self.data, dict) else self.data.columns)]

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(next(iter(self.data.values()), [])) if isinstance(self.data, dict) else self.data.height

    def error(self, *message: Part, part: str = "") -> InputError:
        """The error for a table that cannot be a study as it stands."""
        return InputError(*message, place=Place(self.where, part=part), available=self.columns)

    def reading(self, **options: Any) -> Remedy:
        """The call that reads it with these keywords."""
        return remedy("accord.read", repr(self.where), **options)

    def cells(self, name: str) -> list[Any]:
        """A column as Python objects."""
        return list(self.data[name]) if isinstance(self.data, dict) else self.data[name].to_list()

    def sample(self, name: str) -> list[Any]:
        """The cells of the first rows that hold something."""
        return [cell for cell in self._head(name) if cell is not None and cell != ""]

    def first_cells(self, name: str) -> list[Any]:
        """The cells of the first rows, gaps and all."""
        return [json.dumps(cell) if isinstance(cell, list | dict) else cell for cell in self._head(name)]

    def _head(self, name: str) -> list[Any]:
        cells: list[Any] = (
            self.data[name][:SAMPLE] if isinstance(self.data, dict) else self.data[name].head(SAMPLE).to_list()
        )
        return cells

    def lists(self) -> dict[str, list[Any]]:
        """All columns as lists."""
        return {name: self.cells(name) for name in self.columns}

    def lay_open(self) -> None:
        """All columns as lists, to be changed cell by cell."""
        if not isinstance(self.data, dict):
            self.data = self.lists()

    def numbers(self, name: str) -> Any:
        """A column of numbers, read generously (0.10, 1e3), or None if it is not one."""
        if not isinstance(self.data, dict):
            import polars as pl

            column = self.data[name]
            if column.dtype != pl.String:
                return column
            cast = column.cast(pl.Float64, strict=False)
            return cast if cast.null_count() == column.null_count() else None
        return numbers_of(self.data[name])

    def replaced(self, name: str, cells: Any) -> None:
        """Put other cells in a column."""
        if isinstance(self.data, dict):
            self.data[name] = cells
        else:
            self.data = self.data.with_columns(cells.alias(name))


def numbers_of(cells: Sequence[Any]) -> list[Any] | None:
    """Cells as numbers, or None if one is not."""
    found: list[Any] = []
    for cell in cells:
        if cell is None or (isinstance(cell, int | float) and not isinstance(cell, bool)):
            found.append(cell)
            continue
        try:
            number = float(cell)
        except (TypeError, ValueError):
            return None
        found.append(int(number) if math.isfinite(number) and number == int(number) else number)
    return found


def json_cell(cell: str) -> Any:
    """A cell that holds JSON, or the cell itself."""
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return cell
