"""A Spark cluster on loopback, a master and two workers, of which one loses its executor while the tally runs."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.engine.scan import Scan

pytestmark = pytest.mark.engine

PATIENCE = 60  # seconds for the executors to come up
BRIEFLY = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # processes of Java that do not live long


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A session whose master and workers run beside the driver, and whose executors are processes of their own."""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java, and there is none on this machine")
    pyspark = pytest.importorskip("pyspark", reason="PySpark is not installed")
    from pyspark.sql import SparkSession

    monkeypatch.setenv("SPARK_HOME", str(Path(pyspark.__file__).parent))
    active = SparkSession.getActiveSession()
    if active is not None:
        active.stop()
    started = (
        SparkSession.builder.master("local-cluster[2,1,512]")
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
    started.sparkContext.setLogLevel("OFF")
    yield started
    started.stop()


def executors(session: Any) -> list[int]:
    """The processes in which tasks run: children of the driver's."""
    driver = session.sparkContext._gateway.proc.pid
    tasks = Path(f"/proc/{driver}/task").glob("*/children")
    children = [int(child) for task in tasks for child in task.read_text(encoding="ascii").split()]
    return [child for child in children if b"CoarseGrainedExecutorBackend" in _command(child)]


def _command(process: int) -> bytes:
    """What a process was started with; nothing where it has ended meanwhile."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def waited(session: Any, number: int) -> list[int]:
    """So many executors, when they are there."""
    limit = time.monotonic() + PATIENCE
    while len(found := executors(session)) < number:
        assert time.monotonic() < limit, f"Spark has not started {number} executors within {PATIENCE} s"
        time.sleep(0.05)
    return found


def test_an_executor_killed_while_the_tally_runs_changes_nothing(session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    number = session.range(0, 500_000, numPartitions=8)
    frame = number.selectExpr(
        "concat('item ', cast(id div 5 as string)) as item",
        "concat('annotator ', cast(id % 5 as string)) as annotator",
        "concat('label ', cast((id div 5 + case when id % 7 = 0 then 1 else 0 end) % 4 as string)) as label",
    )
    undisturbed = accord.fleiss_kappa(accord.Study(frame))
    victim, died = waited(session, 2)[0], list[float]()

    def kill() -> None:
        os.kill(victim, signal.SIGKILL)
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
    assert died[0] < ended, "the executor should have died while the tally ran"
    assert (disturbed.value, disturbed.interval()) == (undisturbed.value, undisturbed.interval())
    assert disturbed.n_items == 100_000
