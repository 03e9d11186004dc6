"""One coin: every annotator has one accuracy, the same for all labels; or all share one, which is the majority's
model.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray
from accord.consensus.em import log, shares_from


@dataclass(frozen=True, eq=False)
class OneCoin:
    r"""Annotator j is right with probability s_j and otherwise picks one of the other K − 1 labels evenly.

    .. math:: P(y_{ij} = k \mid c) = s_j^{[k = c]} \left(\frac{1 - s_j}{K - 1}\right)^{[k \ne c]}

    The M step is s_j = expected right answers / answers, with pseudo-answers (right, wrong) where a prior is set. With
    `pooled` one accuracy serves everybody: with even label shares its most probable label is the majority's, which
    makes the vote a model with a likelihood.

    References: raykar2010; zhang2016.
    """

    accuracy: FloatArray  # (annotators,)
    shares: FloatArray  # (C,)
    right: float  # pseudo-answers
    wrong: float
    given: FloatArray | None
    pooled: bool

    @classmethod
    def from_mass(
        cls,
        mass: FloatArray,
        labels: FloatArray,
        right: float,
        wrong: float,
        given: FloatArray | None,
        *,
        pooled: bool = False,
    ) -> OneCoin:
        """The M step."""
        hits = np.einsum("jkk->j", mass)
        answers = mass.sum(axis=(1, 2))
        if pooled:
            hits, answers = (np.full(len(part), part.sum()) for part in (hits, answers))
        total = answers + right + wrong
        with np.errstate(invalid="ignore", divide="ignore"):
            accuracy = np.where(total > 0, (hits + right) / total, 1 / mass.shape[1])
        accuracy = np.minimum(accuracy, 1.0)  # sums of shares may pass one by the last digit
        return cls(accuracy, shares_from(labels, given), right, wrong, given, pooled)

    @property
    def objective(self) -> str:
        """What never falls."""
        return "log posterior" if self.right or self.wrong else "log-likelihood"

    def table(self) -> FloatArray:
        """(cells, C)."""
        number = len(self.shares)
        hit, miss = log(self.accuracy), log((1 - self.accuracy) / max(number - 1, 1))
        table = np.broadcast_to(miss[:, None, None], (len(hit), number, number)).copy()
        table[:, np.arange(number), np.arange(number)] = hit[:, None]
        return table.reshape(-1, number)

    def log_shares(self) -> FloatArray:
        """(C,): log shares of the labels."""
        return log(self.shares)

    def penalty(self) -> float:
        """The log prior density of the accuracies, up to a constant; once where they are one."""
        accuracy = self.accuracy[:1] if self.pooled else self.accuracy
        right = self.right * log(accuracy) if self.right else np.zeros(1)
        wrong = self.wrong * log(1 - accuracy) if self.wrong else np.zeros(1)
        return float(right.sum() + wrong.sum())

    def improved(self, mass: FloatArray, labels: FloatArray) -> OneCoin:
        """The next model."""
        return OneCoin.from_mass(mass, labels, self.right, self.wrong, self.given, pooled=self.pooled)

    def of_annotators(self, rows: IntArray) -> OneCoin:
        """The same of some annotators."""
        return replace(self, accuracy=self.accuracy[rows])

    @property
    def confusion(self) -> FloatArray:
        """(annotators, C, K)."""
        number = len(self.shares)
        return np.exp(self.table()).reshape(len(self.accuracy), number, number).transpose(0, 2, 1)
