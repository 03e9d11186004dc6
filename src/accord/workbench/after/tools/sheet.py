"""What every tool is told: the items with their answers, what kind these are, and the labels there are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from accord.annotations.answers import Kind, Label
from accord.errors import MeasureError, remedy
from accord.options import ESCAPED
from accord.workbench.after.final_gold import FinalGold, FinalItem
from accord.workbench.span_units import MarkedUnit, in_order


@dataclass(frozen=True, eq=False)
class GoldSheet:
    """A gold for a tool."""

    kind: Kind
    labels: tuple[Label, ...]
    items: list[FinalItem]
    task: str = ""  # what the question was called, where the export says it

    @classmethod
    def of(cls, final: FinalGold) -> GoldSheet:
        """The gold of a bench."""
        study = final.bench.study
        return cls(study.kind, study.labels, final.items(), final.bench.view.task)

    def units(self, item: FinalItem) -> list[MarkedUnit]:
        """The units of an item, in order, at whole places."""
        return sorted((_unit(part) for part in item.answer or []), key=in_order)

    def listed(self, item: FinalItem) -> list[Any]:
        """The labels of an item in a list; labels that share a rank one after the other."""
        answer = item.answer if isinstance(item.answer, list) else [] if item.answer is None else [item.answer]
        return [label for part in answer for label in (part if isinstance(part, list) else [part])]

    def beside(self, item: FinalItem) -> dict[str, Any]:
        """What is told of where an answer is from."""
        cells = {"provenance": item.provenance, "by": item.by, "at": item.at, "rule": item.rule, "reason": item.reason}
        return {name: value for name, value in cells.items() if value}


def _unit(part: Any) -> MarkedUnit:
    """A unit as decisions write it, [[start, end, …], label], or as a gold does, (start, end, label)."""
    *places, label = part
    bounds = places[0] if len(places) == 1 else places
    return MarkedUnit(tuple(int(bound) for bound in bounds), label)


def refuse_scores(sheet: GoldSheet, tool: str) -> None:
    """Tools that label texts have nothing for numbers."""
    if sheet.kind == "score":
        raise MeasureError(f"Scores have no place in {tool}. Write a table: ", remedy(form="csv"), ".")


def json_lines(records: Iterator[dict[str, Any]]) -> bytes:
    """A record a line."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode("utf-8", ESCAPED)
