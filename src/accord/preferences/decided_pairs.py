"""Agreement on preferences with ties left out: of pairs of answers that both decided, how many decided alike."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import numpy as np

from accord.annotations.arrays import FloatArray, add_up, divide
from accord.annotations.preference_words import FIRST, SECOND
from accord.annotations.tally import Tally
from accord.coefficients.item_sums import ItemSums
from accord.coefficients.measurable import Decomposition, Parts
from accord.coefficients.sums_over_units import SumsOverUnits
from accord.coefficients.units import Sampled


class DecidedPairs(SumsOverUnits):
    """Σ pairs that decided alike / Σ pairs that decided, both over items; every pair of answers counts once."""

    of_what = "without ties"

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self.item_sums = ItemSums.dense(self._sums)

    @property
    def sample(self) -> Sampled:
        """Items by their patterns."""
        return self._tally

    @property
    def n_answers(self) -> int:
        """Answers that decided, where another did."""
        return int(self._tally.items @ np.where(self._sums[:, 1] > 0, self._decided.sum(1), 0.0))

    @property
    def n_compared(self) -> int:
        """Items with two answers that decided."""
        return int(self._tally.items @ (self._sums[:, 1] > 0))

    @cached_property
    def _decided(self) -> FloatArray:
        """(P, 2) how many preferred the first and the second; who says both of an item decided nothing."""
        tally, labels = self._tally, self._tally.answers.labels
        counts = np.zeros((len(tally), 2))
        for place, side in enumerate((FIRST, SECOND)):
            if side in labels:
                mine = tally.answer == labels.index(side)
                counts[:, place] = add_up(tally.pattern[mine], tally.count[mine], len(tally))
        return counts

    @cached_property
    def _sums(self) -> FloatArray:
        """(P, 2) pairs that decided alike, and pairs that decided."""
        first, second = self._decided.T
        number = first + second
        return np.stack([(first * (first - 1) + second * (second - 1)) / 2, number * (number - 1) / 2], axis=1)

    def combine(self, sums: FloatArray) -> Parts:
        """The share; nothing is attributed to chance."""
        observed = divide(sums[..., 0], sums[..., 1])
        return Parts(observed, np.zeros(np.shape(observed)), observed)

    def slopes(self, sums: FloatArray) -> FloatArray:
        """By the quotient rule."""
        return np.asarray(np.array([1.0, -float(divide(sums[0], sums[1]))]) / sums[1])

    def decomposition(self) -> Decomposition:
        """Each item's share, by its pairs."""
        value = divide(self._sums[:, 0], self._sums[:, 1])
        return Decomposition(value, value, self._sums[:, 1] / max(float(self._tally.items @ self._sums[:, 1]), 1.0))

    def why_no_part(self, part: Literal["item", "pair"]) -> str | None:
        """An item of which at most one answer decides."""
        return "No two answers decide for one of the two options."

    def why_undefined(self) -> str | None:
        """Where ties are left out, nothing may be left."""
        return "No item has two answers that decide for one of the two options."
