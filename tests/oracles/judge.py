"""The oracle of `accord.judge`: repeated runs, calibration and panels, in loops without accord or arrays."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise, permutations
from typing import Any

Answer = tuple[Any, Any, dict[str, Any]]  # item, label, level of each facet


def consistency(samples: Sequence[Sequence[Any]]) -> dict[str, float]:
    """Means over items of what each item's answers say."""
    majority, pairwise, entropy, total = [], [], [], []
    for answers in samples:
        counts = Counter(answers)
        majority.append(max(counts.values()) / len(answers))
        pairs = list(combinations(answers, 2))
        pairwise.append(sum(one == other for one, other in pairs) / len(pairs))
        entropy.append(-sum(n / len(answers) * math.log(n / len(answers)) for n in counts.values()))
        total.append(float(len(counts) == 1))
    return {
        name: sum(values) / len(values)
        for name, values in (
            ("majority", majority), ("pairwise", pairwise), ("entropy", entropy), ("total", total),
        )
    }  # fmt: skip


def matching(answers: Sequence[Answer], factors: Sequence[str]) -> dict[frozenset[str], float]:
    """Of the ordered pairs of answers that share exactly these factors, the share that match."""
    hits: Counter[frozenset[str]] = Counter()
    pairs: Counter[frozenset[str]] = Counter()
    for one, other in permutations(answers, 2):
        shared = frozenset(
            name for name in factors if (one[0] == other[0] if name == "item" else one[2][name] == other[2][name])
        )
        pairs[shared] += 1
        hits[shared] += one[1] == other[1]
    return {shared: hits[shared] / pairs[shared] for shared in pairs}


def components(answers: Sequence[Answer], facets: Sequence[str]) -> dict[frozenset[str], float]:
    """σ² of every set of factors, by Möbius inversion of the shares of matching pairs; "again" is what is left over."""
    factors = ["item", *facets]
    matched = matching(answers, factors)
    matched.setdefault(frozenset(factors), 1.0)  # an answer matches itself
    found: dict[frozenset[str], float] = {}
    for size in range(len(factors) + 1):
        for some in combinations(factors, size):
            inside = [frozenset(part) for number in range(size + 1) for part in combinations(some, number)]
            found[frozenset(some)] = sum((-1) ** (size - len(part)) * matched[part] for part in inside)
    found[frozenset(["again"])] = 1 - matched[frozenset(factors)]
    return found


def auroc(said: Sequence[float], right: Sequence[float]) -> float:
    """The share of pairs of a right and a wrong answer in which the right one is surer, ties half."""
    yes = [value for value, good in zip(said, right, strict=True) if good]
    no = [value for value, good in zip(said, right, strict=True) if not good]
    return sum((one > other) + 0.5 * (one == other) for one in yes for other in no) / (len(yes) * len(no))


def aurc(said: Sequence[float], right: Sequence[float]) -> float:
    """The mean over all orders that respect confidence of the mean risk over coverages; few answers only."""
    risks = []
    for order in permutations(range(len(said))):
        if any(said[one] < said[other] for one, other in pairwise(order)):
            continue
        wrong, here = 0.0, []
        for kept, place in enumerate(order, 1):
            wrong += 1 - right[place]
            here.append(wrong / kept)
        risks.append(sum(here) / len(here))
    return sum(risks) / len(risks)


def correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Pearson's."""
    mean = [sum(values) / len(values) for values in (one, other)]
    dots = sum((x - mean[0]) * (y - mean[1]) for x, y in zip(one, other, strict=True))
    left, right = (sum((x - m) ** 2 for x in values) for values, m in zip((one, other), mean, strict=True))
    return dots / math.sqrt(left * right)
