"""What taking severity off is worth: golds of simulated scores against the truth, and whether their errors are honest.

python -m benchmarks.severity_gold 100
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

import accord

METHODS = ("mean", "weighted-mean", "severity-adjusted", "rating-scale")
ITEMS, PEOPLE, EACH, STEPS = 150, 4, 2, 7
Vector = np.ndarray[Any, np.dtype[np.float64]]


def drawn(rng: np.random.Generator) -> tuple[Vector, accord.Study]:
    """A truth on a scale of seven points, and two of four annotators' scores of each item."""
    truth = rng.normal(4, 1, ITEMS)
    level = rng.normal(0, 0.7, PEOPLE)
    scores = truth[:, None] + level - level.mean() + rng.normal(0, 0.6, (ITEMS, PEOPLE))
    scores = np.clip(np.round(scores), 1, STEPS)
    for row in scores:
        row[rng.permutation(PEOPLE)[EACH:]] = np.nan
    return truth, accord.Study.from_wide(scores, answers="score")


def main(number: int = 100) -> None:
    """A line for each method."""
    start = time.process_time()
    errors: dict[str, list[float]] = {name: [] for name in METHODS}
    within: dict[str, list[float]] = {name: [] for name in METHODS}
    for seed in range(number):
        truth, study = drawn(np.random.default_rng([seed, 9]))
        for name in METHODS:
            found = accord.gold(study, method=name)
            away = found.values - truth
            away -= away.mean()  # where all annotators together lie cannot be seen
            errors[name].append(float(np.mean(away**2)))
            within[name].append(float(np.nanmean(np.abs(away) < 1.96 * found.standard_errors)))
    for name in METHODS:
        rmse = float(np.sqrt(np.mean(errors[name])))
        print(f"{name:20} root mean squared error {rmse:.3f}   truth within 95% {np.mean(within[name]):.0%}")
    print(f"{time.process_time() - start:.0f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
