"""Studies made for the tests of findings: clean ones, and ones with a planted fault."""

from __future__ import annotations

from typing import Any

import numpy as np

import accord


def grid(seed: int, *, items: int = 60, people: int = 4, labels: int = 4, error: float = 0.3, gaps: float = 0.0) -> Any:
    """Answers with errors on all labels alike; None for missing."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, labels, items)[:, None]
    wrong = rng.random((items, people)) < error
    said = np.where(wrong, rng.integers(0, labels, (items, people)), true)
    cells = np.array(list("abcdefghijkl"), dtype=object)[said]
    cells[rng.random(cells.shape) < gaps] = None
    return cells


def clean(seed: int) -> accord.Study:
    """A study without a fault: honest errors, on labels as they are used or on all alike, hard items or none."""
    rng = np.random.default_rng(seed)
    labels, people = int(rng.integers(2, 8)), int(rng.integers(2, 7))
    items = int(rng.choice([30, 60, 120, 300]))
    marginals = rng.dirichlet(np.full(labels, float(rng.choice([2, 20]))))
    true = rng.choice(labels, items, p=marginals)[:, None]
    error = rng.uniform(0.01, 0.08)
    hard = error if rng.random() < 0.5 else rng.beta(1, 1 / error, items)[:, None]
    wrong = rng.choice(labels, (items, people), p=marginals if rng.random() < 0.5 else None)
    cells = np.where(rng.random((items, people)) < hard, wrong, true).astype(np.float64)
    if rng.random() < 0.3:
        cells[rng.random(cells.shape) < 0.2] = np.nan
    return accord.Study.from_wide(cells)


def confusing(seed: int, *, items: int = 200, people: int = 3, labels: int = 5, swap: float = 0.3) -> accord.Study:
    """Three honest annotators who take “a” for “b” and back in `swap` of their answers."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, labels, items)[:, None]
    said = np.where(rng.random((items, people)) < 0.05, rng.integers(0, labels, (items, people)), true)
    said = np.where((said < 2) & (rng.random(said.shape) < swap), 1 - said, said)
    return accord.Study.from_wide(np.array(list("abcdefghijkl"), dtype=object)[said])
