"""Findings as a page tells them: what several variables share is told once, with the variables it concerns."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from accord.agreement.chart_text import short
from accord.agreement.paper_sentence import NUMBERS
from accord.annotations.answers import Label
from accord.findings.finding import Finding

MOST_NAMED = 3  # annotators or labels in a title
LONGEST = 40  # characters of one of them


def _annotators(one: Finding) -> tuple[str, ...]:
    return tuple(short(name, LONGEST) for name in one.annotators)


def _labels(one: Finding) -> tuple[str, ...]:
    return tuple(f"“{short(label, LONGEST)}”" for label in one.labels)


# What stands behind the name of a finding, by how that ends.
CONCERNED: dict[str, Callable[[Finding], tuple[str, ...]]] = {
    "-among-annotators": lambda _: (),  # where those are models
    "-annotator": _annotators,
    "-annotators": _annotators,
    "-label": _labels,
    "-labels": _labels,
}


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
        """The name, of whom or of which label, and in which variables: "Unreliable annotator dan in six variables"."""
        named = f"{self.name}{self._concerned}"
        if not self.variables:
            return named
        if len(self.variables) == 1:
            return f"{named} ({str(self.variables[0])[:60]})"
        number = len(self.variables)
        return f"{named} in {NUMBERS[number] if number < len(NUMBERS) else number} variables"

    @property
    def _concerned(self) -> str:
        """Who or which label, where the name calls for it and it is the same ones throughout."""
        of = next((of for ending, of in CONCERNED.items() if self.first.name.endswith(ending)), None)
        who = {of(one) for one in self.found} if of is not None else set()
        names = who.pop() if len(who) == 1 else ()
        if not 0 < len(names) <= MOST_NAMED:
            return ""
        *first, last = names
        several = "" if not first or self.first.name.endswith("s") else "s"
        return f"{several} {', '.join(first)} and {last}" if first else f" {last}"

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
