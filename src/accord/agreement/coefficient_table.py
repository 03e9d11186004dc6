"""Measurements as a table: one row per coefficient, group or variable."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from accord.agreement.build import best_of_variables
from accord.agreement.result import Agreement, Measurements
from accord.agreement.table import Table
from accord.errors import MeasureError
from accord.study.study import Study


def as_table(found: Measurements, **how: Any) -> Table:
    """One row per coefficient; with groups or variables, the recommended one, a row each. `how`: as in `interval`."""
    best = found.recommended
    best_of = best_of_variables(best)
    if best_of is not None:
        return _by_variable(best.study, best_of, how)
    if best.by is not None or best.study.tasks:
        return best.by_group(**how)
    rows = [_row(result, how) for result in found]
    data = {name: _column([row[name] for row in rows]) for name in rows[0]}
    return Table("Agreement", data, tuple(f"{result.title}: {note}" for result in found for note in result.notes))


def _by_variable(study: Study, best_of: Callable[[Study], Agreement], how: dict[str, Any]) -> Table:
    """One row per variable, with the coefficient that is recommended for it."""
    rows: list[dict[str, Any]] = []
    for name, part in study.tasks.items():
        about = {"variable": name, "answers": part.kind}
        try:
            result = best_of(part)
        except MeasureError as refusal:
            nothing = dict.fromkeys(("value", "low", "high", "se", "observed", "expected"), np.nan)
            counted = {"items": part.n_items, "annotators": part.n_annotators}
            rows.append({**about, "measure": "", **nothing, **counted, "undefined": str(refusal)})
            continue
        rows.append({**about, **_row(result, how), "measure": result.title})
    return Table("Agreement by variable", {name: _column([row[name] for row in rows]) for name in rows[0]})


def _row(result: Agreement, how: dict[str, Any]) -> dict[str, Any]:
    span = result.interval(**how)
    return {
        "measure": result.measure,
        "value": result.value,
        "low": span.low,
        "high": span.high,
        "se": span.se,
        "observed": result.observed,
        "expected": result.expected,
        "items": result.n_items,
        "annotators": result.n_annotators,
        "undefined": result.undefined or "",
    }


def _column(cells: list[Any]) -> Any:
    return (
        np.array(cells)
        if all(isinstance(cell, int | float) and not isinstance(cell, bool) for cell in cells)
        else cells
    )
