"""Whole orders as ranks: the rank of a label on an item is the answer, and an item has one for each label.

Where every answer puts all labels in an order, what was said of an item is a rank for each of its labels. Alpha of
these ranks compares the rank that one annotator gave a label on an item with the rank another gave it there, and
chance draws any two of all ranks. All ranks are equally frequent in whole orders, so steps between them are equal too:
the ordinal and the interval level are one. Items stay what was sampled: the ranks of one item hang together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from accord.annotations.answers import Answers
from accord.annotations.arrays import FloatArray, IntArray, divide, dot
from accord.annotations.mixed_answers import MixedAnswers, unmixed_scale
from accord.annotations.tally import Tally
from accord.coefficients.chance import Chance, WithoutReplacement
from accord.coefficients.coefficient import Tabular
from accord.coefficients.mixed_weights import for_answers
from accord.coefficients.weights import Blockwise, Weights

if TYPE_CHECKING:
    from accord.coefficients.annotator_copies import CopiedAnswers


def rank_table(answers: Answers) -> FloatArray:
    """(K, labels) the rank that each order gives to each label, from 1."""
    ranks = np.empty((len(answers), len(answers.labels)))
    for position, members in enumerate(answers.members):
        ranks[position, list(members)] = np.arange(1.0, len(members) + 1)
    return ranks


@dataclass(frozen=True, eq=False)
class RankDistance:
    """Orders are alike by the squared differences of their ranks, as in Spearman's correlation; no table is made."""

    ranks: FloatArray  # (K, labels)
    name: str = "ranks"
    is_identity: bool = False

    @cached_property
    def _widest(self) -> float:
        """The largest difference of two ranks, squared, for every label."""
        labels = self.ranks.shape[1]
        return float(labels * (labels - 1) ** 2)

    def between(self, left: IntArray, right: IntArray) -> FloatArray:
        """1 − the mean squared difference over the widest there can be."""
        apart = self.ranks[left] - self.ranks[right]
        return 1 - dot(apart, apart) / self._widest

    def apply(self, shares: FloatArray) -> FloatArray:
        """From the sums of ranks: every order has the same sum of squares."""
        squares = float(dot(self.ranks[:1], self.ranks[:1])[0])
        crossed = (shares @ self.ranks) @ self.ranks.T
        alike: FloatArray = shares.sum(-1, keepdims=True) * (1 - 2 * squares / self._widest)
        return alike + 2 * crossed / self._widest

    @cached_property
    def diagonal(self) -> FloatArray:
        """An order is fully like itself."""
        return np.ones(len(self.ranks))


@dataclass(frozen=True)
class AnyTwoRanks(WithoutReplacement):
    """Two different ranks drawn from all that were given; each of n orders of L labels gives every rank once.

    Their mean squared difference is (L² − 1) / 6 · N / (N − 1) with N = nL ranks, whatever the orders are.
    """

    labels: int = 2
    own: FloatArray | None = None  # (answers,) how far the parts of mixed orders are apart, added up over the labels
    replaced: bool = False  # is the first put back before the second is drawn? As in the published errors

    @property
    def _apart(self) -> float:
        """The mean squared difference of two ranks, drawn with replacement, over the widest there can be."""
        return (self.labels + 1) / (6 * (self.labels - 1))

    def expected(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """1 − (L + 1) / (6 (L − 1)) · N / (N − 1)."""
        number = self.labels * sums.sum(-1)
        more = np.ones_like(number) if self.replaced else divide(number, number - 1)
        return 1 - self._apart * more + self._with_oneself(sums, number)

    def _with_oneself(self, sums: FloatArray, number: FloatArray) -> FloatArray | float:
        """What two draws from one mixed order are apart: no two ranks of different people."""
        if self.own is None or self.replaced:
            return 0.0
        return divide(sums @ self.own, number * (number - 1))

    def slopes(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """Only the number of orders moves it."""
        number = self.labels * sums.sum(-1, keepdims=True)
        by_number = np.zeros_like(number) if self.replaced else divide(self._apart * self.labels, (number - 1) ** 2)
        moved = np.broadcast_to(by_number, sums.shape).copy()
        if self.own is not None and not self.replaced:
            once = divide(1.0, number * (number - 1))
            moved += once * self.own
            moved -= (2 * number - 1) * self.labels * once**2 * (sums @ self.own)[..., None]
        return moved

    def with_replacement(self) -> Chance:
        """Each rank is as likely as any other."""
        return AnyTwoRanks(labels=self.labels, replaced=True)

    def of_copies(self, copied: CopiedAnswers, weights: Weights) -> float:
        """A rank is not drawn together with a copy of itself."""
        given = copied.copies * copied.pairable[copied.tally.pattern]
        drawn, twice = (self.labels * given.sum()) ** 2, self.labels * (given * copied.copies).sum()
        own = 0.0 if self.own is None else (given * copied.copies) @ self.own[copied.tally.answer]
        return float(1 - divide(np.asarray(self._apart * drawn - own), np.asarray(drawn - twice)))

    def steps(self, tally: Tally, weights: Weights, expected: float) -> list[str]:
        """From the number of ranks alone."""
        number = self.labels * int(tally.n_answers)
        how = f"any two of {number:,} ranks, of which 1 to {self.labels} are equally frequent"
        return [f"  {how}: A_e = {expected:z.4f}"]


class RankAlpha(Tabular):
    """Krippendorff's alpha of the ranks in whole orders."""

    of_what = "of ranks"

    def __init__(self, tally: Tally) -> None:
        labels = len(tally.answers.labels)
        weights = for_answers(RankDistance(rank_table(unmixed_scale(tally.answers))), tally.answers)
        own = labels * (1 - weights.diagonal) if isinstance(tally.answers, MixedAnswers) else None
        super().__init__(tally, weights, AnyTwoRanks(labels=labels, own=own), "answer")

    def of_tally(self, tally: Tally) -> RankAlpha:
        """The same of other orders."""
        return RankAlpha(tally)

    def of_label(self, label: int) -> Tabular:
        """The ranks of one label against the same chance; the value is the mean of the labels' values."""
        ranks, widest = (
            rank_table(unmixed_scale(self.tally.answers))[:, label],
            (len(self.tally.answers.labels) - 1) ** 2,
        )

        def rule(left: IntArray, right: IntArray) -> FloatArray:
            alike: FloatArray = 1 - (ranks[left] - ranks[right]) ** 2 / widest
            return alike

        weights = for_answers(Blockwise(rule, len(ranks), "ranks"), self.tally.answers)
        return Tabular(self.tally, weights, self.chance, "answer")

    def why_undefined(self) -> str | None:
        """Two ranks of one order differ, so chance never agrees fully."""
        return None
