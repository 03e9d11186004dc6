"""Every engine behind one fixture: the same annotations as a lazy frame of Polars, DuckDB or Spark."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import polars as pl
import pytest

ENGINES = ("polars", "duckdb", "spark")


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """A Spark session on this machine; where there is no Java the tests say so and skip."""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java, and there is none on this machine")
    sql = pytest.importorskip("pyspark.sql", reason="PySpark is not installed")
    session = (
        sql.SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


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
    session = request.getfixturevalue("spark")

    def distributed(frame: pl.DataFrame) -> Any:
        import pyspark.sql.types as kinds

        written = {pl.String: kinds.StringType(), pl.Int64: kinds.LongType(), pl.Float64: kinds.DoubleType()}
        fields = [kinds.StructField(name, written[kind.base_type()]) for name, kind in frame.schema.items()]
        return session.createDataFrame(frame.rows(), kinds.StructType(fields))

    return distributed
