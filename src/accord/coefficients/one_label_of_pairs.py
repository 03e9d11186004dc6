"""One label of answers that are divided between labels, against the rest: what a mean of pairs is made of.

Rosenberg and Binkowski's agreement matrix has a cell for each item and label, Ag[x, y] = M_A[x, y] · M_B[x, y], and its
sum over labels is the agreement on the item. A label against the rest is the same measure on answers of two parts,
M[x, y] and 1 − M[x, y]: it agrees 1 − M_A − M_B + 2 Ag. Over labels, both 1 − expected and observed − expected add up
to twice those of the whole. So the mean of the labels' values, weighted by 1 − expected, is the value of two
annotators. Of more annotators it is the mean over their pairs, each divided by its own 1 − p(E): so the parts of a
label are means over pairs weighted by 1 / (1 − p(E)), which keeps the law.
"""

from __future__ import annotations

import numpy as np

from accord.annotations.arrays import FloatArray, divide
from accord.coefficients.formula import chance_corrected
from accord.coefficients.mean_of_pairs import MeanOfPairs
from accord.coefficients.measurable import Parts
from accord.coefficients.weights import Weights


class OneLabelOfPairs(MeanOfPairs):
    """One label against the rest, for each pair of annotators and put together as the whole is."""

    whole: Weights  # of all labels together; `weights` are those of the one

    def __init__(self, whole: MeanOfPairs, weights: Weights) -> None:
        super().__init__(whole.tally, weights, whole.pair_title)
        self.whole = whole.weights

    def _scales(self, first: FloatArray, second: FloatArray, common: FloatArray) -> FloatArray:
        """(…, J) 1 / (1 − p(E)) of each pair, of all labels together; 0 where the pair has no value."""
        expected = (first * self.whole.apply(second)).sum(-1)
        value = chance_corrected(np.zeros_like(expected), expected)
        return np.where(np.isfinite(value) & (common > 0), np.nan_to_num(1 - value), 0.0)

    def combine(self, sums: FloatArray) -> Parts:
        """Means over the pairs of the whole, each as its value counts there."""
        pairs, common, first, second = self.pair_parts(sums)
        scale = self._scales(first, second, common)
        observed, expected = (
            divide((scale * np.nan_to_num(part)).sum(-1), scale.sum(-1)) for part in (pairs.observed, pairs.expected)
        )
        return Parts(observed, expected, chance_corrected(observed, expected))

    def slopes(self, sums: FloatArray) -> FloatArray:
        """By the chain rule on Σ s (o − e) / Σ s (1 − e), where s = 1 / (1 − p(E)) moves with the marginals too."""
        pairs, common, first, second = self.pair_parts(sums)
        scale = self._scales(first, second, common)
        observed, expected = np.nan_to_num(pairs.observed), np.nan_to_num(pairs.expected)
        value = float(self.combine(sums).value)
        room = float((scale * (1 - expected)).sum())
        by_chance = scale * (value - 1)  # of the label's own expected agreement
        by_scale = scale**2 * ((observed - expected) - value * (1 - expected))  # of that of all labels
        of_all = (first * self.whole.apply(second)).sum(-1)
        by_count = -scale * observed - 2 * by_chance * expected - 2 * by_scale * np.nan_to_num(of_all)
        by_first, by_second = (
            by_chance[:, None] * self.weights.apply(other) + by_scale[:, None] * self.whole.apply(other)
            for other in (second, first)
        )
        table = np.concatenate((scale[:, None], by_count[:, None], by_first, by_second), axis=1)
        counts = (scale > 0)[:, None]
        return np.where(counts, np.nan_to_num(divide(table, (common * room)[:, None])), 0.0).ravel()
