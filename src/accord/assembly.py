"""From coded columns to the annotations of a study: one answer an item and annotator, of whatever kind.

Nothing is dropped silently: `LeftOut` counts what was, and why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np

from accord.answers import Answers, Kind, Label, scale_of, tidy_label
from accord.arrays import BoolArray, FloatArray, IntArray
from accord.coding import Coded, code
from accord.errors import DuplicateAnswers, InputError, LabelError, listing
from accord.triples import Triples

Duplicates: TypeAlias = Literal["error", "first", "last", "repeat"]
DUPLICATES: tuple[Duplicates, ...] = ("error", "first", "last", "repeat")


@dataclass
class LeftOut:
    """What was not used, by reason."""

    reasons: dict[str, int] = field(default_factory=dict)

    def add(self, reason: str, number: int) -> None:
        """Count some more."""
        if number:
            self.reasons[reason] = self.reasons.get(reason, 0) + int(number)


@dataclass(frozen=True, eq=False)
class Names:
    """What items and annotators are called; the annotators in canonical order."""

    items: Sequence[Label]
    annotators: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Assembled:
    """Annotations ready to be tallied, and the row of the table that each came from."""

    triples: Triples
    names: Names
    row: IntArray


@dataclass(frozen=True, eq=False)
class Sayings:
    """The rows of a long table that say something: who, of what, in which row."""

    item: IntArray
    annotator: IntArray
    row: IntArray
    names: Names

    def where(self, keep: BoolArray) -> Sayings:
        """Some of the rows."""
        return Sayings(self.item[keep], self.annotator[keep], self.row[keep], self.names)

    @property
    def key(self) -> IntArray:
        """One number for each item and annotator."""
        return self.item.astype(np.int64) * max(len(self.names.annotators), 1) + self.annotator


def read_sayings(item: Coded, annotator: Coded, left_out: LeftOut) -> Sayings:
    """Rows with an item and an annotator; the others are counted."""
    nowhere, nobody = item.codes < 0, annotator.codes < 0
    left_out.add("rows without an item", int(nowhere.sum()))
    left_out.add("rows without an annotator", int((nobody & ~nowhere).sum()))
    keep = np.nonzero(~nowhere & ~nobody)[0]
    names = Names(item.values, tuple(str(name) for name in annotator.values))
    return Sayings(item.codes[keep].astype(np.int64), annotator.codes[keep].astype(np.int64), keep, names)


def single_answers(
    sayings: Sayings, label: Coded, answers: Answers, left_out: LeftOut, duplicates: Duplicates
) -> Assembled:
    """One label (or score) a row."""
    codes = label.onto(_values(answers))[sayings.row].astype(np.int64)
    spoken = codes >= 0
    left_out.add("rows without an answer", int((~spoken).sum()))
    said, codes = sayings.where(spoken), codes[spoken]
    keep = _without_duplicates(said, duplicates, left_out)
    return _assembled(said.where(keep), codes[keep], answers)


def set_answers(sayings: Sayings, label: Coded, scale: Answers) -> Assembled:
    """All labels that an annotator gave to an item, a row each; a row without a label alone is the empty set."""
    groups = _Groups(sayings)
    codes = label.onto(scale.labels)[sayings.row][groups.order]
    members: list[tuple[int, ...]] = []
    for begin, end in groups.runs():
        held = codes[begin:end][codes[begin:end] >= 0].tolist()
        if len(set(held)) < len(held):
            twice = next(label for label in held if held.count(label) > 1)
            raise LabelError(f"The label {scale.labels[twice]!r} stands twice in one answer: {groups.named(begin)}.")
        members.append(tuple(sorted(held)))
    return _grouped("set", groups, members, scale)


def listed_answers(sayings: Sayings, cells: Sequence[Any], declared: Sequence[Any] | None, kind: Kind) -> Assembled:
    """Labels as a list in each cell: a set, or a ranking."""
    lists = [_as_labels(cells[row]) for row in sayings.row.tolist()]
    scale = scale_of({label for labels in lists if labels is not None for label in labels}, declared)
    place = {label: position for position, label in enumerate(scale.labels)}
    spoken = np.array([labels is not None for labels in lists], dtype=np.bool_)
    said = sayings.where(spoken)
    members = []
    for labels, row in zip((held for held in lists if held is not None), said.row.tolist(), strict=True):
        if len(set(labels)) < len(labels):
            raise LabelError(f"The same label stands twice in one answer: {labels!r}, in row {row}.")
        held = [place[label] for label in labels]
        members.append(tuple(sorted(held) if kind == "set" else held))
    groups = _Groups(said)
    groups.refuse_repeats()
    return _grouped(kind, groups, [members[position] for position in groups.order.tolist()], scale)


def ranked_answers(sayings: Sayings, label: Coded, rank: Coded, scale: Answers, left_out: LeftOut) -> Assembled:
    """Labels in order of preference, a row each; rank 1 is the primary label."""
    codes = label.onto(scale.labels)[sayings.row]
    spoken = codes >= 0
    left_out.add("rows without an answer", int((~spoken).sum()))
    said, codes = sayings.where(spoken), codes[spoken]
    ranks = _ranks(rank, said)
    groups = _Groups(said, ranks)
    codes, ranks = codes[groups.order], ranks[groups.order]
    members: list[tuple[int, ...]] = []
    for begin, end in groups.runs():
        held, places = codes[begin:end].tolist(), ranks[begin:end].tolist()
        if places != list(range(1, len(places) + 1)):
            what = "no primary label (rank 1)" if 1 not in places else f"the ranks {listing(places)}"
            raise InputError(f"Ranks must run 1, 2, … without gaps or repeats; {groups.named(begin)} has {what}.")
        if len(set(held)) < len(held):
            raise LabelError(f"The same label stands twice in one ranked answer: {groups.named(begin)}.")
        members.append(tuple(held))
    return _grouped("ranked", groups, members, scale)


def score_answers(numbers: FloatArray, given: BoolArray, where: str) -> tuple[Coded, Answers]:
    """Scores as codes; only finite numbers can be scores."""
    bad = given & ~np.isfinite(numbers)
    if bad.any():
        first = int(np.nonzero(bad)[0][0])
        raise LabelError(f"A score must be a finite number; {where} has {numbers[first]} in row {first}.")
    values, inverse = np.unique(numbers[given], return_inverse=True)
    codes = np.full(len(numbers), -1, dtype=np.int64)
    codes[given] = inverse
    return Coded(codes, tuple(values.tolist())), Answers("score", scores=values)


def _values(answers: Answers) -> tuple[Label, ...]:
    return tuple(answers.scores.tolist()) if answers.kind == "score" else answers.labels


def _ranks(rank: Coded, said: Sayings) -> IntArray:
    """Ranks as whole numbers."""
    values = [value for value in rank.values if not (isinstance(value, int) and value >= 1)]
    if values:
        raise InputError(f"Ranks must be whole numbers from 1 (the primary label); found {listing(values)}.")
    codes = rank.codes[said.row]
    if (codes < 0).any():
        raise InputError(f"{int((codes < 0).sum())} rows have a label and no rank.")
    return np.array(rank.values, dtype=np.int64)[codes]


def _without_duplicates(said: Sayings, duplicates: Duplicates, left_out: LeftOut) -> BoolArray:
    """Which rows to keep where an annotator answered an item more than once."""
    keep = np.ones(len(said.item), dtype=np.bool_)
    if duplicates == "repeat" or not len(keep):
        return keep
    key = said.key
    order = np.argsort(key, kind="stable")
    again = np.zeros(len(key), dtype=np.bool_)
    again[1:] = key[order][1:] == key[order][:-1]
    if not again.any():
        return keep
    if duplicates == "error":
        _refuse_duplicates(said, order, again)
    drop = again if duplicates == "first" else np.append(again[1:], False)
    keep[order[drop]] = False
    left_out.add(f"repeated answers (the {duplicates} was kept)", int(drop.sum()))
    return keep


def _refuse_duplicates(said: Sayings, order: IntArray, again: BoolArray) -> None:
    place = order[int(np.nonzero(again)[0][0])]
    item, annotator = said.names.items[said.item[place]], said.names.annotators[said.annotator[place]]
    raise DuplicateAnswers(
        f"Annotator {annotator!r} answered item {item!r} more than once, and {int(again.sum())} answers in all "
        "are repeats. "
        "If an answer is several labels, say answers='set'; if these are repeats, say duplicates='first', 'last' or "
        "'repeat'; if the table holds several variables, name their column: task=…"
    )


class _Groups:
    """Rows put together by item and annotator, in a stable order."""

    def __init__(self, sayings: Sayings, ranks: IntArray | None = None) -> None:
        key = sayings.key
        self.order = np.argsort(key, kind="stable") if ranks is None else np.lexsort((ranks, key))
        self._sayings = sayings
        self.key = key[self.order]
        fresh = np.ones(len(key), dtype=np.bool_)
        fresh[1:] = self.key[1:] != self.key[:-1]
        self.begins = np.nonzero(fresh)[0]
        self.ends = np.append(self.begins[1:], len(key))

    def runs(self) -> zip[tuple[int, int]]:
        return zip(self.begins.tolist(), self.ends.tolist(), strict=True)

    def named(self, position: int) -> str:
        place = self.order[position]
        names = self._sayings.names
        item, who = names.items[self._sayings.item[place]], names.annotators[self._sayings.annotator[place]]
        return f"item {item!r}, annotator {who!r}"

    def refuse_repeats(self) -> None:
        again = np.nonzero(self.ends - self.begins > 1)[0]
        if len(again):
            raise DuplicateAnswers(
                f"A list of labels is a whole answer, and there are two for {self.named(int(self.begins[again[0]]))} "
                f"({len(again)} such pairs). Keep one of them, or name the column of the variable: task=…"
            )

    def first(self) -> Sayings:
        """The first row of each group."""
        places = self.order[self.begins]
        return Sayings(
            self._sayings.item[places], self._sayings.annotator[places], self._sayings.row[places], self._sayings.names
        )


def _grouped(kind: Kind, groups: _Groups, members: list[tuple[int, ...]], scale: Answers) -> Assembled:
    """Distinct sets or rankings as answers, in canonical order."""
    distinct = sorted(set(members), key=lambda held: (len(held), held))
    place = {held: position for position, held in enumerate(distinct)}
    codes = np.array([place[held] for held in members], dtype=np.int64)
    answers = Answers(kind, scale.labels, tuple(distinct), declared=scale.declared, ordered=scale.ordered)
    return _assembled(groups.first(), codes, answers)


def _assembled(said: Sayings, codes: IntArray, answers: Answers) -> Assembled:
    """Only items and annotators that are left, numbered anew."""
    present = np.unique(said.item)
    place = np.full(len(said.names.items), -1, dtype=np.int64)
    place[present] = np.arange(len(present))
    people = np.unique(said.annotator)
    who = np.full(len(said.names.annotators), -1, dtype=np.int64)
    who[people] = np.arange(len(people))
    names = Names(
        tuple(said.names.items[position] for position in present),
        tuple(said.names.annotators[position] for position in people),
    )
    triples = Triples(
        answers, len(present), names.annotators, item=place[said.item], annotator=who[said.annotator], answer=codes
    )
    return Assembled(triples, names, said.row)


def _as_labels(cell: Any) -> list[Label] | None:
    """A cell that should hold a list of labels; None is silence, an empty list the empty set."""
    if cell is None or (isinstance(cell, float) and np.isnan(cell)):
        return None
    if isinstance(cell, str | int | float | bool):
        raise LabelError(f"answers='set' or 'ranked' from one column needs lists of labels; found {cell!r}.")
    labels = [tidy_label(label) for label in cell]
    return [label for label in labels if label is not None]


def grid_answers(cells: Any, declared: Sequence[Any] | None, *, ordered: bool = False) -> tuple[IntArray, Answers]:
    """Items × annotators of single labels as codes on one scale."""
    coded = code(cells)
    scale = scale_of(coded.values, declared, ordered=ordered)
    return coded.onto(scale.labels), scale
