"""A standalone Spark cluster on loopback, a master and two workers: one is killed while the tally runs.

And while gold iterates first a worker is lost and then the whole session: what was learned is not.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import polars as pl
import pytest

import accord
from accord.engine.scan import Scan
from tests.engines.handing import BRIEFLY

pytestmark = pytest.mark.engine

ROWS = 500_000
COLUMNS = (
    "concat('item ', cast(id div 5 as string)) as item",
    "concat('annotator ', cast(id % 5 as string)) as annotator",
    "concat('label ', cast((id div 5 + case when id % 7 = 0 then 1 else 0 end) % 4 as string)) as label",
)
PATIENCE = 180  # seconds for a part of the cluster to come up


@dataclass
class Cluster:
    """A master, and workers that tests may kill."""

    spark_class: Path
    folder: Path
    address: str = ""
    started: list[subprocess.Popen[str]] = field(default_factory=list)
    workers: list[subprocess.Popen[str]] = field(default_factory=list)

    def start(self, *words: str) -> subprocess.Popen[str]:
        """A process of the cluster."""
        settings = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
        settings["SPARK_DAEMON_JAVA_OPTS"] = BRIEFLY
        process = subprocess.Popen(
            [str(self.spark_class), *words],
            env=settings,
            cwd=self.folder,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.started.append(process)
        return process

    def with_two_workers(self) -> Cluster:
        """New ones for those that were killed."""
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        while len(self.workers) < 2:
            folder = str(self.folder / f"worker-{len(self.started)}")
            words = ["--host", "127.0.0.1", "--webui-port", "0", "--cores", "1", "--memory", "1g", "--work-dir", folder]
            worker = self.start("org.apache.spark.deploy.worker.Worker", *words, self.address)
            waited(worker, r"Successfully registered with master (\S+)")
            self.workers.append(worker)
        return self


@pytest.fixture(scope="module")
def lone_master(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster without workers."""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java, and there is none on this machine")
    pyspark = pytest.importorskip("pyspark", reason="PySpark is not installed")
    made = Cluster(Path(pyspark.__file__).parent / "bin" / "spark-class", tmp_path_factory.mktemp("cluster"))
    try:
        words = ("--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
        master = made.start("org.apache.spark.deploy.master.Master", *words)
        made.address = waited(master, r"Starting Spark master at (spark://\S+)")
        yield made
    finally:
        for process in made.started:
            stop(process)


@pytest.fixture
def cluster(lone_master: Cluster) -> Cluster:
    return lone_master.with_two_workers()


def waited(process: subprocess.Popen[str], pattern: str) -> str:
    """The part of the log that a pattern catches; the rest is read away so that the process never blocks."""
    assert process.stderr is not None
    limit = time.monotonic() + PATIENCE
    for line in process.stderr:
        found = re.search(pattern, line)
        if found:
            threading.Thread(target=_drain, args=(process.stderr,), daemon=True).start()
            return found[1]
        if time.monotonic() > limit:
            break
    raise AssertionError(f"Spark did not say {pattern!r} within {PATIENCE} s")


def _drain(stream: IO[str]) -> None:
    for _ in stream:
        pass


def stop(process: subprocess.Popen[str]) -> None:
    """The process and all that it started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=PATIENCE)


def session_on(cluster: Cluster) -> Any:
    from pyspark.sql import SparkSession

    active = SparkSession.getActiveSession()
    if active is not None:
        active.stop()
    return (
        SparkSession.builder.master(cluster.address)
        .appName("accord")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "8")
        .config("spark.default.parallelism", "8")
        .config("spark.executor.memory", "512m")
        .config("spark.executor.extraJavaOptions", BRIEFLY)
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )


def in_memory() -> pl.DataFrame:
    """The table that the cluster makes."""
    number = pl.int_range(ROWS, eager=True).alias("id")
    label = (pl.col("id") // 5 + (pl.col("id") % 7 == 0)) % 4
    return number.to_frame().select(
        item=pl.format("item {}", pl.col("id") // 5),
        annotator=pl.format("annotator {}", pl.col("id") % 5),
        label=pl.format("label {}", label),
    )


def test_a_worker_killed_while_the_tally_runs_changes_nothing(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = session_on(cluster)
    try:
        session.sparkContext.setLogLevel("OFF")
        frame = session.range(0, ROWS, numPartitions=8).selectExpr(*COLUMNS)
        died: list[float] = []

        def kill() -> None:
            stop(cluster.workers[0])
            died.append(time.monotonic())

        killer, tally = threading.Timer(0.3, kill), Scan.patterns

        def started(scan: Scan, *arguments: Any, **options: Any) -> Any:
            killer.start()
            return tally(scan, *arguments, **options)

        monkeypatch.setattr(Scan, "patterns", started)
        disturbed = accord.fleiss_kappa(accord.Study(frame))
        ended = time.monotonic()
        killer.join()
        assert died
        assert died[0] < ended, "the worker should have died while the tally ran"
        undisturbed = accord.fleiss_kappa(accord.Study(in_memory()))
        assert (disturbed.value, disturbed.interval()) == (undisturbed.value, undisturbed.interval())
        assert disturbed.n_items == ROWS // 5
    finally:
        session.stop()


class Lost(Exception):
    """The session went away in the middle of an iteration."""


def test_what_gold_has_learned_survives_a_lost_worker_and_a_lost_session(cluster: Cluster, tmp_path: Path) -> None:
    options: Any = {"method": "dawid-skene", "iterations": 4, "tolerance": -1.0, "checkpoint": tmp_path / "model"}
    session = session_on(cluster)

    def losing(done: int, _total: int) -> None:
        if done == 1:
            stop(cluster.workers[0])  # its part of the answers is read again by the other one
        if done == 2:
            session.stop()
            raise Lost

    try:
        session.sparkContext.setLogLevel("OFF")
        session.conf.set("spark.sql.shuffle.partitions", "2")
        frame = session.range(0, 5_000, numPartitions=2).selectExpr(*COLUMNS)
        with pytest.raises(Lost):
            accord.gold(accord.Study(frame), progress=losing, **options)
        session = session_on(cluster)
        session.sparkContext.setLogLevel("OFF")
        session.conf.set("spark.sql.shuffle.partitions", "2")
        frame = session.range(0, 5_000, numPartitions=2).selectExpr(*COLUMNS)
        done: list[int] = []
        found = accord.gold(accord.Study(frame), progress=lambda at, _: done.append(at), **options)
        assert done == [2, 3, 4], "what was learned in the first session is not learned again"
        here = accord.gold(accord.Study(in_memory().head(5_000)), **{**options, "checkpoint": None})
        assert found.progress is not None
        assert here.progress is not None
        assert found.progress.trace == pytest.approx(here.progress.trace, rel=1e-10)
        assert found.n_decided == here.n_decided
    finally:
        session.stop()
