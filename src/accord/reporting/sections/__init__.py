"""The parts of the report, in the order in which they stand; each says what it needs and builds itself; may import
what `reporting` may.
"""

from __future__ import annotations

from typing import Protocol

from accord.reporting.context import Context, Section
from accord.reporting.sections import (
    annotators,
    coefficients,
    consistency,
    facts,
    findings,
    gold,
    groups,
    items,
    labels,
    measured,
    methods,
    models,
    preferences,
    rankings,
    scale_use,
    scores,
    secondary_labels,
    sets,
    spans,
    suggested,
    todo,
    variances,
    verdict,
)


class SectionModule(Protocol):
    """A module of this package."""

    def needs(self, context: Context) -> bool:
        """Does the section fit the data?"""

    def build(self, context: Context) -> Section:
        """The section."""


FIRST: tuple[SectionModule, ...] = (facts, todo, verdict, measured, coefficients, findings)
OF_A_VARIABLE: tuple[SectionModule, ...] = (
    preferences, labels, spans, rankings, annotators, items, variances, scores, scale_use, secondary_labels, sets,
    suggested, models, consistency, gold,
)  # fmt: skip
PARTS: tuple[SectionModule, ...] = (*FIRST, groups, *OF_A_VARIABLE)
LAST: tuple[SectionModule, ...] = (methods,)
