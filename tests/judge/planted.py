"""Studies of people and models in which the truth is planted."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

import accord

Labels = npt.NDArray[np.int64]


def noisy(truth: Labels, right: float, labels: int, rng: np.random.Generator) -> Labels:
    """The truth with this probability, else one of the other labels."""
    other = (truth + rng.integers(1, labels, len(truth))) % labels
    return np.where(rng.random(len(truth)) < right, truth, other)


def biased(truth: Labels, right: float, towards: int, labels: int, rng: np.random.Generator) -> Labels:
    """The truth with this probability, else one label that the model likes."""
    return np.where(noisy(truth, right, labels, rng) == truth, truth, towards)


def planted(
    items: int, people: int, models: Mapping[str, float], rng: np.random.Generator, right: float = 0.8, labels: int = 3
) -> accord.Study:
    """People who are right with one probability, and models each with its own."""
    truth = rng.integers(labels, size=items)
    columns = {f"p{number}": noisy(truth, right, labels, rng) for number in range(people)}
    columns |= {name: noisy(truth, share, labels, rng) for name, share in models.items()}
    return accord.Study.from_wide(columns)
