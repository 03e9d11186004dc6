"""F1 between annotators who marked spans: how much of what two marked is the same, of all that they marked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up, divide
from accord.annotations.tally import Tally
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.coefficients.measurable import Breakdown, Decomposition, Measurable, Parts
from accord.coefficients.units import OneOfEach
from accord.errors import Message, counted, remedy
from accord.spans.continuum import Continuum
from accord.spans.matched_amounts import Amounts
from accord.spans.matching import Criterion, matched
from accord.spans.mean_of_ratios import MeanOfRatios
from accord.spans.shared_documents import SharedDocuments
from accord.study.study import Study

Average: TypeAlias = Literal["micro", "macro", "labels", "pooled"]
Empty: TypeAlias = Literal["skip", "agree"]
AVERAGES: tuple[Average, ...] = get_args(Average)
EMPTIES: tuple[Empty, ...] = get_args(Empty)
MOST_LINES = 20  # pairs of annotators that a calculation shows
NOTHING = "those who saw the same marked nothing there."


class SpanF1(Measurable):
    """Twice what two annotators marked alike, over all that they marked: by pair, over documents, and the mean.

    `average` says what is added up before it is divided: "micro" the documents of a pair, "macro" nothing (each
    document has its F1, and each pair their mean), "labels" the documents of a pair and a label, "pooled" everything.
    """

    smooth = True

    def __init__(
        self,
        continuum: Continuum,
        amounts: Amounts,
        average: Average = "micro",
        empty: Empty = "skip",
        *,
        labelled: Callable[[], Amounts] | None = None,
        of_what: str | None = None,
        reference: str | None = None,
        marks: str = "spans",
        label: int | None = None,
    ) -> None:
        self.continuum, self.amounts, self.average, self.empty = continuum, amounts, average, empty
        self.marks, self.of_what, self.reference, self.label = marks, of_what, reference, label
        self.times: FloatArray | None = None  # (P,) how much of each document there is, where not one of each
        self._label_amounts = labelled  # where matches go across labels: those of marks with one label
        self._counts = np.zeros(continuum.n_documents, dtype=np.bool_)
        self._counts[amounts.shared.document] = True
        self._units = OneOfEach.of(self._counts)

    # -- the value ----------------------------------------------------------------------------------------------------

    @cached_property
    def ratios(self) -> MeanOfRatios:
        """The cells whose mean the value is."""
        return self._cells(self.average)

    @cached_property
    def pair_ratios(self) -> MeanOfRatios:
        """A cell for every pair of annotators."""
        return self.ratios if self.average in ("micro", "macro") else self._cells("micro")

    def _cells(self, average: Average) -> MeanOfRatios:
        amounts, shared = self.amounts, self.amounts.shared
        place = self._units.place
        above, below = amounts.by_shared
        if average == "labels":
            return self._label_cells()
        cell, groups = shared.pair, np.zeros(shared.n_pairs, dtype=np.int64)
        if average == "pooled":
            cell, groups = np.zeros(len(shared), dtype=np.int64), np.zeros(1, dtype=np.int64)
        if average == "macro":
            nothing = below == 0
            value = np.where(nothing, 1.0, np.nan_to_num(divide(above, below)))
            there = np.where(nothing & (self.empty == "skip"), 0.0, 1.0)
            above, below = value * there, there
        return MeanOfRatios(
            place[shared.document], cell, above, below, len(self._units), groups, self.empty == "agree", self.times
        )

    def _label_cells(self) -> MeanOfRatios:
        """A cell for every label of a pair who used it, labels as groups."""
        amounts, shared = self._labelled, self.amounts.shared
        labels = max(len(self.continuum.labels), 1)
        marked = amounts.marked_at * labels + amounts.marked_label
        found = add_up(
            np.searchsorted(marked, amounts.matched.at_shared * labels + amounts.matched.label),
            2 * amounts.matched.amount,
            len(marked),
        )
        pairs = shared.pair[amounts.marked_at]
        cells, cell = np.unique(amounts.marked_label * shared.n_pairs + pairs, return_inverse=True)
        _, group = np.unique(cells // max(shared.n_pairs, 1), return_inverse=True)
        document = self._units.place[shared.document[amounts.marked_at]]
        return MeanOfRatios(document, cell, found, amounts.marked, len(self._units), group, times=self.times)

    @property
    def sample(self) -> OneOfEach:
        """The documents that two annotators saw."""
        return self._units

    @property
    def n_answers(self) -> int:
        """Annotators' answers to those documents; of one label, the marks that have it."""
        if self.label is None:
            return int(self.continuum.seen[self._counts].sum())
        return int((self._counts[self.continuum.document] & (self.continuum.label == self.label)).sum())

    @property
    def n_marks(self) -> int:
        """What was marked in the documents that count."""
        return int(self._counts[self.continuum.document].sum())

    def evaluate(self, number: FloatArray | IntArray) -> Parts:
        """The mean for other numbers of each document."""
        return Parts.of_value(self.ratios.value(number))

    def influence(self) -> FloatArray:
        """How far each document moves the mean."""
        return self.ratios.influence()

    def influence_on(self, number: FloatArray) -> FloatArray:
        """The same on resamples."""
        return self.ratios.influence_on(number)

    def counted(self, number: FloatArray) -> SpanF1:
        """Documents add so many times what they do."""
        found = self._afresh()
        found.times = number
        return found

    # -- where from ---------------------------------------------------------------------------------------------------

    def decomposition(self) -> Decomposition:
        """What each document adds; one where nobody marked anything weighs nothing."""
        value, weight = self.ratios.parts_of_documents()
        return Decomposition(np.full(len(value), np.nan), value, weight)

    def unit_columns(self) -> dict[str, list[Any]]:
        """How much was marked in each document."""
        marks = np.bincount(self.continuum.document, minlength=self.continuum.n_documents)[self._counts]
        return {self.marks: marks.tolist()}

    def of_label(self, label: int) -> SpanF1:
        """Marks of one label alone, matched among themselves."""
        held = np.arange(max(len(self.continuum.labels), 1)) == label
        return self._of_labels(held, label)

    def but_label(self, label: int) -> SpanF1:
        """Marks of all other labels, each label matched among itself."""
        return self._of_labels(np.arange(max(len(self.continuum.labels), 1)) != label, None)

    def _of_labels(self, held: BoolArray, label: int | None) -> SpanF1:
        average = "micro" if self.average == "labels" else self.average
        some = self._labelled.of_labels(held)
        return SpanF1(self.continuum, some, average, of_what=self.of_what, marks=self.marks, label=label)

    @cached_property
    def _labelled(self) -> Amounts:
        """Matches of marks that have one label."""
        return self.amounts if self._label_amounts is None else self._label_amounts()

    def by_annotator(self, study: Study) -> Breakdown:
        """Each annotator: the mean over the pairs with them."""
        shared, size = self.amounts.shared, len(study.annotators)
        pair = np.arange(shared.n_pairs)
        value, error = self.pair_ratios.means(
            np.concatenate((pair, pair)), np.concatenate((shared.first, shared.second)), size
        )
        nothing = np.full(size, np.nan)
        return Breakdown(nothing, nothing, value, error)

    def by_pair(self, named: Tally, pairs: AnnotatorPairs) -> Breakdown:
        """The pairs that the mean is of."""
        shared, people = self.amounts.shared, self.amounts.shared.n_annotators
        found = Breakdown.nothing(len(pairs))
        mine, wanted = shared.first * people + shared.second, pairs.first * people + pairs.second
        _, here, there = np.intersect1d(mine, wanted, assume_unique=True, return_indices=True)
        found.value[there], found.error[there] = self.pair_ratios.own[here], self.pair_ratios.errors()[here]
        return found

    # -- in words -----------------------------------------------------------------------------------------------------

    def size_in_words(self, annotators: int) -> str:
        """Documents, annotators and marks."""
        return f"{self.sample.n_items:,} documents, {annotators:,} annotators, {self.n_marks:,} {self.marks}."

    def steps(self, undefined: str | None) -> list[str]:
        """The pairs one by one, and what is made of them."""
        shared, names = self.amounts.shared, self.continuum.annotators
        above, below = (add_up(shared.pair, part, shared.n_pairs) for part in self.amounts.by_shared)
        lines = [
            "",
            STEP_1,
        ]
        for pair in range(min(shared.n_pairs, MOST_LINES)):
            value = f"{above[pair] / below[pair]:z.4f}" if below[pair] else "undefined: neither marked anything"
            lines.append(
                f"  {names[shared.first[pair]]} and {names[shared.second[pair]]}: 2 · {above[pair] / 2:,.4g} / "
                f"{below[pair]:,.0f} = {value}"
            )
        if shared.n_pairs > MOST_LINES:
            lines.append(f"  … {shared.n_pairs:,} pairs in all")
        last = f"there is none: {undefined}" if undefined else f"{float(self.parts.value):z.4f}"
        return [*lines, "", f"Step 2: {MEANS[self.average]}", f"  {last}"]

    def why_undefined(self) -> str | None:
        """Nobody marked anything, or nobody met."""
        if not len(self.amounts.shared):
            return "No two annotators saw the same document, so there is nothing to compare."
        return Message(
            "Nobody marked anything in the documents that two annotators saw, so there is nothing to be alike; ",
            remedy(empty="agree"),
            " counts that as full agreement.",
        )

    def why_no_part(self, part: Literal["item", "pair"]) -> str:
        """Nothing was marked, or nobody was there to compare with."""
        if part == "item":
            return f"only one of those compared saw the document, or {NOTHING}"
        return NOTHING if self.reference is None else f"only pairs with {self.reference} are compared, and {NOTHING}"

    def notes(self) -> tuple[str, ...]:
        """Documents and pairs that do not count, and what becomes of documents without a mark."""
        return tuple(note for note in (self._alone(), self._pairs_left_out(), self._both_empty()) if note)

    def _alone(self) -> str | None:
        answered = self.continuum.seen.any(1)
        alone = int((answered & ~self._counts).sum())
        return f"{counted(alone, 'documents')} that only one of those compared saw: left out." if alone else None

    def _pairs_left_out(self) -> str | None:
        undefined = int(np.isnan(self.pair_ratios.own).sum())
        return f"{counted(undefined, 'pairs of annotators')} left out: {NOTHING}" if undefined else None

    def _both_empty(self) -> str | None:
        """Documents in which two marked nothing: told where they make a difference."""
        empty = self.amounts.by_shared[1] == 0
        if not empty.any() or not (self.average == "macro" or (self.empty == "agree" and self._empty_pairs(empty))):
            return None
        times = f"{empty.sum():,} times neither of two annotators marked anything in a document"
        if self.empty == "agree":
            return f"{times}: that counts as full agreement."
        return Message(
            f"{times}: these are left out; ",
            remedy(empty="agree"),
            " counts them as full agreement.",
        )

    def _empty_pairs(self, empty: BoolArray) -> bool:
        """Is there a pair who marked nothing at all?"""
        shared = self.amounts.shared
        return bool((add_up(shared.pair, ~empty, shared.n_pairs) == 0).any())


STEP_1 = "Step 1: every pair of annotators on the documents both saw: 2 · matched / (marked by one + by the other)"
AVERAGED = {"micro": None, "macro": "macro", "labels": "mean over labels", "pooled": "pooled"}
MEANS = {
    "micro": "their mean",
    "macro": "F1 of every document instead, its mean over the documents of a pair, and the mean over pairs",
    "labels": "the same for every label, its mean over the pairs who used it, and the mean over labels",
    "pooled": "all pairs together: the sums divided",
}


def in_title(average: Average, reference: str | None, *words: str | None) -> str | None:
    """What a title says of how F1 was made; nothing of the usual one."""
    parts = [*words, AVERAGED[average], None if reference is None else f"against {reference}"]
    return ", ".join(word for word in parts if word) or None


@dataclass(frozen=True)
class SpanF1Recipe:
    """What makes the F1 of a study, or of a part of it."""

    criterion: Criterion
    average: Average = "micro"
    empty: Empty = "skip"
    reference: str | None = None

    def __call__(self, study: Study) -> SpanF1:
        """The F1 of the study's documents."""
        place = None if self.reference is None else study.annotators.index(self.reference)
        return self.of(Continuum.of(study), place)

    def of(self, continuum: Continuum, reference: int | None = None) -> SpanF1:
        """The F1 of what was marked; with a reference, of everybody else against it."""
        shared = SharedDocuments.of(continuum.seen, reference)

        def amounts(criterion: Criterion) -> Amounts:
            return Amounts.of(continuum, shared, matched(continuum, shared, criterion))

        against = None if reference is None else continuum.annotators[reference]
        return SpanF1(
            continuum, amounts(self.criterion), self.average, self.empty,
            labelled=None if self.criterion.labels_count else lambda: amounts(self.criterion.of_one_label),
            of_what=in_title(self.average, against, self.criterion.in_words), reference=against,
        )  # fmt: skip
