"""The oracle of tests and comparisons: the value of one shuffled study, or of one draw of items, after another."""

from __future__ import annotations

from collections.abc import Sequence
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
