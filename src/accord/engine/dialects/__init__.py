"""What engines do differently: one file per engine, chosen once when a lazy frame is opened; may import what
`engine` may.
"""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw

from accord.engine.dialects.dask import Dask
from accord.engine.dialects.dialect import Dialect
from accord.engine.dialects.duckdb import DuckDB
from accord.engine.dialects.ibis import Ibis
from accord.engine.dialects.polars import Polars
from accord.engine.dialects.spark import Spark


def dialect_of(frame: nw.LazyFrame[Any]) -> Dialect:
    """The dialect of a frame's engine."""
    engine = frame.implementation
    if engine.is_spark_like():
        return Spark()
    known = {"duckdb": DuckDB, "polars": Polars, "ibis": Ibis, "dask": Dask}
    return known.get(engine.value, Dialect)()
