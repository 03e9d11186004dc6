"""How often does a 95 % interval hold the true value? Studies drawn from populations whose coefficients are known.

    python benchmarks/coverage.py [studies] [of them bootstrapped]

A population is a large finite table of annotated items; its coefficient is computed from all of it and is the truth.
A study is a random draw of items from it. An honest interval holds the truth in 95 of 100 studies. The tests run 100
of these; this script runs 2,000 for each size and population, the bootstrap on the first 400 of them, and prints
what it saw.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
import numpy.typing as npt

import accord

Cells = npt.NDArray[np.float64]

LABELS = (1.0, 2.0, 3.0, 5.0)
POPULATION = 50_000  # items
SIZES = (20, 50, 200, 1000)
STUDIES, BOOTSTRAPPED = 2000, 400
DRAWS = 400  # resamples of a study
MEASURES: dict[str, Callable[[accord.Study], accord.Agreement]] = {
    "fleiss_kappa": accord.fleiss_kappa,
    "conger_kappa": accord.conger_kappa,
    "light_kappa": accord.light_kappa,
    "gwet_ac": accord.gwet_ac,
    "alpha nominal": accord.krippendorff_alpha,
    "alpha interval": partial(accord.krippendorff_alpha, level="interval"),
}
POPULATIONS: dict[str, tuple[tuple[float, ...], float]] = {  # the shares of the labels, and of silence
    "complete": ((0.25, 0.25, 0.25, 0.25), 0.0),
    "gaps": ((0.4, 0.3, 0.2, 0.1), 0.4),
    "skew": ((0.88, 0.06, 0.04, 0.02), 0.1),
}


@cache
def population(name: str, people: int = 4) -> Cells:
    """Annotators who are right three times in four, else prefer a label of their own; silence is NaN."""
    shares, silent = POPULATIONS[name]
    rng = np.random.default_rng(sorted(POPULATIONS).index(name))
    truth = rng.choice(LABELS, POPULATION, p=shares)
    own = np.array(LABELS)[np.arange(people) % len(LABELS)]
    lapse = np.where(rng.random((POPULATION, people)) < 0.3, own, rng.choice(LABELS, (POPULATION, people), p=shares))
    cells = np.where(rng.random((POPULATION, people)) < 0.75, truth[:, None], lapse)
    return np.where(rng.random(cells.shape) < silent, np.nan, cells)


@cache
def truth(name: str, measure: str) -> float:
    """The coefficient of the whole population."""
    return MEASURES[measure](accord.Study.from_wide(population(name), labels=LABELS)).value


def drawn(name: str, items: int, studies: int, seed: int = 0) -> Iterator[accord.Study]:
    """Random studies of so many items."""
    rng = np.random.default_rng([seed, items])
    for _ in range(studies):
        rows = rng.integers(0, POPULATION, items)
        yield accord.Study.from_wide(population(name)[rows], labels=LABELS)


@dataclass
class Seen:
    """What intervals of one kind did: how many there were, and how many held the truth."""

    made: int = 0
    held: int = 0
    undefined: int = 0

    def add(self, span: accord.Interval, true: float) -> None:
        """Count one more."""
        if math.isnan(span.low):
            self.undefined += 1
        else:
            self.made += 1
            self.held += span.low <= true <= span.high

    def __str__(self) -> str:
        share = f"{100 * self.held / self.made:5.1f} %" if self.made else "      –"
        return f"{share} ({self.undefined:3} undefined)"


@dataclass
class Run:
    """One population, size and measure."""

    values: list[float]
    errors: list[float]
    analytic: Seen
    bootstrap: Seen


def run(name: str, items: int, studies: int, bootstrapped: int) -> dict[str, Run]:
    """Draw the studies and ask each measure for its intervals."""
    runs = {measure: Run([], [], Seen(), Seen()) for measure in MEASURES}
    for number, study in enumerate(drawn(name, items, studies)):
        for measure, function in MEASURES.items():
            result, seen, true = function(study), runs[measure], truth(name, measure)
            span = result.interval(method="analytic")
            seen.analytic.add(span, true)
            if not math.isnan(span.se):
                seen.values.append(result.value)
                seen.errors.append(span.se)
            if number < bootstrapped:
                seen.bootstrap.add(result.interval(method="bootstrap", n_resamples=DRAWS, rng=number), true)
    return runs


def main(studies: int = STUDIES, bootstrapped: int = BOOTSTRAPPED) -> None:
    print(f"{studies:,} studies of each kind, the first {bootstrapped:,} also by {DRAWS} resamples; 95 % intervals")
    head = f"{'population':10} {'items':>5}  {'measure':15} {'truth':>6} {'bias':>7} {'error':>6} {'/ spread':>8}"
    print(f"{head}  {'analytic':>23}  {'bootstrap':>23}")
    begun = time.process_time()
    for name in POPULATIONS:
        for items in SIZES:
            for measure, seen in run(name, items, studies, bootstrapped).items():
                values, true = np.array(seen.values), truth(name, measure)
                error = float(np.sqrt(np.mean(np.square(seen.errors))))
                line = f"{name:10} {items:5}  {measure:15} {true:6.3f} {values.mean() - true:+7.3f} {error:6.3f}"
                print(f"{line} {error / values.std():8.2f}  {seen.analytic!s:>23}  {seen.bootstrap!s:>23}", flush=True)
    print(f"{time.process_time() - begun:.0f} s of processor time")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
