"""What is asked of an engine beyond narwhals, and what most engines answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum, auto
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt

from accord.engine.far_dates import column_as_text
from accord.engine.lookup import Lookup, product
from accord.errors import InputError, Keyword, collected, in_python

Frame = nw.LazyFrame[Any]
Prints: TypeAlias = npt.NDArray[np.uint64]
Cells: TypeAlias = Sequence[Any] | npt.NDArray[Any]  # of a column of a small table: an array where they are many


class Trouble(Enum):
    """Why a query may fail, in the order in which the signs of it are looked for."""

    TYPE = auto()  # of a column, which cannot leave the engine
    OVERFLOW = auto()  # a sum was too large
    MEMORY = auto()
    CONNECTION = auto()  # to a database
    FUNCTION = auto()  # one that the engine lacks
    FORBIDDEN = auto()  # by a setting of the connection: to write files
    BUSY = auto()  # with a query of somebody else's
    FILE = auto()  # behind the table


Signs: TypeAlias = Mapping[Trouble, tuple[str, ...]]  # of a trouble: what an error has in its name or its words


class Dialect:
    """An engine without peculiarities; each of the others says what it does differently."""

    signs: ClassVar[Signs] = {
        Trouble.OVERFLOW: ("ArrowInvalid",),  # what arrives comes as Arrow
        Trouble.MEMORY: ("OutOfMemory",),
        Trouble.FILE: ("FileNotFoundError", "No such file", "decompress", "corrupt", "Corrupt"),
    }
    sum_bits = 60  # of a sum that the engine adds up in its quickest numbers
    cuts_groups = True  # can it stop after some rows of a group-by?
    joins_and_sorts = True  # well enough for the many passes of a model?
    gives_batches = False  # does it run in this process, so that fetching numbers costs no more than making them?

    def refuses(self, name: str) -> bool:
        """Does the engine take the name of a column for something else?"""
        return name == "*"

    def holds_nothing(self, _frame: Frame, _name: str) -> bool:
        """Is a column whose type narwhals does not know one without any value?"""
        return True

    def with_digest(self, frame: Frame, _name: str) -> Frame:
        """With a number of 126 bits for the text of a column, where the engine makes one."""
        return frame

    def prints(self, _frame: Frame, _names: Sequence[str], _bounds: tuple[int, int] | None) -> Iterator[Prints] | None:
        """Hashes of some columns together, within bounds, some at a time; None where the engine makes none."""
        return None

    def counted_texts(self, _frame: Frame, _name: str) -> list[tuple[Any, ...]] | None:
        """The distinct texts of a column with their numbers of rows; None where an engine needs no way of its own."""
        return None

    def upload(self, frame: Frame, _columns: Mapping[str, Cells]) -> Frame:
        """A small table in the engine of a frame, on the same connection or session."""
        raise InputError(
            f"A table cannot be handed to {frame.implementation} yet; use DuckDB, Polars or Spark, or collect the "
            "frame.",
            remedies=[collected()],
        )

    def collect(self, frame: Frame) -> nw.DataFrame[Any]:
        """Run the query."""
        return frame.collect("pyarrow")

    def handed(self, _frame: Frame, table: nw.DataFrame[Any]) -> Frame:
        """A table in memory as a frame of the engine; for those that give batches."""
        return table.lazy()

    def batches(self, frame: Frame, names: Sequence[str]) -> Iterator[tuple[npt.NDArray[Any], ...]]:
        """Columns of numbers, some rows at a time and in any order; for engines that run in this process."""
        table = self.collect(frame)
        yield tuple(table.get_column(name).to_numpy() for name in names)

    def cells(self, column: nw.Series[Any]) -> list[Any]:
        """A column that was collected as a list, None for missing."""
        return column_as_text(column).to_list()

    # -- sums of products of look-ups ---------------------------------------------------------------------------------

    def with_products(self, frame: Frame, terms: Mapping[str, Sequence[Lookup]]) -> Frame:
        """With a column for each term: the product of its look-ups."""
        return frame.with_columns(**{name: product(lookups) for name, lookups in terms.items()})

    def adds_doubles(self, _lookups: Sequence[Lookup]) -> bool:
        """Are the products of look-ups, and so their sums, doubles?"""
        return False

    # -- what is kept and written -------------------------------------------------------------------------------------

    @contextmanager
    def kept(self, frame: Frame) -> Iterator[Frame]:
        """The frame, held by the engine for as long as it is read again and again, where that helps."""
        yield frame

    def write_parquet(self, frame: Frame, path: Path) -> None:
        """Have the engine write the table."""
        frame.sink_parquet(path)

    def write_csv(self, frame: Frame, _path: Path) -> None:
        """Have the engine write the table."""
        raise InputError(
            f"{frame.implementation} writes no CSV for accord. Write Parquet",
            in_python(", or take gold.lazy() and write it yourself", ""),
            ".",
            option=Keyword("path"),
            available=(".parquet",),
        )


def arrow_table(columns: Mapping[str, Cells]) -> Any:
    """Columns as an Arrow table."""
    import pyarrow as pa

    return pa.table({
        name: cells if isinstance(cells, np.ndarray) else list(cells) for name, cells in columns.items()
    })  # fmt: skip
