"""The prior that a crowd gives its members: people are taken to be like the others, as much as the others are alike.

Everybody's confusion rows are thought of as drawn from one Dirichlet distribution. Its centre is the group's confusion
table, itself leaning on one accuracy with errors spread evenly; how strongly it holds is what makes the expected
answers most probable, rows summed out (a Dirichlet-multinomial). A crowd of equals gets a strong prior and hardly more
than one table; a crowd of which each errs in a way of their own gets a weak one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray

LEARNED = "learned"  # the prior by its name
STRENGTHS = np.geomspace(1.0, 100.0, 25)  # pseudo-answers per row that are tried
COARSE = 4  # of which every so many at first
SHAPE, RATE = 2.0, 0.5  # gamma distribution of the strength beforehand: few people cannot tell how alike they are
EVEN = 10.0  # answers per label with which one accuracy and even errors stand for the group's table
UNSEEN = 0.05  # answers beside them that a label nobody gave is taken to have
MOST_CELLS = 20_000  # people × labels × answers that tell how alike a crowd is, of at least so many people
FEWEST_PEOPLE = 100
MOST_ROW_CELLS = 1_000_000  # of the same, where labels are many: beyond, some rows of each person's table tell it
FEWEST_ROWS = 10
CELLS_AT_ONCE = 4_000  # of the tables of all strengths that are tried together
LEARN_AFTER = (0, 1, 2, 4, 8)  # M steps; then the prior stays, and the objective can only rise


def learn(mass: FloatArray) -> FloatArray:
    """(C, K) pseudo-answers from expected answers (annotators, K, C); of several questions (questions, 1, C, K)."""
    if mass.ndim > 3:
        return np.stack([learn(one) for one in mass])[:, None]
    counted = mass.transpose(0, 2, 1)
    centre = group_rows(counted.sum(axis=0))
    some = counted[_some(counted.sum(axis=(1, 2)), centre.size)]
    most = max(FEWEST_ROWS, MOST_ROW_CELLS // max(len(some) * centre.shape[1], 1))
    rows = _evenly(np.arange(len(centre)), most)
    return strength(some[:, rows], centre[rows]) * centre


def learn_accuracy(hits: FloatArray, answers: FloatArray) -> tuple[float, float] | tuple[FloatArray, FloatArray]:
    """Pseudo-answers (right, wrong) from everybody's expected hits and answers; of several questions (questions, 1)."""
    if hits.ndim > 1:
        each = np.array([learn_accuracy(*one) for one in zip(hits, answers, strict=True)])
        return each[:, :1], each[:, 1:]
    centre = float((hits.sum() + 1) / (answers.sum() + 2))
    some = _some(answers, 2)
    wrong = np.maximum(answers - hits, 0.0)  # sums of shares may pass the answers by the last digit
    counted = np.empty((len(some), 1, 2))
    counted[:, 0, 0], counted[:, 0, 1] = hits[some], wrong[some]
    held = strength(counted, np.array([[centre, 1 - centre]]))
    return held * centre, held * (1 - centre)


def group_rows(pooled: FloatArray) -> FloatArray:
    """(C, K): the group's confusion table from its expected answers, leaning on one accuracy and even errors.

    An answer that nobody gave stays just possible: a label that is declared and never used changes next to nothing.
    """
    number, given = len(pooled), pooled.sum(axis=0) > 0
    right = float((np.trace(pooled) + 1) / (pooled.sum() + 2))
    even = np.full((number, number), (1 - right) / max(int(given.sum()) - 1, 1))
    np.fill_diagonal(even, right)
    even[~given] = 1.0  # a true label that nobody names is mistaken for any other
    smoothed = np.where(given, pooled + EVEN * even / (even * given).sum(axis=1, keepdims=True).clip(1e-9), UNSEEN)
    return np.asarray(smoothed / smoothed.sum(axis=1, keepdims=True))


def pseudo_items(mass: FloatArray, given: FloatArray | None, steps: int | None) -> FloatArray | None:
    """(C,): one item of each label that anybody named, where shares are learned beside a prior; else none."""
    if steps is None or given is not None:
        return None
    return np.asarray(mass.sum(axis=(-3, -1)) > 0, dtype=np.float64)


def shares_penalty(shares: FloatArray, pseudo: FloatArray | None) -> Any:
    """The log density of the shares under those items, up to a constant."""
    if pseudo is None:
        return 0.0
    return np.log(np.where(pseudo > 0, shares, 1.0)).sum(axis=-1)


def strength(counted: FloatArray, centre: FloatArray) -> float:
    """How many pseudo-answers per row make these rows (people, C, K) most probable, around a centre (C, K).

    The probability rises and then falls: every fourth strength is tried, and then those around the best of them.
    """
    if counted.size * len(STRENGTHS) <= CELLS_AT_ONCE:  # few cells: two calls cost more than all strengths at once
        probable = _log_probability(STRENGTHS, counted, centre)
        return float(STRENGTHS[_best(probable.__getitem__)])
    return float(STRENGTHS[_best(lambda some: _log_probability(STRENGTHS[some], counted, centre))])


def _best(probable: Callable[[slice], FloatArray]) -> int:
    """Which strength is the most probable, from how probable some of them are."""
    best = COARSE * int(probable(slice(None, None, COARSE)).argmax())
    first = max(best - COARSE + 1, 0)
    return first + int(probable(slice(first, best + COARSE)).argmax())


def _log_probability(strengths: FloatArray, counted: FloatArray, centre: FloatArray) -> FloatArray:
    """Of each strength, up to a constant."""
    from scipy.special import gammaln

    rows = counted.sum(axis=2)
    step = max(1, CELLS_AT_ONCE // max(counted.size, 1))  # strengths at a time: calls cost more than a few cells do
    found = []
    for first in range(0, len(strengths), step):
        held = strengths[first : first + step, None, None]
        prior = held * centre
        answered = (gammaln(prior[:, None] + counted) - gammaln(prior)[:, None]).sum(axis=(1, 2, 3))
        probable = answered - (gammaln(held + rows) - gammaln(held)).sum(axis=(1, 2))
        found.append(probable + (SHAPE - 1) * np.log(held[:, 0, 0]) - RATE * held[:, 0, 0])
    return found[0] if len(found) == 1 else np.concatenate(found)


def _some(answers: FloatArray, cells: int) -> IntArray:
    """Those who answered, or evenly chosen ones of them where they are very many."""
    return _evenly(np.nonzero(answers > 0)[0], max(FEWEST_PEOPLE, MOST_CELLS // cells))


def _evenly(places: IntArray, most: int) -> IntArray:
    """All of them, or as many from the first to the last."""
    if len(places) <= most:
        return places
    return np.asarray(places[np.linspace(0, len(places) - 1, most).astype(np.int64)])


def unlearned(learned: FloatArray, expected: FloatArray) -> FloatArray:
    """How much less probable an answer is once its own item no longer teaches it, per unit of the label's posterior.

    `expected` answers stand behind a probability, of which `learned` are no prior. An item that has the label
    with probability T gave T of them, and log(1 − T / expected) is what leaving it out changes. It is taken as a
    straight line in T, exact where the item is sure (T = 1, or all that was learned if that is less) and where it has
    no part.
    """
    most = np.clip(learned, 0.0, 1.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        slope = np.log1p(-most / expected) / most
    return np.where(most > 1e-9, np.maximum(np.nan_to_num(slope, neginf=-50.0), -50.0), 0.0)
