"""Whose severity changes while going on: items, effects and a slope for each annotator, fitted together.

    score = item + effect of the annotator + slope of the annotator × how far on + rest

Somebody's slope is not taken from what the others' slopes leave in the means of the items. Where annotators go through
the items in one order, a slope that all share cannot be told from items that rise, and slopes are from their median.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.scores.severity import SINGULAR, AnnotatorEffects, Rated, incidence, parts

LEAST_SHARE = 0.05  # of a slope's variance: below, so little is left once items are allowed for that it is not told
MOST_PULLED = 0.5  # the largest share of a score's own in its fit that is allowed for
ALIKE = 0.5  # the correlation of what is not told of two annotators, from which on it is one thing that both share


@dataclass(frozen=True, eq=False)
class Slopes:
    """Of each annotator: by how much the effect changes from 0 to 1, with its error."""

    value: FloatArray  # (annotators,) NaN where nothing changes, or nobody can be compared
    error: FloatArray
    number: FloatArray  # (annotators,) of scores
    from_median: bool  # some share an order of items, and their slopes are from the median of them

    @classmethod
    def of(cls, rated: Rated, onward: FloatArray) -> Slopes:
        """From the scores, and how far on (N,) somebody was with each."""
        several = rated.scores[rated.item] > 1
        who, size = rated.annotator, rated.n_annotators
        number = np.bincount(who[several], minlength=size).astype(np.float64)
        middle = divide(add_up(who[several], onward[several], size), number)
        moved = np.where(several, onward - middle[who], 0.0)
        effects = AnnotatorEffects.of(rated)
        ones, along = incidence(rated, several), incidence(rated, several, moved)
        share = np.where(rated.scores > 1, 1 / np.maximum(rated.scores, 1), 0.0)[:, None]
        squares = add_up(who, moved**2, size)
        across = -np.asarray((ones.T @ along.multiply(share)).todense())  # effects × slopes: moments are centred
        left = np.diag(squares) - np.asarray((along.T @ along.multiply(share)).todense())
        taken = effects.inverse @ across
        inverse, shared = _solved(left - across.T @ taken, squares)
        slope = inverse @ add_up(who, moved * effects.rest, size)
        rest = np.where(several, _rest(effects, moved, slope, taken), 0.0)
        pulled = divide(1.0, number)[who] + divide(moved**2, np.where(squares > 0, squares, 0.0)[who])
        held = 1 - np.clip(np.nan_to_num(pulled), 0.0, MOST_PULLED)  # of what a score differs, the fit leaves so much
        error = _errors(rated, (rest / held, moved), taken, inverse)
        value, wider, from_median = _from_median(slope, shared)
        error = error * wider
        estimable = (squares > SINGULAR * number) & (effects.group >= 0) & (number > 2)
        return cls(np.where(estimable, value, np.nan), np.where(estimable, error, np.nan), number, from_median)


def _solved(normal: FloatArray, squares: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(R, R) the inverse of the slopes' equations for what they tell, and the projection on what they do not."""
    unit = np.sqrt(np.where(squares > 0, squares, 1.0))
    values, vectors = np.linalg.eigh(normal / np.outer(unit, unit))
    kept = values > LEAST_SHARE
    inverse = ((vectors[:, kept] / values[kept]) @ vectors[:, kept].T) / np.outer(unit, unit)
    lost = vectors[:, ~kept] * np.where(squares > 0, 1.0, 0.0)[:, None]
    return np.asarray(inverse), np.asarray(lost @ lost.T)


def _rest(effects: AnnotatorEffects, moved: FloatArray, slope: FloatArray, taken: FloatArray) -> FloatArray:
    """(N,) what items, effects and slopes leave over."""
    rated = effects.rated
    without = effects.rest - moved * slope[rated.annotator] + (taken @ slope)[rated.annotator]
    return np.asarray(without - rated.item_mean(without)[rated.item])


def _errors(rated: Rated, rows: tuple[FloatArray, FloatArray], taken: FloatArray, inverse: FloatArray) -> FloatArray:
    """(annotators,) from the rest of each item, whatever its spread."""
    rest, moved = rows
    every = np.ones(len(rest), dtype=np.bool_)
    plain, along = incidence(rated, every, rest), incidence(rated, every, rest * moved)
    squares = np.zeros(rated.n_annotators)
    for part in parts(rated):
        squares += (np.asarray((along[part].toarray() - plain[part] @ taken) @ inverse) ** 2).sum(0)
    compared = int((rated.scores > 1).sum())
    return np.asarray(np.sqrt(squares)) if compared > 2 else np.full(len(squares), np.nan)


def _from_median(slope: FloatArray, shared: FloatArray) -> tuple[FloatArray, FloatArray, bool]:
    """Slopes of people who share what is not told, less their median: one who drifts makes the others no drifters.

    And by how much errors are larger than those of slopes from their mean, for the median differs by chance more.
    """
    from scipy.sparse.csgraph import connected_components

    own = np.sqrt(np.diag(shared))
    alike = divide(np.abs(shared), np.where(own > SINGULAR, own, 0.0)[:, None] * own) > ALIKE
    _, group = connected_components(alike, directed=False)
    value, wider, moved = slope.copy(), np.ones(len(slope)), False
    for one in np.unique(group):
        members: IntArray = np.nonzero(group == one)[0]
        if len(members) > 1:
            side = np.sign(shared[members, members[0]])  # who goes the other way through the items has the opposite
            value[members] -= side * np.median(side * slope[members])
            wider[members] = _wider(len(members))
            moved = True
    return value, wider, moved


def _wider(number: int) -> float:
    """How much more one of so many normal numbers differs from their median than from their mean.

    >>> [round(_wider(number), 2) for number in (2, 3, 4, 5, 20)]
    [1.0, 1.08, 1.03, 1.05, 1.01]
    """
    of_median = math.pi / (2 * number + (math.pi - 2 if number % 2 else 2.5))  # its variance, nearly
    return max(1.0, math.sqrt((1 + of_median - 2 / number) / (1 - 1 / number)))
