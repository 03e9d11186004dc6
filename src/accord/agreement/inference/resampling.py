"""The value on other items: left out one by one, drawn again, or weighted at random."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from accord.annotations.arrays import FloatArray
from accord.coefficients.measurable import Measurable
from accord.coefficients.redrawn import Redrawn
from accord.coefficients.units import Units

CELLS_AT_ONCE = 4_000_000  # numbers of items held at a time while resampling

Report = Callable[[int, int], None]


class LeaveOneOut(NamedTuple):
    """What leaving out each unit shows."""

    error: float
    moves: FloatArray  # of each kind of unit: by how much the value without one is off their mean
    number: FloatArray  # of units of each kind
    undefined: int  # of these values


def jackknife(coefficient: Measurable, units: Units) -> LeaveOneOut:
    """The standard error from leaving out each unit."""
    if units.cluster is None:
        values, number = coefficient.leave_one_out(), coefficient.sample.items.astype(np.float64)
    else:
        values, number = _without_clusters(coefficient, units), np.ones(units.number)
    defined = np.isfinite(values)
    undefined = int(number[~defined].sum())
    values, number = values[defined], number[defined]
    moves = values - number @ values / number.sum() if len(values) else values
    variance = (units.number - 1) / units.number * float(number @ moves**2) if len(values) else math.nan
    return LeaveOneOut(math.sqrt(variance), moves, number, undefined)


def _without_clusters(coefficient: Measurable, units: Units) -> FloatArray:
    items = coefficient.sample.items.astype(np.float64)
    values = np.empty(units.number)
    step = max(1, CELLS_AT_ONCE // max(len(items), 1))
    for first in range(0, units.number, step):
        chosen = slice(first, min(first + step, units.number))
        values[chosen] = coefficient.evaluate(items - units.matrix[chosen].toarray()).value
    return values


class RedrawnItems:
    """The items of each pattern behind units drawn again: items by their patterns, or clusters of them."""

    def __init__(self, units: Units) -> None:
        self.units = units
        self.again = Redrawn(units.sample.units if units.cluster is None else np.ones(units.number, dtype=np.int64))
        self.width = max(self.again.kinds, len(units.sample))  # numbers held for one resample

    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        """(size, patterns) the numbers of items in each resample."""
        drawn = self.again.draw(rng, size)
        return drawn if self.units.cluster is None else np.asarray(drawn @ self.units.matrix)


def bootstrap(
    coefficient: Measurable, units: Units, n_resamples: int, rng: np.random.Generator, report: Report
) -> FloatArray:
    """The value on units drawn again with replacement: items by their patterns, or clusters."""
    again = RedrawnItems(units)
    return _values(coefficient, lambda size: again.draw(rng, size), n_resamples, again.width, report)


def bayesian(
    coefficient: Measurable, units: Units, n_resamples: int, rng: np.random.Generator, report: Report
) -> FloatArray:
    """The value on units with random weights: Rubin's Bayesian bootstrap."""
    number = coefficient.sample.items if units.cluster is None else np.ones(units.number)

    def reweigh(size: int) -> FloatArray:
        weights = rng.standard_gamma(number.astype(np.float64), size=(size, len(number)))
        weights *= units.number / weights.sum(axis=1, keepdims=True)
        return weights if units.cluster is None else np.asarray(weights @ units.matrix)

    return _values(coefficient, reweigh, n_resamples, len(number), report)


def _values(
    coefficient: Measurable, redraw: Callable[[int], FloatArray], n_resamples: int, width: int, report: Report
) -> FloatArray:
    values = np.empty(n_resamples)
    for first, last in blocks(n_resamples, max(width, len(coefficient.sample))):
        values[first:last] = coefficient.evaluate(redraw(last - first)).value
        report(last, n_resamples)
    return values


def blocks(n_resamples: int, width: int) -> Iterator[tuple[int, int]]:
    """Runs of draws that fit into memory together."""
    step = max(1, CELLS_AT_ONCE // max(width, 1))
    return ((first, min(first + step, n_resamples)) for first in range(0, n_resamples, step))


def percentiles(values: FloatArray, confidence: float) -> tuple[float, float]:
    """The middle part of the values."""
    tail = (1 - confidence) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    return float(low), float(high)


def bca(
    values: FloatArray, value: float, influence: FloatArray, number: FloatArray, confidence: float
) -> tuple[float, float]:
    """Percentiles corrected for bias and for a spread that changes with the value (Efron 1987)."""
    from scipy.special import ndtr, ndtri

    below = np.mean(values < value) + np.mean(values == value) / 2
    cubes, squares = float(number @ influence**3), float(number @ influence**2)
    if below in (0.0, 1.0) or squares == 0:
        return percentiles(values, confidence)
    bias, bend = ndtri(below), cubes / (6 * squares**1.5)
    ends = ndtri([(1 - confidence) / 2, (1 + confidence) / 2])
    levels = ndtr(bias + (bias + ends) / (1 - bend * (bias + ends)))
    low, high = np.quantile(values, np.clip(levels, 0, 1))
    return float(low), float(high)
