"""Limits of a share of which a few were counted, which hold the truth in 95 of 100 studies whatever it is, on average.

A limit by each side alone leaves half of α to the other side, where near an end nothing can be left out: with half a
difference expected among thirty items, such intervals hold the truth in 99 of 100 studies. So both sides are counted
together (Blaker 2000): a share is left out where what was seen, or anything as unlikely on either side, has a
probability below α. Of what was seen itself six tenths count, where the exact method counts all of it and the mid-P
method half: with that, coverage is .925 or more at every true value and .95 on average, of 15 to 1,000 units
(`benchmarks/count_lattice.py`).

None at all has the exact one-sided bound, 1 − α^(1/n). It is left out from there on, and counts as such.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

OF_WHAT_WAS_SEEN = 0.6  # of its probability, which counts as being as extreme
STEPS = 100  # to a limit, at most, of which most need eight
ROUNDING = 1e-15  # of a probability: nearer to the one wanted than this is there


def hidden_share(confidence: float, number: float) -> float:
    """The share of items that may differ from all of so many that were seen, with this confidence: 1 − α^(1/n).

    >>> round(hidden_share(0.95, 20), 3)
    0.139
    """
    return float(1 - (1 - confidence) ** (1 / number))


@lru_cache(maxsize=4096)
def least_share(counted: int, units: int, confidence: float, *, none_is_left_out: bool = True) -> float:
    """The lower limit of a share of which so many were counted.

    `none_is_left_out`: does an interval of none at all end at its exact bound? Where units may weigh more than those
    that were counted it reaches further, and there is nothing on that side to count.

    >>> round(least_share(2, 30, 0.95), 4), round(least_share(1, 100, 0.95), 5)
    (0.0152, 0.00085)
    """
    if counted == 0:
        return 0.0
    tail, bound = 1 - confidence, hidden_share(confidence, units) if none_is_left_out else 0.0

    def above(share: float) -> float:
        return _at_least(counted, units, share)

    alone = _rises_to(lambda share: above(share) - tail, 0.0, counted / units)
    if none_is_left_out and alone <= bound:
        return alone
    if none_is_left_out and above(bound) + _at_most(0, units, bound) > tail:
        return bound
    start = _rises_to(lambda share: above(share) - tail / 2, bound, alone)
    fewer = 0
    while fewer + 1 < counted and _at_most(fewer + 1, units, start) <= above(start):
        fewer += 1

    def both(share: float) -> float:
        return above(share) + (_at_most(fewer, units, share) if fewer or none_is_left_out else 0.0) - tail

    joined = _rises_to(lambda share: above(share) - _at_most(fewer + 1, units, share), start, alone)
    return _rises_to(both, start, joined)


@lru_cache(maxsize=4096)
def most_share(counted: int, units: int, confidence: float) -> float:
    """The upper limit of a share of which so many were counted, at most half; of none the exact bound.

    >>> round(most_share(2, 30, 0.95), 4), round(most_share(0, 30, 0.95), 4)
    (0.1993, 0.095)
    """
    if counted == 0:
        return hidden_share(confidence, units)
    tail = 1 - confidence

    def below(share: float) -> float:
        return _at_most(counted, units, share)

    enough = counted / units
    while below(enough) > tail / 2:
        enough += min((1 - enough) / 2, (counted + 2) / units)
    alone = _rises_to(lambda share: tail - below(share), counted / units, enough)
    start = _rises_to(lambda share: tail / 2 - below(share), alone, enough)
    more = counted + 1
    while more <= units and _at_least(more, units, start) > below(start):
        more += 1

    def both(share: float) -> float:
        return tail - below(share) - (_at_least(more, units, share) if more <= units else 0.0)

    joined = _rises_to(lambda share: _at_least(more - 1, units, share) - below(share), alone, start)
    return _rises_to(both, joined, start)


def _at_most(count: int, units: int, share: float) -> float:
    """The probability of fewer than so many, and a part of that of so many."""
    fewer, same = _binomial(count, units, share)
    return fewer + OF_WHAT_WAS_SEEN * same


def _at_least(count: int, units: int, share: float) -> float:
    """The probability of more than so many, and a part of that of so many."""
    fewer, same = _binomial(count, units, share)
    return 1 - fewer - (1 - OF_WHAT_WAS_SEEN) * same


def _binomial(count: int, units: int, share: float) -> tuple[float, float]:
    """The probability of fewer than so many, and of so many: a short sum, without SciPy, whose loading takes longer."""
    if share <= 0 or share >= 1:
        return (float(count > 0), float(count == 0)) if share <= 0 else (0.0, float(count == units))
    odds, same, fewer = share / (1 - share), math.exp(units * math.log1p(-share)), 0.0
    for one in range(count):
        fewer += same
        same *= (units - one) / (one + 1) * odds
    return fewer, same


def _rises_to(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a function that rises becomes positive between two places; the first where it is there, else the last.

    By false position, halving the weight of an end that stays (the Illinois method): eight steps or so.
    """
    at_low, at_high = function(low), function(high)
    if at_low > 0 or not at_high > 0:
        return low if at_low > 0 else high
    stayed = 0
    for _ in range(STEPS):
        place = low - at_low * (high - low) / (at_high - at_low)
        value = function(place)
        if abs(value) <= ROUNDING or not low < place < high:
            return place
        if value > 0:
            high, at_high, at_low, stayed = place, value, at_low / 2 if stayed > 0 else at_low, 1
        else:
            low, at_low, at_high, stayed = place, value, at_high / 2 if stayed < 0 else at_high, -1
    return high
