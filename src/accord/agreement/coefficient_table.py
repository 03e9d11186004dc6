"""Measurements as a table: one row per coefficient, group or variable."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from accord.agreement.groups import each_of_many, in_words_simultaneous, parts
from accord.agreement.measurements import Measurements
from accord.agreement.paper_sentence import is_weighted
from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.errors import MeasureError, counted, percent
from accord.options import check_flag
from accord.study.study import Study

WHY = "why no interval"  # of a row, until its note is made
KEYS = ("measure", "level", "weights")  # what the title says already, for programs


def as_table(found: Measurements, *, simultaneous: bool = False, **how: Any) -> Table:
    """One row per coefficient; with groups or variables, the recommended one, a row each. `how`: as in `interval`."""
    check_flag("simultaneous", simultaneous)
    best = found.recommended
    if best.by is not None or best.study.tasks:
        return of_each_group(best, simultaneous=simultaneous, **how)
    if simultaneous:
        parts(best)  # which refuses, as there are no groups
    rows = [row_of(result, how) for result in found]
    titles = [row["coefficient"] for row in rows]
    for row in rows:  # one coefficient at two levels: both say theirs
        if row["level"] == "nominal" and any(title.startswith(f"{row['coefficient']} (") for title in titles):
            row["coefficient"] += " (nominal)"
    notes = notes_of(list(found)) + _without_intervals(rows)
    weighted = [row["coefficient"] for row, result in zip(rows, found, strict=True) if is_weighted(result)]
    notes += _of_near_misses(weighted, every=len(weighted) == len(rows))
    return of_rows(f"{_caption(best)}, with {percent(_confidence(how))} intervals", rows, notes)


def notes_of(found: Sequence[Agreement]) -> tuple[str, ...]:
    """What is to be known of each coefficient; what is said of several is said once, of all without their names."""
    titles: dict[str, list[str]] = {}
    for result in found:
        for note in dict.fromkeys(result.notes):
            titles.setdefault(note, []).append(result.title)
    every = len(found) if len(found) > 1 else 0
    shared = [note for note, whose in titles.items() if len(whose) == every]
    own = [f"{', '.join(dict.fromkeys(whose))}: {note}" for note, whose in titles.items() if len(whose) != every]
    return (*shared, *own)


def _without_intervals(rows: list[dict[str, Any]]) -> tuple[str, ...]:
    """Why coefficients that have a value have no interval, each reason once."""
    whose: dict[str, list[str]] = {}
    for row in rows:
        if row[WHY]:
            whose.setdefault(row[WHY], []).append(str(row.get("variable", row["coefficient"])))
    return tuple(f"No interval of {', '.join(titles)}. {why}" for why, titles in whose.items())


def _of_near_misses(titles: list[str], *, every: bool) -> tuple[str, ...]:
    """Observed agreement with weights is no percent agreement, though it stands in the same column."""
    if not titles:
        return ()
    whose = "" if every else f" of {titles[0]}" if len(titles) == 1 else " of coefficients with weights"
    return (f"Observed and expected{whose} count near misses in part: they are no percent agreement.",)


def of_each_group(best: Agreement, *, simultaneous: bool = False, **how: Any) -> Table:
    """One row per group or variable, each with the coefficient that is recommended for it."""
    best_of = best.recipe.best_of_variables
    if best_of is None:
        return best.by_group(simultaneous=simultaneous, **how)
    notes: tuple[str, ...] = ()
    if simultaneous:
        together, number = _confidence(how), len(best.study.tasks)
        how["confidence"] = each_of_many(together, number)
        notes = (in_words_simultaneous(together, how["confidence"]),)
    return _by_variable(best.study, best_of, how, notes)


def _confidence(how: dict[str, Any]) -> float:
    return float(how.get("confidence", 0.95))


def _caption(best: Agreement) -> str:
    """What the coefficients are of, so that the table can stand alone."""
    study = best.study
    items, answers = study._tally_of_people().n_items, study.n_annotations  # of a tally that measures have made
    people = counted(study.n_annotators, "annotators")
    named = "" if study._annotations.named else "up to "  # a table of counts names nobody
    return f"Agreement of {named}{people} on {counted(items, 'items')} ({counted(answers, 'answers')})"


def of_rows(title: str, rows: list[dict[str, Any]], notes: tuple[str, ...] = ()) -> Table:
    """Rows as columns; the maximum is for programs where it is 1 for all."""
    data = {name: _column([row[name] for row in rows]) for name in rows[0] if name != WHY}
    plain = not any(row["maximum"] < 1 for row in rows)
    return Table(title, data, notes, (*KEYS, *(("maximum",) if plain else ())))


def _by_variable(
    study: Study, best_of: Callable[[Study], Agreement], how: dict[str, Any], notes: tuple[str, ...] = ()
) -> Table:
    """One row per variable, with the coefficient that is recommended for it."""
    rows: list[dict[str, Any]] = []
    for name, part in study.tasks.items():
        about = {"variable": name, "answers": part.kind}
        try:
            result = best_of(part)
        except MeasureError as refusal:
            nothing = dict.fromkeys(("value", "maximum", "low", "high", "se", "observed", "expected"), np.nan)
            numbers = {"items": part.tally().n_compared, "annotators": part.n_annotators}
            unnamed = {"coefficient": "not measured", **dict.fromkeys(KEYS, "")}
            rows.append({**about, **unnamed, **nothing, **numbers, "undefined": str(refusal), WHY: None})
            continue
        rows.append({**about, **row_of(result, how)})
    title = f"with {percent(_confidence(how))} intervals" if not notes else "with simultaneous intervals"
    return of_rows(f"Agreement by variable, {title}", rows, (*notes, *_without_intervals(rows)))


def row_of(result: Agreement, how: dict[str, Any]) -> dict[str, Any]:
    """The columns of one coefficient."""
    span = result.interval(**how)
    return {
        "coefficient": result.title,
        "measure": result.measure,
        "level": _word(result.options.get("level")),
        "weights": _word(result.options.get("weights")),
        "value": result.value,
        "maximum": result.maximum,
        "low": span.low,
        "high": span.high,
        "se": math.nan if span.undefined else span.se,
        "observed": result.observed,
        "expected": result.expected,
        "items": result.n_items,
        "annotators": result.n_annotators,
        "undefined": result.undefined or "",
        WHY: None if result.undefined else span.undefined,
    }


def _word(option: Any) -> str:
    """A level or weights by name."""
    return option if isinstance(option, str) else "" if option is None else "own"


def _column(cells: list[Any]) -> Any:
    return (
        np.array(cells)
        if all(isinstance(cell, int | float) and not isinstance(cell, bool) for cell in cells)
        else cells
    )
