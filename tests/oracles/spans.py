"""The oracle of span F1: every matching of two annotators' marks is tried. Positions are counted one by one.

A mark is a pair: the frozenset of its positions, and its label. Shares no code with accord.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, permutations
from typing import TypeAlias

Mark: TypeAlias = tuple[frozenset[int], str]
Document: TypeAlias = Mapping[str, Sequence[Mark]]  # who is not in it did not see it
Worth: TypeAlias = Callable[[Mark, Mark], float]


def iou(one: Mark, other: Mark) -> float:
    """What both cover, of what either covers."""
    either = one[0] | other[0]
    return len(one[0] & other[0]) / len(either) if either else 1.0


def worth(match: str, threshold: float, *, labels: bool) -> Worth:
    """What a pair of marks is worth."""

    def pair(one: Mark, other: Mark) -> float:
        if labels and match != "boundary" and one[1] != other[1]:
            return 0.0
        if match in ("exact", "boundary"):
            return float(one[0] == other[0])
        share = iou(one, other)
        if match == "soft":
            return share
        return float(share > 0) if match == "overlap" else float(share >= threshold - 1e-12)

    return pair


def largest(one: Sequence[Mark], other: Sequence[Mark], pair: Worth) -> float:
    """The best of all one-to-one matchings."""
    few, many = sorted((list(one), list(other)), key=len)
    tried = (
        sum(pair(mark, partner) for mark, partner in zip(few, chosen, strict=True))
        for chosen in permutations(many, len(few))
    )
    return max(tried, default=0.0)


def f1(documents: Sequence[Document], pair: Worth, average: str, empty: str) -> float:
    """The mean over pairs of annotators, or one value of all of them."""
    people = sorted({name for document in documents for name in document})
    values, sums = [], [0.0, 0.0]
    for one, other in combinations(people, 2):
        both = [document for document in documents if one in document and other in document]
        parts = [
            (2 * largest(document[one], document[other], pair), len(document[one]) + len(document[other]))
            for document in both
        ]
        if not both:
            continue
        sums = [sums[0] + sum(above for above, _ in parts), sums[1] + sum(below for _, below in parts)]
        if average == "macro":
            values.append(_mean([_ratio(above, below, empty) for above, below in parts]))
        else:
            values.append(_ratio(sum(above for above, _ in parts), sum(below for _, below in parts), empty))
    return _ratio(sums[0], sums[1], empty) if average == "pooled" and values else _mean(values)


def _ratio(above: float, below: float, empty: str) -> float:
    if below:
        return above / below
    return 1.0 if empty == "agree" else math.nan


def _mean(values: Sequence[float]) -> float:
    defined = [value for value in values if not math.isnan(value)]
    return sum(defined) / len(defined) if defined else math.nan
