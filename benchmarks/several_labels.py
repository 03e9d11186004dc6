"""How long do a million items with several labels each, or with suggested labels, take from a frame to the interval?

Ranked answers (10 labels), sets of up to 4 of 20 labels and suggestions (10 labels), by 5 annotators each; and κ_DH
from a table of counts, items × 10 labels, for which the published function takes 24 s. Every case runs in a process of
its own; values that a few lines of NumPy can give are compared first.

    python benchmarks/several_labels.py [--items N] [--times N] [--bootstrap DRAWS]
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks._asking import Row, Run, report
from benchmarks._data import ATTENTIVE, labelled

ITEMS, ANNOTATORS, LABELS, EMOTIONS, MOST_HELD = 1_000_000, 5, 10, 20, 4
MOST_MB = 4_000
QUESTIONS = {
    "ranked": ("Rosenberg–Binkowski, from a frame of ranked rows", 10.0),
    "sets": ("A_m, from a frame of a row per label", 10.0),
    "suggested": ("κ_DH, from a frame of single answers", 10.0),
    "counts": ("κ_DH, from counts: the value", 0.5),
}


def long(said: np.ndarray[Any, Any]) -> dict[str, Any]:
    """Items × annotators as columns of items and annotators."""
    item, who = np.divmod(np.arange(said.size), said.shape[1])
    return {"item": item, "annotator": who}


def ranked(rng: np.random.Generator, items: int) -> pl.DataFrame:
    """A primary label each, and a secondary one on four of ten answers."""
    first, second = labelled(rng, items, ANNOTATORS, LABELS), labelled(rng, items, ANNOTATORS, LABELS)
    both = (rng.random(first.shape) < 0.4) & (first != second)
    primary = pl.DataFrame({**long(first), "rank": np.ones(first.size, np.int64), "label": first.ravel()})
    kept = pl.DataFrame({**long(first), "rank": np.full(first.size, 2), "label": second.ravel()}).filter(both.ravel())
    return pl.concat([primary, kept])


def sets(rng: np.random.Generator, items: int) -> pl.DataFrame:
    """One to four labels each; an annotator who looks takes them from the item's own four."""
    theirs = rng.random((items, EMOTIONS)).argsort(1)[:, :MOST_HELD]
    frames = []
    for who in range(ANNOTATORS):
        others = rng.integers(EMOTIONS, size=theirs.shape)
        label = np.where(rng.random(theirs.shape) < ATTENTIVE, theirs, others)
        label[np.arange(MOST_HELD) >= rng.integers(1, MOST_HELD + 1, items)[:, None]] = -1
        item = np.repeat(np.arange(items), MOST_HELD)
        frame = pl.DataFrame({"item": item, "annotator": np.full(len(item), who), "label": label.ravel()})
        frames.append(frame.filter(pl.col("label") >= 0).unique())
    return pl.concat(frames)


def timed(kind: str, items: int, bootstrap: int) -> dict[str, Any]:
    """Make the data, then time from the data to the value and its interval."""
    import accord

    for name in dir(accord):
        getattr(accord, name)
    rng = np.random.default_rng(4)
    answers = labelled(rng, items, ANNOTATORS, LABELS)
    suggested = labelled(rng, items, 1, LABELS)[:, 0]
    data: Any
    if kind == "ranked":
        data = ranked(rng, items)
    elif kind == "sets":
        data = sets(rng, items)
    elif kind == "suggested":
        data = pl.DataFrame({**long(answers), "label": answers.ravel(), "guess": np.repeat(suggested, ANNOTATORS)})
    else:
        cells = np.arange(items)[:, None] * LABELS + answers
        data = np.bincount(cells.ravel(), minlength=items * LABELS).reshape(items, LABELS)
    before = peak()
    start, worked = time.perf_counter(), time.process_time()
    if kind == "ranked":
        found = accord.rosenberg_binkowski_kappa(accord.Study(data, rank="rank"))
    elif kind == "sets":
        found = accord.bhowmick_am(accord.Study(data, answers="set"))
    elif kind == "suggested":
        found = accord.dipietro_hazari_kappa(accord.Study(data), suggested="guess")
    else:
        found = accord.dipietro_hazari_kappa(accord.Study.from_counts(data), suggested=suggested)
    values = {"value": found.value}
    if kind != "counts":
        values |= dict(zip(("low", "high"), found.interval(), strict=True))
    seconds = time.perf_counter() - start
    processor = time.process_time() - worked
    space = {"peak_mb": peak(), "added_mb": peak() - before}
    if kind in ("suggested", "counts"):
        check(found.value, answers, suggested)
    if bootstrap:
        start = time.perf_counter()
        found.interval(method="bootstrap", n_resamples=bootstrap, rng=0, progress=True)
        values |= {"bootstrap_s": time.perf_counter() - start, "n_resamples": float(bootstrap)}
    return {"values": values, "seconds": seconds, "processor": processor, **space}


def check(value: float, answers: np.ndarray[Any, Any], suggested: np.ndarray[Any, Any]) -> None:
    """κ_DH again, from equations (4) to (13), one label at a time."""
    pairs = ANNOTATORS * (ANNOTATORS - 1)
    right = wrong = 0.0
    given, proposed = (
        np.bincount(answers.ravel()) / answers.size,
        np.bincount(suggested, minlength=LABELS) / len(suggested),
    )
    for label in range(LABELS):
        votes = (answers == label).sum(1)
        share = votes * (votes - 1) / pairs / len(answers)
        right += share[suggested == label].sum()
        wrong += share[suggested != label].sum()
    by_chance = float(given**2 @ proposed - given**2 @ (1 - proposed))
    again = (right - wrong - by_chance) / (1 - by_chance)
    if abs(again - value) > 1e-10:
        raise SystemExit(f"accord says {value!r}, the equations {again!r}.")


def peak() -> float:
    """The most memory this process ever held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def main() -> None:
    """Each case in a process of its own, the best of some runs."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--items", type=int, default=ITEMS)
    arguments.add_argument("--times", type=int, default=3)
    arguments.add_argument("--bootstrap", type=int, default=0, help="also draw this many resamples, with progress")
    arguments.add_argument("--case", choices=list(QUESTIONS), help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.case:
        print(json.dumps(timed(given.case, given.items, given.bootstrap)))
        return
    rows = []
    for case, (question, within) in QUESTIONS.items():
        command = [sys.executable, __file__, "--case", case, "--items", str(given.items)]
        command += ["--bootstrap", str(given.bootstrap)]
        told = [
            subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout for _ in range(given.times)
        ]
        best = min((Run(**json.loads(line.splitlines()[-1])) for line in told), key=lambda run: run.seconds)
        rows.append(Row(question, best, within=within))
        if best.peak_mb > MOST_MB:
            print(f"MISSED: {question} held {best.peak_mb:,.0f} MB, more than {MOST_MB:,}.")
    report(f"{given.items:,} items × {ANNOTATORS} annotators, with an analytic interval", rows)


if __name__ == "__main__":
    main()
