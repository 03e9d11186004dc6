"""What depends on what a gold holds of an item: one label, several, or a number; one small object per kind.

Golds of spans and of rankings are classes of their own, and ask none of these.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from accord.agreement.table import Table
from accord.annotations.answers import Label, LabelSet
from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.annotations.majority_rule import EQUAL_DIGITS
from accord.consensus.label_names import NameLookup
from accord.consensus.reference import labels_in_cell
from accord.consensus.votes_behind import LabelSupport, behind_labels
from accord.errors import (
    Keyword,
    LabelError,
    MeasureError,
    OptionError,
    at_item,
    counted,
    in_python,
    listing,
    off_the_scale,
    quoted,
)
from accord.options import check_choice

if TYPE_CHECKING:
    from accord.consensus.gold import Gold
    from accord.consensus.method_outcome import Outcome


@dataclass(frozen=True, eq=False)
class OneLabel:
    """One label per item: one question, whose answers are the labels."""

    gold: Gold
    label_by_label: ClassVar[bool] = False  # is each label a question of its own, yes or no?

    def decided(self) -> BoolArray:
        """(items,): is there an answer?"""
        return self.gold.codes >= 0

    def labels(self) -> list[Any]:
        """One entry per item, None where undecided."""
        names = np.empty(len(self.gold.study.labels) + 1, dtype=object)
        names[:-1], names[-1] = list(self.gold.study.labels), None
        return names[self.gold.codes].tolist()  # type: ignore[no-any-return]

    def codes(self) -> list[IntArray]:
        """Of each question, what every item got: positions of labels, or whether the label is present; −1 for none."""
        return [self.gold.codes]

    def holding(self, label: int) -> BoolArray:
        """(items,): is this the label of the item, or one of them?"""
        return np.asarray(self.gold.codes == label)

    def of_labels(self, parts: Sequence[Any]) -> FloatArray:
        """(…, labels): how far each label is so, from what the evidence on each question gives its answers."""
        return np.asarray(parts[0])

    def question(self, label: Label | None) -> tuple[Outcome, tuple[Any, ...]]:
        """The question that a table of confusions is about, and its answers."""
        if label is not None:
            raise OptionError(
                Keyword("label", label),
                " is for sets, where each label is a question of its own; with single labels one table holds them all. "
                "Leave it out.",
            )
        return self.gold.outcomes[0], self.gold.study.labels

    def support(self) -> list[LabelSupport]:
        """What stands behind each label."""
        gold = self.gold
        return behind_labels(gold.outcomes, gold.study.labels, self.codes(), sets=self.label_by_label)

    # -- in tables -------------------------------------------------------------------------------------------------

    def columns(self) -> dict[str, Any]:
        """What the table of items says of the answer, and how sure it is."""
        return {"label": self.gold.labels, "confidence": self.gold.confidence, "votes": self.gold.votes}

    def distribution(self, notes: tuple[str, ...]) -> Table:
        """Labels and how many items have them."""
        done, (counts, more) = self.gold.n_decided, self._counts()
        share = counts / done if done else np.full(len(counts), np.nan)
        columns: dict[str, Any] = {"label": list(self.gold.study.labels), "items": counts, "share": share}
        return Table("Distribution", columns, notes + more)

    def _counts(self) -> tuple[IntArray, tuple[str, ...]]:
        codes = self.gold.codes
        return np.bincount(codes[codes >= 0], minlength=len(self.gold.study.labels)), ()

    # -- what is in doubt ------------------------------------------------------------------------------------------

    @property
    def sure(self) -> FloatArray:
        """(items,): how sure each answer is, in the measure of the kind."""
        return self.gold.confidence

    def loss(self, number: FloatArray) -> FloatArray:
        """(items,): how likely the present answer is wrong, of items with so many answers."""
        confidence = np.nan_to_num(self.gold.confidence, nan=0.0)
        if self.gold.confidence_is == "posterior":
            return np.asarray(1 - confidence)
        # a share of few votes tells less than the same share of many
        return np.asarray(1 - (confidence * number + 1) / (number + self._choices))

    @property
    def _choices(self) -> int:
        return max(len(self.gold.study.labels), 2)

    def alike(self, loss: FloatArray) -> FloatArray:
        """The losses by which items are put in order: those that differ by their last digits are the same."""
        return np.round(loss, EQUAL_DIGITS)

    def doubt(self, place: int, few: str) -> str:
        """Why a person should look at an item that is decided, from so few answers."""
        confidence = self.gold.confidence[place]
        if np.isnan(confidence):
            return f"{few}, and nothing to judge by"
        return f"{self.gold.confidence_is} {confidence:.2f} from {few}"

    def why_undecided(self, place: int) -> str:
        """Why an item that was answered has no label."""
        outcome = self.gold.outcomes[0]
        assigned = outcome.details.get("assigned")
        return self._why_tied(outcome, place) if assigned is None else self._why_assigned(assigned[place])

    def _why_assigned(self, assigned: BoolArray) -> str:
        """The expert index leaves none or several."""
        names = [self.gold.study.labels[label] for label in np.nonzero(assigned)[0]]
        if names:
            return f"{listing(names, most=4)} were all assigned"
        return "no label has more annotators for it than against it, and the expert index does not settle it"

    def _why_tied(self, outcome: Outcome, place: int) -> str:
        found = np.searchsorted(outcome.choices.open_items, place)
        tied = outcome.choices.tied[found]
        if not tied.any():
            return "nobody whose answers carry weight answered it"
        names = [self.gold.study.labels[label] for label in np.nonzero(tied)[0]]
        each = _count(outcome, place, int(np.nonzero(tied)[0][0]))
        return f"{listing(names, most=4)} are tied ({each} each)"

    # -- people decide ---------------------------------------------------------------------------------------------

    def decision(self, labels: NameLookup, given: Any, item: Any) -> Any:
        """A decision as the gold holds it."""
        return self.gold.study.labels[_known_label(labels, given, item)]


@dataclass(frozen=True, eq=False)
class SeveralLabels(OneLabel):
    """A set of labels per item: a question for each label, yes or no."""

    label_by_label: ClassVar[bool] = True

    def decided(self) -> BoolArray:
        """(items,): is every label settled?"""
        return np.asarray((self.gold.members >= 0).all(axis=1))

    def labels(self) -> list[Any]:
        """One set per item, None where undecided."""
        gold, scale = self.gold, self.gold.study.labels
        return [
            LabelSet(label for label, member in zip(scale, row, strict=True) if member) if done else None
            for row, done in zip((gold.members > 0).tolist(), gold.decided.tolist(), strict=True)
        ]

    def codes(self) -> list[IntArray]:
        """Of each label, whether every item has it."""
        return [self.gold.members[:, place].astype(np.int64) for place in range(len(self.gold.study.labels))]

    def holding(self, label: int) -> BoolArray:
        """(items,): is this label among those of the item?"""
        return np.asarray(self.gold.members[:, label] > 0)

    def of_labels(self, parts: Sequence[Any]) -> FloatArray:
        """(…, labels): how far each label is present."""
        return np.stack([part[..., 1] for part in parts], axis=-1)

    def question(self, label: Label | None) -> tuple[Outcome, tuple[Any, ...]]:
        """Whether one label is so."""
        labels = self.gold.study.labels
        check_choice("label", label, labels)
        return self.gold.outcomes[labels.index(label)], ("no", "yes")

    def _counts(self) -> tuple[IntArray, tuple[str, ...]]:
        members = self.gold.members[self.gold.decided] > 0
        sizes = np.bincount(members.sum(axis=1), minlength=1)
        notes = (f"{counted(n, 'items')} with {counted(size, 'labels')}." for size, n in enumerate(sizes.tolist()) if n)
        return members.sum(axis=0), tuple(notes)

    @property
    def _choices(self) -> int:
        return 2

    def why_undecided(self, place: int) -> str:
        """Which labels are open."""
        names = [self.gold.study.labels[label] for label in np.nonzero(self.gold.members[place] < 0)[0]]
        return f"as much speaks for as against {listing(names, most=4)}"

    def decision(self, labels: NameLookup, given: Any, item: Any) -> Any:
        """A set, however the cell or the list names its labels."""
        chosen = sorted({_known_label(labels, label, item) for label in labels_in_cell(labels, given)})
        return LabelSet(self.gold.study.labels[place] for place in chosen)


@dataclass(frozen=True, eq=False)
class OneNumber(OneLabel):
    """A score per item: no labels, and a standard error in place of a confidence."""

    def decided(self) -> BoolArray:
        """(items,): is there a number?"""
        return ~np.isnan(self.gold.values)

    def labels(self) -> list[Any]:
        """One number per item, None where nobody answered."""
        return [None if math.isnan(value) else value for value in self.gold.values.tolist()]

    def codes(self) -> list[IntArray]:
        """No question has labels for answers."""
        return []

    def holding(self, label: int) -> BoolArray:
        """(items,): a number is no label."""
        return np.zeros(len(self.gold), dtype=np.bool_)

    def of_labels(self, parts: Sequence[Any]) -> FloatArray:
        """There is no label that could be so."""
        raise MeasureError(
            "Scores have no soft labels and no vote shares; see values and standard_errors.",
            available=("values", "standard_errors"),
        )

    def question(self, label: Label | None) -> tuple[Outcome, tuple[Any, ...]]:
        """Nothing is confused."""
        raise MeasureError(
            "Scores have no confusion table; ",
            in_python("annotators() has their bias and spread", "the table of annotators has their bias and spread"),
            ".",
            available=("annotators",),
        )

    def support(self) -> list[LabelSupport]:
        """There are no votes for numbers."""
        raise MeasureError(
            "Scores have no labels with votes behind them; see values and standard_errors.",
            available=("values", "standard_errors"),
        )

    def columns(self) -> dict[str, Any]:
        """The number and its standard error."""
        return {"score": self.gold.labels, "se": self.gold.standard_errors}

    def distribution(self, notes: tuple[str, ...]) -> Table:
        """Where the quarters of the numbers lie."""
        values, points = self.gold.values[self.gold.decided], (0.0, 0.25, 0.5, 0.75, 1.0)
        found = np.quantile(values, points) if len(values) else np.full(len(points), np.nan)
        names = ["lowest", "lower quarter", "middle", "upper quarter", "highest"]
        return Table("Distribution", {"label": names, "score": found}, notes)

    @property
    def sure(self) -> FloatArray:
        """(items,): the standard errors."""
        return self.gold.standard_errors

    def loss(self, number: FloatArray) -> FloatArray:
        """(items,): the standard error; a number without one is as unsure as the least sure that has one."""
        errors = self.gold.standard_errors[~np.isnan(self.gold.standard_errors)]
        typical = float(errors.max()) if len(errors) else 1.0
        return np.where(number > 0, np.nan_to_num(self.gold.standard_errors, nan=typical), np.inf)

    def alike(self, loss: FloatArray) -> FloatArray:
        """As they are: numbers have a scale of their own."""
        return loss

    def doubt(self, place: int, few: str) -> str:
        """How far off the number may be."""
        return f"standard error {self.gold.standard_errors[place]:.3g} from {few}"

    def decision(self, labels: NameLookup, given: Any, item: Any) -> Any:
        """A number."""
        try:
            number = float(given)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        if not math.isfinite(number):
            raise LabelError(
                "The decision of item ", at_item(item), " must be a number; it is ", quoted(given), ". Mend it."
            )
        return number


OF_KIND: dict[str, type[OneLabel]] = {"single": OneLabel, "set": SeveralLabels, "score": OneNumber}


def _count(outcome: Outcome, place: int, label: int) -> str:
    """How much speaks for a label of an item."""
    if outcome.evidence.softness != "vote share" and not outcome.by_votes:
        share = outcome.evidence.soft(outcome.ballots, place, place + 1)[0][0, label]
        return f"{outcome.evidence.softness} {share:.2f}"
    cell, often = outcome.ballots.entries(place, place + 1)
    number = int(often[cell % outcome.ballots.n_answers == label].sum())
    return f"{number} answer" if number == 1 else f"{number} answers"


def _known_label(labels: NameLookup, given: Any, item: Any) -> int:
    """The position of the label that a decision names."""
    place = labels.place(given)
    if place is None:
        raise off_the_scale(labels.names, "The decision of item ", at_item(item), " is ", quoted(given))
    return place
