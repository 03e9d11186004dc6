"""The queue of units that a person should look at, and their decisions read back in: yes takes a unit in, no out."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.agreement.table import Table
from accord.annotations.majority import EQUAL_DIGITS
from accord.consensus.adjudication import Sheet, check_length, rows_of
from accord.consensus.gold import Decision
from accord.consensus.label_names import Names
from accord.consensus.queue_files import (
    DECIDED_AT,
    DECIDED_BY,
    Row,
    blank,
    check_ending,
    decisions_in,
    would_be_lost,
    write_queue,
)
from accord.consensus.spans.unit_table import pieces_of
from accord.consensus.spans.units import Place
from accord.errors import InputError, LabelError, listing, remedy
from accord.spans.texts import texts_of_documents

if TYPE_CHECKING:
    from accord.consensus.spans.span_gold import SpanGold

YES, NO = ("yes", "y", "true", "1", "in"), ("no", "n", "false", "0", "out")
FILL_IN = ("decision", DECIDED_BY, DECIDED_AT)
COLUMNS = (
    "item", "start", "end", "fragments", "label", "text", "in_gold", "confidence", "marked_by", "of", "annotators",
    "reason", "uncertainty", *FILL_IN,
)  # fmt: skip


def uncertainties(gold: SpanGold) -> dict[Place, float]:
    """Every unit that is in question: how likely what the gold says of it (in, or out) is wrong.

    A share of few votes tells less than the same share of many, so votes are drawn to one half by one yes and one no.
    """
    known = dict(zip(gold.units, gold.unit_confidence.tolist(), strict=True))
    found: dict[Place, float] = {}
    for place in {*gold.found.candidates, *gold.units, *gold.found.undecided} - set(gold.unit_decisions):
        there = known.get(place, gold.found.candidates.get(place, 0.5))
        if gold.confidence_is != "posterior":
            number = int(gold.seen[place.document])
            there = (there * number + 1) / (number + 2)
        found[place] = 1.0 if place in gold.found.undecided else 1 - there if place in known else there
    return found


def queue_of_units(gold: SpanGold, n: int, sheet: Sheet) -> Table:
    """The n most uncertain units, in order."""
    check_length(n)
    kept: list[Row] = []
    if sheet.path is not None:
        check_ending(sheet.path)
        kept = _kept(gold, sheet)
    loss = uncertainties(gold)
    order = sorted((place for place in loss if loss[place] > 0), key=lambda p: (-round(loss[p], EQUAL_DIGITS), p))[:n]
    known = dict(zip(gold.units, gold.unit_confidence.tolist(), strict=True))
    rows = [_row(gold, place, loss[place], known) for place in order]
    texts = texts_of_documents(gold.study).text if sheet.show_text else ()
    for row, place in zip(rows, order, strict=True):
        document = texts[place.document] if texts else None
        row["text"] = None if document is None else _words(document, place.pieces)
        row["annotators"] = ", ".join(sorted(gold.continuum.annotators[who] for who in gold.people(place)))
    shown = {
        "text": any(row["text"] is not None for row in rows),
        "annotators": sheet.show_annotators,
        "fragments": any(len(place.pieces) > 2 for place in order),
    }
    names = [name for name in COLUMNS if shown.get(name, True)]
    table = Table("Units to decide", {name: [row[name] for row in rows] for name in names})
    if sheet.path is not None:
        write_queue(table, kept, sheet.path)
    return table


def _words(document: str, pieces: tuple[float, ...]) -> str:
    return " … ".join(document[int(pieces[at]) : int(pieces[at + 1])] for at in range(0, len(pieces), 2))


def _row(gold: SpanGold, place: Place, loss: float, known: dict[Place, float]) -> dict[str, Any]:
    number, seen = gold.marked.number(place), int(gold.seen[place.document])
    said = gold.found.undecided.get(place) or gold.found.remarks.get(place) or f"{number} of {seen} marked it"
    return {
        **gold.cells_of(place),
        "fragments": pieces_of(place),
        "in_gold": "yes" if place in known else "undecided" if place in gold.found.undecided else "no",
        "confidence": known.get(place, gold.found.candidates.get(place, np.nan)),
        "marked_by": number,
        "of": seen,
        "reason": said,
        "uncertainty": loss,
        **dict.fromkeys(FILL_IN, ""),
    }


def _kept(gold: SpanGold, sheet: Sheet) -> list[Row]:
    """The decisions in the file that the gold has too; an error where others would be lost."""
    assert sheet.path is not None
    rows = decisions_in(sheet.path)
    kept = []
    for row in rows:
        decision = gold.unit_decisions.get(_place_in(gold, row))
        if decision is None and not sheet.force:
            raise would_be_lost(sheet.path, len(rows))
        if decision is not None:
            kept.append({**row, DECIDED_BY: decision.by, DECIDED_AT: decision.at})
    return kept


def with_decisions(gold: SpanGold, decisions: Any, by: str | None, at: str | None) -> SpanGold:
    """The gold with decisions merged in; later ones replace earlier ones of the same unit."""
    now = at or datetime.now(UTC).isoformat(timespec="seconds")
    merged: dict[Place, Decision] = {}
    for row in rows_of(decisions):
        if blank(row.get("decision")):
            continue
        place = _place_in(gold, row)
        who = by if blank(row.get(DECIDED_BY)) else str(row[DECIDED_BY])
        if who is None:
            raise InputError(f"Who decided item {row['item']!r}? Fill in decided_by, or say ", remedy(by=...), ".")
        taken = _yes_or_no(row)
        if place in merged and merged[place].label != taken:
            raise InputError(
                f"Two decisions of {gold.named(place)} in item {row['item']!r} contradict each other. Keep one."
            )
        merged[place] = Decision(taken, who, now if blank(row.get(DECIDED_AT)) else str(row[DECIDED_AT]))
    return replace(gold, unit_decisions={**gold.unit_decisions, **merged})


def _yes_or_no(row: Row) -> bool:
    said = str(row["decision"]).strip().lower()
    if said in YES:
        return True
    if said in NO:
        return False
    raise LabelError(
        f"The decision of a unit is yes (it belongs into the gold) or no; that of item {row['item']!r} is "
        f"{row['decision']!r}. Mend it."
    )


def _place_in(gold: SpanGold, row: Row) -> Place:
    """The unit that a row of a queue is about."""
    document = Names(gold.study.items).place(row["item"])
    if document is None:
        raise InputError(
            f"A decision names item {row['item']!r}, which the study does not have. Mend its name, or take it out."
        )
    label = Names(gold.study.labels).place(row.get("label"))
    if label is None:
        raise LabelError(
            f"The decision of item {row['item']!r} is about {row.get('label')!r}, which the scale "
            f"{listing(gold.study.labels)} does not hold. Mend it."
        )
    try:
        pieces = str(row.get("fragments") or "").strip() or f"{row['start']} {row['end']}"
        bounds = tuple(float(bound) for bound in pieces.replace(";", " ").split())
    except (KeyError, ValueError):
        bounds = ()
    if len(bounds) < 2:
        raise InputError(f"A decision of item {row['item']!r} does not say from where to where. Fill in start and end.")
    return Place(document, bounds, label)
