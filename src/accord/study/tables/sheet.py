"""A table in memory whose columns are still to be recognised: read from a file, or given as a dataframe."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from accord.annotations.left_out import LeftOut
from accord.engine.frames import Columns, Frame
from accord.engine.joined_columns import joined_cells, joined_name
from accord.engine.text_columns import NumberedTexts, are_numbered, blank_places
from accord.errors import InputError, Keyword, Part, Place, Remedy, quoted, remedy
from accord.study.declared_scales import Scale
from accord.study.shapes.shape_of_file import ShapeOfFile

SAMPLE = 2_000  # rows looked at to find the roles
NUMBER = re.compile(r"\s*[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*", re.ASCII)
PADDED = re.compile(r"\s*[+-]?0\d")
TOO_LONG = re.compile(r"-?\d{16,}")  # whole numbers of which a float may lose the last digits
ALWAYS_PRESENT = {str, int, bool, type(None)}  # what `present` leaves as it is
MANY = 1_000_000  # rows of a file from which a study is put together when something of it is first needed


def as_label(cell: Any) -> str:
    """A cell as labels are compared: a column of whole numbers with gaps is one of 1.0, 2.0, which are 1 and 2.

    >>> as_label(1.0), as_label(1), as_label("yes"), as_label(2.5)
    ('1', '1', 'yes', '2.5')
    """
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


@dataclass
class Sheet:
    """Named columns: lists, or a Polars frame where there are many rows."""

    given = False  # as a table in memory; its cells are as their owner made them

    where: str
    shape: ShapeOfFile  # what it is called in a description
    data: Any
    notes: list[str] = field(default_factory=list)
    left_out: LeftOut = field(default_factory=LeftOut)
    scales: dict[str, Scale] = field(default_factory=dict)  # by variable, where `Study.write` kept them
    naming: Sequence[str] = ()  # columns that name the item together, and hold nobody's answers

    def __post_init__(self) -> None:
        self.columns = [str(name) for name in (self.data if isinstance(self.data, dict) else self.data.columns)]

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(next(iter(self.data.values()), [])) if isinstance(self.data, dict) else self.data.height

    def error(self, *message: Part, part: str = "") -> InputError:
        """The error for a table that cannot be a study as it stands."""
        return InputError(*message, place=Place(self.where, part=part), available=self.columns)

    def named(self, shape: str) -> str:
        """What the study is said to be made from: the file, and the shape that it was found to have."""
        return self.shape.laid_out(shape)

    @property
    def large(self) -> bool:
        """Is it a file of so many rows that they are coded when something of them is first needed?"""
        return self.rows > MANY

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
        return list(map(_key, self._head(name)))

    def keys(self, name: str) -> list[Any]:
        """A column as what tells its cells apart."""
        return list(map(_key, self.cells(name)))

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

    def blank_rows(self) -> list[int]:
        """The numbers of the rows in which no cell holds anything."""
        if isinstance(self.data, dict):
            return [place for place, row in enumerate(zip(*self.data.values(), strict=True)) if all(map(is_blank, row))]
        import polars as pl

        texts = [pl.col(name).cast(pl.String).str.strip_chars().fill_null("") == "" for name in self._plain()]
        blank = self.data.select(blank=pl.all_horizontal(*texts))["blank"] if len(texts) == len(self.columns) else None
        return [] if blank is None else blank.arg_true().to_list()

    def n_gaps(self, name: str) -> int:
        """How many cells of a column hold nothing."""
        if isinstance(self.data, dict):
            return sum(map(is_blank, self.data[name]))
        import polars as pl

        column = self.data[name]
        if are_numbered(column):
            numbered = NumberedTexts(column)
            blank = blank_places(numbered.texts)
            only_missing = len(blank) == numbered.texts.null_count()
            return int(column.null_count() if only_missing else numbered.counts[blank.to_numpy()].sum())
        if column.dtype != pl.String:
            return int(column.null_count())  # whatever else a column holds is never blank
        return len(blank_places(column))

    def _plain(self) -> list[str]:
        """The columns of a frame that hold no lists or objects."""
        return [name for name, kind in self.data.schema.items() if not kind.is_nested()]

    def take_out(self, rows: Sequence[int]) -> None:
        """Take some rows away."""
        gone = set(rows)
        if isinstance(self.data, dict):
            self.data = {n: [c for place, c in enumerate(cells) if place not in gone] for n, cells in self.data.items()}
            return
        import polars as pl

        self.data = self.data.with_row_index("row_").filter(~pl.col("row_").is_in(list(rows))).drop("row_")

    def join_item(self, names: Sequence[str]) -> str:
        """One column for an item that several name together; returns what it is called."""
        called = joined_name(names)
        self.naming = tuple(names)
        if called not in self.columns:
            cells = joined_cells([self.cells(name) for name in names], names)
            self.replaced(called, self.column_of(called, cells))
            self.columns = [*self.columns, called]
        return called

    def column_of(self, name: str, cells: list[Any]) -> Any:
        """Cells as the table holds a column."""
        if isinstance(self.data, dict):
            return cells
        import polars as pl

        return pl.Series(name, cells)

    def make_text(self, name: str) -> None:
        """Make every cell of a column text."""
        self.replaced(name, self.column_of(name, [None if cell is None else str(cell) for cell in self.cells(name)]))

    def only_value(self, name: str) -> Any:
        """The value that every cell of a column of a large table has; None if there are several."""
        if isinstance(self.data, dict):
            return None
        found = self.data[name].unique().to_list()
        return found[0] if len(found) == 1 else None

    def numbers(self, name: str) -> Any:
        """A column of numbers, read generously (0.10, 1e3), or None if it is not one."""
        if not isinstance(self.data, dict):
            import polars as pl

            column = self.data[name]
            if column.dtype.is_nested():  # lists and records, of a Parquet file
                return None
            if are_numbered(column):
                column = column.cast(pl.String)
            if column.dtype != pl.String:
                return column
            bare = column.str.strip_chars().replace("", None)
            cast = bare.str.strip_prefix("+").cast(pl.Float64, strict=False)
            return cast if cast.null_count() == bare.null_count() else None
        return numbers_of(self.data[name])

    def odd_among_numbers(self, name: str) -> tuple[int, int, int]:
        """The row of the first cell that is no number, how many cells are one, and how many are not."""
        texts = [(row, cell) for row, cell in enumerate(self.cells(name)) if cell is not None and cell != ""]
        odd = [row for row, cell in texts if numbers_of([cell]) is None]
        return odd[0] if odd else -1, len(texts) - len(odd), len(odd)

    def no_numbers(self, name: str, role: str) -> InputError:
        """The error for a column whose role is to hold numbers: it names the first cell that is none, and its row."""
        row, _, others = self.odd_among_numbers(name)
        more = f" ({others:,} cells are such)" if others > 1 else ""
        return self.error(
            Keyword(role, name),
            " must be a column of numbers; the cell ",
            quoted(self.cells(name)[row]),
            f" is none{more}. Mend it, or name another column.",
            part=f"row {row + 1}",
        )

    def type_labels(self, name: str) -> None:
        """Labels of a file that are numbers, each written in its way (-0, +3, 1e3, ' 7 '), are numbers; 007 is a name.

        Ids are not read so: 1e3 and 1000 are two of them.
        """
        if not self.given and not self.scales and _are_numbers(self._distinct_texts(name)):
            self.make_numbers(name)

    def _distinct_texts(self, name: str) -> list[Any]:
        """The different cells of a column of text; none of any other column."""
        if isinstance(self.data, dict):
            cells = self.data[name]
            return [*{*cells} - {None}] if all(cell is None or isinstance(cell, str) for cell in cells) else []
        import polars as pl

        column = self.data[name]
        if isinstance(
            column.dtype, pl.Categorical
        ):  # text by another encoding; an enumeration declares its labels as they are
            column = NumberedTexts(column).texts
        return column.unique().drop_nulls().to_list() if column.dtype == pl.String else []

    def make_numbers(self, name: str) -> bool:
        """Make a column one of numbers; False if its cells are not all numbers."""
        found = self.numbers(name)
        if found is not None:
            self.replaced(name, found)
        return found is not None

    def replaced(self, name: str, cells: Any) -> None:
        """Put other cells in a column."""
        if isinstance(self.data, dict):
            self.data[name] = cells
        else:
            self.data = self.data.with_columns(cells.alias(name))


class FrameSheet(Sheet):
    """A table that was given: a dataframe of any engine, a mapping of columns, a list of records."""

    given = True

    def __init__(self, frame: Frame) -> None:
        if not all(isinstance(name, str) for name in frame.columns):  # pandas may call columns by numbers
            frame = Columns({str(name): frame.native(name) for name in frame.columns})
        self._frame = frame
        self._heads: dict[str, list[Any]] = {}  # every layout that is tried looks at the first cells
        self._samples: dict[str, list[Any]] = {}  # and at those that hold something
        super().__init__("", ShapeOfFile("table"), frame)
        self.columns = list(frame.columns)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self._frame)

    @property
    def large(self) -> bool:
        """What is wrong with a table that was given is said at once."""
        return False

    def named(self, shape: str) -> str:
        """A table that was given is called by its shape."""
        return shape

    def error(self, *message: Part, part: str = "") -> InputError:
        """The error for a table that cannot be a study as it stands."""
        first, *rest = message
        begun = f"{first[:1].upper()}{first[1:]}" if isinstance(first, str) else first
        return InputError(begun, *rest, place=Place(part=part), available=self.columns)

    def reading(self, **options: Any) -> Remedy:
        """The call that makes a study of it with these keywords."""
        shape = options.pop("shape", None)
        if "annotators" in options or shape == "wide":
            return remedy("Study.from_wide", "table", **options)
        return remedy(f"Study.from_{shape}" if shape in ("counts", "confusion") else "Study", "table", **options)

    def cells(self, name: str) -> list[Any]:
        """A column as Python objects, None for missing."""
        return [present(cell) for cell in self._frame.cells(name)]

    def sample(self, name: str) -> list[Any]:
        """The cells of the first rows that hold something, found once."""
        if name not in self._samples:
            self._samples[name] = super().sample(name)
        return self._samples[name]

    def _head(self, name: str) -> list[Any]:
        if name not in self._heads:
            cells = self._frame.first_cells(name, SAMPLE)
            plain = set(map(type, cells)) <= ALWAYS_PRESENT
            self._heads[name] = cells if plain else [present(cell) for cell in cells]
        return self._heads[name]

    def lay_open(self) -> None:
        """All columns as lists, to be changed cell by cell."""
        self._take(self.lists())

    def column_of(self, name: str, cells: list[Any]) -> Any:
        """Cells as they are."""
        return cells

    def only_value(self, name: str) -> Any:
        """Not looked for: the rows are read one by one."""

    def numbers(self, name: str) -> Any:
        """A column of numbers, read generously, or None if it is not one."""
        return numbers_of(self.cells(name))

    def make_numbers(self, name: str) -> bool:
        """Make a column one of numbers; one that is by its type stays as it is."""
        return self._frame.is_numeric(name) or super().make_numbers(name)

    def replaced(self, name: str, cells: Any) -> None:
        """Put other cells in a column; the other columns stay what they are."""
        self._take({**{other: self._frame.native(other) for other in self.columns}, name: cells})

    def _take(self, columns: dict[str, Any]) -> None:
        self._frame = self.data = Columns(columns)
        self._heads, self._samples = {}, {}


def _key(cell: Any) -> Any:
    """What tells a cell from others: of a list or record its text, as neither can be a key."""
    return json.dumps(cell, default=str) if isinstance(cell, list | dict) else cell


def is_blank(cell: Any) -> bool:
    """Does a cell hold nothing?"""
    return cell is None or (isinstance(cell, str) and not cell.strip())


def present(cell: Any) -> Any:
    """A cell of any engine as a reader has it: None for NaN, NaT and NA, lists for arrays.

    >>> present(float("nan")), present(np.array([1, 2])), present("")
    (None, [1, 2], '')
    """
    if isinstance(cell, np.ndarray):
        return cell.tolist()
    if isinstance(cell, np.generic):
        cell = cell.item()
    if cell is None or isinstance(cell, str | int | list | dict | tuple):
        return cell
    try:
        return cell if bool(cell == cell) else None  # noqa: PLR0124 - NaN and NaT differ from themselves
    except (TypeError, ValueError, ArithmeticError):  # NA is neither, and some NaN refuse to be compared
        return None


def _are_numbers(texts: Sequence[str]) -> bool:
    """Is every text a number, however written? Not where zeros tell codes apart: 007 from 7, 1.10 from 1.1.

    Nor where digits would be lost: 9007199254740992 and 9007199254740993 are two labels, and one float.
    """
    bare = {text.strip().lstrip("+") for text in texts if text.strip()}
    if not bare or not all(NUMBER.fullmatch(text) and not PADDED.match(text) for text in bare):
        return False
    if any(map(TOO_LONG.fullmatch, bare)):
        return False
    decimals = [text for text in bare if "." in text and "e" not in text.lower()]
    return len({float(text) for text in decimals}) == len(decimals)


def numbers_of(cells: Sequence[Any]) -> list[Any] | None:
    """Cells as numbers, or None if one is not."""
    found: list[Any] = []
    for cell in cells:
        if cell is None or (isinstance(cell, int | float) and not isinstance(cell, bool)):
            found.append(cell)
            continue
        try:
            number = float(cell)
        except (TypeError, ValueError, OverflowError):
            return None
        found.append(int(number) if math.isfinite(number) and number == int(number) else number)
    return found


def json_cell(cell: str) -> Any:
    """A cell that holds JSON, or the cell itself."""
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return cell
