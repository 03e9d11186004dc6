"""Groups and variables: one row each, and whether they differ."""

from __future__ import annotations

import math

from accord.agreement.groups import parts
from accord.agreement.table_formats import as_html, as_markdown, cut, largest_rows, safe
from accord.reporting.context import GROUPS_SHOWN, Context, Section
from accord.reporting.figures import forest_or_table

MOST_COMPARED = 12  # groups whose differences are listed two by two
MANY = 6  # groups from which all intervals are to hold together: one of so many misses by chance in one study of four


def needs(context: Context) -> bool:
    """A column that makes groups, or several variables."""
    return context.by is not None or context.several


def build(context: Context) -> Section:
    """The recommended coefficient for each; of many, with intervals that hold all together."""
    main = context.main
    many = len(parts(main)) >= MANY
    whole = main.by_group(simultaneous=many)
    table = largest_rows(whole, "items", GROUPS_SHOWN, "are shown: those with the most items")
    name = table.columns[0]
    rows = [(str(row[name]), row["value"], row["low"], row["high"]) for row in table]
    queries = ({"variable": row[0]} if context.several else {"group": f"{context.by}:{row[0]}"} for row in rows)
    links = context.all_behind(queries)
    body = forest_or_table(rows, table.title, table, links=links)
    body += "".join(f"<p>{safe(note)}</p>" for note in table.notes)
    markdown = as_markdown(table)
    defined = sum(math.isfinite(value) for value in whole["value"])
    if defined >= 2 and len(whole) <= MOST_COMPARED:
        apart = main.differences(simultaneous=many)
        body += f"<details><summary>Differences two by two</summary>{as_html(apart)}</details>"
        markdown += "\n" + as_markdown(apart)
    title = "Variables" if context.several else f"Groups by {cut(str(context.by), 40)}"
    return Section("groups", title, body, markdown)
