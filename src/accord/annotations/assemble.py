"""From coded columns to the annotations of a study: one answer per item and annotator, of whatever kind.

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
    IN_ORDER,
    Answers,
    Kind,
    Label,
    canonical,
    holds_several,
    ranked_members,
    refuse_mixed_types,
    run_from_one,
    scale_of,
    tidy_label,
)
from accord.annotations.arrays import BoolArray, FloatArray, IntArray, filled, numbers, pairs_repeat, used
from accord.annotations.coded import CodedAnnotations
from accord.annotations.factorize import Coded, code
from accord.annotations.left_out import LeftOut, Reason
from accord.annotations.packed_answers import Packed, flattened, grouped, packed_rankings, packed_sets
from accord.errors import (
    DuplicateAnswers,
    InputError,
    Keyword,
    LabelError,
    Part,
    Place,
    counted,
    listing,
    one_of,
    remedy,
)

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
    keep = _without_duplicates(answered, duplicates, left_out)
    found = _assembled(answered.where(keep), codes if keep.all() else codes[keep], answers)
    return replace(found, no_repeats=duplicates != "repeat")


def set_answers(
    rows: AnnotationRows, label: Coded, scale: Answers, left_out: LeftOut, duplicates: Duplicates
) -> CodedAnnotations:
    """All labels that an annotator gave to an item, a row each; a row without a label alone is the empty set."""
    if duplicates in ("first", "last"):
        rows = _each_label_once(rows, label, left_out)
    place, first = grouped(rows.answer)
    packed = packed_sets(place, len(first), label.onto(scale.labels)[rows.row], len(scale.labels))
    if packed is not None:
        return replace(_of_packed("set", rows.at(first), packed, scale), no_repeats=rows.run is None)
    groups = _Groups(rows)
    codes = label.onto(scale.labels)[rows.row][groups.order]
    members: list[tuple[int, ...]] = []
    for begin, end in groups.runs():
        held = codes[begin:end][codes[begin:end] >= 0].tolist()
        if len(set(held)) < len(held):
            twice = next(label for label in held if held.count(label) > 1)
            raise LabelError(
                f"The label {scale.labels[twice]!r} stands twice in one answer: {groups.named(begin)}. Keep one of the "
                "rows, or say ",
                remedy(duplicates="first"),
                " to count it once.",
            )
        members.append(tuple(sorted(held)))
    return _grouped("set", groups, members, scale)


def in_runs(rows: AnnotationRows, run: IntArray, left_out: LeftOut, duplicates: Duplicates) -> AnnotationRows:
    """Rows of which those of another run are another answer; only those of the first or last one where that is said."""
    told = replace(rows, run=run.astype(np.int64))
    if duplicates not in ("first", "last"):
        return told
    answer, first = grouped(told.answer)
    by_row = np.argsort(first)
    keep = np.empty(len(first), dtype=np.bool_)
    keep[by_row] = _without_duplicates(told.at(first[by_row]), duplicates, left_out)
    return replace(told.where(keep[answer]), run=None)


def in_one_run(rows: AnnotationRows, run: IntArray, left_out: LeftOut, duplicates: Duplicates) -> AnnotationRows:
    """Rows of marked places: those of two runs are not one answer, and no measure takes somebody's two.

    So only those of the first or last run where that is said, and else nobody may have marked an item in two.
    """
    told = in_runs(rows, run, left_out, duplicates)
    if told.run is None:
        return told
    _, first = grouped(told.answer)
    key, runs = np.unique(told.key[first], return_counts=True)
    several = key[runs > 1]
    if len(several):
        place, person = divmod(int(several[0]), max(len(rows.names.annotators), 1))
        item, annotator = rows.names.items[place], rows.names.annotators[person]
        raise DuplicateAnswers(
            f"Annotator {annotator!r} marked item {item!r} in {runs[runs > 1][0]} runs, and marks of two runs are not "
            f"one answer ({counted(len(several), 'such answers')} in the table). Say ",
            remedy(duplicates=one_of("first", "last")),
            " to keep those of one run.",
            place=Place(item=item, annotator=annotator),
        )
    return rows


def _each_label_once(rows: AnnotationRows, label: Coded, left_out: LeftOut) -> AnnotationRows:
    """A label that stands twice in an answer counts once."""
    given = label.codes[rows.row].astype(np.int64) + 1
    _, first = np.unique(rows.answer * (len(label.values) + 1) + given, return_index=True)
    keep = np.zeros(len(given), dtype=np.bool_)
    keep[first] = True
    left_out.add(Reason.REPEATED_LABEL, int((~keep).sum()))
    return rows.where(keep)


@dataclass(frozen=True, eq=False)
class Lists:
    """Cells that hold a whole answer each: a set of labels, or a ranking of them."""

    cells: Sequence[Any]
    declared: Sequence[Any] | None
    kind: Kind
    duplicates: Duplicates = "error"
    missing: Reason = Reason.NO_ANSWER  # what a cell without an answer is counted as

    def labels(self, row: int, left_out: LeftOut) -> tuple[list[Label], list[int]] | None:
        """The labels of one cell and the rank of each; None is missing, an empty list the empty set."""
        cell = self.cells[row]
        if not holds_several(cell):
            if tidy_label(cell) is None:
                return None
            odd = f" needs a list of labels in each cell; found {cell!r} in row {row}."
            raise LabelError(Keyword("answers", self.kind), odd)
        groups = [part if self.kind in IN_ORDER and holds_several(part) else [part] for part in cell]
        labels = [(tidy_label(label), rank) for rank, group in enumerate(groups, start=1) for label in group]
        given = [(label, rank) for label, rank in labels if label is not None]
        if self.kind in IN_ORDER:
            self._refuse_unranked(cell, row, blank=len(given) < len(labels) or not all(map(len, groups)))
        left_out.add(Reason.BLANK_LABEL, len(labels) - len(given))
        found = [label for label, _ in given]
        refuse_mixed_types(found)
        if len(set(found)) < len(found):
            raise LabelError(f"The same label stands twice in one answer: {found!r}, in row {row}. Name it once.")
        return found, [rank for _, rank in given]

    def _refuse_unranked(self, cell: Any, row: int, *, blank: bool) -> None:
        """A ranking has an order, a primary label and no holes."""
        if isinstance(cell, set | frozenset):
            raise LabelError(f"A set has no order, so it is no ranking; found {cell!r} in row {row}. Give a list.")
        if blank or not len(cell):
            raise LabelError(
                f"A ranked answer needs a primary label and no blanks; found {list(cell)!r} in row {row}. "
                "A missing answer is None, not an empty list."
            )


def listed_answers(rows: AnnotationRows, lists: Lists, left_out: LeftOut) -> CodedAnnotations:
    """Labels as a list in each cell: a set, or a ranking."""
    at_once = _listed_at_once(rows, lists, left_out)
    if at_once is not None:
        return at_once
    found = [lists.labels(row, left_out) for row in rows.row.tolist()]
    given = [cell for cell in found if cell is not None]
    scale = scale_of([label for labels, _ in given for label in labels], lists.declared)
    place = {label: position for position, label in enumerate(scale.labels)}
    answered = rows.where(np.array([cell is not None for cell in found], dtype=np.bool_))
    left_out.add(lists.missing, len(found) - len(answered.row))
    held = [([place[label] for label in labels], ranks) for labels, ranks in given]
    members = [tuple(sorted(at)) if lists.kind == "set" else ranked_members(at, ranks) for at, ranks in held]
    keep = _without_duplicates(answered, lists.duplicates, left_out, whole=True)
    kept = [members[at] for at in np.nonzero(keep)[0]]
    return replace(
        _with_members(lists.kind, answered.where(keep), kept, scale), no_repeats=lists.duplicates != "repeat"
    )


def _listed_at_once(rows: AnnotationRows, lists: Lists, left_out: LeftOut) -> CodedAnnotations | None:
    """The same without a loop, where nothing is odd about the cells; else None."""
    cells = [lists.cells[row] for row in rows.row.tolist()]
    has_answer = np.array([cell is not None for cell in cells], dtype=np.bool_)
    cells = [cell for cell in cells if cell is not None]
    flat = flattened(cells, ranked=lists.kind in IN_ORDER)
    if flat is None:
        return None
    place, labels = flat
    scale = scale_of(labels.values, lists.declared)
    codes = labels.onto(scale.labels).astype(np.int64)
    if lists.kind in IN_ORDER:
        begins = np.searchsorted(place, np.arange(len(cells)))
        ranks = np.arange(len(place)) - begins[place] + 1
        packed = packed_rankings(place, len(cells), codes, ranks, len(scale.labels))
    else:
        packed = packed_sets(place, len(cells), codes, len(scale.labels))
    if packed is None:
        return None
    left_out.add(lists.missing, int((~has_answer).sum()))
    answered = rows.where(has_answer)
    keep = _without_duplicates(answered, lists.duplicates, left_out, whole=True)
    given, codes = np.unique(packed.codes[keep], return_inverse=True)  # answers that only dropped rows gave are gone
    packed = Packed(tuple(packed.members[at] for at in given), codes)
    return replace(_of_packed(lists.kind, answered.where(keep), packed, scale), no_repeats=lists.duplicates != "repeat")


def ranked_answers(
    rows: AnnotationRows, label: Coded, rank: Coded, scale: Answers, left_out: LeftOut
) -> CodedAnnotations:
    """Labels in order of preference, a row each; rank 1 is the primary label, and labels of one rank are tied."""
    answered, codes = rows, rows.of(label.onto(scale.labels))
    if codes.min(initial=0) < 0:
        has_answer = codes >= 0
        left_out.add(Reason.NO_ANSWER, int((~has_answer).sum()))
        answered, codes = rows.where(has_answer), codes[has_answer]
    ranks = _ranks(rank, answered)
    place, first = grouped(answered.answer)
    packed = packed_rankings(place, len(first), codes, ranks, len(scale.labels))
    if packed is not None:
        return replace(_of_packed("ranked", answered.at(first), packed, scale), no_repeats=rows.run is None)
    groups = _Groups(answered, ranks)
    codes, ranks = codes[groups.order], ranks[groups.order]
    members: list[tuple[int, ...]] = []
    for begin, end in groups.runs():
        held, places = codes[begin:end].tolist(), ranks[begin:end].tolist()
        if not run_from_one(places):
            what = "no primary label (rank 1)" if 1 not in places else f"the ranks {listing(places)}"
            raise InputError(
                f"Ranks must run 1, 2, … without gaps; {groups.named(begin)} has {what}. Mend the ranks, or say ",
                remedy(answers="set"),
                " if their order does not matter, ",
                remedy(answers="single"),
                " for the labels of rank 1 alone.",
            )
        if len(set(held)) < len(held):
            raise LabelError(
                f"The same label stands twice in one ranked answer: {groups.named(begin)}. Keep the better rank."
            )
        members.append(ranked_members(held, places))
    return _grouped("ranked", groups, members, scale)


def ranking_answers(
    rows: AnnotationRows, label: Coded, rank: Coded, scale: Answers, left_out: LeftOut
) -> CodedAnnotations:
    """Options in order, a row each, the lowest rank first; equal ranks are ties, and an option without one is unranked.

    Only the order counts: ranks may begin anywhere, and leave numbers out.
    """
    codes = label.onto(scale.labels)[rows.row]
    has_answer = (codes >= 0) & (rank.codes[rows.row] >= 0)
    left_out.add(Reason.NO_ANSWER, int((~has_answer).sum()))
    answered, codes = rows.where(has_answer), codes[has_answer]
    words = [value for value in rank.values if isinstance(value, str | bool)]
    if words:
        raise InputError(f"Ranks must be numbers, the lowest first; found {listing(words)}. Mend them.")
    ranks = rank.codes[answered.row].astype(np.int64)  # values are sorted, so that codes are in their order
    groups = _Groups(answered, ranks)
    codes, ranks = codes[groups.order], ranks[groups.order]
    members: list[tuple[int, ...]] = []
    for begin, end in groups.runs():
        held = codes[begin:end].tolist()
        if len(set(held)) < len(held):
            twice = next(scale.labels[option] for option in held if held.count(option) > 1)
            raise LabelError(
                f"The option {twice!r} stands twice in one ranking: {groups.named(begin)}. Keep one of the rows, or "
                "name the column that tells the rankings apart: ",
                remedy(task=...),
                ".",
            )
        members.append(ranked_members(held, ranks[begin:end].tolist()))
    return _grouped("ranking", groups, members, scale)


def located_answers(
    rows: AnnotationRows, label: Coded, places: Sequence[tuple[float, ...] | None], scale: Answers, left_out: LeftOut
) -> CodedAnnotations:
    """Marked places (spans, boxes, relations), a row each; a row without a place alone is the empty answer."""
    groups = _Groups(rows)
    codes = label.onto(scale.labels)[rows.row][groups.order].tolist()
    row_numbers = rows.row[groups.order].tolist()
    marks: list[tuple[tuple[tuple[float, ...], int], ...]] = []
    twice = unplaced = 0
    for begin, end in groups.runs():
        held = [(places[row_numbers[at]], codes[at]) for at in range(begin, end)]
        placed = [(place, code) for place, code in held if place is not None and code >= 0]
        unplaced += sum(place is None and code >= 0 for place, code in held)
        kept = sorted(placed if scale.kind == "spans" else set(placed))  # spans may lie on top of each other
        twice += len(placed) - len(kept)
        marks.append(tuple(kept))
    left_out.add(Reason.REPEATED_MARK, twice)
    left_out.add(Reason.NO_PLACE, unplaced)
    answers = sorted(set(marks), key=lambda held: (len(held), held))
    at = {held: position for position, held in enumerate(answers)}
    answers_found = Answers(
        scale.kind, scale.labels, tuple(tuple(code for _, code in held) for held in answers),
        places=tuple(tuple(place for place, _ in held) for held in answers), declared=scale.declared, order=scale.order,
    )  # fmt: skip
    return _assembled(groups.first(), np.array([at[held] for held in marks], dtype=np.int64), answers_found)


def score_answers(numbers: FloatArray, given: BoolArray, where: str) -> tuple[Coded, Answers]:
    """Scores as codes."""
    codes, values = _score_codes(numbers, given, where)
    return Coded(codes, tuple(values.tolist())), Answers("score", scores=values)


def _score_codes(numbers: FloatArray, given: BoolArray, where: str) -> tuple[IntArray, FloatArray]:
    """A code for each number given, −1 for the others, and the distinct numbers; only finite ones can be scores."""
    bad = given & ~np.isfinite(numbers)
    if bad.any():
        first = tuple(np.argwhere(bad)[0].tolist())
        raise LabelError(
            f"A score must be a finite number; {where} has {numbers[first]} in row {first[0]}. "
            "Make it missing (None) or mend the data."
        )
    values, inverse = np.unique(numbers[given], return_inverse=True)
    codes = np.full(numbers.shape, -1, dtype=np.int64)
    codes[given] = inverse
    return codes, values


def _values(answers: Answers) -> tuple[Label, ...]:
    return tuple(answers.scores.tolist()) if answers.kind == "score" else answers.labels


MOST_RANKS = 1_000_000  # nobody ranks more labels; what is larger is another column


def _ranks(rank: Coded, answered: AnnotationRows) -> IntArray:
    """Ranks as whole numbers."""
    values = [value for value in rank.values if not (isinstance(value, int) and 1 <= value <= MOST_RANKS)]
    if values:
        raise InputError(f"Ranks must be whole numbers from 1 (the primary label); found {listing(values)}. Mend them.")
    codes = answered.of(rank.codes)
    if (codes < 0).any():
        without_rank = counted(int((codes < 0).sum()), "rows with a label and no rank")
        raise InputError(f"Every label needs a rank, 1 for the primary one; found {without_rank}. Fill them in.")
    return np.array(rank.values, dtype=np.int64)[codes]


def _without_duplicates(
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
        f"Annotator {annotator!r} answered item {item!r} more than once ({counted(int(again.sum()), 'repeats')} in "
        "the table). ",
        *several,
        "If these are repeats, say ",
        remedy(duplicates=one_of("first", "last", "repeat")),
        ". If the table holds several variables, name their column: ",
        remedy(task=...),
        place=Place(item=item, annotator=annotator),
    )


class _Groups:
    """Rows put together by item and annotator (and run), in a stable order."""

    def __init__(self, rows: AnnotationRows, ranks: IntArray | None = None) -> None:
        key = rows.answer
        self.order = np.argsort(key, kind="stable") if ranks is None else np.lexsort((ranks, key))
        self._rows = rows
        self.key = key[self.order]
        fresh = np.ones(len(key), dtype=np.bool_)
        fresh[1:] = self.key[1:] != self.key[:-1]
        self.begins = np.nonzero(fresh)[0]
        self.ends = np.append(self.begins[1:], len(key))[: len(self.begins)]  # without rows there is no group

    def runs(self) -> zip[tuple[int, int]]:
        return zip(self.begins.tolist(), self.ends.tolist(), strict=True)

    def named(self, position: int) -> str:
        place = self.order[position]
        names = self._rows.names
        item, who = names.items[self._rows.item[place]], names.annotators[self._rows.annotator[place]]
        return f"item {item!r}, annotator {who!r}"

    def first(self) -> AnnotationRows:
        """The first row of each group."""
        return self._rows.at(self.order[self.begins])


def _of_packed(kind: Kind, answered: AnnotationRows, packed: Packed, scale: Answers) -> CodedAnnotations:
    """One packed answer per row."""
    answers = Answers(kind, scale.labels, packed.members, declared=scale.declared, order=scale.order)
    return _assembled(answered, packed.codes, answers)


def _grouped(kind: Kind, groups: _Groups, members: list[tuple[int, ...]], scale: Answers) -> CodedAnnotations:
    """One answer per group of rows."""
    first = groups.first()
    return replace(_with_members(kind, first, members, scale), no_repeats=first.run is None)


def _with_members(
    kind: Kind, answered: AnnotationRows, members: list[tuple[int, ...]], scale: Answers
) -> CodedAnnotations:
    """Distinct sets or rankings as answers, in canonical order."""
    distinct = canonical(members)
    place = {held: position for position, held in enumerate(distinct)}
    codes = np.array([place[held] for held in members], dtype=np.int64)
    answers = Answers(kind, scale.labels, distinct, declared=scale.declared, order=scale.order)
    return _assembled(answered, codes, answers)


def _assembled(answered: AnnotationRows, codes: IntArray, answers: Answers) -> CodedAnnotations:
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
