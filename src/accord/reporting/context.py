"""What every section of a report may ask for: the study, its results, and what may be shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from accord.measuring import measure
from accord.result import Agreement, Measurements
from accord.study import Study

ITEMS_SHOWN = 200  # contested items listed in full
PEOPLE_SHOWN = 40  # annotators listed, the most active first
MATRIX_PEOPLE = 16  # annotators in a matrix of pairs
LABELS_SHOWN = 24
TEXT_SHOWN = 600  # characters of an item's text


@dataclass(frozen=True, eq=False)
class Context:
    """One report: the study, what was asked, and results computed once."""

    study: Study
    title: str = "Agreement report"
    benchmark: str = "landis-koch"
    by: str | None = None
    options: dict[str, Any] = field(default_factory=dict)  # weights, level
    show_text: bool = True
    anonymised: bool = False
    source: str = ""
    command: str = ""

    @cached_property
    def measurements(self) -> Measurements:
        """Every coefficient that fits."""
        return measure(self.study, by=self.by, **self.options)

    @property
    def main(self) -> Agreement:
        """The recommended coefficient."""
        return self.measurements.recommended

    @property
    def several(self) -> bool:
        """Does the study hold several variables?"""
        return bool(self.study.tasks)

    @cached_property
    def texts(self) -> dict[Any, str]:
        """The text of each item, where the study has one and it may be shown."""
        name = self.study.roles.get("text")
        if name is None or not self.show_text or self.several:
            return {}
        column = self.study.column(name)
        items = self.study.triples.rows[0]
        found: dict[Any, str] = {}
        for item, code in zip(items.tolist(), column.codes.tolist(), strict=True):
            if code >= 0:
                found.setdefault(self.study.items[item], str(column.values[code]))
        return found


@dataclass(frozen=True)
class Section:
    """One part of the page: its anchor, its heading, its body as HTML, and the same in Markdown."""

    key: str
    title: str
    html: str
    markdown: str = ""
