"""From coded columns to annotations whose answers hold several labels or places: sets, rankings, marked places.

They stand in a row for each label, or in a cell as a list. Nothing is dropped silently: `LeftOut` counts what was, and
why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

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
from accord.annotations.arrays import IntArray
from accord.annotations.assemble import AnnotationRows, Duplicates, assembled, without_duplicates
from accord.annotations.coded import CodedAnnotations
from accord.annotations.factorize import Coded
from accord.annotations.left_out import LeftOut, Reason
from accord.annotations.packed_answers import Packed, flattened, grouped, packed_rankings, packed_sets
from accord.errors import (
    DuplicateAnswers,
    InputError,
    Keyword,
    LabelError,
    Message,
    Part,
    Place,
    all_quoted,
    at_item,
    at_row,
    counted,
    one_of,
    quoted,
    remedy,
)


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
                "The label ",
                quoted(scale.labels[twice]),
                " stands twice in one answer: ",
                groups.named(begin),
                ". Keep one of the rows, or say ",
                remedy(duplicates="first"),
                " to count it once.",
            )
        members.append(tuple(sorted(held)))
    return _grouped("set", groups, members, scale)


def in_runs(rows: AnnotationRows, run: IntArray, left_out: LeftOut, duplicates: Duplicates) -> AnnotationRows:
    """Rows of which those of another run are another answer; only those of the first or last one where that is said."""
    by_run = replace(rows, run=run.astype(np.int64))
    if duplicates not in ("first", "last"):
        return by_run
    answer, first = grouped(by_run.answer)
    by_row = np.argsort(first)
    keep = np.empty(len(first), dtype=np.bool_)
    keep[by_row] = without_duplicates(by_run.at(first[by_row]), duplicates, left_out)
    return replace(by_run.where(keep[answer]), run=None)


def in_one_run(rows: AnnotationRows, run: IntArray, left_out: LeftOut, duplicates: Duplicates) -> AnnotationRows:
    """Rows of marked places: those of two runs are not one answer, and no measure takes somebody's two.

    So only those of the first or last run where that is said, and else nobody may have marked an item in two.
    """
    by_run = in_runs(rows, run, left_out, duplicates)
    if by_run.run is None:
        return by_run
    _, first = grouped(by_run.answer)
    key, runs = np.unique(by_run.key[first], return_counts=True)
    several = key[runs > 1]
    if len(several):
        place, person = divmod(int(several[0]), max(len(rows.names.annotators), 1))
        item, annotator = rows.names.items[place], rows.names.annotators[person]
        raise DuplicateAnswers(
            "Annotator ",
            quoted(annotator),
            " marked item ",
            at_item(item),
            f" in {int(runs[runs > 1][0]):,} runs, and marks of two runs are not "
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
            raise LabelError(
                Keyword("answers", self.kind),
                " needs a list of labels in each cell; found ",
                quoted(cell),
                " in ",
                at_row(row),
                ".",
            )
        groups = [part if self.kind in IN_ORDER and holds_several(part) else [part] for part in cell]
        labels = [(tidy_label(label), rank) for rank, group in enumerate(groups, start=1) for label in group]
        given = [(label, rank) for label, rank in labels if label is not None]
        if self.kind in IN_ORDER:
            self._refuse_unranked(cell, row, blank=len(given) < len(labels) or not all(map(len, groups)))
        left_out.add(Reason.BLANK_LABEL, len(labels) - len(given))
        found = [label for label, _ in given]
        refuse_mixed_types(found)
        if len(set(found)) < len(found):
            raise LabelError(
                "The same label stands twice in one answer: ", quoted(found), ", in ", at_row(row), ". Name it once."
            )
        return found, [rank for _, rank in given]

    def _refuse_unranked(self, cell: Any, row: int, *, blank: bool) -> None:
        """A ranking has an order, a primary label and no holes."""
        if isinstance(cell, set | frozenset):
            raise LabelError(
                "A set has no order, so it is no ranking; found ", quoted(cell), " in ", at_row(row), ". Give a list."
            )
        if blank or not len(cell):
            raise LabelError(
                "A ranked answer needs a primary label and no blanks; found ",
                quoted(list(cell)),
                " in ",
                at_row(row),
                ". A missing answer is None, not an empty list.",
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
    keep = without_duplicates(answered, lists.duplicates, left_out, whole=True)
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
    keep = without_duplicates(answered, lists.duplicates, left_out, whole=True)
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
            what: tuple[Part, ...] = ("no primary label (rank 1)",)
            if 1 in places:
                what = ("the ranks ", all_quoted(places))
            raise InputError(
                "Ranks must run 1, 2, … without gaps; ",
                groups.named(begin),
                " has ",
                *what,
                ". Mend the ranks, or say ",
                remedy(answers="set"),
                " if their order does not matter, ",
                remedy(answers="single"),
                " for the labels of rank 1 alone.",
            )
        if len(set(held)) < len(held):
            raise LabelError(
                "The same label stands twice in one ranked answer: ",
                groups.named(begin),
                ". Keep the better rank.",
                option=Keyword("rank"),
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
        raise InputError("Ranks must be numbers, the lowest first; found ", all_quoted(words), ". Mend them.")
    ranks = rank.codes[answered.row].astype(np.int64)  # values are sorted, so that codes are in their order
    groups = _Groups(answered, ranks)
    codes, ranks = codes[groups.order], ranks[groups.order]
    members: list[tuple[int, ...]] = []
    for begin, end in groups.runs():
        held = codes[begin:end].tolist()
        if len(set(held)) < len(held):
            twice = next(scale.labels[option] for option in held if held.count(option) > 1)
            raise LabelError(
                "The option ",
                quoted(twice),
                " stands twice in one ranking: ",
                groups.named(begin),
                ". Keep one of the rows, or name the column that tells the rankings apart: ",
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
    return assembled(groups.first(), np.array([at[held] for held in marks], dtype=np.int64), answers_found)


MOST_RANKS = 1_000_000  # nobody ranks more labels; what is larger is another column


def _ranks(rank: Coded, answered: AnnotationRows) -> IntArray:
    """Ranks as whole numbers."""
    values = [value for value in rank.values if not (isinstance(value, int) and 1 <= value <= MOST_RANKS)]
    if values:
        raise InputError(
            "Ranks must be whole numbers from 1 (the primary label); found ", all_quoted(values), ". Mend them."
        )
    codes = answered.of(rank.codes)
    if (codes < 0).any():
        without_rank = counted(int((codes < 0).sum()), "rows with a label and no rank")
        raise InputError(
            f"Every label needs a rank, 1 for the primary one; found {without_rank}. Fill them in.",
            option=Keyword("rank"),
        )
    return np.array(rank.values, dtype=np.int64)[codes]


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

    def named(self, position: int) -> Message:
        place = self.order[position]
        names = self._rows.names
        item, who = names.items[self._rows.item[place]], names.annotators[self._rows.annotator[place]]
        return Message("item ", quoted(item), ", annotator ", quoted(who))

    def first(self) -> AnnotationRows:
        """The first row of each group."""
        return self._rows.at(self.order[self.begins])


def _of_packed(kind: Kind, answered: AnnotationRows, packed: Packed, scale: Answers) -> CodedAnnotations:
    """One packed answer per row."""
    answers = Answers(kind, scale.labels, packed.members, declared=scale.declared, order=scale.order)
    return assembled(answered, packed.codes, answers)


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
    return assembled(answered, codes, answers)
