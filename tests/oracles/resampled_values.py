"""The oracle of tests, comparisons and intervals: the values of studies shuffled, drawn or cut down, one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

import accord
from accord.agreement.inference.hypothesis_tests import Shuffle

FloatArray: TypeAlias = npt.NDArray[np.float64]


def values_of_shuffles(result: accord.Agreement, number: int, seed: int = 0) -> FloatArray:
    """The value of so many studies whose answers are shuffled."""
    shuffle, rng = Shuffle(result.study, together=result.entry.exchangeable), np.random.default_rng(seed)
    return np.array([float(result.recipe(shuffle(rng)).parts.value) for _ in range(number)])


def values_on_items(result: accord.Agreement, names: Sequence[Any], rows: npt.NDArray[np.int64]) -> FloatArray:
    """The value on drawn items (resamples × items, numbers into `names`), but for items the result does not have."""
    coefficient: Any = result.coefficient
    place = dict(zip(result.study.items, coefficient.tally.locate().tolist(), strict=True))
    pattern = np.array([place.get(name, -1) for name in names])[rows]
    counts = np.zeros((len(rows), len(coefficient.tally)))
    for resample, drawn in enumerate(pattern):
        counts[resample] = np.bincount(drawn[drawn >= 0], minlength=counts.shape[1])
    values: FloatArray = coefficient.evaluate(counts).value
    return values


def differences_on_items(
    x: accord.Agreement, y: accord.Agreement, names: Sequence[Any], number: int, seed: int = 1
) -> FloatArray:
    """Differences of two results on items drawn one by one, both on the same ones."""
    rows = np.random.default_rng(seed).integers(0, len(names), (number, len(names)))
    return values_on_items(x, names, rows) - values_on_items(y, names, rows)


def interaction(value: Callable[[Any], float], cells: Any) -> float:
    """The interaction's variance by leaving out each item with each annotator: the two-way analysis of variance."""
    items, people = cells.shape
    whole = value(cells)
    without_item = [value(np.delete(cells, item, axis=0)) for item in range(items)]
    without_person = [value(np.delete(cells, who, axis=1)) for who in range(people)]
    left = np.array(
        [
            [
                value(np.delete(np.delete(cells, item, axis=0), who, axis=1)) - without_item[item] - without_person[who]
                for who in range(people)
            ]
            for item in range(items)
        ]
    )
    left += whole
    left = left - left.mean(axis=0) - left.mean(axis=1, keepdims=True) + left.mean()
    return float((items - 1) * (people - 1) / (items * people) * (left**2).sum())
