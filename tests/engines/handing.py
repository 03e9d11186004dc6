"""The same annotations as a lazy frame of Polars, DuckDB, Dask, Ibis or Spark."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import polars as pl
import pytest

ENGINES = ("polars", "duckdb", "dask", "ibis", "spark")
QUICK = ("polars", "duckdb", "ibis")  # the others plan a query for a second, however few its rows
# Processes of Java that live briefly: nothing is compiled for long runs, and Spark's own classes are not checked again.
BRIEFLY = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"


def sampled(values: Sequence[Any]) -> list[tuple[str, Any]]:
    """Engine and value: all values on the quick engines, the first on the others.

    For values that ask an engine the same queries and differ in what is made of the answers here: an engine that
    answers wrongly does so for the first.
    """
    return [(engine, value) for engine in ENGINES for value in (values if engine in QUICK else values[:1])]


def handed(request: pytest.FixtureRequest) -> Callable[[pl.DataFrame], Any]:
    """A function that hands a table to an engine and gives back its lazy frame."""
    if request.param == "polars":
        return pl.DataFrame.lazy
    if request.param == "duckdb":
        duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")

        def relation(frame: pl.DataFrame) -> Any:
            connection = duckdb.connect()
            connection.register("annotations", frame.to_arrow())
            return connection.table("annotations")

        return relation
    if request.param == "dask":
        dask = pytest.importorskip("dask.dataframe", reason="Dask is not installed")
        import dask as settings

        settings.config.set(scheduler="synchronous")  # threads cost more than they help with so few rows
        return lambda frame: dask.from_pandas(frame.to_pandas(use_pyarrow_extension_array=True), npartitions=2)
    if request.param == "ibis":
        ibis = pytest.importorskip("ibis", reason="Ibis is not installed")

        def table(frame: pl.DataFrame) -> Any:
            connection = ibis.duckdb.connect()
            connection.con.register("annotations", frame.to_arrow())
            return connection.table("annotations")

        return table
    session = request.getfixturevalue("spark")

    def distributed(frame: pl.DataFrame) -> Any:
        import pyspark.sql.types as kinds

        text = kinds.StringType()
        pair = kinds.StructType([kinds.StructField("label", text), kinds.StructField("topic", text)])
        written = {
            pl.String: text, pl.Int64: kinds.LongType(), pl.Float64: kinds.DoubleType(),
            pl.Binary: kinds.BinaryType(), pl.List: kinds.ArrayType(text), pl.Struct: pair,
        }  # fmt: skip
        fields = [kinds.StructField(name, written[kind.base_type()]) for name, kind in frame.schema.items()]
        schema = kinds.StructType(fields)
        if session.version < "4":
            return session.createDataFrame(frame.rows(), schema)
        return session.createDataFrame(frame.to_arrow(), schema)  # rows would go through a process of Python each time

    return distributed
