"""How long do 1,000,000 comparisons of 200 options take, from a frame to strengths with errors and tiers?

Judges who prefer by a strength, with ties and an advantage of standing first. Every comparison an item; three judges to
an item; with the lengths of the answers as a covariate. Every case runs in a process of its own; strengths are compared
first with those that were planted.

    python benchmarks/preferences.py [--comparisons N] [--times N]

And how often are options told apart that are equally strong, and annotators of one order told of? Judges share items,
so that errors of single comparisons would be too small.

    python benchmarks/preferences.py --sizes [--studies N]
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

COMPARISONS, OPTIONS, JUDGES = 1_000_000, 200, 20_000
QUESTIONS = {
    "strengths": ("a study in memory: strengths, ties, errors over items, tiers", 2.0),
    "frame": ("the same from the frame", 4.0),
    "judges": ("three judges to an item, from the study", 2.0),
    "order": ("with an order effect, from the study", 2.0),
    "covariate": ("with a covariate, from the study", 10.0),
}


def compared(rng: np.random.Generator, number: int, case: str) -> tuple[pl.DataFrame, np.ndarray]:
    """One row per comparison, and the strengths behind them."""
    strength = rng.normal(size=OPTIONS)
    strength -= strength.mean()
    each = 3 if case == "judges" else 1
    items = np.repeat(np.arange(number // each + 1), each)[:number]
    first = rng.integers(0, OPTIONS, number // each + 1)[items]
    second = (first + rng.integers(1, OPTIONS, number // each + 1)[items]) % OPTIONS
    length = rng.normal(size=number)
    ahead = strength[first] - strength[second] + (0.3 * length if case == "covariate" else 0.0)
    weights = np.exp(np.stack([ahead / 2 + 0.1 * (case == "order"), np.full(number, -0.3), -ahead / 2], axis=1))
    outcome = (rng.random(number)[:, None] * weights.sum(1, keepdims=True) > weights.cumsum(1)).sum(1)
    names = np.array([f"model-{place}" for place in range(OPTIONS)])
    judge = np.arange(number) % each if case == "judges" else rng.integers(0, JUDGES, number)
    frame = pl.DataFrame({
        "item": items, "judge": judge, "model_a": names[first], "model_b": names[second], "lead": length,
        "winner": np.array(["model_a", "tie", "model_b"])[outcome],
    })  # fmt: skip
    return frame, strength


def timed(case: str, number: int) -> dict[str, Any]:
    """Make the data, then time to the table of strengths."""
    import accord

    for name in dir(accord):
        getattr(accord, name)
    frame, planted = compared(np.random.default_rng(5), number, case)
    before = peak()
    study: Any = accord.Study(frame) if case != "frame" else None
    start, worked = time.perf_counter(), time.process_time()
    options: dict[str, Any] = {"order_effect": case == "order"}
    options |= {"covariates": ["lead"]} if case == "covariate" else {}
    found = accord.bradley_terry(accord.Study(frame) if study is None else study, **options)
    table = found.to_table()
    seconds, processor = time.perf_counter() - start, time.process_time() - worked
    check(found, planted)
    space = {"peak_mb": peak(), "added_mb": peak() - before}
    return {"values": {"tiers": float(len(found.in_tiers())), "rows": float(len(table))}, "seconds": seconds,
            "processor": processor, **space}  # fmt: skip


def sizes(studies: int) -> None:
    """Equal options: how often some pair is told apart, intervals hold 0, and somebody's order is another; at 5 %."""
    import accord

    rng = np.random.default_rng(7)
    for options, judges, items in ((6, 3, 150), (4, 3, 40), (10, 1, 400)):
        told, other, held = 0, [], []
        for _ in range(studies):
            pair = np.array([rng.choice(options, 2, replace=False) for _ in range(items)]).repeat(judges, axis=0)
            shared = rng.normal(0, 1.2, items).repeat(judges)
            weights = np.exp(np.stack([shared / 2, np.full(len(shared), -1.0), -shared / 2], axis=1))
            outcome = (rng.random(len(shared))[:, None] * weights.sum(1, keepdims=True) > weights.cumsum(1)).sum(1)
            frame = pl.DataFrame({
                "item": np.arange(items).repeat(judges), "judge": np.tile(np.arange(judges), items),
                "model_a": pair[:, 0], "model_b": pair[:, 1], "winner": np.array(["A", "tie", "B"])[outcome],
            })  # fmt: skip
            found = accord.bradley_terry(accord.Study(frame))
            told += found.tiers is not None and bool(found.tiers.apart.any())
            table = found.to_table()
            held.append(np.mean((table["low"] < 0) & (table["high"] > 0)))
            other += [] if judges == 1 else list(found.by_annotator()["p"].astype(float) < 0.05)
        orders = f"{np.mean(other):.3f}" if other else "–"
        print(
            f"{options} options, {judges} judges, {items} items: some pair told apart {told / studies:.3f}; intervals "
            f"hold the truth {np.mean(held):.3f}; an annotator's order another {orders}"
        )


def check(found: Any, planted: np.ndarray) -> None:
    """Strengths are those planted, but for their errors."""
    place = [int(name.removeprefix("model-")) for name in found.options]
    steps = (found.strength - planted[place]) / found.error
    if not 0.8 < float(np.sqrt((steps**2).mean())) < 1.2:
        raise SystemExit(f"Strengths miss those planted by {np.sqrt((steps**2).mean()):.2f} standard errors.")


def peak() -> float:
    """The most memory this process ever held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def main() -> None:
    """Each case in a process of its own, the best of some runs."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--comparisons", type=int, default=COMPARISONS)
    arguments.add_argument("--times", type=int, default=3)
    arguments.add_argument("--sizes", action="store_true")
    arguments.add_argument("--studies", type=int, default=300)
    arguments.add_argument("--case", choices=list(QUESTIONS), help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.case:
        print(json.dumps(timed(given.case, given.comparisons)))
        return
    if given.sizes:
        sizes(given.studies)
        return
    rows = []
    for case, (question, within) in QUESTIONS.items():
        command = [sys.executable, __file__, "--case", case, "--comparisons", str(given.comparisons)]
        told = [
            subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout for _ in range(given.times)
        ]
        best = min((Run(**json.loads(line.splitlines()[-1])) for line in told), key=lambda run: run.seconds)
        rows.append(Row(question, best, within=within))
    report(f"{given.comparisons:,} comparisons of {OPTIONS} options", rows)


if __name__ == "__main__":
    main()
