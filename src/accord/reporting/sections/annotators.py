"""Annotators: each with the others, the lowest first, and every two with each other."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np

from accord.agreement.chart_text import short
from accord.agreement.count_charts import bin_names, binned, pair_cells
from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.agreement.table_formats import RowMarks, as_html, as_markdown, marked, safe
from accord.errors import MeasureError, counted
from accord.reporting.context import MATRIX_PEOPLE, PAIRED_PEOPLE, PEOPLE_SHOWN, Context, Section
from accord.reporting.figures import figure, forest_or_table
from accord.reporting.links import findings_about, row_marks
from accord.reporting.seriation import side_by_side

LOWEST_PAIRS = 20
LOWEST_PEOPLE = 25  # of a crowd; the other places go to people from the rest of the range
BINS = 20


def needs(context: Context) -> bool:
    """One variable, and more than one annotator, by name."""
    study = context.study
    if context.several or not study._annotations.named or study.n_annotators < 2:
        return False
    return context.agreement.coefficient is not None


def build(context: Context) -> Section:
    """A ranking with intervals, how all are spread where they are many, and a matrix of pairs."""
    base = context.agreement
    try:
        table = base.by_annotator().sorted("value")
    except MeasureError as refusal:  # too many who met: said, not hidden
        return Section("annotators", "Annotators", f'<p class="note">{safe(refusal)}</p>', marked(str(refusal)))
    shown = shown_annotators(table)
    text = _text(table)
    body, markdown = [f"<p>{safe(text)}</p>"], [marked(text), ""]
    if len(shown) < len(table):
        drawn, bins = _spread(context, table)
        body.append(drawn)
        markdown.append(as_markdown(bins))
    body.append(_ranking(context, base, shown))
    body += [f'<p class="note">{safe(note)}</p>' for note in shown.notes]
    markdown.append(as_markdown(shown))
    try:
        pairs = _pairs(context, base)
    except MeasureError as refusal:  # too many pairs at a numeric level: said, not hidden
        pairs = (f'<p class="note">{safe(refusal)}</p>', str(refusal))
    if pairs is not None:
        body.append(pairs[0])
        markdown.append(pairs[1])
    return Section("annotators", "Annotators", "".join(body), "\n".join(markdown))


def shown_annotators(table: Table, most: int = PEOPLE_SHOWN, lowest: int = LOWEST_PEOPLE) -> Table:
    """Everybody; of a crowd those who are low for sure, and others from the rest of the range, evenly.

    Low for sure are those whose intervals end lowest: somebody with three answers may have any value.
    """
    if len(table) <= most:
        return table
    high, value = (table[name].astype(np.float64) for name in ("high", "value"))
    end = np.where(np.isfinite(high), high, np.where(np.isfinite(value), np.inf, np.nan))
    first = np.lexsort((value, end))[:lowest]
    rest = np.setdiff1d(np.flatnonzero(np.isfinite(value)), first)
    others = (
        rest[np.unique(np.linspace(0, len(rest) - 1, most - lowest).round().astype(np.int64))] if len(rest) else rest
    )
    order = np.sort(np.concatenate((first, others))).tolist()
    note = (
        f"{len(order)} of {len(table):,} annotators are shown: the {lowest} whose intervals end lowest, and "
        f"{len(others)} of the others, evenly from the lowest value to the highest."
    )
    return Table(table.title, {name: table[name][order] for name in table.columns}, (*table.notes, note))


def _ranking(context: Context, base: Agreement, shown: Table) -> str:
    """The lowest at the top."""
    place = {name: number for number, name in enumerate(context.study.annotators)}
    places = [place[name] for name in shown["annotator"]]
    marks = row_marks(context, "annotators", places)
    rows = [(row["annotator"], row["value"], row["low"], row["high"]) for row in shown]
    title = f"{base.title}: each annotator with the others, 95% intervals"
    links = context.all_behind({"annotators": (name,), "agree": "no"} for name, *_ in rows)
    return forest_or_table(rows, title, shown, marks, links=links) + findings_about(context, "annotators", places)


def _spread(context: Context, table: Table) -> tuple[str, Table]:
    """How the values of all annotators are spread; each bar leads to the items that those in it answered."""
    values = [value for value in table["value"].astype(np.float64).tolist() if math.isfinite(value)]
    span = (-1.0, 1.0) if min(values, default=0.0) < 0 else (0.0, 1.0)
    ones = [1] * len(values)
    names = bin_names(BINS, span, ".2f")
    bins = Table("Annotators by their value", {"value": names, "annotators": binned(values, ones, BINS, span)})
    middle = float(np.median(values)) if values else math.nan
    spoken = f"{len(values):,} annotators; half of them are below {middle:z.2f}."
    words = (f"{context.agreement.title} with the others, all annotators", "agreement (1 is perfect)", "annotators")
    ends = [-math.inf, *np.linspace(*span, BINS + 1)[1:].tolist()]
    links = context.all_behind({"with_others": (low, high)} for low, high in pairwise(ends))
    return figure("histogram", (values, ones, *words), bins, spoken, bins=BINS, span=span, links=links), bins


def _text(table: Table) -> str:
    """How far apart the annotators are, and whether one stands out from the rest by more than the intervals."""
    rows = [row for row in table if math.isfinite(row["value"])]
    if len(rows) < 2:
        return "No two annotators can be compared."
    worst, best = rows[0], rows[-1]
    between = f"from {_who(worst)} to {_who(best)}"
    apart = "do not overlap" if worst["high"] < best["low"] else "overlap"
    sure = f"; the intervals of the two {apart}" if math.isfinite(worst["high"] + best["low"]) else ""
    return f"Agreement with the others runs {between}{sure}."


def _pair(row: dict[str, Any]) -> tuple[str, str]:
    return row["first"], row["second"]


def _who(row: dict[str, Any]) -> str:
    return f"{row['value']:z.2f} ({short(row['annotator'], 60)}, {counted(row['answers'], 'answers')})"


def _pairs(context: Context, base: Agreement) -> tuple[str, str] | None:
    """A matrix for a few, the lowest pairs for many, a word for a crowd."""
    people = context.study.n_annotators
    if people < 3:
        return None
    if people > PAIRED_PEOPLE:
        note = f"Pairs are not compared one by one among more than {PAIRED_PEOPLE} annotators."
        return f'<p class="note">{note}</p>', note
    table = base.by_pair()
    if people > MATRIX_PEOPLE:
        lowest = table.sorted("value").head(LOWEST_PAIRS)
        marks = RowMarks(leads=context.all_behind({"annotators": _pair(row), "agree": "no"} for row in lowest))
        text = (
            f"The {len(lowest)} pairs of annotators with the lowest value, of {len(table):,} pairs with common items."
        )
        return f"<p>{safe(text)}</p>{as_html(lowest, sortable=True, marks=marks)}", f"{text}\n\n{as_markdown(lowest)}"
    names = side_by_side(table, [context.study.annotators[person] for person in context.study._present])
    title = f"{base.title} by pair; those who agree stand side by side"
    cells = pair_cells(table, names)
    links = context.all_behind(
        None if cell[0] == cell[1] else {"annotators": cell[:2], "agree": "no"} for cell in cells
    )
    parts = (cells, title, "annotator", "annotator")
    values = [row["value"] for row in table if math.isfinite(row["value"])]
    spoken = f"Pairs run from {min(values):z.2f} to {max(values):z.2f}." if values else "No pair has a value."
    return figure("heat_map", parts, table, spoken, links=links), as_markdown(table)
