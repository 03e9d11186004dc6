"""Below chance: do annotators match less often than the same answers would if they were dealt out over the items anew?

Shuffling each annotator's answers over the items that a pair shares gives a number of matches whose mean and variance
are known without a single shuffle: with w(k, l) the likeness of two answers, n_k and m_l how often each of the two gave
them, and d what is left of w once its row and column means are taken off, the variance is Σ n_k m_l d² / (n − 1). The
pairs' sums are uncorrelated, because either person's shuffle alone leaves every mean as it is. Where nobody is named,
or in a crowd, all answers are shuffled over all items (the null error of Fleiss, Nee & Landis 1979).

A standard error at the estimate is none of a value of zero: skewed labels make it far too small, and an annotator who
gave one label throughout makes it a rounding error.
"""

from __future__ import annotations

import math

import numpy as np

from accord.annotations.arrays import FloatArray
from accord.findings.confusions import Cells
from accord.findings.distances import Distances
from accord.findings.study_view import ROUNDING, View

MOST_PEOPLE = 60  # whose pairs are looked at one by one
MOST_ANSWERS = 400


def is_negative(view: View) -> bool:
    """Is the value below zero by more than a rounding error?"""
    return view.main.value < -ROUNDING


def p_below_chance(view: View) -> float:
    """How likely as few matches, or fewer, are among answers that are dealt out anew; one-sided, NaN where unknown."""
    from scipy.special import ndtr

    distances = view.distances
    few = not isinstance(distances, str) and distances.study.n_annotators <= MOST_PEOPLE
    if few and not isinstance(distances, str) and len(distances.tally.answers) <= MOST_ANSWERS:
        missing, error, step = _by_pairs(distances)
    else:
        missing, error, step = _pooled(view)
    if not error > 0:
        return math.nan
    return float(ndtr(-max(missing - step / 2, 0.0) / error))


def _by_pairs(distances: Distances) -> tuple[float, float, float]:
    """How much likeness is missing against the mean of all shuffles, its error, and the step between values."""
    likeness = 1 - distances.distance_table()
    size, missing, variance = len(likeness), 0.0, 0.0
    cells = Cells.of(distances.tally)
    for table in cells.tables(size):
        number = float(table.sum())
        if number < 2:
            continue
        row, column = table.sum(1), table.sum(0)
        missing += float(row @ likeness @ column) / number - float((table * likeness).sum())
        variance += float(row @ _centred(likeness, row / number, column / number) ** 2 @ column) / (number - 1)
    values = np.unique(likeness)
    step = float(np.diff(values).min()) if len(values) > 1 else 0.0
    return missing, math.sqrt(max(variance, 0.0)), step


def _centred(likeness: FloatArray, row: FloatArray, column: FloatArray) -> FloatArray:
    """What is left of the likeness of answers once the means of rows and columns, by their shares, are taken off."""
    by_row, by_column = likeness @ column, row @ likeness
    return np.asarray(likeness - by_row[:, None] - by_column[None, :] + float(row @ by_row))


def _pooled(view: View) -> tuple[float, float, float]:
    """The same for labels of whom nobody knows who gave them: Fleiss' kappa and its standard error under chance."""
    if not view.single:
        return 0.0, 0.0, 0.0
    tally = view.tally.where(view.tally.pairable)
    answers = float(tally.items @ tally.answered) / max(tally.n_items, 1)
    share = view.marginals
    spread = share * (1 - share)
    room = float(spread.sum())
    if not room > 0 or not answers > 1:
        return 0.0, 0.0, 0.0
    variance = 2 / (tally.n_items * answers * (answers - 1)) * (room**2 - float(spread @ (1 - 2 * share))) / room**2
    return -float(view.pooled.parts.value), math.sqrt(max(variance, 0.0)), 0.0
