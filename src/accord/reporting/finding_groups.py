"""Findings as a page tells them: what several variables share is told once, with the variables it concerns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from accord.agreement.paper_sentence import NUMBERS
from accord.annotations.answers import Label
from accord.findings.finding import Finding


@dataclass(frozen=True)
class FindingGroup:
    """Findings of one name: one, or one and more in several variables; with the anchor of their place in the page."""

    anchor: str
    found: tuple[Finding, ...]

    @property
    def first(self) -> Finding:
        """The one that is told whole."""
        return self.found[0]

    @property
    def name(self) -> str:
        """The finding's name in words."""
        return self.first.name.replace("-", " ").capitalize()

    @property
    def variables(self) -> tuple[Label, ...]:
        """The variables it concerns; none where the study has one only."""
        return tuple(dict.fromkeys(one.variable for one in self.found if one.variable is not None))

    @property
    def title(self) -> str:
        """The name, and in which variables: "Low agreement in six variables"."""
        if not self.variables:
            return self.name
        if len(self.variables) == 1:
            return f"{self.name} ({str(self.variables[0])[:60]})"
        number = len(self.variables)
        return f"{self.name} in {NUMBERS[number] if number < len(NUMBERS) else number} variables"

    @property
    def remedy(self) -> str:
        """What to do; where variables differ in that, what the first needs."""
        return self.first.remedy


def groups(found: Iterable[Finding]) -> list[FindingGroup]:
    """Findings in their order; those of one name and weight in several variables together, at the first's place."""
    together: dict[object, list[Finding]] = {}
    for place, one in enumerate(found):
        alone = one.variable is None
        together.setdefault(place if alone else (one.name, one.severity, one.part_of), []).append(one)
    return [FindingGroup(f"finding-{place}", tuple(same)) for place, same in enumerate(together.values(), start=1)]
