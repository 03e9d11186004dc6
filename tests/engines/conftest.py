"""Every engine behind one fixture: the same annotations as a lazy frame of Polars, DuckDB, Dask, Ibis or Spark."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from typing import Any

import polars as pl
import pytest

ENGINES = ("polars", "duckdb", "dask", "ibis", "spark")


@pytest.fixture
def spark() -> Any:
    """A Spark session on this machine: the running one, or a new one where the test of the cluster has ended it."""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java, and there is none on this machine")
    sql = pytest.importorskip("pyspark.sql", reason="PySpark is not installed")
    session = (
        sql.SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.default.parallelism", "2")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    return session


@pytest.fixture(scope="session", autouse=True)
def no_spark_is_left() -> Iterator[None]:
    """Whatever session still runs is ended."""
    yield
    if "pyspark.sql" in sys.modules:
        active = sys.modules["pyspark.sql"].SparkSession.getActiveSession()
        if active is not None:
            active.stop()


@pytest.fixture(params=ENGINES)
def lazily(request: pytest.FixtureRequest) -> Callable[[pl.DataFrame], Any]:
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
        return session.createDataFrame(frame.rows(), kinds.StructType(fields))

    return distributed
