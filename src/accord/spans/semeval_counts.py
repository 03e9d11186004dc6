"""Correct, incorrect, partial, missing and spurious marks, as MUC and SemEval-2013 count them, from one alignment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, divide
from accord.spans.continuum import Continuum
from accord.spans.pair_alignment import PairAlignment

SCHEMES = ("strict", "exact", "partial", "type")
HALF = 0.5  # what a partial match is worth


@dataclass(frozen=True, eq=False)
class SemEvalCounts:
    """(J, 4) counts of every pair of annotators and scheme; the first of a pair is taken for right."""

    correct: IntArray
    incorrect: IntArray
    partial: IntArray
    missing: IntArray
    spurious: IntArray

    @classmethod
    def of(cls, continuum: Continuum, aligned: PairAlignment, right_is_first: IntArray) -> SemEvalCounts:
        """Counts of an alignment; `right_is_first` (J,) is 1 where the first of a pair is the one taken for right."""
        pairs, size = aligned.shared.pair, aligned.shared.n_pairs
        place, label = aligned.same_place, aligned.same_label
        correct = np.stack([place & label, place, place, label])
        partial = np.zeros_like(correct)
        partial[2] = ~place
        by_pair = pairs[aligned.at_shared]
        alone = pairs[aligned.alone_at]
        missed = aligned.alone_is_first(continuum) == (right_is_first[alone] == 1)
        missing, spurious = (np.bincount(alone[some], minlength=size) for some in (missed, ~missed))
        return cls(
            _count(by_pair, correct, size), _count(by_pair, ~correct & ~partial, size), _count(by_pair, partial, size),
            np.repeat(missing[:, None], len(SCHEMES), 1), np.repeat(spurious[:, None], len(SCHEMES), 1),
        )  # fmt: skip

    @property
    def scores(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Precision, recall and F1; NaN where there is nothing to be right or wrong about."""
        matched = self.correct + self.incorrect + self.partial
        worth = self.correct + HALF * self.partial
        actual, possible = matched + self.spurious, matched + self.missing
        return divide(worth, actual), divide(worth, possible), divide(2 * worth, actual + possible)


def _count(pair: IntArray, held: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], size: int) -> IntArray:
    """(J, 4) how many of each pair hold."""
    return np.stack([np.bincount(pair[row], minlength=size) for row in held], axis=1)
