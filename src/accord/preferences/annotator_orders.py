"""Do annotators put the options in one order? Each against the strengths of all, by their comparisons' pull.

Under one order the comparisons of an annotator pull at the strengths of all as much upwards as downwards, but for
chance. How much chance there is follows from the items: an annotator's pull less the share that all comparisons of an
item have in the estimate (a score test whose covariance is a sandwich over items). The statistic is Hotelling's T².
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from accord.annotations.arrays import FloatArray
from accord.preferences.strength_model import Cells, ComparisonScores, StrengthEstimate, Ties

ROUNDING = 1e-9  # of the largest eigenvalue: what is below is none
TINY = 1e-12  # a pull below this is rounding, as of somebody whose comparisons are all there is


@dataclass(frozen=True)
class OrderTest:
    """One annotator against everybody: F with its degrees of freedom, and the option that stands out most."""

    annotator: int
    n_items: int
    statistic: float
    df: tuple[int, int]
    p: float
    option: int  # the option that pulls most
    pull: float  # in standard errors: above 0, they prefer it more often than the order of all says
    shift: float  # by how much their strength of it differs from that of all, in log odds
    undefined: str | None = None


def order_tests(estimate: StrengthEstimate, scores: ComparisonScores, ties: Ties) -> list[OrderTest]:
    """A test for each annotator; whoever judged fewer items than there are options has none."""
    pulls = scores.by_item()
    whole = np.asarray((pulls.T @ pulls).todense())
    people = scores.comparisons.rows_of_each()
    return [_one(estimate, scores.of_rows(rows), (pulls, whole), who, ties) for who, rows in people]


def _one(
    estimate: StrengthEstimate, own: ComparisonScores, everybody: tuple[Any, FloatArray], who: int, ties: Ties
) -> OrderTest:
    """The pull of one annotator, and how much of it is chance."""
    found, size = own.comparisons, len(own.comparisons.options)
    number = len(np.unique(found.item[found.weight > 0]))
    if number <= len(np.unique(np.concatenate((found.first, found.second)))):
        return _undefined(who, number, f"{number:,} items are too few to test an order.")
    pulls, whole = everybody
    mine = own.by_item(pulls.shape[0])
    part = replace(estimate.model, cells=Cells.of(found, ties), ridge=0.0)
    chance = part.chances(estimate.values, part.cells.first, part.cells.second, part.cells.lead)
    information = part.information(chance)
    share = estimate.bread @ information  # what the estimate takes up of it
    between = np.asarray((mine.T @ pulls).todense()) @ share
    spread = np.asarray((mine.T @ mine).todense()) - between - between.T + share.T @ whole @ share
    pull = np.asarray(mine.sum(0)).ravel()[:size]
    return _tested(who, number, pull, spread[:size, :size], information[:size, :size])


def _tested(who: int, number: int, pull: FloatArray, spread: FloatArray, information: FloatArray) -> OrderTest:
    """Hotelling's T² of a pull, and the option at which it is strongest."""
    from scipy.special import fdtrc

    values, vectors = np.linalg.eigh((spread + spread.T) / 2)
    kept = values > ROUNDING * max(float(values.max(initial=0.0)), TINY)
    rank = int(kept.sum())
    if not rank or number <= rank + 1:
        return _undefined(who, number, "Their comparisons are all there is." if not rank else "Too few items.")
    error = np.sqrt(np.maximum(np.diag(spread), 0.0))
    steps = np.divide(pull, error, out=np.zeros(len(pull)), where=error > ROUNDING)
    most = int(np.argmax(np.abs(steps)))
    shift = float((np.linalg.pinv(information, hermitian=True) @ pull)[most])
    square = float(((vectors[:, kept].T @ pull) ** 2 / values[kept]).sum())
    statistic = square * (number - rank) / (rank * (number - 1))
    return OrderTest(
        who, number, statistic, (rank, number - rank), float(fdtrc(rank, number - rank, statistic)), most,
        float(steps[most]), shift,
    )  # fmt: skip


def _undefined(who: int, number: int, why: str) -> OrderTest:
    return OrderTest(who, number, math.nan, (0, 0), math.nan, 0, math.nan, math.nan, why)
