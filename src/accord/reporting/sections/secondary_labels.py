"""Primary and secondary labels: agreement over p, the four classes of items, and how secondaries are used."""

from __future__ import annotations

import math

from accord.agreement.table import Table
from accord.agreement.table_formats import as_html, as_markdown, marked, safe
from accord.reporting.context import ITEMS_SHOWN, Context, Section
from accord.reporting.figures import figure


def needs(context: Context) -> bool:
    """Primary and secondary labels of named annotators who answered an item once, and items that two answered."""
    study = context.study
    if context.several or study.kind != "ranked":
        return False
    if not study._annotations.named or study._annotations.repeated:
        return False
    return study.n_annotators > 1 and bool(study.tally().pairable.any())


def build(context: Context) -> Section:
    """Rosenberg and Binkowski's questions in their order."""
    from accord.multilabel import item_classes, p_curve, secondary_use

    curve, classes, use = p_curve(context.study), item_classes(context.study), secondary_use(context.study)
    over_p = curve.to_table()
    rows = [(row["p"], row["value"], row["low"], row["high"]) for row in over_p]
    text = curve.finding
    body, markdown = [f"<p>{safe(text)}</p>"], [marked(text), ""]
    words = ("Rosenberg–Binkowski kappa over p, 95% interval", "p: the share of the primary label", "kappa")
    drawable = any(math.isfinite(value) for _, value, *_ in rows)
    body.append(figure("curve", (rows, *words), over_p, text) if drawable else as_html(over_p))
    table = classes.to_table()
    body += ["<h3>Four classes of items</h3>", as_html(table)]
    listed = _items(classes.items)
    body.append(f"<details><summary>{safe(listed.title)}</summary>{as_html(listed, sortable=True)}</details>")
    tables = [use.by_annotator, use.by_label, use.combinations, use.orders]
    body += ["<h3>How the secondary label is used</h3>", *(as_html(part) for part in tables)]
    markdown += [as_markdown(part) for part in (over_p, table, *tables)]
    return Section("ranked", "Primary and secondary labels", "".join(body), "\n".join(markdown))


def _items(table: Table) -> Table:
    """The items and their class; where there are many, the first."""
    shown = table.head(ITEMS_SHOWN)
    notes = shown.notes
    if len(table) > ITEMS_SHOWN:
        notes = (*notes, f"{ITEMS_SHOWN} of {len(table):,} items are shown.")
    return Table(table.title, shown.data, notes)
