"""MACE (Hovy et al. 2013): an annotator either knows the label or answers from a habit of their own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray
from accord.consensus.em import Model, log, shares_from

Inference: TypeAlias = Literal["variational", "em"]
SPAM_PRIOR = 0.5  # Beta(0.5, 0.5) on not knowing and knowing, as published
HABIT_PRIOR = 10.0  # Dirichlet(10) on the habit, as published
SMOOTHING = 0.01  # of plain EM, shared out over the labels, as published


@dataclass(frozen=True, eq=False)
class Mace(Model):
    r"""Annotator j guesses with probability s_j, from a habit ξ_j that does not look at the item; otherwise they give
    the label.

    .. math:: P(y_{ij} = k \mid c) = (1 - s_j) [k = c] + s_j \xi_j[k]

    Whether an answer was guessed is itself hidden, but the expected number of guesses follows from the expected answers
    by label, so the M step needs nothing else. `variational` (as published, the default) puts Beta and Dirichlet
    distributions on s and ξ and raises a bound of the evidence; `em` adds `SMOOTHING` and raises the log posterior.
    Competence is 1 − s_j. Labels are even beforehand unless said otherwise: with two labels of which one is rare that
    can do badly, so set `label_shares`. Nothing is untaught: its distributions count that they are not known exactly.

    References: hovy2013.
    """

    guessing: FloatArray  # (annotators, 2) pseudo- and expected counts of guesses and of knowing; of several questions
    # at once (questions, annotators, 2), and so on
    habit: FloatArray  # (annotators, K) pseudo- and expected counts of guessed answers
    shares: FloatArray  # (C,)
    given: FloatArray | None
    inference: Inference

    @classmethod
    def at_start(cls, mass: FloatArray, labels: FloatArray, given: FloatArray | None, inference: Inference) -> Mace:
        """From the votes: half of the answers that fit are taken as guessed, evenly."""
        even = cls(np.ones((*mass.shape[:-2], 2)), np.ones(mass.shape[:-1]), shares_from(labels, given), given, "em")
        return even._step(mass, labels, inference)

    @property
    def objective(self) -> str:
        """What never falls."""
        return "evidence bound" if self.inference == "variational" else "log posterior"

    def _parts(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """P(guess), P(know), (annotators, K) habit; the variational ones are exp E log and sum to less than one."""
        if self.inference == "em":
            share = self.guessing / self.guessing.sum(axis=-1, keepdims=True)
            return share[..., 0], share[..., 1], self.habit / self.habit.sum(axis=-1, keepdims=True)
        from scipy.special import digamma

        share = np.exp(digamma(self.guessing) - digamma(self.guessing.sum(axis=-1, keepdims=True)))
        habit = np.exp(digamma(self.habit) - digamma(self.habit.sum(axis=-1, keepdims=True)))
        return share[..., 0], share[..., 1], habit

    def table(self) -> FloatArray:
        """(cells, C)."""
        guess, know, habit = self._parts()
        number = habit.shape[-1]
        chance = np.broadcast_to((guess[..., None] * habit)[..., None], (*guess.shape, number, number)).copy()
        chance[..., np.arange(number), np.arange(number)] += know[..., None]
        return log(chance).reshape(-1, number)

    def log_shares(self) -> FloatArray:
        """(C,): log shares of the labels."""
        return log(self.shares)

    def improved(self, mass: FloatArray, labels: FloatArray) -> Mace:
        """The next model."""
        return self._step(mass, labels, self.inference)

    def _step(self, mass: FloatArray, labels: FloatArray, inference: Inference) -> Mace:
        guess, know, habit = self._parts()
        fitting = np.einsum("...jkk->...jk", mass)
        with np.errstate(invalid="ignore", divide="ignore"):
            knew = fitting * np.nan_to_num(know[..., None] / (know[..., None] + guess[..., None] * habit))
        guessed = mass.sum(axis=-1) - knew
        spam, habits = _pseudo(habit.shape[-1], inference)
        counted = np.stack((guessed.sum(axis=-1), knew.sum(axis=-1)), axis=-1)
        return Mace(counted + spam, guessed + habits, shares_from(labels, self.given), self.given, inference)

    def of_questions(self, rows: IntArray) -> Mace:
        """The same of some of several questions."""
        return replace(self, guessing=self.guessing[rows], habit=self.habit[rows], shares=self.shares[rows])

    def penalty(self) -> Any:
        """The log prior density; variational: minus how far the distributions have moved from the prior."""
        spam, habits = _pseudo(self.habit.shape[-1], self.inference)
        if self.inference == "em":
            guess, know, habit = self._parts()
            return spam * (log(guess) + log(know)).sum(axis=-1) + habits * log(habit).sum(axis=(-2, -1))
        return -(_divergence(self.guessing, spam) + _divergence(self.habit, habits))

    @property
    def competence(self) -> FloatArray:
        """(annotators,): how likely each knows the label."""
        return np.asarray(self.guessing[..., 1] / self.guessing.sum(axis=-1))

    @property
    def habits(self) -> FloatArray:
        """(annotators, K): what each says when guessing."""
        return np.asarray(self.habit / self.habit.sum(axis=-1, keepdims=True))

    @property
    def confusion(self) -> FloatArray:
        """(annotators, C, K)."""
        guess, know, habit = 1 - self.competence, self.competence, self.habits
        number = habit.shape[-1]
        return know[..., None, None] * np.eye(number) + (guess[..., None] * habit)[..., None, :]


def _pseudo(number: int, inference: Inference) -> tuple[float, float]:
    return (SMOOTHING / number, SMOOTHING / number) if inference == "em" else (SPAM_PRIOR, HABIT_PRIOR)


def _divergence(counts: FloatArray, prior: float) -> Any:
    """Kullback–Leibler divergence of Dirichlet(counts) from an even Dirichlet(prior), summed over annotators."""
    from scipy.special import digamma, gammaln

    total, number = counts.sum(axis=-1), counts.shape[-1]
    moved = (counts - prior) * (digamma(counts) - digamma(total)[..., None])
    normal = gammaln(total) - gammaln(counts).sum(axis=-1) - gammaln(number * prior) + number * gammaln(prior)
    return moved.sum(axis=(-2, -1)) + normal.sum(axis=-1)
