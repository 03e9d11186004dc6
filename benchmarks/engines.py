"""How much longer than the engine's own group-by does a tally take, and how much memory?

Annotations in Parquet: text ids in random order, five answers per item, 5,000 annotators, ten labels. Ids are of one
length, so that a hundred million annotations differ from ten million in nothing but their number: engines keep text of
more than twelve letters elsewhere. Every figure is a fresh process, and questions take turns, so that what else runs on
the machine disturbs all of them alike. "bare" is the same engine's `group_by(item)` count. Engines must give the same
values before a ratio is printed. Ratios are of the best seconds by the clock and of the best seconds of the processor,
which a busy machine disturbs less.

    python benchmarks/engines.py                 10 million annotations, Polars and DuckDB
    python benchmarks/engines.py --spark         and Spark, local and warm
    python benchmarks/engines.py --labels        2, 60 and 300 labels, and sets of up to 4 of 20
    python benchmarks/engines.py --full          100 million too (made once, about 0.6 GB on disk), and a memory limit
    python benchmarks/engines.py --rounds 5      best of five
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

FOLDER = Path("build/benchmarks")
LABELS, PEOPLE, ANSWERS = 10, 5_000, 5
SLICE = 10_000_000
SETS = 20  # labels of which up to four are chosen
TOLD: dict[
    str, int
] = {}  # what a question says besides its value: patterns that are nearly as many as items do not help


def make(rows: int, labels: int = LABELS, *, several: bool = False) -> Path:
    """The files, made once; in slices, so that making them needs little memory."""
    kind = f"-sets{labels}" if several else "" if labels == LABELS else f"-labels{labels}"
    path = FOLDER / f"crowd-{rows}{kind}"
    if (path / "done").exists() or (path.exists() and labels == LABELS and rows == SLICE):
        return path
    path.mkdir(parents=True, exist_ok=True)
    items = rows // ANSWERS
    for part, first in enumerate(range(0, items, SLICE // ANSWERS)):
        number = min(SLICE // ANSWERS, items - first)
        _slice(part, first, number, labels, several=several).write_parquet(path / f"part-{part:03}.parquet")
    (path / "done").touch()
    return path


def _slice(part: int, first: int, number: int, labels: int, *, several: bool) -> Any:
    """Some of the items with all their answers."""
    import numpy as np
    import polars as pl

    rng = np.random.default_rng(part)
    item = np.repeat(np.arange(first, first + number), ANSWERS)
    start = rng.integers(0, PEOPLE, number)
    who = (start[:, None] + rng.integers(1, 900, (number, ANSWERS)).cumsum(axis=1)).ravel() % PEOPLE
    truth = np.repeat(rng.integers(0, labels, number), ANSWERS)
    label = np.where(rng.random(len(item)) < 0.7, truth, rng.integers(0, labels, len(item)))
    if several:  # up to three more labels, each another one
        more = rng.integers(0, 4, len(item))
        row = np.repeat(np.arange(len(item)), more + 1)
        step = np.arange(len(row)) - np.repeat(np.cumsum(more + 1) - more - 1, more + 1)
        item, who, label = item[row], who[row], (label[row] + 5 * step) % labels
    order = rng.permutation(len(item))
    frame = pl.DataFrame({"item": item[order], "annotator": who[order], "label": label[order]})
    return frame.select(
        pl.format("item-{}", pl.col("item").cast(pl.String).str.zfill(9)).alias("item"),
        pl.format("worker-{}", "annotator").alias("annotator"),
        pl.format("label {}", "label").alias("label"),
    )


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
        .config("spark.driver.memory", "4g")
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
    """Fleiss's kappa with its interval; that nobody answered twice is looked at once per study."""
    import accord

    study = accord.Study(frame)
    result = accord.fleiss_kappa(study)
    TOLD.update(patterns=len(study.tally()), items=study.n_items)
    return result.value + 0 * result.interval().se


def conger(frame: Any) -> float:
    """Conger's kappa with its exact error."""
    import accord

    result = accord.conger_kappa(accord.Study(frame))
    return result.value + 0 * result.interval().se


def sets(frame: Any) -> float:
    """Krippendorff's alpha of label sets, partial credit for partial overlap."""
    import accord

    study = accord.Study(frame, answers="set")
    TOLD.update(patterns=len(study.tally()), items=study.n_items, answers=len(study.answers))
    return accord.krippendorff_alpha(study, weights="jaccard").value


QUESTIONS: dict[str, Callable[[Any], float]] = {
    "bare": bare, "tally": tally, "conger": conger, "sets": sets,
}  # fmt: skip


def ask(question: str, engine: str, path: Path, limit: str | None = None) -> dict[str, Any]:
    """One question in a fresh process."""
    command = [sys.executable, __file__, "--one", question, engine, str(path), *([limit] if limit else [])]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode:
        return {"question": question, "engine": engine, "error": found.stderr.strip().splitlines()[-1][:300]}
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
    warm_up(question, engine)
    frame = opened(engine, Path(path), limit)
    rounds = 3 if engine == "spark" else 1  # the JVM warms up: the question itself is asked before it counts
    for _ in range(rounds):
        start, busy = time.perf_counter(), time.process_time()
        value = QUESTIONS[question](frame)
        seconds, worked = time.perf_counter() - start, time.process_time() - busy
    told = {"seconds": round(seconds, 2), "processor": round(worked, 2), "MB": round(peak_memory()), "value": value}
    print(json.dumps({"question": question, "engine": engine, **told, **TOLD}))


def warm_up(question: str, engine: str) -> None:
    """Ask it of a small file first: importing is no part of the question."""
    QUESTIONS[question](
        opened(engine, make(10_000, SETS if question == "sets" else LABELS, several=question == "sets"))
    )


def compared(rows: int, engine: str, path: Path, questions: Sequence[str], rounds: int) -> dict[str, dict[str, Any]]:
    """The best of several rounds of each question, taken in turns, and their ratios."""
    best: dict[str, dict[str, Any]] = {}
    for _ in range(rounds):
        for question in questions:
            answer = ask(question, engine, path)
            print(json.dumps({"rows": rows, "data": path.name, **answer}), flush=True)
            if "error" in answer:
                continue
            held = best.setdefault(question, dict(answer))
            for what in ("seconds", "processor", "MB"):
                held[what] = min(held[what], answer[what])
    for question, of in (("tally", "bare"), ("conger", "tally"), ("sets", "bare")):
        if question in best and of in best:
            ratios = {what: round(best[question][what] / max(best[of][what], 0.01), 2) for what in ("seconds", "MB")}
            if engine != "spark":  # whose work is done in another process
                ratios["processor"] = round(best[question]["processor"] / max(best[of]["processor"], 0.01), 2)
            print(
                json.dumps({"rows": rows, "data": path.name, "engine": engine, f"{question} / {of}": ratios}),
                flush=True,
            )
    return best


def agreed(found: Sequence[dict[str, dict[str, Any]]]) -> None:
    """Engines must give the same values."""
    for question in QUESTIONS:
        values = [answers[question]["value"] for answers in found if question in answers]
        assert all(abs(value - values[0]) < 1e-12 for value in values), f"engines disagree on {question}: {values}"


def patterns(rows: int, rounds: int) -> None:
    """When patterns stop helping: few and many labels, and sets of labels."""
    for labels in (2, 60, 300):
        path = make(rows, labels)
        agreed([compared(rows, engine, path, ("bare", "tally"), rounds) for engine in ("polars", "duckdb")])
    path = make(rows // 5, SETS, several=True)
    agreed([compared(rows // 5, engine, path, ("bare", "sets"), rounds) for engine in ("polars", "duckdb")])


def limited(rows: int, path: Path) -> None:
    """DuckDB with a memory limit: respected, and running out of it is an error with the way out."""
    for limit in ("2GB", "200MB", "100MB"):
        print(json.dumps({"rows": rows, "limit": limit, **ask("tally", "duckdb", path, limit)}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--spark", action="store_true")
    parser.add_argument("--labels", action="store_true")
    parser.add_argument("--rows", type=int, default=SLICE)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--one", nargs="+")
    options = parser.parse_args()
    if options.one:
        one(*options.one)
        return
    if options.labels:
        patterns(options.rows, options.rounds)
        return
    engines = ["polars", "duckdb", *(["spark"] if options.spark else [])]
    path = make(options.rows)
    found = {e: compared(options.rows, e, path, ("bare", "tally", "conger"), options.rounds) for e in engines}
    agreed(list(found.values()))
    if options.full:
        path = make(10 * SLICE)
        for engine in ("polars", "duckdb"):
            large = compared(10 * SLICE, engine, path, ("bare", "tally"), min(options.rounds, 2))
            if "tally" in large:
                growth = large["tally"]["seconds"] / found[engine]["tally"]["seconds"]
                print(json.dumps({"engine": engine, "100 M / 10 M": round(growth, 1)}), flush=True)
        limited(10 * SLICE, path)


if __name__ == "__main__":
    main()
