"""Prodigy's JSON Lines, for `db-in`: choices with what was accepted, or spans."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from accord.workbench.after.final_gold import FinalItem
from accord.workbench.after.tools.sheet import GoldSheet, json_lines, refuse_scores

ENDING = ".jsonl"


def contents(sheet: GoldSheet) -> bytes:
    """A line per item; an undecided one is ignored.

    Raises:
        MeasureError: If the answers are scores, which Prodigy has no task for.
    """
    refuse_scores(sheet, "Prodigy")
    return json_lines(_lines(sheet))


def _lines(sheet: GoldSheet) -> Iterator[dict[str, Any]]:
    for item in sheet.items:
        meta = {"item": item.item, **sheet.beside(item)}
        line: dict[str, Any] = {
            "id": item.item,  # Prodigy makes its hashes when it takes the file, and leaves this alone
            "text": item.text,
            "meta": meta,
            "answer": "ignore" if item.answer is None else "accept",
        }
        if isinstance(item.item, int):  # what Prodigy's own export calls an item
            line["_input_hash"] = item.item
        yield {**line, **(_spans(sheet, item) if sheet.kind == "spans" else _choice(sheet, item))}


def _choice(sheet: GoldSheet, item: FinalItem) -> dict[str, Any]:
    options = [{"id": str(label), "text": str(label)} for label in sheet.labels]
    chosen = [str(label) for label in sheet.listed(item)]
    style = "single" if sheet.kind == "single" else "multiple"
    return {"options": options, "accept": chosen, "config": {"choice_style": style}, "_view_id": "choice"}


def _spans(sheet: GoldSheet, item: FinalItem) -> dict[str, Any]:
    spans = [{"start": one.start, "end": one.end, "label": str(one.label)} for one in sheet.units(item)]
    return {"spans": spans, "_view_id": "spans_manual"}
