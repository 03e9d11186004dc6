"""One coin: every annotator has one accuracy, the same for all labels; or all share one, which is the majority's
model.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray
from accord.consensus.ballots import Ballots
from accord.consensus.em import Model, log, shared, shares_from
from accord.consensus.learned_prior import LEARN_AFTER, learn_accuracy, pseudo_items, shares_penalty, unlearned


@dataclass(frozen=True, eq=False)
class OneCoin(Model):
    r"""Annotator j is right with probability s_j and otherwise picks one of the other K − 1 labels evenly.

    .. math:: P(y_{ij} = k \mid c) = s_j^{[k = c]} \left(\frac{1 - s_j}{K - 1}\right)^{[k \ne c]}

    The M step is s_j = expected right answers / answers, with pseudo-answers (right, wrong), by default learned from
    the crowd (`learned_prior`). With
    `pooled` one accuracy serves everybody: with even label shares its most probable label is the majority's, which
    makes the vote a model with a likelihood.

    References: raykar2010; zhang2016.
    """

    accuracy: FloatArray  # (annotators,); of several questions at once (questions, annotators), and so on
    shares: FloatArray  # (C,)
    right: float | FloatArray  # pseudo-answers; of several questions (questions, 1)
    wrong: float | FloatArray
    given: FloatArray | None
    pooled: bool
    answers: FloatArray  # (annotators,) behind each accuracy
    steps: int | None = None  # M steps since the prior was first learned from the crowd; None: it was given
    items: FloatArray | None = None  # (C,) pseudo-items behind the shares

    @classmethod
    def from_mass(
        cls,
        mass: FloatArray,
        labels: FloatArray,
        right: float | FloatArray,
        wrong: float | FloatArray,
        given: FloatArray | None,
        *,
        pooled: bool = False,
        steps: int | None = None,
        items: FloatArray | None = None,
    ) -> OneCoin:
        """The M step; `items` are those of the step before: the same labels are named in each."""
        hits = np.einsum("...jkk->...j", mass)
        answers = mass.sum(axis=(-2, -1))
        if pooled:
            hits, answers = (part.sum(axis=-1, keepdims=True) + np.zeros_like(part) for part in (hits, answers))
        if steps in LEARN_AFTER:
            right, wrong = learn_accuracy(hits, answers)
        accuracy = shared(hits + right, answers + right + wrong, mass.shape[-1])
        accuracy = np.minimum(accuracy, 1.0)  # sums of shares may pass one by the last digit
        items = pseudo_items(mass, given, steps) if items is None else items
        shares = shares_from(labels, given, 0.0 if items is None else items)
        return cls(accuracy, shares, right, wrong, given, pooled, answers, steps, items)

    @property
    def objective(self) -> str:
        """What never falls."""
        return "log posterior" if _any(self.right) or _any(self.wrong) else "log-likelihood"

    def table(self) -> FloatArray:
        """(cells, C)."""
        number = self.shares.shape[-1]
        with np.errstate(divide="ignore"):  # log 0 = −∞ as a matter of course
            right, wrong = np.log(self.accuracy), np.log((1 - self.accuracy) / max(number - 1, 1))
        return _diagonal(right, wrong, number)

    def log_shares(self) -> FloatArray:
        """(C,): log shares of the labels."""
        return log(self.shares)

    def penalty(self) -> Any:
        """The log prior density of the accuracies, up to a constant; once where they are one."""
        accuracy = self.accuracy[..., :1] if self.pooled else self.accuracy
        right = self.right * log(accuracy) if _any(self.right) else np.zeros(1)
        wrong = self.wrong * log(1 - accuracy) if _any(self.wrong) else np.zeros(1)
        return right.sum(axis=-1) + wrong.sum(axis=-1) + shares_penalty(self.shares, self.items)

    def improved(self, mass: FloatArray, labels: FloatArray) -> OneCoin:
        """The next model."""
        steps = None if self.steps is None else self.steps + 1
        return OneCoin.from_mass(
            mass, labels, self.right, self.wrong, self.given, pooled=self.pooled, steps=steps, items=self.items
        )

    @property
    def settled(self) -> bool:
        """Does the prior stay as it is?"""
        return self.steps is None or self.steps >= LEARN_AFTER[-1]

    def taught(self) -> FloatArray | None:
        """(cells, C): what an answer says less where its item is left out; with a prior from the crowd only.

        (The answers fewer by one are a factor of every label's, and fall away.)
        """
        if self.steps is None:
            return None
        total = self.answers + self.right + self.wrong
        hits, misses = self.accuracy * total, (1 - self.accuracy) * total
        hit, missed = unlearned(hits - self.right, hits), unlearned(misses - self.wrong, misses)
        return _diagonal(hit, missed, self.shares.shape[-1])

    def for_errors(self, ballots: Ballots, known: IntArray | None) -> OneCoin | None:
        """Itself, where its prior is learned from the crowd."""
        return None if self.steps is None else self

    def log_odds(self) -> tuple[FloatArray, ...]:
        """Accuracies, slopes, rows and what is behind them (`accuracy_errors`), of being right."""
        right, behind = self.accuracy[:, None], self.answers + self.right + self.wrong
        return self.accuracy, right * (1 - right), right[:, :, None], behind[:, None]

    def of_annotators(self, rows: IntArray) -> OneCoin:
        """The same of some annotators."""
        return replace(self, accuracy=self.accuracy[rows], answers=self.answers[rows])

    def of_questions(self, rows: IntArray) -> OneCoin:
        """The same of some of several questions."""
        right, wrong = (part[rows] if isinstance(part, np.ndarray) else part for part in (self.right, self.wrong))
        items = None if self.items is None else self.items[rows]
        learned: dict[str, Any] = {
            "accuracy": self.accuracy[rows],
            "shares": self.shares[rows],
            "answers": self.answers[rows],
        }
        return replace(self, **learned, right=right, wrong=wrong, items=items)

    @property
    def confusion(self) -> FloatArray:
        """(annotators, C, K)."""
        number = self.shares.shape[-1]
        return np.exp(self.table()).reshape(*self.accuracy.shape, number, number).swapaxes(-1, -2)


def _diagonal(right: FloatArray, wrong: FloatArray, number: int) -> FloatArray:
    """(cells, C): one number per annotator where the answer is the label, another elsewhere."""
    table = np.empty((*wrong.shape, number * number))
    table[:] = wrong[..., None]
    table[..., :: number + 1] = right[..., None]
    return table.reshape(-1, number)


def _any(pseudo: float | FloatArray) -> bool:
    """Are there pseudo-answers?"""
    return bool(pseudo.any()) if isinstance(pseudo, np.ndarray) else pseudo != 0
