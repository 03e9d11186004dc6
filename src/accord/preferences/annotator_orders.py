"""Do annotators put the options in one order? Each against the strengths of all, by their comparisons' pull.

Under one order the comparisons of an annotator pull at the strengths of all as much upwards as downwards, but for
chance. How much chance there is follows from the items: an annotator's pull less the share that all comparisons of an
item have in the estimate (a score test whose covariance is a sandwich over items). The statistic is Hotelling's T².
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray
from accord.preferences.strength_model import Cells, Estimate, Scores, Ties

ROUNDING = 1e-9  # of the largest eigenvalue: what is below is none


@dataclass(frozen=True)
class OrderTest:
    """One annotator against everybody: F with its degrees of freedom, and the option that stands out most."""

    annotator: int
    n_items: int
    statistic: float
    freedom: tuple[int, int]
    p: float
    option: int  # the option that pulls most
    pull: float  # in standard errors: above 0, they prefer it more often than the order of all says
    undefined: str | None = None


def order_tests(estimate: Estimate, scores: Scores, ties: Ties) -> list[OrderTest]:
    """A test for each annotator."""
    found = scores.comparisons
    pulls = scores.by_item()
    people: IntArray = np.unique(found.annotator[found.weight > 0])
    return [_one(estimate, scores, pulls, int(who), ties) for who in people]


def _one(estimate: Estimate, scores: Scores, pulls: FloatArray, who: int, ties: Ties) -> OrderTest:
    """The pull of one annotator, and how much of it is chance."""
    from scipy.special import fdtrc

    found, size = scores.comparisons, len(scores.comparisons.options)
    theirs = found.annotator == who
    own = scores.where(theirs.astype(np.float64)).by_item()
    cells = Cells.of(found.where(theirs), ties)
    part = replace(estimate.model, cells=cells, ridge=0.0)
    chance = part.chances(estimate.values, cells.first, cells.second, cells.lead)
    share = estimate.bread @ part.information(chance)  # what the estimate takes up of it
    between = np.asarray((own.T @ pulls).todense()) @ share
    whole = np.asarray((own.T @ own).todense()) - between - between.T
    whole += share.T @ np.asarray((pulls.T @ pulls).todense()) @ share
    pull, spread = np.asarray(own.sum(0)).ravel()[:size], whole[:size, :size]
    number = len(np.unique(found.item[theirs & (found.weight > 0)]))
    values, vectors = np.linalg.eigh((spread + spread.T) / 2)
    kept = values > ROUNDING * max(float(values.max(initial=0.0)), 1e-300)
    rank = int(kept.sum())
    error = np.sqrt(np.maximum(np.diag(spread), 0.0))
    steps = np.divide(pull, error, out=np.zeros(size), where=error > ROUNDING)
    most = int(np.argmax(np.abs(steps)))
    if rank == 0 or number <= rank + 1:
        why = (
            "Nobody else judged what they judged." if rank == 0 else
            f"{number:,} items are too few for {rank + 1:,} options."
        )  # fmt: skip
        return OrderTest(who, number, math.nan, (rank, 0), math.nan, most, float(steps[most]), why)
    square = float(((vectors[:, kept].T @ pull) ** 2 / values[kept]).sum())
    statistic = square * (number - rank) / (rank * (number - 1))
    p = float(fdtrc(rank, number - rank, statistic))
    return OrderTest(who, number, statistic, (rank, number - rank), p, most, float(steps[most]))
