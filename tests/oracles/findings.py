"""The oracle of `accord.findings`: the obvious way to its numbers, items one by one, pairs one by one, no tallies."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations, permutations
from typing import TypeAlias

Item: TypeAlias = Sequence[Hashable | None]  # one answer per annotator, None for a missing one


def answers(item: Item) -> list[Hashable]:
    return [answer for answer in item if answer is not None]


def specific_agreement(items: Sequence[Item], label: Hashable) -> float:
    """Of the ordered pairs of answers whose first is the label, the share whose second is it; items count alike."""
    same = all_pairs = 0.0
    for item in items:
        pairs = list(permutations(answers(item), 2))
        for one, other in pairs:
            if one == label:
                all_pairs += 1 / len(pairs)
                same += (other == label) / len(pairs)
    return same / all_pairs


def kappa_against_the_rest(items: Sequence[Item], label: Hashable) -> float:
    """Fleiss' kappa of yes or no to the label."""
    agreed, shares = [], []
    for item in items:
        said = [answer == label for answer in answers(item)]
        if said:
            shares.append(sum(said) / len(said))
        if len(said) > 1:
            pairs = list(combinations(said, 2))
            agreed.append(sum(one == other for one, other in pairs) / len(pairs))
    observed, share = sum(agreed) / len(agreed), sum(shares) / len(shares)
    expected = share**2 + (1 - share) ** 2
    return (observed - expected) / (1 - expected)


def disagreement(items: Sequence[Item]) -> dict[frozenset[Hashable], float]:
    """The share of all disagreement that each two labels hold, every item counted once."""
    total: dict[frozenset[Hashable], float] = {}
    for item in items:
        pairs = list(combinations(answers(item), 2))
        for one, other in pairs:
            if one != other:
                key = frozenset((one, other))
                total[key] = total.get(key, 0.0) + 1 / len(pairs)
    everything = sum(total.values())
    return {pair: amount / everything for pair, amount in total.items()}


def merged(items: Sequence[Item], keep: Hashable, gone: Hashable) -> list[list[Hashable | None]]:
    """One label called as the other."""
    return [[keep if answer == gone else answer for answer in item] for item in items]


def marginals(items: Sequence[Item], labels: Sequence[Hashable]) -> list[list[float]]:
    """Each annotator's label shares."""
    columns = [[answer for answer in column if answer is not None] for column in zip(*items, strict=True)]
    return [[column.count(label) / len(column) for label in labels] for column in columns]


def indices(items: Sequence[Item], labels: Sequence[Hashable]) -> dict[str, float]:
    """Prevalence and bias squared and the maximum of kappa, from every pair of annotators."""
    shares = marginals(items, labels)
    size, people = len(labels), len(shares)
    mean = [sum(row[k] for row in shares) / people for k in range(size)]
    pairs = list(combinations(shares, 2))
    expected = sum(sum(p * q for p, q in zip(one, two, strict=True)) for one, two in pairs) / len(pairs)
    most = sum(sum(min(p, q) for p, q in zip(one, two, strict=True)) for one, two in pairs) / len(pairs)
    even = sum(share**2 for share in mean)
    return {
        "prevalence": (size * even - 1) / (size - 1),
        "bias": size / (size - 1) * (even - expected),
        "maximum": (most - expected) / (1 - expected),
    }


def conditional_agreement(
    said: Mapping[tuple[str, str], tuple[str, str]], only: str | None = None
) -> tuple[float, float, int]:
    """Of two decisions on an item by an annotator: observed and expected on the second over the pairs of answers that
    agree on the first (on `only` this first, where it is given), and the number of these pairs."""
    items: dict[str, list[tuple[str, str]]] = {}
    for (item, _), both in said.items():
        items.setdefault(item, []).append(both)
    weight: dict[str, float] = {}
    agreed: dict[str, float] = {}
    marginals: dict[tuple[str, str], float] = {}
    number = 0
    for answers in items.values():
        pairs = [(a, b) for a, b in combinations(answers, 2) if a[0] == b[0]]
        for a, b in pairs:
            one = 1 / len(pairs)
            weight[a[0]] = weight.get(a[0], 0) + one
            agreed[a[0]] = agreed.get(a[0], 0) + one * (a[1] == b[1])
            for answer in (a, b):
                marginals[answer] = marginals.get(answer, 0) + one / 2
            number += only in (None, a[0])
    chosen = [v for v in weight if only in (None, v)]
    total = sum(weight[v] for v in chosen)
    by_chance = sum(share**2 / weight[v] for (v, _), share in marginals.items() if v in chosen)
    return sum(agreed[v] for v in chosen) / total, by_chance / total, number
