"""Intraclass correlations of every two annotators at once, from the sums of their scores on common items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.annotations.tally import Tally
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.coefficients.measurable import Breakdown
from accord.scores.icc_forms import IccForm, of_several
from accord.scores.score_pairs import standardised


@dataclass(frozen=True, eq=False)
class PairIccs:
    """The values of all pairs, and how far each two scores of an item move that of their pair."""

    pairs: AnnotatorPairs
    items: FloatArray  # (patterns,) how many there are of each, or what they weigh together
    squared: FloatArray  # (patterns,) the sum of their squared weights
    number: IntArray  # (patterns,) how many there are
    value: FloatArray  # (J,)
    moved: FloatArray  # (M,)

    @classmethod
    def of(cls, named: Tally, pairs: AnnotatorPairs, form: IccForm) -> PairIccs:
        """Each pair on the items both scored; a mean over repeats stands for who scored an item again."""
        score, *_ = standardised(named, "An intraclass correlation")
        own, whole, by_own, by_whole = _parts(score[pairs.first_answer], score[pairs.second_answer], named, pairs, form)
        single = divide(own, whole)
        moved = divide(by_own - single[pairs.pair] * by_whole, whole[pairs.pair])
        moved -= pairs.mean(moved, named.items)[pairs.pair]
        people = form.annotators(2.0)
        bend = divide(people, (1 + (people - 1) * single) ** 2)
        value = of_several(single, people)
        number, weight = named.units, 1.0 if named.weight is None else named.weight
        return cls(
            pairs, named.items.astype(np.float64), weight**2 * number.astype(np.float64), number, value,
            moved * bend[pairs.pair],
        )  # fmt: skip

    def by_pair(self) -> Breakdown:
        """A row per pair: the value, and its error over the items both scored."""
        squares = add_up(self.pairs.pair, self.squared[self.pairs.pattern] * self.moved**2, len(self.pairs))
        common, number = self.pairs.common(self.items), self.pairs.common(self.number)
        return _values_alone(self.value, np.sqrt(divide(squares, common**2) * divide(number, number - 1)))

    def by_annotator(self, size: int) -> Breakdown:
        """A row per annotator: the mean over the pairs with them, each pair by its common items."""
        common, there = self.pairs.common(self.items), np.isfinite(self.value)
        weight, total, squares = np.zeros(size), np.zeros(size), np.zeros(size)
        for who in (self.pairs.first, self.pairs.second):
            weight += add_up(who[there], common[there], size)
            total += add_up(who[there], (common * self.value)[there], size)
        squares = self._squares(size)
        items = float(self.number.sum())
        error = np.sqrt(divide(squares, weight**2) * items / max(items - 1, 1))
        return _values_alone(divide(total, weight), error)

    def _squares(self, size: int) -> FloatArray:
        """(annotators,) the squares over items of how far an item moves all pairs of an annotator together."""
        pairs, moved = self.pairs, np.nan_to_num(self.moved)
        cell: IntArray = np.concatenate(
            (pairs.pattern * size + pairs.first[pairs.pair], pairs.pattern * size + pairs.second[pairs.pair])
        )
        present, place = np.unique(cell, return_inverse=True)
        along = add_up(place, np.concatenate((moved, moved)), len(present))
        return add_up(present % size, self.squared[present // size] * along**2, size)


def _parts(
    first: FloatArray, second: FloatArray, named: Tally, pairs: AnnotatorPairs, form: IccForm
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """(J,) the items' variance and all variance by the form's mean squares; (M,) how they move with each two scores."""
    apart = pairs.mean(first - second, named.items)
    one = first - pairs.mean(first, named.items)[pairs.pair]
    two = second - pairs.mean(second, named.items)[pairs.pair]
    product, square = one * two, (one**2 + two**2) / 2
    covariance, variance = pairs.mean(product, named.items), pairs.mean(square, named.items)
    common = pairs.common(named.items)
    scale = divide(common, common - 1)
    level, by_level = apart**2 / 2, apart[pairs.pair] * (one - two)
    if form.error == "C":
        return scale * covariance, scale * variance, product, square
    if form.error == "A":
        whole = scale * variance + level - scale * (variance - covariance) / common
        return scale * covariance, whole, product, square + by_level
    between, within = scale * (variance + covariance), level + variance - covariance
    return (between - within) / 2, (between + within) / 2, product - by_level / 2, square + by_level / 2


def _values_alone(value: FloatArray, error: FloatArray) -> Breakdown:
    """There is no observed or expected agreement in a ratio of variances."""
    nothing = np.full(len(value), np.nan)
    return Breakdown(nothing, nothing, value, error)
