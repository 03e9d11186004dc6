"""Dates, times and durations beyond those that Python has: held as text, so that the table around them can be read.

Parquet and Arrow count days and moments in integers, databases write "infinity" as the last of them; Python ends with
the year 9999. Text says what such a cell is, and nothing of it is lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from accord.errors import InputError

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
    if kind == nw.Struct:
        return any(_may_be_far(field.dtype) for field in kind.fields)
    if kind in (nw.List, nw.Array):
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
    told_apart = int(nothing.sum()) <= series.null_count()  # the lowest integer is nothing to NumPy, no date to Python
    if told_apart and not _any_far(moments, zoned=_zoned(series)):
        return series
    texts = [None if missing else str(moment) for moment, missing in zip(moments, nothing, strict=True)]
    return nw.new_series(series.name, texts, nw.String, backend=series.implementation)


def _moments(series: nw.Series[Any]) -> np.ndarray[Any, Any] | None:
    """The column as NumPy counts it, in any year; None where its cells are no integers that Python would turn."""
    native = series.to_native()
    if series.dtype in OF_ARROW:
        found = _of_arrow(series)
    elif series.dtype not in TEMPORAL:
        return None  # times of day are always those of a day
    elif not series.implementation.is_pandas_like():
        found = np.asarray(series.to_numpy())
    elif hasattr(native.dtype, "pyarrow_dtype"):
        found = np.asarray(series.to_arrow().to_numpy(zero_copy_only=False))
    elif _zoned(series):
        found = np.asarray(native.to_numpy(dtype=f"datetime64[{native.dtype.unit}]"))
    else:
        return None  # pandas has dates of its own, of any year, but for those of a zone
    return found if found is not None and found.dtype.kind in "mM" else None


def _of_arrow(series: nw.Series[Any]) -> np.ndarray[Any, Any] | None:
    """The dates that Arrow holds in a way that others do not know; None for whatever else it is."""
    native = series.to_native()
    if not (series.implementation.is_pyarrow() or hasattr(native.dtype, "pyarrow_dtype")):
        return None
    import pyarrow as pa

    held = native if series.implementation.is_pyarrow() else series.to_arrow()
    kind = held.type.value_type if pa.types.is_dictionary(held.type) else held.type
    if not (pa.types.is_date(kind) or pa.types.is_timestamp(kind) or pa.types.is_duration(kind)):
        return None
    return np.asarray(held.cast(kind).to_numpy(zero_copy_only=False))


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
            f"The column {series.name!r} holds lists or records with dates that Python does not have: it ends with "
            "the year 9999. Make them text where the table comes from, or leave the column out."
        )
    return series


def _leaves(series: nw.Series[Any]) -> Iterator[nw.Series[Any]]:
    """The columns of plain cells that a column of lists or records holds."""
    kind, native = series.dtype, series.to_native()
    if not kind.is_nested():
        yield series
        return
    if series.implementation.is_polars():
        parts = [native.struct.field(one.name) for one in kind.fields] if kind == nw.Struct else [native.explode()]
    else:
        parts = _arrow_parts(native if series.implementation.is_pyarrow() else series.to_arrow(), kind)
    for part in parts:
        yield from _leaves(nw.from_native(part, series_only=True))


def _arrow_parts(held: Any, kind: Any) -> list[Any]:
    """The fields of Arrow's records, or the elements of its lists, as columns."""
    import pyarrow as pa
    import pyarrow.compute as pc

    parts = [pc.struct_field(held, one.name) for one in kind.fields] if kind == nw.Struct else [pc.list_flatten(held)]
    return [part if isinstance(part, pa.ChunkedArray) else pa.chunked_array([part]) for part in parts]
