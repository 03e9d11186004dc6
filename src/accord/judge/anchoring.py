"""Anchoring: do annotators who saw a suggestion agree with it more than those who did not?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, Unpack, get_args

import numpy as np

from accord.agreement.inference.wald import interval_around, no_interval
from accord.agreement.table import Table
from accord.agreement.uncertainty import Interval
from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up, divide
from accord.annotations.factorize import Coded
from accord.coefficients.standard_errors import p_value
from accord.errors import InputError, Keyword, OptionError, all_quoted, counted, nobody_named, one_task
from accord.judge.estimates import clustered
from accord.judge.reference_codes import reference_codes_of
from accord.judge.to_json import judgement, span
from accord.options import Shown, check_choice, check_confidence
from accord.study.other_kinds import about_other_kinds
from accord.study.study import Study
from accord.study.study_of_input import PlainRoles, as_study
from accord.study.suggested_labels import read_suggestions, without_suggester

Over: TypeAlias = Literal["items", "annotators", "both"]
YES = {"true", "yes", "y", "1", "saw", "shown", "seen", "with"}
NO = {"false", "no", "n", "0", "blind", "hidden", "unseen", "without"}


@dataclass(frozen=True, eq=False, repr=False)
class Anchoring(Shown):
    """How much more often annotators give the suggested label when they see it.

    `difference` compares answers to the same items wherever some annotators saw the suggestion and some did not
    (`within`), else the two shares as they are. With gold, `by_correctness` tells right suggestions from wrong ones:
    agreeing more with wrong ones is the harm.

    >>> from accord.judge import anchoring_effect
    >>> rows = [
    ...     {"item": item, "annotator": who, "label": "a" if shown == "yes" or item % 3 else "b", "shown": shown}
    ...     for item in range(12)
    ...     for who, shown in (("ana", "yes"), ("ben", "no"))
    ... ]
    >>> found = anchoring_effect(rows, shown="shown", suggested=dict.fromkeys(range(12), "a"))
    >>> round(found.difference, 2), found.within, found.n_compared
    (0.33, True, 12)
    """

    shown: float  # share of answers equal to the suggestion, of those to whom it was shown
    not_shown: float
    difference: float
    interval: Interval
    p: float
    within: bool
    n_shown: int
    n_not_shown: int
    n_items: int  # with a suggestion and an answer
    n_compared: int  # on which some saw it and some did not
    over: str
    by_correctness: Table | None = None
    notes: tuple[str, ...] = field(default=())

    def __str__(self) -> str:
        how = f"on the same {counted(self.n_compared, 'items')}" if self.within else "on different items"
        lines = [
            f"Answers equal the suggestion {self.shown:.1%} of the time when it was shown ({self.n_shown:,}) and "
            f"{self.not_shown:.1%} when not ({self.n_not_shown:,}): difference {self.difference:+z.3f}"
            f"{span(*self.interval)}, p = {self.p:.3g} ({how}; {self.over} might have been others)"
        ]
        return "\n".join(
            [*lines, *([str(self.by_correctness)] if self.by_correctness is not None else []), *self.notes]
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        names = (
            "shown", "not_shown", "difference", "interval", "p", "within", "n_shown", "n_not_shown", "n_items",
            "n_compared", "over",
        )  # fmt: skip
        tables = {} if self.by_correctness is None else {"by_correctness": self.by_correctness}
        return judgement("anchoring_effect", {name: getattr(self, name) for name in names}, tables, self.notes)


def anchoring_effect(
    data: Any,
    /,
    *,
    shown: str,
    suggested: Any = None,
    gold: Any = None,
    over: Over = "both",
    confidence: float = 0.95,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[PlainRoles],
) -> Anchoring:
    """Do annotators who saw a suggestion agree with it more than those who did not?

    Args:
        data: A `Study` with a column that tells to whom the suggestion was shown.
        shown: That column: yes or no (true or false, 1 or 0, shown or hidden) for each answer.
        suggested: The suggestions: a column, a mapping from item to label, a table, a model's name; without it the
            study's own role.
        gold: What is true, to tell right suggestions from wrong ones: a column, a mapping, a table, a Gold.
        over: What might have been otherwise: "items", "annotators", or "both" (two-way clusters: the variance over
            items plus that over annotators less that over single answers). Annotators, where few were shown
            suggestions, are what matters.
        confidence: Of the interval (t, with the smaller number of clusters less one).
        labels: The scale.
        **roles: The keywords of `Study`.

    Returns:
        An `Anchoring`: the shares `shown` and `not_shown`, their `difference` with `interval` and `p`;
        `by_correctness` with gold.

    Raises:
        InputError: If `data` cannot be a study, or `shown` holds something else than yes and no.
        MeasureError: If the answers are not single labels, or everybody (or nobody) saw the suggestions.
        OptionError: If an option has a value that it cannot take.

    Where annotators with and without the suggestion answered the same items, the difference is within items (each item
    has a level of its own), so that easy items do not pass for anchoring. Whether it is an effect of seeing depends on
    who was shown what: at random, or not. References: cameron2011.

    >>> rows = {"item": [], "annotator": [], "label": [], "shown": []}
    >>> for item in range(12):
    ...     for who, shown in (("ana", "yes"), ("ben", "no")):
    ...         label = "a" if shown == "yes" or item % 3 else "b"
    ...         for name, cell in zip(rows, (item, who, label, shown)):
    ...             rows[name].append(cell)
    >>> found = anchoring_effect(rows, shown="shown", suggested=dict.fromkeys(range(12), "a"))
    >>> round(found.shown, 2), round(found.not_shown, 2), round(found.difference, 2)
    (1.0, 0.67, 0.33)
    """
    check_confidence(confidence)
    check_choice("over", over, get_args(Over))
    study = as_study(data, None, labels, roles)  # type: ignore[arg-type]
    if study.tasks:
        raise OptionError("Choose one variable of the study: ", one_task(next(iter(study.tasks))), ".")
    study = study._in_memory
    if study.kind != "single":
        raise about_other_kinds("Anchoring", ("single",), study.kind)
    if not study._annotations.named:
        raise nobody_named("Anchoring is measured on named annotators", study.shape)
    codes = read_suggestions(suggested, study).codes
    people = without_suggester(suggested, study)
    seen = _shown(people._column(shown, "shown"), shown)
    found = _Answers.of(people, codes, seen)
    value, interval, p, within = found.effect(over, confidence)
    table = None if gold is None else _by_correctness(found, reference_codes_of(study, gold), codes, over, confidence)
    unknown = int((seen < 0).sum())
    notes = (f"{counted(unknown, 'answers')} do not say whether it was shown; left out.",) if unknown else ()
    return Anchoring(
        *found.shares(), value, interval, p, within, int(found.shown.sum()), int((~found.shown).sum()),
        len(np.unique(found.item)), found.compared, over, table, notes,
    )  # fmt: skip


def _shown(column: Coded, name: str) -> IntArray:
    """(annotations,) 1, 0, or −1 where it is not known."""
    words = [str(value).strip().lower() for value in column.values]
    unknown = [value for value, word in zip(column.values, words, strict=True) if word not in YES | NO]
    if unknown:
        raise InputError(
            Keyword("shown", name),
            " must say yes or no (true, false, 1, 0, shown, hidden); it holds ",
            all_quoted(unknown, most=4),
            ".",
        )
    return np.array([*(int(word in YES) for word in words), -1], dtype=np.int64)[column.codes]


@dataclass(frozen=True, eq=False)
class _Answers:
    """Answers to items with a suggestion: is it the suggested label, was that shown, to whom, on what."""

    item: IntArray
    annotator: IntArray
    agrees: FloatArray
    shown: BoolArray

    @classmethod
    def of(cls, study: Study, suggested: IntArray, seen: IntArray) -> _Answers:
        item, annotator, answer, _ = study._annotations.rows
        present = (suggested[item] >= 0) & (seen >= 0)
        item, annotator = item[present], annotator[present]
        return cls(item, annotator, (answer[present] == suggested[item]).astype(np.float64), seen[present] == 1)

    def where(self, keep: BoolArray) -> _Answers:
        """Some of them."""
        return _Answers(self.item[keep], self.annotator[keep], self.agrees[keep], self.shown[keep])

    def shares(self) -> tuple[float, float]:
        """Of those to whom the suggestion was shown and of the others."""
        return tuple(float(divide(self.agrees[part].sum(), part.sum())) for part in (self.shown, ~self.shown))  # type: ignore[return-value]

    @property
    def _both(self) -> BoolArray:
        """(items,) was it shown to some and not to others?"""
        size = int(self.item.max(initial=-1)) + 1
        yes = np.bincount(self.item[self.shown], minlength=size)
        return (yes > 0) & (np.bincount(self.item, minlength=size) > yes)

    @property
    def compared(self) -> int:
        """Items on which it was shown to some and not to others."""
        return int(self._both.sum())

    def effect(self, over: Over, confidence: float) -> tuple[float, Interval, float, bool]:
        """The difference, its interval, p, and whether it is within items."""
        if not self.shown.any() or self.shown.all():
            why = "Everybody saw the suggestions, or nobody did: there is nothing to compare."
            return math.nan, no_interval(why, confidence, over), math.nan, False
        within = self.compared > 1
        value, scores = self._within() if within else self._plain()
        variance, fewest = _clustered(scores, self.item, self.annotator, over)
        if fewest < 2 or not variance >= 0:
            return value, no_interval("There are too few items or annotators.", confidence, over), math.nan, within
        error = math.sqrt(variance)
        p = p_value(value, error, fewest - 1) if error > 0 else float(value == 0)
        found = interval_around(
            value, error, df=fewest - 1, confidence=confidence, method="cluster-robust", ends=(-1.0, 1.0), resample=over
        )
        return value, found, p, within

    def _plain(self) -> tuple[float, FloatArray]:
        """The difference of the two shares, and what each answer adds to its error."""
        one, other = self.shares()
        scores = np.where(
            self.shown, (self.agrees - one) / self.shown.sum(), -(self.agrees - other) / (~self.shown).sum()
        )  # fmt: skip
        return one - other, scores

    def _within(self) -> tuple[float, FloatArray]:
        """Least squares with a level for each item."""
        size = int(self.item.max()) + 1
        number = np.maximum(np.bincount(self.item, minlength=size), 1)
        x = self.shown - (add_up(self.item, self.shown, size) / number)[self.item]
        y = self.agrees - (add_up(self.item, self.agrees, size) / number)[self.item]
        total = float(x @ x)
        value = float(x @ y) / total
        return value, x * (y - value * x) / total


def _clustered(scores: FloatArray, item: IntArray, annotator: IntArray, over: Over) -> tuple[float, int]:
    """The variance of a sum of scores, and the number of clusters that the degrees of freedom go by."""
    items, people = clustered(scores, item), clustered(scores, annotator)
    if over == "items":
        return items
    if over == "annotators":
        return people
    single = len(scores) / (len(scores) - 1) * float(scores @ scores)
    together = items[0] + people[0] - single
    # the difference of sums can come out too small; never below the larger of the two
    return max(together, items[0], people[0]), min(items[1], people[1])


def _by_correctness(found: _Answers, reference: IntArray, suggested: IntArray, over: Over, confidence: float) -> Table:
    rows = []
    for name, keep in (("right", reference == suggested), ("wrong", reference != suggested)):
        part = found.where((keep & (reference >= 0))[found.item])
        value, interval, p, _ = part.effect(over, confidence)
        shown, not_shown = part.shares()
        rows.append((name, len(np.unique(part.item)), shown, not_shown, value, interval.low, interval.high, p))
    names = ("suggestion", "items", "shown", "not_shown", "difference", "low", "high", "p")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    return Table("Right suggestions and wrong ones", columns)
