"""Finding: one thing worth knowing about a study, with what speaks for it, what against, and what to do.

A detector is a function `look(view: View) -> Iterator[Clue]` in a module of its own. It yields

    TestFamily(number, what)    how many tests it made, shown or not: the family that p-values are corrected for
    Finding(...)                each answer worth telling, with its uncorrected p; "warning" is what it would be at most
    NotLookedAt(what, why)      what it could not look at, and the reason

and never raises: data that a detector cannot take are `NotLookedAt`. `explaining.explain` corrects the p-values over
all detectors, demotes warnings that do not survive, and puts findings that one cause covers beneath that cause.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from accord.agreement.table import Table, plain
from accord.agreement.uncertainty import Interval
from accord.annotations.answers import Label
from accord.errors import OptionError, json_value
from accord.options import Shown

Severity: TypeAlias = Literal["note", "warning"]
SURE = 0.05  # the chance, over all that is looked for, that a study without a fault shows a warning
CANDIDATE = 0.05  # an uncorrected p from which on a detector says nothing: it could not survive the correction
ROUNDING = 1e-12  # a number nearer to zero than this is zero
NAMED_SINGLY = 5  # people of whom a detector reports each by themselves; beyond, it reports them together

FindingName: TypeAlias = Literal[
    "annotator-clusters",
    "annotator-drifts",
    "annotator-severity",
    "another-order",
    "below-chance",
    "below-the-parents",
    "bias-raises-kappa",
    "central-tendency",
    "chance-models",
    "circular-preferences",
    "confused-labels",
    "constant-answers",
    "contested-items",
    "contested-queries",
    "copied-answers",
    "correlated-biases",
    "different-label-use",
    "disagreement-falls",
    "disagreement-rises",
    "end-of-scale",
    "follows-from-another-layer",
    "gamma-meaning",
    "gaps-go-with-labels",
    "halo",
    "hard-items",
    "high-agreement-low-kappa",
    "severity-drifts",
    "little-room",
    "low-agreement",
    "marks-fewer",
    "marks-longer",
    "marks-more",
    "marks-shorter",
    "models-among-annotators",
    "near-duplicate-labels",
    "neighbouring-labels",
    "no-common-scale",
    "outlying-annotator",
    "outlying-annotators",
    "position-effect",
    "scores-backwards",
    "ranks-backwards",
    "shards-differ",
    "similar-labels",
    "span-borders",
    "span-labels",
    "span-length",
    "span-losses",
    "span-presence",
    "subjective-task",
    "target-not-shown",
    "too-little-training",
    "unclear-guidelines",
    "uneven-prevalence",
    "unreliable-annotator",
    "weak-label",
]


@dataclass(frozen=True, repr=False)
class Evidence(Shown):
    """One number behind a finding, in words, with its interval where it has one.

    >>> import accord
    >>> found = accord.explain(accord.Study.from_confusion([[80, 10], [5, 5]], labels=["yes", "no"]))
    >>> print(found[0].evidence[0].what, round(found[0].evidence[0].value, 3))
    Cohen's kappa 0.318
    """

    what: str
    value: float
    interval: Interval | None = None

    def __str__(self) -> str:
        return f"{self.what}: {_short(self.value)}{_ends(self.interval)}"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        span = None if self.interval is None else self.interval.to_dict()
        return {"what": self.what, "value": json_value(self.value), "interval": span}


@dataclass(frozen=True)
class TestFamily:
    """How many tests a detector made, whatever it shows of their results."""

    __test__ = False  # pytest: not a test

    n_tests: int
    what: str  # "pairs of labels"


@dataclass(frozen=True, repr=False)
class NotLookedAt(Shown):
    """What could not be looked at in these data, and why."""

    what: str
    why: str
    variable: Label | None = None

    def __str__(self) -> str:
        of = "" if self.variable is None else f" ({self.variable})"
        return f"{self.what}{of}: {self.why}"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"what": self.what, "why": self.why, "variable": self.variable}


@dataclass(frozen=True, eq=False, repr=False)
class Finding(Shown):
    """What was found, how sure it is, whom and what it concerns, and the remedy.

    `p` is the chance of evidence this strong in a study without the fault, before correction; a finding that is a fact
    and not a guess (two labels that differ in case only) has none. `p_corrected` is after Holm's correction for all
    that was looked for. Only findings with a small one, or without p, are warnings.

    >>> import accord
    >>> found = accord.explain(accord.Study.from_confusion([[80, 10], [5, 5]], labels=["yes", "no"]))
    >>> print(found[0].name, found[0].severity)
    low-agreement warning
    >>> print(found[0].remedy)
    Look at the other findings for the cause before annotating more: sharpen the guidelines where labels are
    confused, train where somebody differs. Lower the target only for a task that is subjective by nature, and say
    so.
    >>> found[0].concerns(found[0])
    True
    """

    name: FindingName
    severity: Severity  # a detector says the most it may be
    says: str  # one or two sentences that a lead understands
    remedy: str
    evidence: tuple[Evidence, ...] = ()
    speaks_for: tuple[str, ...] = ()
    speaks_against: tuple[str, ...] = ()
    not_known: tuple[str, ...] = ()  # what would speak for it or against it, and these data do not tell
    sources: tuple[str, ...] = ()  # keys of references.bib
    labels: tuple[Label, ...] = ()
    annotators: tuple[str, ...] = ()
    items: tuple[Label, ...] = ()
    p: float | None = None
    weight: float = 0.0  # how much of the disagreement it accounts for, 0 to 1: the order within a severity
    cause: bool = False  # is it one of the lecture's four causes? Causes come first
    covers: tuple[
        FindingName, ...
    ] = ()  # the names of findings that tell the same if it is so; they are put beneath it
    part_of: FindingName | None = None  # the finding that covers it; set by explain
    p_corrected: float | None = None  # set by explain
    variable: Label | None = None  # of which variable of the study, where it holds several; set by explain
    table: Table | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return f"{self.severity}: {self.says}"

    def concerns(self, other: Finding) -> bool:
        """Is the other about the same variable, and about no other labels and people, so that both tell one thing?

        Args:
            other: Another finding.

        Returns:
            True if both tell one thing.

        Raises:
            OptionError: If `other` is no finding.
        """
        if not isinstance(other, Finding):
            raise OptionError.must("other", "be another finding", other)
        if self.variable != other.variable:
            return False
        labels = not self.labels or not other.labels or {*other.labels} <= {*self.labels}
        people = not self.annotators or not other.annotators or bool({*self.annotators} & {*other.annotators})
        return labels and people

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "name": self.name,
            "severity": self.severity,
            "cause": self.cause,
            "part_of": self.part_of,
            "variable": self.variable,
            "says": self.says,
            "remedy": self.remedy,
            "evidence": [one.to_dict() for one in self.evidence],
            "speaks_for": list(self.speaks_for),
            "speaks_against": list(self.speaks_against),
            "not_known": list(self.not_known),
            "sources": list(self.sources),
            "labels": [plain(label) for label in self.labels],
            "annotators": list(self.annotators),
            "items": [plain(item) for item in self.items],
            "p": None if self.p is None else json_value(self.p),
            "p_corrected": None if self.p_corrected is None else json_value(self.p_corrected),
            "weight": json_value(self.weight),
            "table": None if self.table is None else self.table.to_dict(),
        }


Clue: TypeAlias = Finding | TestFamily | NotLookedAt


def _ends(interval: Interval | None) -> str:
    """An interval in brackets with two decimals, or as many as tell its ends apart; nothing where there is none."""
    if interval is None or not math.isfinite(interval.low):
        return ""
    low, high = interval
    decimals = next((some for some in range(2, 6) if round(low, some) != round(high, some)), 2)
    low, high = (round(end, decimals) + 0.0 for end in (low, high))  # no −0.00
    return f" [{low:.{decimals}f}, {high:.{decimals}f}]"


def _short(value: float) -> str:
    """A number as one reads it: whole ones without digits behind the point."""
    if math.isnan(value):
        return "–"
    value = 0.0 if abs(value) < ROUNDING else value  # no −8.9e-16 where it is zero
    return f"{value:,.0f}" if value == round(value) and abs(value) >= 2 else f"{value:.3g}"
