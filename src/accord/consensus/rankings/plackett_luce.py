"""The Plackett–Luce model: an option is put next with a probability in proportion to its strength.

    P(order) = Π over places of  strength of the option put there / strengths of all options that are left

Ties count by Efron's approximation: options of a tie leave by equal parts. `prior` pseudo-rankings put every option
once before and once after an imagined one of strength 1, so that an option that everybody puts first has a strength;
with none, strengths exist only if every option stands somewhere before and somewhere after others, by which all of
them hang together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.rankings.midranks import places

PRIOR = 0.5  # pseudo-rankings on either side
STEPS = 100
CLOSE = 1e-9


@dataclass(frozen=True, eq=False)
class Strengths:
    """Log strengths that sum to zero, and how sure they are."""

    log: FloatArray  # (n,)
    covariance: FloatArray  # (n, n)
    connected: bool = True  # do strengths exist without a prior?
    over_groups: bool = False  # are errors from how groups of lists differ? Else they are the model's own

    @property
    def error(self) -> FloatArray:
        """(n,) standard errors."""
        return np.sqrt(np.maximum(np.diagonal(self.covariance), 0.0))

    @property
    def columns(self) -> dict[str, FloatArray]:
        """For a table of options."""
        return {"strength": self.log, "strength_se": self.error}

    def difference(self, one: int, other: int) -> tuple[float, float]:
        """How much stronger one option is than another, and the standard error."""
        c = self.covariance
        spread = c[one, one] + c[other, other] - 2 * c[one, other]
        return float(self.log[one] - self.log[other]), float(np.sqrt(max(spread, 0.0)))


def strengths(ranks: FloatArray, group: IntArray, prior: float = PRIOR) -> Strengths:
    """The strengths behind (lists, options) ranks; errors over groups of lists, those of one query together.

    Where there are few groups for the options, the errors are those of the model.
    """
    stages = _Stages.of(ranks)
    many = ranks.shape[1]
    log = np.zeros(many)
    for _ in range(STEPS):
        score, information = stages.score(log).sum(0) + _prior_score(log, prior), stages.information(log)
        information += _prior_information(log, prior) + np.ones((many, many)) / many
        step = np.linalg.lstsq(information, score, rcond=None)[0]
        step *= min(1.0, 2.0 / max(np.abs(step).max(initial=0.0), 1e-12))
        log = log + step
        if np.abs(step).max(initial=0.0) < CLOSE:
            break
    log = log - log.mean()
    inverse = np.linalg.pinv(information)
    scores = stages.score(log)
    by_group = np.zeros((int(group.max(initial=-1)) + 1, many))
    np.add.at(by_group, group, scores)
    clusters = len(np.unique(group))
    meat = by_group.T @ by_group * (clusters / max(clusters - 1, 1)) + np.diag(
        2 * prior * _half(log) * (1 - _half(log))
    )
    middle = np.eye(many) - 1 / many
    over_groups = clusters > 2 * many
    covariance = middle @ inverse @ (meat if over_groups else information) @ inverse @ middle
    return Strengths(log, covariance, is_connected(ranks), over_groups)


def _half(log: FloatArray) -> FloatArray:
    """How likely an option stands before the imagined one."""
    return np.asarray(1 / (1 + np.exp(-log)))


def _prior_score(log: FloatArray, prior: float) -> FloatArray:
    return prior * (1 - 2 * _half(log))


def _prior_information(log: FloatArray, prior: float) -> FloatArray:
    return np.diag(2 * prior * _half(log) * (1 - _half(log)))


def is_connected(ranks: FloatArray) -> bool:
    """Can one come from every option to every other by steps to an option that somebody put after it?"""
    ahead: BoolArray = np.asarray((ranks[:, :, None] < ranks[:, None, :]).any(0))
    reached = ahead | np.eye(len(ahead), dtype=np.bool_)
    for _ in range(max(len(ahead).bit_length(), 1)):
        reached = (reached.astype(np.float64) @ reached.astype(np.float64)) > 0
    return bool(reached.all())


@dataclass(frozen=True, eq=False)
class _Stages:
    """Every place of every list: the options that were left when it was filled, and by how much each of them still."""

    left: FloatArray  # (places, options)
    put: FloatArray  # (places, options) what was put there; of a tie, equal parts
    row: IntArray  # (places,) the list
    lists: int

    @classmethod
    def of(cls, ranks: FloatArray) -> _Stages:
        """From (lists, options) ranks; the last place of a list tells nothing, unless several options share it."""
        found = places(ranks)
        left, put, row = [], [], []
        size = (~np.isnan(ranks)).sum(1)
        for place in range(ranks.shape[1]):
            inside = (found.before <= place) & (place < found.before + found.tied)
            shared = (inside & (found.tied > 1)).any(1)
            lists = np.nonzero(((size > place + 1) | shared) & inside.any(1))[0]
            if not len(lists):
                break
            mine, tied = inside[lists], np.where(inside, found.tied, 0.0).max(1, keepdims=True)[lists]
            gone = (place - np.where(inside, found.before, 0.0).max(1, keepdims=True)[lists]) / tied
            later = np.nan_to_num(found.before[lists], nan=-1.0) > place
            left.append(np.where(mine, 1 - gone, 0.0) + later)
            put.append(mine / tied)
            row.append(lists)
        wide = ranks.shape[1]
        none = np.zeros((0, wide))
        return cls(
            np.concatenate([none, *left]), np.concatenate([none, *put]),
            np.concatenate([np.zeros(0, dtype=np.int64), *row]), len(ranks),
        )  # fmt: skip

    def _shares(self, log: FloatArray) -> FloatArray:
        """(places, options) how likely each option is to be put there."""
        weight = self.left * np.exp(log - log.max())
        return np.asarray(weight / weight.sum(1, keepdims=True))

    def score(self, log: FloatArray) -> FloatArray:
        """(lists, options) the derivative of the log-likelihood of each list."""
        found = np.zeros((self.lists, len(log)))
        np.add.at(found, self.row, self.put - self._shares(log))
        return found

    def information(self, log: FloatArray) -> FloatArray:
        """(options, options) minus the second derivative."""
        share = self._shares(log)
        return np.asarray(np.diag(share.sum(0)) - share.T @ share)
