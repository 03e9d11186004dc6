"""The oracle of `accord.judge`: runs, calibration, panels, correction, anchoring, in loops without accord or arrays."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
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


def corrected_fleiss(grid: Sequence[Sequence[int]], power: float) -> float:
    """Three people, then models, each a column of codes, −1 where there is none: means of agreement and of label
    shares, corrected by models with trust `power`, put into 1 − (1 − o)/(1 − e)."""

    def parts(rows: Sequence[Sequence[int]]) -> tuple[float, list[float]]:
        agree, shares = [], []
        for row in rows:
            said = [label for label in row if label >= 0]
            pairs = list(combinations(said, 2))
            agree.append(sum(one == other for one, other in pairs) / len(pairs))
            counts = Counter(said)
            shares.append([counts[label] / len(said) for label in range(3)])
        return sum(agree) / len(agree), [sum(share[k] for share in shares) / len(shares) for k in range(3)]

    few = [row for row in grid if row[0] >= 0]
    many = [row for row in grid if row[0] < 0]
    people, model, rest = (
        parts([row[:3] for row in few]),
        parts([row[3:] for row in few]),
        parts([row[3:] for row in many]),
    )
    observed = people[0] + power * (rest[0] - model[0])
    marginals = [p + power * (r - m) for p, r, m in zip(people[1], rest[1], model[1], strict=True)]
    expected = sum(share**2 for share in marginals)
    return 1 - (1 - observed) / (1 - expected)


def corrected_percent(grid: Sequence[Sequence[int]]) -> float:
    """Percent agreement of three people with full trust in the model after them: each item predicted by those that look
    the same to it, and by two of the rest."""
    agree = {}
    for place, row in enumerate(grid):
        if row[0] >= 0:
            pairs = list(combinations(row[:3], 2))
            agree[place] = sum(one == other for one, other in pairs) / len(pairs)

    def predicted(label: int, without: int | None) -> float:
        others = {place: value for place, value in agree.items() if place != without}
        alike = [value for place, value in others.items() if grid[place][3] == label]
        return (sum(alike) + 2 * sum(others.values()) / len(others)) / (len(alike) + 2)

    rest = [predicted(row[3], None) for row in grid if row[0] < 0]
    here = [predicted(grid[place][3], place) for place in agree]
    return sum(agree.values()) / len(agree) + sum(rest) / len(rest) - sum(here) / len(here)


def said_by_held(
    items: Sequence[Mapping[str, int]], system: str, people: Sequence[str], size: int
) -> list[list[float]]:
    """What a system said × what people held, an item's people sharing one; item by item."""
    table = [[0.0] * size for _ in range(size)]
    for item in items:
        others = [item[who] for who in people if who in item]
        if system in item:
            for code in others:
                table[item[system]][code] += 1 / len(others)
    return table


def effect_within_items(rows: Sequence[tuple[int, str, bool, bool]]) -> float:
    """Of (item, annotator, saw, agrees), least squares with a level per item: Σ (x − x̄ᵢ) y / Σ (x − x̄ᵢ)²."""
    above = below = 0.0
    for item in {row[0] for row in rows}:
        here = [(float(saw), float(agrees)) for place, _, saw, agrees in rows if place == item]
        mean = sum(x for x, _ in here) / len(here)
        above += sum((x - mean) * y for x, y in here)
        below += sum((x - mean) ** 2 for x, _ in here)
    return above / below
