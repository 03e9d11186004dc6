"""Annotations to measure: people who mostly see the same thing, and now and then do not."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
ATTENTIVE = 0.7  # how often an annotator looks at the item; else the answer is any label


def labelled(rng: np.random.Generator, items: int, annotators: int, labels: int) -> Array:
    """Items × annotators of integers; the labels are unequally common."""
    common = np.arange(labels, 0, -1.0)
    truth = rng.choice(labels, items, p=common / common.sum())
    anything = rng.integers(labels, size=(items, annotators))
    return np.where(rng.random((items, annotators)) < ATTENTIVE, truth[:, None], anything)


def scored(rng: np.random.Generator, items: int, annotators: int) -> Array:
    """Items × annotators of positive numbers, no two the same."""
    truth = rng.gamma(4.0, 10.0, size=(items, 1))
    return truth * rng.lognormal(0.0, 0.3, size=(items, annotators))


def marked(rng: np.random.Generator, units: int, annotators: int, labels: int) -> Array:
    """Units × annotators in rows of annotator, start, end, label: the same stretches, with borders that wander."""
    starts = np.arange(units) * 10.0
    rows = [
        (who, begin, begin + 2 + rng.integers(6), rng.integers(labels) if rng.random() > ATTENTIVE else place % labels)
        for who in range(annotators)
        for place, begin in enumerate(starts + rng.integers(0, 3, units))
    ]
    return np.array(rows, dtype=float)
