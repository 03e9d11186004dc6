"""How many annotators make a majority, or a mean, as sure as wanted: Condorcet's jury, and Spearman and Brown."""

from __future__ import annotations

import html
import math
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from accord.agreement.table import Table
from accord.annotations.arrays import FloatArray
from accord.consensus.answers_needed import CLOSE, MOST, NEVER, answers_needed
from accord.errors import OptionError, counted, json_value, keyword
from accord.options import head, is_number

SHOWN = (1, 2, 3, 5, 7, 9, 11, 15, 21)


@dataclass(frozen=True, eq=False)
class AnnotatorsNeeded:
    """How many annotators an item needs, and what each number would give.

    >>> from accord.planning import annotators_needed
    >>> found = annotators_needed(0.9, accuracy=0.7)
    >>> found.number, round(found.reached, 3)
    (9, 0.901)
    """

    number: int | None  # None: no number would do
    target: float
    reached: float
    single: float  # what one annotator gives
    rule: Literal["majority", "mean"]
    why: str | None = None  # why no number would do
    table: Table = field(default_factory=lambda: Table("", {}), repr=False)

    def __str__(self) -> str:
        what = {
            "majority": f"a majority that is right with probability {self.target:g} (each is with {self.single:g})",
            "mean": f"a mean with reliability {self.target:g} (one alone has {self.single:g})",
        }[self.rule]
        if self.number is None:
            return f"No number of annotators gives {what}. {self.why}"
        return f"{counted(self.number, 'annotators')} for {what}; they reach {self.reached:z.3f}."

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(str(self))}</p>{self.table._repr_html_()}"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **head("annotators_needed"), "rule": self.rule, "annotators": self.number, "target": self.target,
            "reached": json_value(self.reached), "single": self.single, "undefined": self.why,
            "table": self.table.to_dict()["rows"],
        }  # fmt: skip


def annotators_needed(
    target: float, *, accuracy: float | None = None, reliability: float | None = None
) -> AnnotatorsNeeded:
    r"""The fewest annotators an item needs for a majority, or a mean, as sure as `target`.

    Args:
        target: The probability that the majority is right, or the reliability of the mean.
        accuracy: How often one annotator is right, of two labels: the majority of n independent ones is right with
            probability :math:`P(X > n/2) + \tfrac12 P(X = n/2)`, X binomial (a tie is decided by a coin). An even
            number is never better than one less.
        reliability: The reliability of one annotator's answers, such as an intraclass correlation, an interval alpha or
            a kappa of two labels: the mean of k has :math:`k r / (1 + (k - 1) r)`.

    Returns:
        An `AnnotatorsNeeded`: `number` (None where no number would do, and `why`), `reached`, and a `table` of other
        numbers.

    Raises:
        OptionError: If not exactly one of the two is given, or a number is out of range.

    Give one of the two. Both suppose annotators who err independently of each other: those who share a
    misunderstanding do not outvote it.

    References: condorcet1785; spearman1910; brown1910.

    >>> print(annotators_needed(0.9, accuracy=0.7))
    9 annotators for a majority that is right with probability 0.9 (each is with 0.7); they reach 0.901.
    >>> annotators_needed(0.8, reliability=0.4).number
    6
    """
    if (accuracy is None) == (reliability is None):
        raise OptionError(
            "Give ",
            keyword("accuracy"),
            " (for a majority) or ",
            keyword("reliability"),
            " (for a mean): one of the two.",
        )
    if not is_number(target) or not 0 < target < 1:
        raise OptionError.must("target", "lie between 0 and 1, for example 0.9", target)
    for name, single in (("accuracy", accuracy), ("reliability", reliability)):
        if single is not None and not (is_number(single) and 0 <= single <= 1):
            raise OptionError.must(name, "lie between 0 and 1, for example 0.7", single)
    return _mean(target, float(reliability)) if reliability is not None else _majority(target, float(accuracy or 0.0))


def _majority(target: float, accuracy: float) -> AnnotatorsNeeded:
    table = _table("Probability that the majority is right", majority_accuracy(accuracy, np.array(SHOWN)))
    enough = accuracy >= target - CLOSE
    fewest = 1 if enough else int(answers_needed(accuracy, target)[0]) if accuracy > 0.5 else NEVER
    if fewest != NEVER:
        reached = float(majority_accuracy(accuracy, np.array([fewest]))[0])
        return AnnotatorsNeeded(fewest, target, reached, accuracy, "majority", table=table)
    why = (
        "Annotators who are right no more often than a coin do not outvote it."
        if accuracy <= 0.5
        else f"Even {MOST:,} would not do: raise the accuracy of each."
    )
    return AnnotatorsNeeded(None, target, math.nan, accuracy, "majority", why, table)


def _mean(target: float, reliability: float) -> AnnotatorsNeeded:
    table = _table("Reliability of the mean", mean_reliability(reliability, np.array(SHOWN)))
    if reliability == 0:
        return AnnotatorsNeeded(
            None, target, math.nan, reliability, "mean", "Answers without reliability have none in mean.", table
        )
    exact = target * (1 - reliability) / (reliability * (1 - target))
    number = max(1, math.ceil(exact - 1e-9))
    return AnnotatorsNeeded(
        number, target, float(mean_reliability(reliability, np.array([number]))[0]), reliability, "mean", None, table
    )


def majority_accuracy(accuracy: float, annotators: np.ndarray[Any, np.dtype[np.int64]]) -> FloatArray:
    """How often the majority of so many is right, of two labels; a tie is decided by a coin."""
    from scipy.special import bdtr

    half = annotators // 2
    below = bdtr(half - (annotators % 2 == 0), annotators, accuracy)
    tied = np.where(annotators % 2 == 0, bdtr(half, annotators, accuracy) - below, 0.0)
    return np.asarray(1 - below - tied / 2, dtype=np.float64)


def mean_reliability(reliability: float, annotators: np.ndarray[Any, np.dtype[np.int64]]) -> FloatArray:
    """The reliability of the mean of so many answers (Spearman and Brown)."""
    return np.asarray(annotators * reliability / (1 + (annotators - 1) * reliability), dtype=np.float64)


def _table(title: str, values: FloatArray) -> Table:
    return Table(title, {"annotators": np.array(SHOWN), "reached": values})
