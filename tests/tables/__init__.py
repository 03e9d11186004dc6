"""Published tables: one JSON file a table, with its source, its data once, and every figure printed about it.

A file is named after its paper: tests/published/test_zwick1988.py reads `zwick1988-1.json` and the others.

    source      who printed it, and where
    note        what to know about the data
    data_kind   ratings (items × annotators, null for missing), counts (items × labels),
                contingency (two annotators' table) or sets (items × annotators, each a list of labels)
    data        the table
    labels      the scale, where the data do not show it
    cases       what was printed: a measure with its options, for one label alone if `label` is given, and any
                of value, observed, expected, se, interval, p. `tolerance` is what the printing allows, one
                number for all or one for each. `printed` is what the source says where it is wrong or means
                something else
    indices     printed indices of skew and bias: an attribute of `prevalence_and_bias`, with `tolerance` for all
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import accord

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
PARTS = ("value", "observed", "expected", "se", "low", "high", "p")


@dataclass(frozen=True)
class Table:
    """One published table and the figures printed about it."""

    name: str
    source: str
    data_kind: str
    data: list[list[Any]]
    cases: list[dict[str, Any]]
    labels: list[Any] | None = None
    note: str | None = None
    indices: dict[str, float] = field(default_factory=dict)

    def study(self) -> accord.Study:
        """The table as accord reads it."""
        match self.data_kind:
            case "ratings":
                return accord.Study.from_wide(np.array(self.data, dtype=object), labels=self.labels)
            case "counts":
                return accord.Study.from_counts(np.array(self.data), labels=self.labels)
            case "contingency":
                return accord.Study.from_confusion(np.array(self.data), labels=self.labels)
            case "sets":
                return accord.Study.from_wide(as_sets(self.data), labels=self.labels, answers="set")
        raise ValueError(self.data_kind)

    def figures(self) -> Iterator[Figure]:
        """Every printed number by itself."""
        for case in self.cases:
            ends = dict(zip(("low", "high"), case.get("interval", ()), strict=False))
            for part in PARTS:
                printed = ends.get(part, case.get(part))
                if printed is not None:
                    slack = case["tolerance"]
                    yield Figure(self, case, part, printed, slack[part] if isinstance(slack, dict) else slack)


@dataclass(frozen=True)
class Figure:
    """One printed number, and how to compute it."""

    table: Table
    case: dict[str, Any] = field(repr=False)
    part: str
    figure: float
    tolerance: float

    def __str__(self) -> str:
        options = ", ".join(
            f"{name}={option if isinstance(option, str) else '...'}"
            for name, option in self.case.get("options", {}).items()
        )
        label = f" of {self.case['label']}" if "label" in self.case else ""
        return f"{self.table.name}: {self.case['measure']}({options}){label} {self.part}"

    def printed(self) -> Any:
        """The number with the slack that its printing leaves."""
        return pytest.approx(self.figure, abs=self.tolerance, rel=0)

    def computed(self) -> float:
        """The number from accord; errors, intervals and p-values in Gwet's published form."""
        options = dict(self.case.get("options", {}))
        if "label" in self.case:
            chance = options.pop("chance", None)
            result = getattr(accord, self.case["measure"])(self.table.study(), **options)
            (row,) = (row for row in result.by_label(chance=chance) if row["label"] == self.case["label"])
            return float(row[self.part])
        result = getattr(accord, self.case["measure"])(self.table.study(), **options)
        if self.part in ("se", "low", "high"):
            return float(getattr(result.interval(method="gwet"), self.part))
        if self.part == "p":
            return float(result.test(method="gwet").p)
        return float(getattr(result, self.part))


def as_sets(rows: list[list[list[Any]]]) -> np.ndarray[Any, np.dtype[Any]]:
    """Lists of labels as frozensets, one a cell."""
    cells = np.empty((len(rows), len(rows[0])), dtype=object)
    for i, row in enumerate(rows):
        for j, labels in enumerate(row):
            cells[i, j] = frozenset(labels)
    return cells


@cache
def load(name: str) -> Table:
    """The table of that name."""
    return Table(name=name, **json.loads((HERE / f"{name}.json").read_text(encoding="utf-8")))


def tables(paper: str | None = None) -> list[Table]:
    """All tables, or those of one paper: `<paper>.json` and `<paper>-<which>.json`."""
    names = sorted(path.stem for path in HERE.glob("*.json"))
    return [load(name) for name in names if paper is None or name == paper or name.startswith(f"{paper}-")]


def printed_in(paper: str) -> pytest.MarkDecorator:
    """The test runs once for every figure printed in the paper."""
    return pytest.mark.parametrize("figure", [f for table in tables(paper) for f in table.figures()], ids=str)
