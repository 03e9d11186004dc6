"""Annotators: each with the others, and every two with each other."""

from __future__ import annotations

import math
from typing import Any

from accord.agreement import charts
from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.agreement.table_formats import as_html, as_markdown, largest_rows, marked, safe
from accord.errors import MeasureError, counted
from accord.reporting.context import MATRIX_PEOPLE, PAIRED_PEOPLE, PEOPLE_SHOWN, Context, Section
from accord.reporting.figures import figure

LOWEST_PAIRS = 20


def needs(context: Context) -> bool:
    """One variable, named annotators who answered an item once, and more than one of them."""
    study = context.study
    if context.several or not study._annotations.named or study._annotations.repeated or study.n_annotators < 2:
        return False
    return context.agreement.coefficient is not None


def build(context: Context) -> Section:
    """A ranking with intervals, and a matrix of pairs."""
    base = context.agreement
    table = base.by_annotator().sorted("value", descending=True)
    shown = largest_rows(table, "answers", PEOPLE_SHOWN, "annotators are shown: those with the most answers")
    rows = [(row["annotator"], row["value"], row["low"], row["high"]) for row in shown]
    spoken = "; ".join(f"{charts.short(name)} {value:.2f}" for name, value, *_ in rows[:10] if math.isfinite(value))
    text = _text(table)
    body, markdown = [f"<p>{safe(text)}</p>"], [marked(text), ""]
    if spoken:
        title = f"{base.title}: each annotator with the others, 95% intervals"
        body.append(figure("forest", (rows, title), shown, spoken))
    else:
        body.append(as_html(shown))
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


def _text(table: Table) -> str:
    """How far apart the annotators are, and whether one stands out from the rest by more than the intervals."""
    rows = [row for row in table if math.isfinite(row["value"])]
    if len(rows) < 2:
        return "No two annotators can be compared."
    best, worst = rows[0], rows[-1]
    between = f"from {_who(worst)} to {_who(best)}"
    apart = "do not overlap" if worst["high"] < best["low"] else "overlap"
    sure = f"; the intervals of the two {apart}" if math.isfinite(worst["high"] + best["low"]) else ""
    return f"Agreement with the others runs {between}{sure}."


def _who(row: dict[str, Any]) -> str:
    return f"{row['value']:.2f} ({charts.short(row['annotator'], 60)}, {counted(row['answers'], 'answers')})"


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
        text = (
            f"The {len(lowest)} pairs of annotators with the lowest value, of {len(table):,} pairs with common items."
        )
        return f"<p>{safe(text)}</p>{as_html(lowest, sortable=True)}", f"{text}\n\n{as_markdown(lowest)}"
    names = [context.study.annotators[person] for person in context.study._present]
    parts = (charts.pair_cells(table, names), f"{base.title} by pair of annotators", "annotator", "annotator")
    values = [row["value"] for row in table if math.isfinite(row["value"])]
    spoken = f"Pairs run from {min(values):.2f} to {max(values):.2f}." if values else "No pair has a value."
    return figure("heat_map", parts, table, spoken), as_markdown(table)
