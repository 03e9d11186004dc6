"""Everybody's own chance: the marginal distribution of each annotator, and how one answer moves the chance of all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import FloatArray
from accord.coefficients.weights import Weights


@dataclass(frozen=True, eq=False)
class OwnMarginals:
    """What an answer does to the chance of every annotator, where each has a distribution of their own.

    Annotator g's chance is p_g W (S − p_g) / (R − 1), with S the sum of all distributions. An answer x of h moves p_h
    by (1[x] − p_h) / n_h, and so g's chance by that times W p_g / (R − 1): one vector per item, summed over its
    answers, serves all annotators. An answer of g's own moves p_g as well, which is what `besides` adds.
    """

    marginals: FloatArray  # (R, K)
    answered: FloatArray  # (R,)
    towards: FloatArray  # (R, K) W p_g / (R − 1)
    besides: FloatArray  # (R, K)

    @classmethod
    def of(cls, cells: FloatArray, weights: Weights) -> OwnMarginals:
        """From how often each annotator gave each answer."""
        answered = cells.sum(1)
        number = np.maximum(answered, 1)[:, None]
        marginals, others = cells / number, max(int((answered > 0).sum()) - 1, 1)
        towards = weights.apply(marginals)
        more = weights.apply(marginals.sum(0) - marginals) - towards
        besides = (more - (marginals * more).sum(1, keepdims=True)) / number
        return cls(marginals, answered, towards / others, besides / others)

    @property
    def expected(self) -> FloatArray:
        """(R,) everybody's chance: the mean over the pairs that hold them; NaN for who is absent, or alone."""
        present = self.answered > 0
        chance = (self.towards * (self.marginals.sum(0) - self.marginals)).sum(1)
        return np.where(present & (present.sum() > 1), chance, np.nan)

    def spread(self, products: FloatArray) -> FloatArray:
        """(R,) the sum of squares of what all items do, from the products (K, K) of their vectors."""
        return np.asarray(((self.towards @ products) * self.towards).sum(1))
