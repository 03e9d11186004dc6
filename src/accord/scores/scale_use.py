"""How each annotator uses the scale, beside what the others say of the same items.

Severity, spread (central tendency), the ends of the scale, whether scores rise with those of the others, and
change over time. Every comparison is on the annotator's own items, item by item, so that who was given better items is
not taken for lenient.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up, divide
from accord.scores.severity import AnnotatorEffects, Rated
from accord.scores.severity_slopes import Slopes


@dataclass(frozen=True, eq=False)
class Contrast:
    """Of each annotator: a value, what it is of the others on the same items, and the error of their difference."""

    own: FloatArray  # (annotators,)
    others: FloatArray
    difference: FloatArray
    error: FloatArray
    items: FloatArray
    from_median: bool = False  # what some share cannot be told, and theirs is from their median


class ScaleUse:
    """The scores of a study, by annotator."""

    def __init__(self, rated: Rated) -> None:
        self.rated = rated
        self.effects = AnnotatorEffects.of(rated)
        shared = rated.scores[rated.item] > 1
        self.shared = np.nonzero(shared)[0]  # rows that somebody else's stand beside
        self.who = rated.annotator[self.shared]
        self.item = rated.item[self.shared]

    @cached_property
    def items(self) -> FloatArray:
        """(annotators,) how many of their items somebody else scored too."""
        return np.bincount(self.who, minlength=self.rated.n_annotators).astype(np.float64)

    def _sum(self, rows: FloatArray) -> FloatArray:
        return add_up(self.who, rows, self.rated.n_annotators)

    def _mean(self, rows: FloatArray) -> FloatArray:
        return divide(self._sum(rows), self.items)

    @cached_property
    def whole_sd(self) -> float:
        """The standard deviation of all scores, the measure of what is much."""
        return float(np.std(self.rated.value))

    @cached_property
    def severity(self) -> Contrast:
        """How far below the others somebody scores, items allowed for: high is severe."""
        value = self.rated.value[self.shared]
        beside = self.rated.others_mean(self.rated.value)[self.shared]
        return Contrast(
            self._mean(value), self._mean(beside), -self.effects.effect, self.effects.error, self.items
        )  # fmt: skip

    @cached_property
    def spread(self) -> Contrast:
        """The logarithm of the ratio of standard deviations, effects taken off: below 0 is less of the scale."""
        middle = float(self.rated.value.mean()) if len(self.rated.value) else 0.0
        score = self.effects.adjusted - middle  # squares of large scores lose their differences
        first, second = (self.rated.others_mean(power)[self.shared] for power in (score, score**2))
        own = (score[self.shared] - self._mean(score[self.shared])[self.who]) ** 2
        centre = self._mean(first)[self.who]
        others = np.maximum(second - 2 * centre * first + centre**2, 0.0)
        above, below = self._sum(own), self._sum(others)
        spread = np.sqrt(divide(above, self.items)) > self.rated.rounding
        ratio = divide(above, below)
        moved = divide(own, above[self.who]) - divide(others, below[self.who])
        error = np.sqrt(self._sum(np.nan_to_num(moved) ** 2) * divide(self.items, self.items - 1)) / 2
        logs = np.log(np.where(spread & (ratio > 0), ratio, np.nan)) / 2
        return Contrast(
            np.sqrt(divide(above, self.items - 1)), np.sqrt(divide(below, self.items - 1)), logs, error, self.items
        )  # fmt: skip

    def at(self, score: float) -> Contrast:
        """The share of answers that are this score."""
        held = (self.rated.value == score).astype(np.float64)
        return self.compared(held)

    def compared(self, rows: FloatArray) -> Contrast:
        """What somebody's rows have on average, beside the mean of the others' rows of the same items."""
        own, others = rows[self.shared], self.rated.others_mean(rows)[self.shared]
        apart = own - others
        mean = self._mean(apart)
        squares = self._sum((apart - mean[self.who]) ** 2)
        error = np.sqrt(divide(squares, self.items * (self.items - 1)))
        return Contrast(self._mean(own), self._mean(others), mean, error, self.items)

    @cached_property
    def with_others(self) -> FloatArray:
        """(annotators,) the correlation of somebody's scores with the mean of the others'."""
        own = self.rated.value[self.shared]
        others = self.rated.others_mean(self.effects.adjusted)[self.shared]
        own = own - self._mean(own)[self.who]
        others = others - self._mean(others)[self.who]
        root = [np.sqrt(self._sum(rows**2)) for rows in (own, others)]
        varies = np.minimum(*root) > np.sqrt(self.items) * self.rated.rounding
        return divide(self._sum(own * others), np.where(varies, root[0] * root[1], 0.0))

    def change(self, onward: FloatArray) -> Contrast:
        """By how much somebody's scores rise from the first answer to the last; `onward` (N,) is 0 to 1, or NaN."""
        whole, known = self.rated, np.isfinite(onward)
        rated = Rated(
            whole.item[known], whole.annotator[known], whole.value[known], whole.n_items, whole.n_annotators
        )  # fmt: skip
        found = Slopes.of(rated, onward[known])
        nothing = np.zeros(whole.n_annotators)
        return Contrast(found.value, nothing, found.value, found.error, found.number, found.from_median)


def place_in_time(who: IntArray, moment: FloatArray, size: int) -> FloatArray:
    """(N,) how far on somebody is with each answer, 0 to 1 in the order of time; NaN without a time."""
    onward = np.full(len(who), np.nan)
    known = np.isfinite(moment)
    order = np.nonzero(known)[0][np.lexsort((moment[known], who[known]))]
    number = np.bincount(who[order], minlength=size)
    starts = np.cumsum(number) - number
    place = np.arange(len(order)) - starts[who[order]]
    onward[order] = divide(place.astype(np.float64), np.maximum(number[who[order]] - 1, 0))
    return onward


@dataclass(frozen=True, eq=False)
class Halo:
    """Of each annotator: how closely what is left over of several variables goes together, item by item."""

    value: FloatArray  # (annotators,) the mean correlation over pairs of variables
    error: FloatArray
    items: FloatArray


def halo(
    variables: list[AnnotatorEffects], item: list[IntArray], annotator: list[IntArray], shape: tuple[int, int]
) -> Halo:
    """From what the effects of each variable leave over; items and annotators by numbers that all variables share."""
    cells, (items, people) = [], shape
    least = np.array([found.rated.rounding for found in variables])[:, None, None]
    for found, where, who in zip(variables, item, annotator, strict=True):
        table = np.full(items * people, np.nan)
        several = found.rated.scores[found.rated.item] > 1
        table[(where * people + who)[several]] = found.rest[several]
        cells.append(table.reshape(items, people))
    rest = np.stack(cells)  # (variables, items, annotators)
    known: BoolArray = np.isfinite(rest)
    number = known.sum(1, keepdims=True)
    rest = np.where(known, rest - divide(np.nansum(rest, 1, keepdims=True), number), 0.0)
    spread = np.sqrt(divide((rest**2).sum(1, keepdims=True), np.maximum(number - 1, 0)))
    unit = np.nan_to_num(divide(rest, np.where(spread > least, spread, 0.0)))
    total, squares, many = unit.sum(0), (unit**2).sum(0), known.sum(0)
    pairs = many * (many - 1) / 2
    together = divide((total**2 - squares) / 2, pairs)  # (items, annotators) the mean product of two variables
    there = np.isfinite(together)
    often = there.sum(0).astype(np.float64)
    mean = divide(np.nansum(together, 0), often)
    scale = divide(squares, many)  # a correlation is over the spread of both, which the item moves too
    squared = np.where(there, together - mean * scale, 0.0) ** 2
    return Halo(mean, np.sqrt(divide(squared.sum(0), often * (often - 1))), often)
