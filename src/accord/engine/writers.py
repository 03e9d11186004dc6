"""Tables that the engine itself writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw

from accord.errors import InputError, OptionError


def write(frame: nw.LazyFrame[Any], path: str | Path) -> Path:
    """Have the engine write a table: .parquet or .csv; Spark writes a folder of parts under that name."""
    target = Path(path)
    ending = target.suffix.lower()
    if ending not in (".parquet", ".csv"):
        raise OptionError.choice("the ending of the file", ending, (".parquet", ".csv"))
    native, backend = frame.to_native(), frame.implementation
    if backend.is_spark_like():
        writer = native.write
        writer.parquet(str(target)) if ending == ".parquet" else writer.option("header", "true").csv(str(target))
    elif backend.is_polars():
        native.sink_parquet(target) if ending == ".parquet" else native.sink_csv(target)
    elif backend.is_duckdb():
        native.write_parquet(str(target)) if ending == ".parquet" else native.write_csv(str(target), header=True)
    elif backend.is_ibis():
        native.to_parquet(target) if ending == ".parquet" else native.to_csv(target)
    elif ending == ".parquet":
        frame.sink_parquet(target)
    else:
        raise InputError(
            f"{backend} writes no CSV for accord; write Parquet, or take gold.lazy() and write it yourself."
        )
    return target
