"""What every level of Krippendorff's alpha is made of: disagreement within items, and that of all answers.

    alpha = 1 − D_o / D_e = 1 − A (n − 1) / T

A = Σ over items of Σ over ordered pairs of the item's answers δ² / (r − 1); T = Σ over all ordered pairs of answers δ².
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from accord.annotations.arrays import FloatArray, divide
from accord.annotations.tally import Tally
from accord.coefficients.measurable import Decomposition, Parts

if TYPE_CHECKING:
    from accord.coefficients.alpha_levels import NumericLevel
    from accord.coefficients.annotator_copies import AnnotatorCopies
    from accord.coefficients.ordinal_level import OrdinalLevel


def spread_within(tally: Tally, values: FloatArray) -> FloatArray:
    """(P,) Σ over ordered pairs of an item's answers of (a − b)² / (r − 1), by deviations from the item's mean.

    A mixed answer lies at the mean of its parts, and its own spread is between it and everybody else.
    """
    given = tally.answers.mean_of_parts(values)[tally.answer]
    mean = tally.per_pattern(tally.count * given) / tally.answered
    squares = tally.per_pattern(tally.count * (given - mean[tally.pattern]) ** 2)
    apart = 2 * tally.answered * squares / (tally.answered - 1)
    if tally.answers.mixed:
        apart += 2 * tally.per_pattern(tally.count * tally.answers.spread_of_parts(values)[tally.answer])
    return apart


def alpha_parts(within: FloatArray, answers: FloatArray, total: FloatArray, widest: float) -> Parts:
    """Parts from A, n and T; agreement as 1 − disagreement over the widest in the data."""
    observed = 1 - divide(divide(within, answers), np.asarray(widest))
    expected = 1 - divide(divide(total, answers * (answers - 1)), np.asarray(widest))
    return Parts(observed, expected, 1 - divide(within * (answers - 1), total))


def alpha_decomposition(tally: Tally, disagreed: FloatArray, parts: Parts, widest: float) -> Decomposition:
    """vᵢ = 1 − dᵢ / D_e, weighted by the item's answers."""
    answered = tally.answered
    observed = 1 - divide(disagreed / answered, np.asarray(widest))
    value = 1 - divide(1 - observed, 1 - np.asarray(parts.expected))
    return Decomposition(observed, value, answered / (tally.items @ answered))


def alpha_of_copies(
    level: NumericLevel | OrdinalLevel, copies: AnnotatorCopies, times: FloatArray, items: FloatArray
) -> float:
    """From disagreement: a copy lies at no distance from itself, so only the numbers of pairs change."""
    copied = copies.answers(times, items)
    kept = copied.pairable > 0
    if not kept.any():
        return float("nan")
    tally = replace(copied.tally, count=copied.copies.astype(np.int64)).where(kept).without_zeros()
    again = level.of_tally(tally)
    answered, pairs, items = copied.answered[kept], copied.ordered[kept], items[kept]
    same = np.zeros(len(tally))
    if tally.answers.mixed:  # whoever gave different answers to an item: copies are no two people
        same = tally.per_pattern(tally.count * (tally.count - 1.0) * again.own_apart[tally.answer])
    within = again.apart_within(items) * (answered - 1) - same
    observed = divide(items @ (answered * within / pairs), items @ answered)
    different = (items @ answered) ** 2 - items @ (answered**2 - pairs)
    total = again.total_apart(items) - float(items @ same)
    return float(1 - divide(observed, divide(np.asarray(total), different)))
