"""Estimate: a number about a model, how sure it is, and why where there is none."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.agreement.inference.wald import interval_around, no_interval
from accord.agreement.result import Interval
from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up
from accord.options import json_value
from accord.study.study import Study


@dataclass(frozen=True)
class Estimate:
    """A value with its interval over items; NaN where it is undefined, and `undefined` then says why."""

    value: float
    interval: Interval
    undefined: str | None = None

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.interval.low

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.interval.high

    def __float__(self) -> float:
        return self.value

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    def __str__(self) -> str:
        if self.undefined:
            return f"undefined ({self.undefined.removesuffix('.')})"
        value, low, high = (round(part, 3) + 0.0 for part in (self.value, self.low, self.high))  # no −0.000
        return f"{value:.3f}" if math.isnan(low) else f"{value:.3f} [{low:.3f}, {high:.3f}]"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "value": json_value(self.value),
            "low": json_value(self.low),
            "high": json_value(self.high),
            "se": json_value(self.interval.se),
            "confidence": self.interval.confidence,
            "undefined": self.undefined,
        }


def nothing(why: str, confidence: float) -> Estimate:
    """An estimate that does not exist."""
    return Estimate(math.nan, no_interval(why, confidence), why)


def estimate(value: float, error: float, df: int, confidence: float, ends: tuple[float, float]) -> Estimate:
    """Value ± t · se, cut where the value cannot lie."""
    return Estimate(value, interval_around(value, error, df, confidence, ends=ends))


def clustered(scores: FloatArray, cluster: IntArray) -> tuple[float, int]:
    """The variance of a sum of scores whose clusters go together, and their number; NaN where there is one only."""
    _, place = np.unique(cluster, return_inverse=True)
    number = int(place.max(initial=-1)) + 1
    totals = add_up(place, scores, number)
    return (number / (number - 1) * float(totals @ totals) if number > 1 else math.nan), number


@dataclass(frozen=True, eq=False)
class ItemUnits:
    """What might have been drawn otherwise: items, or the study's clusters of them."""

    cluster: IntArray | None = None  # (items,)

    def df(self, there: BoolArray) -> int:
        """Items, or clusters, less one."""
        number = int(there.sum()) if self.cluster is None else len(np.unique(self.cluster[there]))
        return max(number - 1, 1)

    def error(self, scores: FloatArray, there: BoolArray) -> tuple[float, int]:
        """The standard error of a mean over items with these linearised scores, and its degrees of freedom."""
        items = int(there.sum())
        if self.cluster is None:
            if items < 2:
                return math.nan, 0
            squares = float(np.square(scores).sum(where=there))
            return math.sqrt(squares / (items * (items - 1))), items - 1
        variance, number = clustered(scores[there], self.cluster[there])
        return (math.sqrt(variance) / items, number - 1) if number > 1 else (math.nan, 0)


def units_of(study: Study) -> ItemUnits:
    """Items, or the study's clusters of them."""
    column = study.roles.get("cluster")
    if column is None:
        return ItemUnits()
    codes = study._item_column(column, "cluster").codes
    alone = codes < 0  # an item of no cluster is one by itself
    return ItemUnits(np.where(alone, codes.max(initial=-1) + 1 + np.cumsum(alone), codes))
