"""The oracle of repeated answers: every coefficient between different people again, in loops without accord or arrays.

A study is a list of items; an item is a dict from annotator to *all* answers that annotator gave to it. Two people
agree on an item as often as one answer of either, drawn at random, would match: a mean over all their answers. So a
person is one person however often they answered, and nothing is compared with what the same person says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, permutations
from typing import Any, TypeAlias

Answers: TypeAlias = Sequence[Any]
Item: TypeAlias = Mapping[Any, Answers]
Study: TypeAlias = Sequence[Item]
Between: TypeAlias = Callable[[Any, Any], float]


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def met(one: Answers, other: Answers, alike: Between) -> float:
    """An answer of one person with an answer of another: the mean over all of them."""
    return mean([alike(a, b) for a in one for b in other])


def same(one: Any, other: Any) -> float:
    return float(one == other)


def on_item(item: Item, alike: Between) -> float:
    """The mean over pairs of different people."""
    return mean([met(one, other, alike) for one, other in combinations(item.values(), 2)])


def pairable(study: Study) -> list[Item]:
    return [item for item in study if len(item) >= 2]


def observed(study: Study, alike: Between = same, *, each: str = "item") -> float:
    """Every item once, or every person on it once."""
    items = pairable(study)
    weight = [len(item) if each == "answer" else 1 for item in items]
    total: float = sum(w * on_item(item, alike) for w, item in zip(weight, items, strict=True))
    return total / sum(weight)


def share(answers: Answers, label: Any) -> float:
    return sum(bool(answer == label) for answer in answers) / len(answers)


def pooled(study: Study, labels: Sequence[Any]) -> dict[Any, float]:
    """The share of each label: every item once, on it everybody once."""
    return {label: mean([mean([share(said, label) for said in item.values()]) for item in study]) for label in labels}


def expected_pooled(study: Study, labels: Sequence[Any], alike: Between = same) -> float:
    shares = pooled(study, labels)
    return sum(shares[a] * shares[b] * alike(a, b) for a in labels for b in labels)


def expected_own(study: Study, labels: Sequence[Any], alike: Between = same) -> float:
    """The mean over pairs of annotators of two draws from what either says on the items they answered."""
    people = sorted({who for item in study for who in item}, key=str)
    own = {
        who: {label: mean([share(item[who], label) for item in study if who in item]) for label in labels}
        for who in people
    }
    return mean(
        [sum(own[g][a] * own[h][b] * alike(a, b) for a in labels for b in labels) for g, h in combinations(people, 2)]
    )


def expected_uniform(study: Study, labels: Sequence[Any], alike: Between = same) -> float:
    return mean([alike(a, b) for a in labels for b in labels])


def expected_hesitant(study: Study, labels: Sequence[Any], alike: Between = same) -> float:
    shares, size = pooled(study, labels), len(labels)
    total = sum(alike(a, b) for a in labels for b in labels)
    return total / (size * (size - 1)) * sum(p * (1 - p) for p in shares.values())


def expected_without_replacement(study: Study, labels: Sequence[Any], alike: Between = same) -> float:
    """Two of all that were said, by whomever on whichever item, but never by one person on one item."""
    said = [answers for item in pairable(study) for answers in item.values()]
    return mean([met(one, other, alike) for one, other in permutations(said, 2)])


def corrected(o: float, e: float) -> float:
    return 1 - (1 - o) / (1 - e)


def light(study: Study, labels: Sequence[Any], alike: Between = same) -> float:
    """The mean of the pairs' kappas, each on the items both answered."""
    people = sorted({who for item in study for who in item}, key=str)
    values = []
    for g, h in combinations(people, 2):
        common = [{who: item[who] for who in (g, h)} for item in study if g in item and h in item]
        if common:
            values.append(corrected(observed(common, alike), expected_own(common, labels, alike)))
    return mean(values)


def alpha(study: Study, apart: Between) -> float:
    """1 − D_o / D_e, by squared distances between different people."""
    said = [answers for item in pairable(study) for answers in item.values()]
    everywhere = mean([met(one, other, apart) for one, other in permutations(said, 2)])
    return 1 - observed(study, apart, each="answer") / everywhere


def mid_ranks(study: Study) -> dict[Any, float]:
    """The rank of each number among all that were said, everybody once on an item."""
    said = [answers for item in pairable(study) for answers in item.values()]
    values = sorted({answer for answers in said for answer in answers})
    number = {value: sum(share(answers, value) for answers in said) for value in values}
    return {value: sum(number[low] for low in values if low < value) + number[value] / 2 for value in values}


def differential(study: Study, labels: Sequence[Any], suggested: Sequence[Any]) -> float:
    """κ_DH by its definition: agreement on the suggestion less agreement on another label."""

    def for_it(key: Any) -> Between:
        return lambda a, b: (1.0 if a == key else -1.0) if a == b else 0.0

    signed = [on_item(item, for_it(key)) for item, key in zip(study, suggested, strict=True) if len(item) >= 2]
    given = pooled(study, labels)
    hinted = {label: mean([float(key == label) for key in suggested]) for label in labels}
    e = sum((2 * hinted[label] - 1) * given[label] ** 2 for label in labels)
    return corrected(mean(signed), e)


def again(study: Study) -> list[Answers]:
    """What somebody said of an item more than once."""
    return [answers for item in study for answers in item.values() if len(answers) > 1]


def of_pairs(answers: Answers, apart: Between) -> float:
    return mean([apart(a, b) for a, b in combinations(answers, 2)])


def alpha_with_oneself(study: Study, apart: Between) -> float:
    """1 − D_o / D_e: within what one said of an item, every answer once, and between any two of these answers."""
    cells = again(study)
    within = sum(len(cell) * of_pairs(cell, apart) for cell in cells) / sum(map(len, cells))
    every = [answer for cell in cells for answer in cell]
    return 1 - within / mean([apart(a, b) for a, b in permutations(every, 2)])
