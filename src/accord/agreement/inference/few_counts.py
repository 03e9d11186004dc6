"""Limits of a value that falls short of full agreement because a few units disagree, or because none was seen to.

A few disagreements are counts, and come in whole numbers. Their limits are those of `count_limits`; of no disagreement
at all it is the exact one-sided bound: 1 − α^(1/n).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from accord.agreement.inference.count_limits import hidden_share, least_share, most_share
from accord.agreement.inference.wald import SINGLE, no_interval
from accord.agreement.uncertainty import EXACT, Interval
from accord.annotations.arrays import FloatArray
from accord.coefficients.standard_errors import Ends
from accord.coefficients.units import Units

FEW_COUNTED = 30.0  # units of one kind below which they are counted
FEW_ALIKE = 12.0  # the same where they only look alike
FEW_SEEN = 3.0  # disagreements, below which the next may well be of another weight than those that were seen
HEAVIER = 1.05  # times what one weighs: one that weighs more is of another kind
LIGHT = 2.0  # the same: those that were seen are near misses
SHARE_ROUNDING = 1e-9  # of a variance: a difference below this is rounding
MANY_EVENTS = 1e6  # whose gamma distribution is normal, and too near to it for logs of its density
NEWTON = 6  # steps to a limit, each of which doubles its digits


def nearest(value: FloatArray | float, error: FloatArray | float, end: float, confidence: float) -> FloatArray:
    """The upper limit of a value that falls short of its end because of a few units.

    What it falls short by is then a weighted sum of a few counts, whose lower limit is that of a gamma distribution
    with as many events as the sum is standard errors, squared (Fay & Feuer 1997). The last of them counts half, which
    is the mid-P method (Fay & Kim 2017): events come in whole numbers, and without it the limit is too wide.

    >>> round(float(nearest(0.8, 0.2 / 5**0.5, 1.0, 0.95)), 3), round(float(nearest(0.9, 0.1, 1.0, 0.95)), 3)
    (0.927, 0.995)
    """
    from scipy.special import gammainc, gammaincinv, gammaln, ndtri

    short = end - value
    seen = (short / error) ** 2
    events = np.minimum(seen, MANY_EVENTS)
    tail = (1 - confidence) / 2
    least = gammaincinv(events, tail)
    with np.errstate(divide="ignore", invalid="ignore"):  # of hardly an event the least is too small for a number
        for _ in range(NEWTON):  # on the scale of logs, on which the probability is nearly straight
            last = np.exp(events * np.log(least) - least - gammaln(events + 1)) / 2
            held = gammainc(events, least) - last
            least = least * np.exp(held * np.log(tail / held) / (last * (events + least)))
    few = end - short * np.where(least > 0, least, 0.0) / events
    return np.asarray(np.where(seen > MANY_EVENTS, value - ndtri(tail) * error, few))


def alike_limits(
    value: FloatArray | float,
    error: FloatArray | float,
    units: FloatArray | float,
    worst: float,
    end: float,
    confidence: float,
) -> tuple[FloatArray, FloatArray]:
    """Both limits of a value that falls short of its end because a few of its units disagree, all alike.

    What it falls short by is then a count of units times what one of them weighs, as value and error tell; its limits
    are those of a share. Of fewer than `FEW_SEEN` the next may be of another weight: the lower limit takes each for no
    less than one without any agreement. NaN where `FEW_ALIKE` or more disagree, or more than half, or all that did are
    far from being without agreement, as near misses on a scale are: what else there is was not seen.

    >>> low, high = alike_limits(0.99, (0.99 * 0.01 / 99) ** 0.5, 100, 1.0, 1.0, 0.95)  # one of a hundred
    >>> round(float(low), 4), round(float(high), 4)
    (0.9535, 0.9992)
    """
    short = np.asarray(end - value)
    weight = short + (units - 1) * np.square(error) / short
    events = np.where(2 * short <= weight, units * short / weight, np.nan)
    counted = np.where(events <= FEW_ALIKE, np.maximum(np.rint(events), 1), np.nan)
    of_one = units * short / counted
    counted = np.where((events < FEW_SEEN) | (worst <= LIGHT * of_one), counted, np.nan)
    least = _counted(counted, units, lambda one, of: least_share(one, of, confidence))
    alone = _counted(counted, units, lambda one, of: least_share(one, of, confidence, none_is_left_out=False))
    high = end - of_one * np.where(worst <= HEAVIER * of_one, least, alone)
    heavy = np.where(events < FEW_SEEN, np.maximum(of_one, worst), of_one)
    fewer = np.where(np.isnan(counted), np.nan, np.maximum(np.rint(units * short / heavy), 1))
    heavy = np.maximum(heavy, units * short / fewer)
    return np.asarray(end - heavy * _counted(fewer, units, lambda one, of: most_share(one, of, confidence))), high


def looks_like_share(short: Any, error: Any, units: Any, worst: float) -> Any:
    """Do mean and error hang together as those of a share do, of units that agree in full or not at all?

    Of one value, or of many: one is asked for every interval, and arrays would cost it more than all else here.
    """
    spread = error * error * (units - 1)
    return abs(spread - short * (worst - short)) < SHARE_ROUNDING * spread


def share_limits(
    value: FloatArray | float,
    error: FloatArray | float,
    units: FloatArray | float,
    worst: float,
    end: float,
    confidence: float,
) -> tuple[FloatArray, FloatArray]:
    """Both limits of a value that is a share: every unit agrees in full, or not at all, and chance stays as it is.

    Mean and error then hang together as those of a share do. Fewer than `FEW_COUNTED` of one kind are counts, whose
    limits these are; NaN where it is no share, or many of either kind.

    >>> low, high = share_limits(11 / 15, (11 / 15 * 4 / 15 / 14) ** 0.5, 15, 1.0, 1.0, 0.95)  # four of fifteen differ
    >>> round(float(low), 3), round(float(high), 3)
    (0.488, 0.891)
    """
    short = np.asarray(end - value)
    events = np.rint(units * short / worst)
    fewer = np.minimum(events, units - events)
    counted = looks_like_share(short, error, units, worst) & (fewer < FEW_COUNTED) & (fewer >= 1)
    fewer = np.where(counted, fewer, np.nan)
    least = _counted(fewer, units, lambda one, of: least_share(one, of, confidence))
    most = _counted(fewer, units, lambda one, of: most_share(one, of, confidence))
    few_differ = 2 * events <= units
    return (
        np.asarray(end - worst * np.where(few_differ, most, 1 - least)),
        np.asarray(end - worst * np.where(few_differ, least, 1 - most)),
    )


def _counted(counts: FloatArray, units: FloatArray | float, limit: Callable[[int, int], float]) -> FloatArray:
    """A limit of each of these counts among so many units, each pair of numbers once; NaN where there is none."""
    counts, of = np.broadcast_arrays(counts, units)
    found = {
        pair: limit(int(pair[0]), round(pair[1]))
        for pair in set(zip(counts.ravel().tolist(), of.ravel().tolist(), strict=True))
        if pair[0] == pair[0]
    }
    pairs = zip(counts.ravel().tolist(), of.ravel().tolist(), strict=True)
    return np.array([found.get(pair, math.nan) for pair in pairs]).reshape(counts.shape)


def perfect_interval(
    value: float, expected: float, number: float, units: Units, *, confidence: float, lowest: float
) -> Interval:
    """Of full agreement: from the exact bound that a sample without one disagreement leaves, to the value.

    With probability 1 − α a share of units up to 1 − α^(1/n) may hold a disagreement that the sample missed. At worst
    such an item has no agreement at all.
    """
    hidden = hidden_share(confidence, number)
    chance = expected if math.isfinite(expected) else 0.0
    low = max(value - hidden / (1 - chance), lowest) if chance < 1 else lowest
    return Interval(low, value, 0.0, confidence, EXACT, clusters=units.clusters)


def of_equal_items(value: float, units: Units, confidence: float, ends: Ends) -> Interval:
    """Of a mean to which every item adds the same: exact bounds, at worst with all that the sample missed at an end.

    With probability 1 − α a share of items up to 1 − α^(1/n) may differ from all that were seen.
    """
    if units.number < 2:
        return no_interval(SINGLE, confidence)
    hidden = hidden_share(confidence, units.number)
    low, high = value - hidden * (value - ends[0]), value + hidden * (ends[1] - value)
    return Interval(low, high, 0.0, confidence, EXACT, clusters=units.clusters)
