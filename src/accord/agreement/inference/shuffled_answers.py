"""What shuffled answers would show: the mean and the spread of observed agreement if nobody looked at the items.

If annotators answer independently of what an item is, their answers might as well be dealt out anew: each annotator's
over the items that the annotator answered, or, where nobody is named or a measure takes annotators as interchangeable,
all answers over all items. The mean and the variance of observed agreement over all such shuffles are known without a
single one. Likeness w of two answers is a mean, a part that belongs to either answer, and a rest d whose means are zero
over the one as over the other. The rests of different pairs are nearly uncorrelated (exactly: a pair that shares
neither answer has covariance E d² over the products of what is left to draw); the parts of single answers matter only
where items count differently, and have the variance of a sum over a permutation.

For two annotators this is the null error of Fleiss, Cohen & Everitt (1969), for pooled answers that of Fleiss, Nee &
Landis (1979), both exact in small samples, with any weights and with gaps. The error at the estimate is none of a value
of zero: skewed labels make it far too small.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from accord.agreement.result import Agreement
from accord.annotations.arrays import DENSE, FloatArray, add_up, used
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.coefficients.coefficient import Coefficient
from accord.coefficients.measurable import Parts
from accord.coefficients.pair_sum import PairsOfPeople, PairSum

MOST_ANSWERS = 1_500  # distinct answers whose likeness is held in a table
MOST_CELLS = 40_000_000  # answers × distinct answers, or pairs of annotators × distinct answers, looked at
CELLS_AT_ONCE = 4_000_000
MOST_DIGITS = 20  # people whose presence is one number
ROUNDING = 1e-9  # likeness values nearer than this are one
NOTHING = 1e-12  # an error below this is none
CANCELLED = 1e-14  # a mean square of differences below this is rounding
STRAIGHT = 1e-3  # a skewness below this is none


@dataclass(frozen=True)
class Shuffled:
    """Observed agreement less what chance moved, and its mean, error and skewness over all shuffles."""

    seen: float
    mean: float
    error: float
    skewness: float  # of shuffles with many items
    step: float  # between one value that it can take and the next, for the continuity correction
    room: float  # what a difference in this is divided by to be one of the value
    together: bool  # all answers over all items, or each annotator's own

    @property
    def statistic(self) -> float:
        """How far from the mean, in errors; half a step less, since agreement comes in steps. Zero without an error."""
        distance = self.seen - self.mean
        nearer = math.copysign(max(abs(distance) - self.step / 2, 0.0), distance)
        return nearer / self.error if self.error > NOTHING else 0.0

    def p(self, alternative: str) -> float:
        """How likely a shuffle is as far from the mean; 1 where every shuffle is the same."""
        if not self.error > NOTHING:
            return 1.0
        more = upper_tail(self.statistic, self.skewness)
        less = upper_tail(-self.statistic, -self.skewness)
        return {"greater": more, "less": less}.get(alternative, min(1.0, 2 * min(more, less)))


def upper_tail(statistic: float, skewness: float) -> float:
    """How likely a standardised sum of this skewness is as large or larger.

    The larger of two accounts: Pearson's type III (a shifted gamma), which knows of the skewness, and the normal, which
    is the safer one where so few matches are possible that no smooth curve fits.

    >>> round(upper_tail(1.645, 0.0), 3), round(upper_tail(1.645, 1.0), 3), round(upper_tail(1.645, -1.0), 3)
    (0.05, 0.068, 0.05)
    """
    from scipy.special import gammainc, gammaincc, ndtr

    normal = float(ndtr(-statistic))
    if abs(skewness) < STRAIGHT:
        return normal
    shape = 4 / skewness**2
    place = max(shape + math.copysign(1.0, skewness) * statistic * math.sqrt(shape), 0.0)
    return max(normal, float(gammaincc(shape, place) if skewness > 0 else gammainc(shape, place)))


def shuffled(result: Agreement) -> Shuffled | None:
    """Of a result; None where its observed agreement is no sum over pairs of answers, or too much would be held."""
    study = result.study
    coefficient = result.coefficient.on_patterns() if result.coefficient is not None else None
    if coefficient is None or study._annotations.repeated or study.tasks:
        return None
    known = study._annotations.named and not study._annotations.stays
    together = result.entry.exchangeable or not known
    found = coefficient.pair_sum(None if together else study.tally(named=True))
    if found is None:
        return None
    found, likeness = _of_given_answers(found, coefficient)
    if likeness is None:
        return None
    if found.pairs is not None:
        return _within_pairs(found, found.pairs, likeness)
    return (_all_together if together else _by_annotator)(found, likeness, coefficient.parts)


def _of_given_answers(found: PairSum, coefficient: Coefficient) -> tuple[PairSum, FloatArray | None]:
    """Only the answers that somebody gave, and how alike every two of them are."""
    tally, known = found.tally, len(found.tally.answers)
    given = used(tally.answer, known)
    size = len(given)
    if size > MOST_ANSWERS or size * len(tally.answer) > MOST_CELLS:
        return found, None
    left, right = np.divmod(np.arange(size * size), size)
    likeness = coefficient.alike(given[left], given[right]).reshape(size, size)
    if size == known:
        return found, likeness
    place = np.zeros(known, dtype=np.int64)
    place[given] = np.arange(size)
    pairs = found.pairs
    if pairs is not None:
        pairs = replace(pairs, first=pairs.first[:, given], second=pairs.second[:, given])
    fewer = replace(tally, answer=place[tally.answer])
    return replace(found, tally=fewer, chance_slope=found.chance_slope[given], pairs=pairs), likeness


def _step(likeness: FloatArray, weight: FloatArray) -> float:
    """The least by which the sum changes: with two answers two pairs change at a time."""
    apart = np.diff(np.sort(likeness, axis=None))
    apart, weight = apart[apart > ROUNDING], weight[weight > 0]
    if not len(apart) or not len(weight):
        return 0.0
    return float(apart.min() * weight.min()) * (2 if len(likeness) == 2 else 1)


def _skewness(found: PairSum, weight: FloatArray, likeness: FloatArray, number: FloatArray, variance: float) -> float:
    """Of the sum over items, as if they were independent and annotators had one distribution.

    An item's sum of rests d has the third moment (pairs · E d³ + 6 · triples · E d₁₂ d₁₃ d₂₃); all other products have
    an answer alone, whose mean is zero.
    """
    if not variance > NOTHING**2:
        return 0.0
    share = number / number.sum()
    by_answer = likeness @ share
    rest = likeness - by_answer[:, None] - by_answer[None, :] + share @ by_answer
    answered = found.tally.answered.astype(np.float64)
    cubes = found.tally.items * weight**3
    pairs, triples = answered * (answered - 1) / 2, answered * (answered - 1) * (answered - 2) / 6
    weighted = rest * share
    third = float(share @ rest**3 @ share) * float(cubes @ pairs)
    third += 6 * float(((weighted @ weighted) * weighted.T).sum()) * float(cubes @ triples)
    return float(third / variance**1.5)


# -- each annotator's answers ------------------------------------------------------------------------------------------


def _by_annotator(found: PairSum, likeness: FloatArray, parts: Parts) -> Shuffled | None:
    """Each annotator's answers over the items that the annotator answered."""
    tally, size, room = found.tally, len(likeness), 1 - float(parts.expected)
    assert tally.annotator is not None
    people = len(tally.annotators)
    number = tally.items[tally.pattern]
    given = add_up(tally.annotator * size + tally.answer, number, people * size).reshape(people, size)
    answered = given.sum(1)
    shares = given / np.maximum(answered, 1)[:, None]
    moved = add_up(tally.answer, number * found.chance_share[tally.pattern], size) @ found.chance_slope
    found = _by_who_answered(found)
    pairs = AnnotatorPairs.of(found.tally)
    if len(pairs) * size > MOST_CELLS:
        return None
    weight, items = found.weight, found.tally.items.astype(np.float64)
    once = add_up(pairs.pair, (items * weight)[pairs.pattern], len(pairs))
    squared = add_up(pairs.pair, (items * weight**2)[pairs.pattern], len(pairs))
    mean, spread = _rests(shares[pairs.first], shares[pairs.second], likeness)
    others = np.maximum(answered[pairs.first] - 1, 1) * np.maximum(answered[pairs.second] - 1, 1)
    variance = float(spread @ (squared + (once**2 - squared) / others))
    by_chance = (1 - float(once @ mean)) / room  # what the value falls by where chance rises; 1 if it is independence
    alone, moved_mean = _of_single_answers(found, likeness, shares, answered, by_chance)
    seen, middle = float(parts.observed) - by_chance * float(moved), float(once @ mean) - moved_mean
    skewness = _skewness(found, weight, likeness, given.sum(0), variance + alone)
    return Shuffled(seen, middle, math.sqrt(variance + alone), skewness, _step(likeness, weight), room, together=False)


def _by_who_answered(found: PairSum) -> PairSum:
    """One pattern for all items that the same people answered, whatever they said: shuffles keep nothing else of them.

    (What a pair of answers counts, and a single one, depends on how many answers an item has.) As it is where people
    are so many that hardly two items have the same.
    """
    tally = found.tally
    assert tally.annotator is not None
    people, patterns = len(tally.annotators), len(tally)
    if people > MOST_DIGITS or 2**people > DENSE * patterns:
        return found
    who = tally.per_pattern(2.0**tally.annotator).astype(np.int64)
    items = add_up(who, tally.items, 2**people)
    one = np.zeros(2**people, dtype=np.int64)
    one[who] = np.arange(patterns)  # any of them stands for all
    kept = np.zeros(patterns, dtype=np.bool_)
    kept[one[items > 0]] = True
    fewer = replace(tally.where(kept), items=items[who[kept]], locate=None, crossed=None)
    return replace(found, tally=fewer, weight=found.weight[kept], chance_share=found.chance_share[kept])


def _rests(first: FloatArray, second: FloatArray, likeness: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(J,) mean likeness of answers drawn from two distributions, and the mean square of what is left of it."""
    mean, spread = np.empty(len(first)), np.empty(len(first))
    step = max(1, CELLS_AT_ONCE // max(len(likeness), 1))
    for low in range(0, len(first), step):
        one, other = first[low : low + step], second[low : low + step]
        by_one, by_other = other @ likeness.T, one @ likeness  # of each answer, its mean with the other's
        middle = (one * by_one).sum(1)
        squares = ((one @ likeness**2) * other).sum(1)
        rest = squares - (one * by_one**2).sum(1) - (other * by_other**2).sum(1) + middle**2
        mean[low : low + step], spread[low : low + step] = middle, np.where(rest > CANCELLED, rest, 0.0)
    return mean, spread


def _of_single_answers(
    found: PairSum, likeness: FloatArray, shares: FloatArray, answered: FloatArray, by_chance: float
) -> tuple[float, float]:
    """What single answers add to the variance where items count differently, and what chance is moved by on average."""
    tally = found.tally
    assert tally.annotator is not None
    who, pattern, items = tally.annotator, tally.pattern, tally.items[tally.pattern].astype(np.float64)
    share = by_chance * found.chance_share[pattern]
    moved = float(items @ (share * (shares @ found.chance_slope)[who]))
    whole = bool((tally.answered == np.count_nonzero(answered)).all())
    if whole and np.ptp(found.weight) == 0 and np.ptp(found.chance_share) == 0:
        return 0.0, moved
    with_each = shares @ likeness.T  # (R, K) the mean likeness of an answer to one of an annotator
    together = np.zeros((len(tally), len(likeness)))
    np.add.at(together, pattern, with_each[who])
    of_cell = found.weight[pattern][:, None] * (together[pattern] - with_each[who])
    of_cell -= share[:, None] * found.chance_slope[None, :]
    of_cell -= (of_cell * shares[who]).sum(1, keepdims=True)
    middle = np.zeros((len(shares), len(likeness)))
    np.add.at(middle, who, items[:, None] * of_cell)
    of_cell -= (middle / np.maximum(answered, 1)[:, None])[who]
    squares = items * (of_cell**2 * shares[who]).sum(1)
    return float((squares * (answered / np.maximum(answered - 1, 1))[who]).sum()), moved


def _within_pairs(found: PairSum, pairs: PairsOfPeople, likeness: FloatArray) -> Shuffled | None:
    """Every two annotators' answers over the items that both answered, of a mean over pairs."""
    if pairs.first.size > MOST_CELLS:
        return None
    weight, common = pairs.weight, pairs.first.sum(1)
    mean, spread = _rests(pairs.first / common[:, None], pairs.second / common[:, None], likeness)
    variance = float((weight**2 * common**2 / np.maximum(common - 1, 1)) @ spread)
    usual = np.full(len(found.tally), float(common @ weight / common.sum()))
    skewness = _skewness(found, usual, likeness, (pairs.first + pairs.second).sum(0), variance)
    seen, middle = float(weight @ pairs.alike), float((weight * common) @ mean)
    return Shuffled(seen, middle, math.sqrt(variance), skewness, _step(likeness, weight), 1.0, together=False)


# -- all answers -------------------------------------------------------------------------------------------------------


def _all_together(found: PairSum, likeness: FloatArray, parts: Parts) -> Shuffled | None:
    """All answers over all items."""
    tally, room = found.tally, 1 - float(parts.expected)
    items, answered = tally.items.astype(np.float64), tally.answered.astype(np.float64)
    number = add_up(tally.answer, tally.count * tally.items[tally.pattern], len(likeness))
    total = float(number.sum())
    if total < 4:
        return None
    with_others = likeness @ number - np.diag(likeness)
    mean = float(number @ with_others) / (total * (total - 1))
    single = (with_others - (total - 1) * mean) / (total - 2)
    rest = likeness - mean - single[:, None] - single[None, :]
    squares = float(number @ rest**2 @ number - number @ np.diag(rest) ** 2) / (total * (total - 1))
    variance = squares * _pairs_of_pairs(items, answered, found.weight, total) if squares > CANCELLED else 0.0
    pairs = float(items @ (found.weight * answered * (answered - 1) / 2))
    by_chance = (1 - mean * pairs) / room
    variance += _of_single_cells(found, single, number, by_chance)
    seen, middle = float(parts.observed), mean * pairs
    if found.chance_slope.any():  # an answer moves chance by where it stands
        cells = by_chance * found.chance_share[tally.pattern] * tally.count * tally.items[tally.pattern]
        seen -= float(cells @ found.chance_slope[tally.answer])
        middle -= float(cells.sum()) * float(number @ found.chance_slope) / total
    variance = max(variance, 0.0)
    skewness = _skewness(found, found.weight, likeness, number, variance)
    step = _step(likeness, found.weight)
    return Shuffled(seen, middle, math.sqrt(variance), skewness, step, room, together=True)


def _pairs_of_pairs(items: FloatArray, answered: FloatArray, weight: FloatArray, total: float) -> float:
    """Σ over pairs and pairs of the weights, with how the rests of the two go together: 1 for a pair with itself,
    −1 / (N − 2) where they share an answer, 2 / ((N − 2)(N − 3)) where they share none.
    """
    pairs = answered * (answered - 1) / 2
    same = float(items @ (weight**2 * pairs))
    sharing = float(items @ (weight**2 * answered * (answered - 1) * (answered - 2)))
    everything = float(items @ (weight * pairs)) ** 2
    return same - sharing / (total - 2) + 2 * (everything - same - sharing) / ((total - 2) * (total - 3))


def _of_single_cells(found: PairSum, single: FloatArray, number: FloatArray, by_chance: float) -> float:
    """What single answers add to the variance, where items count differently."""
    tally = found.tally
    answered = tally.answered.astype(np.float64)
    cells = tally.items * answered
    total = float(cells.sum())
    observed, chance = found.weight * (answered - 1), by_chance * found.chance_share
    observed, chance = observed - cells @ observed / total, chance - cells @ chance / total
    slope = found.chance_slope - number @ found.chance_slope / total
    square = float(cells @ observed**2) * float(number @ single**2)
    square += float(cells @ chance**2) * float(number @ slope**2)
    square -= 2 * float(cells @ (observed * chance)) * float(number @ (single * slope))
    return square / (total - 1)
