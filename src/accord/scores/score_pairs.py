"""Scores that two annotators gave to the same items, for every pair of annotators who met."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, add_up
from accord.annotations.tally import Tally
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.coefficients.measurable import Measurable
from accord.errors import Part

FEWEST_COMMON = 3  # items of a pair: two points always lie on a line


@dataclass(frozen=True, eq=False)
class ScorePairs:
    """A row for each pair of annotators and pattern of answers that holds both.

    Scores are taken from their mean and in units of their standard deviation: no correlation or concordance depends on
    where the scale begins or on its unit, and sums of squares lose no digits.
    """

    tally: Tally
    pairs: AnnotatorPairs
    x: FloatArray  # (M,) the first's score
    y: FloatArray  # (M,) the second's
    unit: float  # of the scale, how much one of x is
    centre: float  # of the scale, where x is 0

    @classmethod
    def of(cls, tally: Tally, what: Part) -> ScorePairs:
        """The items of a tally of who said what that have two answers."""
        tally = tally.where(tally.pairable)
        return cls.of_pairs(tally, AnnotatorPairs.of(tally), what)

    @classmethod
    def of_pairs(cls, tally: Tally, pairs: AnnotatorPairs, what: Part) -> ScorePairs:
        """The same where the pairs are known."""
        score, unit, centre = standardised(tally, what)
        return cls(tally, pairs, score[pairs.first_answer], score[pairs.second_answer], unit, centre)

    @property
    def enough(self) -> BoolArray:
        """(J,) have the two enough items in common for a value?"""
        return self.pairs.common(self.tally.units) >= FEWEST_COMMON

    def __len__(self) -> int:
        return len(self.pairs)


class OfComparedItems(Measurable):
    """A value of the items that have two scores or more."""

    tally: Tally

    @property
    def sample(self) -> Tally:
        """Those items, by pattern."""
        return self.tally

    @property
    def n_answers(self) -> int:
        """All answers on these items."""
        return self.tally.n_answers


def numbers_of(tally: Tally, what: Part) -> FloatArray:
    """(K,) the number of each answer; who scored an item more than once has their mean there."""
    return tally.answers.mean_of_parts(tally.answers.unmixed.numbers(what))


def of_means(tally: Tally) -> tuple[str, ...]:
    """A note where somebody scored an item more than once, and not alike: what is compared are means."""
    if not tally.answers.mixed:
        return ()
    return ("Compared are the means of an annotator's repeated scores, which lie closer than single scores do.",)


def standardised(tally: Tally, what: Part) -> tuple[FloatArray, float, float]:
    """(K,) the number of each answer from the mean of all in units of their standard deviation; that unit and mean."""
    number = numbers_of(tally, what)
    given = add_up(tally.answer, tally.count * tally.items[tally.pattern], len(number))
    used = given > 0
    if not used.any():
        return np.zeros(len(number)), 1.0, 0.0
    scale = float(np.abs(number[used]).max()) or 1.0
    share = given / given.sum()
    mean = float(share[used] @ (number[used] / scale))  # in proportion: no square overflows
    away = number / scale - mean
    spread = float(np.sqrt(share[used] @ away[used] ** 2)) or 1.0
    return away / spread, spread * scale, mean * scale
