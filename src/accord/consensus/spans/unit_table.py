"""A gold of spans in tables: unit by unit, label by label, and what is open."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.agreement.table import Table
from accord.annotations.arrays import divide
from accord.consensus.spans.marked_units import UnitPlace

if TYPE_CHECKING:
    from accord.consensus.spans.span_gold import SpanGold

GOLD = "gold"  # the annotator of a gold that is read as a study
PERSON = "person"
PLACE = ("item", "start", "end", "label")
ROW = ("confidence", "votes", "answers", "source", "reason")
WHO = ("decided_by", "decided_at")
MEANING = {
    "posterior": "confidence: how likely it is that exactly this unit is there, under the model; votes: the share of "
    "those who saw the document who marked exactly it.",
    "vote share": "confidence: the share of votes for the unit, which is no probability that it is right.",
}


def unit_table(gold: SpanGold) -> Table:
    """One row per unit, and one for each item without units; a study of spans by the annotator "gold"."""
    rows = [(place.document, _row(gold, place, at)) for at, place in enumerate(gold.units)]
    held = set(gold.documents.tolist())
    rows += [(document, _empty(gold, document)) for document in range(len(gold)) if document not in held]
    rows.sort(key=lambda row: row[0])  # stable: units stay in order
    pieces = ["fragments"] if any(len(place.pieces) > 2 for place in gold.units) else []
    names = ("item", "annotator", "start", "end", *pieces, "label", *ROW, *(WHO if gold.unit_decisions else ()))
    columns = {name: [cells.get(name) for _, cells in rows] for name in names}
    return Table(f"Gold by {gold.title}", columns, (*gold.notes, MEANING[gold.confidence_is]))


def pieces_of(place: UnitPlace) -> str | None:
    """The pieces of a discontinuous unit, as brat writes them."""
    bounds = [f"{place.pieces[at]:g} {place.pieces[at + 1]:g}" for at in range(0, len(place.pieces), 2)]
    return ";".join(bounds) if len(bounds) > 1 else None


def _row(gold: SpanGold, place: UnitPlace, at: int) -> dict[str, Any]:
    decision = gold.unit_decisions.get(place)
    return {
        **gold.cells_of(place),
        "annotator": GOLD,
        "fragments": pieces_of(place),
        "confidence": float(gold.unit_confidence[at]),
        "votes": float(gold.unit_votes[at]),
        "answers": int(gold.seen[place.document]),
        "source": gold.method if decision is None else PERSON,
        "reason": gold.found.remarks.get(place, ""),
        "decided_by": "" if decision is None else decision.by,
        "decided_at": "" if decision is None else decision.at,
    }


def _empty(gold: SpanGold, document: int) -> dict[str, Any]:
    item = gold.study.items[document]
    return {
        "item": item, "annotator": GOLD, "confidence": math.nan, "votes": math.nan,
        "answers": int(gold.seen[document]), "source": gold.method if gold.decided[document] else "undecided",
        "reason": gold.reason(item) or "", "decided_by": "", "decided_at": "",
    }  # fmt: skip


def undecided_table(gold: SpanGold) -> Table:
    """The units that are open and the items that nobody answered, with the reasons."""
    rows = [{**gold.cells_of(place), "reason": gold.found.undecided[place]} for place in gold.open]
    unanswered = [gold.study.items[at] for at in np.nonzero(gold.seen == 0)[0].tolist()]
    rows += [{**dict.fromkeys(PLACE), "item": item, "reason": "nobody answered it"} for item in unanswered]
    return Table("Undecided", {name: [row[name] for row in rows] for name in (*PLACE, "reason")})


def distribution(gold: SpanGold) -> Table:
    """How many units got each label, and how many items hold none."""
    counts = np.bincount([place.label for place in gold.units], minlength=len(gold.study.labels))
    seen = int((gold.seen > 0).sum())
    empty = seen - len(set(gold.documents.tolist()))
    notes = (f"{empty:,} of {seen:,} items hold no unit.",) if empty else ()
    share = counts / len(gold.units) if gold.units else np.full(len(counts), np.nan)
    return Table("Distribution", {"label": list(gold.study.labels), "units": counts, "share": share}, notes)


def label_table(gold: SpanGold) -> Table:
    """The votes and the confidence behind the units of each label."""
    label = np.array([place.label for place in gold.units], dtype=np.int64)
    size = len(gold.study.labels)
    number = np.bincount(label, minlength=size)
    trusted = ~np.isnan(gold.unit_confidence)  # what a person decided has none
    sure = np.bincount(label[trusted], weights=gold.unit_confidence[trusted], minlength=size)
    columns: dict[str, Any] = {
        "label": list(gold.study.labels), "units": number,
        "votes": divide(np.bincount(label, weights=gold.unit_votes, minlength=size), number),
        "confidence": divide(sure, np.bincount(label[trusted], minlength=size)),
        "marked": np.bincount([place.label for place in gold.marked.places], minlength=size),
    }  # fmt: skip
    return Table("Votes behind the labels", columns)
