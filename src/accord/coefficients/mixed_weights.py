"""How alike mixed answers are: what one draw from each of two would be on average.

Somebody who answered an item both x and y gave half of each (`accord.annotations.mixed_answers`). With Q the shares of
the scale's answers in every answer and W the weights between them, the weights are Q W Qᵀ: a mixed answer is, like one
with a secondary label, not fully like itself, and every formula that allows for that serves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from accord.annotations.answers import Answers
from accord.annotations.arrays import FloatArray, IntArray, add_up
from accord.annotations.mixed_answers import MixedAnswers, unmixed_scale
from accord.annotations.tally import ranges
from accord.coefficients.weights import Identity, Weights

Between: TypeAlias = Callable[[IntArray, IntArray], FloatArray]  # of pairs of answers of the scale


@dataclass(frozen=True, eq=False)
class MixedWeights:
    """Weights between answers of which some are mixed."""

    whole: Weights  # between the answers of the scale
    answers: MixedAnswers
    is_identity: bool = False

    @property
    def name(self) -> str:
        """As between the answers of the scale."""
        return self.whole.name

    def between(self, left: IntArray, right: IntArray) -> FloatArray:
        """The mean over what both consist of."""
        return mean_between(self.answers, left, right, self.whole.between)

    def apply(self, shares: FloatArray) -> FloatArray:
        """Q (W (Qᵀ shares))."""
        towards = self.whole.apply(self.answers.onto_scale(shares))
        rows = towards.reshape(-1, towards.shape[-1])
        return np.asarray((self.answers.matrix @ rows.T).T).reshape(shares.shape)

    @cached_property
    def diagonal(self) -> FloatArray:
        """A mixed answer is as like itself as two draws from it."""
        every = np.arange(len(self.answers))
        return self.between(every, every)


def mean_between(answers: Answers, left: IntArray, right: IntArray, between: Between) -> FloatArray:
    """What holds between answers of the scale, between any answers: the mean over what both consist of."""
    if not isinstance(answers, MixedAnswers):
        return between(left, right)
    pure = (left < len(answers.whole)) & (right < len(answers.whole))
    found = np.empty(len(left))
    found[pure] = between(left[pure], right[pure])
    if pure.all():
        return found
    which, one, other, share = pairs_of_parts(answers, left[~pure], right[~pure])
    found[~pure] = add_up(which, between(one, other) * share, int((~pure).sum()))
    return found


def pairs_of_parts(
    answers: Answers, left: IntArray, right: IntArray
) -> tuple[IntArray, IntArray, IntArray, FloatArray]:
    """Every part of the left answer with every part of the right: which pair, both parts, and how often they meet."""
    if not isinstance(answers, MixedAnswers):
        return np.arange(len(left)), left, right, np.ones(len(left))
    which, one, share = answers.parts(left)
    other_pair, other, other_share = answers.parts(right)
    sizes = np.bincount(other_pair, minlength=len(right))
    runs = ranges((np.cumsum(sizes) - sizes)[which], sizes[which])  # of the right's parts, one for each of the left's
    again = np.repeat(np.arange(len(which)), sizes[which])
    return which[again], one[again], other[runs], share[again] * other_share[runs]


def for_answers(whole: Weights, answers: Answers) -> Weights:
    """Weights between the answers of a scale as weights between these, of which some may be mixed."""
    return MixedWeights(whole, answers) if isinstance(answers, MixedAnswers) else whole


def identity_for(answers: Answers) -> Weights:
    """The same or not, of answers of which some may be mixed."""
    return for_answers(Identity(len(unmixed_scale(answers))), answers)


def without_mixtures(weights: Weights) -> Weights:
    """The weights between the answers of the scale."""
    return weights.whole if isinstance(weights, MixedWeights) else weights
