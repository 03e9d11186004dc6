"""A first gold standard: its labels (for sets, Bhowmick's Figure 3), how clear it is, and what it leaves open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from accord.agreement.count_charts import bin_names, binned
from accord.agreement.table import Table
from accord.agreement.table_formats import as_html, as_markdown, safe
from accord.annotations.arrays import BoolArray
from accord.consensus.gold import Gold, GoldKind
from accord.consensus.item_table import why
from accord.engine import lazy_annotations
from accord.errors import Message, counted, in_python
from accord.reporting.context import LABELS_SHOWN, Context, Section
from accord.reporting.figures import figure
from accord.reporting.item_query import ALL_ITEMS, tenths

UNDECIDED_SHOWN = 10


def needs(context: Context) -> bool:
    """One variable of single labels or of sets by named annotators, and an item with two answers."""
    return context.gold is not None


@dataclass(frozen=True)
class _Words:
    """What is said of the gold of a kind of answers."""

    begin: Callable[[Context, Gold], str]
    counted: str = "items"  # the column of the distribution
    bars: str = "decided items"
    by_item: bool = True  # has an item one answer, which its annotators share or not?


def build(context: Context) -> Section:
    """The majority, or for sets Bhowmick's expert index: simple, and what better methods are measured against."""
    found = context.gold
    assert found is not None
    words = WORDS[found.kind]
    text, labels = words.begin(context, found), found.distribution()
    if context.query != ALL_ITEMS:  # its note counts items that nobody asks for
        labels = Table(labels.title, labels.data)
    shown = labels if len(labels) <= LABELS_SHOWN else labels.sorted(words.counted, descending=True).head(LABELS_SHOWN)
    rows = [(str(row["label"]), int(row[words.counted])) for row in shown]
    spoken = "; ".join(f"{label} {number:,}" for label, number in rows)
    links = context.all_behind({"gold": label} for label, _ in rows)
    chart = figure("bars", (rows, "Labels of the gold standard", words.bars), shown, spoken, links=links)
    body = [f"<p>{safe(text)}</p>", chart]
    markdown = [text, "", as_markdown(shown)]
    small = not found.stays_in_engine or context.study.n_annotations <= lazy_annotations.MOST_ROWS
    for shown_part, written in _by_item(context, found) if words.by_item and small else ():
        body.append(shown_part)
        markdown.append(written)
    return Section("gold", "A first gold standard", "".join(body), "\n".join(markdown))


def _of_labels(context: Context, found: Gold) -> str:
    number, total = found.n_decided, _n_items(context, found)
    return Message(
        f"The majority decides {number:,} of {total:,} items; on the other {total - number:,} no label "
        "has more answers than every other. Where annotators differ in skill, ",
        in_python("accord.gold", "`accord gold`"),
        " weighs them.",
    )


def _of_sets(context: Context, found: Gold) -> str:
    return (
        "Label by label, the majority and, where it is split, the annotators with the higher expert index (Bhowmick et "
        f"al. 2008) decide {found.n_decided:,} of {_n_items(context, found):,} items."
    )


def _of_spans(context: Context, found: Gold) -> str:
    units = int(found.distribution()["units"].sum())
    return Message(
        f"At least half of those who saw a document marked {counted(units, 'units')}, in "
        f"{counted(_n_items(context, found), 'items')}. ",
        *(part for note in found.notes for part in (note, " ")),
        in_python("accord.gold", "`accord gold`"),
        " also decides by models of how each annotator marks, and lists the units that a person should look at.",
    )


WORDS: dict[GoldKind, _Words] = {
    "single": _Words(_of_labels),
    "set": _Words(_of_sets),
    "spans": _Words(_of_spans, counted="units", bars="units", by_item=False),
}


def _by_item(context: Context, found: Gold) -> Iterator[tuple[str, str]]:
    """What needs a look at every item: how clear the decided ones are, and what is left of the others."""
    shares = Counter(np.round(found.confidence[found.decided], 6).tolist())
    if shares:
        values, items = list(shares), list(shares.values())
        table = Table(
            "Decided items by the winner's share", {"share of answers": bin_names(), "items": binned(values, items)}
        )
        full = sum(times for share, times in shares.items() if share >= 1)
        spoken = f"{full:,} of {found.n_decided:,} decided items have one label from everybody who answered."
        words = ("How clear the majority is", "share of an item's answers for the winning label", "decided items")
        links = context.all_behind({"confidence": span} for span in tenths())
        yield figure("histogram", (values, items, *words), table, spoken, links=links), as_markdown(table)
    places = np.nonzero(~found.decided & _in_report(context, found))[0]
    if len(places):
        more = f"The first {UNDECIDED_SHOWN} of {len(places):,}." if len(places) > UNDECIDED_SHOWN else ""
        first, held = places[:UNDECIDED_SHOWN].tolist(), found.in_memory
        names = [held.study.items[place] for place in first]
        reasons = [why(held, place) for place in first]
        shown = Table("Undecided items", {"item": names, "reason": reasons}, (more,) if more else ())
        yield as_html(shown), as_markdown(shown)


def _n_items(context: Context, found: Gold) -> int:
    """How many items the report is about."""
    return len(found) if context.query == ALL_ITEMS else int(_in_report(context, found).sum())


def _in_report(context: Context, found: Gold) -> BoolArray:
    """(items,): those that the report is about; of a part of a study, the ones that were answered in it."""
    if context.query == ALL_ITEMS:
        return np.ones(len(found), dtype=np.bool_)
    answered = np.zeros(len(found), dtype=np.bool_)
    answered[context.study._annotations.rows[0]] = True
    return answered
