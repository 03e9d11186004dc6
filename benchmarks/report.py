"""How long does the report of a million items take, from a CSV file to the page?

Items × 5 annotators, 6 labels and a text an item, by the command in a process of its own. The page must come in under a
minute and 2 GB, and stay under 5 MB: its tables are cut to what matters, and say so.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks._data import labelled

ITEMS, ANNOTATORS, LABELS = 1_000_000, 5, 6
SECONDS, GIGABYTES, MEGABYTES = 60.0, 2.0, 5.0


def written(folder: Path, items: int, *, texts: bool) -> Path:
    """A long table: one row per answer."""
    import polars as pl

    answers = labelled(np.random.default_rng(5), items, ANNOTATORS, LABELS)
    item = np.repeat(np.arange(items), ANNOTATORS)
    table = pl.DataFrame(
        {
            "item": item,
            "annotator": np.tile([f"annotator {place + 1}" for place in range(ANNOTATORS)], items),
            "label": np.array([f"label {place + 1}" for place in range(LABELS)])[answers.ravel()],
        }
    )
    if texts:
        table = table.with_columns(text=pl.format("This is what stands in number {}.", pl.col("item")))
    path = folder / "annotations.csv"
    table.write_csv(path)
    return path


def measured(path: Path) -> tuple[float, float, float, str]:
    """Seconds, peak gigabytes, megabytes of the page, and the page."""
    page = path.with_name("report.html")
    command = [sys.executable, "-m", "accord.cli", "report", str(path), "-o", str(page), "--quiet"]
    before = time.perf_counter()
    subprocess.run(command, check=True)
    seconds = time.perf_counter() - before
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024**2
    return seconds, peak, page.stat().st_size / 1e6, page.read_text(encoding="utf-8")


def main() -> int:
    """Measure, and fail where a limit is missed."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--items", type=int, default=ITEMS)
    given = arguments.parse_args()
    missed = False
    for texts in (False, True):
        with tempfile.TemporaryDirectory() as folder:
            seconds, peak, size, page = measured(written(Path(folder), given.items, texts=texts))
        if "contested items are shown" not in page:
            print("the page does not say that its items are cut")
            missed = True
        missed |= seconds > SECONDS or peak > GIGABYTES or size > MEGABYTES
        what = "with texts" if texts else "labels only"
        print(
            f"{given.items:,} items × {ANNOTATORS}, {what}: {seconds:.1f} s (must be under {SECONDS:g}), {peak:.2f} GB "
            f"(under {GIGABYTES:g}), {size:.2f} MB (under {MEGABYTES:g})"
        )
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
