"""Intraclass correlations of every two annotators at once, from the sums of their scores on common items."""

from __future__ import annotations

import numpy as np

from accord.annotations.arrays import FloatArray, add_up, divide
from accord.annotations.mixed_answers import of_parts, unmixed_scale
from accord.annotations.tally import Tally
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.coefficients.measurable import Breakdown
from accord.scores.icc_forms import IccForm, of_several


def by_pair_at_once(named: Tally, pairs: AnnotatorPairs, form: IccForm) -> Breakdown:
    """A row per pair: the value, and its error over the items both scored."""
    score = of_parts(named.answers, unmixed_scale(named.answers).numbers("An intraclass correlation"))
    first, second = score[pairs.first_answer], score[pairs.second_answer]
    items, size = named.items[pairs.pattern].astype(np.float64), len(pairs)

    def mean(values: FloatArray) -> FloatArray:
        return pairs.mean(values, named.items)

    first, second = first - mean(first)[pairs.pair], second - mean(second)[pairs.pair]
    raw = mean(score[pairs.first_answer] - score[pairs.second_answer])
    common = pairs.common(named.items)
    covariance, variance = mean(first * second), (mean(first**2) + mean(second**2)) / 2
    # the form's own and error, as expectations over items; sums over n − 1 where Shrout and Fleiss have them
    scale = divide(common, common - 1)
    apart = raw**2 / 2
    if form.error == "C":
        own, whole = scale * covariance, scale * variance
        slope_of = (first * second, (first**2 + second**2) / 2, np.zeros_like(first))
    elif form.error == "A":
        own = scale * covariance
        whole = scale * variance + (apart - scale * (variance - covariance) / common)
        slope_of = (first * second, (first**2 + second**2) / 2, raw[pairs.pair] * (first - second))
    else:
        within = apart + (variance - covariance)
        between = scale * (variance + covariance)
        own, whole = (between - within) / 2, (between + within) / 2
        slope_of = (
            (first * second) - raw[pairs.pair] * (first - second) / 2,
            (first**2 + second**2) / 2,
            raw[pairs.pair] * (first - second) / 2,
        )
    value = divide(own, whole)
    moved = divide(slope_of[0] - value[pairs.pair] * (slope_of[1] + slope_of[2]), whole[pairs.pair])
    moved -= pairs.mean(moved, named.items)[pairs.pair]
    error = np.sqrt(divide(add_up(pairs.pair, items * moved**2, size), common * (common - 1)))
    number = form.annotators(2.0)
    bend = number / (1 + (number - 1) * value) ** 2
    nothing = np.full(size, np.nan)
    return Breakdown(nothing, nothing, np.asarray(of_several(value, number)), error * bend)
