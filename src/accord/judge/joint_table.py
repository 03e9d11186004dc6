"""What a system said against what is held against it, as one table; and what coefficients make of such a table.

A table T has a row for each label that the system gave and a column for each label held against it; every item adds
one, spread over the labels of its people. Accuracy, Cohen's kappa, Krippendorff's alpha and a mean cost are functions
of T, and their derivative tells how far each item moves them: the raw material of intervals and of paired differences.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from accord.annotations.arrays import NOTHING_LEFT, BoolArray, FloatArray, IntArray, add_up, divide
from accord.judge.estimate import ItemUnits

Ends: TypeAlias = tuple[float, float]
ONE_LABEL = "Only one label was used, so there is nothing that agreement could be better than."
NO_ITEM = "There is no item that both answered."


@dataclass(frozen=True, eq=False)
class Entries:
    """What is held against a system: labels of items, with weights that sum to one for each item it speaks of."""

    item: IntArray  # (E,)
    label: IntArray  # (E,)
    weight: FloatArray  # (E,)
    n_items: int
    labels: int

    @classmethod
    def of_gold(cls, codes: IntArray, labels: int) -> Entries:
        """One label an item; −1 is none."""
        item = np.nonzero(codes >= 0)[0]
        return cls(item, codes[item], np.ones(len(item)), len(codes), labels)

    @classmethod
    def of_people(cls, grid: IntArray, labels: int) -> Entries:
        """The people's answers: each label with its share."""
        item, label, number = counted_labels(grid, labels)
        answered = add_up(item, number, len(grid))
        return cls(item, label, number / answered[item], len(grid), labels)

    @property
    def there(self) -> BoolArray:
        """(items,) of which items is anything said?"""
        there = np.zeros(self.n_items, dtype=np.bool_)
        there[self.item] = True
        return there

    def against(self, codes: IntArray) -> Joint:
        """A system's labels (codes, −1 for silence) with these."""
        said = codes[self.item]
        spoken = said >= 0
        return Joint(
            self.item[spoken], said[spoken], self.label[spoken], self.weight[spoken], self.n_items, self.labels
        )


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
class Joint:
    """Pairs of labels (said, held against it) on items, with weights that sum to one an item."""

    item: IntArray
    said: IntArray
    held: IntArray
    weight: FloatArray
    n_items: int
    labels: int

    @cached_property
    def there(self) -> BoolArray:
        """(items,) which items are in it?"""
        there = np.zeros(self.n_items, dtype=np.bool_)
        there[self.item] = True
        return there

    def where(self, keep: BoolArray) -> Joint:
        """Some of the items."""
        mine = keep[self.item]
        if mine.all():
            return self
        return Joint(self.item[mine], self.said[mine], self.held[mine], self.weight[mine], self.n_items, self.labels)

    @cached_property
    def table(self) -> FloatArray:
        """(labels, labels) said × held."""
        cells = add_up(self.said * self.labels + self.held, self.weight, self.labels**2)
        return cells.reshape(self.labels, self.labels)

    def per_item(self, slope: FloatArray) -> FloatArray:
        """(items,) the sum of a table's cells over each item's pairs."""
        return add_up(self.item, self.weight * slope[self.said, self.held], self.n_items)


@dataclass(frozen=True, eq=False)
class Measured:
    """A coefficient of a table, and its derivative by each cell; the scores of items follow."""

    value: float
    slope: FloatArray | None  # None where the value is undefined
    ends: Ends
    undefined: str | None = None

    def scores(self, joint: Joint, there: BoolArray) -> FloatArray:
        """(items,) how far each item moves the value, times the number of items; zero for items that are not there."""
        if self.slope is None:
            return np.full(joint.n_items, np.nan)
        moved = joint.per_item(self.slope)
        return np.where(there, moved - moved[there].mean(), 0.0)


def measured(name: str, table: FloatArray, weights: FloatArray) -> Measured:
    """One of accuracy, kappa, alpha and cost of a table; `weights` says how alike (or how dear) two labels are."""
    items = float(table.sum())
    ends = {"accuracy": (0.0, 1.0), "cost": (-math.inf, math.inf)}.get(name, (-math.inf, 1.0))
    if items <= 0:
        return Measured(math.nan, None, ends, NO_ITEM)
    share = table / items
    observed = float((weights * share).sum())
    if name in ("accuracy", "cost"):
        return Measured(observed, weights, ends)
    expected, slope = (_own if name == "kappa" else _without_replacement)(share, weights, items)
    if not 1 - expected > NOTHING_LEFT:
        return Measured(math.nan, None, ends, ONE_LABEL)
    value = (observed - expected) / (1 - expected)
    return Measured(value, (weights - (1 - value) * slope) / (1 - expected), ends)


def _own(share: FloatArray, weights: FloatArray, _items: float) -> tuple[float, FloatArray]:
    """Luck with a mix for the system and one for what is held against it (Cohen)."""
    row, column = share.sum(1), share.sum(0)
    to_row, to_column = weights @ column, row @ weights
    return float(row @ to_row), to_row[:, None] + to_column[None, :]


def _without_replacement(share: FloatArray, weights: FloatArray, items: float) -> tuple[float, FloatArray]:
    """Luck from one pool of all answers, two different ones drawn (Krippendorff)."""
    mix = share.sum(1) + share.sum(0)  # two answers an item
    alike, same = weights @ mix, weights.diagonal()
    scale = 2 * (2 * items - 1)
    expected = (items * float(mix @ alike) - float(mix @ same)) / scale
    step = 2 * items * alike - same
    return expected, (step[:, None] + step[None, :]) / scale


@dataclass(frozen=True, eq=False)
class ByLabel:
    """Precision, recall and F1 of each label, each with its standard error over items; NaN where undefined."""

    said: FloatArray  # (K,) items the system gave the label
    held: FloatArray  # (K,) items held to have it
    precision: FloatArray
    recall: FloatArray
    f1: FloatArray
    errors: dict[str, FloatArray]


def by_label(joint: Joint, units: ItemUnits) -> ByLabel:
    """From sums over items, in closed form: an item with share h of label k adds to precision if the system said k."""
    size, table = joint.labels, joint.table
    said, held, both = table.sum(1), table.sum(0), table.diagonal()
    precision, recall, f1 = divide(both, said), divide(both, held), divide(2 * both, said + held)
    right = joint.said == joint.held
    share = add_up(joint.held, joint.weight**2, size)  # Σ h²
    hit = add_up(joint.held[right], joint.weight[right] ** 2, size)  # Σ h² where the system said it
    items = float(table.sum())
    grow = math.sqrt(items / (items - 1)) if items > 1 else math.nan
    squares = {
        "precision": hit - 2 * precision * both + precision**2 * said,
        "recall": (1 - 2 * recall) * hit + recall**2 * share,
        "f1": (2 - f1) ** 2 * hit - 2 * f1 * (2 - f1) * both + f1**2 * said + f1**2 * (share - hit),
    }
    below = {"precision": said, "recall": held, "f1": said + held}
    errors = {name: grow * divide(np.sqrt(np.maximum(squared, 0.0)), below[name]) for name, squared in squares.items()}
    if units.cluster is not None:
        errors = _clustered(joint, units, items, {"precision": precision, "recall": recall, "f1": f1}, below)
    return ByLabel(said, held, precision, recall, f1, errors)


def _clustered(
    joint: Joint, units: ItemUnits, items: float, values: dict[str, FloatArray], below: dict[str, FloatArray]
) -> dict[str, FloatArray]:
    """The errors where items come in clusters: label by label, through the scores of items."""
    there, size = joint.there, joint.labels
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
                errors[name][label] = units.error(joint.per_item(slope), there)[0]
    return errors
