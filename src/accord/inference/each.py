"""How sure each annotator's own value is: its derivative by item, squared and summed, for all annotators at once.

For annotator g, value = 1 − (1 − o) / (1 − e). An item moves o only if g answered it, and e through the chance model.
So the squared standard error splits into sums over g's own items and one sum over all items, and no table annotators ×
items is needed unless every annotator has a chance of their own.
"""

from __future__ import annotations

import numpy as np

from accord.arrays import FloatArray, IntArray, add_up, divide
from accord.chance import Own
from accord.coefficient import Coefficient, Smooth, Tabular
from accord.levels import Ordinal
from accord.meetings import Meetings
from accord.tally import Tally

MOST_CELLS = 200_000_000  # annotators × answers, for chance by annotator
STEP = 1e-4
PATTERNS_AT_ONCE = 10_000
MOST_PATTERNS = 3_000


def errors_of_each(tally: Tally, coefficient: Coefficient, observed: FloatArray, expected: FloatArray) -> FloatArray:
    """(R,) the standard error of each annotator's value, from a named tally."""
    items, people = tally.items.astype(np.float64), len(tally.annotators)
    number = float(coefficient.tally.n_items)
    value = 1 - divide(1 - observed, 1 - expected)
    moved, entry = _own_agreement(tally, coefficient, observed)  # per entry: how far the item moves o
    own = isinstance(coefficient, Tabular) and isinstance(coefficient.chance, Own)
    ranked = isinstance(coefficient, Ordinal)
    if (own or ranked) and people * len(tally.answer) > MOST_CELLS:
        return np.full(people, np.nan)
    by_ranks = _by_ranks(tally, coefficient) if isinstance(coefficient, Ordinal) else None
    scale = divide(1.0, 1 - expected)
    lost = -(1 - value) * scale
    squares = np.zeros(people)
    inside = np.ones(len(tally), dtype=np.bool_)
    if number < tally.n_items:  # only some items count
        inside = _carried(tally, coefficient.tally, np.ones(len(coefficient.tally))) > 0
    shared = None if own else shared_chance(tally, coefficient)
    for person in range(people) if own or ranked else (None,):
        by_chance = _own_chance(tally, coefficient, person) if shared is None else shared
        # items that do not count move nothing; the others' mean is zero already, but for luck without replacement
        by_chance = np.where(inside, by_chance - float((items * inside) @ by_chance) / number, 0.0)
        total = float(items @ by_chance**2)
        if person is None:
            mine = moved * scale[entry]
            cross = add_up(entry, items[tally.pattern] * mine * by_chance[tally.pattern], people)
            alone = add_up(entry, items[tally.pattern] * mine**2, people)
            squares = alone + 2 * lost * cross + lost**2 * total
        else:
            mine = np.where(entry == person, moved * scale[person], 0.0)
            score = tally.per_pattern(mine) + lost[person] * by_chance
            if by_ranks is not None:
                score += scale[person] * inside * tally.per_pattern(tally.count * by_ranks[person][tally.answer])
            squares[person] = float(items @ score**2)
    return np.sqrt(np.maximum(squares, 0.0) * number / (number - 1)) if number > 1 else np.full(people, np.nan)


def _own_agreement(tally: Tally, coefficient: Coefficient, observed: FloatArray) -> tuple[FloatArray, IntArray]:
    """For each entry, how far its item moves the annotator's observed agreement."""
    assert tally.annotator is not None
    met = Meetings.of(tally)
    answered = tally.answered[met.pattern].astype(np.float64)
    each = getattr(coefficient, "each", "answer")
    weight = divide(1.0, (answered - 1) * (answered if each == "item" else 1.0))
    alike = weight * coefficient.meeting(tally, met)
    people = len(tally.annotators)
    keys = tally.pattern * people + tally.annotator  # ascending: patterns in order, annotators in order within
    sums = []
    for part in (alike, weight):
        total = np.zeros(len(keys))
        for end in (met.first, met.second):
            place = np.searchsorted(keys, met.pattern * people + end[met.pair])
            total += add_up(place, part, len(keys))
        sums.append(total)
    share = add_up(tally.annotator, sums[1] * tally.items[tally.pattern], people)
    moved = divide(sums[0] - observed[tally.annotator] * sums[1], share[tally.annotator])
    return np.nan_to_num(moved), tally.annotator


def _by_ranks(tally: Tally, coefficient: Ordinal) -> FloatArray:
    """(R, K) how far one more answer moves each annotator's observed agreement by moving everybody's ranks.

    It raises the rank of all answers above it by one and its own by a half; as shares of all answers, ranks shrink.
    """
    met = Meetings.of(tally)
    people, (ranks, place) = len(tally.annotators), coefficient.standing
    who = np.concatenate([end[met.pair] for end in (met.first, met.second)])
    said, replied = (np.tile(place[side], 2) for side in (met.said, met.replied))
    weight = np.tile(tally.items[met.pattern] / (tally.answered[met.pattern] - 1.0), 2)
    weight = divide(weight, add_up(who, weight, people)[who])
    apart, size = ranks[said] - ranks[replied], len(ranks)
    pull = add_up(who * size + said, 2 * weight * apart, people * size)
    pull -= add_up(who * size + replied, 2 * weight * apart, people * size)
    pull = pull.reshape(people, size)
    moved = pull.sum(1, keepdims=True) - np.cumsum(pull, axis=1) + pull / 2
    moved -= 2 * add_up(who, weight * apart**2, people)[:, None] / coefficient.tally.n_answers
    return -divide(moved, coefficient.widest)[:, place]


def shared_chance(tally: Tally, coefficient: Coefficient) -> FloatArray:
    """(P,) how far an item of each named pattern moves the study's expected agreement."""
    if isinstance(coefficient, Tabular):
        features = coefficient.chance.features(tally)
        if not features.width:
            return np.zeros(len(tally))
        return features.along(coefficient.chance.slopes(features.total(tally.items), coefficient.chance_weights))
    return _carried(tally, coefficient.tally, _by_differences(coefficient))


def _by_differences(coefficient: Coefficient) -> FloatArray:
    """(P,) how far an item of each pattern moves expected agreement, where no formula says: by a small step."""
    patterns, items = len(coefficient.tally), coefficient.tally.items.astype(np.float64)
    moved = np.empty(patterns)
    if isinstance(coefficient, Smooth):
        total = coefficient.features.total(items)
        for first in range(0, patterns, PATTERNS_AT_ONCE):
            last = min(first + PATTERNS_AT_ONCE, patterns)
            step = STEP * coefficient.features.rows(first, last)
            more, less = coefficient.combine(total + step), coefficient.combine(total - step)
            moved[first:last] = (more.expected - less.expected) / (2 * STEP)
        return moved
    if patterns > MOST_PATTERNS:  # ranks change with every step: too slow to be worth it
        return np.full(patterns, np.nan)
    for pattern in range(patterns):
        step = STEP * (np.arange(patterns) == pattern)
        more, less = coefficient.evaluate(items + step), coefficient.evaluate(items - step)
        moved[pattern] = float(more.expected - less.expected) / (2 * STEP)
    return moved


def _carried(tally: Tally, other: Tally, values: FloatArray) -> FloatArray:
    """Values by the patterns of one tally as values by the patterns of another over the same items."""
    assert tally.locate is not None
    assert other.locate is not None
    here, there = tally.locate(), other.locate()
    carried = np.zeros(len(tally))
    both = (here >= 0) & (there >= 0)
    carried[here[both]] = values[there[both]]
    return carried


def _own_chance(tally: Tally, coefficient: Coefficient, person: int | None) -> FloatArray:
    """(P,) how far an item moves the mean chance of the pairs that hold one annotator."""
    assert isinstance(coefficient, Tabular)
    assert isinstance(coefficient.chance, Own)
    assert person is not None
    assert tally.annotator is not None
    chance, weights = coefficient.chance, coefficient.chance_weights
    sums = chance.features(coefficient.tally).total(coefficient.tally.items)
    mixes, there = chance.mixes(sums)
    answered = sums.reshape(chance.annotators, chance.answers).sum(1)
    towards = weights.apply(mixes[person])  # what matching this annotator is worth, answer by answer
    slopes = (towards - (mixes @ towards)[:, None]) / np.maximum(answered, 1)[:, None]
    others = weights.apply(mixes.sum(0) - mixes[person])
    slopes[person] = (others - float(mixes[person] @ others)) / max(answered[person], 1)
    slopes /= max(there.sum() - 1, 1)
    return tally.per_pattern(slopes[tally.annotator, tally.answer] * tally.count)
