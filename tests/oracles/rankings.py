"""Measures of rankings by their definitions: loops over options, pairs and orders of tied options."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, permutations, product
from statistics import mean

import numpy as np

from accord.annotations.arrays import FloatArray

Order = Mapping[str, float]  # the rank of each option, low first
Groups = Sequence[Sequence[str]]  # options from first to last, tied ones together


def mid_ranks(order: Order) -> dict[str, float]:
    """The mean of the places that an option and those tied with it take."""
    values = list(order.values())
    return {option: sum(v < rank for v in values) + (values.count(rank) + 1) / 2 for option, rank in order.items()}


def on_common(*orders: Order) -> list[dict[str, float]]:
    """The options that all of them rank, put in order among themselves."""
    common = set.intersection(*(set(order) for order in orders))
    return [mid_ranks({option: order[option] for option in sorted(common)}) for order in orders]


def kendall_w(orders: Sequence[Order]) -> float:
    """12 S / (m² (n³ − n) − m T)."""
    ranks = on_common(*orders)
    m, n = len(ranks), len(ranks[0])
    sums = [sum(one[option] for one in ranks) for option in ranks[0]] if n else []
    spread = sum((total - mean(sums)) ** 2 for total in sums)
    ties = 0
    for one in ranks:
        held = list(one.values())
        ties += sum(held.count(rank) ** 3 - held.count(rank) for rank in set(held))
    below = m**2 * (n**3 - n) - m * ties
    return 12 * spread / below if below else math.nan


def tau_b(first: Order, second: Order) -> float:
    """Pairs of options one by one."""
    one, other = on_common(first, second)
    agree, tied = 0, [0, 0]
    pairs = list(combinations(one, 2))
    for a, b in pairs:
        signs = [(ranks[a] > ranks[b]) - (ranks[a] < ranks[b]) for ranks in (one, other)]
        agree += signs[0] * signs[1]
        tied = [many + (sign == 0) for many, sign in zip(tied, signs, strict=True)]
    below = (len(pairs) - tied[0]) * (len(pairs) - tied[1])
    return agree / math.sqrt(below) if below else math.nan


def spearman(first: Order, second: Order) -> float:
    """Pearson's correlation of mid-ranks."""
    one, other = (list(ranks.values()) for ranks in on_common(first, second))
    if len(one) < 2 or len(set(one)) < 2 or len(set(other)) < 2:
        return math.nan
    away = [[value - mean(held) for value in held] for held in (one, other)]
    above = sum(a * b for a, b in zip(*away, strict=True))
    return float(above) / math.sqrt(math.prod(sum(value**2 for value in held) for held in away))


def linear_orders(groups: Groups) -> list[list[str]]:
    """Every order that breaks the ties."""
    return [[x for part in parts for x in part] for parts in product(*(list(permutations(g)) for g in groups))]


def overlap_of_orders(first: Groups, second: Groups, p: float) -> float:
    """The mean, over all ways to break ties, of the extrapolated overlap (Webber's equation 32)."""
    return mean(_extrapolated(a, b, p) for a in linear_orders(first) for b in linear_orders(second))


def _extrapolated(first: list[str], second: list[str], p: float) -> float:
    short, long = sorted((first, second), key=len)
    s, end = len(short), len(long)
    shared = [len(set(short[:d]) & set(long[:d])) for d in range(end + 1)]
    seen = sum(shared[d] / d * p**d for d in range(1, end + 1))
    guessed = sum(shared[s] * (d - s) / (s * d) * p**d for d in range(s + 1, end + 1))
    last = ((shared[end] - shared[s]) / end + shared[s] / s) * p**end
    return (1 - p) / p * (seen + guessed) + last


def alpha_of_ranks(queries: Sequence[Sequence[Order]]) -> float:
    """Ordinal alpha where the units are options of queries, and the values mid-ranks on common options."""
    cells = [
        [ranks[option] for ranks in found]
        for orders in queries
        for found in [on_common(*orders)]
        for option in found[0]
    ]
    values = sorted(value for cell in cells for value in cell)
    count = {value: values.count(value) for value in values}

    def apart(a: float, b: float) -> float:
        low, high = min(a, b), max(a, b)
        between = sum(many for value, many in count.items() if low <= value <= high)
        return (between - (count[low] + count[high]) / 2) ** 2 if a != b else 0.0

    number = len(values)
    observed = sum(
        apart(a, b) / (len(c) - 1) for c in cells for i, a in enumerate(c) for j, b in enumerate(c) if i != j
    )
    expected = sum(apart(a, b) * count[a] * count[b] for a in count for b in count) / (number * (number - 1))
    return 1 - observed / number / expected


def kemeny(orders: Sequence[Order]) -> tuple[float, list[tuple[str, ...]]]:
    """The least number of pairs put otherwise, and every order that has it; a tie costs nobody anything."""
    options = sorted(set().union(*orders))

    def cost(order: tuple[str, ...]) -> float:
        place = {option: at for at, option in enumerate(order)}
        pairs = combinations(options, 2)
        return sum(
            (one[a] - one[b]) * (place[a] - place[b]) < 0 for a, b in pairs for one in orders if a in one and b in one
        )

    costs = {order: cost(order) for order in permutations(options)}
    least = min(costs.values())
    return least, [order for order, found in costs.items() if found == least]


def mean_over_queries(queries: Iterable[Sequence[Order]], of_two: Callable[[Order, Order], float]) -> float:
    """The mean over queries of the mean over pairs."""
    found = []
    for orders in queries:
        values = [value for pair in combinations(orders, 2) if math.isfinite(value := of_two(*pair))]
        found += [mean(values)] if values else []
    return float(mean(found))


def plackett_luce_loss(log: FloatArray, ranks: FloatArray) -> float:
    """Of logarithms of strengths, lists of all options without ties: minus the log-likelihood, choice by choice."""
    total = 0.0
    for row in ranks:
        order = np.argsort(row)
        total -= sum(log[order[at]] - np.log(np.exp(log[order[at:]]).sum()) for at in range(len(row)))
    return float(total + log.sum() ** 2)


def efron_loss(log: FloatArray, ranks: FloatArray) -> float:
    """The same with ties: each of the tied as if the others tied with it had left in part (Efron 1977)."""
    total, weight = 0.0, np.exp(log)
    for row in ranks:
        for rank in set(row):
            tied, later = row == rank, weight[row > rank].sum()
            parts = [1 - gone / tied.sum() for gone in range(tied.sum())]
            total -= log[tied].sum() - sum(np.log(part * weight[tied].sum() + later) for part in parts)
    return float(total + log.sum() ** 2)
