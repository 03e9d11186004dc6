"""The parts of the report, in the order in which they stand; each says what it needs and builds itself."""

from __future__ import annotations

from typing import Protocol

from accord.reporting.context import Context, Section
from accord.reporting.sections import (
    annotators,
    coefficients,
    consistency,
    findings,
    gold,
    groups,
    items,
    labels,
    measured,
    methods,
    models,
    ranked,
    sets,
    suggested,
    verdict,
)


class Part(Protocol):
    """A module of this package."""

    def needs(self, context: Context) -> bool:
        """Does the section fit the data?"""

    def build(self, context: Context) -> Section:
        """The section."""


PARTS: tuple[Part, ...] = (
    verdict,
    measured,
    coefficients,
    findings,
    labels,
    groups,
    annotators,
    items,
    ranked,
    sets,
    suggested,
    models,
    consistency,
    gold,
    methods,
)
