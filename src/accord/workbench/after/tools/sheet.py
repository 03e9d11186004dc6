"""What every tool is told: the items with their answers, what kind these are, and the labels there are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from accord.annotations.answers import Kind, Label
from accord.options import ESCAPED
from accord.workbench.after.final_gold import FinalGold, FinalItem


@dataclass(frozen=True)
class MarkedSpan:
    """A unit of an answer: where it begins and ends, every piece of it, and its label."""

    pieces: tuple[int, ...]
    label: Label

    @property
    def start(self) -> int:
        """Where it begins."""
        return self.pieces[0]

    @property
    def end(self) -> int:
        """Where it ends, exclusive."""
        return self.pieces[-1]


@dataclass(frozen=True, eq=False)
class Sheet:
    """A gold for a tool."""

    kind: Kind
    labels: tuple[Label, ...]
    items: list[FinalItem]
    task: str = ""  # what the question was called, where the export says it

    @classmethod
    def of(cls, final: FinalGold) -> Sheet:
        """The gold of a bench."""
        study = final.bench.study
        return cls(study.kind, study.labels, final.items(), final.bench.view.task)

    def spans(self, item: FinalItem) -> list[MarkedSpan]:
        """The units of an item, in order."""
        found = [_span(part) for part in item.answer or []]
        return sorted(found, key=lambda span: (span.pieces, str(span.label)))

    def listed(self, item: FinalItem) -> list[Any]:
        """The labels of an item in a list; labels that share a rank one after the other."""
        answer = item.answer if isinstance(item.answer, list) else [] if item.answer is None else [item.answer]
        return [label for part in answer for label in (part if isinstance(part, list) else [part])]

    def beside(self, item: FinalItem) -> dict[str, Any]:
        """What is told of where an answer is from."""
        told = {"provenance": item.provenance, "by": item.by, "at": item.at, "rule": item.rule, "reason": item.reason}
        return {name: value for name, value in told.items() if value}


def _span(part: Any) -> MarkedSpan:
    """A unit as decisions write it, [[start, end, …], label], or as a gold does, (start, end, label)."""
    *places, label = part
    bounds = places[0] if len(places) == 1 else places
    return MarkedSpan(tuple(int(bound) for bound in bounds), label)


def json_lines(records: Iterator[dict[str, Any]]) -> bytes:
    """A record a line."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode("utf-8", ESCAPED)
