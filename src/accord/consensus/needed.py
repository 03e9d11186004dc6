"""How many more answers an item needs before its label is as sure as wanted."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from accord.arrays import FloatArray, IntArray
from accord.errors import OptionError

MOST = 2001  # answers; beyond, more annotators are not the remedy
NEVER = -1


def answers_needed(
    accuracy: float, target: float, *, labels: int = 2, confidence: npt.ArrayLike | None = None
) -> IntArray:
    r"""The fewest further answers after which the label is expected to be right with probability `target`; −1 for
    never.

    Further annotators are right with probability `accuracy` and independent. The item's label is now believed with
    `confidence` t (by default one half: nothing is known); each answer moves the log-odds by :math:`w = \log\frac{s (K
    - 1)}{1 - s}`, and with m more of which X are right the decision is right with probability

    .. math:: t\,P(\ell + w(2X - m) > 0) + (1 - t)\,P(-\ell + w(2X - m) > 0),\qquad \ell = \log\frac{t}{1 - t}

    (level: half). With nothing known it is Condorcet's jury. With K > 2 labels one rival is considered: a wrong answer
    falls on it with probability 1/(K − 1), the other wrong answers decide nothing, and the number of answers is raised
    accordingly.

    >>> answers_needed(0.7, 0.9)
    array([9])
    """
    if not 0.5 <= target < 1:
        raise OptionError(f"confidence must lie between 0.5 and 1; got {target}.")
    believed = np.atleast_1d(np.asarray(0.5 if confidence is None else confidence, dtype=np.float64))
    needed = np.full(len(believed), NEVER, dtype=np.int64)
    needed[believed >= target] = 0
    rival = (1 - accuracy) / max(labels - 1, 1)
    if not accuracy > rival:
        return needed
    telling = accuracy + rival  # the share of answers that speak for the label or for its rival
    open_ones = np.nonzero((needed < 0) & ~np.isnan(believed))[0]
    distinct, place = np.unique(np.round(believed[open_ones], 6), return_inverse=True)
    found = _search(distinct, min(accuracy / telling, 1 - 1e-12), target)
    needed[open_ones] = np.where(found > 0, np.ceil(found / telling - 1e-9).astype(np.int64), NEVER)[place]
    return needed


def _search(believed: FloatArray, accuracy: float, target: float) -> IntArray:
    weight = np.log(accuracy / (1 - accuracy))
    clipped = np.clip(believed, 1e-12, 1 - 1e-12)
    lead = np.log(clipped / (1 - clipped))
    needed = np.full(len(believed), NEVER, dtype=np.int64)
    for more in range(1, MOST + 1):
        left = np.nonzero(needed < 0)[0]
        if not len(left):
            break
        right = clipped[left] * _wins(lead[left] / weight, more, accuracy)
        right += (1 - clipped[left]) * _wins(-lead[left] / weight, more, accuracy)
        needed[left[right >= target]] = more
    return needed


def _wins(ahead: FloatArray, more: int, accuracy: float) -> FloatArray:
    """P(ahead + 2X − m > 0) + ½ P(= 0) for X ~ binomial(m, accuracy)."""
    from scipy.special import bdtr

    threshold = (more - ahead) / 2  # X must be above
    whole = np.round(threshold)
    level = np.abs(threshold - whole) < 1e-9
    below = np.where(level, whole - 1, np.floor(threshold))
    cumulative = _at_most(bdtr, below, more, accuracy)
    tie = np.where(level, _at_most(bdtr, whole, more, accuracy) - cumulative, 0.0)
    won: FloatArray = 1 - cumulative - tie / 2
    return won


def _at_most(bdtr: np.ufunc, number: FloatArray, more: int, accuracy: float) -> FloatArray:
    inside = np.clip(number, 0, more)
    return np.where(number < 0, 0.0, np.where(number >= more, 1.0, bdtr(inside, more, accuracy)))
