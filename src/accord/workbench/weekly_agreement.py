"""Agreement week by week, where the study says when answers were given: an item counts in the week of its last one."""

from __future__ import annotations

import math
from datetime import date

import numpy as np

from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.agreement.table_formats import as_html, as_markdown, safe
from accord.annotations.arrays import IntArray
from accord.errors import MeasureError, counted
from accord.reporting.context import Context, Section
from accord.reporting.figures import figure
from accord.reporting.study_date import week_of_items

MOST_WEEKS = 52  # the latest


def week_by_week(context: Context) -> Section | None:
    """The recommended coefficient of each week's items; None where there are no two weeks to compare."""
    weeks = None if context.several else week_of_items(context.study)
    if weeks is None or context.agreement.coefficient is None:
        return None
    mondays = np.unique(weeks[weeks > 0])
    if len(mondays) < 2:
        return None
    table = _table(context.agreement, weeks, mondays[-MOST_WEEKS:].tolist())
    rows = [(row["week_of"], row["value"], row["low"], row["high"]) for row in table]
    known = [(week, value) for week, value, *_ in rows if math.isfinite(value)]
    if not known:
        text = "No week has a value."
        return Section("weeks", "Week by week", f"<p>{text}</p>{as_html(table)}", f"{text}\n\n{as_markdown(table)}")
    text = f"From {known[0][1]:.2f} in the week of {known[0][0]} to {known[-1][1]:.2f} in the week of {known[-1][0]}."
    if len(mondays) > MOST_WEEKS:
        text += f" The last {MOST_WEEKS} of {counted(len(mondays), 'weeks')}."
    links = context.all_behind({"week": week} for week, *_ in rows)
    title = f"{context.agreement.title} of the items that were finished in each week, 95% intervals"
    drawn = figure("forest", (rows, title), table, text, links=links)
    return Section("weeks", "Week by week", f"<p>{safe(text)}</p>{drawn}", f"{text}\n\n{as_markdown(table)}")


def _table(main: Agreement, weeks: IntArray, mondays: list[int]) -> Table:
    """One row per week: how many items it finished, and their agreement."""
    study = main.study
    item = study._annotations.rows[0]
    rows: list[tuple[str, int, float, float, float, str]] = []
    for monday in mondays:
        name = str(date.fromordinal(monday))
        number = int((weeks == monday).sum())
        try:
            part = main.recipe.of_part(main, study._where(weeks[item] == monday))
        except MeasureError as refusal:  # this week cannot be measured; others can
            rows.append((name, number, math.nan, math.nan, math.nan, str(refusal)))
            continue
        low, high = part.interval() if not part.undefined else (math.nan, math.nan)
        rows.append((name, number, part.value, low, high, part.undefined or ""))
    names = ("week_of", "items", "value", "low", "high", "note")
    return Table("Agreement week by week", {name: [row[at] for row in rows] for at, name in enumerate(names)})
