"""How alike mixed answers are: what one draw from each of two would be on average.

Somebody who answered an item both x and y gave half of each (`accord.annotations.mixed_answers`). With Q the shares of
the scale's answers in every answer and W the weights between them, the weights are Q W Qᵀ: a mixed answer is, like one
with a secondary label, not fully like itself, and every formula that allows for that serves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.annotations.answers import Answers
from accord.annotations.arrays import FloatArray, IntArray
from accord.coefficients.weights import Identity, Weights


@dataclass(frozen=True, eq=False)
class MixedWeights:
    """Weights between answers of which some are mixed."""

    whole: Weights  # between the answers of the scale
    answers: Answers
    is_identity: bool = False

    @property
    def name(self) -> str:
        """As between the answers of the scale."""
        return self.whole.name

    def between(self, left: IntArray, right: IntArray) -> FloatArray:
        """The mean over what both consist of."""
        return self.answers.mean_between(left, right, self.whole.between)

    def apply(self, shares: FloatArray) -> FloatArray:
        """Q (W (Qᵀ shares))."""
        towards = self.whole.apply(self.answers.onto_scale(shares))
        rows = towards.reshape(-1, towards.shape[-1])
        return self.answers.mean_of_parts(rows.T).T.reshape(shares.shape)

    @cached_property
    def diagonal(self) -> FloatArray:
        """A mixed answer is as like itself as two draws from it."""
        every = np.arange(len(self.answers))
        return self.between(every, every)


def for_answers(whole: Weights, answers: Answers) -> Weights:
    """Weights between the answers of a scale as weights between these, of which some may be mixed."""
    return MixedWeights(whole, answers) if answers.mixed else whole


def identity_for(answers: Answers) -> Weights:
    """The same or not, of answers of which some may be mixed."""
    return for_answers(Identity(len(answers.unmixed)), answers)


def without_mixtures(weights: Weights) -> Weights:
    """The weights between the answers of the scale."""
    return weights.whole if isinstance(weights, MixedWeights) else weights


def same_by_chance(weights: Weights, marginals: FloatArray) -> FloatArray:
    """How often a draw from all is the same as each answer: its share, on average over the parts of a mixed one."""
    return identity_for(weights.answers).apply(marginals) if isinstance(weights, MixedWeights) else marginals
