"""The best alignment, the disorder and gamma_cat, slow and obvious: every partition is tried."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, product
from typing import TypeAlias

Unit: TypeAlias = tuple[float, float, str]


def unlike(one: Unit | None, other: Unit | None, alpha: float = 1.0, beta: float = 1.0) -> float:
    """Mathet, Widlöcher and Métivier's combined dissimilarity, with an empty unit worth 1."""
    if one is None or other is None:
        return 1.0
    return alpha * apart(one, other) + beta * (one[2] != other[2])


def apart(one: Unit, other: Unit) -> float:
    """Their positional dissimilarity."""
    shift = abs(one[0] - other[0]) + abs(one[1] - other[1])
    return (shift / (one[1] - one[0] + other[1] - other[0])) ** 2


def cost(unitary: Sequence[Unit | None], alpha: float = 1.0, beta: float = 1.0) -> float:
    """The disorder of one unitary alignment: the mean over all pairs of annotators."""
    pairs = list(combinations(unitary, 2))
    return sum(unlike(one, other, alpha, beta) for one, other in pairs) / len(pairs)


def least_total(marked: Sequence[Sequence[Unit]], alpha: float = 1.0, beta: float = 1.0) -> float:
    """The least sum of disorders of unitary alignments that hold every unit once."""
    return least_and_fewest(marked, alpha, beta)[0]


def least_and_fewest(marked: Sequence[Sequence[Unit]], alpha: float = 1.0, beta: float = 1.0) -> tuple[float, int]:
    """The least sum of disorders, and of how few unitary alignments an alignment of it can be."""

    @cache
    def rest(left: tuple[frozenset[int], ...]) -> tuple[float, int]:
        who = next((k for k, units in enumerate(left) if units), None)
        if who is None:
            return 0.0, 0
        first = min(left[who])
        choices = [[None, *sorted(units)] if k != who else [first] for k, units in enumerate(left)]
        best = float("inf"), 0
        for chosen in product(*choices):
            held = [None if unit is None else marked[k][unit] for k, unit in enumerate(chosen)]
            remaining = tuple(units - {unit} for units, unit in zip(left, chosen, strict=True))
            total, number = rest(remaining)
            best = min(best, (round(cost(held, alpha, beta) + total, 12), 1 + number))
        return best

    return rest(tuple(frozenset(range(len(units))) for units in marked))


def disorder(marked: Sequence[Sequence[Unit]], alpha: float = 1.0, beta: float = 1.0) -> float:
    """The published disorder of the best alignment: the sum by the mean number of units per annotator."""
    return least_total(marked, alpha, beta) / (sum(map(len, marked)) / len(marked))


def label_disorder(unitary: Sequence[Sequence[Unit]], label: str | None = None) -> float:
    """gamma_cat's disorder of an alignment (gamma_k's with a label): its unitary alignments without empty units."""
    total, weight = 0.0, 0.0
    for held in unitary:
        for one, other in combinations(held, 2):
            if label is not None and label not in (one[2], other[2]):
                continue
            each = max(0.0, 1 - apart(one, other)) / (len(held) - 1)
            total, weight = total + each * (one[2] != other[2]), weight + each
    return total / weight if weight else float("nan")
