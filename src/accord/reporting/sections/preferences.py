"""Preferences: the order of the options in tiers, whose order is another, the place of an option, and circles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.agreement.chart_text import short
from accord.agreement.table_formats import as_html, as_markdown, marked, safe
from accord.errors import MeasureError
from accord.reporting.context import PEOPLE_SHOWN, Context, Section
from accord.reporting.figures import figure

if TYPE_CHECKING:
    from accord.agreement.table import Table
    from accord.consensus.preferences.strengths import BradleyTerry

FEWEST = 20  # comparisons of an annotator who is shown by name
OPTIONS_SHOWN = 60  # the strongest; the table has all of them
TITLE = "Strengths of options with 95% intervals; bands are tiers of options that cannot be told apart"
AXIS = "strength: log odds to be preferred to an average option"


def needs(context: Context) -> bool:
    """One variable of preferences, with something preferred."""
    return not context.several and context.study.compares and bool(context.study.n_annotations)


def build(context: Context) -> Section:
    """The order, then whether it is everybody's, then what else may have moved it; or why there is none."""
    try:
        html, markdown = _summary(context)
    except MeasureError as refusal:
        html, markdown = f"<p>{safe(str(refusal))}</p>", marked(str(refusal))
    return Section("preferences", "Options in order", html, markdown)


def _summary(context: Context) -> tuple[str, str]:
    from accord.consensus.preferences.bradley_terry import bradley_terry
    from accord.findings.preferences.circular import triads_table
    from accord.findings.preferences.position import position_of

    found = bradley_terry(context.study)
    text = found.sentence()
    html, markdown = [f"<p>{safe(text)}</p>", _order(context, found)], [marked(text), "", as_markdown(found.to_table())]
    tables: list[Table] = []
    if found.n_annotators > 1 and not found.undefined:
        tables.append(found.by_annotator().sorted("p"))
    position = position_of(context.study, fewest=FEWEST)
    tables += [] if position.undefined else [position.to_table()]
    triads = triads_table(context.study)
    tables += [triads] if sum(triads["triads"]) else []
    html.append(f"<p>{safe(str(position))}</p>")
    markdown += [marked(str(position)), ""]
    for table in tables:
        shown = table if len(table) <= PEOPLE_SHOWN + 1 else table.head(PEOPLE_SHOWN)
        html += [f"<h3>{safe(shown.title)}</h3>", as_html(shown, caption=False, sortable=len(shown) > 3)]
        markdown.append(as_markdown(shown))
    return "".join(html), "\n".join(markdown)


def _order(context: Context, found: BradleyTerry) -> str:
    """Drawn with tiers, or as a table where there are no strengths."""
    table = found.to_table()
    rows = found.rows_to_draw()[:OPTIONS_SHOWN]
    if not rows:
        return as_html(table)
    spoken = "; ".join(f"{short(name)} {value:z.2f}, tier {tier}" for name, value, _, _, tier in rows)
    links = context.all_behind({"option": name} for name, *_ in rows)
    return figure("strengths", (rows, TITLE, AXIS), table, spoken, links=links)
