"""Panels of models: their labels together, how far they err together, and how many judges that is worth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Unpack

import numpy as np

from accord.agreement.inference.proportions import wilson
from accord.agreement.inference.wald import interval_around, no_interval
from accord.agreement.table import Table
from accord.agreement.uncertainty import Interval
from accord.annotations.arrays import BoolArray, FloatArray, IntArray, divide
from accord.coefficients.standard_errors import limits
from accord.consensus.gold import Gold
from accord.consensus.make_gold import gold as gold_of
from accord.errors import InputError, Keyword, MeasureError, all_quoted, counted, keyword, listing
from accord.judge.participants import Participants, Unparsable, participants_of
from accord.judge.reference_codes import reference_codes_of
from accord.judge.scales import exact_matches
from accord.judge.to_json import judgement, span
from accord.options import check_confidence
from accord.scores.moments_of_pairs import correlated
from accord.study.other_kinds import about_other_kinds
from accord.study.study_of_input import PlainRoles


@dataclass(frozen=True, eq=False)
class Panel:
    """Several models as one judge.

    `correlation` is the mean correlation of the models' errors over all pairs of them; `effective` is n / (1 + (n − 1)
    r̄), the number of independent judges whose mean would be as sure. Ten models that make the same mistakes are one.

    >>> from accord import Study
    >>> from accord.judge import panel
    >>> people = {"ana": list("aabbab" * 6), "ben": list("aabbaa" * 6), "chloe": list("abbbab" * 6)}
    >>> study = Study.from_wide({**people, "gpt": list("aabbab" * 6), "coin": list("ababab" * 6)})
    >>> found = panel(study, models=["gpt", "coin"])
    >>> found.members["model"].tolist(), round(found.accuracy, 3)
    (['gpt', 'coin'], 0.833)
    >>> print(found.sentence())
    Panel of 2 models on 36 items, against the majority of 3 people: One coin is right 0.833 [0.681, 0.921]; the
    correlation of their errors is undefined.
    """

    models: tuple[str, ...]
    gold: Gold  # the panel's labels
    members: Table
    pairs: Table
    correlation: float
    correlation_interval: Interval
    effective: float
    effective_interval: Interval
    accuracy: float  # of the panel's labels
    accuracy_interval: Interval
    against: str  # the reference of errors: people or gold
    n_items: int
    confidence: float
    notes: tuple[str, ...] = field(default=())

    def sentence(self) -> str:
        """How right the panel is, and how many judges it is worth."""
        low, high = self.effective_interval
        worth = (
            "the correlation of their errors is undefined"
            if math.isnan(self.correlation)
            else f"errors correlate {self.correlation:z.3f}{span(*self.correlation_interval)}: worth "
            f"{self.effective:.2f}{span(low, high, 2)} independent judges of {len(self.models)}"
        )
        return (
            f"Panel of {len(self.models)} models on {counted(self.n_items, 'items')}, against {self.against}: "
            f"{self.gold.title} is right {self.accuracy:.3f}{span(*self.accuracy_interval)}; {worth}."
        )

    def __str__(self) -> str:
        return "\n".join([self.sentence(), str(self.members), str(self.pairs), *self.notes])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self.members._repr_html_() + self.pairs._repr_html_()

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        names = (
            "models", "accuracy", "accuracy_interval", "correlation", "correlation_interval", "effective",
            "effective_interval", "against", "n_items", "confidence",
        )  # fmt: skip
        values = {name: getattr(self, name) for name in names} | {"method": self.gold.method}
        return judgement("panel", values, {"members": self.members, "pairs": self.pairs}, self.notes)


def panel(
    data: Any,
    /,
    *,
    models: Sequence[str] | None = None,
    people: Sequence[str] | None = None,
    gold: Any = None,
    method: str = "one-coin",
    unparsable: Unparsable = "missing",
    confidence: float = 0.95,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[PlainRoles],
) -> Panel:
    """Models as a panel: their common labels, whether they err together, and how many judges they are worth.

    Args:
        data: A `Study` with models and people (or gold).
        models: Who the models are; by default by the study's kind role.
        people: Who the people are; by default everybody else.
        gold: What is true: a column, a mapping from item to label, a table, a Gold. Without it the study's adjudicated
            labels, else the majority of the people (items on which they are tied are left out).
        method: How the panel decides: any method of `accord.gold` for single labels.
        unparsable: Failed answers are "missing", or count as a "label".
        confidence: Of the intervals.
        labels: The scale.
        **roles: The keywords of `Study`.

    Returns:
        A `Panel`: its `gold`, `accuracy`, a row per model in `members`, `correlation` of errors, and `effective`
        judges.

    Raises:
        InputError: If `data` cannot be a study, or a named person or model is not in it.
        MeasureError: If there are fewer than two models, or nothing to hold them against.
        OptionError: If an option has a value that it cannot take.

    Methods that learn how good each model is (one-coin, dawid-skene, mace) suppose independent errors: where errors
    correlate, their confidence is too high, however many models there are. The interval of the correlation is
    linearised over items; that of the effective number follows from it.

    References: verga2024; dawid1979.

    >>> from accord import Study
    >>> people = {"ana": list("aabbab" * 6), "ben": list("aabbaa" * 6), "chloe": list("abbbab" * 6)}
    >>> study = Study.from_wide({**people, "gpt": list("aabbab" * 6), "coin": list("ababab" * 6)})
    >>> found = panel(study, models=["gpt", "coin"])
    >>> [(row["model"], round(row["accuracy"], 3)) for row in found.members], round(found.accuracy, 3)
    ([('gpt', 1.0), ('coin', 0.667)], 0.833)
    """
    check_confidence(confidence)
    participants = participants_of(data, models=models, people=people, unparsable=unparsable, labels=labels, **roles)
    participants.need_models("A panel")
    if len(participants.models) < 2:
        raise MeasureError(
            "A panel is two models or more; here is ",
            all_quoted(participants.models),
            ". evaluate(model, study) is for one.",
        )
    if participants.study.kind != "single":
        raise about_other_kinds("A panel", ("single",), participants.study.kind)
    reference, against = reference_of(participants, gold)
    grid = participants.grid(participants.models)
    judged = (reference >= 0) & (grid >= 0).any(axis=1)
    if not judged.any():
        why = f"No item has both an answer of a model and a label to hold it to ({against})."
        raise InputError(why, option=Keyword("gold"))
    together = gold_of(participants.study.of_annotators(participants.models), method=method, rng=0)
    right = _credit(together, reference)[judged]
    errors = Errors.of(grid, reference)
    mean, interval = errors.mean(confidence)
    size = len(participants.models)
    low, high = effective(size, interval.high), effective(size, interval.low)
    worth = Interval(low, high, math.nan, confidence, "analytic", undefined=interval.undefined)
    models = participants.models
    return Panel(
        models, together, _members(participants, grid, reference, confidence), errors.table(models, confidence),
        mean, interval, effective(size, mean), worth, float(right.mean()),
        wilson(float(right.sum()), len(right), confidence), against, int(judged.sum()), confidence,
        (
            *_undecided(participants, judged, against),
            *errors.notes(participants.models),
            *participants.notes(participants.models),
            *exact_matches(participants.study, "a panel"),
        ),
    )  # fmt: skip


def _undecided(participants: Participants, judged: BoolArray, against: str) -> tuple[str, ...]:
    """That some items have no reference, and were left out."""
    answered = (participants.grid(participants.models) >= 0).any(axis=1)
    lost = int((answered & ~judged).sum())
    if not lost:
        return ()
    why = "without a majority of people" if "majority" in against else f"without {against}"
    return (f"{counted(lost, 'items')} {why} left out, of {int(answered.sum()):,} that models answered.",)


def _credit(together: Gold, reference: IntArray) -> FloatArray:
    """(items,) is the panel right? Where labels are tied, as often as drawing one of them would be."""
    right = (together.codes == reference).astype(np.float64)
    undecided, tied = together.tied_labels()
    known = (reference[undecided] >= 0) & tied.any(axis=1)
    undecided, tied = undecided[known], tied[known]
    right[undecided] = tied[np.arange(len(undecided)), reference[undecided]] / tied.sum(axis=1)
    return np.asarray(right, dtype=np.float64)


def effective(models: int, correlation: float) -> float:
    """Effective judges, n / (1 + (n − 1) r̄); infinite where errors cancel out in full."""
    below = 1 + (models - 1) * correlation
    return models / below if below > 0 else math.nan if math.isnan(below) else math.inf


def reference_of(participants: Participants, gold: Any) -> tuple[IntArray, str]:
    """The reference of models, as codes (−1 for unknown), and what to call it."""
    if gold is not None:
        return reference_codes_of(participants.study, gold), "gold"
    if (participants.gold >= 0).any():
        return participants.gold, "adjudicated labels"
    if not participants.people:
        raise MeasureError(
            "There are no people and no gold to tell a model's errors by. Give ",
            keyword("gold"),
            " (a column, a mapping from item to label), or a study with people in it.",
        )
    people = participants.study.of_annotators(participants.people)
    return gold_of(people, method="majority").codes, f"the majority of {counted(len(participants.people), 'people')}"


def _members(participants: Participants, grid: IntArray, reference: IntArray, confidence: float) -> Table:
    both = (grid >= 0) & (reference >= 0)[:, None]
    hits = ((grid == reference[:, None]) & both).sum(axis=0)
    number = both.sum(axis=0)
    spans = [wilson(float(hit), float(of), confidence) for hit, of in zip(hits, number, strict=True)]
    failed = [participants.failed(name).share for name in participants.models]
    columns: dict[str, Any] = {
        "model": list(participants.models),
        "items": number,
        "accuracy": divide(hits, number),
        "low": np.array([span.low for span in spans]),
        "high": np.array([span.high for span in spans]),
    }
    if any(share > 0 for share in failed):
        columns["unreadable"] = np.array(failed)
    return Table("Members of the panel", columns)


@dataclass(frozen=True, eq=False)
class Errors:
    """The errors of models, and how they go together: one row per pair."""

    wrong: FloatArray  # (items, models) 1 for wrong, NaN where it is not known
    pairs: IntArray  # (J, 2)
    correlation: FloatArray  # (J,)
    common: IntArray  # (J,) items that both answered
    both_wrong: IntArray
    same_wrong: IntArray  # both wrong in the same way
    squares: FloatArray  # (J,) the variance of each correlation
    scores: FloatArray  # (items,) how far each item moves the mean correlation

    @classmethod
    def of(cls, grid: IntArray, reference: IntArray) -> Errors:
        """Pair by pair, on the items that both answered and whose label is known."""
        known = (reference >= 0)[:, None] & (grid >= 0)
        wrong = np.where(known, (grid != reference[:, None]).astype(np.float64), np.nan)
        pairs = np.array(list(combinations(range(grid.shape[1]), 2)), dtype=np.int64)
        link, common, wrongs, same = np.full(len(pairs), np.nan), *np.zeros((3, len(pairs)), dtype=np.int64)
        squares, scores = np.zeros(len(pairs)), np.zeros(len(reference))
        for place, (one, other) in enumerate(pairs.tolist()):
            present = np.nonzero(known[:, one] & known[:, other])[0]
            mine, theirs = wrong[present, one], wrong[present, other]
            common[place] = len(present)
            wrongs[place] = int((mine * theirs).sum())
            same[place] = int((mine * (grid[present, one] == grid[present, other])).sum())
            link[place], moved = correlated(mine, theirs)
            scores[present] += moved
            squares[place] = float(moved @ moved)
        defined = max(int(np.isfinite(link).sum()), 1)
        return cls(wrong, pairs, link, common, wrongs, same, squares, scores / defined)

    def mean(self, confidence: float) -> tuple[float, Interval]:
        """The mean correlation of pairs that have one, with its linearised interval."""
        present = np.isfinite(self.correlation)
        if not present.any():
            return math.nan, no_interval("No two models make errors that could go together.", confidence)
        value = float(self.correlation[present].mean())
        items = int(np.isfinite(self.wrong).any(axis=1).sum())
        error = math.sqrt(items / max(items - 1, 1) * float(self.scores @ self.scores))
        df = max(items - 1, 1)
        return value, interval_around(value, error, df=df, confidence=confidence, ends=(-1.0, 1.0))

    def table(self, names: Sequence[str], confidence: float) -> Table:
        """Every two models."""
        df = np.maximum(self.common - 1, 1)
        error = np.sqrt(divide(self.common, df) * self.squares)
        low, high = limits(self.correlation, error, df=df, confidence=confidence, ends=(-1.0, 1.0))
        return Table(
            "Errors that go together",
            {
                "first": [names[one] for one, _ in self.pairs.tolist()],
                "second": [names[other] for _, other in self.pairs.tolist()],
                "correlation": self.correlation,
                "low": low,
                "high": high,
                "items": self.common,
                "both_wrong": self.both_wrong,
                "same_wrong": divide(self.same_wrong, self.both_wrong),
            },
            ("same_wrong: of the items that both get wrong, the share to which they give the same wrong label.",),
        )

    def notes(self, names: Sequence[str]) -> tuple[str, ...]:
        """Pairs that have no correlation."""
        lost = int((~np.isfinite(self.correlation)).sum())
        if not lost:
            return ()
        never = [name for place, name in enumerate(names) if not np.nansum(self.wrong[:, place]) > 0]
        why = f"; never wrong: {listing(never)}" if never else ""
        return (f"{counted(lost, 'pairs of models')} without a correlation of errors, left out of the mean{why}.",)
