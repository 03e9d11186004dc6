"""Each annotator with the others: the value over the pairs of answers that hold one of theirs, and how sure it is.

For annotator g, value = 1 − (1 − o) / (1 − e). An item moves o only if g answered it, and e through the chance model.
So the squared standard error splits into sums over g's own items and one sum over all items, and no table annotators ×
items is needed, not even where every annotator has a chance of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up, divide
from accord.annotations.tally import Tally
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.coefficients.formula import chance_corrected
from accord.coefficients.measurable import Breakdown
from accord.coefficients.own_marginals import OwnMarginals

if TYPE_CHECKING:
    from accord.coefficients.coefficient import Coefficient
    from accord.coefficients.ordinal_level import OrdinalLevel

MOST_CELLS = 200_000_000  # annotators × answers, where everybody's ranks are looked at one by one
CELLS_AT_ONCE = 4_000_000


def each_with_the_others(named: Tally, coefficient: Coefficient) -> Breakdown:
    """(R,) the parts and the standard error of each annotator, from a named tally of the whole study."""
    among = coefficient.among(named)
    observed = _observed_of_each(among, coefficient)
    own = coefficient.own_marginals()
    expected = np.full(len(observed), float(coefficient.parts.expected)) if own is None else own.expected
    value = chance_corrected(observed, expected)
    return Breakdown(observed, expected, value, _errors_of_each(among, coefficient, observed, expected))


def _observed_of_each(tally: Tally, coefficient: Coefficient) -> FloatArray:
    """A pair of answers weighs 1 / (r (r − 1)) where items count once, 1 / (r − 1) where answers do."""
    pairs = AnnotatorPairs.of(tally)
    answered = tally.answered[pairs.pattern].astype(np.float64)
    weight = tally.items[pairs.pattern] / (answered - 1) / (answered if coefficient.each == "item" else 1.0)
    alike = weight * coefficient.pair_agreement(tally, pairs)
    ends = (pairs.first[pairs.pair], pairs.second[pairs.pair])
    size = len(tally.annotators)
    total, share = (sum(add_up(end, part, size) for end in ends) for part in (alike, weight))
    return divide(total, share)


def _errors_of_each(tally: Tally, coefficient: Coefficient, observed: FloatArray, expected: FloatArray) -> FloatArray:
    """(R,) the standard error of each annotator's value, from a named tally."""
    number = float(coefficient.tally.n_items)
    if number < 2:
        return np.full(len(tally.annotators), np.nan)
    inside = np.ones(len(tally), dtype=np.bool_)
    if number < tally.n_items:  # only some items count
        inside = carried(tally, coefficient.tally, np.ones(len(coefficient.tally))) > 0
    scale = divide(1.0, 1 - expected)
    by_chance = -(1 - observed) * scale**2  # how far chance moves the value
    moved = _own_agreement(tally, coefficient, observed)  # per entry: how far the item moves o
    effects = ItemEffects(tally, inside, moved * scale[who_answered(tally)], by_chance, scale)
    squares = coefficient.squares_of_each(effects)
    return np.sqrt(np.maximum(squares, 0.0) * number / (number - 1))


@dataclass(frozen=True, eq=False)
class ItemEffects:
    """A named tally with what its entries and items do to the value of each annotator."""

    tally: Tally
    inside: BoolArray  # (P,) does the item count?
    mine: FloatArray  # (E,) how far the item moves the value of who answered, through agreement
    by_chance: FloatArray  # (R,) how far chance moves each value
    scale: FloatArray  # (R,) 1 / (1 − expected)

    def with_shared_chance(self, moved: FloatArray) -> FloatArray:
        """(R,) where an item moves everybody's chance alike (P,)."""
        tally, people = self.tally, len(self.by_chance)
        moved = self._centred(moved)
        items = tally.squares[tally.pattern]
        alone = add_up(who_answered(tally), items * self.mine**2, people)
        cross = add_up(who_answered(tally), items * self.mine * moved[tally.pattern], people)
        return alone + 2 * self.by_chance * cross + self.by_chance**2 * float(tally.squares @ moved**2)

    def with_own_chance(self, chance: OwnMarginals) -> FloatArray:
        """(R,) where everybody has a chance of their own; some patterns at a time."""
        tally, (people, size) = self.tally, chance.marginals.shape
        who, items = who_answered(tally), tally.squares[tally.pattern]
        inside = self.inside[tally.pattern]
        mine = self.mine + self.by_chance[who] * chance.besides[who, tally.answer] * inside
        products, cross = np.zeros((size, size)), np.zeros(people)
        step = max(CELLS_AT_ONCE // size, 1)
        for first in range(0, len(tally), step):
            last = min(first + step, len(tally))
            block = slice(tally.starts[first], tally.starts[last])
            person, place = who[block], tally.pattern[block] - first
            weight = inside[block] / np.maximum(chance.answered[person], 1)
            vectors = add_up(place * size + tally.answer[block], weight, (last - first) * size).reshape(-1, size)
            for answer in range(size):
                vectors[:, answer] -= add_up(place, weight * chance.marginals[person, answer], last - first)
            products += (vectors * tally.squares[first:last, None]).T @ vectors
            towards = (chance.towards[person] * vectors[place]).sum(1)
            cross += add_up(person, items[block] * mine[block] * towards, people)
        alone = add_up(who, items * mine**2, people)
        return alone + 2 * self.by_chance * cross + self.by_chance**2 * chance.spread(products)

    def with_ranks(self, coefficient: OrdinalLevel) -> FloatArray:
        """(R,) where an answer moves everybody's ranks, and so everybody's agreement; NaN where that is too much."""
        tally, people = self.tally, len(self.by_chance)
        squares = np.full(people, np.nan)
        if people * len(tally.answer) > MOST_CELLS:
            return squares
        by_ranks, who = _by_ranks(tally, coefficient), who_answered(tally)
        chance = self._centred(coefficient.chance_moved(tally))
        for person in range(people):
            score = tally.per_pattern(np.where(who == person, self.mine, 0.0)) + self.by_chance[person] * chance
            score += self.scale[person] * self.inside * tally.per_pattern(tally.count * by_ranks[person][tally.answer])
            squares[person] = float(tally.squares @ score**2)
        return squares

    def _centred(self, moved: FloatArray) -> FloatArray:
        """Items that do not count move nothing; the others' mean is zero already, or nearly so."""
        items = self.tally.items * self.inside
        return np.where(self.inside, moved - float(items @ moved) / float(items.sum()), 0.0)


def who_answered(tally: Tally) -> IntArray:
    """(E,) the annotator of each entry of a named tally."""
    assert tally.annotator is not None
    return tally.annotator


def _own_agreement(tally: Tally, coefficient: Coefficient, observed: FloatArray) -> FloatArray:
    """For each entry, how far its item moves the annotator's observed agreement."""
    who = who_answered(tally)
    pairs = AnnotatorPairs.of(tally)
    answered = tally.answered[pairs.pattern].astype(np.float64)
    weight = divide(1.0, (answered - 1) * (answered if coefficient.each == "item" else 1.0))
    alike = weight * coefficient.pair_agreement(tally, pairs)
    people = len(tally.annotators)
    keys = tally.pattern * people + who  # ascending: patterns in order, annotators in order within
    sums = []
    for part in (alike, weight):
        total = np.zeros(len(keys))
        for end in (pairs.first, pairs.second):
            place = np.searchsorted(keys, pairs.pattern * people + end[pairs.pair])
            total += add_up(place, part, len(keys))
        sums.append(total)
    share = add_up(who, sums[1] * tally.items[tally.pattern], people)
    moved = divide(sums[0] - observed[who] * sums[1], share[who])
    return np.nan_to_num(moved)


def _by_ranks(tally: Tally, coefficient: OrdinalLevel) -> FloatArray:
    """(R, K) how far one more answer moves each annotator's observed agreement by moving everybody's ranks.

    It raises the rank of all answers above it by one and its own by a half; as shares of all answers, ranks shrink.
    """
    pairs = AnnotatorPairs.of(tally)
    people, (ranks, place) = len(tally.annotators), coefficient.standing
    which, one, other, share = tally.answers.pairs_of_parts(pairs.first_answer, pairs.second_answer)
    pair, pattern = pairs.pair[which], pairs.pattern[which]
    who = np.concatenate([end[pair] for end in (pairs.first, pairs.second)])
    first, second = (np.tile(place[side], 2) for side in (one, other))
    weight = np.tile(share * tally.items[pattern] / (tally.answered[pattern] - 1.0), 2)
    weight = divide(weight, add_up(who, weight, people)[who])
    apart, size = ranks[first] - ranks[second], len(ranks)
    pull = add_up(who * size + first, 2 * weight * apart, people * size)
    pull -= add_up(who * size + second, 2 * weight * apart, people * size)
    pull = pull.reshape(people, size)
    moved = pull.sum(1, keepdims=True) - np.cumsum(pull, axis=1) + pull / 2
    answers = float(coefficient.tally.items @ coefficient.tally.answered)
    moved -= 2 * add_up(who, weight * apart**2, people)[:, None] / answers
    return tally.answers.mean_of_parts(-divide(moved, coefficient.widest)[:, place].T).T


def carried(tally: Tally, other: Tally, values: FloatArray) -> FloatArray:
    """Values by the patterns of one tally as values by the patterns of another over the same items."""
    if tally is other:
        return values
    assert tally.locate is not None
    assert other.locate is not None
    place, origin = tally.locate(), other.locate()
    moved = np.zeros(len(tally))
    both = (place >= 0) & (origin >= 0)
    moved[place[both]] = values[origin[both]]
    return moved
