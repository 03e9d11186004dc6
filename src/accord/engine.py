"""The only module that imports narwhals: columns of any dataframe, as codes.

pandas, Polars (eager and lazy), PyArrow and whatever else narwhals knows come in here; what goes out is NumPy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from accord.arrays import IntArray
from accord.coding import Coded, code, recode
from accord.errors import ColumnMissing, InputError, listing

DICTIONARY_ROWS = 100_000  # up to here a Python dictionary codes text faster than a join in the engine


def is_frame(data: object) -> bool:
    """Is this a dataframe that narwhals knows?"""
    return isinstance(nw.from_native(data, pass_through=True), nw.DataFrame | nw.LazyFrame)


def is_series(data: object) -> bool:
    """Is this a column of a dataframe?"""
    return isinstance(nw.from_native(data, pass_through=True, allow_series=True), nw.Series)


class Frame:
    """A table with named columns, from any engine; lazy ones are collected, the columns asked for only."""

    def __init__(self, data: Any) -> None:
        self._frame = nw.from_native(data)
        self._collected: nw.DataFrame[Any] | None = self._frame if isinstance(self._frame, nw.DataFrame) else None
        self.columns: list[str] = list(self._frame.collect_schema().names())

    @classmethod
    def open(cls, data: object) -> Frame:
        """From a dataframe, a mapping of columns, or a list of records."""
        if is_frame(data):
            return cls(data)
        if isinstance(data, Mapping):
            return Columns(data)
        if isinstance(data, Sequence) and data and isinstance(data[0], Mapping):
            names = list(dict.fromkeys(name for record in data for name in record))
            return Columns({name: [record.get(name) for record in data] for name in names})
        raise InputError(
            f"A study is made from a dataframe (pandas, Polars, PyArrow …), a mapping of columns or a list of records; "
            f"got {type(data).__name__}. For arrays: Study.from_wide(array), Study.from_counts(array), "
            "Study.from_pairs(a, b)."
        )

    def need(self, role: str, name: object) -> str:
        """The column that plays a role, or an error with the nearest name."""
        if name not in self.columns:
            raise ColumnMissing(role, name, self.columns)
        return str(name)

    def keep(self, names: Sequence[str]) -> None:
        """Collect a lazy frame once, with these columns."""
        if self._collected is None:
            assert isinstance(self._frame, nw.LazyFrame)
            self._collected = self._frame.select(*dict.fromkeys(names)).collect()

    def __len__(self) -> int:
        return len(self._eager([]))

    def cells(self, name: str) -> list[Any]:
        """A column as Python objects."""
        return self._eager([name])[name].to_list()

    def code(self, name: str, *, what: str = "label") -> Coded:
        """A column as codes."""
        series = self._eager([name])[name]
        kind = series.dtype
        if kind.is_integer():
            return _code_integers(series)
        if kind.is_float():
            return code(series.to_numpy())
        if kind == nw.Boolean and not series.is_null().any():
            return code(series.to_numpy())
        if len(series) > DICTIONARY_ROWS and kind in (nw.String, nw.Categorical, nw.Enum):
            return _code_text(series)
        return code(series.to_list(), what=what)

    def categories(self, name: str) -> tuple[list[Any], bool] | None:
        """The declared categories of a categorical column and whether their order means something; else None."""
        series = self._eager([name])[name]
        if series.dtype not in (nw.Categorical, nw.Enum):
            return None
        native = series.to_native()
        if hasattr(native, "cat") and hasattr(native.cat, "ordered"):  # pandas tells both
            return list(native.cat.categories), bool(native.cat.ordered)
        if series.dtype == nw.Enum:  # Polars: an enumeration declares its categories, in order
            return list(series.cat.get_categories().to_list()), True
        return None  # a plain Polars or Arrow dictionary is an encoding, not a declaration

    def lists(self, name: str) -> bool:
        """Does a column hold lists?"""
        series = self._eager([name])[name]
        if series.dtype in (nw.List, nw.Array):
            return True
        if series.dtype != nw.Object:
            return False
        return any(isinstance(cell, list | tuple | set | frozenset | np.ndarray) for cell in series.to_list())

    def numeric(self, name: str) -> bool:
        """Does a column hold numbers?"""
        return self._eager([name])[name].dtype.is_numeric()

    def _eager(self, names: Sequence[str]) -> nw.DataFrame[Any]:
        if self._collected is None or not set(names) <= set(self._collected.columns):
            assert isinstance(self._frame, nw.LazyFrame)
            have = [] if self._collected is None else self._collected.columns
            self._collected = self._frame.select(*dict.fromkeys([*have, *(names or self.columns)])).collect()
        return self._collected


class Columns(Frame):
    """A mapping of columns, without an engine."""

    def __init__(self, data: Mapping[Any, Any]) -> None:
        self.columns = [str(name) for name in data]
        self._lists = {str(name): _column(cells) for name, cells in data.items()}
        lengths = {name: len(cells) for name, cells in self._lists.items()}
        if len(set(lengths.values())) > 1:
            raise InputError(f"The columns are of different lengths: {lengths}.")

    def __len__(self) -> int:
        return len(next(iter(self._lists.values()), []))

    def keep(self, names: Sequence[str]) -> None:
        """Nothing to collect."""

    def cells(self, name: str) -> list[Any]:
        """A column as Python objects."""
        return list(self._lists[name])

    def code(self, name: str, *, what: str = "label") -> Coded:
        """A column as codes."""
        return code(self._lists[name], what=what)

    def categories(self, name: str) -> tuple[list[Any], bool] | None:
        """Plain lists declare nothing."""
        return None

    def lists(self, name: str) -> bool:
        """Does a column hold lists?"""
        return any(isinstance(cell, list | tuple | set | frozenset | np.ndarray) for cell in self._lists[name])

    def numeric(self, name: str) -> bool:
        """Does a column hold numbers and nothing else but gaps?"""
        return all(
            cell is None or (isinstance(cell, int | float | np.number) and not isinstance(cell, bool))
            for cell in self._lists[name]
        )


def column_cells(series: Any) -> list[Any] | np.ndarray[Any, Any]:
    """One column on its own (a pandas or Polars Series, an Arrow array) as cells to code."""
    column = nw.from_native(series, series_only=True)
    cells: list[Any] | np.ndarray[Any, Any]
    cells = column.to_numpy() if column.dtype.is_integer() and not column.is_null().any() else column.to_list()
    return cells


def index_of(series: Any) -> list[Any] | None:
    """The index of a pandas Series if it is more than row numbers in order; None where there is none."""
    index = getattr(series, "index", None)
    if index is None or callable(index):
        return None
    return list(index)


def _column(cells: Any) -> Any:
    """A column of a mapping: arrays stay arrays, series become cells, the rest a list."""
    if isinstance(cells, np.ndarray):
        return cells
    return column_cells(cells) if is_series(cells) else list(cells)


def _code_integers(series: nw.Series[Any]) -> Coded:
    """Integers with their gaps: never through floats, which lose large ids."""
    silent = series.is_null()
    if not silent.any():
        return code(series.to_numpy())
    mask = silent.to_numpy()
    return code(np.ma.masked_array(series.fill_null(0).cast(nw.Int64).to_numpy(), mask=mask))


def _code_text(series: nw.Series[Any]) -> Coded:
    """Long text columns: distinct values in Python, codes by a join in the engine."""
    series = series.cast(nw.String)
    distinct = sorted(value for value in series.unique().to_list() if value is not None)
    if not distinct:
        return Coded(np.full(len(series), -1, dtype=np.int64), ())
    numbers = list(range(len(distinct)))
    codes: IntArray = series.replace_strict(distinct, numbers, default=-1, return_dtype=nw.Int64).to_numpy()
    return recode(codes, distinct)


def refuse_empty(rows: int, columns: Sequence[str]) -> None:
    """A table without rows cannot be a study."""
    if not rows:
        raise InputError(f"The table has no rows (its columns are {listing(columns)}). Was everything filtered out?")
