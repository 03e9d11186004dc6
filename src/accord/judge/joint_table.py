"""What a system predicted against the reference, as one table; and what coefficients make of such a table.

A table T has a row for each predicted label and a column for each reference label; every item adds one, spread over the
labels of its people. So an item is no pattern of two answers, and T is no tally; but Cohen's kappa and Krippendorff's
alpha are what they are anywhere: observed agreement against a chance model of `coefficients.chance`, a function of sums
whose derivative tells how far each item moves it: the raw material of intervals and of paired differences.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up, divide
from accord.coefficients.chance import Chance, Own, WithoutReplacement
from accord.coefficients.formula import chance_corrected
from accord.coefficients.measurable import Parts
from accord.coefficients.units import Units
from accord.coefficients.weights import Tabled

Ends: TypeAlias = tuple[float, float]
ONE_LABEL = "Only one label was used, so there is nothing that agreement could be better than."
NO_ITEM = "There is no item that both answered."


@dataclass(frozen=True, eq=False)
class ReferenceLabels:
    """What a system is compared with: labels of items, with weights that sum to one for each item that has any."""

    item: IntArray  # (E,)
    label: IntArray  # (E,)
    weight: FloatArray  # (E,)
    n_items: int
    labels: int

    @classmethod
    def of_gold(cls, codes: IntArray, labels: int) -> ReferenceLabels:
        """One label per item; −1 is none."""
        item = np.nonzero(codes >= 0)[0]
        return cls(item, codes[item], np.ones(len(item)), len(codes), labels)

    @classmethod
    def of_people(cls, grid: IntArray, labels: int) -> ReferenceLabels:
        """The people's answers: each label with its share."""
        item, label, number = counted_labels(grid, labels)
        answered = add_up(item, number, len(grid))
        return cls(item, label, number / answered[item], len(grid), labels)

    @property
    def present(self) -> BoolArray:
        """(items,) which items have a reference?"""
        return marked(self.item, self.n_items)

    def against(self, codes: IntArray) -> JointLabels:
        """A system's labels (codes, −1 for missing) with these."""
        predicted = codes[self.item]
        answered = predicted >= 0
        return JointLabels(
            self.item[answered],
            predicted[answered],
            self.label[answered],
            self.weight[answered],
            self.n_items,
            self.labels,
        )


def marked(item: IntArray, n_items: int) -> BoolArray:
    """(items,) True for the items named."""
    mask = np.zeros(n_items, dtype=np.bool_)
    mask[item] = True
    return mask


def counted_labels(grid: IntArray, labels: int) -> tuple[IntArray, IntArray, FloatArray]:
    """Item, label and number of people, for each label that somebody gave an item."""
    item, person = np.nonzero(grid >= 0)
    key = item * labels + grid[item, person]
    if len(grid) * labels <= 50_000_000:
        number = np.bincount(key, minlength=len(grid) * labels)
        distinct = np.nonzero(number)[0]
        number = number[distinct]
    else:
        distinct, number = np.unique(key, return_counts=True)
    where, label = np.divmod(distinct, max(labels, 1))
    return where, label, number.astype(np.float64)


@dataclass(frozen=True, eq=False)
class JointLabels:
    """Pairs of labels (predicted, reference) on items, with weights that sum to one per item."""

    item: IntArray
    predicted: IntArray
    reference: IntArray
    weight: FloatArray
    n_items: int
    labels: int

    @cached_property
    def present(self) -> BoolArray:
        """(items,) which items are in it?"""
        return marked(self.item, self.n_items)

    def where(self, keep: BoolArray) -> JointLabels:
        """Some of the items."""
        mine = keep[self.item]
        if mine.all():
            return self
        kept = (self.item[mine], self.predicted[mine], self.reference[mine], self.weight[mine])
        return JointLabels(*kept, self.n_items, self.labels)

    @cached_property
    def table(self) -> FloatArray:
        """(labels, labels) predicted × reference."""
        cells = add_up(self.predicted * self.labels + self.reference, self.weight, self.labels**2)
        return cells.reshape(self.labels, self.labels)

    def per_item(self, slope: FloatArray) -> FloatArray:
        """(items,) the sum of a table's cells over each item's pairs."""
        return add_up(self.item, self.weight * slope[self.predicted, self.reference], self.n_items)


@dataclass(frozen=True, eq=False)
class Measured:
    """A coefficient of a table, and its derivative by each cell; the scores of items follow."""

    value: float
    slope: FloatArray | None  # None where the value is undefined
    ends: Ends
    undefined: str | None = None
    expected: float = math.nan  # of a value that is corrected for chance

    def scores(self, joint: JointLabels, present: BoolArray) -> FloatArray:
        """(items,) how far each item moves the value, times the number of items; zero for items that are absent."""
        if self.slope is None:
            return np.full(joint.n_items, np.nan)
        moved = joint.per_item(self.slope)
        return np.where(present, moved - moved[present].mean(), 0.0)


@dataclass(frozen=True)
class OfTable:
    """A coefficient of such a table: where its values end, and its chance model with the sums that this reads."""

    ends: Ends
    chance: Callable[[FloatArray], tuple[Chance, FloatArray]] | None = None  # None: it is not corrected for chance

    def __call__(self, table: FloatArray, weights: FloatArray) -> Measured:
        """The coefficient of a table; `weights` says how alike (or how dear) two labels are."""
        items = float(table.sum())
        if items <= 0:
            return Measured(math.nan, None, self.ends, NO_ITEM)
        observed = float((weights * table).sum()) / items
        if self.chance is None:
            return Measured(observed, weights, self.ends)
        (chance, sums), alike = self.chance(table), Tabled(weights, "of the table")
        expected = chance.expected(sums, alike)
        parts = Parts(np.asarray(observed), expected, chance_corrected(np.asarray(observed), expected))
        if np.isnan(parts.value):
            return Measured(math.nan, None, self.ends, ONE_LABEL)
        by_row, by_column = np.broadcast_to(chance.slopes(sums, alike).reshape(-1, len(table)), (2, len(table)))
        slope = parts.slope(weights, items * (by_row[:, None] + by_column))
        return Measured(float(parts.value), slope, self.ends, expected=float(expected))

    def widest(self, weights: FloatArray) -> float:
        """How far two values can lie apart."""
        low, high = self.ends
        return high - low if math.isfinite(high - low) else float(np.ptp(weights))


def _either_side(table: FloatArray) -> tuple[Chance, FloatArray]:
    """Cohen: the labels of either side apart."""
    return Own(2, len(table)), np.concatenate((table.sum(1), table.sum(0)))


def _both_sides(table: FloatArray) -> tuple[Chance, FloatArray]:
    """Krippendorff: the labels of both together."""
    return WithoutReplacement(), table.sum(1) + table.sum(0)


KAPPA = OfTable((-1.0, 1.0), _either_side)
OF_LABELS: Mapping[str, OfTable] = {
    "kappa": KAPPA,
    "alpha": OfTable((-1.0, 1.0), _both_sides),
    "accuracy": OfTable((0.0, 1.0)),
    "cost": OfTable((-math.inf, math.inf)),
}


@dataclass(frozen=True, eq=False)
class ByLabel:
    """Precision, recall and F1 of each label, each with its standard error over items; NaN where undefined."""

    predicted: FloatArray  # (K,) items the system gave the label
    reference: FloatArray  # (K,) items that have it in the reference
    precision: FloatArray
    recall: FloatArray
    f1: FloatArray
    errors: dict[str, FloatArray]


def by_label(joint: JointLabels, cluster: IntArray | None) -> ByLabel:
    """From sums over items, in closed form: an item with share h of label k adds to precision if k is predicted."""
    size, table = joint.labels, joint.table
    predicted, reference, both = table.sum(1), table.sum(0), table.diagonal()
    precision, recall = divide(both, predicted), divide(both, reference)
    f1 = divide(2 * both, predicted + reference)
    right = joint.predicted == joint.reference
    share = add_up(joint.reference, joint.weight**2, size)  # Σ h²
    hit = add_up(joint.reference[right], joint.weight[right] ** 2, size)  # Σ h² where it is predicted
    items = float(table.sum())
    grow = math.sqrt(items / (items - 1)) if items > 1 else math.nan
    squares = {
        "precision": hit - 2 * precision * both + precision**2 * predicted,
        "recall": (1 - 2 * recall) * hit + recall**2 * share,
        "f1": (2 - f1) ** 2 * hit - 2 * f1 * (2 - f1) * both + f1**2 * predicted + f1**2 * (share - hit),
    }
    below = {"precision": predicted, "recall": reference, "f1": predicted + reference}
    errors = {name: grow * divide(np.sqrt(np.maximum(squared, 0.0)), below[name]) for name, squared in squares.items()}
    if cluster is not None:
        units = Units.of_items(joint.present, cluster)
        errors = _clustered(joint, units, items, {"precision": precision, "recall": recall, "f1": f1}, below)
    return ByLabel(predicted, reference, precision, recall, f1, errors)


def _clustered(
    joint: JointLabels, units: Units, items: float, values: dict[str, FloatArray], below: dict[str, FloatArray]
) -> dict[str, FloatArray]:
    """The errors where items come in clusters: label by label, through the scores of items."""
    size = joint.labels
    errors = {name: np.full(size, np.nan) for name in values}
    for label in range(size):
        of_row, of_column = np.zeros((size, size)), np.zeros((size, size))
        of_row[label], of_column[:, label] = 1.0, 1.0
        both = of_row * of_column
        lost = {"precision": of_row, "recall": of_column, "f1": of_row + of_column}
        for name, value in values.items():
            if below[name][label] > 0:
                hits = 2 * both if name == "f1" else both
                slope = (hits - value[label] * lost[name]) * items / below[name][label]
                errors[name][label] = units.error(joint.per_item(slope))
    return errors
