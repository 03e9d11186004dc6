"""The queue of units that a person should look at, and their decisions read back in: yes takes a unit in, no out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.agreement.table import Table
from accord.annotations.majority_rule import EQUAL_DIGITS
from accord.consensus.adjudication import QueueSheet, check_length, place_of_item, rows_of
from accord.consensus.decision import Decision
from accord.consensus.label_names import NameLookup
from accord.consensus.queue_files import (
    DECIDED_AT,
    DECIDED_BY,
    FILL_IN,
    Row,
    blank,
    check_ending,
    kept_rows,
    write_queue,
)
from accord.consensus.spans.marked_units import UnitPlace
from accord.consensus.spans.unit_table import pieces_of
from accord.engine.whole_file import is_free
from accord.errors import InputError, LabelError, at_item, off_the_scale, quoted, remedy
from accord.spans.texts import texts_of_documents

if TYPE_CHECKING:
    from accord.consensus.spans.span_gold import SpanGold

YES, NO = ("yes", "y", "true", "1", "in"), ("no", "n", "false", "0", "out")
COLUMNS = (
    "item", "start", "end", "fragments", "label", "text", "in_gold", "confidence", "marked_by", "of", "annotators",
    "reason", "uncertainty", *FILL_IN,
)  # fmt: skip


def uncertainties(gold: SpanGold) -> dict[UnitPlace, float]:
    """Every unit that is in question: how likely what the gold says of it (in, or out) is wrong.

    A share of few votes tells less than the same share of many, so votes are drawn to one half by one yes and one no.
    """
    known = dict(zip(gold.units, gold.unit_confidence.tolist(), strict=True))
    found: dict[UnitPlace, float] = {}
    for place in {*gold.found.candidates, *gold.units, *gold.found.undecided} - set(gold.unit_decisions):
        there = known.get(place, gold.found.candidates.get(place, 0.5))
        if gold.confidence_is != "posterior":
            number = int(gold.seen[place.document])
            there = (there * number + 1) / (number + 2)
        found[place] = 1.0 if place in gold.found.undecided else 1 - there if place in known else there
    return found


def queue_of_units(gold: SpanGold, n: int, sheet: QueueSheet) -> Table:
    """The n most uncertain units, in order."""
    check_length(n)
    kept: list[Row] = []
    free = not sheet.force and sheet.path is not None and is_free(sheet.path)
    if sheet.path is not None:
        check_ending(sheet.path)
        kept = kept_rows(sheet.path, _NamedUnits(gold).decision, force=sheet.force)
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
        write_queue(table, kept, sheet.path, free=free)
    return table


def _words(document: str, pieces: tuple[float, ...]) -> str:
    return " … ".join(document[int(pieces[at]) : int(pieces[at + 1])] for at in range(0, len(pieces), 2))


def _row(gold: SpanGold, place: UnitPlace, loss: float, known: dict[UnitPlace, float]) -> dict[str, Any]:
    number, seen = gold.marked.number(place), int(gold.seen[place.document])
    reason = gold.found.undecided.get(place) or gold.found.remarks.get(place) or f"{number} of {seen} marked it"
    return {
        **gold.cells_of(place),
        "fragments": pieces_of(place),
        "in_gold": "yes" if place in known else "undecided" if place in gold.found.undecided else "no",
        "confidence": known.get(place, gold.found.candidates.get(place, np.nan)),
        "marked_by": number,
        "of": seen,
        "reason": reason,
        "uncertainty": loss,
        **dict.fromkeys(FILL_IN, ""),
    }


def with_decisions(gold: SpanGold, decisions: Any, by: str | None, at: str | None) -> SpanGold:
    """The gold with decisions merged in; later ones replace earlier ones of the same unit."""
    now = at or datetime.now(UTC).isoformat(timespec="seconds")
    units = _NamedUnits(gold)
    merged: dict[UnitPlace, Decision] = {}
    for row in rows_of(decisions):
        if blank(row.get("decision")):
            continue
        place = units.place(row)
        who = by if blank(row.get(DECIDED_BY)) else str(row[DECIDED_BY])
        if who is None:
            raise InputError(
                "Who decided item ", at_item(row["item"]), "? Fill in decided_by, or say ", remedy(by=...), "."
            )
        taken = _yes_or_no(row)
        if place in merged and merged[place].label != taken:
            raise InputError(
                "Two decisions of ",
                gold.named(place),
                " in item ",
                at_item(row["item"]),
                " contradict each other. Keep one.",
            )
        merged[place] = Decision(taken, who, now if blank(row.get(DECIDED_AT)) else str(row[DECIDED_AT]))
    return replace(gold, unit_decisions={**gold.unit_decisions, **merged})


def _yes_or_no(row: Row) -> bool:
    decision = str(row["decision"]).strip().lower()
    if decision in YES:
        return True
    if decision in NO:
        return False
    raise LabelError(
        "The decision of a unit is yes (it belongs into the gold) or no; that of item ",
        at_item(row["item"]),
        " is ",
        quoted(row["decision"]),
        ". Mend it.",
    )


@dataclass(frozen=True, eq=False)
class _NamedUnits:
    """The units that rows of a queue are about, found by what they say of item, place and label."""

    gold: SpanGold

    @cached_property
    def _items(self) -> NameLookup:
        return NameLookup(self.gold.study.items)

    @cached_property
    def _labels(self) -> NameLookup:
        return NameLookup(self.gold.study.labels)

    def place(self, row: Row) -> UnitPlace:
        """The unit; an error where the study has no such item or label, or the row no place."""
        document = place_of_item(self._items, row["item"])
        label = self._labels.place(row.get("label"))
        if label is None:
            parts = "The decision of item ", at_item(row["item"]), " is about ", quoted(row.get("label"))
            raise off_the_scale(self.gold.study.labels, *parts)
        bounds = _bounds(row)
        if len(bounds) < 2 or len(bounds) % 2:
            raise InputError(
                "A decision of item ", at_item(row["item"]), " does not say from where to where. Fill in start and end."
            )
        return UnitPlace(document, bounds, label)

    def decision(self, row: Row) -> Decision | None:
        """What the gold holds decided of the unit of a row; nothing where it has no such unit."""
        try:
            return self.gold.unit_decisions.get(self.place(row))
        except (InputError, LabelError):
            return None


def _bounds(row: Row) -> tuple[float, ...]:
    """Starts and ends of a unit's pieces in turn, as a row writes them; none where it does not."""
    pieces = f"{row.get('start')} {row.get('end')}" if blank(row.get("fragments")) else str(row["fragments"])
    try:
        return tuple(float(bound) for bound in pieces.replace(";", " ").split())
    except ValueError:
        return ()
