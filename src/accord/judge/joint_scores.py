"""Scores of a system beside those of a reference, item by item, and what is measured of them.

What is measured is a function of means over items, so that the items' own contributions give its error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up, divide
from accord.judge.joint_table import NO_ITEM
from accord.scores.lin_concordance import concordance, concordance_slopes
from accord.scores.moments_of_pairs import Moments, pearson, pearson_slopes

ScoreQuality: TypeAlias = Literal["concordance", "correlation", "bias", "difference"]
SCORE_QUALITIES: tuple[ScoreQuality, ...] = get_args(ScoreQuality)
ONE_SCORE = "One score was given throughout, so there is nothing to be in concord with."


@dataclass(frozen=True, eq=False)
class JointScores:
    """Pairs of scores, each with its share of an item: the shares of an item that counts sum to one."""

    item: IntArray
    predicted: FloatArray
    reference: FloatArray
    weight: FloatArray
    n_items: int

    @property
    def present(self) -> BoolArray:
        """(items,) which items have a pair."""
        return np.bincount(self.item, minlength=self.n_items) > 0

    def where(self, present: BoolArray) -> JointScores:
        """The pairs of some items."""
        keep = present[self.item]
        return JointScores(self.item[keep], self.predicted[keep], self.reference[keep], self.weight[keep], self.n_items)

    def per_item(self, values: FloatArray) -> FloatArray:
        """(items,) the mean over an item's pairs."""
        return add_up(self.item, self.weight * values, self.n_items)


@dataclass(frozen=True, eq=False)
class MeasuredScores:
    """A value, and how far each item moves it, times the number of items."""

    value: float
    moved: FloatArray | None
    ends: tuple[float, float]
    undefined: str | None = None

    def scores(self, joint: JointScores, present: BoolArray) -> FloatArray:
        """(items,) less their mean; zero for items that are absent."""
        if self.moved is None:
            return np.full(joint.n_items, np.nan)
        return np.where(present, self.moved - self.moved[present].mean(), 0.0)


@dataclass(frozen=True)
class OfScores:
    """A measure of pairs of scores: where its values end, and what it makes of items that have some."""

    ends: tuple[float, float]
    value: Callable[[JointScores], tuple[float, FloatArray]]  # NaN where one score was given throughout

    def __call__(self, joint: JointScores) -> MeasuredScores:
        """The measure of these pairs."""
        if not joint.present.any():
            return MeasuredScores(math.nan, None, self.ends, NO_ITEM)
        value, moved = self.value(joint)
        if math.isnan(value):
            return MeasuredScores(math.nan, None, self.ends, ONE_SCORE)
        return MeasuredScores(value, moved, self.ends)


def _mean(joint: JointScores, values: FloatArray) -> tuple[float, FloatArray]:
    moved = joint.per_item(values)
    return float(moved.sum()) / int(joint.present.sum()), moved


def _bias(joint: JointScores) -> tuple[float, FloatArray]:
    """The mean difference."""
    return _mean(joint, joint.predicted - joint.reference)


def _difference(joint: JointScores) -> tuple[float, FloatArray]:
    """The mean absolute difference."""
    return _mean(joint, np.abs(joint.predicted - joint.reference))


def _correlation(joint: JointScores) -> tuple[float, FloatArray]:
    """Pearson's correlation."""
    items, table, moments = _moments(joint)
    return float(pearson(moments)[0]), items * (table @ pearson_slopes(moments)[0])


def _concordance(joint: JointScores) -> tuple[float, FloatArray]:
    """Lin's coefficient."""
    items, table, moments = _moments(joint)
    value = float(concordance(moments)[0])
    slopes = concordance_slopes(moments, value, float(moments.number[0] * moments.unlike[0]))
    return value, items * (table @ slopes[0])


def _moments(joint: JointScores) -> tuple[int, FloatArray, Moments]:
    """How many items there are, what each adds to the sums, and the moments of all.

    Scores are taken about their middle, in units of their spread.
    """
    items = int(joint.present.sum())
    centre = float(joint.weight @ (joint.predicted + joint.reference)) / (2 * items)
    scale = math.sqrt(float(joint.weight @ ((joint.predicted - centre) ** 2 + (joint.reference - centre) ** 2)) / items)
    x, y = ((part - centre) / (scale or 1.0) for part in (joint.predicted, joint.reference))
    table = np.stack([joint.per_item(part) for part in (np.ones_like(x), x, y, x * x, y * y, x * y)], axis=1)
    return items, table, Moments.of(table.sum(0)[None])


OF_SCORES: Mapping[str, OfScores] = {
    "concordance": OfScores((-1.0, 1.0), _concordance),
    "correlation": OfScores((-1.0, 1.0), _correlation),
    "bias": OfScores((-math.inf, math.inf), _bias),
    "difference": OfScores((-math.inf, math.inf), _difference),
}


# -- people ------------------------------------------------------------------------------------------------------------


def against_people(scores: FloatArray, grid: FloatArray) -> JointScores:
    """A system's scores (items,) against every person of the item; the people (items, people) share the item."""
    item, person = np.nonzero(np.isfinite(grid) & np.isfinite(scores)[:, None])
    number = np.bincount(item, minlength=len(grid))
    return JointScores(item, scores[item], grid[item, person], 1 / number[item], len(grid))


def against_gold(scores: FloatArray, gold: FloatArray) -> JointScores:
    """One pair an item."""
    item = np.nonzero(np.isfinite(scores) & np.isfinite(gold))[0]
    return JointScores(item, scores[item], gold[item], np.ones(len(item)), len(gold))


def mean_of_others(grid: FloatArray) -> JointScores:
    """Each person against the mean of the others on the item."""
    known = np.isfinite(grid)
    number = known.sum(1)
    item, person = np.nonzero(known & (number > 1)[:, None])
    mine = grid[item, person]
    others = (np.nansum(grid, 1)[item] - mine) / (number[item] - 1)
    return JointScores(item, others, mine, 1.0 / number[item], len(grid))


def mean_of_all(grid: FloatArray) -> JointScores:
    """The mean of everybody against each, their own score included."""
    known = np.isfinite(grid)
    number = known.sum(1)
    item, person = np.nonzero(known)
    mean = divide(np.nansum(grid, 1), number)
    return JointScores(item, mean[item], grid[item, person], 1.0 / number[item], len(grid))


def one_person_against_another(grid: FloatArray) -> JointScores:
    """Two different people of an item, drawn at random."""
    known = np.isfinite(grid)
    number = known.sum(1)
    parts = []
    for first in range(grid.shape[1]):
        item, second = np.nonzero(known & known[:, [first]])
        other = second != first
        parts.append((item[other], grid[item[other], first], grid[item[other], second[other]]))
    item, one, another = (np.concatenate([part[place] for part in parts]) for place in range(3))
    return JointScores(item, one, another, 1.0 / (number[item] * (number[item] - 1)), len(grid))
