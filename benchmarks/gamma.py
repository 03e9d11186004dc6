"""How long do an exact best alignment and gamma with its interval take?

    python -m benchmarks.gamma [--long]

Continua like those on which pygamma-agreement 0.5.9 was timed: units of 4 to 12 seconds, borders shifted by 1.5 on
average, 5 % missed, 10 % relabelled, five labels. That package pins a solver which is not installed here, so its times
are those measured once on two cores (GLPK): 5.5 s, 68 s, more than 300 s and 12 s for one alignment; gamma of 1,000 × 3
or 100 × 5 never ended. Answers are compared first: with trying every partition on short continua. `--long` adds 10,000
short documents, eight annotators, and what is refused.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from accord.errors import MeasureError
from accord.spans.alignment import best_alignment
from accord.spans.chance_disorder import ChanceOptions, Disorders
from accord.spans.continuum import Continuum
from accord.spans.gamma import Gamma, gamma_of_units
from accord.spans.stacked_continua import Continua, Dissimilarity
from tests.oracles import alignment as slow

LABELS = "ABCDE"
ALIGNMENTS = {  # units × annotators: the seconds that pygamma-agreement took, and how many times faster is asked
    (300, 3): (5.5, 20.0), (600, 3): (68.0, None), (1_000, 3): (300.0, None), (30, 5): (12.0, None),
}  # fmt: skip
GAMMAS = {(1_000, 3): 10.0, (100, 5): 15.0}  # seconds at work within which gamma and its interval must be there


def marks(units: int, people: int, seed: int = 1) -> dict[str, list[tuple[float, float, str]]]:
    """One continuum."""
    rng = np.random.default_rng(seed)
    long, gap = rng.uniform(4, 12, units), rng.uniform(0, 6, units)
    start, label = np.cumsum(gap + long) - long + 10, rng.integers(0, 5, units)
    held = {}
    for person in range(people):
        kept = np.nonzero(rng.random(units) > 0.05)[0]
        first = start + rng.normal(0, 1.5, units)
        last = np.maximum(start + long + rng.normal(0, 1.5, units), first + 0.5)
        mine = np.where(rng.random(units) < 0.1, rng.integers(0, 5, units), label)
        held[f"a{person}"] = [(float(first[k]), float(last[k]), LABELS[mine[k]]) for k in kept]
    return held


def short_documents(number: int, people: int, seed: int = 3) -> Continuum:
    """Documents of some 200 characters with no to five units."""
    rng = np.random.default_rng(seed)
    documents = []
    for _ in range(number):
        true = marks(int(rng.integers(0, 6)), people, int(rng.integers(2**31)))
        documents.append(true)
    return Continuum.of_marks(documents, 220.0, LABELS)


def compare_with_trying_all() -> None:
    """Short continua of two to five annotators: equal to twelve digits."""
    for people, units in ((2, 4), (3, 3), (4, 2), (5, 2)):
        held = marks(units, people)
        found = best_alignment(Continua.of(Continuum.of_marks([held]), [0]), Dissimilarity()).disorder[0]
        if abs(found - slow.least_total(list(held.values()))) > 1e-12:
            raise SystemExit(f"answers differ: {found} and {slow.least_total(list(held.values()))}")


def timed(question: str, answer: Callable[[], Any], must: Callable[[float], str]) -> Any:
    """What came out; seconds by the clock and at work, and whether that is as fast as it must be."""
    clock, work = time.perf_counter(), time.process_time()
    try:
        found = answer()
    except MeasureError as refusal:
        found = refusal
    clock, work = time.perf_counter() - clock, time.process_time() - work
    print(f"{question:44} {clock:7.2f} s by the clock, {work:7.2f} s at work  {must(work)}", flush=True)
    return found


def gamma_and_interval(continuum: Continuum) -> Gamma:
    """The value with all that its interval takes."""
    gamma = gamma_of_units(Disorders(continuum, ChanceOptions()))
    gamma.within() if len(gamma.observed) == 1 else gamma.influence()
    return gamma


def main(*, long: bool) -> None:
    """Answers first, then one line per question."""
    compare_with_trying_all()
    import scipy.optimize  # noqa: F401 - loaded outside the clock

    for (units, people), (theirs, times) in ALIGNMENTS.items():
        aligned = partial(best_alignment, of_one(units, people), Dissimilarity())
        timed(f"best alignment, {units:,} × {people}", aligned, partial(against, theirs=theirs, times=times))
    for (units, people), within in GAMMAS.items():
        measured = partial(gamma_and_interval, Continuum.of_marks([marks(units, people)]))
        found = timed(f"gamma and interval, {units:,} × {people}", measured, partial(in_time, within=within))
        print(f"  {float(found.parts.value):.4f}, {found.disorders.n_samples} samples")
    if long:
        for name, question in questions().items():
            print(f"  {timed(name, question, lambda _: '')}")
    print(f"at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


def of_one(units: int, people: int) -> Continua:
    """A single document."""
    return Continua.of(Continuum.of_marks([marks(units, people)]), [0])


def against(work: float, theirs: float, times: float | None) -> str:
    """How many times faster than the peer was."""
    asked = "" if times is None else f" of {times:g}: {'reached' if theirs / work >= times else 'MISSED'}"
    return f"{theirs / work:,.0f} × pygamma's {theirs:g} s{asked}"


def in_time(work: float, within: float) -> str:
    """Is it there when it must be?"""
    return f"of {within:g}: {'reached' if work <= within else 'MISSED'}"


def questions() -> dict[str, Callable[[], Any]]:
    """What has no peer."""
    rng = np.random.default_rng(0)
    start = rng.uniform(0, 10_000, 1_000_000)
    million = Continua(
        np.array([2]), np.array([10_100.0]), np.zeros(1_000_000, np.int64), np.repeat([0, 1], 500_000), start,
        start + rng.uniform(20, 40, 1_000_000), np.zeros(1_000_000, np.int64),
    )  # fmt: skip
    return {
        "gamma of 10,000 documents × 3": lambda: gamma_and_interval(short_documents(10_000, 3)).parts.value,
        "gamma of 50 documents × 8": lambda: gamma_and_interval(short_documents(50, 8)).parts.value,
        "a million units on top of each other": lambda: best_alignment(million, Dissimilarity()),
    }


if __name__ == "__main__":
    main(long="--long" in sys.argv)
