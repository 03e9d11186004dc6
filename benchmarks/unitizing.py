"""How long do alpha and unitizing alpha of ten thousand documents take, with their intervals?

    python -m benchmarks.unitizing [documents]

Documents of some 2,000 characters, three annotators, about 30 units each, five labels; on a sample of short documents
the answers are compared with brute force point by point first. No peer measures a corpus. The table is made outside the
clock; making the `Study` is counted once, by itself.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl

import accord
from accord.spans.continuum import Continuum
from accord.spans.over_documents import Basis
from accord.spans.positions import AtPositions
from accord.spans.unitizing import unitizing
from tests.oracles import unitizing as oracle

PEOPLE = ("a", "b", "c")
LABELS = np.array(["A", "B", "C", "D", "E"])
UNITS, LENGTH = 30, 2_000  # units a document, characters
WITHIN, MOST_MB = 20.0, 1_000  # seconds and memory for the study and what is asked together
TOGETHER = ("alpha of characters, interval", "unitizing alpha, interval")
ROLES: Any = {"item": "item", "annotator": "annotator", "label": "label", "start": "start", "end": "end"}


def table(documents: int, rng: np.random.Generator, units: int = UNITS, length: int = LENGTH) -> pl.DataFrame:
    """True units, which everybody shifts, relabels and misses a little."""
    step = length // units
    start = np.tile(np.arange(units) * step + step // 4, documents)
    document, label = np.repeat(np.arange(documents), units), rng.integers(0, 5, documents * units)
    size = rng.integers(2, step // 2, documents * units)
    parts = []
    for who in PEOPLE:
        kept = rng.random(len(start)) < 0.9
        begin = start + rng.integers(-1, 2, len(start))
        end = np.minimum(begin + size + rng.integers(0, 2, len(start)), length)
        mine = np.where(rng.random(len(start)) < 0.9, label, rng.integers(0, 5, len(start)))
        columns = {"item": document, "start": begin, "end": end, "label": LABELS[mine]}
        part = pl.DataFrame({name: values[kept] for name, values in columns.items()})
        parts.append(part.with_columns(annotator=pl.lit(who)))
    return pl.concat(parts)


def compare_with_brute_force(rng: np.random.Generator) -> None:
    """Eight short documents, of which every two points are looked at: equal to twelve digits."""
    rows = table(8, rng, units=4, length=40)
    held = [{who: marks_of(rows, item, who) for who in PEOPLE} for item in range(8)]
    short, basis = Continuum.of_marks(held, 40.0, LABELS.tolist()), Basis("character")
    pairs = [
        (AtPositions("without-replacement").of(short, basis), oracle.position_alpha(held, [40] * 8)),
        (unitizing(short, basis, "unitizing", "left-out"), oracle.unitizing_alpha(held, [40] * 8)),
    ]
    for mine, theirs in pairs:
        if abs(float(mine.parts.value) - theirs) > 1e-12:
            raise SystemExit(f"answers differ: {float(mine.parts.value)} and {theirs}")


def marks_of(rows: pl.DataFrame, item: int, who: str) -> list[tuple[int, int, str]]:
    """What one annotator marked in a document."""
    mine = rows.filter((pl.col("item") == item) & (pl.col("annotator") == who))
    return list(mine.select("start", "end", "label").iter_rows())


def ask(study: accord.Study) -> dict[str, Callable[[], Any]]:
    """What is timed, each with its interval."""
    return {
        "alpha of characters, interval": lambda: accord.krippendorff_alpha(study).interval(),
        "alpha, bootstrap of 1,000": lambda: accord.krippendorff_alpha(study).interval(method="bootstrap"),
        "unitizing alpha, interval": lambda: accord.unitizing_alpha(study).interval(),
        "unitizing alpha, bootstrap of 1,000": lambda: accord.unitizing_alpha(study).interval(method="bootstrap"),
        "unitizing alpha, binary": lambda: accord.unitizing_alpha(study, form="binary").interval(),
        "unitizing alpha, coded, by label": lambda: accord.unitizing_alpha(study, form="coded").by_label(),
        "the form of 1995, interval": lambda: accord.unitizing_alpha_1995(study).interval(),
    }


def main(documents: int) -> None:
    """Answers first, then one line per question: by the clock, and at work, which a busy machine does not stretch."""
    rng = np.random.default_rng(0)
    compare_with_brute_force(rng)
    rows = table(documents, rng)
    print(f"{documents:,} documents, {len(PEOPLE)} annotators, {len(rows):,} units")
    study, work = timed("the study", lambda: accord.Study(rows, **ROLES))
    for question, answer in ask(study).items():
        _, took = timed(question, answer)
        work += took if question in TOGETHER else 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    reached = "reached" if work <= WITHIN and peak <= MOST_MB else "MISSED"
    spent = f"{work:.1f} s at work of {WITHIN:.0f}, {peak:,.0f} MB of {MOST_MB:,}"
    print(f"study, {' and '.join(TOGETHER)}: {spent}: {reached}")


def timed(question: str, answer: Callable[[], Any]) -> tuple[Any, float]:
    """What came out, and how many seconds the processor was at work; both times are printed."""
    clock, work = time.perf_counter(), time.process_time()
    found = answer()
    clock, work = time.perf_counter() - clock, time.process_time() - work
    print(f"{question:40} {clock:6.2f} s by the clock, {work:6.2f} s at work")
    return found, work


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
