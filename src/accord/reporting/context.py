"""What every section of a report may ask for: the study, its results, and what may be shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from accord.agreement.result import Agreement, Measurements
from accord.findings.contested import texts_of
from accord.measures.fleiss import fleiss_kappa
from accord.measures.measure_all import measure
from accord.study.study import Study

ITEMS_SHOWN = 200  # contested items listed in full
PEOPLE_SHOWN = 40  # annotators listed, the most active first
MATRIX_PEOPLE = 16  # annotators in a matrix of pairs
PAIRED_PEOPLE = 400  # annotators up to whom pairs are compared at all
LABELS_SHOWN = 24
GROUPS_SHOWN = 60


@dataclass(frozen=True, eq=False)
class Context:
    """One report: the study, the options, and results computed once."""

    study: Study  # whose agreement is reported: people, where people and models answered
    everyone: Study | None = None  # with the models, where they stand aside
    title: str = "Agreement report"
    benchmark: str = "landis-koch"
    by: str | None = None
    options: dict[str, Any] = field(default_factory=dict)  # weights, level
    show_text: bool = True
    anonymised: bool = False
    source: str = ""
    command: str = ""
    fingerprint: str = ""  # of the annotations, before anybody's name was hidden

    @property
    def with_models(self) -> Study:
        """Everybody who answered."""
        return self.everyone or self.study

    @cached_property
    def measurements(self) -> Measurements:
        """Every coefficient that fits."""
        return measure(self.with_models, by=self.by, **self.options)

    @property
    def main(self) -> Agreement:
        """The recommended coefficient."""
        return self.measurements.recommended

    @property
    def agreement(self) -> Agreement:
        """The recommended coefficient among annotators: where that judges suggestions, Fleiss' kappa."""
        return self.main if self.main.entry.role is None else self.measured(fleiss_kappa) or self.main

    def measured(self, measure: Callable[..., Agreement]) -> Agreement | None:
        """What a measure gives, where it is among those that fit."""
        return next((result for result in self.measurements if result.entry.function is measure), None)

    @property
    def several(self) -> bool:
        """Does the study hold several variables?"""
        return bool(self.study.tasks)

    @property
    def named(self) -> bool:
        """Does the study say who answered?"""
        parts = self.study.tasks.values() if self.several else [self.study]
        return any(part._annotations.named for part in parts)

    @property
    def shows_texts(self) -> bool:
        """Are there texts of items, and may they be shown?"""
        return self.show_text and not self.several and "text" in self.study.roles

    def texts(self, items: Sequence[int]) -> list[str]:
        """The texts of some items, by their positions; the first that the table gives for each."""
        return texts_of(self.study, items)


@dataclass(frozen=True)
class Section:
    """One part of the page: its anchor, its heading, its body as HTML, and the same in Markdown."""

    key: str
    title: str
    html: str
    markdown: str = ""
