"""Lin's concordance: how far two annotators give one and the same score, not only scores that rise together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from accord.annotations.arrays import NOTHING_LEFT, FloatArray, add_up, divide
from accord.annotations.tally import Tally
from accord.coefficients.formula import centred
from accord.coefficients.measurable import Parts
from accord.coefficients.standard_errors import FISHER, NORMAL, limits
from accord.scores.moments_of_pairs import SUMS, Moments, MomentsOfPairs, features, sums_of
from accord.study.study import Study

Average: TypeAlias = Literal["overall", "pairs"]
AVERAGES: tuple[Average, ...] = get_args(Average)


def concordance(moments: Moments) -> FloatArray:
    """2 cov / (var + var + (difference of means)²); none where both gave one and the same score throughout."""
    unlike = moments.unlike
    return divide(2 * moments.cov, np.where(unlike > NOTHING_LEFT, unlike, 0.0))


def concordance_slopes(moments: Moments, value: FloatArray | float, below: FloatArray | float) -> FloatArray:
    """(J, 6) how the sums of a pair move a ratio of this value with so much below the line."""
    x, y, apart = moments.mean_x, moments.mean_y, moments.apart
    ones = np.ones_like(x)
    table = np.stack(
        (
            2 * x * y - value * (x**2 + y**2 - apart**2),
            2 * (value * x - y - value * apart),
            2 * (value * y - x + value * apart),
            -value * ones,
            -value * ones,
            2 * ones,
        ),
        axis=1,
    )
    return divide(table, np.broadcast_to(below, np.shape(x))[:, None])


class LinConcordance(MomentsOfPairs):
    """2 cov / (var + var + (difference of means)²) of each pair; more than two: one ratio of all, or the mean.

    With "overall" the terms above and below the line are added up over pairs, each by its common items: without gaps
    that is the overall concordance of Barnhart, Haber and Song.
    """

    pair_title = "Lin's concordance"
    undefined_pair = "where both give one and the same score throughout, there is nothing to agree on"

    def __init__(self, tally: Tally, average: Average = "overall") -> None:
        self.average = average
        self.together = "their mean" if average == "pairs" else "the terms above and below the line, added up"
        super().__init__(tally)

    def of_moments(self, moments: Moments) -> FloatArray:
        """Of each pair."""
        return concordance(moments)

    def pair_slopes(self, moments: Moments) -> FloatArray:
        """Of each pair by itself."""
        return concordance_slopes(moments, concordance(moments), moments.number * moments.unlike)

    # -- one ratio of all ---------------------------------------------------------------------------------------------

    def combine(self, sums: FloatArray) -> Parts:
        """The mean over pairs, or one ratio."""
        if self.average == "pairs":
            return super().combine(sums)
        moments = Moments.of(sums.reshape(*sums.shape[:-1], len(self.scores), SUMS))
        above, below = self._terms(moments)
        return Parts.of_value(divide(above.sum(-1), below.sum(-1)))

    def _terms(self, moments: Moments) -> tuple[FloatArray, FloatArray]:
        """(..., J) what each pair adds above and below the line."""
        counts = self.enough & (moments.number > 0)
        weight = np.where(counts, moments.number, 0.0)
        above, below = weight * np.nan_to_num(2 * moments.cov), weight * np.nan_to_num(moments.unlike)
        return above, np.where(below > NOTHING_LEFT * np.maximum(weight, 1.0), below, 0.0)

    def slopes(self, sums: FloatArray) -> FloatArray:
        """Of the mean, or of the one ratio."""
        if self.average == "pairs":
            return super().slopes(sums)
        moments = Moments.of(sums.reshape(len(self.scores), SUMS))
        table = concordance_slopes(moments, float(self.combine(sums).value), float(self._terms(moments)[1].sum()))
        return np.where(self.enough[:, None], np.nan_to_num(table), 0.0).ravel()

    def influence(self) -> FloatArray:
        """Row by row, of the mean or of the one ratio."""
        if self.average == "pairs":
            return super().influence()
        pairs = self.scores.pairs
        slopes = self.slopes(sums_of(self.scores, self.tally.items).ravel()).reshape(len(self.scores), SUMS)
        moved = (slopes[pairs.pair] * features(self.scores)).sum(1)
        return centred(self.tally.n_items * add_up(pairs.pattern, moved, len(self.tally)), self.tally.items)

    def more_of_pair(self, place: int) -> str:
        """Its parts: precision, accuracy, and Lin's own interval."""
        moments = Moments.of(sums_of(self.scores, self.tally.items))
        found = LinParts.of(*(float(part[place]) for part in vars(moments).values()))
        if math.isnan(found.value):
            return ""
        interval = found.interval()
        interval_text = (
            f"; by Fisher's z [{interval[0]:z.4f}, {interval[1]:z.4f}]" if math.isfinite(interval[0]) else ""
        )
        return f" = {found.pearson:z.4f} (correlation) · {found.accuracy:.4f} (accuracy){interval_text}"


@dataclass(frozen=True)
class LinParts:
    """Lin's concordance of two and what it is made of.

    Attributes:
        value: The concordance, with variances over n.
        pearson: How closely the scores follow a line: the correlation.
        accuracy: How far that line is from equality (Lin's C_b): 1 where means and spreads are alike.
        scale_shift: The first's standard deviation over the second's.
        location_shift: The difference of the means in units of the geometric mean of the standard deviations.
        z_error: The standard error of Fisher's z of the value, as Lin corrected it in 2000.
    """

    value: float
    pearson: float
    accuracy: float
    scale_shift: float
    location_shift: float
    z_error: float

    @classmethod
    def of(cls, number: float, mean_x: float, mean_y: float, var_x: float, var_y: float, cov: float) -> LinParts:
        """From the moments of one pair; NaN where somebody gave one score throughout."""
        if not (var_x > NOTHING_LEFT and var_y > NOTHING_LEFT):
            return cls(*[math.nan] * 6)
        spread = math.sqrt(var_x * var_y)
        value, r = 2 * cov / (var_x + var_y + (mean_x - mean_y) ** 2), cov / spread
        u = (mean_x - mean_y) / math.sqrt(spread)
        accuracy = 2 * spread / (var_x + var_y + (mean_x - mean_y) ** 2)
        return cls(value, r, accuracy, math.sqrt(var_x / var_y), u, _z_error(number, value, r, u))

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Lin's interval: normal for Fisher's z of the value."""
        low, high = limits(
            self.value, self.z_error, df=NORMAL, confidence=confidence, scale=FISHER, errors_on_scale=True
        )
        return float(low), float(high)


def _z_error(number: float, value: float, r: float, u: float) -> float:
    """Lin 1989 with the correction of 2000; none of fewer than three items, of no correlation or of full agreement."""
    if number < 3 or r == 0 or abs(value) >= 1:
        return math.nan
    left = 1 - value**2
    terms = (
        (1 - r**2) * value**2 / (left * r**2)
        + 2 * value**3 * (1 - value) * u**2 / (r * left**2)
        - value**4 * u**4 / (2 * r**2 * left**2)
    )
    return math.sqrt(terms / (number - 2)) if terms > 0 else math.nan


@dataclass(frozen=True)
class Lin:
    """The concordance of a study, or of a part of it."""

    average: Average

    def __call__(self, study: Study) -> LinConcordance:
        """From who gave which score."""
        return LinConcordance(study._tally_of_people(named=True), self.average)
