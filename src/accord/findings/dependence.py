"""Do somebody's answers depend on what the others say of the item, in whatever way?

A direct test of each annotator, by shuffling their answers over their items: chi-squared of own answers by the others'
(another reading of the labels depends on them as much as agreement does), and on a scale the rank correlation with the
others' mean as well. Nobody is called random who is shown to depend.
"""

from __future__ import annotations

import math

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.annotations.tally import Tally
from accord.coefficients.standard_errors import p_value
from accord.errors import LabelError
from accord.rankings.midranks import midranks

SHUFFLES = 499
MOST_ITEMS = 2_000  # of one annotator; beyond, a random part
SEED = 20250323


def p_of_dependence(tally: Tally, person: int) -> float:
    """How likely such dependence is among answers given without a look at the items; of a named, pairable tally."""
    own, others = _beside_others(tally, person)
    if len(own) < 2 or len(np.unique(own)) < 2:
        return 1.0
    tests = [_by_shuffling(own, others)]
    scale = _scale(tally)
    if scale is not None:
        tests.append(_by_ranks(scale[own], others @ scale))
    return min(min(tests) * len(tests), 1.0)


def _beside_others(tally: Tally, person: int) -> tuple[IntArray, FloatArray]:
    """(items,) somebody's answers, and (items, K) the shares of the others' answers to the same items."""
    assert tally.annotator is not None
    size = len(tally.answers)
    mine = np.nonzero(tally.annotator == person)[0]
    row = np.full(len(tally), -1)
    row[tally.pattern[mine]] = np.arange(len(mine))
    beside = row[tally.pattern] >= 0
    key = row[tally.pattern[beside]] * size + tally.answer[beside]
    counts = add_up(key, tally.count[beside], len(mine) * size).reshape(-1, size)
    counts[np.arange(len(mine)), tally.answer[mine]] -= 1
    items = tally.units[tally.pattern[mine]]
    if items.sum() > MOST_ITEMS:
        rng = np.random.default_rng(SEED)
        items = rng.multivariate_hypergeometric(items, MOST_ITEMS, method="marginals")
    shares = divide(counts, counts.sum(1, keepdims=True))
    return np.repeat(tally.answer[mine], items), np.repeat(shares, items, axis=0)


def _by_shuffling(own: IntArray, others: FloatArray) -> float:
    """Chi-squared of own answers by others', among shuffles of the own ones."""
    used, codes = np.unique(own, return_inverse=True)
    mine = np.eye(len(used))[codes]
    others = others[:, others.any(0)]
    expected = np.outer(mine.sum(0), others.sum(0)) / len(own)
    seen = _chi_squared(mine.T @ others, expected)
    rng = np.random.default_rng(SEED)
    better = sum(_chi_squared(mine[rng.permutation(len(own))].T @ others, expected) >= seen for _ in range(SHUFFLES))
    return (better + 1) / (SHUFFLES + 1)


def _chi_squared(table: FloatArray, expected: FloatArray) -> float:
    return float(((table - expected) ** 2 / expected).sum())


def _by_ranks(own: FloatArray, others: FloatArray) -> float:
    """Spearman's correlation, two-sided, by its error among shuffles."""
    mine, theirs = (midranks(np.round(values, 12)) for values in (own, others))
    mine, theirs = mine - mine.mean(), theirs - theirs.mean()
    size = float(np.sqrt((mine @ mine) * (theirs @ theirs)))
    if not size > 0:
        return 1.0
    return p_value(float(mine @ theirs) / size, 1 / math.sqrt(len(own) - 1))


def _scale(tally: Tally) -> FloatArray | None:
    """(K,) places of the answers on their scale; None where they have none."""
    try:
        return tally.answers.positions("the rank correlation")
    except LabelError:
        return None
