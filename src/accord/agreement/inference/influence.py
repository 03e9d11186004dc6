"""How much each item moves a value: the raw material of standard errors, clusters and comparisons."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from accord.agreement.inference.informative_items import degrees_of_freedom
from accord.agreement.result import Agreement
from accord.annotations.arrays import FloatArray, IntArray, add_up
from accord.annotations.factorize import code
from accord.annotations.unnamed_items import item_key
from accord.coefficients.measurable import Measurable
from accord.coefficients.units import Units
from accord.errors import Keyword, MeasureError


def published_error(coefficient: Measurable) -> float:
    """Gwet's published standard error."""
    return Units(coefficient.sample).error(coefficient.published_scores())


def df_of(result: Agreement, cluster: str | None = None, *, effective: bool = True) -> float:
    """Degrees of freedom of a result's error: units less one, or fewer where few of them move the value."""
    coefficient = result.coefficient
    assert coefficient is not None
    units = Units.of(result.study, coefficient.sample, cluster)
    if not effective or not coefficient.knows_items or not coefficient.has_influence:
        return max(units.number - 1.0, 1.0)
    return degrees_of_freedom(*units.totals(coefficient.influences))


def item_scores(result: Agreement) -> FloatArray:
    """(items of the study,) what each item adds to the value's error: the squares sum to the squared standard error."""
    coefficient = result.coefficient
    if coefficient is None or coefficient.sample.n_items < 2 or coefficient.sample.locate is None:
        return np.full(result.study._annotations.n_items, np.nan)
    pattern = coefficient.sample.locate()
    scores = np.zeros(len(pattern))
    items = coefficient.sample.n_items
    inside = pattern >= 0
    scores[inside] = coefficient.influences[pattern[inside]] / math.sqrt(items * (items - 1.0))
    return scores


def _cluster_scores(coefficient: Measurable, units: Units) -> tuple[FloatArray, Sequence[Any]]:
    """The same for clusters of items that stay in their engine."""
    assert units.crossed is not None
    assert units.cluster is not None
    if (units.cluster < 0).any():
        raise MeasureError(
            "Some items belong to no cluster, and which they are stays in the engine. Give every item a cluster.",
            option=Keyword("cluster"),
        )
    items, number = coefficient.sample.n_items, units.number
    totals, _ = units.totals(coefficient.influences)
    factor = math.sqrt(number / (number - 1)) / items if number > 1 else math.nan
    present = np.unique(units.cluster)
    values = code(units.crossed.values[0], what="cluster").values
    return factor * totals, [("cluster", values[place]) for place in present.tolist()]


def unit_scores(result: Agreement, cluster: str | None = None) -> tuple[FloatArray, Sequence[Any]]:
    """The same for what might have been drawn otherwise, and its names: items, or clusters of them.

    Clusters are told by a column, or by the study's own role.
    """
    study, coefficient = result.study, result.coefficient
    column = cluster or study.roles.get("cluster")
    if column is not None and coefficient is not None and coefficient.sample.crossed is not None:
        return _cluster_scores(coefficient, Units.of(study, coefficient.sample, column))
    scores = item_scores(result)
    if column is None or coefficient is None or coefficient.sample.locate is None:
        return scores, study.items
    inside, place, names = units_of(result, cluster)
    items, number = len(inside), len(names)
    factor = math.sqrt(number / (number - 1) * (items - 1) / items) if number > 1 else math.nan
    return factor * add_up(place, scores[inside], number), names


def units_of(result: Agreement, cluster: str | None = None) -> tuple[IntArray, IntArray, Sequence[Any]]:
    """The items that count, the unit of each, and the units' names; an item of no cluster is one by itself."""
    study, coefficient = result.study, result.coefficient
    assert coefficient is not None
    assert coefficient.sample.locate is not None
    inside = np.nonzero(coefficient.sample.locate() >= 0)[0]
    column = cluster or study.roles.get("cluster")
    if column is None:
        return inside, np.arange(len(inside)), [("item", item_key(study.items, item)) for item in inside.tolist()]
    coded = study._item_column(column, "cluster")
    known = len(coded.values)
    codes = np.where(coded.codes[inside] >= 0, coded.codes[inside], known + inside)
    units, place = np.unique(codes, return_inverse=True)
    names = [
        ("cluster", coded.values[unit]) if unit < known else ("item", item_key(study.items, unit - known))
        for unit in units.tolist()
    ]
    return inside, place, names
