"""Estimate: a number about a model, how sure it is, and why where there is none."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from accord.agreement.inference.few_counts import of_equal_items
from accord.agreement.inference.informative_items import (
    SAME_EFFECT,
    degrees_of_freedom,
    from_scores,
    informed_interval,
    without_agreement,
)
from accord.agreement.inference.wald import interval_around, no_interval
from accord.agreement.uncertainty import Interval
from accord.annotations.arrays import FloatArray, IntArray, add_up
from accord.coefficients.standard_errors import NO_ERROR, SHARE
from accord.coefficients.units import Units, variance_of_sum
from accord.errors import json_value
from accord.options import Shown
from accord.study.study import Study

BETTER: dict[str, Literal["less", "zero"]] = {"cost": "less", "difference": "less", "bias": "zero"}


def better(measure: str) -> Literal["more", "less", "zero"]:
    """Which of two values of a system is better: the larger, the smaller, or the nearer to zero."""
    return BETTER.get(measure, "more")


def is_reached(measure: str) -> bool:
    """Is it a quality, of which people reach so much? A bias is none: those of people cancel each other out."""
    return better(measure) != "zero"


def shortfall(measure: str, value: float) -> float:
    """How far a value is from the best: the less the better, and infinite of what has no value.

    >>> [shortfall("bias", -0.5), shortfall("cost", 2.0), shortfall("kappa", 0.75), shortfall("kappa", math.nan)]
    [0.5, 2.0, -0.75, inf]
    """
    if math.isnan(value):
        return math.inf
    return {"more": -value, "less": value, "zero": abs(value)}[better(measure)]


@dataclass(frozen=True, repr=False)
class Estimate(Shown):
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
        span = "" if math.isnan(self.low) else f" [{self.low:z.3f}, {self.high:z.3f}]"
        return f"{self.value:z.3f}{span}"

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


def estimate(
    value: float,
    scores: FloatArray,
    units: Units,
    confidence: float,
    ends: tuple[float, float],
    expected: float = math.nan,
) -> Estimate:
    """A value over items with these linearised scores: value ± t · se, as wide as what informs the error demands."""
    error = units.error(scores)
    if error <= NO_ERROR and ends == SHARE:
        return Estimate(value, of_equal_items(value, units, confidence, ends))
    worst = 1.0 if ends == SHARE else without_agreement(expected)
    known = from_scores(units, scores, worst=worst)
    return Estimate(value, informed_interval(value, error, known, confidence=confidence, method="analytic", ends=ends))


def difference(value: float, scores: FloatArray, units: Units, confidence: float, widest: float) -> Estimate:
    """A difference of two values of the same items, as `compare` has it; of two shares where `widest` is 1."""
    error = units.error(scores)
    if error <= NO_ERROR:
        alike = of_equal_items(value, units, confidence, (-1.0, 1.0))
        return Estimate(value, alike if widest == 1 else no_interval(SAME_EFFECT, confidence))
    df = degrees_of_freedom(*units.totals(scores))
    return Estimate(value, interval_around(value, error, df=df, confidence=confidence, ends=(-widest, widest)))


def clustered(scores: FloatArray, cluster: IntArray) -> tuple[float, int]:
    """The variance of a sum of scores whose clusters go together, and their number; NaN where there is one only."""
    _, place = np.unique(cluster, return_inverse=True)
    number = int(place.max(initial=-1)) + 1
    totals = add_up(place, scores, number)
    return variance_of_sum(float(totals @ totals), number), number


def clusters_of(study: Study) -> IntArray | None:
    """(items,) the cluster of each item, an item of no cluster being one by itself; None in a study without."""
    column = study.roles.get("cluster")
    if column is None:
        return None
    codes = study._item_column(column, "cluster").codes
    alone = codes < 0
    return np.where(alone, codes.max(initial=-1) + 1 + np.cumsum(alone), codes)
