"""Coefficients of scores, slow and obvious: one item after another, as the definitions read."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product
from statistics import fmean

Scores = Sequence[Mapping[str, float]]  # of each item: who gave which score


def lin_concordance(x: Sequence[float], y: Sequence[float]) -> float:
    """One minus the mean squared difference over that of any two scores, one of each."""
    apart = fmean((a - b) ** 2 for a, b in zip(x, y, strict=True))
    by_chance = fmean((a - b) ** 2 for a, b in product(x, y))
    return 1 - apart / by_chance if by_chance else math.nan


def pearson(x: Sequence[float], y: Sequence[float]) -> float:
    """Covariance over the root of the variances."""
    cov = sum((a - fmean(x)) * (b - fmean(y)) for a, b in zip(x, y, strict=True))
    spread = math.sqrt(sum((a - fmean(x)) ** 2 for a in x) * sum((b - fmean(y)) ** 2 for b in y))
    return cov / spread if len(set(x)) > 1 and len(set(y)) > 1 else math.nan


def ranks(values: Sequence[float]) -> list[float]:
    """Middle ranks."""
    return [sum(other < one for other in values) + (sum(other == one for other in values) + 1) / 2 for one in values]


def spearman(x: Sequence[float], y: Sequence[float]) -> float:
    """Pearson's of the ranks."""
    return pearson(ranks(x), ranks(y))


def kendall(x: Sequence[float], y: Sequence[float]) -> float:
    """Pairs of items in the same order less those in opposite order."""
    signs = [(_sign(a - c), _sign(b - d)) for (a, b), (c, d) in combinations(list(zip(x, y, strict=True)), 2)]
    untied = sum(one != 0 for one, _ in signs) * sum(other != 0 for _, other in signs)
    return sum(one * other for one, other in signs) / math.sqrt(untied) if untied else math.nan


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)


def mean_over_pairs(items: Scores, value: Callable[[Sequence[float], Sequence[float]], float]) -> float:
    """The mean over pairs of annotators with three items in common and a value."""
    people = sorted({who for item in items for who in item})
    found = []
    for one, other in combinations(people, 2):
        both = [(item[one], item[other]) for item in items if one in item and other in item]
        if len(both) >= 3:
            found.append(value([a for a, _ in both], [b for _, b in both]))
    found = [one for one in found if not math.isnan(one)]
    return fmean(found) if found else math.nan


def overall_concordance(items: Scores) -> float:
    """One ratio: squared differences of all pairs over those that any two scores of the two would have."""
    people = sorted({who for item in items for who in item})
    apart = by_chance = 0.0
    for one, other in combinations(people, 2):
        both = [(item[one], item[other]) for item in items if one in item and other in item]
        if len(both) >= 3:
            apart += sum((a - b) ** 2 for a, b in both)
            by_chance += len(both) * fmean((a - b) ** 2 for (a, _), (_, b) in product(both, both))
    return 1 - apart / by_chance if by_chance else math.nan


def mean_absolute_difference(items: Scores) -> float:
    """The mean over items of the mean over pairs."""
    found = [fmean(abs(a - b) for a, b in combinations(item.values(), 2)) for item in items if len(item) > 1]
    return fmean(found) if found else math.nan


def within_item_sd(items: Scores) -> float:
    """The root of the pooled variance within items."""
    several = [list(item.values()) for item in items if len(item) > 1]
    squares = sum((one - fmean(values)) ** 2 for values in several for one in values)
    return math.sqrt(squares / sum(len(values) - 1 for values in several)) if several else math.nan
