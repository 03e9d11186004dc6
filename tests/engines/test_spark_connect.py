"""Spark Connect, as Databricks has it: the session is a client, the frames are plans, and Spark is another process."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import accord
from tests.engines.handing import BRIEFLY
from tests.engines.test_gold import crowd

pytestmark = pytest.mark.engine

PATIENCE = 180  # seconds for the server to come up, on a machine with other things to do
STARTED = "Spark Connect server started"


@pytest.fixture(scope="module")
def connect(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A session with a Connect server that PySpark's own distribution starts here."""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java, and there is none on this machine")
    pytest.importorskip("grpc", reason="pyspark[connect] is not installed")
    pytest.importorskip("grpc_status", reason="pyspark[connect] is not installed")
    home = Path(pytest.importorskip("pyspark", reason="PySpark is not installed").__file__).parent
    jars = sorted((home / "jars").glob("spark-connect_*.jar"))
    if not jars:
        pytest.skip("this PySpark has no Connect server within it")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {
        "spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "2", "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1", "spark.connect.grpc.binding.port": str(port),
        "spark.connect.grpc.binding.address": "127.0.0.1", "spark.sql.codegen.wholeStage": "false",
    }  # fmt: skip
    server = subprocess.Popen(
        [str(home / "bin" / "spark-submit"), "--master", "local[2]", "--name", "accord",
         *(word for name, value in settings.items() for word in ("--conf", f"{name}={value}")),
         "--driver-java-options", BRIEFLY,
         "--class", "org.apache.spark.sql.connect.service.SparkConnectServer", str(jars[0])],
        env={**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_HOME": str(home)},
        cwd=tmp_path_factory.mktemp("connect"), stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        wait_until_started(server)
        from pyspark.sql.connect.session import SparkSession

        session = SparkSession.builder.remote(f"sc://127.0.0.1:{port}").create()
        yield session
        session.stop()
    finally:
        if server.poll() is None:
            os.killpg(server.pid, signal.SIGKILL)
        server.wait(timeout=PATIENCE)


def wait_until_started(server: subprocess.Popen[str]) -> None:
    """Read its log until it says so, and then read the rest away, or it would wait for a reader."""
    assert server.stderr is not None
    limit = time.monotonic() + PATIENCE
    for line in server.stderr:
        if STARTED in line:
            threading.Thread(target=lambda: [None for _ in server.stderr or ()], daemon=True).start()
            return
        assert time.monotonic() < limit, f"the Connect server did not start within {PATIENCE} s"
    raise AssertionError("the Connect server ended before it had started")


@pytest.fixture(scope="module")
def remote(connect: Any) -> accord.Study:
    """The study whose rows the server has."""
    return accord.Study(connect.createDataFrame(crowd().to_arrow()))


def test_every_coefficient_has_the_digits_of_memory(remote: accord.Study) -> None:
    there, here = accord.measure(remote), accord.measure(accord.Study(crowd()))
    assert [one.measure for one in there] == [one.measure for one in here]
    for one, other in zip(there, here, strict=True):
        assert one.value == pytest.approx(other.value, abs=1e-12)
        assert one.interval() == pytest.approx(other.interval(), abs=1e-9)


def test_a_tally_of_the_server_is_that_of_memory(remote: accord.Study, tmp_path: Path) -> None:
    written = [
        study.write_tally(tmp_path / f"{name}.tally", shard_name="one")
        for name, study in (("there", remote), ("here", accord.Study(crowd())))
    ]
    assert accord.read(written[0]).tally().n_items == 90
    assert [str(accord.measure(accord.read(path))) for path in written[:1]] == [
        str(accord.measure(accord.read(path))) for path in written[1:]
    ]


def test_gold_iterates_on_the_server_which_writes_it(remote: accord.Study, tmp_path: Path) -> None:
    options: Any = {"method": "dawid-skene", "iterations": 2}
    there = accord.gold(remote, checkpoint=tmp_path / "model", **options)
    here = accord.gold(accord.Study(crowd()), **options)
    assert there.log_likelihood == pytest.approx(here.log_likelihood, rel=1e-12)
    assert (tmp_path / "model").exists()
    written = there.write(tmp_path / "gold.parquet")
    rows = pl.read_parquet(str(written / "*.parquet")).sort("item")
    assert rows["label"].to_list() == here.labels
