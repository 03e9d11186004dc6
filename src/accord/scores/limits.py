"""Limits of agreement: how far two annotators' scores of an item may be expected to differ, and whether that grows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up, divide
from accord.annotations.tally import Tally
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.scores.score_pairs import ScorePairs

REACH = 1.96  # standard deviations to either side of the bias, as Bland and Altman write it


@dataclass(frozen=True, eq=False)
class Line:
    """A least-squares line for each pair: its slope and the standard error of that; NaN where means do not vary."""

    slope: FloatArray
    error: FloatArray
    fitted: FloatArray  # (M,) of each row


@dataclass(frozen=True, eq=False)
class Limits:
    """For each pair of annotators: the mean difference of their scores, its spread, and lines of both over the mean."""

    pairs: AnnotatorPairs
    items: IntArray  # (J,) both answered
    middle: FloatArray  # (M,) the mean of the two scores
    apart: FloatArray  # (M,) the first's less the second's
    weight: FloatArray  # (M,) how many items look like that
    bias: FloatArray  # (J,)
    sd: FloatArray  # (J,) over n − 1
    trend: Line  # of the difference over the mean
    widening: Line  # of how far the difference lies from that line

    @classmethod
    def of(cls, tally: Tally) -> Limits:
        """From who gave which score."""
        scores = ScorePairs.of(tally, "Limits of agreement")
        pairs, weight = scores.pairs, scores.tally.units[scores.pairs.pattern].astype(np.float64)
        middle = scores.centre + scores.unit * (scores.x + scores.y) / 2
        apart = scores.unit * (scores.x - scores.y)
        items = pairs.common(scores.tally.units)
        bias = divide(add_up(pairs.pair, weight * apart, len(pairs)), items)
        squares = add_up(pairs.pair, weight * (apart - bias[pairs.pair]) ** 2, len(pairs))
        trend = _line(pairs, weight, (scores.x + scores.y) / 2, apart)
        widening = _line(pairs, weight, (scores.x + scores.y) / 2, np.abs(apart - trend.fitted))
        in_units = (Line(one.slope / scores.unit, one.error / scores.unit, one.fitted) for one in (trend, widening))
        sd = np.sqrt(divide(squares, items - 1))
        return cls(pairs, items.astype(np.int64), middle, apart, weight, bias, sd, *in_units)

    @property
    def lower(self) -> FloatArray:
        """(J,) bias − 1.96 sd."""
        return self.bias - REACH * self.sd

    @property
    def upper(self) -> FloatArray:
        """(J,) bias + 1.96 sd."""
        return self.bias + REACH * self.sd

    @property
    def bias_error(self) -> FloatArray:
        """(J,) the standard error of the bias; NaN where all differences are the same: that shows no error."""
        return self._seen / np.sqrt(self.items)

    @property
    def limit_error(self) -> FloatArray:
        """(J,) the standard error of either limit, of Bland and Altman 1999; NaN as that of the bias."""
        return np.asarray(self._seen * np.sqrt(1 / self.items + REACH**2 / (2 * np.maximum(self.items - 1.0, 1))))

    @property
    def _seen(self) -> FloatArray:
        """(J,) the standard deviation, NaN of differences that are all the same."""
        reach = add_up(self.pairs.pair, np.abs(self.apart), len(self.bias))
        return np.where(self.sd > 1e-12 * reach, self.sd, np.nan)

    def of_pair(self, place: int) -> BoolArray:
        """(M,) the rows of one pair."""
        return np.asarray(self.pairs.pair == place)


def _line(pairs: AnnotatorPairs, weight: FloatArray, across: FloatArray, down: FloatArray) -> Line:
    """The least-squares line of each pair."""

    def mean(values: FloatArray) -> FloatArray:
        return divide(add_up(pairs.pair, weight * values, len(pairs)), number)[pairs.pair]

    number = add_up(pairs.pair, weight, len(pairs))
    x, y = across - mean(across), down - mean(down)
    squares = add_up(pairs.pair, weight * x * x, len(pairs))
    squares = np.where(squares > 1e-12 * number, squares, 0.0)  # the means of the two are all the same
    slope = divide(add_up(pairs.pair, weight * x * y, len(pairs)), squares)
    line = np.nan_to_num(slope)[pairs.pair] * x
    left = add_up(pairs.pair, weight * (y - line) ** 2, len(pairs))
    error = np.sqrt(divide(divide(left, np.where(number > 2, number - 2, 0.0)), squares))
    return Line(slope, error, mean(down) + line)
