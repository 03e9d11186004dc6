"""The oracle of resampled annotators: renamed copies, and no pair of copies of one person."""

from __future__ import annotations

import math
from itertools import permutations
from typing import Any, TypeAlias

from tests.oracles import coefficients as oracle

CopiedItem: TypeAlias = dict[oracle.Annotator, Any]  # by copy: (whose, the how manieth)


def strangers(item: CopiedItem) -> list[oracle.Pair]:
    """Ordered pairs of answers by different people."""
    return [(one, other) for one, other in permutations(item, 2) if person(one) != person(other)]


def person(copy: Any) -> Any:
    """Whose copy it is."""
    return copy[0]


def observed(items: list[CopiedItem], alike: oracle.Weight, *, each_answer: bool) -> float:
    """The mean over items where different people met; for alpha, over their answers."""
    met = [item for item in items if strangers(item)]
    means = [oracle.mean([alike(item[g], item[h]) for g, h in strangers(item)]) for item in met]
    weights = [len(item) if each_answer else 1 for item in met]
    return math.fsum(w * m for w, m in zip(weights, means, strict=True)) / sum(weights) if met else math.nan


def expected(chance: str, items: list[CopiedItem], scale: list[Any], alike: oracle.Weight) -> float:
    """The chance model on the study of copies; where it pairs people or answers, never a copy with its like."""
    match chance:
        case "none":
            return 0.0
        case "pooled":
            return oracle.expected_pooled(items, alike)
        case "pooled-counts":
            return oracle.expected_pooled_counts(items, alike)
        case "uniform":
            return oracle.expected_uniform(scale, alike)
        case "hesitant":
            return oracle.expected_hesitant(items, scale, alike)
        case "own":
            people = oracle.annotators(items)
            pairs = [(g, h) for g, h in permutations(people, 2) if person(g) != person(h)]
            own = {who: oracle.own_marginals(items, who) for who in people}
            return oracle.mean([oracle.chance_agreement(own[g], own[h], alike) for g, h in pairs])
    bag = [(place, who, item[who]) for place, item in enumerate(items) if strangers(item) for who in item]
    apart = [(a, b) for a, b in permutations(bag, 2) if (a[0], person(a[1])) != (b[0], person(b[1]))]
    return oracle.mean([alike(a[2], b[2]) for a, b in apart])


def light(items: list[CopiedItem], scale: list[Any], alike: oracle.Weight) -> float:
    """The mean of Cohen's kappa over pairs of copies of different people."""
    people = oracle.annotators(items)
    pairs = [(g, h) for g, h in permutations(people, 2) if person(g) != person(h)]
    values = [oracle.conger_kappa(oracle.only(items, pair), scale, alike).value for pair in pairs]
    return oracle.mean([value for value in values if not math.isnan(value)])
