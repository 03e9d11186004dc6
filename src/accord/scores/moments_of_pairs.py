"""Coefficients of two annotators' scores that are made of six sums: Pearson's correlation, Lin's concordance.

Of each pair the number of common items, Σx, Σy, Σx², Σy² and Σxy. The value is a differentiable function of these, so
that resamples cost a matrix product and errors a formula.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.annotations.arrays import NOTHING_LEFT, FloatArray, IntArray, add_up, divide
from accord.annotations.tally import Tally
from accord.coefficients.item_sums import ItemSums
from accord.coefficients.measurable import Parts
from accord.coefficients.sums_over_units import SumsOverUnits
from accord.scores.score_pair_values import ScorePairValues, mean_of_defined
from accord.scores.score_pairs import ScorePairs

SUMS = 6


@dataclass(frozen=True)
class Moments:
    """Of pairs: common items, means, variances and the covariance, these over n; with any leading axes."""

    number: FloatArray
    mean_x: FloatArray
    mean_y: FloatArray
    var_x: FloatArray
    var_y: FloatArray
    cov: FloatArray

    @classmethod
    def of(cls, sums: FloatArray) -> Moments:
        """From sums (..., J, 6)."""
        number, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
        mean_x, mean_y = divide(x, number), divide(y, number)
        return cls(
            number, mean_x, mean_y, divide(xx, number) - mean_x**2, divide(yy, number) - mean_y**2,
            divide(xy, number) - mean_x * mean_y,
        )  # fmt: skip

    @property
    def apart(self) -> FloatArray:
        """How far the means lie apart."""
        return self.mean_x - self.mean_y

    @property
    def unlike(self) -> FloatArray:
        """Lin's denominator: the mean squared difference of any two scores, one of each."""
        return self.var_x + self.var_y + self.apart**2


def features(scores: ScorePairs) -> FloatArray:
    """(M, 6) what an item of each row adds to the sums of its pair."""
    x, y = scores.x, scores.y
    return np.stack((np.ones_like(x), x, y, x * x, y * y, x * y), axis=1)


def sums_of(scores: ScorePairs, number: FloatArray | IntArray) -> FloatArray:
    """(J, 6) the sums of each pair."""
    weight = number[scores.pairs.pattern]
    columns = [add_up(scores.pairs.pair, weight * column, len(scores)) for column in features(scores).T]
    return np.stack(columns, axis=1)


class MomentsOfPairs(ScorePairValues, SumsOverUnits):
    """A coefficient of six sums for each pair, and the mean of the pairs."""

    def __init__(self, tally: Tally) -> None:
        ScorePairValues.__init__(self, tally)

    @abstractmethod
    def of_moments(self, moments: Moments) -> FloatArray:
        """(..., J) the value of each pair."""

    @abstractmethod
    def pair_slopes(self, moments: Moments) -> FloatArray:
        """(J, 6) the derivative of each pair's value by its sums."""

    @cached_property
    def item_sums(self) -> ItemSums:  # type: ignore[override]
        """What an item adds to the sums of all pairs; only resamples need it."""
        pairs = self.scores.pairs
        table = features(self.scores)
        parts = ((pairs.pattern, pairs.pair * SUMS + place, table[:, place]) for place in range(SUMS))
        return ItemSums.added(parts, (len(self.tally), SUMS * len(pairs)))

    def values(self, scores: ScorePairs, number: FloatArray | IntArray) -> FloatArray:
        """Of the study's own items."""
        return self.of_moments(Moments.of(sums_of(scores, number)))

    def moves(self, scores: ScorePairs) -> FloatArray:
        """The slopes along each row."""
        slopes = self.pair_slopes(Moments.of(sums_of(scores, scores.tally.items)))
        return np.asarray((slopes[scores.pairs.pair] * features(scores)).sum(1))

    def evaluate(self, number: FloatArray | IntArray) -> Parts:
        """The formula on other items."""
        if number.ndim == 1:
            return self.combine(sums_of(self.scores, number).ravel())
        return SumsOverUnits.evaluate(self, number)

    def combine(self, sums: FloatArray) -> Parts:
        """The mean over the pairs that are defined."""
        return Parts.of_value(mean_of_defined(self._of_enough(sums)))

    def _of_enough(self, sums: FloatArray) -> FloatArray:
        """(..., J) the values of the pairs with enough items in common."""
        table = sums.reshape(*sums.shape[:-1], len(self.scores), SUMS)
        return np.where(self.enough, self.of_moments(Moments.of(table)), np.nan)

    def slopes(self, sums: FloatArray) -> FloatArray:
        """The pairs' derivatives, each a share of the mean."""
        defined = np.isfinite(self._of_enough(sums))
        table = self.pair_slopes(Moments.of(sums.reshape(len(self.scores), SUMS))) / max(int(defined.sum()), 1)
        return np.where(defined[:, None], table, 0.0).ravel()

    def influence(self) -> FloatArray:
        """Row by row: the matrix that only resamples need is not made."""
        return ScorePairValues.influence(self)


def pearson(moments: Moments) -> FloatArray:
    """Covariance over the root of the variances; none where somebody gave one score throughout."""
    varied = (moments.var_x > NOTHING_LEFT) & (moments.var_y > NOTHING_LEFT)
    spread = np.sqrt(np.where(varied, moments.var_x * moments.var_y, 0.0))
    return np.clip(divide(moments.cov, spread), -1.0, 1.0)


def correlated(one: FloatArray, other: FloatArray) -> tuple[float, FloatArray]:
    """Pearson's correlation of two columns, and how far each item moves it: z₁z₂ − r (z₁² + z₂²) / 2, over n.

    NaN of fewer than three items, and where a column does not vary.
    """
    if len(one) < 3 or not one.std() > 0 or not other.std() > 0:
        return np.nan, np.zeros(len(one))
    left, right = ((part - part.mean()) / part.std() for part in (one, other))
    value = min(max(float((left * right).mean()), -1.0), 1.0)
    return value, (left * right - value / 2 * (left**2 + right**2)) / len(one)


def pearson_slopes(moments: Moments) -> FloatArray:
    """(J, 6) from dr = [zₓ z_y − r/2 (zₓ² + z_y²)] / n."""
    r, x, y = pearson(moments), moments.mean_x, moments.mean_y
    both = divide(1.0, np.sqrt(np.maximum(moments.var_x * moments.var_y, 0.0)))
    by_x, by_y = divide(r, moments.var_x), divide(r, moments.var_y)
    table = np.stack(
        (
            x * y * both - (x**2 * by_x + y**2 * by_y) / 2,
            x * by_x - y * both,
            y * by_y - x * both,
            -by_x / 2,
            -by_y / 2,
            both,
        ),
        axis=1,
    )
    return divide(table, moments.number[:, None])


class MeanPearson(MomentsOfPairs):
    """Pearson's correlation of each pair."""

    pair_title = "Pearson's correlation"

    def of_moments(self, moments: Moments) -> FloatArray:
        """Of each pair."""
        return pearson(moments)

    def pair_slopes(self, moments: Moments) -> FloatArray:
        """Of each pair."""
        return pearson_slopes(moments)
