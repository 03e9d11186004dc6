"""The forms of the intraclass correlation: which variances count as error, and whether of one score or of a mean.

| Shrout & Fleiss | McGraw & Wong | error |
|---|---|---|
| ICC(1,1), ICC(1,k) | ICC(1), ICC(k) | all that differs within an item: nobody knows or asks who scored what |
| ICC(2,1), ICC(2,k) | ICC(A,1), ICC(A,k) | annotators' severities and what is left over: absolute agreement |
| ICC(3,1), ICC(3,k) | ICC(C,1), ICC(C,k) | what is left over: consistency, whatever level each annotator has |
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any, Literal, TypeAlias

import numpy as np

from accord.annotations.arrays import FloatArray, divide
from accord.errors import OptionError
from accord.options import whole_number
from accord.scores.score_table import EXACTLY, ITEM, Effect, ScoreTable

ErrorKind: TypeAlias = Literal["1", "A", "C"]

USUAL = ("A,1", "C,1", "1,1", "A,k", "C,k", "1,k")  # as tables show them
KINDS: dict[str, ErrorKind] = {"1": "1", "2": "A", "3": "C", "A": "A", "C": "C"}
SHROUT_FLEISS: dict[ErrorKind, str] = {"1": "1", "A": "2", "C": "3"}
WORDS: dict[ErrorKind, str] = {
    "1": "annotators not told apart",
    "A": "absolute agreement",
    "C": "consistency: annotators' severity does not count",
}


@dataclass(frozen=True)
class IccForm:
    """What counts as error, and of how many annotators the mean is used: 1, a number, or all who scored an item."""

    error: ErrorKind
    number: int | None = 1  # None: all

    @classmethod
    def named(cls, form: Any) -> IccForm:
        """From any of its names.

        >>> IccForm.named("A,1") == IccForm.named("ICC(2,1)") == IccForm.named("2,1")
        True
        >>> IccForm.named("ICC(k)"), IccForm.named("C,3").name
        (IccForm(error='1', number=None), 'C,3')
        """
        plain = re.sub(r"^ICC|[()\s]", "", form.upper()) if isinstance(form, str) else ""
        plain = {"1": "1,1", "K": "1,K"}.get(plain, plain)
        kind, _, number = plain.partition(",")
        whole = (whole_number(number) or 0) > 0
        if kind not in KINDS or not (whole or number == "K"):
            raise OptionError.choice("form", form, USUAL)
        return cls(KINDS[kind], int(number) if whole else None)

    @property
    def name(self) -> str:
        """As McGraw and Wong write it, with a 1 before that of one way."""
        return f"{self.error},{'k' if self.number is None else self.number}"

    @property
    def shrout_fleiss(self) -> str:
        """As Shrout and Fleiss write it."""
        return f"ICC({SHROUT_FLEISS[self.error]},{'k' if self.number is None else self.number})"

    @property
    def in_words(self) -> str:
        """What it says of which number."""
        of = {1: "one annotator's score", None: "the mean score of an item"}.get(
            self.number, f"the mean score of {self.number} annotators"
        )
        return f"{of}, {WORDS[self.error]}"

    def annotators(self, answered: float) -> float:
        """Of how many annotators the mean is used, where an item has so many."""
        return answered if self.number is None else float(self.number)


def error_weights(
    table: ScoreTable, numbers: Mapping[str, float], *, absolute: bool, fixed: Collection[str] = ()
) -> FloatArray:
    """(effects + 1,) how much of each variance is in the error of a mean over so many levels of each facet.

    The variance of a set of facets is divided by how many levels of them the mean is over; a facet that lies within
    another is counted in all, not within each. What shifts all items alike is no error where only their order counts
    (relative), and is where their scores do (absolute). Of facets whose levels are all there are (fixed), nothing is
    error. The item's own weight is zero: its variance is what is to be known.
    """
    weights = np.zeros(len(table.effects) + 1)
    for place, effect in enumerate(table.effects):
        facets = effect - {ITEM}
        if facets - set(fixed) and (absolute or ITEM in effect):
            weights[place] = 1 / _levels(table, facets, numbers)
    weights[-1] = 1 / _levels(table, frozenset(table.factors) - {ITEM}, numbers)
    return weights


def universe_weights(table: ScoreTable, numbers: Mapping[str, float], fixed: Collection[str] = ()) -> FloatArray:
    """(effects + 1,) how much of each variance is to be known: the item's, and what it is with fixed levels."""
    weights = np.zeros(len(table.effects) + 1)
    for place, effect in enumerate(table.effects):
        facets = effect - {ITEM}
        if ITEM in effect and facets <= set(fixed):
            weights[place] = 1 / _levels(table, facets, numbers)
    return weights


def _levels(table: ScoreTable, facets: Effect, numbers: Mapping[str, float]) -> float:
    """Over how many combinations a mean is."""
    counted = [name for name in facets if not any(name in table.inside.get(other, ()) for other in facets)]
    return prod(numbers.get(name, 1.0) for name in counted)


def of_several(value: FloatArray | float, number: float) -> FloatArray:
    """The reliability of a mean of so many from that of one (Spearman and Brown); NaN from where it has no end.

    Below −1 / (n − 1) a mean would have a variance below zero, and the formula a value above 1.
    """
    single = np.asarray(value, dtype=np.float64)
    whole = 1 + (number - 1) * single
    return divide(number * single, np.where(whole > EXACTLY, whole, 0.0))
