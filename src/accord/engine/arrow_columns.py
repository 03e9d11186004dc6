"""Columns in memory as Arrow, pandas and Polars have them: their dates, and the parts of nested ones."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np


def arrow_of(series: nw.Series[Any]) -> Any:
    """The column as one of pyarrow, where pyarrow or pandas hold it as such; else None."""
    native = series.to_native()
    if type(native).__module__.partition(".")[0] == "pyarrow":
        return native
    return series.to_arrow() if hasattr(native.dtype, "pyarrow_dtype") else None


def moments_of_arrow(held: Any) -> np.ndarray[Any, Any] | None:
    """Dates, times and durations as NumPy counts them; None for whatever else it is."""
    import pyarrow as pa

    kind = held.type.value_type if pa.types.is_dictionary(held.type) else held.type
    if not (pa.types.is_date(kind) or pa.types.is_timestamp(kind) or pa.types.is_duration(kind)):
        return None
    return np.asarray(held.cast(kind).to_numpy(zero_copy_only=False))


def parts_of_arrow(held: Any) -> list[Any]:
    """The fields of records, or the elements of lists, as columns."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_struct(held.type):
        parts = [pc.struct_field(held, place) for place in range(held.type.num_fields)]
    else:
        parts = [pc.list_flatten(held)]
    return [part if isinstance(part, pa.ChunkedArray) else pa.chunked_array([part]) for part in parts]


def parts_of_polars(held: Any) -> list[Any]:
    """The same of a column of Polars, which has Arrow's types by other names."""
    fields = getattr(held.dtype, "fields", None)
    return [held.explode()] if fields is None else [held.struct.field(one.name) for one in fields]
