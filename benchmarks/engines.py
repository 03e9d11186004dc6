"""How much longer than the engine's own group-by does a tally take, and how much memory?

One file of annotations in Parquet: text ids in random order, five answers an item, 5,000 annotators, ten labels. Every
figure is a fresh process; "bare" is the same engine's `group_by(item)` count. Engines must give the same values.

    python benchmarks/engines.py                 10 million annotations, Polars and DuckDB
    python benchmarks/engines.py --spark         and Spark, local
    python benchmarks/engines.py --full          100 million too (made once, about 1.5 GB on disk)
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

FOLDER = Path("build/benchmarks")
LABELS, PEOPLE, ANSWERS = 10, 5_000, 5
SLICE = 10_000_000


def make(rows: int) -> Path:
    """The file, made once; in slices, so that making it needs little memory."""
    import numpy as np
    import polars as pl

    path = FOLDER / f"crowd-{rows}"
    if path.exists():
        return path
    path.mkdir(parents=True)
    items = rows // ANSWERS
    for part, first in enumerate(range(0, items, SLICE // ANSWERS)):
        number = min(SLICE // ANSWERS, items - first)
        rng = np.random.default_rng(part)
        item = np.repeat(np.arange(first, first + number), ANSWERS)
        start = rng.integers(0, PEOPLE, number)
        who = (start[:, None] + rng.integers(1, 900, (number, ANSWERS)).cumsum(axis=1)).ravel() % PEOPLE
        truth = rng.integers(0, LABELS, number)
        label = np.where(rng.random(len(item)) < 0.7, np.repeat(truth, ANSWERS), rng.integers(0, LABELS, len(item)))
        order = rng.permutation(len(item))
        frame = pl.DataFrame({"item": item[order], "annotator": who[order], "label": label[order]})
        text = frame.select(
            pl.format("item-{}", "item").alias("item"),
            pl.format("worker-{}", "annotator").alias("annotator"),
            pl.format("label {}", "label").alias("label"),
        )
        text.write_parquet(path / f"part-{part:03}.parquet")
    return path


def opened(engine: str, path: Path, limit: str | None = None) -> Any:
    """A lazy frame over the files."""
    if engine == "polars":
        import polars as pl

        return pl.scan_parquet(path / "*.parquet")
    if engine == "duckdb":
        import duckdb

        connection = duckdb.connect()
        if limit:
            connection.execute(f"SET memory_limit='{limit}'")
        return connection.read_parquet(f"{path}/*.parquet")
    from pyspark.sql import SparkSession

    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "8")
        .config("spark.driver.memory", "6g")
        .config("spark.ui.showConsoleProgress", "false")
        .getOrCreate()
    )
    return spark.read.parquet(str(path))


def bare(frame: Any) -> float:
    """The engine's own group-by, counted."""
    import narwhals.stable.v2 as nw

    lazy = nw.from_native(frame)
    sizes = lazy.group_by("item").agg(nw.len().alias("n")).select(nw.col("n").max(), nw.len().alias("items"))
    found = sizes.collect("polars", engine="streaming") if lazy.implementation.is_polars() else sizes.collect("pyarrow")
    return float(found.get_column("items").to_list()[0])


def tally(frame: Any) -> float:
    """Fleiss's kappa with its interval; the check for duplicates left out."""
    import accord

    result = accord.fleiss_kappa(accord.Study(frame, duplicates="repeat"))
    return result.value + 0 * result.interval().se


def checked(frame: Any) -> float:
    """The same with the check for duplicates, which is made once a study."""
    import accord

    return accord.fleiss_kappa(accord.Study(frame)).value


def conger(frame: Any) -> float:
    """Conger's kappa with its exact error."""
    import accord

    result = accord.conger_kappa(accord.Study(frame))
    return result.value + 0 * result.interval().se


QUESTIONS: dict[str, Callable[[Any], float]] = {"bare": bare, "tally": tally, "checked": checked, "conger": conger}


def ask(question: str, engine: str, path: Path, limit: str | None = None) -> dict[str, Any]:
    """One question in a fresh process."""
    command = [sys.executable, __file__, "--one", question, engine, str(path), *([limit] if limit else [])]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode:
        return {"question": question, "engine": engine, "error": found.stderr.strip().splitlines()[-1][:160]}
    answer: dict[str, Any] = json.loads(found.stdout.strip().splitlines()[-1])
    return answer


def peak_memory() -> float:
    """The most memory this process held, in MB; Linux carries getrusage's figure over from the parent, so ask /proc."""
    told = Path("/proc/self/status")
    if told.exists():
        line = next(line for line in told.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def one(question: str, engine: str, path: str, limit: str | None = None) -> None:
    """Answer in this process: seconds after the frame is open, and peak memory."""
    frame = opened(engine, Path(path), limit)
    if engine == "spark":
        bare(frame)  # the JVM warms up
    start = time.perf_counter()
    value = QUESTIONS[question](frame)
    seconds = time.perf_counter() - start
    peak = peak_memory()
    print(
        json.dumps(
            {"question": question, "engine": engine, "seconds": round(seconds, 2), "MB": round(peak), "value": value}
        )
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--spark", action="store_true")
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--one", nargs="+")
    options = parser.parse_args()
    if options.one:
        one(*options.one)
        return
    sizes = [options.rows, *([100_000_000] if options.full else [])]
    engines = ["polars", "duckdb", *(["spark"] if options.spark else [])]
    for rows in sizes:
        path = make(rows)
        values: dict[str, float] = {}
        for engine in engines:
            found = {question: ask(question, engine, path) for question in QUESTIONS}
            for question, answer in found.items():
                if "value" in answer:
                    agreed = values.setdefault(question, answer["value"])
                    assert abs(answer["value"] - agreed) < 1e-12, f"engines disagree on {question}"
                print(json.dumps({"rows": rows, **answer}), flush=True)
            if all("seconds" in answer for answer in found.values()):
                base = found["bare"]
                ratio = {
                    "tally / bare": found["tally"]["seconds"] / base["seconds"],
                    "memory tally / bare": found["tally"]["MB"] / base["MB"],
                    "checked / tally": found["checked"]["seconds"] / found["tally"]["seconds"],
                    "conger / checked": found["conger"]["seconds"] / found["checked"]["seconds"],
                }
                print(
                    json.dumps({"rows": rows, "engine": engine, **{k: round(v, 2) for k, v in ratio.items()}}),
                    flush=True,
                )


if __name__ == "__main__":
    main()
