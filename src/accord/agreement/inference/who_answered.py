"""Each annotator's answers dealt out anew over the items that the annotator answered: what the pairs of answers, and
the single ones, add to the mean and the variance of agreement.

A shuffle keeps of an item who answered it and nothing else. Where people are few, items that the same people answered
are one kind, and every two people are cells of a small matrix (`FewPeople`); in a crowd hardly two items have the same
people, and those who met are listed (`ListedPairs`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up, totals
from accord.annotations.tally import Tally
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.coefficients.pair_sum import PairSum

MOST_CELLS = 40_000_000  # pairs of annotators × distinct answers looked at
CELLS_AT_ONCE = 4_000_000
MOST_DIGITS = 50  # people whose presence is one number
CANCELLED = 1e-14  # a mean square of differences below this is rounding
add = np.add.reduce  # of a handful of numbers, half of the time of their method


@dataclass(frozen=True, eq=False)
class Dealt:
    """What each annotator has to deal out, and how alike any two answers are."""

    given: FloatArray  # (R, K) how often each annotator gave each answer
    answered: FloatArray  # (R,) how many answers that is
    shares: FloatArray  # (R, K) of each annotator's answers
    likeness: FloatArray  # (K, K)
    with_each: FloatArray  # (R, K) the mean likeness of an answer to one of an annotator
    others: FloatArray  # (R,) how many answers an annotator has besides one; one at least, to divide by


class WhoAnswered(Protocol):
    """Kinds of items by who answered them."""

    def pairs(self, dealt: Dealt) -> tuple[float, float] | None:
        """The mean of observed agreement, and the variance of the rests of its pairs; None where they are too many."""

    def single_answers(self, dealt: Dealt, by_chance: float) -> tuple[float, float]:
        """What single answers add to the variance where items count differently, and what chance is moved by on
        average; `by_chance` is what the value falls by where chance rises.
        """


def dealt_anew(found: PairSum, likeness: FloatArray) -> tuple[Dealt, WhoAnswered]:
    """What is dealt out, and to which items."""
    tally, size = found.tally, len(likeness)
    assert tally.annotator is not None
    people, entries = len(tally.annotators), tally.starts[1:] - tally.starts[:-1]
    cell = tally.annotator * size
    cell += tally.answer
    given = add_up(cell, tally.items.astype(np.float64).repeat(entries), people * size).reshape(people, size)
    answered = add(given, 1)
    shares = given / np.maximum(answered, 1)[:, None]
    dealt = Dealt(given, answered, shares, likeness, shares @ likeness, np.maximum(answered - 1, 1))
    if people > MOST_DIGITS or not entries.all():
        return dealt, ListedPairs(found)
    who = np.add.reduceat(1 << tally.annotator, tally.starts[:-1])  # no pattern is empty
    kinds, items = totals(who, tally.items, 2**people)
    if len(kinds) * people * size > CELLS_AT_ONCE:
        return dealt, ListedPairs(found)
    present = (kinds[:, None] >> np.arange(people) & 1).astype(np.float64)
    return dealt, FewPeople(found, present, items, add(present, 1, dtype=np.int64))


# -- few people --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class FewPeople:
    """Items that the same people answered are one kind, whatever they said."""

    found: PairSum
    present: FloatArray  # (M, R) one where the annotator answered such items
    items: FloatArray  # (M,)
    number: IntArray  # (M,) how many answers each has

    def pairs(self, dealt: Dealt) -> tuple[float, float] | None:
        """From a matrix of every two annotators, each pair in it twice."""
        weight = self.found.weight[self.number]
        counted = self.present.T * (self.items * weight)
        once, squared = counted @ self.present, (counted * weight) @ self.present
        for table in (once, squared):
            table.flat[:: len(table) + 1] = 0.0  # nobody is a pair
        others = dealt.others
        mean, spread = _rests_of_all(dealt)
        once_each = once * once
        once_each -= squared
        once_each /= others[:, None] * others
        squared += once_each
        return float(np.vdot(once, mean)) / 2, float(np.vdot(spread, squared)) / 2

    def single_answers(self, dealt: Dealt, by_chance: float) -> tuple[float, float]:
        """From a table of kinds of items, annotators and answers."""
        shares, answered, moved = dealt.shares, dealt.answered, self.found.moved
        cells, mean = self.present * self.items[:, None], 0.0
        with_each, weight = dealt.with_each, self.found.weight[self.number][:, None]
        together = self.present @ with_each
        together *= weight
        if moved is not None:
            by_kind = by_chance * moved.share[self.number]
            mean = float(by_kind @ cells @ (shares @ moved.slope))
            together -= by_kind[:, None] * moved.slope
        if len(self.items) == 1 and bool((self.present[0] == (answered > 0)).all()):
            return 0.0, mean
        of_cell = together[:, None, :] - weight[:, :, None] * with_each
        of_cell -= add(cells[:, :, None] * of_cell, 0) / np.maximum(answered, 1)[:, None]
        weighted = of_cell * shares
        means = add(weighted, 2)
        weighted *= of_cell
        squares = add(weighted, 2)
        squares -= means * means
        squares *= answered / dealt.others
        return float(np.vdot(cells, squares)), mean


def _rests_of_all(dealt: Dealt) -> tuple[FloatArray, FloatArray]:
    """(R, R) mean likeness of answers of every two, and the mean square of what is left of it."""
    shares, with_each, likeness = dealt.shares, dealt.with_each, dealt.likeness
    mean = with_each @ shares.T
    by_one = shares @ (with_each * with_each).T
    rest = shares @ (likeness * likeness) @ shares.T
    rest -= by_one
    rest -= by_one.T
    rest += mean * mean
    rest *= rest > CANCELLED
    return mean, rest


# -- a crowd -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ListedPairs:
    """Every pattern is a kind of its own, and every two who met are a pair."""

    found: PairSum

    def pairs(self, dealt: Dealt) -> tuple[float, float] | None:
        """Pair by pair."""
        pairs = AnnotatorPairs.of(self._tally)
        if len(pairs) * len(dealt.likeness) > MOST_CELLS:
            return None
        weight, items = self.found.weight[self._tally.answered], self._tally.items.astype(np.float64)
        once = add_up(pairs.pair, (items * weight)[pairs.pattern], len(pairs))
        squared = add_up(pairs.pair, (items * weight**2)[pairs.pattern], len(pairs))
        mean, spread = rests(dealt.shares[pairs.first], dealt.shares[pairs.second], dealt.likeness)
        others = dealt.others[pairs.first] * dealt.others[pairs.second]
        return float(once @ mean), float(spread @ (squared + (once**2 - squared) / others))

    def single_answers(self, dealt: Dealt, by_chance: float) -> tuple[float, float]:
        """Answer by answer."""
        tally, moved, mean = self._tally, self.found.moved, 0.0
        assert tally.annotator is not None
        who, pattern, items = tally.annotator, tally.pattern, tally.items[tally.pattern].astype(np.float64)
        with_each = dealt.with_each
        together = np.zeros((len(tally), len(dealt.likeness)))
        np.add.at(together, pattern, with_each[who])
        of_cell = self.found.weight[tally.answered][pattern][:, None] * (together[pattern] - with_each[who])
        if moved is not None:
            share = by_chance * moved.share[tally.answered][pattern]
            mean = float(items @ (share * (dealt.shares @ moved.slope)[who]))
            of_cell -= share[:, None] * moved.slope
        of_cell -= (of_cell * dealt.shares[who]).sum(1, keepdims=True)
        middle = np.zeros(dealt.shares.shape)
        np.add.at(middle, who, items[:, None] * of_cell)
        of_cell -= (middle / np.maximum(dealt.answered, 1)[:, None])[who]
        squares = items * (of_cell**2 * dealt.shares[who]).sum(1)
        return float((squares * (dealt.answered / dealt.others)[who]).sum()), mean

    @property
    def _tally(self) -> Tally:
        return self.found.tally


def rests(first: FloatArray, second: FloatArray, likeness: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(J,) mean likeness of answers drawn from two distributions, and the mean square of what is left of it."""
    mean, spread = np.empty(len(first)), np.empty(len(first))
    step = max(1, CELLS_AT_ONCE // max(len(likeness), 1))
    for low in range(0, len(first), step):
        one, other = first[low : low + step], second[low : low + step]
        by_one, by_other = other @ likeness, one @ likeness  # of each answer, its mean with the other's
        middle = (one * by_one).sum(1)
        squares = ((one @ likeness**2) * other).sum(1)
        rest = squares - (one * by_one**2).sum(1) - (other * by_other**2).sum(1) + middle**2
        mean[low : low + step], spread[low : low + step] = middle, np.where(rest > CANCELLED, rest, 0.0)
    return mean, spread
