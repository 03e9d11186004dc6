"""Annotations of which only the sums are known: how many items look alike, and what they look like.

A tally that somebody wrote, tallies that were added up, the results of queries in a warehouse: none of them says which
item is which. So one item of each kind stands here for all that look like it, with their number. Kinds differ by the
answers (and by who gave them, where people are named), and by what columns say of the item: its language, its
document. Whatever is a sum over items is exact; what asks for an item by its name is an error that says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from accord.annotations.answers import Answers, Label, sorted_labels
from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up, used
from accord.annotations.coded import AnnotationsHere, CodedAnnotations
from accord.annotations.factorize import Coded
from accord.annotations.item_sketch import ItemSketch
from accord.annotations.people_sums import PeopleSums, who_is_unknown
from accord.annotations.tally import Tally, ranges
from accord.annotations.unnamed_items import UnnamedItems
from accord.errors import ColumnMissing, InputError, MeasureError, no_such_value, quoted, remedy

MOST_LAID_OUT = 20_000_000  # annotations that are laid out one by one


@dataclass(frozen=True, eq=False)
class TalliedAnnotations(AnnotationsHere):
    """Annotations by kinds of items; what may be asked is listed in `accord.engine.annotations_protocol.Annotations`.

    Items are numbered kind by kind. In a part of the annotations (a group, some annotators) kinds stay, whether anybody
    of it answered them or not, so that items keep their numbers.
    """

    kinds: CodedAnnotations  # one item of each kind
    number: IntArray  # (kinds,) how many items are of it
    of_items: Mapping[str, Coded] = field(default_factory=dict)  # columns that say something of an item, by kind
    items: Sequence[Label] = ()
    people_sums: PeopleSums | None = None  # of people who are not told apart within an item

    @property
    def answers(self) -> Answers:
        """The distinct answers."""
        return self.kinds.answers

    @property
    def annotators(self) -> tuple[str, ...]:
        """What the annotators are called; empty where that is not known."""
        return self.kinds.annotators if self.people_sums is None else self.people_sums.names

    @property
    def named(self) -> bool:
        """Is it known who answered?"""
        return bool(self.annotators)

    @property
    def n_items(self) -> int:
        """How many items there are."""
        return int(self.number.sum())

    @cached_property
    def n_annotations(self) -> int:
        """Answers given."""
        item, _, _, count = self.kinds.rows
        return int(self.number[item] @ count)

    @property
    def present(self) -> IntArray:
        """The positions of the annotators who answered anything."""
        if self.people_sums is not None:
            return np.nonzero(self.people_sums.cells.any(axis=1))[0]
        return self.kinds.present

    @property
    def repeated(self) -> bool:
        """Did somebody answer an item more than once?"""
        return self.kinds.repeated

    def tally(self, *, named: bool = False) -> Tally:
        """Patterns of answers, or of who answered what."""
        self._need_who(named=named)
        return self._counted(self.kinds.tally(named=named))

    def tally_of_people(self, *, named: bool = False) -> Tally:
        """The same where everybody counts once on an item."""
        self._need_who(named=named)
        return self._counted(self.kinds.tally_of_people(named=named))

    def _need_who(self, *, named: bool) -> None:
        if named and self.people_sums is not None:
            raise who_is_unknown()

    def _counted(self, tally: Tally) -> Tally:
        """A tally of kinds as one of items."""
        place, counted = counted_kinds(tally, self.number)
        return replace(counted, locate=lambda: np.repeat(place, self.number))

    def recoded(self, answers: Answers, became: IntArray) -> TalliedAnnotations:
        """The same annotations with other answers: what was answer k is answer became[k]."""
        people = None if self.people_sums is None else self.people_sums.recoded(answers, became)
        return replace(self, kinds=self.kinds.recoded(answers, became), people_sums=people)

    def renamed(self, names: Sequence[str], position: IntArray) -> TalliedAnnotations:
        """The same annotations of people called otherwise: who was the k-th is the position[k]-th of these names."""
        if self.people_sums is not None:
            return replace(self, people_sums=self.people_sums.renamed(names, position))
        return replace(self, kinds=self.kinds.renamed(names, position))

    def nameless(self) -> TalliedAnnotations:
        """The same answers, of nobody by name."""
        return replace(self, kinds=self.kinds.nameless(), people_sums=None)

    # -- where they are -----------------------------------------------------------------------------------------------

    @property
    def tells_items(self) -> bool:
        """Only how many look alike."""
        return False

    @property
    def lists_items(self) -> bool:
        """There is nothing to list."""
        return False

    def item_sketch(self) -> ItemSketch | None:
        """Of the items that the tally was made of."""
        return self.items.sketch if isinstance(self.items, UnnamedItems) else None

    @property
    def stays(self) -> bool:
        """Is it known of whom they are, and not which items each of them answered?"""
        return self.people_sums is not None

    @property
    def why_stays(self) -> str:
        """In a sentence, with the way out."""
        return str(who_is_unknown())

    def to_memory(self) -> CodedAnnotations:
        """The same annotations laid out one by one, of items that have no names; an error where they are too many.

        And where people are named and not told apart: whoever asks for the answers one by one asks who gave them.
        """
        self._need_who(named=True)
        if self.n_annotations > MOST_LAID_OUT:
            raise MeasureError(
                f"This needs every one of {self.n_annotations:,} annotations, of which a tally is known; at most "
                f"{MOST_LAID_OUT:,} are laid out one by one. Ask it of a part of them.",
                remedies=[remedy(where=...)],
            )
        return self._laid_out

    @cached_property
    def _laid_out(self) -> CodedAnnotations:
        item, annotator, answer, count = self.kinds.rows
        times, first = self.number[item], np.cumsum(self.number) - self.number
        return CodedAnnotations(
            self.answers, self.n_items, self.kinds.annotators, item=ranges(first[item], times),
            annotator=np.repeat(annotator, times) if self.kinds.named else None, answer=np.repeat(answer, times),
            count=np.repeat(count, times), items=self.items, no_repeats=not self.repeated,
        )  # fmt: skip

    # -- one by one, laid out -----------------------------------------------------------------------------------------

    @property
    def rows(self) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """Item, annotator, answer and count of each annotation."""
        return self.to_memory().rows

    @property
    def appearance(self) -> IntArray:
        """Items in the order of their numbers: no table says in which they came."""
        return np.arange(self.n_items)

    def keep(self, annotations: BoolArray) -> CodedAnnotations:
        """Only some annotations."""
        return self.to_memory().keep(annotations)

    def answered(self, answers: Answers, answer: IntArray) -> CodedAnnotations:
        """The same annotations, row by row, with other answers."""
        return self.to_memory().answered(answers, answer)

    def answers_by_annotator(self) -> FloatArray:
        """(annotators, answers) how often each annotator gave each answer."""
        if self.people_sums is not None:
            return self.people_sums.cells.astype(np.float64)
        item, annotator, answer, count = self.kinds.rows
        shape = len(self.annotators), len(self.answers)
        return add_up(annotator * shape[1] + answer, count * self.number[item], shape[0] * shape[1]).reshape(shape)

    # -- what is known of items ---------------------------------------------------------------------------------------

    @property
    def table(self) -> None:
        """There is none."""
        return

    @property
    def table_rows(self) -> IntArray:
        """There is no table."""
        return np.empty(0, dtype=np.int64)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the tally was made with."""
        return tuple(self.of_items)

    def need(self, role: str, name: str) -> str:
        """A column that the tally was made with, or an error."""
        if not self.of_items:
            raise InputError(
                "There is no column ",
                quoted(name),
                ": the tally was made without groups. Make it again with that column.",
            )
        if name not in self.of_items:
            raise ColumnMissing(role, name, self.columns).add(" Or make the tally again with that column.")
        return name

    def column(self, name: str, role: str = "by") -> Coded:
        """A column, one code per annotation."""
        column, item = self.of_items[self.need(role, name)], self.kinds.rows[0]
        return Coded(np.repeat(column.codes[item], self.number[item]), column.values)

    def item_column(self, name: str, role: str) -> Coded:
        """A column, one code per item."""
        column = self.of_items[self.need(role, name)]
        return Coded(np.repeat(column.codes, self.number), column.values)

    def missing_in(self, name: str) -> int:
        """How many annotations have no value in a column."""
        item, _, _, count = self.kinds.rows
        missing = self.of_items[self.need("by", name)].codes[item] < 0
        return int((self.number[item] * count)[missing].sum())

    def one_value_per_item(self, name: str) -> bool:
        """Every item has: a tally is made with columns of items."""
        self.need("by", name)
        return True

    def by_annotator(self, name: str) -> list[tuple[str, Label]]:
        """Each annotator with each value that a column has on their items."""
        self._need_who(named=True)
        column, (item, annotator, *_) = self.of_items[self.need("by", name)], self.kinds.rows
        codes, size = column.codes[item], len(self.annotators)
        given = codes >= 0
        pairs = used(codes[given] * size + annotator[given], len(column.values) * size)
        return [(self.annotators[pair % size], column.values[pair // size]) for pair in pairs.tolist()]

    # -- some of them -------------------------------------------------------------------------------------------------

    def groups(self, by: str) -> dict[Label, TalliedAnnotations]:
        """The annotations with each value of a column."""
        column = self.of_items[self.need("by", by)]
        return {value: self._of_kinds(column.codes == place) for place, value in enumerate(column.values)}

    def of_annotators(self, names: Sequence[str]) -> TalliedAnnotations:
        """The answers of some annotators."""
        self._need_who(named=True)
        return replace(self, kinds=self.kinds.of_annotators(names))

    def where(self, name: str, values: Sequence[str]) -> TalliedAnnotations:
        """The answers to items with one of these values in a column, the values written as text."""
        column = self.of_items[self.need("where", name)]
        wanted = [place for place, value in enumerate(column.values) if str(value) in values]
        if not wanted:
            raise no_such_value(name, values, column.values)
        return self._of_kinds(np.isin(column.codes, wanted))

    def _of_kinds(self, inside: BoolArray) -> TalliedAnnotations:
        """The answers to items of some kinds; what people said of these alone is not known by their sums."""
        return replace(self, kinds=self.kinds.keep(inside[self.kinds.rows[0]]), people_sums=None)


def counted_kinds(tally: Tally, number: IntArray) -> tuple[IntArray, Tally]:
    """The pattern of each kind of items (−1 for one without answers), and the tally of kinds as one of their items."""
    assert tally.locate is not None
    place = tally.locate()
    answered = place >= 0
    items = add_up(place[answered], number[answered], len(tally)).astype(np.int64)
    return place, replace(tally, items=items)


def added(parts: Sequence[TalliedAnnotations], items: Sequence[Label]) -> TalliedAnnotations:
    """The annotations of tallies that have the same answers, annotators and columns, one tally after the other."""
    first = parts[0]
    before = np.cumsum([0, *(len(part.number) for part in parts[:-1])])
    rows = [part.kinds.rows for part in parts]
    item, annotator, answer, count = (np.concatenate(column) for column in zip(*rows, strict=True))
    item = item + np.repeat(before, [len(held[0]) for held in rows])
    number = np.concatenate([part.number for part in parts])
    kinds = CodedAnnotations(
        first.answers, len(number), first.annotators, item=item, annotator=annotator if first.named else None,
        answer=answer, count=count, no_repeats=not any(part.repeated for part in parts),
    )  # fmt: skip
    columns = {name: _one_after_another([part.of_items[name] for part in parts]) for name in first.of_items}
    return TalliedAnnotations(kinds, number, columns, items)


def _one_after_another(columns: Sequence[Coded]) -> Coded:
    """Columns of several tallies as one."""
    values = tuple(sorted_labels((value for column in columns for value in column.values), "value"))
    return Coded(np.concatenate([column.onto(values) for column in columns]), values)
