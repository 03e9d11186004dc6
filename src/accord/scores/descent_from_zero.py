"""Downhill along a smooth function of a few numbers, none of them below zero: BFGS, projected.

Why not scipy.optimize.minimize(method="L-BFGS-B")? It solves tables of three by three through a BLAS that starts
threads for them, and on a busy machine these wait for each other: a thousand fits of twelve scores took 38 s of
processor, and with one thread 2.4 s. Nothing that accord needs can hold them to one, and the arithmetic is short.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray

Sloped = Callable[[FloatArray], tuple[float, FloatArray]]
ENOUGH = 1e-4  # of what the slope promises, that a step must give
STILL_STEEP = 0.9  # of the slope: a step at whose end as much is left was too short
ROUNDING = 4e-16
LENGTHS = 40  # that are tried for one step
BENT = 1e-12  # of a step's length times its change of slope: less is no curvature


def descend_from_zero(
    function: Sloped, start: FloatArray, *, close: float, flat: float = 1e-9, steps: int = 200
) -> FloatArray:
    """Where a step lowers the function by no more than `close` of it, or no slope above `flat` is left.

    >>> found = descend_from_zero(lambda x: (float(((x - [3, -1]) ** 2).sum()), 2 * (x - [3, -1])), np.ones(2), close=0)
    >>> found.round(6)
    array([3., 0.])
    """
    point = np.maximum(start, 0.0)
    value, slope = function(point)
    curve: FloatArray | None = None
    for _ in range(steps):
        free = (point > 0) | (slope < 0)
        if not free.any() or float(np.abs(slope[free]).max()) <= flat:
            break
        way = _way(slope, free, curve)
        if -float(slope @ way) <= max(close, ROUNDING) * max(abs(value), 1.0):  # what there is left to gain
            break
        taken = _step(function, point, value, slope, way)
        if taken is None and curve is not None:  # the remembered curvature misleads: once more along the slope itself
            curve = None
            taken = _step(function, point, value, slope, _way(slope, free, curve))
        if taken is None:
            break
        ahead, lower, tilted = taken
        curve = _bent(curve, ahead - point, tilted - slope)
        gained, point, value, slope = value - lower, ahead, lower, tilted
        if gained <= close * max(abs(value), abs(value + gained), 1.0):
            break
    return point


def _way(slope: FloatArray, free: BoolArray, curve: FloatArray | None) -> FloatArray:
    """Downhill, by the curvature of those that may move; along the slope, and at most one long, where none is known."""
    way = np.zeros_like(slope)
    if curve is None:
        way[free] = -slope[free] / max(float(np.abs(slope[free]).sum()), 1.0)
    else:
        way[free] = -downhill(curve[np.ix_(free, free)], slope[free])
    return way


def downhill(curve: FloatArray, slope: FloatArray) -> FloatArray:
    """The slope over the curvature, also where the function is not curved upwards in every direction."""
    value, vector = np.linalg.eigh(curve)
    steep = np.maximum(np.abs(value), 1e-10 * np.abs(value).max(initial=0.0))
    return np.asarray(vector @ ((vector.T @ slope) / np.where(steep > 0, steep, 1.0)))


def _step(
    function: Sloped, point: FloatArray, value: float, slope: FloatArray, way: FloatArray
) -> tuple[FloatArray, float, FloatArray] | None:
    """A step that lowers the function enough; None if none does.

    It is halved until it does, and doubled while at its end the function falls as steeply as at first. A number that
    would fall below zero stays there, and no longer counts for the slope.
    """
    short, long, length, best = 0.0, math.inf, 1.0, None
    begins = float(slope @ np.where((point > 0) | (way > 0), way, 0.0))
    for _ in range(LENGTHS):
        ahead = np.maximum(point + length * way, 0.0)
        promise = float(slope @ (ahead - point))
        if not -promise > ROUNDING * max(abs(value), 1.0):
            break
        lower, tilted = function(ahead)
        if not (lower <= value + ENOUGH * promise and lower < value):
            long = length
        else:
            best = ahead, lower, tilted
            if math.isfinite(long) or float(tilted @ np.where(ahead > 0, way, 0.0)) >= STILL_STEEP * begins:
                break
            short = length
        length = (short + long) / 2 if math.isfinite(long) else 2 * short
    return best


def _bent(curve: FloatArray | None, moved: FloatArray, changed: FloatArray) -> FloatArray | None:
    """The curvature with what a step has shown; as it was where the step showed none, and none where it is lost."""
    along = float(moved @ changed)
    if not along > BENT * float(np.sqrt((moved @ moved) * (changed @ changed))):
        return curve
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # beside what is next to zero
        before = float(changed @ changed) / along * np.eye(len(moved)) if curve is None else curve
        seen = before @ moved
        found = before + np.outer(changed, changed) / along - np.outer(seen, seen) / (moved @ seen)
    return np.asarray(found) if np.isfinite(found).all() else None
