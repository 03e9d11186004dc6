"""Do weights of items give back the population that chosen items were chosen from?

    python benchmarks/item_weights.py [studies]

Everything is annotated once; then items are chosen to be annotated again, a rare label more often than a common one, or
uncertain items more often than sure ones. A coefficient of the chosen items speaks of a population that does not exist.
With each item weighing one divided by its chance of being chosen, the coefficient must have the value of all items
on average, and its 95 % interval must hold that value in 95 of 100 studies. The tests run a few of these; this script
runs 2,000 for each population and measure and prints what it saw.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

import accord

Cells = npt.NDArray[np.int64]
Chances = npt.NDArray[np.float64]

POPULATION = 20_000  # items
CHOSEN = 200  # items annotated again, on average
STUDIES = 2000
DRAWS = 300  # resamples of a study
MEASURES: dict[str, Callable[[accord.Study], accord.Agreement]] = {
    "cohen_kappa": accord.cohen_kappa,
    "fleiss_kappa": accord.fleiss_kappa,
    "gwet_ac": accord.gwet_ac,
    "krippendorff_alpha": accord.krippendorff_alpha,
    "percent_agreement": accord.percent_agreement,
}
SHARES = {"rare label": (0.80, 0.15, 0.05), "uncertain items": (0.6, 0.3, 0.1), "even chances": (0.6, 0.3, 0.1)}


@cache
def population(name: str) -> tuple[Cells, Chances]:
    """Both answers to every item, and the item's chance of getting the second."""
    rng = np.random.default_rng(sorted(SHARES).index(name))
    labels, shares = np.arange(3), SHARES[name]
    truth = rng.choice(labels, POPULATION, p=shares)
    hard = rng.random(POPULATION) < 0.3  # items on which annotators often guess
    right = np.where(hard, 0.5, 0.9)[:, None]
    guess = rng.choice(labels, (POPULATION, 2), p=shares)
    cells = np.where(rng.random((POPULATION, 2)) < right, truth[:, None], guess)
    first = cells[:, 0]
    if name == "rare label":  # by what the first annotator said
        likely = np.array([1.0, 3.0, 8.0])[first]
    elif name == "uncertain items":  # by how sure a model was, which is lower where items are hard
        likely = np.where(hard, 4.0, 1.0) * np.exp(0.4 * rng.standard_normal(POPULATION))
    else:
        likely = np.ones(POPULATION)
    return cells, likely * CHOSEN / likely.sum()


@cache
def truth(name: str, measure: str) -> float:
    """The coefficient of all items, as if everything had been annotated twice."""
    return MEASURES[measure](accord.Study.from_wide(population(name)[0], labels=[0, 1, 2])).value


def drawn(name: str, studies: int, seed: int = 0) -> Iterator[tuple[accord.Study, Chances]]:
    """Studies of the items that were chosen, each by its own chance, with what each item weighs."""
    cells, chance = population(name)
    rng = np.random.default_rng([seed, 7])
    for _ in range(studies):
        chosen = np.nonzero(rng.random(POPULATION) < chance)[0]
        yield accord.Study.from_wide(cells[chosen], labels=[0, 1, 2]), 1 / chance[chosen]


@dataclass
class Seen:
    """What studies of one kind gave: the values, and how often the interval held the truth."""

    true: float
    values: list[float]
    held: int = 0
    undefined: int = 0

    def add(self, result: accord.Agreement, span: accord.Interval) -> None:
        """Count one more."""
        self.values.append(result.value)
        self.undefined += math.isnan(span.low)
        self.held += span.low <= self.true <= span.high

    @property
    def bias(self) -> float:
        """The mean of the values less the truth."""
        return float(np.mean(self.values)) - self.true

    @property
    def slack(self) -> float:
        """The standard error of that mean."""
        return float(np.std(self.values)) / math.sqrt(len(self.values))

    @property
    def coverage(self) -> float:
        """The share of intervals that hold the truth."""
        return self.held / max(len(self.values) - self.undefined, 1)


def seen(name: str, measure: str, studies: int, *, weighted: bool, method: str = "analytic", seed: int = 0) -> Seen:
    """What so many studies gave."""
    found = Seen(truth(name, measure), [])
    for study, weights in drawn(name, studies, seed):
        result = MEASURES[measure](study.with_item_weights(weights) if weighted else study)
        found.add(result, result.interval(method=method, n_resamples=DRAWS))  # type: ignore[arg-type]
    return found


def main(studies: int = STUDIES) -> None:
    """Every population and measure, weighted and not."""
    print(f"{studies:,} studies each of about {CHOSEN} of {POPULATION:,} items\n")
    print(f"{'population':16} {'measure':20} {'truth':>6}   {'unweighted':>18}   {'weighted':>18}")
    for name in SHARES:
        for measure in MEASURES:
            started = time.perf_counter()
            plain, weighed = (seen(name, measure, studies, weighted=weighted) for weighted in (False, True))
            cells = "   ".join(f"{one.bias:+.3f} ± {one.slack:.3f}, {one.coverage:4.0%}" for one in (plain, weighed))
            took = time.perf_counter() - started
            print(f"{name:16} {measure:20} {truth(name, measure):6.3f}   {cells}   ({took:.0f} s)", flush=True)
    few = max(studies // 5, 1)
    for method in ("jackknife", "bootstrap", "bayesian"):
        found = seen("rare label", "cohen_kappa", few, weighted=True, method=method)
        print(f"{'rare label':16} {'cohen_kappa':20} {method}: coverage {found.coverage:.1%} of {few:,}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
