"""What a model predicts of what people would add to the sums of a coefficient, item by item.

A coefficient is a function of sums over items (`coefficient.Smooth`). Items that people annotated have their own terms;
of the others there is a prediction, in one of two ways:

- "answers": the terms of the models' own answers, as if they were people (two models or runs an item, or more);
- "fitted": the mean terms of the annotated items that look the same to the models (the same answers, the same
  suggestion), drawn a little towards the mean of all, each annotated item predicted from the others. With λ = 1 that is
  post-stratification but for the drawing together, which keeps strata of a few items from making it lean.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.annotations.tally import Tally
from accord.coefficients.coefficient import Smooth
from accord.coefficients.item_sums import ItemSums

DRAWN = 2.0  # items' worth of the overall mean in that of items that look the same
LEVELS = 6  # of how many models are of one mind: none to all in quarters, and unknown


@dataclass(frozen=True, eq=False)
class Predicted:
    """Terms of the annotated items, and what is predicted of them and of the rest.

    The rest is kept by kinds: `rest` holds one row per kind, `kind` the kind of each item of the rest.
    """

    own: FloatArray  # (n, sums) what people add
    predicted: FloatArray  # (n, sums)
    rest: FloatArray  # (kinds, sums)
    kind: IntArray  # (N,)
    known: BoolArray  # (sums,) columns that are known of all items, not predicted (the marginals of suggestions)

    @property
    def sizes(self) -> tuple[int, int]:
        """Items with people, and without."""
        return len(self.own), len(self.kind)

    def counts(self) -> IntArray:
        """How many items of the rest are of each kind."""
        return np.bincount(self.kind, minlength=len(self.rest))

    def drawn(self, few: IntArray, many: IntArray) -> Predicted:
        """Some of the annotated items and some of the rest, as a resample has them."""
        return Predicted(self.own[few], self.predicted[few], self.rest, self.kind[many], self.known)


def terms(coefficient: Smooth, items: IntArray) -> FloatArray:
    """(items, sums) what each of these items adds to the sums; nothing for an item that is not in the tally."""
    assert coefficient.tally.locate is not None
    pattern = coefficient.tally.locate()[items]
    table = in_full(coefficient.item_sums)
    return np.concatenate((table, np.zeros((1, table.shape[1]))))[pattern]  # −1 is the row of zeros


def in_full(features: ItemSums) -> FloatArray:
    """All rows of the features."""
    return features.rows(0, len(features.starts) - 1)


def from_answers(people: Smooth, models: Smooth, annotated: IntArray, rest: IntArray, known: BoolArray) -> Predicted:
    """The models' own answers predict people's."""
    assert models.tally.locate is not None
    table = in_full(models.item_sums)
    table = np.concatenate((table, np.zeros((1, table.shape[1]))))
    pattern = models.tally.locate()
    pattern = np.where(pattern < 0, len(table) - 1, pattern)
    return Predicted(terms(people, annotated), table[pattern[annotated]], table, pattern[rest], known)


def looks(models: Tally, items: int, suggested: IntArray | None = None) -> IntArray:
    """(items,) how an item looks to the models: their commonest answer, and how many of them give it, in quarters.

    With suggestions: the suggestion, and how many give that. −1 where there is nothing to look at.
    """
    assert models.locate is not None
    labels = len(models.answers)
    largest = np.zeros(len(models))
    np.maximum.at(largest, models.pattern, models.count)
    first = np.full(len(models), labels, dtype=np.int64)
    leading = models.count == largest[models.pattern]
    np.minimum.at(first, models.pattern[leading], models.answer[leading])
    pattern = models.locate() if len(models) else np.full(items, -1, dtype=np.int64)
    present = pattern >= 0
    if suggested is None:
        quarter = np.rint((LEVELS - 2) * largest / np.maximum(models.answered, 1)).astype(np.int64)
        return np.where(present, np.append(first * LEVELS + quarter, 0)[pattern], -1)
    table = np.zeros((len(models) + 1, max(labels, int(suggested.max(initial=-1)) + 1)))
    table[models.pattern, models.answer] = models.count / models.answered[models.pattern]
    quarter = np.rint((LEVELS - 2) * table[pattern, np.maximum(suggested, 0)]).astype(np.int64)
    return np.where(suggested < 0, -1, suggested * LEVELS + np.where(present, quarter, LEVELS - 1))


def fitted(own: FloatArray, stratum: IntArray, rest: IntArray, known: BoolArray, known_rest: FloatArray) -> Predicted:
    """Annotated items that look the same predict each other and the rest: their mean, drawn towards that of all.

    `stratum` is the stratum of each annotated item, `rest` of the others, `known_rest` the known columns of each
    stratum. An item is predicted by the rule that the items without it would give, so that strata with few items, or
    none, do not make the estimate lean.
    """
    strata = len(known_rest)
    number = np.bincount(stratum, minlength=strata).astype(np.float64)[:, None]
    sums = np.zeros((strata, own.shape[1]))
    np.add.at(sums, stratum, own)
    total, size = own.sum(axis=0), len(own)
    table = (sums + DRAWN * total / size) / (number + DRAWN)
    others = (total - own) / (size - 1)
    predicted = (sums[stratum] - own + DRAWN * others) / (number[stratum] - 1 + DRAWN)
    table[:, known] = known_rest[:, known]
    predicted[:, known] = own[:, known]
    return Predicted(own, predicted, table, rest, known)
