"""How long does the whole explanation of a million items take, in tallies? And of thousands of annotators?

The yardstick is the tally alone: both reductions of the study in memory, anonymous and named, from answers as codes.
Everything that `explain` does besides works on patterns. Both are taken in turns in one process, the best of several,
in seconds of the processor. Peak memory is of the explanation, above what the study and its tallies hold.
"""

from __future__ import annotations

import argparse
import json
import time
import tracemalloc
from collections.abc import Callable

import numpy as np

import accord
from benchmarks._data import labelled

ITEMS, ANNOTATORS, LABELS = 1_000_000, 5, 10
MOST = 20  # tallies
CROWD_ITEMS, CROWD, PER_ITEM = 60_000, 4_000, 5


def main() -> None:
    """Print the ratio and the peak for many items, and the time and the peak for many annotators."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--items", type=int, default=ITEMS)
    arguments.add_argument("--repeats", type=int, default=5)
    given = arguments.parse_args()
    accord.explain(["a", "b", "c"] * 20, ["a", "b", "b"] * 20)  # what is loaded once is no part of it
    array = labelled(np.random.default_rng(2), given.items, ANNOTATORS, LABELS)
    tally = explained = float("inf")
    for _ in range(given.repeats):
        study = accord.Study.from_wide(array)
        tally = min(tally, _timed(lambda study=study: (study.tally(), study.tally(named=True))))  # type: ignore[misc]
        explained = min(explained, _timed(lambda study=study: accord.explain(study)))  # type: ignore[misc]
    ratio = explained / tally
    print(f"{given.items:,} items x {ANNOTATORS} annotators x {LABELS} labels")
    print(f"  tally {tally:.3f} s, explanation {explained:.3f} s: {ratio:.1f} tallies (at most {MOST})")
    print(f"  peak memory of the explanation {_peak(study):,.0f} MB")
    crowd = _crowd()
    seconds = _timed(lambda: accord.explain(crowd))
    print(f"{CROWD_ITEMS:,} items, {CROWD:,} annotators, {PER_ITEM} answers per item")
    print(f"  explanation {seconds:.2f} s, peak memory {_peak(crowd):,.0f} MB")
    for question, taken in (("a tally", tally), ("explanation", explained), ("explanation, a crowd", seconds)):
        print(json.dumps({"question": question, "processor": round(taken, 4)}))
    if ratio > MOST:
        raise SystemExit(f"The explanation takes {ratio:.1f} tallies; it should take {MOST} at most.")


def _crowd() -> accord.Study:
    """Many annotators with a few answers each."""
    rng = np.random.default_rng(3)
    true = rng.integers(0, LABELS, CROWD_ITEMS)
    who = rng.permuted(np.tile(np.arange(CROWD), (PER_ITEM, CROWD_ITEMS // CROWD + 1)), axis=1)[:, :CROWD_ITEMS]
    who = (who[0] + np.arange(PER_ITEM)[:, None] * (CROWD // PER_ITEM)) % CROWD  # nobody answers an item twice
    said = np.where(rng.random((PER_ITEM, CROWD_ITEMS)) < 0.75, true, rng.integers(0, LABELS, (PER_ITEM, CROWD_ITEMS)))
    item = np.tile(np.arange(CROWD_ITEMS), PER_ITEM)
    names = np.array([f"p{number}" for number in range(CROWD)])
    study = accord.Study({"item": item, "annotator": names[who.ravel()], "label": said.ravel()})
    study.tally(), study.tally(named=True)
    return study


def _timed(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _peak(study: accord.Study) -> float:
    """Megabytes that the explanation asks for at most."""
    tracemalloc.start()
    accord.explain(study)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 1e6


if __name__ == "__main__":
    main()
