"""How long do 100,000 pairs of lists of 100 options take by rank-biased overlap? And thousands of queries by the rest?

    python -m benchmarks.rankings [pairs]

Lists of 100 of 150 options each, without ties and with ties of three; then 10,000 queries of ten options that five
annotators ranked, as a study, with intervals over queries; and exact orders of up to 30 options. On a few pairs overlap
is compared with what a loop over depths gives first. No peer has ties; none measures more than one pair at a time.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import accord
from accord.annotations.arrays import FloatArray
from accord.consensus.rankings.kemeny import kemeny
from accord.consensus.rankings.votes import QueryLists
from accord.rankings.biased_overlap import TIES, Ties, biased_overlap
from tests.oracles import rankings as oracle

OPTIONS, LENGTH, AT_ONCE = 150, 100, 5_000
QUERIES, PEOPLE, RANKED = 10_000, 5, 10
WITHIN = 10.0  # seconds for all pairs, by each treatment of ties


def lists(number: int, rng: np.random.Generator, tied: int) -> FloatArray:
    """(number, options) ranks of the first LENGTH options of a random order, so many of them tied at a time."""
    ranks = rng.permuted(np.tile(np.arange(float(OPTIONS)), (number, 1)), axis=1)
    return np.where(ranks < LENGTH, ranks // tied, np.nan)


def compare_with_a_loop(rng: np.random.Generator) -> None:
    """Short lists with ties, of which every order of the tied ones is tried."""
    for _ in range(5):
        ranks = rng.integers(0, 3, size=(2, 5)).astype(np.float64)
        groups = [[[f"o{at}" for at in np.nonzero(row == rank)[0]] for rank in np.unique(row)] for row in ranks]
        mine, slow = biased_overlap(ranks[:1], ranks[1:], 0.9)[0], oracle.overlap_of_orders(groups[0], groups[1], 0.9)
        if abs(mine - slow) > 1e-12:
            raise SystemExit(f"answers differ: {mine} and {slow}")


def overlaps(pairs: int, rng: np.random.Generator, tied: int, ties: Ties) -> tuple[float, float]:
    """Seconds by the clock and at work for all pairs, some thousand at a time; making them is left out."""
    clock = work = 0.0
    for _ in range(0, pairs, AT_ONCE):
        first, second = lists(AT_ONCE, rng, tied), lists(AT_ONCE, rng, tied)
        begun, start = time.perf_counter(), time.process_time()
        biased_overlap(first, second, 0.9, ties)
        clock, work = clock + time.perf_counter() - begun, work + time.process_time() - start
    return clock, work


def study_of(rng: np.random.Generator) -> accord.Study:
    """Annotators who follow one order a query, more or less."""
    good = rng.normal(size=(QUERIES, 1, RANKED)) + 0.8 * rng.normal(size=(QUERIES, PEOPLE, RANKED))
    rank = np.argsort(np.argsort(-good, axis=2), axis=2) + 1
    query, who, option = (part.ravel() for part in np.indices(rank.shape))
    table = {"item": query, "annotator": who, "label": option, "rank": rank.ravel()}
    return accord.Study(table, item="item", annotator="annotator", label="label", rank="rank", answers="ranking")


def with_interval(measure: Callable[..., accord.Agreement], study: accord.Study) -> accord.Interval:
    """What is timed of every measure."""
    return measure(study).interval()


def timed(question: str, answer: Callable[[], Any]) -> Any:
    """What came out; by the clock, and at work, which a busy machine does not stretch."""
    clock, work = time.perf_counter(), time.process_time()
    found = answer()
    print(
        f"{question:60} {time.perf_counter() - clock:6.2f} s by the clock, {time.process_time() - work:6.2f} s at work"
    )
    return found


def main(pairs: int) -> None:
    """Answers first, then one line per question."""
    rng = np.random.default_rng(0)
    compare_with_a_loop(rng)
    for tied in (1, 3):
        for ties in TIES:
            clock, took = overlaps(pairs, rng, tied, ties)
            reached = "reached" if took <= WITHIN * pairs / 100_000 else "MISSED"
            print(
                f"{pairs:,} overlaps, ties of {tied}, {ties}: {clock:.2f} s by the clock, {took:.2f} s at work of "
                f"{WITHIN:.0f}: {reached}"
            )
    study = timed(f"a study of {QUERIES:,} queries × {PEOPLE} × {RANKED}", lambda: study_of(rng))
    for measure in (accord.kendall_w, accord.ranking_tau_b, accord.ranking_spearman, accord.krippendorff_alpha):
        timed(f"{measure.__name__} and its interval", partial(with_interval, measure, study))
    timed("gold by Borda", lambda: accord.gold(study, method="borda"))
    for options in (10, 20, 30):
        ranks = np.argsort(rng.normal(size=(7, options)) + np.linspace(0, 2, options), axis=1).astype(np.float64)
        timed(f"Kemeny's order of {options} options", partial(kemeny, QueryLists(np.arange(options), ranks)))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
