"""The only module that imports narwhals: columns of any dataframe, as codes.

pandas, Polars (eager and lazy), PyArrow and whatever else narwhals knows come in here; what goes out is NumPy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import narwhals.stable.v2 as nw
import numpy as np
from narwhals.exceptions import DuplicateError

from accord.answers import holds_several, tidy_label
from accord.arrays import FloatArray, IntArray
from accord.coding import Coded, code, numbers_of, recode
from accord.errors import ColumnMissing, EngineOverflow, InputError, listing

Categories: TypeAlias = tuple[list[Any], bool]  # a declared scale, and whether its order means something

OVERFLOW_SIGNS = ("ConversionException", "ArithmeticException", "ARITHMETIC_OVERFLOW", "OutOfRange", "ArrowInvalid")
MEMORY_SIGNS = ("OutOfMemory", "Out of Memory", "could not allocate")
NESTED_CHOICES = 60  # up to here nested choices are as quick as a look-up on every engine
DICTIONARY_ROWS = 100_000  # up to here a Python dictionary codes text faster than a join in the engine


def is_frame(data: object) -> bool:
    """Is this a dataframe that narwhals knows?"""
    try:
        return isinstance(nw.from_native(data, pass_through=True), nw.DataFrame | nw.LazyFrame)
    except DuplicateError as problem:
        raise _same_names(problem) from None


def is_series(data: object) -> bool:
    """Is this a column of a dataframe?"""
    return isinstance(nw.from_native(data, pass_through=True, allow_series=True), nw.Series)


class Frame:
    """A table with named columns, from any engine; lazy ones are collected, the columns asked for only."""

    def __init__(self, data: Any) -> None:
        self._frame = nw.from_native(data)
        self._collected: nw.DataFrame[Any] | None = self._frame if isinstance(self._frame, nw.DataFrame) else None
        try:
            self.columns: list[str] = list(self._frame.collect_schema().names())
        except DuplicateError as problem:
            raise _same_names(problem) from None

    @classmethod
    def open(cls, data: object) -> Frame:
        """From a dataframe, a mapping of columns, or a list of records."""
        if is_frame(data):
            return cls(data)
        if isinstance(data, Mapping):
            return Columns(data)
        if isinstance(data, list | tuple) and data and isinstance(data[0], Mapping):
            return Columns.of_records(data)
        raise InputError(
            f"A study is made from a dataframe (pandas, Polars, PyArrow …), a mapping of columns or a list of records; "
            f"got {type(data).__name__}. For arrays: Study.from_wide(array), Study.from_counts(array), "
            "Study.from_pairs(a, b)."
        )

    def need(self, role: str, name: object) -> str:
        """The column that plays a role, or an error with the nearest name; pandas may call columns by numbers."""
        for column in self.columns:
            if column == name:
                return column
        raise ColumnMissing(role, name, self.columns)

    def keep(self, names: Sequence[str]) -> None:
        """Collect a lazy frame once, with these columns."""
        if self._collected is None:
            assert isinstance(self._frame, nw.LazyFrame)
            self._collected = self._frame.select(*dict.fromkeys(names)).collect()

    def __len__(self) -> int:
        return len(self._eager([]))

    def cells(self, name: str) -> list[Any]:
        """A column as Python objects."""
        return self._eager([name]).get_column(name).to_list()

    def code(self, name: str, *, what: str = "label") -> Coded:
        """A column as codes."""
        return _code_series(self._eager([name]).get_column(name), what)

    def categories(self, name: str) -> Categories | None:
        """The declared categories of a categorical column and whether their order means something; else None."""
        return _categories(self._eager([name]).get_column(name))

    def lists(self, name: str) -> bool:
        """Does a column hold lists?"""
        series = self._eager([name]).get_column(name)
        if series.dtype in (nw.List, nw.Array):
            return True
        return series.dtype == nw.Object and _hold_lists(series.to_list())

    def numbers(self, name: str) -> FloatArray:
        """A column of numbers, NaN for silence."""
        return numbers_of(self.cells(name), f"the column {name!r}")

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
        self._lists = {str(name): _column(cells, name) for name, cells in data.items()}
        self._series = {
            str(name): nw.from_native(cells, series_only=True) for name, cells in data.items() if is_series(cells)
        }
        lengths = {name: len(cells) for name, cells in self._lists.items()}
        if len(set(lengths.values())) > 1:
            raise InputError(
                f"The columns are of different lengths: {lengths}. Every row needs a cell in each; None is silence."
            )

    @classmethod
    def of_records(cls, records: Sequence[Any]) -> Columns:
        """From a list of mappings, one a row; what a record does not name is missing."""
        for row, record in enumerate(records):
            if not isinstance(record, Mapping):
                raise InputError(f"A list of records holds mappings only; record {row} is {record!r}.")
        names = list(dict.fromkeys(name for record in records for name in record))
        return cls({name: [record.get(name) for record in records] for name in names})

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

    def categories(self, name: str) -> Categories | None:
        """Plain lists declare nothing; a column of an engine may."""
        return _categories(self._series[name]) if name in self._series else None

    def lists(self, name: str) -> bool:
        """Does a column hold lists?"""
        return _hold_lists(self._lists[name])


class Scan:
    """A lazy table: it stays in its engine, and only distinct values and sums come back."""

    def __init__(self, frame: nw.LazyFrame[Any]) -> None:
        self._frame = frame
        self._schema = frame.collect_schema()
        self.columns: list[str] = list(self._schema.names())

    @classmethod
    def of(cls, data: object) -> Scan | None:
        """From a lazy or distributed frame; None for anything else."""
        frame = nw.from_native(data, pass_through=True)
        return cls(frame) if isinstance(frame, nw.LazyFrame) else None

    def tidied(self, names: Sequence[str]) -> Scan:
        """Only these columns, in types that can be compared with plain values: text for categories, null for NaN."""
        return Scan(self._frame.select(*(self._tidy(name) for name in dict.fromkeys(names))))

    def _tidy(self, name: str) -> nw.Expr:
        kind, column = self._schema[name], nw.col(name)
        if kind in (nw.Categorical, nw.Enum, nw.Unknown):  # a column of nothing is of no known type
            return column.cast(nw.String)
        if kind.is_float():
            return nw.when(~column.is_nan()).then(column).alias(name)
        if kind.is_integer() or kind in (nw.String, nw.Boolean):
            return column
        raise InputError(
            f"The column {name!r} is of type {kind}, which cannot be grouped in the engine; make it text or "
            "numbers there."
        )

    def holds_lists(self, name: str) -> bool:
        """Does a column hold lists?"""
        return self._schema[name] in (nw.List, nw.Array)

    def categories(self, name: str) -> list[Any] | None:
        """What an enumeration declares, in order; other columns tell their values only when asked."""
        kind = self._schema[name]
        if not isinstance(kind, nw.Enum):
            return None
        tidy = dict.fromkeys(tidy_label(category) for category in kind.categories)
        return [label for label in tidy if label is not None]

    def where(self, name: str, value: object) -> Scan:
        """The rows with one value in a column."""
        return Scan(self._frame.filter(nw.col(name) == value))

    def between(self, name: str, low: Any, high: Any | None) -> Scan:
        """The rows from one value of a column up to, not including, another; None is no end."""
        inside = nw.col(name) >= low
        return Scan(self._frame.filter(inside if high is None else inside & (nw.col(name) < high)))

    def without_null(self, *names: str) -> Scan:
        """The rows with something in each of these columns."""
        return Scan(self._frame.drop_nulls(list(names)))

    def counted(self, *names: str) -> list[tuple[Any, ...]]:
        """The distinct values of some columns, each with the number of rows."""
        found = self._arrive(self._frame.group_by(*names).agg(nw.len().alias("number_")))
        return list(zip(*(found[name] for name in (*names, "number_")), strict=True))

    def filled(self, name: str) -> int:
        """How many rows have something in a column."""
        return int(self._arrive(self._frame.select(nw.col(name).count().alias("rows_")))["rows_"][0])

    def largest_group(self, *names: str) -> int:
        """The most rows that share one value of these columns."""
        sizes = self._frame.group_by(*names).agg(nw.len().cast(nw.Int64).alias("rows_"))
        return int(self._arrive(sizes.select(nw.col("rows_").max()))["rows_"][0] or 0)

    def repeats(self, *names: str) -> int:
        """How many rows are one too many where these columns should name a row."""
        sizes = self._frame.group_by(*names).agg(nw.len().cast(nw.Int64).alias("rows_"))
        more = sizes.filter(nw.col("rows_") > 1).select(nw.col("rows_").sum(), nw.len().alias("groups_"))
        found = self._arrive(more)
        return int(found["rows_"][0] or 0) - int(found["groups_"][0])

    def sums(self, key: Sequence[str], terms: Mapping[str, Sequence[Lookup]]) -> Scan:
        """One row a key: for each term the sum of the product of its look-ups, and the number of rows as `rows_`."""
        worth = {f"{name}_": _product(lookups) for name, lookups in terms.items()}
        each = (
            self._frame.with_columns(**worth)
            .group_by(*key)
            .agg(*(nw.col(f"{name}_").sum().alias(name) for name in terms), nw.len().cast(nw.Int64).alias("rows_"))
        )
        # some engines add integers into wider types: back to what the next group-by compares quickly
        return Scan(each.with_columns(*(nw.col(name).cast(nw.Int64) for name in terms)))

    def moments(
        self, key: str, terms: Mapping[str, Sequence[Lookup]], worth: Scan, on: Sequence[str]
    ) -> dict[str, Any]:
        """Per pattern of code sums: how many keys, and the sum and the sum of squares of their total worth.

        `worth` is a small table with the columns `on` and `worth_`, which may be any numbers.
        """
        codes = {f"{name}_": _product(lookups) for name, lookups in terms.items()}
        joined = self._frame.join(worth._frame, on=list(on), how="inner").with_columns(**codes)
        each = joined.group_by(key).agg(
            *(nw.col(f"{name}_").sum().alias(name) for name in terms), nw.col("worth_").sum().alias("total_")
        )
        each = each.with_columns(*(nw.col(name).cast(nw.Int64) for name in terms))
        each = each.with_columns((nw.col("total_") * nw.col("total_")).alias("square_"))
        found = each.group_by(*terms).agg(nw.len().alias("number_"), nw.col("total_").sum(), nw.col("square_").sum())
        return self._arrive(found)

    def meetings(self, key: str, who: str, what: str, most: int) -> list[tuple[Any, ...]]:
        """Every two rows of one key: who, whom, what each said, and how often; `most` such cells and one more."""
        left = self._frame.select(nw.col(key), nw.col(who).alias("who_"), nw.col(what).alias("said_"))
        right = self._frame.select(nw.col(key), nw.col(who).alias("whom_"), nw.col(what).alias("replied_"))
        met = left.join(right, on=key, how="inner").filter(nw.col("who_") < nw.col("whom_"))
        names = ("who_", "whom_", "said_", "replied_")
        found = self._arrive(met.group_by(*names).agg(nw.len().alias("number_")).head(most + 1))
        return list(zip(*(found[name] for name in (*names, "number_")), strict=True))

    def uploaded(self, columns: Mapping[str, Sequence[Any]]) -> Scan:
        """A small table in the same engine, on the same connection or session."""
        backend, native = self._frame.implementation, self._frame.to_native()
        if backend.is_duckdb():
            return Scan(nw.from_native(_beside(native, columns)))
        if backend.is_spark_like():
            rows = list(zip(*columns.values(), strict=True))
            return Scan(nw.from_native(native.sparkSession.createDataFrame(rows, list(columns))))
        if backend.is_polars():
            return Scan(nw.from_dict(dict(columns), backend="polars").lazy())
        raise InputError(
            f"A table cannot be handed to {backend} yet; use DuckDB, Polars or Spark, or collect the frame."
        )

    def first_of(self, name: str, *keys: str) -> Scan:
        """One row for each value of the keys: how many rows have it, and the least value of a column among them."""
        return Scan(self._frame.group_by(*keys).agg(nw.len().alias("items_"), nw.col(name).min().alias(name)))

    def joined(self, other: Scan, name: str) -> Scan:
        """The rows whose value in a column the other table has, with its columns."""
        return Scan(self._frame.join(other._frame, on=name, how="inner"))

    def arrive(self, *names: str) -> dict[str, Any]:
        """Columns as arrays and lists, here."""
        return self._arrive(self._frame.select(*names))

    def collected(self, names: Sequence[str]) -> Any:
        """These columns as a table in memory, in the form the engine likes to give."""
        return self._collect(self._frame.select(*names)).to_native()

    def _arrive(self, frame: nw.LazyFrame[Any]) -> dict[str, Any]:
        table = self._collect(frame)
        return {name: table.get_column(name).to_list() for name in table.columns}

    def _collect(self, frame: nw.LazyFrame[Any]) -> nw.DataFrame[Any]:
        """Run the query; what the engine says of memory or of overflow is said in our words."""
        backend = frame.implementation
        try:
            if backend.is_polars():
                return frame.collect("polars", engine="streaming")
            return frame.collect() if backend.is_dask() else frame.collect("pyarrow")
        except Exception as problem:
            told = f"{type(problem).__name__}: {problem}"
            if any(sign in told for sign in OVERFLOW_SIGNS):
                raise EngineOverflow(told) from None
            if any(sign in told for sign in MEMORY_SIGNS):
                raise InputError(
                    "The engine ran out of the memory it may use. Raise its limit (DuckDB: SET memory_limit), "
                    "lower its "
                    f"threads, or give it a place to spill to. It said: {told.splitlines()[0][:200]}"
                ) from None
            raise


class Lookup:
    """What each value of a column is worth; other values, and null, are worth nothing."""

    def __init__(self, column: str, worth: Mapping[Any, int]) -> None:
        self.column, self.worth = column, worth

    def expression(self) -> nw.Expr:
        """As nested choices where they are few, else as a look-up of the engine."""
        column, nothing = nw.col(self.column), nw.lit(0, dtype=nw.Int64)
        if len(self.worth) > NESTED_CHOICES:
            old, new = list(self.worth), list(self.worth.values())
            return column.replace_strict(old, new, default=0, return_dtype=nw.Int64)
        chosen: Any = nothing
        for value, worth in self.worth.items():
            chosen = nw.when(column == value).then(nw.lit(worth, dtype=nw.Int64)).otherwise(chosen)
        return chosen  # type: ignore[no-any-return]


def _product(lookups: Sequence[Lookup]) -> nw.Expr:
    expression = lookups[0].expression()
    for lookup in lookups[1:]:
        expression = expression * lookup.expression()
    return expression


def _beside(relation: Any, columns: Mapping[str, Sequence[Any]]) -> Any:
    """A small table on the connection of a DuckDB relation, which does not reveal it: DuckDB finds it by name."""
    import pyarrow as pa

    accord_small = pa.table({name: list(cells) for name, cells in columns.items()})
    assert accord_small is not None
    return relation.query("accord_here", "SELECT * FROM accord_small")


def series_categories(series: Any) -> Categories | None:
    """What one column on its own declares, if it is categorical."""
    return _categories(nw.from_native(series, series_only=True)) if is_series(series) else None


def column_cells(series: Any) -> list[Any] | np.ndarray[Any, Any]:
    """One column on its own (a pandas or Polars Series, an Arrow array) as cells to code."""
    column = nw.from_native(series, series_only=True)
    cells: list[Any] | np.ndarray[Any, Any]
    cells = column.to_numpy() if column.dtype.is_integer() and not column.is_null().any() else column.to_list()
    return cells


def index_of(data: Any) -> list[Any] | None:
    """The index of a pandas Series or DataFrame; None where there is none."""
    index = getattr(data, "index", None)
    if index is None or callable(index):
        return None
    return list(index)


def _same_names(problem: Exception) -> InputError:
    told = " ".join(str(problem).split())
    return InputError(f"Several columns of the table have the same name; rename them. ({told})")


def _column(cells: Any, name: object) -> Any:
    """A column of a mapping: arrays stay arrays, series become cells, the rest a list."""
    if isinstance(cells, np.ndarray) and cells.ndim == 1:
        return cells
    if isinstance(cells, np.ndarray | str | bytes | Mapping | set | frozenset) or not isinstance(cells, Iterable):
        raise InputError(f"The column {name!r} must be a list of cells, one a row; got {type(cells).__name__}.")
    return column_cells(cells) if is_series(cells) else list(cells)


def _hold_lists(cells: Iterable[Any]) -> bool:
    if isinstance(cells, np.ndarray) and cells.dtype != object:
        return False  # numbers and text: millions of cells need not be looked at
    return any(map(holds_several, cells))


def _code_series(series: nw.Series[Any], what: str) -> Coded:
    """Each kind of column in the quickest way that loses nothing."""
    kind = series.dtype
    if kind.is_integer():
        return _code_integers(series, what)
    if kind.is_float() or (kind == nw.Boolean and not series.is_null().any()):
        return code(series.to_numpy(), what=what)
    if kind == nw.Categorical and _tells_order(series.to_native()):
        native = series.to_native()
        return recode(np.asarray(native.cat.codes, dtype=np.int64), list(native.cat.categories), what=what)
    if len(series) > DICTIONARY_ROWS and kind in (nw.String, nw.Categorical, nw.Enum):
        return _code_text(series, what)
    return code(series.to_list(), what=what)


def _categories(series: nw.Series[Any]) -> Categories | None:
    """What a categorical column declares: blank categories are silence, the same in other letters is the same."""
    if series.dtype not in (nw.Categorical, nw.Enum):
        return None
    native = series.to_native()
    if _tells_order(native):  # pandas
        raw, ordered = list(native.cat.categories), bool(native.cat.ordered)
    elif series.dtype == nw.Enum:  # Polars: an enumeration declares its categories, in order
        raw, ordered = series.cat.get_categories().to_list(), True
    elif getattr(getattr(native, "type", None), "ordered", False):  # an Arrow dictionary that says it is in order
        raw, ordered = native.unify_dictionaries().chunk(0).dictionary.to_pylist(), True
    else:
        return None  # a plain Polars or Arrow dictionary is an encoding, not a declaration
    tidy = dict.fromkeys(tidy_label(category) for category in raw)
    return [label for label in tidy if label is not None], ordered


def _tells_order(native: Any) -> bool:
    """Is this a pandas categorical?"""
    return hasattr(native, "cat") and hasattr(native.cat, "ordered")


def _code_integers(series: nw.Series[Any], what: str) -> Coded:
    """Integers with their gaps: never through floats, which lose large ids."""
    silent = series.is_null()
    if not silent.any():
        return code(series.to_numpy(), what=what)
    filled = series.fill_null(0).to_numpy()
    unsigned = series.dtype == nw.UInt64
    integers = filled if filled.dtype.kind in "iu" else filled.astype(np.uint64 if unsigned else np.int64)
    return code(np.ma.masked_array(integers, mask=silent.to_numpy()), what=what)


def _code_text(series: nw.Series[Any], what: str) -> Coded:
    """Long text columns: distinct values in Python, codes by a join in the engine."""
    native = series.to_native()
    if series.dtype == nw.String and hasattr(native, "factorize"):  # pandas: both in one pass
        places, found = native.factorize()
        return recode(np.asarray(places, dtype=np.int64), list(found), what=what)
    series = series.cast(nw.String)
    distinct = sorted(value for value in series.unique().to_list() if isinstance(value, str))  # not None, not NaN
    if not distinct:
        return Coded(np.full(len(series), -1, dtype=np.int64), ())
    numbers = list(range(len(distinct)))
    codes: IntArray = series.replace_strict(distinct, numbers, default=-1, return_dtype=nw.Int64).to_numpy()
    return recode(codes, distinct, what=what)


def refuse_empty(rows: int, columns: Sequence[str]) -> None:
    """A table without rows cannot be a study."""
    if not rows:
        raise InputError(f"The table has no rows (its columns are {listing(columns)}). Was everything filtered out?")
