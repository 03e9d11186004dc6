"""Several labels at once: A_m by pair and by item, and where sets differ (Bhowmick's tables and figures)."""

from __future__ import annotations

import numpy as np

from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.agreement.table_formats import as_html, as_markdown, safe
from accord.measures.bhowmick import bhowmick_am
from accord.measures.registered import MEASURES
from accord.reporting.context import LABELS_SHOWN, MATRIX_PEOPLE, PEOPLE_SHOWN, Context, Section
from accord.reporting.figures import figure

MOST_PAIRS_SHOWN = 40  # of annotators, in Tables 2 and 4
CONFUSIONS_SHOWN = 20


def needs(context: Context) -> bool:
    """Set answers by named annotators who answered an item once, on two labels or more."""
    study = context.study
    if context.several or study.kind != "set" or not study._annotations.named or study._annotations.repeated:
        return False
    return study.n_annotators > 1 and len(study.labels) > 1 and bool(study.tally().pairable.any())


def build(context: Context) -> Section:
    """A_m beside the others, then where the sets differ."""
    from accord.multilabel import (
        disagreement_by_label,
        label_confusion,
        label_distribution,
        observed_distribution,
        set_measures,
    )

    study = context.study
    compared = _titled(set_measures(study))
    body = ["<h3>Measures for sets side by side</h3>", as_html(compared)]
    markdown = [as_markdown(compared)]
    found = context.measured(bhowmick_am)
    tables: list[Table] = [] if found is None else _of_am(context, found)
    distribution = observed_distribution(study)
    confused = _largest(label_confusion(study).sorted("count", descending=True), CONFUSIONS_SHOWN)
    tables += [distribution, confused]
    if study.n_annotators <= MATRIX_PEOPLE and len(study.labels) <= LABELS_SHOWN:
        tables.append(disagreement_by_label(study))
    if study.n_annotators <= PEOPLE_SHOWN:
        tables.append(label_distribution(study))
    if 2 <= len(study.labels) <= LABELS_SHOWN:
        body.append(_confusion(context, label_confusion(study)))
    for table in tables:
        body += [f"<h3>{safe(table.title)}</h3>", as_html(table, caption=False, sortable=len(table) > 3)]
        markdown += [as_markdown(table)]
    return Section("sets", "Several labels at once", "".join(body), "\n".join(markdown))


def _titled(table: Table) -> Table:
    """Measures under their titles."""
    titles = [MEASURES[name].title if name in MEASURES else name for name in table["measure"]]
    return Table(table.title, {**table.data, "measure": titles}, table.notes)


def _of_am(context: Context, found: Agreement) -> list[Table]:
    """Table 2: every pair of annotators."""
    if context.study.n_annotators > PEOPLE_SHOWN or found.undefined:
        return []
    return [_largest(found.by_pair(), MOST_PAIRS_SHOWN)]


def _largest(table: Table, most: int) -> Table:
    """The rows that count most things, where there are many."""
    counts = next((name for name in ("count", "times", "items", "disagreements") if name in table.columns), None)
    if len(table) <= most or counts is None:
        return table.head(most) if len(table) > most else table
    order = np.argsort(-table[counts].astype(np.float64), kind="stable")[:most].tolist()
    note = f"{most} of {len(table):,} rows are shown: those with the most {counts}."
    return Table(table.title, {name: table[name][order] for name in table.columns}, (*table.notes, note))


def _confusion(context: Context, table: Table) -> str:
    """Figure 2: where one annotator has the row and not the column, and the other the column and not the row."""
    most = max((row["count"] for row in table), default=0)
    if not most:
        return "<p>No label is ever given in place of another.</p>"
    cells = []
    for row in table:
        for one, other in ((row["first"], row["second"]), (row["second"], row["first"])):
            cells.append((str(one), str(other), row["count"] / most, f"{row['count']:,}" if row["count"] else ""))
    top = max(table, key=lambda row: row["count"])
    spoken = f"{top['first']} and {top['second']} are given in place of each other most often: {top['count']:,} times."
    words = ("Labels given in place of each other, pairs of answers", "label of the other", "label of one")
    links = context.all_behind({"labels": cell[:2]} for cell in cells)
    return figure("heat_map", (cells, *words), table, spoken, links=links)
