"""Scores by item alone, with any number of scores each: the one-way model."""

from __future__ import annotations

import numpy as np

from accord.annotations.arrays import FloatArray
from accord.scores.eliminated_items import ItemModel
from accord.scores.restricted_likelihood import LikelihoodParts


class ItemsAlone(ItemModel):
    """The criterion of items that hold any number of scores, each item any number of times."""

    quick = True

    @property
    def size(self) -> int:
        """Items, what is left over."""
        return 2

    def pieces(self, ratios: FloatArray) -> LikelihoodParts:
        """All of it from how many scores items have, and their totals."""
        sizes = self.sizes
        shrink = 1 / (1 + sizes * float(ratios[0]))
        taken = float(ratios[0]) * shrink
        ones = float((self.items * sizes) @ shrink)
        cross = float(self.totals @ shrink)
        mean = cross / ones
        squares = self.squares - float(taken @ self.squared_totals) - cross * mean
        away = self.squared_totals - 2 * mean * sizes * self.totals + mean**2 * sizes**2 * self.items
        return LikelihoodParts(
            float(self.items @ np.log1p(sizes * float(ratios[0]))), ones, squares, mean,
            np.array([ones]), -np.array([float(shrink**2 @ (self.items * sizes**2))]),
            -np.array([float(shrink**2 @ away)]),
        )  # fmt: skip

    def by_unit(self, variances: FloatArray) -> FloatArray:
        """From how many scores each has, and their total."""
        rest, held = float(variances[-1]), self.presence
        ratios = variances[:-1] / rest
        at = self.pieces(ratios)
        answered = held.answered.astype(np.float64)
        shrink = 1 / (1 + answered * float(ratios[0]))
        taken = float(ratios[0]) * shrink
        left = held.squared - 2 * at.mean * held.total + at.mean**2 * answered
        total = held.total - at.mean * answered
        found = answered * np.log(2 * np.pi * rest) - np.log(shrink) + answered * shrink / at.ones
        return np.asarray(found + (left - taken * total**2) / rest)
