"""Two studies side by side, as two rounds of annotation are: one coefficient that fits both, and how they differ."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from accord.agreement.compare import compare
from accord.agreement.comparison_result import Comparison
from accord.agreement.measurements import Measurements
from accord.agreement.registry import measure_called
from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.annotations.answers import Level
from accord.coefficients.weights import WeightsLike
from accord.errors import InputError, MayBeNames, all_quoted, json_value, listing, percent
from accord.measures.measure_all import measure
from accord.measures.recommendation import TAKES_MOST
from accord.options import Rng, head
from accord.study.study import Study

ALPHA = 0.05  # the p-value below which a difference is said to be one


@dataclass(frozen=True, eq=False)
class StudiesCompared:
    """One variable of two studies: its value in both, and the difference."""

    variable: Any  # None where the studies hold one
    first: Agreement
    second: Agreement
    comparison: Comparison
    reason: str  # why this coefficient
    within_margin: Comparison | None = None  # the second against the first, where a margin was given

    @property
    def lower(self) -> bool:
        """Is the second shown to be lower than the first?"""
        return self.comparison.difference > 0 and self.comparison.p < ALPHA

    def sentence(self, names: tuple[str, str]) -> str:
        """What came of it, in words."""
        found = self.comparison
        what = f"{self.variable}: " if self.variable is not None else ""
        if found.undefined:
            return f"{what}The two cannot be compared. {found.undefined}"
        return f"{what}{self._difference(names)}{self._margin(names)}"

    def _margin(self, names: tuple[str, str]) -> str:
        """Whether the second is near enough to the first, where that was asked."""
        found = self.within_margin
        if found is None or found.undefined:
            return ""
        claim = f"at least {names[0]} less {found.margin}"
        if found.alternative == "equivalent":
            claim = f"within {found.margin} of {names[0]}"
        shown = "shown" if found.p < ALPHA else "not shown"
        return f" {names[1]} is {shown} to be {claim} (p = {found.p:.3g})."

    def _difference(self, names: tuple[str, str]) -> str:
        """Which one is higher, and how sure that is."""
        found = self.comparison
        low, change, high = (f"{round(-end, 3) + 0.0:+.3f}" for end in (found.high, found.difference, found.low))
        sure = f"{percent(found.confidence)} interval {low} to {high}, p = {found.p:.3g}, {found.pairing}"
        caveat = f" {found.caveat}" if found.caveat else ""
        if found.p >= ALPHA:
            return f"{self.first.title} is not shown to differ: {change} in {names[1]} ({sure}).{caveat}"
        word = "lower" if self.lower else "higher"
        by = f"{word} in {names[1]} than in {names[0]} by {abs(found.difference):.3f}"
        return f"{self.first.title} is {by} ({sure}).{caveat}"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "variable": json_value(self.variable),
            "measure": self.first.measure,
            "reason": self.reason,
            "comparison": self.comparison.to_dict(),
            "within_margin": None if self.within_margin is None else self.within_margin.to_dict(),
            "results": [self.first.to_dict(), self.second.to_dict()],
        }


@dataclass(frozen=True, eq=False)
class Rounds:
    """Two studies compared, variable by variable."""

    names: tuple[str, str]
    parts: tuple[StudiesCompared, ...]
    notes: tuple[str, ...] = ()

    def to_table(self) -> Table:
        """A row per variable and study."""
        rows = [
            {
                "variable": part.variable,
                "study": name,
                "measure": result.title,
                "value": result.value,
                "low": (span := result.interval(confidence=part.comparison.confidence)).low,
                "high": span.high,
                "items": result.n_items,
                "annotators": result.n_annotators,
                "undefined": result.undefined or "",
            }
            for part in self.parts
            for name, result in zip(self.names, (part.first, part.second), strict=True)
        ]
        several = any(part.variable is not None for part in self.parts)
        columns = [name for name in rows[0] if several or name != "variable"]
        return Table("Agreement in both", {name: [row[name] for row in rows] for name in columns}, self.notes)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **head("comparisons"),
            "studies": list(self.names),
            "variables": [part.to_dict() for part in self.parts],
            "notes": list(self.notes),
        }


def compare_studies(
    first: Study,
    second: Study,
    names: tuple[str, str] = ("first", "second"),
    *,
    measure: str | None = None,
    weights: WeightsLike | None = None,
    level: Level | None = None,
    paired: bool | None = None,
    method: Literal["analytic", "bootstrap"] | None = None,
    margin: float | None = None,
    alternative: Literal["non-inferior", "equivalent"] | None = None,
    confidence: float = 0.95,
    rng: Rng = 0,
) -> Rounds:
    """The same coefficient of two studies, and their difference; of each variable that both hold.

    Args:
        first: A study.
        second: Another, such as the next round.
        names: What they are called in what is said.
        measure: The coefficient; by default the recommended one of both, or alpha where they have different ones.
        weights: As in `accord.measure`.
        level: As in `accord.measure`.
        paired: As in `accord.compare`.
        method: As in `accord.compare`.
        margin: How much lower the second may be, or how far from the first, without mattering; that is then tested too.
        alternative: What is asked with a margin, as in `accord.compare`: "non-inferior" (the default) or "equivalent".
        confidence: Of the intervals.
        rng: A seed or a Generator, for the bootstrap.

    Returns:
        `Rounds`, with a part for each variable.

    Raises:
        InputError: If the studies have no variable in common.
        MeasureError: If the coefficient does not fit one of them.
        OptionError: If an option has a value that it cannot take.

    >>> one, other = Study.from_pairs(list("aabb"), list("abbb")), Study.from_pairs(list("aabb"), list("aabb"))
    >>> compare_studies(one, other).parts[0].first.measure
    'cohen_kappa'
    """
    pairs, notes = _pairs(first, second, names)
    parts = []
    for variable, one, other in pairs:
        both = [_measured(study, weights, level) for study in (one, other)]
        name, reason = _common(both[0], both[1], measure)
        x, y = (found[name] for found in both)
        compare_pair = partial(compare, paired=paired, method=method, confidence=confidence, rng=rng)
        within = None
        if margin is not None or alternative is not None:
            within = compare_pair(y, x, margin=margin, alternative=alternative)
        parts.append(StudiesCompared(variable, x, y, compare_pair(x, y), reason, within))
    return Rounds(names, tuple(parts), notes)


def _measured(study: Study, weights: WeightsLike | None, level: Level | None) -> Measurements:
    return measure(study, weights=weights, level=level)


def _common(one: Measurements, other: Measurements, measure_name: str | None) -> tuple[str, str]:
    """The coefficient that both are compared by, and why."""
    if measure_name is not None:
        return measure_called(measure_name).name, "It was asked for."
    best, next_best = one.recommended, other.recommended
    if best.measure == next_best.measure:
        return best.measure, one.reason
    reason = f"{best.title} is recommended for one and {next_best.title} for the other; {TAKES_MOST.title} fits both."
    return TAKES_MOST.name, reason


def _pairs(
    first: Study, second: Study, names: tuple[str, str]
) -> tuple[list[tuple[Any, Study, Study]], tuple[str, ...]]:
    """The variables that both hold, and which only one does."""
    if not first.tasks and not second.tasks:
        return [(None, first, second)], ()
    common = [name for name in first.tasks if name in second.tasks]
    if not common:
        one, other = (all_quoted(study.tasks) if study.tasks else "one without a name" for study in (first, second))
        raise InputError(
            "The two have no variable in common: ",
            MayBeNames(names[0]),
            " holds ",
            one,
            ", ",
            MayBeNames(names[1]),
            " ",
            other,
            ".",
        )
    alone = [
        f"only in {name}: {listing(rest)}"
        for name, study in zip(names, (first, second), strict=True)
        if (rest := [task for task in study.tasks if task not in common])
    ]
    return [(name, first.tasks[name], second.tasks[name]) for name in common], tuple(alone)
