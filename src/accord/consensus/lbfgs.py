"""Downhill along a smooth function of very many numbers: limited-memory BFGS; every step lowers the function.

Why not scipy.optimize.minimize(method="L-BFGS-B")? GLAD on the data of benchmarks/gold.py, two cores, SciPy 1.17: with
one thread both are alike (a million answers: 26.6 s of CPU here in 263 steps, 25.1 s there in 235, equal labels, log
posteriors -1636855.37 and -1636855.43). With the threads that BLAS starts by itself, on a busy machine, they wait for
each other: 100,000 answers take 1.5 s of CPU here and 14 to 20 s there. Nothing that accord needs can hold them to one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import FloatArray
from accord.consensus.em import OnIteration

MEMORY = 10
ENOUGH = 1e-4  # of what the slope promises
HALVINGS = 40
Sloped = Callable[[FloatArray], tuple[float, FloatArray]]
Pair = tuple[FloatArray, FloatArray, float]  # how a step moved, how that bent the slope, and the product of the two


@dataclass(frozen=True, eq=False)
class Descent:
    """Where it ended, and the value after each step."""

    point: FloatArray
    values: tuple[float, ...]
    converged: bool


def descend(
    function: Sloped, start: FloatArray, iterations: int, tolerance: float, on_iteration: OnIteration | None = None
) -> Descent:
    """Until a step lowers the function by less than `tolerance` of its value.

    >>> found = descend(lambda x: (float(((x - 3) ** 2).sum()), 2 * (x - 3)), np.zeros(2), 50, 1e-12)
    >>> found.point.round(6), found.converged
    (array([3., 3.]), True)
    """
    point, (value, slope) = start, function(start)
    values, pairs = [value], deque[Pair](maxlen=MEMORY)
    converged = False
    for step in range(1, iterations + 1):
        taken = _step(function, point, value, slope, pairs)
        if taken is None and pairs:  # the remembered curvature misleads: once more along the slope itself
            pairs.clear()
            taken = _step(function, point, value, slope, pairs)
        if taken is None:
            converged = True
            break
        ahead, lower, tilted = taken
        moved, bent = ahead - point, tilted - slope
        curved = _dot(moved, bent)
        if curved > 1e-10 * _dot(moved, moved):
            pairs.append((moved, bent, curved))
        gained, point, value, slope = value - lower, ahead, lower, tilted
        values.append(value)
        if on_iteration:
            on_iteration(step, iterations, -value)
        if gained <= tolerance * max(abs(value), 1.0):
            converged = True
            break
    return Descent(point, tuple(values), converged)


def _step(
    function: Sloped, point: FloatArray, value: float, slope: FloatArray, pairs: deque[Pair]
) -> tuple[FloatArray, float, FloatArray] | None:
    """The first of ever shorter steps that lowers the function enough; None if none does."""
    way = -_direction(slope, pairs)
    promise = _dot(way, slope)
    if not promise < 0:
        return None
    length = 1.0 if pairs else min(1.0, 1 / max(float(np.abs(slope).sum()), 1e-12))
    for _ in range(HALVINGS):
        ahead = point + length * way
        lower, tilted = function(ahead)
        if lower <= value + ENOUGH * length * promise:
            return ahead, lower, tilted
        length /= 2
    return None


def _direction(slope: FloatArray, pairs: deque[Pair]) -> FloatArray:
    """The slope divided by the curvature that past steps have shown (two-loop recursion)."""
    way, shares = slope.copy(), []
    for moved, bent, curved in reversed(pairs):
        share = _dot(moved, way) / curved
        shares.append(share)
        way -= share * bent
    if pairs:
        _, bent, curved = pairs[-1]
        way *= curved / _dot(bent, bent)
    for (moved, bent, curved), share in zip(pairs, reversed(shares), strict=True):
        way += (share - _dot(bent, way) / curved) * moved
    return way


def _dot(one: FloatArray, other: FloatArray) -> float:
    return float(np.add.reduce(one * other))
