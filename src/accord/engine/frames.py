"""Tables in memory, from any engine: columns as codes.

pandas, Polars, PyArrow and whatever else narwhals knows come in here; what goes out is NumPy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from accord.annotations.answers import NOTHING, Order, holds_several, refuse_unwritten, tidy_label
from accord.annotations.arrays import FloatArray, IntArray
from accord.annotations.factorize import Coded, code, numbers_of, recode
from accord.engine.pandas_tables import (
    categories,
    coded_categories,
    coded_text,
    codes_text,
    copied,
    is_categorical,
    is_of_pandas,
)
from accord.engine.text_columns import NumberedTexts, are_numbered
from accord.errors import (
    SURELY_WRITTEN,
    AccordError,
    ColumnMissing,
    InputError,
    Keyword,
    MayBeNames,
    Message,
    Place,
    all_quoted,
    at_column,
    quoted,
    remedy,
)

if TYPE_CHECKING:
    import narwhals.exceptions as nw_errors
    import narwhals.stable.v2 as nw

    from accord.engine import far_dates
    from accord.engine.scan import Scan
else:

    class Later:
        """A module that is loaded when something of it is asked for: a table of lists needs no narwhals."""

        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, name: str) -> Any:
            return getattr(import_module(self._name), name)

    nw, nw_errors = Later("narwhals.stable.v2"), Later("narwhals.exceptions")
    far_dates = Later("accord.engine.far_dates")

Categories: TypeAlias = tuple[list[Any], Order]  # a declared scale, and what its order is

OWN_CELLS = 5_000_000  # a table of pandas of more cells is copied when somebody writes to it, where pandas sees to that
FACTORISED_ROWS = 1_000  # from here on pandas codes text faster than a Python dictionary
DICTIONARY_ROWS = 100_000  # up to here a Python dictionary codes text faster than a join in the engine
NO_TABLES = {dict, list, tuple, str, bytes, set, frozenset, np.ndarray}  # nor columns, so narwhals need not be asked


def is_frame(data: object) -> bool:
    """Is this a dataframe that narwhals knows?"""
    if type(data) in NO_TABLES:
        return False
    try:
        known = isinstance(nw.from_native(data, pass_through=True), nw.DataFrame | nw.LazyFrame)
        return known or isinstance(data, Frame)
    except nw_errors.DuplicateError as problem:
        raise _same_names(problem) from None


def is_series(data: object) -> bool:
    """Is this a column of a dataframe?"""
    if type(data) in NO_TABLES:
        return False
    return isinstance(nw.from_native(data, pass_through=True, allow_series=True), nw.Series)


def scan_of(data: object) -> Scan | None:
    """A lazy or distributed frame as a scan; None for what lies in memory."""
    if isinstance(data, Mapping | list | tuple | Frame):
        return None
    if not isinstance(nw.from_native(data, pass_through=True), nw.LazyFrame):
        return None
    from accord.engine.scan import Scan  # with every dialect, which tables in memory do not need

    return Scan.of(data)


def own(data: Any) -> Any:
    """A table or column that its owner may change without changing ours.

    Polars shares what it copies, so that costs nothing. NumPy does not, nor does pandas before 3; since then it copies
    what is shared when somebody writes to it, which serves for large tables (small ones may hold an array that is not
    its own).
    """
    if all(callable(getattr(data, name, None)) for name in ("clone", "estimated_size")):  # Polars, in memory
        return data.clone()
    if isinstance(data, np.ndarray):
        return data.copy()
    return copied(data, OWN_CELLS) if is_of_pandas(data) and hasattr(data, "copy") else data


class Frame:
    """A table with named columns, from any engine; lazy ones are collected, the columns asked for only."""

    def __init__(self, data: Any) -> None:
        self._frame = nw.from_native(own(data))
        try:
            self.columns: list[str] = list(self._frame.collect_schema().names())
        except nw_errors.DuplicateError as problem:
            raise _same_names(problem) from None
        except ValueError as problem:  # of Arrow, a type that narwhals cannot name
            raise InputError(
                "The table has a column of a type that is not read: ", MayBeNames(str(problem)), ". Leave it out."
            ) from None
        eager = isinstance(self._frame, nw.DataFrame)
        self._collected: nw.DataFrame[Any] | None = far_dates.far_as_text(self._frame) if eager else None

    def __getstate__(self) -> dict[str, Any]:
        """What goes to another process: all columns in memory, as no connection goes there, and objects by themselves.

        Not every table in memory can pickle those: Polars cannot.
        """
        whole = self._eager(self.columns)
        objects = [name for name, kind in whole.schema.items() if kind == nw.Object]
        held = {name: whole.get_column(name).to_list() for name in objects}
        return {"whole": whole.drop(objects), "objects": held, "columns": self.columns}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """The same in that process."""
        whole: nw.DataFrame[Any] = state["whole"]
        made_by = whole.implementation
        objects = [nw.new_series(name, cells, nw.Object, backend=made_by) for name, cells in state["objects"].items()]
        self.columns = state["columns"]
        self._frame = self._collected = whole.with_columns(*objects) if objects else whole

    @classmethod
    def open(cls, data: object) -> Frame:
        """From a dataframe, a mapping of columns, or a list of records."""
        if isinstance(data, Frame):
            return data
        if is_frame(data):
            return cls(data)
        if isinstance(data, Mapping):
            return Columns(data)
        if isinstance(data, list | tuple) and data and isinstance(data[0], Mapping):
            return Columns.of_records(data)
        raise InputError(
            f"A study is made from a dataframe (pandas, Polars, PyArrow …), a mapping of columns or a list of records; "
            f"got {type(data).__name__}. For arrays: ",
            remedy("Study.from_wide", "array"),
            ", ",
            remedy("Study.from_counts", "array"),
            ", ",
            remedy("Study.from_pairs", "a, b"),
            ".",
        )

    def need(self, role: str, name: object) -> str:
        """The column that plays a role, or an error with the nearest name; pandas may call columns by numbers."""
        try:
            found = self._called.get(name)
        except TypeError:  # a list is no name
            found = None
        if found is None:
            raise ColumnMissing(role, name, self.columns)
        return found

    @cached_property
    def _called(self) -> dict[object, str]:
        """The columns by their names: a wide table is asked for each of thousands."""
        return {column: column for column in reversed(self.columns)}

    def keep(self, names: Sequence[str]) -> None:
        """Collect a lazy frame once, with these columns."""
        if self._collected is None:
            from accord.engine.engine_errors import our_errors

            assert isinstance(self._frame, nw.LazyFrame)
            with our_errors():
                kept = self._frame.select(*dict.fromkeys(names)).collect()
            self._collected = far_dates.far_as_text(kept)

    def __len__(self) -> int:
        return len(self._eager([]))

    def cells(self, name: str) -> list[Any]:
        """A column as Python objects."""
        with _readable(name):
            series = self._eager([name]).get_column(name)
            cells: list[Any] = series.to_list()
        return _plain(cells, name) if series.dtype == nw.Object or is_of_pandas(series.to_native()) else cells

    def cell(self, name: str, row: int) -> Any:
        """One cell as a Python object, without a look at the others."""
        with _readable(name):
            found = self._eager([name]).get_column(name)[row]
        return found.to_list() if hasattr(found, "to_list") else found  # of a column of lists, in narwhals' own class

    def first_cells(self, name: str, number: int) -> list[Any]:
        """The first cells of a column as Python objects."""
        with _readable(name):
            return self._eager([name]).get_column(name).head(number).to_list()

    def native(self, name: str) -> Any:
        """A column as its engine, or the mapping, holds it."""
        return self._eager([name]).get_column(name).to_native()

    def is_numeric(self, name: str) -> bool:
        """Is a column of numbers by its type?"""
        return bool(self._eager([name]).get_column(name).dtype.is_numeric())

    def code(self, name: str, *, what: str = "label") -> Coded:
        """A column as codes."""
        with _readable(name):
            return _code_series(self._eager([name]).get_column(name), what)

    def categories(self, name: str) -> Categories | None:
        """The declared categories of a categorical column and what their order is; else None."""
        return _categories(self._eager([name]).get_column(name))

    def lists(self, name: str) -> bool:
        """Does a column hold lists?"""
        series = self._eager([name]).get_column(name)
        if series.dtype in (nw.List, nw.Array):
            return True
        return series.dtype == nw.Object and _hold_lists(series.to_list())

    def numbers(self, name: str) -> FloatArray:
        """A column of numbers, NaN for missing."""
        return numbers_of(self.cells(name), Message("the column ", at_column(name)))

    def _eager(self, names: Sequence[str]) -> nw.DataFrame[Any]:
        if self._collected is None or not set(names) <= set(self._collected.columns):
            assert isinstance(self._frame, nw.LazyFrame)
            have = [] if self._collected is None else self._collected.columns
            wanted = dict.fromkeys([*have, *(names or self.columns)])
            self._collected = far_dates.far_as_text(self._frame.select(*wanted).collect())
        return self._collected


class Columns(Frame):
    """A mapping of columns, without an engine."""

    def __init__(self, data: Mapping[Any, Any]) -> None:
        self.columns = [str(name) for name in data]
        self._lists = {str(name): _column(own(cells), name) for name, cells in data.items()}
        self._series = {
            str(name): nw.from_native(own(cells), series_only=True)
            for name, cells in data.items()
            if is_series(cells) and nw.from_native(cells, series_only=True).dtype != nw.Object
        }
        lengths = {name: len(cells) for name, cells in self._lists.items()}
        if len(set(lengths.values())) > 1:
            raise InputError(
                "The columns are of different lengths: ",
                MayBeNames(str(lengths)),
                ". Every row needs a cell in each; None is missing.",
                option=Keyword("data", lengths),
            )

    def __getstate__(self) -> dict[str, Any]:
        """Lists, and columns of an engine that declare something."""
        return vars(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """The same in another process."""
        vars(self).update(state)

    @classmethod
    def of_records(cls, records: Sequence[Any]) -> Columns:
        """From a list of mappings, one per row; what a record does not name is missing."""
        for row, record in enumerate(records):
            if not isinstance(record, Mapping):
                raise InputError(
                    f"A list of records holds mappings only; record {row} is ",
                    quoted(record),
                    ".",
                    place=Place(record=row),
                )
        names = list(dict.fromkeys(name for record in records for name in record))
        return cls({name: [record.get(name) for record in records] for name in names})

    def __len__(self) -> int:
        return len(next(iter(self._lists.values()), []))

    def keep(self, names: Sequence[str]) -> None:
        """Nothing to collect."""

    def cells(self, name: str) -> list[Any]:
        """A column as Python objects."""
        return _plain(_python(self._lists[name]), name)

    def cell(self, name: str, row: int) -> Any:
        """One cell."""
        return self._lists[name][row]

    def first_cells(self, name: str, number: int) -> list[Any]:
        """The first cells of a column."""
        return _python(self._lists[name][:number])

    def native(self, name: str) -> Any:
        """A column as the mapping holds it."""
        return self._series[name].to_native() if name in self._series else self._lists[name]

    def is_numeric(self, name: str) -> bool:
        """Is a column of numbers by its type?"""
        cells = self._lists[name]
        return isinstance(cells, np.ndarray) and cells.dtype.kind in "iuf"

    def code(self, name: str, *, what: str = "label") -> Coded:
        """A column as codes."""
        return code(self._lists[name], what=what)

    def categories(self, name: str) -> Categories | None:
        """Plain lists declare nothing; a column of an engine may."""
        return _categories(self._series[name]) if name in self._series else None

    def lists(self, name: str) -> bool:
        """Does a column hold lists?"""
        return _hold_lists(self._lists[name])


def series_categories(series: Any) -> Categories | None:
    """What one column on its own declares, if it is categorical."""
    return _categories(nw.from_native(series, series_only=True)) if is_series(series) else None


def column_cells(series: Any) -> list[Any] | np.ndarray[Any, Any]:
    """One column on its own (a pandas or Polars Series, an Arrow array) as cells to code."""
    column = far_dates.column_as_text(nw.from_native(series, series_only=True))
    cells: list[Any] | np.ndarray[Any, Any]
    whole = column.dtype.is_integer() and not _is_wide(column) and not column.is_null().any()
    cells = column.to_numpy() if whole else column.to_list()
    return cells


def index_of(data: Any) -> list[Any] | None:
    """The index of a pandas Series or DataFrame; None where there is none."""
    index = getattr(data, "index", None)
    if index is None or callable(index):
        return None
    return list(index)


@contextmanager
def _readable(name: str) -> Iterator[None]:
    """Cells that an engine holds and cannot hand out: bytes that are no text, times of a place that is none."""
    try:
        yield
    except AccordError:
        raise
    except ValueError as problem:
        raise InputError(
            "The column ",
            quoted(name),
            " cannot be read: ",
            MayBeNames(str(problem).rstrip(".")),
            ". Mend it where the table comes from, or leave it out.",
        ) from None


def _same_names(problem: Exception) -> InputError:
    reason = " ".join(str(problem).split())
    return InputError("Several columns of the table have the same name (", MayBeNames(reason), "). Rename them.")


def _column(cells: Any, name: object) -> Any:
    """A column of a mapping: arrays stay arrays, series become cells, the rest a list."""
    if isinstance(cells, np.ndarray) and cells.ndim == 1:
        return cells
    if isinstance(cells, np.ndarray | str | bytes | Mapping | set | frozenset) or not isinstance(cells, Iterable):
        raise InputError(
            "The column ",
            at_column(name),
            f" must be a list of cells, one per row; got {type(cells).__name__}.",
            place=Place(part=Message("column ", quoted(name))),
        )
    return column_cells(cells) if is_series(cells) else list(cells)


def _python(cells: Any) -> list[Any]:
    """Cells as Python objects; of an array of numbers or text all at once."""
    return cells.tolist() if isinstance(cells, np.ndarray) and cells.dtype.kind in "biufU" else list(cells)


def _plain(cells: list[Any], name: str) -> list[Any]:
    """Cells as plain values of Python, None for each name of nothing, no number that Python refuses to write."""
    kinds = set(map(type, cells))
    if int in kinds:
        for cell in cells:
            if type(cell) is int and cell.bit_length() >= SURELY_WRITTEN:
                refuse_unwritten(cell, " in the column ", quoted(name))
    odd = {
        kind for kind in kinds if kind.__name__ in NOTHING or (issubclass(kind, np.generic | str) and kind is not str)
    }
    return [_plain_cell(cell) if type(cell) in odd else cell for cell in cells] if odd else cells


def _plain_cell(cell: Any) -> Any:
    """A value of NumPy, a member of an enumeration of texts, or one of the names of nothing."""
    if type(cell).__name__ in NOTHING:
        return None
    if isinstance(cell, str):
        return str.__str__(cell)
    if isinstance(cell, np.datetime64 | np.timedelta64):  # Python has no nanoseconds
        return None if np.isnat(cell) else cell
    value = cell.item()
    return float(value) if isinstance(value, np.floating) else value  # a long double is its own


def _hold_lists(cells: Iterable[Any]) -> bool:
    if isinstance(cells, np.ndarray) and cells.dtype != object:
        return False  # numbers and text: millions of cells need not be looked at
    return any(map(holds_several, cells))


def _code_series(series: nw.Series[Any], what: str) -> Coded:
    """Each kind of column in the quickest way that loses nothing."""
    kind = series.dtype
    if kind.is_integer() and not _is_wide(series):
        return _code_integers(series, what)
    if kind.is_float() or (kind == nw.Boolean and not series.is_null().any()):
        return code(series.to_numpy(), what=what)
    if kind == nw.Categorical and is_categorical(series.to_native()):
        return coded_categories(series.to_native(), what)
    if are_numbered(series.to_native()):
        return NumberedTexts(series.to_native()).coded(what)
    at_once = kind == nw.String and codes_text(series.to_native())
    many = FACTORISED_ROWS if at_once else DICTIONARY_ROWS
    if len(series) > many and kind in (nw.String, nw.Categorical, nw.Enum):
        return _code_text(series, what)
    return code(series.to_list(), what=what)


def _categories(series: nw.Series[Any]) -> Categories | None:
    """What a categorical column declares: blank categories are missing, the same in other letters is the same."""
    if series.dtype not in (nw.Categorical, nw.Enum):
        return None
    native = series.to_native()
    order: Order
    if is_categorical(native):
        raw, order = categories(native)
    elif series.dtype == nw.Enum:  # Polars: an enumeration lists its categories, be they a scale or names
        raw, order = series.cat.get_categories().to_list(), "listed"
    elif getattr(getattr(native, "type", None), "ordered", False):  # an Arrow dictionary that says it is in order
        raw, order = native.unify_dictionaries().chunk(0).dictionary.to_pylist(), "meant"
    else:
        return None  # a plain Polars or Arrow dictionary is an encoding, not a declaration
    tidy = dict.fromkeys(tidy_label(category) for category in raw)
    return [label for label in tidy if label is not None], order


def _code_integers(series: nw.Series[Any], what: str) -> Coded:
    """Integers with their gaps: never through floats, which lose large ids."""
    missing = series.is_null()
    if not missing.any():
        return code(series.to_numpy(), what=what)
    filled = series.fill_null(0).to_numpy()
    unsigned = series.dtype == nw.UInt64
    integers = filled if filled.dtype.kind in "iu" else filled.astype(np.uint64 if unsigned else np.int64)
    return code(np.ma.masked_array(integers, mask=missing.to_numpy()), what=what)


def _is_wide(series: nw.Series[Any]) -> bool:
    """Are its integers of 128 bits, which NumPy does not have?"""
    return series.dtype in (nw.Int128, nw.UInt128)


def _code_text(series: nw.Series[Any], what: str) -> Coded:
    """Long text columns: distinct values in Python, codes by a join in the engine."""
    if series.dtype == nw.String and codes_text(series.to_native()):
        return coded_text(series.to_native(), what)
    series = series.cast(nw.String)
    distinct = [value for value in series.unique().to_list() if value.__class__ is str]  # not None, not NaN
    if not distinct:
        return Coded(np.full(len(series), -1, dtype=np.int64), ())
    numbers = list(range(len(distinct)))
    codes: IntArray = series.replace_strict(distinct, numbers, default=-1, return_dtype=nw.Int64).to_numpy()
    return recode(codes, distinct, what=what)


def refuse_empty(rows: int, columns: Sequence[str]) -> None:
    """A table without rows cannot be a study."""
    if not rows:
        raise InputError(
            "The table has no rows (its columns are ",
            all_quoted(columns),
            "). Was everything filtered out?",
            option=Keyword("data", "no rows"),
            available=columns,
        )
