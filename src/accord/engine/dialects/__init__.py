"""What engines do differently: one file per engine, chosen once when a lazy frame is opened; may import what
`engine` may.
"""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw

from accord.engine.dialects.dask import Dask
from accord.engine.dialects.dialect import Dialect, Trouble
from accord.engine.dialects.duckdb import DuckDB
from accord.engine.dialects.ibis import Ibis
from accord.engine.dialects.polars import Polars
from accord.engine.dialects.spark import Spark

ALL = (Dialect, Dask, DuckDB, Ibis, Polars, Spark)


def trouble_in(message: str) -> Trouble | None:
    """What an error of any engine is about; None of what is not known. Ibis speaks for engines of all kinds."""
    for trouble in Trouble:
        if any(sign in message for dialect in ALL for sign in dialect.signs.get(trouble, ())):
            return trouble
    return None


def dialect_of(frame: nw.LazyFrame[Any]) -> Dialect:
    """The dialect of a frame's engine."""
    engine = frame.implementation
    if engine.is_spark_like():
        return Spark()
    known = {"duckdb": DuckDB, "polars": Polars, "ibis": Ibis, "dask": Dask}
    return known.get(engine.value, Dialect)()
