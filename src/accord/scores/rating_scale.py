"""The many-facet rating-scale model: items and annotators on one line, with thresholds that all annotators share.

    P(category k) ∝ exp Σ_{h ≤ k} (location of the item − severity of the annotator − threshold h)

Severities sum to zero, and so do the thresholds. Estimated either with items drawn from a normal distribution
(`marginal_rating_scale`, the default) or with a free location for every item (`joint_rating_scale`, as FACETS does).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up, divide

CELLS_AT_ONCE = 4_000_000


@dataclass(frozen=True, eq=False)
class Ratings:
    """Categories that annotators gave to items, patterns of items once: rows in the order of the patterns."""

    pattern: IntArray  # (M,)
    annotator: IntArray  # (M,)
    category: IntArray  # (M,) from zero, every one used
    items: FloatArray  # (P,) how many items show each pattern
    n_annotators: int
    n_categories: int

    @cached_property
    def starts(self) -> IntArray:
        """(P,) where the rows of each pattern begin."""
        return np.searchsorted(self.pattern, np.arange(len(self.items)))

    @cached_property
    def weight(self) -> FloatArray:
        """(M,) how often each row is there."""
        return self.items[self.pattern]

    @cached_property
    def answered(self) -> FloatArray:
        """(P,) scores of an item."""
        return np.bincount(self.pattern, minlength=len(self.items)).astype(np.float64)

    @cached_property
    def groups(self) -> int:
        """How many groups of annotators have no item in common with those of another."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        cells = (np.ones(len(self.pattern)), (self.pattern, self.annotator))
        met = csr_array(cells, shape=(len(self.items), self.n_annotators))
        return int(connected_components(met.T @ met, directed=False)[0])

    def blocks(self, width: int) -> Iterator[tuple[slice, slice]]:
        """Patterns and their rows, some at a time."""
        step = max(1, CELLS_AT_ONCE // max(int(self.answered.max(initial=1)) * width, 1))
        ends = np.append(self.starts, len(self.pattern))
        for first in range(0, len(self.items), step):
            last = min(first + step, len(self.items))
            yield slice(first, last), slice(int(ends[first]), int(ends[last]))

    @property
    def extreme_items(self) -> BoolArray:
        """(P,) which patterns hold the lowest category alone, or the highest."""
        total = add_up(self.pattern, self.category.astype(np.float64), len(self.items))
        return np.asarray((total == 0) | (total == self.answered * (self.n_categories - 1)))


@dataclass(frozen=True, eq=False)
class Placed:
    """Where items lie, what follows for their scores, and how well the model fits annotators and items."""

    location: FloatArray  # (P,)
    location_error: FloatArray
    fair: FloatArray  # (P,) the category that an annotator of mean severity would give on average
    fair_error: FloatArray
    annotator_fit: tuple[FloatArray, FloatArray]  # (R,) infit and outfit mean squares
    item_fit: tuple[FloatArray, FloatArray]  # (P,)


@dataclass(frozen=True, eq=False)
class RatingScaleFit:
    """What was estimated: on the logit scale, severity high where an annotator gives low categories."""

    method: str
    severity: FloatArray  # (R,)
    severity_error: FloatArray
    threshold: FloatArray  # (K − 1,)
    threshold_error: FloatArray
    placed: Placed
    mean: float  # of items
    sd: float
    log_likelihood: float
    converged: bool
    steps: int


def probabilities(eta: FloatArray, threshold: FloatArray) -> FloatArray:
    """(…, K) of each category, for a location less a severity."""
    steps = np.concatenate(([0.0], np.cumsum(threshold)))
    power = eta[..., None] * np.arange(len(steps)) - steps
    power -= power.max(-1, keepdims=True)
    found = np.exp(power)
    return np.asarray(found / found.sum(-1, keepdims=True))


def moments(chance: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The mean category and its variance."""
    category = np.arange(chance.shape[-1])
    mean = chance @ category
    return mean, chance @ category**2 - mean**2


def errors_of(cover: FloatArray, people: int, steps: int) -> tuple[FloatArray, FloatArray]:
    """Standard errors of severities and thresholds, the last of each being minus the sum of the others."""
    first, second = cover[: people - 1, : people - 1], cover[people - 1 :, people - 1 :][: steps - 1, : steps - 1]
    severity, threshold = (np.sqrt(np.maximum(np.append(np.diag(part), part.sum()), 0)) for part in (first, second))
    return severity, threshold


def mean_squares(
    data: Ratings, left: FloatArray, spread: FloatArray, ratio: FloatArray
) -> tuple[tuple[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]:
    """Infit and outfit: squared rests over their variance, summed first or each by itself; by annotator, by item."""
    weight, people, items = data.weight, data.n_annotators, len(data.items)
    by_person = (
        divide(add_up(data.annotator, weight * left, people), add_up(data.annotator, weight * spread, people)),
        divide(add_up(data.annotator, weight * ratio, people), add_up(data.annotator, weight, people)),
    )
    by_item = (
        divide(add_up(data.pattern, left, items), add_up(data.pattern, spread, items)),
        divide(add_up(data.pattern, ratio, items), data.answered),
    )
    return by_person, by_item
