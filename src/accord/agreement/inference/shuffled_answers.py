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
from functools import cached_property

import numpy as np

from accord.agreement.inference.who_answered import CANCELLED, MOST_CELLS, dealt_anew, rests
from accord.agreement.result import Agreement
from accord.annotations.arrays import FloatArray, IntArray, add_up
from accord.coefficients.measurable import Parts
from accord.coefficients.pair_sum import PairsOfPeople, PairSum

MOST_ANSWERS = 1_500  # distinct answers whose likeness is held in a table
ROUNDING = 1e-9  # likeness values nearer than this are one
NOTHING = 1e-12  # an error below this is none
STRAIGHT = 1e-3  # a skewness below this is none
add = np.add.reduce  # of a handful of numbers, half of the time of their method


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

    @cached_property
    def statistic(self) -> float:
        """How far from the mean, in errors; half a step less, since agreement comes in steps. Zero without an error."""
        distance = self.seen - self.mean
        nearer = math.copysign(max(abs(distance) - self.step / 2, 0.0), distance)
        return nearer / self.error if self.error > NOTHING else 0.0

    def p(self, alternative: str) -> float:
        """How likely a shuffle is as far from the mean; 1 where every shuffle is the same."""
        if not self.error > NOTHING:
            return 1.0
        statistic = self.statistic
        both = alternative not in ("greater", "less")  # then the other side is above one half
        above = statistic > 0 if both else alternative == "greater"
        tail = upper_tail(statistic, self.skewness) if above else upper_tail(-statistic, -self.skewness)
        return min(1.0, 2 * tail) if both else tail


def upper_tail(statistic: float, skewness: float) -> float:
    """How likely a standardised sum of this skewness is as large or larger.

    The larger of two accounts: Pearson's type III (a shifted gamma), which knows of the skewness, and the normal, which
    is the safer one where so few matches are possible that no smooth curve fits.

    >>> round(upper_tail(1.645, 0.0), 3), round(upper_tail(1.645, 1.0), 3), round(upper_tail(1.645, -1.0), 3)
    (0.05, 0.068, 0.05)
    """
    normal = math.erfc(statistic / math.sqrt(2)) / 2
    if abs(skewness) < STRAIGHT:
        return normal
    from scipy.special import gammainc, gammaincc

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
    answers = len(coefficient.tally.answers)
    given = np.nonzero(np.bincount(coefficient.tally.answer, minlength=answers))[0]
    size = len(given)
    if size > MOST_ANSWERS or size * len(found.tally.answer) > MOST_CELLS:
        return None
    likeness = coefficient.alike(given.repeat(size), np.concatenate([given] * size)).reshape(size, size)
    if size < answers:
        found = _of_given_answers(found, given)
    if found.pairs is not None:
        return _within_pairs(found, found.pairs, likeness)
    return (_all_together if together else _by_annotator)(found, likeness, coefficient.parts)


def _of_given_answers(found: PairSum, given: IntArray) -> PairSum:
    """Only the answers that somebody gave."""
    place = np.zeros(len(found.tally.answers), dtype=np.int64)
    place[given] = np.arange(len(given))
    pairs, moved = found.pairs, found.moved
    if pairs is not None:
        pairs = replace(pairs, first=pairs.first[:, given], second=pairs.second[:, given])
    if moved is not None:
        moved = replace(moved, slope=moved.slope[given])
    return replace(found, tally=replace(found.tally, answer=place[found.tally.answer]), moved=moved, pairs=pairs)


def _step(likeness: FloatArray, least: float) -> float:
    """The least by which the sum changes where a pair counts `least`; with two answers two pairs change at a time."""
    ordered = likeness.flatten()
    ordered.sort()
    apart = ordered[1:] - ordered[:-1]
    nearest = float(np.minimum.reduce(apart, initial=math.inf, where=apart > ROUNDING))
    return nearest * least * (2 if len(likeness) == 2 else 1) if nearest < math.inf else 0.0


def _least(found: PairSum) -> float:
    """What a pair counts that counts least; zero where there is no pair."""
    return min((weight for answered, _, weight in found.kinds if answered > 1), default=0.0)


def _skewness(
    cubes: tuple[float, float], likeness: FloatArray, number: FloatArray, total: float, variance: float
) -> float:
    """Of the sum over items, as if they were independent and annotators had one distribution.

    An item's sum of rests d has the third moment (pairs · E d³ + 6 · triples · E d₁₂ d₁₃ d₂₃); all other products have
    an answer alone, whose mean is zero. `cubes` are the third `powers` of what pairs count.
    """
    if not variance > NOTHING**2:
        return 0.0
    share = number / total
    by_answer = likeness @ share
    rest = likeness - by_answer[:, None]
    rest -= by_answer - share @ by_answer
    weighted = rest * share
    other = weighted.T
    third = cubes[0] * float(np.vdot(weighted * other, rest)) + cubes[1] * float(np.vdot(weighted @ weighted, other))
    return third / (variance * math.sqrt(variance))


# -- each annotator's answers ------------------------------------------------------------------------------------------


def _by_annotator(found: PairSum, likeness: FloatArray, parts: Parts) -> Shuffled | None:
    """Each annotator's answers over the items that the annotator answered."""
    room = 1 - float(parts.expected)
    dealt, items = dealt_anew(found, likeness)
    of_pairs = items.pairs(dealt)
    if of_pairs is None:
        return None
    mean, variance = of_pairs
    by_chance = (1 - mean) / room  # what the value falls by where chance rises; 1 if it is independence
    alone, moved = items.single_answers(dealt, by_chance)
    seen = float(parts.observed) - (0.0 if found.moved is None else by_chance * found.moved.total)
    variance = max(variance + alone, 0.0)  # of what no shuffle moves, nothing but rounding is left
    skewness = _skewness(found.powers(3), likeness, add(dealt.given, 0), float(add(dealt.answered)), variance)
    step = _step(likeness, _least(found))
    return Shuffled(seen, mean - moved, math.sqrt(variance), skewness, step, room, together=False)


def _within_pairs(found: PairSum, pairs: PairsOfPeople, likeness: FloatArray) -> Shuffled | None:
    """Every two annotators' answers over the items that both answered, of a mean over pairs."""
    if pairs.first.size > MOST_CELLS:
        return None
    weight, common = pairs.weight, pairs.first.sum(1)
    mean, spread = rests(pairs.first / common[:, None], pairs.second / common[:, None], likeness)
    variance = max(float((weight**2 * common**2 / np.maximum(common - 1, 1)) @ spread), 0.0)
    usual = float(common @ weight / common.sum()) ** 3  # every pair counts the same, to the third power
    pair, sharing = found.powers(0)
    number = (pairs.first + pairs.second).sum(0)
    skewness = _skewness((pair * usual, sharing * usual), likeness, number, float(add(number)), variance)
    seen, middle = float(weight @ pairs.alike), float((weight * common) @ mean)
    step = _step(likeness, min(weight[weight > 0].tolist(), default=0.0))
    return Shuffled(seen, middle, math.sqrt(variance), skewness, step, 1.0, together=False)


# -- all answers -------------------------------------------------------------------------------------------------------


def _all_together(found: PairSum, likeness: FloatArray, parts: Parts) -> Shuffled | None:
    """All answers over all items."""
    tally, room = found.tally, 1 - float(parts.expected)
    number = add_up(tally.answer, tally.count * tally.items[tally.pattern], len(likeness))
    total = float(add(number))
    if total < 4:
        return None
    with_others = likeness @ number - likeness.diagonal()
    mean = float(number @ with_others) / (total * (total - 1))
    single = (with_others - (total - 1) * mean) / (total - 2)
    rest = likeness - (single + mean)
    rest -= single[:, None]
    rest *= rest
    squares = float(number @ rest @ number - number @ rest.diagonal()) / (total * (total - 1))
    variance = squares * _pairs_of_pairs(found.powers(2), total) if squares > CANCELLED else 0.0
    by_chance = (1 - mean) / room
    variance = max(variance + _of_single_cells(found, single, number, by_chance), 0.0)
    seen, middle = float(parts.observed), mean
    if found.moved is not None:  # an answer moves chance by where it stands
        seen -= by_chance * found.moved.total
        usual = sum(items * answered * found.moved.share[answered] for answered, items, _ in found.kinds) / total
        middle -= by_chance * float(usual * (number @ found.moved.slope))
    skewness = _skewness(found.powers(3), likeness, number, total, variance)
    step = _step(likeness, _least(found))
    return Shuffled(seen, middle, math.sqrt(variance), skewness, step, room, together=True)


def _pairs_of_pairs(squares: tuple[float, float], total: float) -> float:
    """Σ over pairs and pairs of the weights, with how the rests of the two go together: 1 for a pair with itself,
    −1 / (N − 2) where they share an answer, 2 / ((N − 2)(N − 3)) where they share none.

    The weights of all pairs are one together; `squares` are the second `powers` of what pairs count.
    """
    same, sharing = squares
    return same - sharing / (total - 2) + 2 * (1 - same - sharing) / ((total - 2) * (total - 3))


def _of_single_cells(found: PairSum, single: FloatArray, number: FloatArray, by_chance: float) -> float:
    """What single answers add to the variance, where items count differently."""
    if found.even and found.moved is None:
        return 0.0
    cells = [items * answered for answered, items, _ in found.kinds]
    observed = _centred(cells, [weight * (answered - 1) for answered, _, weight in found.kinds])
    square = _products(cells, observed, observed) * float(number @ (single * single))
    if found.moved is not None:
        chance = _centred(cells, [by_chance * float(found.moved.share[answered]) for answered, _, _ in found.kinds])
        slope = found.moved.slope - number @ found.moved.slope / sum(cells)
        square += _products(cells, chance, chance) * float(number @ (slope * slope))
        square -= 2 * _products(cells, observed, chance) * float(number @ (single * slope))
    return square / (sum(cells) - 1)


def _centred(cells: list[float], values: list[float]) -> list[float]:
    """Values less their mean over all cells."""
    mean = _products(cells, values, [1.0] * len(cells)) / sum(cells)
    return [value - mean for value in values]


def _products(cells: list[float], left: list[float], right: list[float]) -> float:
    return sum(number * one * other for number, one, other in zip(cells, left, right, strict=True))
