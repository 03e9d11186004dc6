"""Who gave which answer to which item, as integers: the coded annotations of a study held in memory.

`CodedAnnotations.tally` reduces them. Small cases get an exact code per item (one digit per label, or one per named
annotator) in a single 64-bit integer, the rest are sorted (`tally_by_sorting`). A grid in which many rows are the same
is reduced to its different rows first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from accord.annotations.answers import Answers, Label
from accord.annotations.arrays import BLOCK, BoolArray, FloatArray, IntArray, add_up, looked_up_sums, used
from accord.annotations.factorize import Coded, in_small_integers
from accord.annotations.tally import Tally
from accord.annotations.unnamed_items import UnnamedItems
from accord.errors import InputError, Keyword, at_item, no_such_value, quoted

if TYPE_CHECKING:
    from accord.annotations.item_sketch import ItemSketch
    from accord.annotations.retests import RowsAgain
    from accord.annotations.source_table import SourceTable

CODE_BITS = 62  # of a signed 64-bit integer
FLOAT_BITS = 52  # of whole numbers that doubles add up exactly
DENSE_CODES = 4_000_000  # up to here codes may be counted in a table, beyond they are sorted
SPREAD = 8  # the table may have this many places for each code that is counted
FEW_ANNOTATORS = 7  # three bits
MANY_ITEMS = 5_000  # from here on a grid is worth reducing to its different rows first


@dataclass(frozen=True, eq=False)
class AnnotationsHere:
    """Annotations that are in memory, as far as they are known: no engine is asked."""

    def __getstate__(self) -> dict[str, Any]:
        """What goes to another process: what was read, and nothing that was made of it since."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    @property
    def in_memory(self) -> bool:
        """They are."""
        return True

    @property
    def in_engine(self) -> None:
        """Not in an engine."""
        return

    def crowd(self, *, anyway: bool = False) -> None:
        """No engine is asked."""
        return

    @property
    def small(self) -> bool:
        """They are in memory."""
        return True

    def movable(self) -> Self:
        """These annotations: they are in memory."""
        return self


@dataclass(frozen=True, eq=False)
class CodedAnnotations(AnnotationsHere):
    """One annotation per row, as codes; or, for items × annotators, a grid of answer codes with −1 for missing.

    Exactly one of the two forms is given. `count` says how often an annotation stands there (tables of counts).
    What is the same of annotations in an engine is listed in `accord.engine.annotations_protocol.Annotations`.
    """

    answers: Answers
    n_items: int
    annotators: tuple[str, ...] = ()  # empty: nobody is named
    grid: IntArray | None = None  # (n_items, annotators)
    item: IntArray | None = None  # (A,) this and the next two may be of any integer type; `rows` are of 64 bits
    annotator: IntArray | None = None  # (A,)
    answer: IntArray | None = None  # (A,)
    count: IntArray | None = None  # (A,)
    counts: IntArray | None = None  # (n_items, labels) the same as a table of counts, where the rows came from one
    items: Sequence[Label] = ()  # what the items are called
    table: SourceTable | None = None  # what the annotations were read from
    row: IntArray | None = None  # (A,) the row of the table behind each annotation; of a grid, the item
    backwards: BoolArray | None = None  # (n_items,) of preferences: is the item's first option the later one by name?
    no_repeats: bool = False  # is it known that nobody answered an item twice? Else it is looked at when asked

    @property
    def tells_items(self) -> bool:
        """Is it told which item is which? Not of a tally that was laid out."""
        return not isinstance(self.items, UnnamedItems)

    @property
    def lists_items(self) -> bool:
        """They are in memory."""
        return self.tells_items

    def item_sketch(self) -> ItemSketch | None:
        """Which items were answered, as far as a sketch tells; None where they have no names but row numbers."""
        if isinstance(self.items, UnnamedItems):
            return self.items.sketch
        if not isinstance(self.items, tuple):
            return None
        from accord.annotations.item_sketch import ItemSketch

        return ItemSketch.of(self.items[place] for place in used(self.rows[0], self.n_items).tolist())

    @property
    def people_sums(self) -> None:
        """Who answered what is known one by one."""
        return

    @property
    def stays(self) -> bool:
        """They are in memory."""
        return False

    @property
    def why_stays(self) -> str:
        """They do not stay anywhere."""
        return ""

    def to_memory(self) -> CodedAnnotations:
        """These annotations: they are in memory."""
        return self

    @property
    def named(self) -> bool:
        """Are there annotators to compare one with another?"""
        return bool(self.annotators)

    @cached_property
    def n_annotations(self) -> int:
        """Answers given, copies counted."""
        if self.grid is not None:
            return int(np.count_nonzero(self.grid >= 0))
        assert self.answer is not None
        return len(self.answer) if self.count is None else int(self.count.sum())

    @cached_property
    def rows(self) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """Item, annotator, answer and count of each annotation (annotator −1 where nobody is named)."""
        if self.grid is not None:
            item, annotator = np.nonzero(self.grid >= 0)
            answer = self.grid[item, annotator].astype(np.int64)
            return item, annotator, answer, _once_each(len(item))
        assert self.item is not None
        assert self.answer is not None
        annotator = np.full(len(self.item), -1) if self.annotator is None else self.annotator
        return (
            self.item.astype(np.int64, copy=False),
            annotator.astype(np.int64, copy=False),
            self.answer.astype(np.int64, copy=False),
            _once_each(len(self.item)) if self.count is None else self.count,
        )

    @cached_property
    def present(self) -> IntArray:
        """The positions of the annotators who answered anything."""
        if self.grid is not None:
            return np.array([who for who, column in enumerate(self.grid.T) if _any_answer(column)], dtype=np.int64)
        if self.annotator is None or not self.named:
            return np.empty(0, dtype=np.int64)
        return used(self.annotator, len(self.annotators))  # as they are: no copy of all rows for it

    def keep(self, annotations: BoolArray | IntArray) -> CodedAnnotations:
        """Only some annotations, or those of some rows; items keep their numbers, so that results can be put side by
        side.
        """
        item, annotator, answer = (column[annotations] for column in self.rows[:3])
        count = None if self.count is None else self.count[annotations]
        row = self.table_rows[annotations] if len(self.table_rows) == len(self.rows[0]) else None
        return self._of_rows(self.answers, (item, annotator, answer, count), row)

    def recoded(self, answers: Answers, became: IntArray) -> CodedAnnotations:
        """The same annotations with other answers: what was answer k is answer became[k]."""
        moved = np.append(became, -1)
        grid, answer = (None if codes is None else moved[codes] for codes in (self.grid, self.answer))
        return replace(self, answers=answers, grid=grid, answer=answer, counts=None)

    def renamed(self, names: Sequence[str], position: IntArray) -> CodedAnnotations:
        """The same annotations of people called otherwise: who was the k-th is the position[k]-th of these names."""
        if (position[1:] > position[:-1]).all() and len(position) == len(names):  # everybody stays in their place
            made = replace(self, annotators=tuple(names))
            if "rows" in self.__dict__:
                made.__dict__["rows"] = self.rows  # as they are there already
            return made
        return replace(
            self,
            annotators=tuple(names),
            grid=None if self.grid is None else np.ascontiguousarray(self.grid[:, np.argsort(position)]),
            annotator=None if self.annotator is None else position[self.annotator],
        )

    def nameless(self) -> CodedAnnotations:
        """The same answers, of nobody by name."""
        rows = self if self.grid is None else self._of_rows(self.answers, self.rows, self.table_rows)
        return replace(rows, annotators=(), annotator=None)

    def answered(self, answers: Answers, answer: IntArray) -> CodedAnnotations:
        """The same annotations, row by row, with other answers."""
        item, annotator, _, count = self.rows
        return self._of_rows(answers, (item, annotator, answer, count), self.table_rows)

    def moved(self, item: IntArray, annotator: IntArray) -> CodedAnnotations:
        """The same answers, row by row, of other items by other annotators."""
        _, _, answer, count = self.rows
        return self._of_rows(self.answers, (item, annotator, answer, count), self.table_rows)

    def _of_rows(
        self, answers: Answers, rows: tuple[IntArray, IntArray, IntArray, IntArray | None], row: IntArray | None
    ) -> CodedAnnotations:
        """Other annotations by the same annotators of the same items."""
        item, annotator, answer, count = rows
        return CodedAnnotations(
            answers, self.n_items, self.annotators, item=item, annotator=annotator if self.named else None,
            answer=answer, count=count, items=self.items, table=self.table, row=row, backwards=self.backwards,
            no_repeats=self.no_repeats or self.grid is not None,
        )  # fmt: skip

    def answers_by_annotator(self) -> FloatArray:
        """(annotators, answers) how often each annotator gave each answer."""
        _, annotator, answer, count = self.rows
        shape = len(self.annotators), len(self.answers)
        return add_up(annotator * shape[1] + answer, count, shape[0] * shape[1]).reshape(shape)

    # -- the table behind them ------------------------------------------------------------------------------------

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the table; none where there is no table."""
        return () if self.table is None else tuple(self.table.columns)

    @property
    def table_rows(self) -> IntArray:
        """The row of the table behind each annotation; of an answer of several rows, the first."""
        if self.grid is not None:
            return self.rows[0]
        return np.empty(0, dtype=np.int64) if self.row is None else self.row

    def need(self, role: str, name: str) -> str:
        """A column of the table, or an error."""
        if self.table is None:
            raise InputError("There is no column ", quoted(name), ": no table lies behind these annotations.")
        return self.table.need(role, name)

    def column(self, name: str, role: str = "by") -> Coded:
        """Any column of the table, one code per annotation."""
        needed = self.need(role, name)
        assert self.table is not None
        coded = self.table.code(needed, what="value")
        return Coded(coded.codes[self.table_rows].astype(np.int64), coded.values)

    def item_column(self, name: str, role: str) -> Coded:
        """A column with one value per item, one code per item; −1 where it has none."""
        column = self.column(name, role)
        item, given = self.rows[0], column.codes >= 0
        codes = np.full(self.n_items, -1, dtype=np.int64)
        codes[item[given]] = column.codes[given]
        differs = given & (codes[item] != column.codes)
        if differs.any():
            row = int(np.nonzero(differs)[0][0])
            place = int(item[row])
            one, other = sorted((int(codes[place]), int(column.codes[row])))
            raise InputError(
                Keyword(role, name),
                " must say one thing of an item, and item ",
                at_item(self.items[place]),
                " has ",
                quoted(column.values[one]),
                " and ",
                quoted(column.values[other]),
                " there.",
            )
        return Coded(codes, column.values)

    def missing_in(self, name: str) -> int:
        """How many annotations have no value in a column."""
        return self.column(name).n_missing

    def one_value_per_item(self, name: str) -> bool:
        """Has every item one value of a column at most?"""
        column, item = self.column(name), self.rows[0]
        given = column.codes >= 0
        held = np.full(self.n_items, -1, dtype=np.int64)
        held[item[given]] = column.codes[given]
        return bool((held[item] == column.codes)[given].all())

    def groups(self, by: str) -> dict[Label, CodedAnnotations]:
        """The annotations with each value of a column."""
        column = self.column(by)
        order = np.argsort(column.codes, kind="stable")  # all groups in one pass, their rows as they stood
        ends = np.searchsorted(column.codes[order], np.arange(len(column.values) + 1)).tolist()
        return {value: self.keep(order[ends[at] : ends[at + 1]]) for at, value in enumerate(column.values)}

    def by_annotator(self, name: str) -> list[tuple[str, Label]]:
        """Each annotator with each value that a column of the table has in their rows."""
        column, annotator, size = self.column(name), self.rows[1], len(self.annotators)
        given = column.codes >= 0
        pairs = used(column.codes[given] * size + annotator[given], len(column.values) * size)
        return [(self.annotators[pair % size], column.values[pair // size]) for pair in pairs.tolist()]

    def of_annotators(self, names: Sequence[str]) -> CodedAnnotations:
        """The answers of some annotators."""
        place = {name: number for number, name in enumerate(self.annotators)}
        return self.keep(np.isin(self.rows[1], [place[name] for name in names]))

    def where(self, name: str, values: Sequence[str]) -> CodedAnnotations:
        """The answers whose row has one of these values in a column, the values written as text."""
        column = self.column(name, "where")
        wanted = [place for place, value in enumerate(column.values) if str(value) in values]
        if not wanted:
            raise no_such_value(name, values, column.values)
        return self.keep(np.isin(column.codes, wanted))

    @property
    def appearance(self) -> IntArray:
        """The items (their positions) in the order in which the table first names them; unanswered ones last."""
        item, row = self.rows[0], self.table_rows
        first = np.full(self.n_items, np.iinfo(np.int64).max)
        np.minimum.at(first, item, row if len(row) == len(item) else item)
        return np.argsort(first, kind="stable")

    # -- tallies --------------------------------------------------------------------------------------------------

    @property
    def n_rows(self) -> int:
        """Annotations, however often each stands there."""
        return self.n_annotations if self.answer is None else len(self.answer)

    @property
    def n_cells(self) -> int:
        """Items times annotators."""
        return self.n_items * max(len(self.annotators), 1)

    def cells(self, rows: slice | IntArray) -> IntArray:
        """Item · annotators + annotator of some rows."""
        item, annotator = self.rows[:2] if self.item is None else (self.item, self.annotator)
        if annotator is None or not self.named:
            return item[rows].astype(np.int64)
        cell: IntArray = np.multiply(item[rows], len(self.annotators), dtype=np.int64)
        cell += annotator[rows]
        return cell

    @cached_property
    def rows_again(self) -> RowsAgain:
        """The rows of somebody who had answered the item before."""
        from accord.annotations.retests import NO_ROWS, rows_again

        return NO_ROWS if self.grid is not None or not self.named or self.no_repeats else rows_again(self)

    @cached_property
    def cells_again(self) -> IntArray:
        """Item · annotators + annotator wherever somebody answered an item more than once, in order."""
        from accord.annotations.retests import cells_again

        return cells_again(self)

    @property
    def one_answer_each(self) -> CodedAnnotations:
        """The same where everybody counts once on an item: of repeats, a mixed answer."""
        return self._mixed if self.repeated else self  # keeping oneself would be a circle: memory that stays

    @cached_property
    def _mixed(self) -> CodedAnnotations:
        from accord.annotations.mixed_answers import one_answer_each

        return one_answer_each(self)

    def tally_of_people(self, *, named: bool = False) -> Tally:
        """Patterns in which everybody counts once on an item, however often they answered it."""
        return self.one_answer_each.tally(named=named)

    def tally(self, *, named: bool = False) -> Tally:
        """Reduce to patterns: of answers alone, or of who answered what."""
        if named and not self.named:
            raise RuntimeError("nobody is named in these annotations")
        if self._different_rows is not None:
            return self._tally_of_rows(*self._different_rows, named=named)
        return self._tally_item_by_item(named=named)

    def _tally_item_by_item(self, *, named: bool) -> Tally:
        coded = self._named_code() if named else self._answer_code()
        if coded is not None:
            return self._tally_of_codes(coded, named=named)
        from accord.annotations.tally_by_sorting import tally_by_sorting  # of many labels or annotators

        return tally_by_sorting(self, named=named)

    # -- the same row again and again ---------------------------------------------------------------------------

    @cached_property
    def _different_rows(self) -> tuple[IntArray, IntArray] | None:
        """The different rows of a grid, as codes, and how often each stands there; None where that would not help."""
        most = min(DENSE_CODES, SPREAD * self.n_items)
        possible = (len(self.answers) + 1) ** len(self.annotators)
        if self.grid is None or self.n_items < MANY_ITEMS or possible > most:
            return None
        rows, number = _counted(self._row_code(self.grid))
        return (rows, number) if 2 * len(rows) < self.n_items else None

    def _tally_of_rows(self, rows: IntArray, number: IntArray, *, named: bool) -> Tally:
        """Tally the different rows, then count each as often as it stands there."""
        if named:  # then a row is a pattern
            tally = self._tally_of_codes(rows, named=True)
        else:
            grid = in_small_integers(self._named_digits(rows) - 1, len(self.answers))
            different = CodedAnnotations(self.answers, len(rows), self.annotators, grid=grid)
            tally = different._tally_item_by_item(named=False)
        assert tally.locate is not None
        pattern = tally.locate()
        found = pattern >= 0
        items = add_up(pattern[found], number[found], len(tally)).astype(np.int64)

        def locate() -> IntArray:
            assert self.grid is not None
            where = np.full(int(rows.max(initial=-1)) + 1, -1)  # codes are few enough for a table, see above
            where[rows] = pattern
            return where[self._row_code(self.grid)]

        return replace(tally, items=items, locate=locate)

    # -- one integer per item ----------------------------------------------------------------------------------

    def _answer_code(self) -> IntArray | None:
        """One digit per label, as many bits as the most answers on an item need; None if that does not fit."""
        most = self._most_answers
        bits = most.bit_length()
        if bits * len(self.answers) > CODE_BITS:
            return None
        weights = np.left_shift(np.int64(1), bits * np.arange(len(self.answers), dtype=np.int64))
        if self.grid is not None:
            return _gather_sum(self.grid, np.append(weights, 0))
        if self.counts is not None:
            return self.counts @ weights
        assert self.item is not None
        assert self.answer is not None
        if self.count is None and bits * len(self.answers) <= FLOAT_BITS:
            return looked_up_sums(self.item, self.answer, weights.astype(np.float64), self.n_items).astype(np.int64)
        item, _, answer, count = self.rows
        return _exact_bincount(item, weights[answer] * count, self.n_items, bits * len(self.answers))

    def _named_code(self) -> IntArray | None:
        """One digit per annotator, K + 1 values each; None if that does not fit or if somebody answered twice."""
        base = len(self.answers) + 1
        if base ** len(self.annotators) >= 2**CODE_BITS:
            return None
        if self.grid is not None:
            return self._row_code(self.grid)
        if self.repeated:
            return None
        powers = np.int64(base) ** np.arange(len(self.annotators), dtype=np.int64)
        bits = (base ** len(self.annotators)).bit_length()
        if bits <= FLOAT_BITS and self.item is not None and self.annotator is not None and self.answer is not None:
            digits = np.multiply.outer(powers, np.arange(1.0, base))  # of each annotator and answer
            key = np.multiply(self.annotator, base - 1, dtype=np.min_scalar_type(digits.size), casting="unsafe")
            np.add(key, self.answer, out=key, casting="unsafe")  # in the smallest integers that hold it
            return looked_up_sums(self.item, key, digits.ravel(), self.n_items).astype(np.int64)
        item, annotator, answer, _ = self.rows
        return _exact_bincount(item, (answer + 1) * powers[annotator], self.n_items, bits)

    def _row_code(self, grid: IntArray) -> IntArray:
        """One digit per annotator, in the smallest integers that hold it."""
        base = len(self.answers) + 1
        code: npt.NDArray[Any] = np.zeros(len(grid), dtype=np.int32 if base ** grid.shape[1] < 2**31 else np.int64)
        for column in range(grid.shape[1] - 1, -1, -1):
            code *= base
            code += grid[:, column]
            code += 1
        return code

    @cached_property
    def repeated(self) -> bool:
        """Did somebody answer an item more than once?"""
        if self.grid is not None or not self.named or self.no_repeats:
            return False
        return len(self.rows_again) > 0 or (self.count is not None and int(self.count.max(initial=0)) > 1)

    @cached_property
    def _most_answers(self) -> int:
        if self.grid is not None:
            return int(self.grid.shape[1])
        if self.counts is not None:
            return int(self.counts.sum(axis=1).max(initial=0))
        assert self.item is not None
        if self.count is not None:
            return int(add_up(self.item, self.count, 1).max(initial=0))
        if self.no_repeats and self.named and len(self.annotators) <= FEW_ANNOTATORS:
            return len(self.annotators)  # or less: as many bits, and no look at every row
        return int(np.bincount(self.item, minlength=1).max())

    def _tally_of_codes(self, codes: IntArray, *, named: bool) -> Tally:
        """Count equal codes and decode the distinct ones; code 0 is an item nobody answered."""
        distinct, items = _counted(codes)
        missing = int(distinct.size > 0 and distinct[0] == 0)
        distinct, items = distinct[missing:], items[missing:]
        digits = self._named_digits(distinct) if named else self._answer_digits(distinct)
        given = np.nonzero(digits.ravel())[0]  # of one row it is found several times as quickly as of a table
        pattern, values = given // max(digits.shape[1], 1), digits.ravel()[given]
        place = given - pattern * digits.shape[1]
        sizes = np.bincount(pattern, minlength=len(distinct))
        return Tally(
            self.answers,
            items.astype(np.int64),
            np.concatenate(([0], np.cumsum(sizes))),
            answer=(values - 1) if named else place,
            count=np.ones_like(values) if named else values,
            annotator=place if named else None,
            annotators=self.annotators if named else (),
            locate=lambda: np.where(codes > 0, np.searchsorted(distinct, codes), -1),
        )

    def _answer_digits(self, codes: IntArray) -> IntArray:
        bits = self._most_answers.bit_length()
        return (codes[:, None] >> (bits * np.arange(len(self.answers)))) & ((1 << bits) - 1)

    def _named_digits(self, codes: IntArray) -> IntArray:
        base = len(self.answers) + 1
        digits = np.empty((len(codes), len(self.annotators)), dtype=np.int64)
        left = codes
        for place in range(len(self.annotators)):
            rest = left // base  # and no divmod, which takes several times as long
            digits[:, place] = left - rest * base
            left = rest
        return digits


def _counted(codes: IntArray) -> tuple[IntArray, IntArray]:
    """The distinct codes in order, and how often each stands there."""
    if int(codes.max(initial=0)) >= min(DENSE_CODES, SPREAD * len(codes)):
        distinct, number = np.unique(codes, return_counts=True)
        return distinct.astype(np.int64), number
    counted = np.bincount(codes, minlength=1)
    distinct = np.nonzero(counted)[0]
    return distinct, counted[distinct]


def _any_answer(column: IntArray) -> bool:
    """Is anything answered in a column of a grid? Mostly its first rows tell."""
    return any((column[begin : begin + BLOCK] >= 0).any() for begin in range(0, len(column), BLOCK))


def _once_each(number: int) -> IntArray:
    """So many ones in the room of a single one."""
    return np.broadcast_to(np.int64(1), (number,))


def _gather_sum(grid: IntArray, weights: IntArray) -> IntArray:
    """Sum of weights[grid] over each row, column by column: no table as large as the grid is made."""
    total = weights[grid[:, 0]] if grid.shape[1] else np.zeros(len(grid), dtype=np.int64)
    for column in range(1, grid.shape[1]):
        total += weights[grid[:, column]]
    return total


def _exact_bincount(place: IntArray, values: IntArray, size: int, bits: int) -> IntArray:
    """Integer sums by place. `np.bincount` adds floats, so wide integers go in two halves of 26 bits and more."""
    if bits <= FLOAT_BITS:
        return add_up(place, values, size).astype(np.int64)
    low = np.bincount(place, weights=values & ((1 << 31) - 1), minlength=size).astype(np.int64)
    high = add_up(place, values >> 31, size).astype(np.int64)
    return low + (high << 31)
