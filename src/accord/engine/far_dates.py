"""Dates, times and durations beyond those that Python has: held as text, so that the table around them can be read.

Parquet and Arrow count days and moments in integers, databases write "infinity" as the last of them; Python ends with
the year 9999. Text says what such a cell is, and nothing of it is lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from accord.engine.arrow_columns import arrow_of, moments_of_arrow, parts_of_arrow, parts_of_polars
from accord.engine.pandas_tables import is_of_pandas, moments_of_a_zone
from accord.errors import InputError, at_column

FIRST, LAST = np.datetime64("0001-01-01"), np.datetime64("9999-12-31")
LONGEST = np.timedelta64(999_999_999, "D")
TEMPORAL = (nw.Date, nw.Datetime, nw.Duration)
OF_ARROW = (nw.Categorical, nw.Unknown)  # dates by their places in a list of them; days counted in milliseconds


def far_as_text(frame: nw.DataFrame[Any]) -> nw.DataFrame[Any]:
    """A table whose columns of dates, times and durations Python can all look at; the others are text."""
    found = {name: column_as_text(frame.get_column(name)) for name, kind in frame.schema.items() if _may_be_far(kind)}
    far = [series.alias(name) for name, series in found.items() if series.dtype != frame.schema[name]]
    return frame.with_columns(*far) if far else frame


def _may_be_far(kind: Any) -> bool:
    """Does a type hold dates, somewhere down? What narwhals has no name for, and categories of Arrow, may be dates."""
    if isinstance(kind, nw.Struct):
        return any(_may_be_far(field.dtype) for field in kind.fields)
    if isinstance(kind, nw.List | nw.Array):
        return _may_be_far(kind.inner)
    return kind in (*TEMPORAL, *OF_ARROW)


def native_far_as_text(frame: Any) -> Any:
    """The same of a table of Polars itself."""
    return far_as_text(nw.from_native(frame, eager_only=True)).to_native()


def column_as_text(series: nw.Series[Any]) -> nw.Series[Any]:
    """The column as it is, or as text where it holds something that Python has no date for."""
    if series.dtype.is_nested():
        return _refuse_far(series)
    moments = _moments(series)
    if moments is None:
        return series
    nothing = np.isnat(moments)
    distinct = int(nothing.sum()) <= series.null_count()  # the lowest integer is nothing to NumPy, no date to Python
    if distinct and not _any_far(moments, zoned=_zoned(series)):
        return series
    texts = [None if missing else str(moment) for moment, missing in zip(moments, nothing, strict=True)]
    return nw.new_series(series.name, texts, nw.String, backend=series.implementation)


def _moments(series: nw.Series[Any]) -> np.ndarray[Any, Any] | None:
    """The column as NumPy counts it, in any year; None where its cells are no integers that Python would turn."""
    held = arrow_of(series)
    if held is not None:
        found = moments_of_arrow(held)
    elif series.dtype not in TEMPORAL:
        return None  # times of day are always those of a day
    elif is_of_pandas(series.to_native()):
        found = moments_of_a_zone(series.to_native())  # pandas has other dates of its own, of any year
    else:
        found = np.asarray(series.to_numpy())
    return found if found is not None and found.dtype.kind in "mM" else None


def _zoned(series: nw.Series[Any]) -> bool:
    """Are its moments those of a place?"""
    return getattr(series.dtype, "time_zone", None) is not None


def _any_far(moments: np.ndarray[Any, Any], *, zoned: bool) -> bool:
    """Is any of them further away than Python counts? In the zone of a place the last day may be the next one."""
    if moments.dtype.kind == "m":
        lengths = moments.astype("timedelta64[D]")
        return bool(((lengths > LONGEST) | (lengths < -LONGEST)).any())
    days = moments.astype("datetime64[D]")
    return bool(((days < FIRST + int(zoned)) | (days > LAST - int(zoned))).any())


def _refuse_far(series: nw.Series[Any]) -> nw.Series[Any]:
    """Dates within lists and records are text where they come from or not at all: only whole columns become text."""
    if _may_be_far(series.dtype) and any(column_as_text(leaf).dtype != leaf.dtype for leaf in _leaves(series)):
        raise InputError(
            "The column ",
            at_column(series.name),
            " holds lists or records with dates that Python does not have: it ends with "
            "the year 9999. Make them text where the table comes from, or leave the column out.",
        )
    return series


def _leaves(series: nw.Series[Any]) -> Iterator[nw.Series[Any]]:
    """The columns of plain cells that a column of lists or records holds."""
    kind = series.dtype
    if not kind.is_nested():
        yield series
        return
    held = arrow_of(series)
    for part in parts_of_arrow(held) if held is not None else parts_of_polars(series.to_native()):
        yield from _leaves(nw.from_native(part, series_only=True))
