"""How near to 95 % can an interval of a few counts come? Percent agreement of two annotators, without simulation.

    python -m benchmarks.count_lattice

How many of n items two people differ on is a count with a binomial distribution, and an interval of percent agreement
depends on that count alone. So how often it holds the truth is a sum of probabilities, known exactly for every true
value: it jumps wherever one more count is held. First the least, the mean and the greatest over all true values at
which at least one item is expected to differ. Then, at the true values of populations of `coverage.py`, which counts
are held, how likely they are, what would be left without the least likely of them (between the two lies nothing), and
the least share of 92 % or more that any run of counts has there: no interval whatever comes nearer. Last the true
values, in differences that are expected, at which every run of counts has less than 92 % or more than 98 %.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
from scipy import stats

import accord
from benchmarks.coverage import SIZES

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

TRUE = np.linspace(0.002, 0.5, 500)  # shares of items that differ
DIFFER = {"two labels, even": 0.178, "one label 90 %": 0.065, "near 1": 0.0151}  # of the populations of two people
WANTED = (0.92, 0.98)


@cache
def limits(items: int) -> tuple[Floats, Floats]:
    """(items + 1,) the ends of the 95 % interval of each number of items that differ."""
    spans = [
        accord.percent_agreement(accord.Study.from_confusion([[items - differ, differ], [0, 0]])).interval()
        for differ in range(items + 1)
    ]
    return np.array([span.low for span in spans]), np.array([span.high for span in spans])


def held(items: int, differ: float) -> Bools:
    """(items + 1,) of which counts does the interval hold the truth?"""
    low, high = limits(items)
    return np.asarray((low <= 1 - differ) & (1 - differ <= high))


def coverage(items: int, differ: float) -> float:
    """How often the interval holds the truth where items differ with this probability."""
    return float(stats.binom.pmf(np.arange(items + 1), items, differ)[held(items, differ)].sum())


@dataclass(frozen=True)
class Step:
    """The counts that are held at one true value, and how likely these and all but the least likely of them are."""

    counts: tuple[int, ...]
    share: float
    without_one: float

    @property
    def runs(self) -> str:
        """The counts in words: an interval that is wider by another rule may hold the truth again."""
        apart = np.nonzero(np.diff(self.counts) > 1)[0] + 1
        return ", ".join(f"{run[0]} to {run[-1]}" for run in np.split(np.array(self.counts), apart))


def step(items: int, differ: float) -> Step:
    """At one true value."""
    counts = np.nonzero(held(items, differ))[0]
    likely = stats.binom.pmf(counts, items, differ)
    return Step(tuple(counts.tolist()), float(likely.sum()), float(likely.sum() - likely.min()))


def least_possible(items: int, differ: float) -> float:
    """The least probability of 92 % or more that consecutive counts have: no interval comes nearer at this value."""
    most = min(items, int(items * differ + 12 * (items * differ) ** 0.5 + 12))  # more are too unlikely to matter
    below = np.concatenate(([0.0], stats.binom.cdf(np.arange(most + 1), items, differ)))
    runs = below[None, 1:] - below[:-1, None]  # from each count to each other
    return float(runs[runs >= WANTED[0]].min())


def out_of_reach(items: int) -> list[tuple[float, float]]:
    """Expected differences where an interval that holds the truth in 92 of 100 studies does so in more than 98."""
    expected = np.arange(0.001, min(4.0, items / 2), 0.001)
    forced = np.array([least_possible(items, mean / items) > WANTED[1] for mean in expected.tolist()])
    edges = np.nonzero(np.diff(np.concatenate(([False], forced, [False])).astype(np.int64)))[0].reshape(-1, 2)
    return [(float(expected[first]), float(expected[after - 1])) for first, after in edges.tolist()]


def over_true_values(items: int) -> Floats:
    """The coverage at every true value at which at least one item is expected to differ."""
    return np.array([coverage(items, differ) for differ in TRUE[TRUE * items >= 1].tolist()])


def steps() -> Iterator[tuple[str, int, Step]]:
    """At the true values of the benchmark's populations."""
    for name, differ in DIFFER.items():
        for items in SIZES:
            yield name, items, step(items, differ)


def main() -> None:
    """All three tables."""
    print("| items | least | mean | greatest | of the true values within .92 to .98 |\n|---|---|---|---|---|")
    for items in SIZES:
        shares = over_true_values(items)
        inside = np.mean((shares >= WANTED[0]) & (shares <= WANTED[1]))
        print(
            f"| {items:,} | {shares.min():.3f} | {shares.mean():.3f} | {shares.max():.3f} | {inside:.0%} |", flush=True
        )
    print("\n| population | items | held counts | share | without the least likely | least possible |")
    print("|---|---|---|---|---|---|")
    for name, items, found in steps():
        least = least_possible(items, DIFFER[name])
        print(f"| {name} | {items:,} | {found.runs} | {found.share:.3f} | {found.without_one:.3f} | {least:.3f} |")
    print("\n| items | differences expected where nothing lies between .92 and .98 |\n|---|---|")
    for items in (15, 30, 100):
        print(f"| {items} | {', '.join(f'{low:.2f} to {high:.2f}' for low, high in out_of_reach(items))} |", flush=True)


if __name__ == "__main__":
    main()
