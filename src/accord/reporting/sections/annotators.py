"""Annotators: each with the others, and every two with each other."""

from __future__ import annotations

import math

import numpy as np

from accord import plots
from accord.reporting.context import MATRIX_PEOPLE, PEOPLE_SHOWN, Context, Section
from accord.reporting.figures import figure
from accord.reporting.tables import as_html, as_markdown, safe
from accord.result import Agreement
from accord.table import Table


def needs(context: Context) -> bool:
    """One variable, named annotators who answered an item once, and more than one of them."""
    study = context.study
    return not context.several and study.triples.named and not study.triples.repeated and study.n_annotators > 1


def build(context: Context) -> Section:
    """A ranking, and a matrix of pairs."""
    base = context.main
    table = base.by_annotator().sorted("value", descending=True)
    cut = _cut(table, PEOPLE_SHOWN)
    rows = [(row["annotator"], row["value"], row.get("low", math.nan), row.get("high", math.nan)) for row in cut]
    spoken = "; ".join(f"{name} {value:.2f}" for name, value, *_ in rows[:10] if math.isfinite(value))
    body = [figure("forest", (rows, f"{base.title}: each annotator with the others"), cut, spoken)]
    markdown = [as_markdown(cut)]
    if len(table) > PEOPLE_SHOWN:
        said = f"{PEOPLE_SHOWN} of {len(table):,} annotators are shown: those with the most answers."
        body.append(f'<p class="note">{safe(said)}</p>')
        markdown.append(said)
    pairs = _pairs(context, base)
    if pairs is not None:
        body.append(pairs[0])
        markdown.append(pairs[1])
    return Section("annotators", "Annotators", "".join(body), "\n".join(markdown))


def _cut(table: Table, most: int) -> Table:
    """The annotators with the most answers, still in order of their value."""
    if len(table) <= most:
        return table
    active = set(np.argsort(-table["answers"].astype(np.int64), kind="stable")[:most].tolist())
    order = [place for place in range(len(table)) if place in active]
    return Table(table.title, {name: table[name][order] for name in table.columns}, table.notes)


def _pairs(context: Context, base: Agreement) -> tuple[str, str] | None:
    people = context.study.n_annotators
    if people < 3:
        return None
    if people > MATRIX_PEOPLE:
        table = base.by_pair() if people <= 400 else None
        if table is None:
            return None
        lowest = table.sorted("value").head(20)
        told = f"The twenty pairs of annotators with the lowest value, of {len(table):,} pairs who met."
        return f"<p>{safe(told)}</p>{as_html(lowest, sortable=True)}", f"{told}\n\n{as_markdown(lowest)}"
    table = base.by_pair()
    names = [context.study.annotators[person] for person in context.study.present]
    parts = (plots.pair_cells(table, names), f"{base.title} by pair of annotators", "annotator", "annotator")
    values = [row["value"] for row in table if math.isfinite(row["value"])]
    spoken = f"Pairs run from {min(values):.2f} to {max(values):.2f}." if values else "No pair has a value."
    return figure("heat_map", parts, table, spoken), as_markdown(table)
