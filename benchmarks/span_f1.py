"""How long do 10,000 documents, marked by three annotators, take from a frame to span F1 with its interval?

About eight spans a document and annotator, of five labels, with other borders, other labels and gaps. By every
criterion, with what differs span by span, and with all spans in one document. Every case runs in a process of its own;
exact F1 is compared first with what sets of triples give.

    python benchmarks/span_f1.py [--documents N] [--times N]
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks._asking import Row, Run, report

DOCUMENTS, ANNOTATORS, SPANS, LABELS = 10_000, 3, 8, 5
MOST_MB = 1_000
QUESTIONS = {
    "exact": ("exact F1 and its interval", 10.0),
    "overlap": ("F1 of overlaps and its interval", 10.0),
    "soft": ("soft F1 and its interval", 10.0),
    "bootstrap": ("exact F1 and 1,000 resamples", 10.0),
    "differences": ("what differs, span by span", 20.0),
    "one document": ("as many spans in one document: soft F1", 20.0),
}


def marked(rng: np.random.Generator, documents: int) -> pl.DataFrame:
    """One row per span: people who mostly see the same, and now and then do not."""
    number = rng.poisson(SPANS, documents)
    document = np.repeat(np.arange(documents), number)
    start = np.concatenate([np.sort(rng.permutation(60)[:many]) for many in number]) * 10
    end, label = start + rng.integers(2, 9, len(start)), rng.integers(LABELS, size=len(start))
    frames = []
    for who in range(ANNOTATORS):
        kept = rng.random(len(start)) > 0.1
        begins, ends = (place + (rng.random(len(place)) < 0.1) for place in (start, end))
        said = np.where(rng.random(len(label)) < 0.1, rng.integers(LABELS, size=len(label)), label)
        columns = {"doc": document, "start": begins, "end": ends, "tag": said}
        frame = pl.DataFrame({name: column[kept] for name, column in columns.items()})
        frames.append(frame.with_columns(pl.lit(f"a{who}").alias("who"), pl.format("label {}", "tag").alias("tag")))
    return pl.concat(frames)


def timed(case: str, documents: int) -> dict[str, Any]:
    """Make the data, then time from the frame to the value and its interval."""
    import accord

    for name in dir(accord):
        getattr(accord, name)
    frame = marked(np.random.default_rng(5), documents)
    if case == "one document":
        frame = frame.with_columns(start=pl.col("start") + 700 * pl.col("doc"), end=pl.col("end") + 700 * pl.col("doc"))
        frame = frame.with_columns(doc=pl.lit(0))
    before = peak()
    start, worked = time.perf_counter(), time.process_time()
    study = accord.Study(frame, item="doc", annotator="who", label="tag", start="start", end="end")
    values: dict[str, float]
    if case == "differences":
        values = {"rows": float(len(accord.span_differences(study)))}
    else:
        match: Any = {"overlap": "overlap", "soft": "soft", "one document": "soft"}.get(case, "exact")
        found = accord.span_f1(study, match=match)
        span = found.interval(method="bootstrap" if case == "bootstrap" else None)
        values = {"value": found.value, "low": span.low, "high": span.high}
    seconds, processor = time.perf_counter() - start, time.process_time() - worked
    space = {"peak_mb": peak(), "added_mb": peak() - before}
    if case == "exact":
        check(found.value, frame)
    return {"values": values, "seconds": seconds, "processor": processor, **space}


def check(value: float, frame: pl.DataFrame) -> None:
    """Exact F1 again, by counting equal triples."""
    held: defaultdict[tuple[int, str], Counter[Any]] = defaultdict(Counter)
    for document, start, end, tag, who in frame.select("doc", "start", "end", "tag", "who").iter_rows():
        held[document, who][start, end, tag] += 1
    pairs = []
    for one, other in combinations(sorted(frame["who"].unique()), 2):
        both = {document for document, who in held if who == one} & {document for document, who in held if who == other}
        same = sum((held[document, one] & held[document, other]).total() for document in both)
        pairs.append(2 * same / sum(held[document, who].total() for document in both for who in (one, other)))
    if abs(np.mean(pairs) - value) > 1e-12:
        raise SystemExit(f"accord says {value!r}, the triples {np.mean(pairs)!r}.")


def peak() -> float:
    """The most memory this process ever held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def main() -> None:
    """Each case in a process of its own, the best of some runs."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--documents", type=int, default=DOCUMENTS)
    arguments.add_argument("--times", type=int, default=3)
    arguments.add_argument("--case", choices=list(QUESTIONS), help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.case:
        print(json.dumps(timed(given.case, given.documents)))
        return
    rows = []
    for case, (question, within) in QUESTIONS.items():
        command = [sys.executable, __file__, "--case", case, "--documents", str(given.documents)]
        told = [
            subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout for _ in range(given.times)
        ]
        best = min((Run(**json.loads(line.splitlines()[-1])) for line in told), key=lambda run: run.seconds)
        rows.append(Row(question, best, within=within))
        if best.peak_mb > MOST_MB:
            print(f"MISSED: {question} held {best.peak_mb:,.0f} MB, more than {MOST_MB:,}.")
    report(f"{given.documents:,} documents × {ANNOTATORS} annotators, about {SPANS} spans each", rows)


if __name__ == "__main__":
    main()
