"""How sure each annotator's own value is: its derivative by item, squared and summed, for all annotators at once.

For annotator g, value = 1 − (1 − o) / (1 − e). An item moves o only if g answered it, and e through the chance model.
So the squared standard error splits into sums over g's own items and one sum over all items, and no table annotators ×
items is needed, not even where every annotator has a chance of their own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up, divide
from accord.annotations.tally import Tally
from accord.coefficients.alpha_levels import Ordinal
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.coefficients.chance import Own
from accord.coefficients.coefficient import Coefficient, Smooth, Tabular
from accord.coefficients.weights import Weights

MOST_CELLS = 200_000_000  # annotators × answers, where everybody's ranks are looked at one by one
CELLS_AT_ONCE = 4_000_000
STEP = 1e-4
PATTERNS_AT_ONCE = 10_000
MOST_PATTERNS = 3_000


def errors_of_each(tally: Tally, coefficient: Coefficient, observed: FloatArray, expected: FloatArray) -> FloatArray:
    """(R,) the standard error of each annotator's value, from a named tally."""
    number, people = float(coefficient.tally.n_items), len(tally.annotators)
    if number < 2:
        return np.full(people, np.nan)
    inside = np.ones(len(tally), dtype=np.bool_)
    if number < tally.n_items:  # only some items count
        inside = _carried(tally, coefficient.tally, np.ones(len(coefficient.tally))) > 0
    scale = divide(1.0, 1 - expected)
    by_chance = -(1 - observed) * scale**2  # how far chance moves the value
    moved, entry = _own_agreement(tally, coefficient, observed)  # per entry: how far the item moves o
    parts = _Parts(tally, inside, moved * scale[entry], by_chance)
    if isinstance(coefficient, Tabular) and isinstance(coefficient.chance, Own):
        cells = coefficient.chance.features(coefficient.tally).total(coefficient.tally.items)
        squares = parts.with_own_chance(OwnChance.of(cells.reshape(people, -1), coefficient.chance_weights))
    elif isinstance(coefficient, Ordinal):
        squares = parts.with_ranks(coefficient, scale)
    else:
        squares = parts.with_shared_chance(shared_chance(tally, coefficient))
    return np.sqrt(np.maximum(squares, 0.0) * number / (number - 1))


@dataclass(frozen=True, eq=False)
class OwnChance:
    """What an answer does to the chance of every annotator, where each has a mix of their own.

    Annotator g's chance is p_g W (S − p_g) / (R − 1), with S the sum of all mixes. An answer x of h moves p_h by
    (1[x] − p_h) / n_h, and so g's chance by that times W p_g / (R − 1): one vector an item, summed over its answers,
    serves all annotators. An answer of g's own moves p_g as well, which is what `besides` adds.
    """

    mixes: FloatArray  # (R, K)
    answered: FloatArray  # (R,)
    towards: FloatArray  # (R, K) W p_g / (R − 1)
    besides: FloatArray  # (R, K)

    @classmethod
    def of(cls, cells: FloatArray, weights: Weights) -> OwnChance:
        """From how often each annotator gave each answer."""
        answered = cells.sum(1)
        number = np.maximum(answered, 1)[:, None]
        mixes, others = cells / number, max(int((answered > 0).sum()) - 1, 1)
        towards = weights.apply(mixes)
        more = weights.apply(mixes.sum(0) - mixes) - towards
        besides = (more - (mixes * more).sum(1, keepdims=True)) / number
        return cls(mixes, answered, towards / others, besides / others)

    @property
    def expected(self) -> FloatArray:
        """(R,) everybody's chance: the mean over the pairs that hold them; NaN for who is not there, or alone."""
        there = self.answered > 0
        chance = (self.towards * (self.mixes.sum(0) - self.mixes)).sum(1)
        return np.where(there & (there.sum() > 1), chance, np.nan)

    def spread(self, products: FloatArray) -> FloatArray:
        """(R,) the sum of squares of what all items do, from the products (K, K) of their vectors."""
        return np.asarray(((self.towards @ products) * self.towards).sum(1))


@dataclass(frozen=True, eq=False)
class _Parts:
    """A named tally with what its entries and items do to the value of each annotator."""

    tally: Tally
    inside: BoolArray  # (P,) does the item count?
    mine: FloatArray  # (E,) how far the item moves the value of who answered, through agreement
    by_chance: FloatArray  # (R,) how far chance moves each value

    def with_shared_chance(self, moved: FloatArray) -> FloatArray:
        """(R,) where an item moves everybody's chance alike (P,)."""
        tally, people = self.tally, len(self.by_chance)
        moved = self._centred(moved)
        items = tally.items[tally.pattern]
        alone = add_up(_who(tally), items * self.mine**2, people)
        cross = add_up(_who(tally), items * self.mine * moved[tally.pattern], people)
        return alone + 2 * self.by_chance * cross + self.by_chance**2 * float(tally.items @ moved**2)

    def with_own_chance(self, chance: OwnChance) -> FloatArray:
        """(R,) where everybody has a chance of their own; some patterns at a time."""
        tally, (people, size) = self.tally, chance.mixes.shape
        who, items = _who(tally), tally.items[tally.pattern]
        inside = self.inside[tally.pattern]
        mine = self.mine + self.by_chance[who] * chance.besides[who, tally.answer] * inside
        products, cross = np.zeros((size, size)), np.zeros(people)
        step = max(CELLS_AT_ONCE // size, 1)
        for first in range(0, len(tally), step):
            last = min(first + step, len(tally))
            here = slice(tally.starts[first], tally.starts[last])
            person, place = who[here], tally.pattern[here] - first
            worth = inside[here] / np.maximum(chance.answered[person], 1)
            vectors = add_up(place * size + tally.answer[here], worth, (last - first) * size).reshape(-1, size)
            for answer in range(size):
                vectors[:, answer] -= add_up(place, worth * chance.mixes[person, answer], last - first)
            products += (vectors * tally.items[first:last, None]).T @ vectors
            towards = (chance.towards[person] * vectors[place]).sum(1)
            cross += add_up(person, items[here] * mine[here] * towards, people)
        alone = add_up(who, items * mine**2, people)
        return alone + 2 * self.by_chance * cross + self.by_chance**2 * chance.spread(products)

    def with_ranks(self, coefficient: Ordinal, scale: FloatArray) -> FloatArray:
        """(R,) where an answer moves everybody's ranks, and so everybody's agreement; NaN where that is too much."""
        tally, people = self.tally, len(self.by_chance)
        squares = np.full(people, np.nan)
        if people * len(tally.answer) > MOST_CELLS:
            return squares
        by_ranks, who = _by_ranks(tally, coefficient), _who(tally)
        chance = self._centred(shared_chance(tally, coefficient))
        for person in range(people):
            score = tally.per_pattern(np.where(who == person, self.mine, 0.0)) + self.by_chance[person] * chance
            score += scale[person] * self.inside * tally.per_pattern(tally.count * by_ranks[person][tally.answer])
            squares[person] = float(tally.items @ score**2)
        return squares

    def _centred(self, moved: FloatArray) -> FloatArray:
        """Items that do not count move nothing; the others' mean is zero already, but for luck without replacement."""
        items = self.tally.items * self.inside
        return np.where(self.inside, moved - float(items @ moved) / float(items.sum()), 0.0)


def _who(tally: Tally) -> IntArray:
    assert tally.annotator is not None
    return tally.annotator


def _own_agreement(tally: Tally, coefficient: Coefficient, observed: FloatArray) -> tuple[FloatArray, IntArray]:
    """For each entry, how far its item moves the annotator's observed agreement."""
    assert tally.annotator is not None
    met = AnnotatorPairs.of(tally)
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
    met = AnnotatorPairs.of(tally)
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
    if tally is other:
        return values
    assert tally.locate is not None
    assert other.locate is not None
    here, there = tally.locate(), other.locate()
    carried = np.zeros(len(tally))
    both = (here >= 0) & (there >= 0)
    carried[here[both]] = values[there[both]]
    return carried
