"""How long do the variance components of a million items take, with every intraclass correlation and its interval?

From a study in memory: the components by restricted maximum likelihood with their intervals, and all six forms. What
other packages take is from our own measurements of pingouin 0.7 (26 s without gaps, which it needs) and GeneralizIT
0.1.2 (6.9 s at 10,000 × 5).
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import accord
from accord.annotations.arrays import FloatArray

SHAPES = ((10_000, 5), (1_000_000, 5), (100_000, 40))
GAPS = (0.0, 0.2)
LIMITS = {(1_000_000, 5, 0.0): 2.0, (1_000_000, 5, 0.2): 5.0}  # seconds of processor time
ROUNDS = 3
VARIANCES = (1.0, 0.25, 0.8)  # item, annotator, what is left over


def table(items: int, people: int, gaps: float) -> FloatArray:
    """Scores with known variances."""
    rng = np.random.default_rng(items + people)
    item, annotator, rest = (np.sqrt(variance) for variance in VARIANCES)
    found = item * rng.normal(size=(items, 1)) + annotator * rng.normal(size=people)
    found = found + rest * rng.normal(size=(items, people))
    found[rng.random(found.shape) < gaps] = np.nan
    return np.asarray(found)


def taken(cells: FloatArray) -> tuple[float, float, float, accord.VarianceComponents]:
    """The least seconds of the components, and of all six forms after them, over some rounds; both by the clock.

    And what was found.
    """
    components, forms, clock = [], [], []
    for _ in range(ROUNDS):
        study = accord.Study.from_wide(cells, answers="score")
        _ = study.n_items  # read before the clock starts
        begun, start = time.perf_counter(), time.process_time()
        found = accord.variance_components(study)
        found.to_table()
        middle = time.process_time()
        found.iccs()
        components.append(middle - start)
        forms.append(time.process_time() - middle)
        clock.append(time.perf_counter() - begun)
    return min(components), min(forms), min(clock), found


def main() -> None:
    """A row for each shape, with and without gaps."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    print(f"{'items':>9}  annotators  gaps  components  all forms  both by the clock  σ² item, annotator, rest")
    for items, people in SHAPES:
        for gaps in GAPS:
            components, forms, clock, found = taken(table(items, people, gaps))
            values = list(found.variances.values())
            if not np.allclose([values[0], values[2]], [VARIANCES[0], VARIANCES[2]], rtol=0.1):
                raise SystemExit(f"The components are not those that were planted: {values}.")
            told = ", ".join(f"{value:.4f}" for value in values)
            shape = f"{items:>9,}  {people:>10}  {gaps:>4.0%}"
            print(f"{shape}  {components:>8.2f} s  {forms:>7.2f} s  {clock:>15.2f} s  {told}")
            limit = LIMITS.get((items, people, gaps))
            if limit is not None and components + forms > limit:
                raise SystemExit(f"{components + forms:.1f} s are more than {limit:g} s.")


if __name__ == "__main__":
    main()
