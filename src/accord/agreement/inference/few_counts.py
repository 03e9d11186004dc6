"""Limits of a value that falls short of full agreement because a few units disagree, or because none was seen to.

A few disagreements are counts, and come in whole numbers. Their limits are those of counts and shares by the mid-P
method, which gives half the probability of what was seen to either side; of no disagreement at all it is the exact
one-sided bound: 1 − α^(1/n).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from accord.agreement.inference.wald import SINGLE, Ends, no_interval
from accord.agreement.uncertainty import EXACT, Interval
from accord.annotations.arrays import FloatArray
from accord.coefficients.units import Units

FEW_COUNTED = 30.0  # units of one kind below which they are counted
SHARE_ROUNDING = 1e-9  # of a variance: a difference below this is rounding
NEWTON = 6  # steps to a limit, each of which doubles its digits
STEPS = 100  # at most, of which most limits need seven
MANY = 64  # limits: beyond, SciPy is quicker


def nearest(value: FloatArray | float, error: FloatArray | float, end: float, confidence: float) -> FloatArray:
    """The upper limit of a value that falls short of its end because of a few units.

    What it falls short by is then a weighted sum of a few counts, whose lower limit is that of a gamma distribution
    with as many events as the sum is standard errors, squared (Fay & Feuer 1997). The last of them counts half, which
    is the mid-P method (Fay & Kim 2017): events come in whole numbers, and without it the limit is too wide.

    >>> round(float(nearest(0.8, 0.2 / 5**0.5, 1.0, 0.95)), 3), round(float(nearest(0.9, 0.1, 1.0, 0.95)), 3)
    (0.927, 0.995)
    """
    from scipy.special import gammainc, gammaincinv, gammaln

    short = end - value
    events = (short / error) ** 2
    tail = (1 - confidence) / 2
    least = gammaincinv(events, tail)
    with np.errstate(divide="ignore", invalid="ignore"):  # of hardly an event the least is too small for a number
        for _ in range(NEWTON):  # on the scale of logs, on which the probability is nearly straight
            last = np.exp(events * np.log(least) - least - gammaln(events + 1)) / 2
            held = gammainc(events, least) - last
            least = least * np.exp(held * np.log(tail / held) / (last * (events + least)))
    return np.asarray(end - short * np.where(least > 0, least, 0.0) / events)


def farthest(
    value: FloatArray | float,
    error: FloatArray | float,
    units: FloatArray | float,
    worst: float,
    end: float,
    confidence: float,
) -> FloatArray:
    """The lower limit of a value that falls short of its end because a few of its units disagree; NaN where many do.

    What it falls short by is then a share of the units times what one of them weighs: as much as mean and error tell,
    and no less than one without any agreement, which may be among the next. The limit is that of a share by the mid-P
    method, with the events that the two make; of none among so many it is the bound of full agreement.

    >>> round(float(farthest(0.99, (0.99 * 0.01 / 99) ** 0.5, 100, 1.0, 1.0, 0.95)), 4)  # one of a hundred
    0.9517
    """
    short = np.asarray(end - value)
    weight = np.maximum(short + (units - 1) * np.square(error) / short, worst)
    events = np.where(2 * short <= weight, units * short / weight, np.nan)
    return np.asarray(end - weight * most_of(events, units, confidence))


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
    limits are those of the mid-P method; NaN where it is no share, or many of either kind.

    >>> low, high = share_limits(11 / 15, (11 / 15 * 4 / 15 / 14) ** 0.5, 15, 1.0, 1.0, 0.95)  # four of fifteen differ
    >>> round(float(low), 3), round(float(high), 3)
    (0.475, 0.909)
    """
    short = np.asarray(end - value)
    events = np.rint(units * short / worst)
    counted = (
        looks_like_share(short, error, units, worst)
        & (np.minimum(events, units - events) < FEW_COUNTED)
        & (events >= 1)
        & (units - events >= 1)
    )
    if not counted.any():
        nothing = np.full(counted.shape, np.nan)
        return nothing, nothing
    events = np.where(counted, events, np.nan)
    differ, agree = most_of(np.stack((events, units - events)), units, confidence)
    return np.asarray(end - worst * differ), np.asarray(end - worst * (1 - agree))


def most_of(events: FloatArray, units: FloatArray | float, confidence: float) -> FloatArray:
    """The upper limit of a share of which so many were seen, by the mid-P method."""
    if np.size(events) <= MANY and _are_counts(events, units):
        found = [_most_counted(one, float(units), (1 - confidence) / 2) for one in np.ravel(events).tolist()]
        return np.array(found, np.float64).reshape(np.shape(events))
    from scipy.special import betainc, betaincinv, betaln

    rest, tail = units - events, (1 - confidence) / 2
    without = betaincinv(rest, events + 1, tail)  # the share of units that agree, by the exact method
    for _ in range(NEWTON):  # on the scale of logs, on which the probability bends one way
        held = (betainc(rest, events + 1, without) + betainc(rest + 1, events, without)) / 2
        logs = (rest - 1) * np.log(without) + (events - 1) * np.log1p(-without)
        slope = np.exp(logs - betaln(rest, events + 1)) * (1 - without)
        slope = (slope + np.exp(logs - betaln(rest + 1, events)) * without) / 2
        without = without - held * np.log(held / tail) / slope
    return np.asarray(1 - without)


def _are_counts(events: FloatArray, units: FloatArray | float) -> bool:
    """Are these whole numbers, of which a few are of one kind? A missing one is no matter."""
    if np.ndim(units) or not float(units).is_integer():
        return False
    counts = [one for one in np.ravel(events).tolist() if not math.isnan(one)]
    return all(one.is_integer() and 0 < one < units and min(one, units - one) <= FEW_COUNTED for one in counts)


def _most_counted(events: float, units: float, tail: float) -> float:
    """The same of whole numbers: a sum over the fewer of the two kinds, without SciPy, whose loading takes longer.

    Newton's steps between limits that close in on the share; it agrees with SciPy's to 1e-13 of itself.
    """
    if math.isnan(events):
        return math.nan
    few, left = (events, tail) if 2 * events <= units else (units - events, 1 - tail)
    low, high, share = 0.0, 1.0, (few + 0.5) / (units + 1)
    for _ in range(STEPS):
        odds, term = share / (1 - share), math.exp(units * math.log1p(-share))
        below = 0.0
        for count in range(int(few)):
            below += term
            term *= (units - count) / (count + 1) * odds
        wrong = below + term / 2 - left
        low, high = (share, high) if wrong > 0 else (low, share)
        slope = (few / share + (units - few) / (1 - share)) * term / 2
        step = share + wrong / slope if slope > 0 else math.nan
        after = step if low < step < high else (low + high) / 2
        if abs(after - share) <= 1e-16 * share:
            break
        share = after
    return share if 2 * events <= units else 1 - share


def hidden_share(confidence: float, number: float) -> float:
    """The share of items that may differ from all of so many that were seen, with this confidence: 1 − α^(1/n).

    >>> round(hidden_share(0.95, 20), 3)
    0.139
    """
    return float(1 - (1 - confidence) ** (1 / number))


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
