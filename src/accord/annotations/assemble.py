"""From coded columns to the annotations of a study: one answer per item and annotator.

Labels and scores stand here; sets, rankings and marked places in `assemble_several`.
Nothing is dropped silently: `LeftOut` counts what was, and why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from accord.annotations.answers import (
    Answers,
    Label,
    scale_of,
)
from accord.annotations.arrays import BoolArray, FloatArray, IntArray, filled, numbers, pairs_repeat, used
from accord.annotations.coded import CodedAnnotations
from accord.annotations.factorize import Coded, code
from accord.annotations.left_out import LeftOut, Reason
from accord.errors import DuplicateAnswers, LabelError, Part, Place, at_item, at_row, counted, one_of, quoted, remedy

Duplicates: TypeAlias = Literal["error", "first", "last", "repeat"]
DUPLICATES: tuple[Duplicates, ...] = ("error", "first", "last", "repeat")


@dataclass(frozen=True, eq=False)
class Names:
    """What items and annotators are called; the annotators in canonical order."""

    items: Sequence[Label]
    annotators: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class AnnotationRows:
    """The rows of a long table with an annotation: who, of which item, in which row; codes of any integer type."""

    item: IntArray
    annotator: IntArray
    row: IntArray
    names: Names
    whole: bool = False  # every row of the table, in order
    run: IntArray | None = None  # which of somebody's answers to an item the row is part of; None: there is one

    def of(self, column: IntArray) -> IntArray:
        """A column of the table, of these rows."""
        return column if self.whole else column[self.row]

    def where(self, keep: BoolArray) -> AnnotationRows:
        """Some of the rows."""
        if keep.all():
            return self
        return self.at(np.nonzero(keep)[0])

    def at(self, places: IntArray) -> AnnotationRows:
        """Some of the rows, by position."""
        run = None if self.run is None else self.run[places]
        return AnnotationRows(self.item[places], self.annotator[places], self.row[places], self.names, run=run)

    @property
    def answer(self) -> IntArray:
        """One number for each item, annotator and run: the rows that are one answer."""
        return self.key if self.run is None else self.key * (int(self.run.max(initial=-1)) + 2) + self.run + 1

    @cached_property
    def key(self) -> IntArray:
        """One number for each item and annotator."""
        return self.item.astype(np.int64) * max(len(self.names.annotators), 1) + self.annotator


def read_rows(item: Coded, annotator: Coded, left_out: LeftOut) -> AnnotationRows:
    """Rows with an item and an annotator; the others are counted."""
    names = Names(item.values, tuple(str(name) for name in annotator.values))
    if min(item.codes.min(initial=0), annotator.codes.min(initial=0)) >= 0:
        return AnnotationRows(item.codes, annotator.codes, numbers(len(item.codes) + 1)[:-1], names, whole=True)
    without_item, without_annotator = item.codes < 0, annotator.codes < 0
    left_out.add(Reason.NO_ITEM, int(without_item.sum()))
    left_out.add(Reason.NO_ANNOTATOR, int((without_annotator & ~without_item).sum()))
    keep = np.nonzero(~without_item & ~without_annotator)[0]
    return AnnotationRows(item.codes[keep], annotator.codes[keep], keep, names)


def single_answers(
    rows: AnnotationRows, label: Coded, answers: Answers, left_out: LeftOut, duplicates: Duplicates
) -> CodedAnnotations:
    """One label (or score) per row."""
    answered, codes = rows, rows.of(label.onto(_values(answers)))
    if codes.min(initial=0) < 0:
        has_answer = codes >= 0
        left_out.add(Reason.NO_ANSWER, int((~has_answer).sum()))
        answered, codes = rows.where(has_answer), codes[has_answer]
    keep = without_duplicates(answered, duplicates, left_out)
    found = assembled(answered.where(keep), codes if keep.all() else codes[keep], answers)
    return replace(found, no_repeats=duplicates != "repeat")


def score_answers(numbers: FloatArray, given: BoolArray, where: Part) -> tuple[Coded, Answers]:
    """Scores as codes."""
    codes, values = _score_codes(numbers, given, where)
    return Coded(codes, tuple(values.tolist())), Answers("score", scores=values)


def _score_codes(numbers: FloatArray, given: BoolArray, where: Part) -> tuple[IntArray, FloatArray]:
    """A code for each number given, −1 for the others, and the distinct numbers; only finite ones can be scores."""
    bad = given & ~np.isfinite(numbers)
    if bad.any():
        first = tuple(np.argwhere(bad)[0].tolist())
        raise LabelError(
            "A score must be a finite number; ",
            where,
            " has ",
            quoted(float(numbers[first])),
            " in ",
            at_row(first[0]),
            ". Make it missing (None) or mend the data.",
        )
    values, inverse = np.unique(numbers[given], return_inverse=True)
    codes = np.full(numbers.shape, -1, dtype=np.int64)
    codes[given] = inverse
    return codes, values


def _values(answers: Answers) -> tuple[Label, ...]:
    return tuple(answers.scores.tolist()) if answers.kind == "score" else answers.labels


def without_duplicates(
    answered: AnnotationRows, duplicates: Duplicates, left_out: LeftOut, *, whole: bool = False
) -> BoolArray:
    """Which rows to keep where an annotator answered an item again; `whole` if a row may hold several labels."""
    keep = np.ones(len(answered.item), dtype=np.bool_)
    if duplicates == "repeat" or not len(keep):
        return keep
    shape = (len(answered.names.items), max(len(answered.names.annotators), 1))
    if not pairs_repeat(answered.item, answered.annotator, shape):
        return keep
    key = answered.key
    order = np.argsort(key, kind="stable")
    again = np.zeros(len(key), dtype=np.bool_)
    again[1:] = key[order][1:] == key[order][:-1]
    if duplicates == "error":
        _refuse_duplicates(answered, order, again, whole=whole)
    drop = again if duplicates == "first" else np.append(again[1:], False)
    keep[order[drop]] = False
    left_out.add(Reason.REPEATED, int(drop.sum()))
    return keep


def _refuse_duplicates(answered: AnnotationRows, order: IntArray, again: BoolArray, *, whole: bool) -> None:
    place = order[int(np.nonzero(again)[0][0])]
    item, annotator = answered.names.items[answered.item[place]], answered.names.annotators[answered.annotator[place]]
    several: tuple[Part, ...] = () if whole else ("If an answer is several labels, say ", remedy(answers="set"), ". ")
    raise DuplicateAnswers(
        "Annotator ",
        quoted(annotator),
        " answered item ",
        at_item(item),
        f" more than once ({counted(int(again.sum()), 'repeats')} in the table). ",
        *several,
        "If these are repeats, say ",
        remedy(duplicates=one_of("first", "last", "repeat")),
        ". If the table holds several variables, name their column: ",
        remedy(task=...),
        place=Place(item=item, annotator=annotator),
    )


def assembled(answered: AnnotationRows, codes: IntArray, answers: Answers) -> CodedAnnotations:
    """Only items and annotators that are left, numbered anew."""
    items, annotators = answered.names.items, answered.names.annotators
    item, annotator = answered.item, answered.annotator
    if not answered.whole:
        present, people = used(item, len(items)), used(annotator, len(annotators))
        if len(present) < len(items) or len(people) < len(annotators):
            people = people if len(annotator) else np.arange(len(annotators))
            item, annotator = _numbered(present, len(items))[item], _numbered(people, len(annotators))[annotator]
            items = tuple(items[position] for position in present)
            annotators = tuple(annotators[position] for position in people)
    return CodedAnnotations(
        answers, len(items), annotators, item=item, annotator=annotator, answer=codes, items=items, row=answered.row
    )


def _numbered(used_codes: IntArray, size: int) -> IntArray:
    """(size,) the number of each code among those in use."""
    number = np.full(size, -1, dtype=np.int64)
    number[used_codes] = np.arange(len(used_codes))
    return number


def grid_answers(cells: Any, declared: Sequence[Any] | None) -> tuple[IntArray, Answers]:
    """Items × annotators of single labels as codes on one scale."""
    coded = code(cells)
    scale = scale_of(coded.values, declared)
    return coded.onto(scale.labels), scale


def grid_scores(cells: npt.NDArray[Any]) -> tuple[IntArray, Answers]:
    """Items × annotators of numbers as codes, NaN and masked cells for missing; no number becomes a label for it."""
    numbers = filled(cells)
    codes, values = _score_codes(numbers, ~np.isnan(numbers), "the table")
    return codes, Answers("score", scores=values)
