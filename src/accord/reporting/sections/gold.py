"""A first gold standard: what the majority says, how clearly, and which items it leaves open."""

from __future__ import annotations

from collections import Counter

import numpy as np

from accord.consensus.deciding import gold
from accord.plots import binned
from accord.reporting.context import LABELS_SHOWN, Context, Section
from accord.reporting.figures import figure
from accord.reporting.tables import as_html, as_markdown, safe
from accord.table import Table


def needs(context: Context) -> bool:
    """One variable of single labels, and an item with two answers."""
    return not context.several and context.study.kind == "single" and bool(context.study.tally().pairable.any())


def build(context: Context) -> Section:
    """The majority: simple, the same every time, and what better methods are measured against."""
    found = gold(context.study, method="majority")
    decided, clear = found.decided, found.confidence
    number = int(decided.sum())
    told = (
        f"The majority decides {number:,} of {len(found):,} items; on the other {len(found) - number:,} no label has "
        "more answers than every other. Where annotators differ in skill, accord.gold weighs them."
    )
    labels = found.distribution()
    shown = labels if len(labels) <= LABELS_SHOWN else labels.sorted("items", descending=True).head(LABELS_SHOWN)
    body = [f"<p>{safe(told)}</p>", as_html(Table("Labels of decided items", shown.data, shown.notes))]
    markdown = [told, "", as_markdown(shown)]
    shares = Counter(np.round(clear[decided], 6).tolist())
    if shares:
        values, items = list(shares), list(shares.values())
        names = [f"{k / 10:.1f} to {(k + 1) / 10:.1f}" for k in range(10)]
        table = Table(
            "Decided items by the winner's share", {"share of answers": names, "items": binned(values, items)}
        )
        full = sum(times for share, times in shares.items() if share >= 1)
        spoken = f"{full:,} of {number:,} decided items have one label from everybody who answered."
        words = ("How clear the majority is", "share of an item's answers for the winning label", "decided items")
        body.append(figure("histogram", (values, items, *words), table, spoken))
        markdown.append(as_markdown(table))
    return Section("gold", "A first gold standard", "".join(body), "\n".join(markdown))
