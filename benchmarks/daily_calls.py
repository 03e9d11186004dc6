"""Are the calls that people make all day quick? Each against the seconds of the processor that it may take.

A small file measured and reported by the command, start to end; a gold of sets; a report of a million items in memory;
a million annotations of Label Studio and ten million rows of CSV (`--large`). A process each, the best of some rounds.

    python -m benchmarks.daily_calls [--rounds 5] [--large]
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import reading, whole_calls

EXAMPLE = Path("examples/five-annotators.csv")  # sixty items


@dataclass(frozen=True)
class Call:
    """What is asked, in which process, and how many seconds and megabytes it may take; or how many bare scans."""

    called: str
    words: tuple[str, ...]
    seconds: float
    megabytes: float = math.inf
    large: bool = False
    bare: tuple[str, ...] | None = None


def set_gold() -> None:
    """Sets of 28 labels on 128 items by five people, decided by the method that predicts best."""
    import accord

    chance = random.Random(1)
    labels = [f"label {place}" for place in range(28)]
    rows: dict[str, list[Any]] = {"item": [], "annotator": [], "label": []}
    for item in range(128):
        right = chance.sample(labels, chance.choice((1, 2, 3)))
        for who in range(5):
            kept = [label for label in right if chance.random() < 0.8] or [chance.choice(labels)]
            rows["item"] += [item] * len(kept)
            rows["annotator"] += [f"person {who}"] * len(kept)
            rows["label"] += kept
    study = accord.Study(rows, item="item", annotator="annotator", label="label", answers="set")
    timed(lambda: accord.gold(study))


def page_of_a_million() -> None:
    """The report of a million items × 5 that lie in memory."""
    import numpy as np

    import accord
    from benchmarks._data import labelled

    def written(items: int) -> None:
        study = accord.Study.from_wide(labelled(np.random.default_rng(5), items, 5, 6))
        with tempfile.TemporaryDirectory(prefix="accord-bench-") as folder:
            accord.report(study, Path(folder) / "report.html")

    written(100)  # loads what it needs
    timed(lambda: written(1_000_000))


def read_export() -> None:
    """A million annotations of Label Studio."""
    import accord

    with tempfile.TemporaryDirectory(prefix="accord-bench-") as folder:
        path = Path(folder) / "export.json"
        reading.label_studio(path, 400)
        accord.read(path)
        reading.label_studio(path, 1_000_000)
        timed(lambda: accord.read(path))


def table_of_ten_million(work: Callable[[Path], object]) -> None:
    """Ten million rows of CSV; making them is no part of it."""
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as folder:
        path = Path(folder) / "long.csv"
        reading.table(path, 1_000)
        work(path)
        reading.table(path, 10_000_000)
        timed(lambda: work(path))


def scanned() -> None:
    """The bare scan."""
    import polars as pl

    table_of_ten_million(lambda path: pl.scan_csv(path).collect())


def read_and_measured() -> None:
    """Read, and Fleiss's kappa."""
    import accord

    table_of_ten_million(lambda path: accord.fleiss_kappa(accord.read(path)).value)


INSIDE = {
    work.__name__: work for work in (set_gold, page_of_a_million, read_export, scanned, read_and_measured)
}  # asked within a process
CALLS = (
    Call("accord measure, sixty items", ("accord.cli", "measure", str(EXAMPLE)), 0.6),
    Call("accord report, sixty items", ("accord.cli", "report", str(EXAMPLE), "--force", "-o"), 1.5),
    Call("gold of sets, 128 items", ("benchmarks.daily_calls", "--one", "set_gold"), 1.0),
    Call("report, 1 M × 5 in memory", ("benchmarks.daily_calls", "--one", "page_of_a_million"), 5.0),
    Call(
        "Label Studio, 1 M annotations", ("benchmarks.daily_calls", "--one", "read_export"), 10.0, 1_024, large=True
    ),
    Call(
        "CSV, 10 M rows, and Fleiss' kappa", ("benchmarks.daily_calls", "--one", "read_and_measured"), 2.0, large=True,
        bare=("benchmarks.daily_calls", "--one", "scanned"),
    ),
)  # fmt: skip


def timed(work: Callable[[], object]) -> None:
    """Print the seconds of the processor that it takes."""
    begin = time.process_time()
    work()
    print(json.dumps({"seconds": time.process_time() - begin}))


def cost(words: Sequence[str], folder: Path) -> tuple[float, float]:
    """Seconds and peak megabytes of one process: those that it tells, or all that it used."""
    more = [str(folder / "report.html")] if words[-1] == "-o" else []
    printed, used = whole_calls.ran([sys.executable, "-m", *words, *more], folder / "printed")
    seconds = used.ru_utime + used.ru_stime
    return json.loads(printed)["seconds"] if "--one" in words else seconds, used.ru_maxrss / 1024


def row(call: Call, folder: Path, rounds: int) -> tuple[str, bool]:
    """A line of the table, and whether it is missed."""
    runs = [cost(call.words, folder) for _ in range(rounds)]
    seconds, peak = min(run[0] for run in runs), min(run[1] for run in runs)
    unit = 1.0 if call.bare is None else min(cost(call.bare, folder)[0] for _ in range(rounds))
    wrong = seconds / unit > call.seconds or peak > call.megabytes
    most = f"{call.seconds:g} {'s' if call.bare is None else '× the bare scan'}"
    shown = f"{seconds:6.2f} s" + ("" if call.bare is None else f" ({seconds / unit:.2f} ×)")
    return f"{call.called:36} {shown:18} must {most:18} {peak:7,.0f} MB{'  MISSED' if wrong else ''}", wrong


def main() -> int:
    """A line a call."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--large", action="store_true", help="files of a gigabyte too")
    arguments.add_argument("--only", default="", help="calls that hold this word")
    arguments.add_argument("--one", choices=INSIDE)
    given = arguments.parse_args()
    if given.one:
        INSIDE[given.one]()
        return 0
    missed = False
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as folder:
        for call in CALLS:
            if given.only in call.called and (given.large or not call.large):
                told, wrong = row(call, Path(folder), given.rounds)
                missed |= wrong
                print(told, flush=True)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
