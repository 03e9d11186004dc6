"""Every engine behind one fixture: the same annotations as a lazy frame of Polars, DuckDB, Dask, Ibis or Spark."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from typing import Any

import polars as pl
import pytest

import accord
from tests.engines.handing import BRIEFLY, ENGINES, handed


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
        # Many small queries: compiling and planning them again would take most of the time. The test of the cluster
        # leaves all of this as users have it.
        .config("spark.driver.extraJavaOptions", BRIEFLY)
        .config("spark.sql.codegen.wholeStage", "false")
        .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
        .config("spark.sql.adaptive.enabled", "false")
        .config("spark.python.sql.dataFrameDebugging.enabled", "false")
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
    return handed(request)


@pytest.fixture(scope="module")
def kept() -> dict[Any, accord.Study]:
    """Studies by engine and roles."""
    return {}


@pytest.fixture
def studied(
    lazily: Callable[[pl.DataFrame], Any], kept: dict[Any, accord.Study], request: pytest.FixtureRequest
) -> Callable[..., accord.Study]:
    """A function that makes a study in the engine, once per file: one study is asked for several measures."""

    def study(frame: pl.DataFrame, **roles: Any) -> accord.Study:
        key = (request.node.callspec.params["lazily"], frame.hash_rows().sum(), *sorted(roles.items()))
        if key not in kept:
            kept[key] = accord.Study(lazily(frame), **roles)
        return kept[key]

    return study
