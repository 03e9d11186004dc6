"""Table: the one form in which rows come back."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from accord.errors import ExtraMissing, OptionError, json_value
from accord.options import ESCAPED, check_flag, check_whole, head, is_among, storable

if TYPE_CHECKING:
    from pathlib import Path

ROWS_PRINTED = 20
ROWS_IN_NOTEBOOK = 200
COUNTS = frozenset({
    "annotations", "annotators", "answers", "common_items", "count", "given", "items", "labels", "model_wins", "number",
    "pairs", "people", "person_wins", "rows", "runs",
})  # fmt: skip # columns that count something: only there has a large number separators, for elsewhere it may be an id
_own_way: ContextVar[Callable[[Table], str] | None] = ContextVar("own_way", default=None)


@contextmanager
def printed_by(own_way: Callable[[Table], str]) -> Iterator[None]:
    """Within, tables print in another way: the command draws them for the width of its terminal, wherever they stand.

    >>> with printed_by(lambda table: table.title):
    ...     print(Table("Shares", {"label": ["yes"]}))
    Shares
    """
    before = _own_way.set(own_way)
    try:
        yield
    finally:
        _own_way.reset(before)


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of equal length, with a title and notes; prints, and becomes a frame of any engine.

    >>> table = Table("Shares", {"label": ["yes", "no"], "share": np.array([0.75, 0.25])})
    >>> print(table)
    Shares
    label  share
    yes    0.750
    no     0.250
    >>> table["share"].max(), list(table)[0]["label"]
    (np.float64(0.75), 'yes')
    """

    title: str
    data: Mapping[str, Sequence[Any] | npt.NDArray[Any]]
    notes: tuple[str, ...] = field(default=())
    for_programs: tuple[str, ...] = field(default=())  # columns in the data, in CSV and JSON, that nobody has to read

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.data)

    def __len__(self) -> int:
        return len(next(iter(self.data.values()), ()))

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        """A column as an array."""
        if not is_among(name, self.data):
            raise OptionError.choice("column", name, self.columns, of_data=True)
        cells = self.data[name]
        column = cells.view() if isinstance(cells, np.ndarray) else _objects(cells)
        column.flags.writeable = False  # a table is what it is
        return column

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows, as dictionaries of plain Python values."""
        columns = [[plain(cell) for cell in self.data[name]] for name in self.columns]
        return (dict(zip(self.columns, row, strict=True)) for row in zip(*columns, strict=True))

    def sorted(self, by: str, *, descending: bool = False) -> Table:
        """The rows in another order; rows without a value go last, and equal ones stay as they stand.

        Numbers that are the same in their first twelve digits are equal: what differs beyond them is the arithmetic
        of a machine, and the order is to be the same on all of them.

        Args:
            by: The column to sort by.
            descending: Whether the largest come first.

        Returns:
            A new `Table`.

        Raises:
            OptionError: If there is no such column.

        >>> import accord
        >>> table = accord.pairwise([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["b", "a", "b"]])
        >>> table.sorted("value")["second"].tolist()
        ['3', '2', '3']
        """
        column = self[by]
        missing = [cell is None or (isinstance(plain(cell), float) and math.isnan(plain(cell))) for cell in column]
        present = [place for place in range(len(self)) if not missing[place]]
        order = sorted(present, key=lambda place: _twelve_digits(column[place]), reverse=descending)
        return self._rows(order + [place for place in range(len(self)) if missing[place]])

    def head(self, number: int) -> Table:
        """The first rows.

        Args:
            number: How many rows at most.

        Returns:
            A new `Table`.

        Raises:
            OptionError: If `number` is no whole number from 0.

        >>> import accord
        >>> table = accord.pairwise([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["b", "a", "b"]])
        >>> len(table), len(table.head(2))
        (3, 2)
        """
        check_whole("number", number, 0)
        return self._rows(list(range(min(number, len(self)))))

    def _rows(self, order: Sequence[int]) -> Table:
        rows = {name: self[name][list(order)] for name in self.columns}
        return Table(self.title, rows, self.notes, self.for_programs)

    @property
    def shown(self) -> Table:
        """What a reader sees of it: without the columns for programs, and without those in which no cell says anything.

        >>> Table("", {"name": ["a"], "key": ["x"], "note": [""]}, for_programs=("key",)).shown.columns
        ('name',)
        """
        kept = [name for name in self.columns if name not in self.for_programs]
        if len(self):
            kept = [name for name in kept if any(cell_text(cell).strip() for cell in self.data[name])]
        return Table(self.title, {name: self.data[name] for name in kept}, self.notes)

    def to_dict(self) -> dict[str, Any]:
        """For JSON: NaN is null; the notes, or a column of the row, say why.

        >>> import accord
        >>> table = accord.pairwise([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["b", "a", "b"]])
        >>> sorted(table.to_dict())
        ['columns', 'notes', 'object', 'rows', 'schema', 'title', 'version']
        """
        rows = [{name: json_value(cell) for name, cell in row.items()} for row in self]
        return {
            **head("table"),
            "title": self.title,
            "columns": list(self.columns),
            "rows": rows,
            "notes": list(self.notes),
        }

    def to_pandas(self) -> Any:
        """A pandas DataFrame.

        Returns:
            A `pandas.DataFrame` with the columns of the table.

        Raises:
            ExtraMissing: If pandas is not installed.

        >>> import accord
        >>> table = accord.pairwise([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["b", "a", "b"]])
        >>> table.to_pandas().shape
        (3, 7)
        """
        try:
            import pandas as pd
        except ImportError:
            raise ExtraMissing("to_pandas()", package="pandas") from None
        return pd.DataFrame({name: list(self.data[name]) for name in self.columns})

    def to_polars(self) -> Any:
        """A Polars DataFrame.

        Returns:
            A `polars.DataFrame` with the columns of the table.

        Raises:
            ExtraMissing: If Polars is not installed.

        >>> import accord
        >>> table = accord.pairwise([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["b", "a", "b"]])
        >>> table.to_polars().shape
        (3, 7)
        """
        try:
            import polars as pl
        except ImportError:
            raise ExtraMissing("to_polars()", "report") from None
        return pl.DataFrame({name: storable(map(plain, self.data[name])) for name in self.columns}, strict=False)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The Arrow stream protocol: `pyarrow.table(result)`, `duckdb.from_arrow(...)` and the like."""
        return self.to_polars().__arrow_c_stream__(requested_schema)

    def __str__(self) -> str:
        own_way = _own_way.get()
        if own_way is not None:
            return own_way(self)
        columns = self.shown.columns
        shown = [[cell_text(cell) for cell in _cells(self.data[name][:ROWS_PRINTED])] for name in columns]
        widths = [max([len(name), *map(len, cells)]) for name, cells in zip(columns, shown, strict=True)]
        lines = [self.title, _line(columns, widths)]
        lines += [_line(row, widths) for row in zip(*shown, strict=True)]
        if len(self) > ROWS_PRINTED:
            lines.append(f"… ({len(self):,} rows)")
        return "\n".join([*lines, *self.notes])

    __repr__ = __str__

    def to_csv(self, path: str | Path | None = None, *, keep_formulas: bool = False) -> str:
        """Comma-separated values with all digits.

        Args:
            path: A file to write them to as well.
            keep_formulas: Leave cells that begin with =, +, - or @ as they are. By default they get an apostrophe
                before them, or a spreadsheet would run them.

        Returns:
            The text.

        Raises:
            InputError: If the file cannot be written.
            OptionError: If `keep_formulas` is neither True nor False.

        >>> import accord
        >>> table = accord.pairwise([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["b", "a", "b"]])
        >>> print(table.head(1).to_csv().splitlines()[0])
        first,second,items,observed,expected,value,se
        """
        from accord.agreement.table_formats import as_csv

        check_flag("keep_formulas", keep_formulas)
        return _written(as_csv(self, keep_formulas=keep_formulas), path)

    def to_markdown(self, path: str | Path | None = None) -> str:
        """A Markdown table; columns that hold nothing are left out.

        Args:
            path: A file to write it to as well.

        Returns:
            The text.

        Raises:
            InputError: If the file cannot be written.

        >>> import accord
        >>> table = accord.pairwise([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["b", "a", "b"]])
        >>> print(table.head(1).to_markdown())
        **Cohen's kappa by pair of annotators, on the items both answered**
        <BLANKLINE>
        | first | second | items | observed | expected | value | se |
        |---|---|---|---|---|---|---|
        | 1 | 2 | 4 | 0.750 | 0.500 | 0.500 | 0.433 |
        """
        from accord.agreement.table_formats import rendered

        return _written(rendered(self, "markdown"), path)

    def to_latex(self, path: str | Path | None = None) -> str:
        """A LaTeX table for booktabs; columns that hold nothing are left out.

        Args:
            path: A file to write it to as well.

        Returns:
            The text.

        Raises:
            InputError: If the file cannot be written.

        >>> import accord
        >>> table = accord.pairwise([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["b", "a", "b"]])
        >>> "toprule" in table.to_latex()
        True
        """
        from accord.agreement.table_formats import rendered

        return _written(rendered(self, "latex"), path)

    def to_docx(self, path: str | Path) -> Path:
        """A Word document with the table as journals print it; columns that hold nothing are left out.

        Args:
            path: The file to write.

        Returns:
            The path of the file.

        Raises:
            InputError: If the file cannot be written.

        >>> import accord
        >>> import tempfile
        >>> from pathlib import Path
        >>> table = accord.pairwise([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["b", "a", "b"]])
        >>> table.to_docx(Path(tempfile.mkdtemp()) / "pairs.docx").name
        'pairs.docx'
        """
        from accord.agreement.word_document import word_document
        from accord.engine.whole_file import path_of, whole

        target = path_of(path)
        with whole(target) as half:
            half.write_bytes(word_document([self]))
        return target

    def _repr_html_(self) -> str:
        from accord.agreement.table_formats import for_notebook

        more = f"<p>… ({len(self):,} rows)</p>" if len(self) > ROWS_IN_NOTEBOOK else ""
        return for_notebook(self.shown.head(ROWS_IN_NOTEBOOK)) + more


def _written(text: str, path: str | Path | None) -> str:
    """A text, and a file with it where one is wanted; folders are not made."""
    if path is not None:
        from accord.engine.whole_file import path_of, whole

        with whole(path_of(path)) as half:
            half.write_text(text, encoding="utf-8", errors=ESCAPED, newline="")
    return text


class ShownAsTable:
    """A result that prints as its table, and shows itself so in a notebook."""

    def to_table(self) -> Table:
        """The table it is shown as."""
        raise NotImplementedError

    def __str__(self) -> str:
        return str(self.to_table())

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return self.to_table()._repr_html_()


def plain(cell: Any) -> Any:
    """A NumPy scalar as the Python value it is."""
    return cell.item() if isinstance(cell, np.generic) else cell


def _twelve_digits(cell: Any) -> Any:
    """What a cell is sorted by."""
    return float(f"{cell:.12g}") if isinstance(plain(cell), float) else cell


def column_text(column: str, cell: Any) -> str:
    """A cell of a column by this name: counts have separators, ids and labels are as they are.

    >>> column_text("items", 12345), column_text("item", 12345)
    ('12,345', '12345')
    """
    return cell_text(cell, thousands=column in COUNTS)


def cell_text(cell: Any, *, digits: int | None = 3, thousands: bool = False) -> str:
    """A cell as a reader wants it; without `digits`, a number in as few as tell it. Nothing is minus zero.

    >>> cell_text(0.12345), cell_text(1234), cell_text(float("nan")), cell_text(2.5, digits=None)
    ('0.123', '1234', '–', '2.5')
    >>> cell_text(-0.0001), cell_text(-0.0, digits=None)
    ('0.000', '0')
    """
    cell = plain(cell)
    if isinstance(cell, float):
        if math.isnan(cell):
            return "–"
        return f"{cell:zg}" if digits is None else f"{cell:z.{digits}f}"
    if cell is None:
        return "–"
    if thousands and isinstance(cell, int) and not isinstance(cell, bool):
        return f"{cell:,}"
    return (
        ", ".join(map(str, cell)) if type(cell) is tuple else str(cell)
    )  # sets and rankings know how they are written


def _cells(column: Any) -> Sequence[Any]:
    """The cells of a column; of plain numbers as Python has them, all at once."""
    numbers = isinstance(column, np.ndarray) and column.dtype.kind in "fiub"
    cells: Sequence[Any] = column.tolist() if numbers else column
    return cells


def _objects(cells: Sequence[Any]) -> npt.NDArray[Any]:
    array = np.empty(len(cells), dtype=object)
    for place, cell in enumerate(cells):
        array[place] = cell
    return array


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
