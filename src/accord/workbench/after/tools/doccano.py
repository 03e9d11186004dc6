"""doccano's JSON Lines: a text a line with a list of labels, or of [start, end, label]."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from accord.workbench.after.tools.sheet import GoldSheet, json_lines, refuse_scores

ENDING = ".jsonl"


def contents(sheet: GoldSheet) -> bytes:
    """A line per item; an undecided one has no labels, and its provenance says so.

    Raises:
        MeasureError: If the answers are scores, which doccano has no project for.
    """
    refuse_scores(sheet, "doccano")
    return json_lines(_lines(sheet))


def _lines(sheet: GoldSheet) -> Iterator[dict[str, Any]]:
    for item in sheet.items:
        if sheet.kind == "spans":
            labels: list[Any] = [[one.start, one.end, str(one.label)] for one in sheet.units(item)]
        else:
            labels = [str(label) for label in sheet.listed(item)]
        yield {"id": item.item, "text": item.text, "label": labels, "Comments": [], **sheet.beside(item)}
