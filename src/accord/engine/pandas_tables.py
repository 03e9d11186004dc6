"""What pandas does differently from other tables in memory: an index with names, cells that are shared, categories that
say their order, text that it codes itself.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

import numpy as np

from accord.annotations.answers import Order
from accord.annotations.factorize import Coded, recode


def is_of_pandas(data: Any) -> bool:
    """Is it a table or column of pandas? Its package need not be loaded to know."""
    return type(data).__module__.partition(".")[0] == "pandas"


def is_pandas_table(data: Any) -> bool:
    """Is it a table, which may keep names outside its columns?"""
    return is_of_pandas(data) and hasattr(data, "columns")


def names_of_rows(table: Any) -> list[Any] | None:
    """What rows are called by the index of a table; None where it only numbers them."""
    return None if type(table.index).__name__ == "RangeIndex" else list(table.index)


def names_its_index(table: Any) -> bool:
    """Does the index say what it holds?"""
    return any(name is not None for name in table.index.names)


def of_one_type(table: Any) -> bool:
    """Are all columns of one type?"""
    return len(set(map(str, table.dtypes))) < 2


def copied(data: Any, most: int) -> Any:
    """A table or column that its owner may change without changing ours; of more cells than `most` pandas itself copies
    what is written to, where it does.
    """
    return data.copy(deep=data.size <= most or not _copies_on_write())


def _copies_on_write() -> bool:
    """Does pandas copy shared cells when somebody writes to them? Before 3 it did so only where that was asked for."""
    return int(sys.modules["pandas"].__version__.partition(".")[0]) >= 3


def moments_of_a_zone(column: Any) -> np.ndarray[Any, Any] | None:
    """Moments of a place as NumPy counts them; None for dates without a zone, which pandas has of any year."""
    unit = getattr(column.dtype, "unit", None)
    return column.to_numpy(dtype=f"datetime64[{unit}]") if getattr(column.dtype, "tz", None) is not None else None


def with_names_in_columns(data: Any, columns: Iterable[object] = (), *, wide: bool = False) -> Any:
    """A table of pandas that keeps names outside its columns, with them as columns; anything else as it is.

    Several levels of columns are joined as two lines of a header are. An index of several named levels, one that
    `columns` names, or of a wide table any that has a name, says what rows are.
    """
    if not is_pandas_table(data):
        return data
    if data.columns.nlevels > 1:
        data = data.set_axis(["_".join(str(part) for part in name if part != "") for name in data.columns], axis=1)
    names = [name for name in data.index.names if isinstance(name, str) and name not in data.columns]
    needed = wide or len(names) > 1 or bool(set(names) & set(map(str, columns)))
    return data.reset_index() if needed and len(names) == data.index.nlevels else data


def is_categorical(column: Any) -> bool:
    """Is it a column of categories, with or without an order?"""
    return hasattr(column, "cat") and hasattr(column.cat, "ordered")


def categories(column: Any) -> tuple[list[Any], Order]:
    """The categories of such a column, and whether their order is meant."""
    return list(column.cat.categories), "meant" if column.cat.ordered else ""


def coded_categories(column: Any, what: str) -> Coded:
    """Such a column as codes."""
    return recode(np.asarray(column.cat.codes, dtype=np.int64), list(column.cat.categories), what=what)


def codes_text(column: Any) -> bool:
    """Does a column of text find its distinct values and their codes in one pass?"""
    return hasattr(column, "factorize")


def coded_text(column: Any, what: str) -> Coded:
    """Such a column as codes."""
    from accord.engine.short_texts import coded_short_texts  # of long columns alone

    short = coded_short_texts(column)
    if short is not None:
        return short
    places, found = column.factorize()
    return recode(np.asarray(places, dtype=np.int64), np.asarray(found, dtype=object).tolist(), what=what)
