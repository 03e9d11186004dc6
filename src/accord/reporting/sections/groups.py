"""Groups and variables: one row each, and whether they differ."""

from __future__ import annotations

import math

from accord.reporting.context import Context, Section
from accord.reporting.figures import figure
from accord.reporting.tables import as_html, as_markdown

MOST_COMPARED = 12  # groups whose differences are listed two by two


def needs(context: Context) -> bool:
    """A column that makes groups, or several variables."""
    return context.by is not None or context.several


def build(context: Context) -> Section:
    """The recommended coefficient for each."""
    main = context.main
    table = main.by_group()
    name = table.columns[0]
    rows = [(str(row[name]), row["value"], row["low"], row["high"]) for row in table]
    spoken = "; ".join(f"{group} {value:.2f}" for group, value, *_ in rows if math.isfinite(value))
    body = figure("forest", (rows[:60], table.title), table, spoken)
    markdown = as_markdown(table)
    if 2 <= len(rows) <= MOST_COMPARED:
        apart = main.differences()
        body += f"<details><summary>Differences two by two</summary>{as_html(apart)}</details>"
        markdown += "\n" + as_markdown(apart)
    return Section("groups", "Variables" if context.several else f"Groups by {context.by}", body, markdown)
