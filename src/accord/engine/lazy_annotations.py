"""Annotations that stay in their engine: DuckDB, Spark, Polars lazy. Only tallies, label lists and annotator tables
arrive; how they are reduced there stands in `lazy_tally`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from accord.annotations.answers import Answers, Label, tidy_label
from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.annotations.coded import CodedAnnotations
from accord.annotations.factorize import Coded
from accord.annotations.item_sketch import ItemSketch
from accord.annotations.tally import Tally
from accord.engine.positional_codes import DIGITS
from accord.errors import ColumnMissing, Keyword, MeasureError, collected, no_such_value, one_of, quoted
from accord.options import reporter

if TYPE_CHECKING:
    from accord.engine.annotator_sums import Crowd
    from accord.engine.lazy_tally import LazyTally
    from accord.engine.reduced_tally import Reduced
    from accord.engine.scan import Scan

MOST_COLUMNS = 4  # code columns, beyond which a fingerprint is cheaper
MOST_NAMED = 24  # annotators whose answers are coded one by one in the engine
MOST_GROUPS = 200
MOST_PATTERNS = 3_000_000  # patterns that may arrive
MOST_ROWS = 20_000_000  # annotations that may be brought into memory, for tables with a row per item
CROWD_ROWS = 5_000_000  # annotations of a crowd, above which who gave which answer is added up in the engine
NO_PROGRESS = reporter(None, "")


def is_large(scan: Scan) -> bool:
    """Has a table more rows than are brought into memory?"""
    return scan.rows() > MOST_ROWS


def refuse_large(scan: Scan) -> None:
    """What no engine reduces (rankings, marked places, lists in cells) is read into memory: if small enough."""
    raise MeasureError(
        "Rankings, preferences, marked places, lists in cells, scores of very many different values and ",
        Keyword("duplicates", one_of("first", "last")),
        " are read here, not in the engine; "
        f"the table has {scan.rows():,} rows, and at most {MOST_ROWS:,} are brought into memory. Filter the frame "
        "first, give one label per row, round scores in the engine, or collect it yourself: ",
        collected(),
        ".",
    )


class RoleColumns(NamedTuple):
    """The columns of a scan that hold an annotation."""

    item: str
    annotator: str
    label: str


class LazySource(Protocol):
    """The lazy table behind annotations, and how it is read again."""

    @property
    def table(self) -> Scan:
        """All columns of the rows that count."""

    def with_columns(self, columns: tuple[str, ...]) -> Scan:
        """The annotations with further columns of the table."""

    def part(self, table: Scan) -> LazyAnnotations:
        """The annotations of some rows of the table, or of more columns, with the same answers."""

    def to_memory(self) -> CodedAnnotations:
        """The annotations in memory, with the same answers; read once, then kept."""


class _LazyItems(Sequence[Label]):
    """The names of items, brought into memory only when one is asked for."""

    def __init__(self, annotations: LazyAnnotations) -> None:
        self._annotations = annotations

    def __len__(self) -> int:
        return self._annotations.n_items

    def __getitem__(self, place: Any) -> Any:
        return self._annotations.to_memory().items[place]


@dataclass(frozen=True, eq=False)
class _Recoded:
    """The source of annotations whose answers became others."""

    source: LazySource
    answers: Answers
    became: IntArray

    @property
    def table(self) -> Scan:
        return self.source.table

    def with_columns(self, columns: tuple[str, ...]) -> Scan:
        return self.source.with_columns(columns)

    def part(self, table: Scan) -> LazyAnnotations:
        return self.source.part(table).recoded(self.answers, self.became)

    def to_memory(self) -> CodedAnnotations:
        return self._in_memory

    @cached_property
    def _in_memory(self) -> CodedAnnotations:
        return self.source.to_memory().recoded(self.answers, self.became)


@dataclass(frozen=True, eq=False)
class LazyAnnotations:
    """Annotations in an engine; `accord.engine.annotations_protocol.Annotations` lists what may be asked of them."""

    answers: Answers
    annotators: tuple[str, ...]
    n_annotations: int
    scan: Scan  # the rows with an answer
    roles: RoleColumns  # which columns of the scan hold the annotations
    codes: Mapping[Any, int]  # which answer each raw label is, −1 for missing
    raw_annotators: tuple[Any, ...]  # annotators as the engine calls them, in the order of `annotators`
    source: LazySource
    progress: Callable[[int, int], None] = NO_PROGRESS  # how far long work has come
    no_repeats: bool = False  # is it known that nobody answered an item twice? Else it is looked at when asked

    def __getstate__(self) -> dict[str, Any]:
        """What goes to another process: what was read; what is made of it since may grow while it is packed."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    @property
    def named(self) -> bool:
        """Annotators always have names in a long table."""
        return True

    @cached_property
    def present(self) -> IntArray:
        """Everybody in the table answered something."""
        return np.arange(len(self.annotators))

    @cached_property
    def repeated(self) -> bool:
        """Did somebody answer an item more than once? With few annotators the tally of who said what tells it."""
        if self.no_repeats:
            return False
        if self._repeated_by_name is not None:
            return self._repeated_by_name
        from accord.engine.repeated_answers import answered_twice

        item, annotator, _ = self.roles
        return answered_twice(self.scan, item, annotator, self.raw_annotators, self.n_annotations, self.progress)

    @property
    def _known_once(self) -> bool:
        """Is it known already that nobody answered an item twice?"""
        return self.no_repeats or self.__dict__.get("repeated") is False

    @cached_property
    def _repeated_by_name(self) -> bool | None:
        """What the tally of who gave which answer knows of repeated answers; None where there is none."""
        return self._tallies.repeated()

    def second_answer(self) -> tuple[Any, Any]:
        """An item and an annotator who answered it more than once; the last of them, so that it is always the same."""
        item, annotator = self.scan.repeated(self.roles.item, self.roles.annotator)
        return item, annotator

    def digested(self, column: str | None) -> Scan:
        """The rows with an answer, items by digest where the engine has one; with another column of the table."""
        scan = self.scan if column is None else self.source.with_columns((column,))
        return scan.with_digest(self.roles.item)

    def recoded(self, answers: Answers, became: IntArray) -> LazyAnnotations:
        """The same annotations with other answers: what was answer k is answer became[k]."""
        moved = np.append(became, -1)
        codes = {raw: int(moved[code]) for raw, code in self.codes.items()}
        source = _Recoded(self.source, answers, became)
        return replace(self, answers=answers, codes=codes, source=source, no_repeats=self._known_once)

    def renamed(self, names: Sequence[str], position: IntArray) -> CodedAnnotations:
        """The same annotations of people called otherwise, in memory."""
        return self.to_memory().renamed(names, position)

    def nameless(self) -> CodedAnnotations:
        """The same answers, of nobody by name, in memory."""
        return self.to_memory().nameless()

    # -- where they are -----------------------------------------------------------------------------------------------

    @property
    def in_memory(self) -> bool:
        """They are in their engine."""
        return False

    @property
    def in_engine(self) -> LazyAnnotations:
        """These annotations: they are in an engine."""
        return self

    @property
    def tells_items(self) -> bool:
        """The table does."""
        return True

    @property
    def lists_items(self) -> bool:
        """Up to as many as are brought into memory."""
        return self.fit_memory

    def item_sketch(self) -> ItemSketch:
        """Which items were answered, as far as a sketch tells; only their ids arrive."""
        item, _, label = self.roles
        if len(self.raw_labels) == len(self.codes):
            found = [row[0] for row in self.scan.counted(item)]
        else:  # some rows have labels that say nothing
            found = [row[0] for row in self.scan.counted(item, label) if self.codes[row[1]] >= 0]
        return ItemSketch.of(tidy_label(name, "item") for name in found)

    @property
    def people_sums(self) -> None:
        """Who answered what is known to the engine one by one."""
        return

    def crowd(self, *, anyway: bool = False) -> Crowd | None:
        """Sums over the answers of many annotators, where these stay, or `anyway`; None where some answered twice."""
        return self.sums if (self.stays or anyway) and not self.repeated else None

    @property
    def of_many(self) -> bool:
        """Are there too many annotators to tell items apart by who gave which answer?"""
        base = len(self.answers) + 1
        return len(self.annotators) > MOST_NAMED or len(self.annotators) * base.bit_length() > MOST_COLUMNS * DIGITS

    @property
    def stays(self) -> bool:
        """Are they so many, of so many annotators, that who answered what must stay in the engine?"""
        return self.of_many and not self.small

    @property
    def why_stays(self) -> str:
        """In a sentence, with the way out."""
        return "Who answered what stays in the engine; collect the frame, or filter it first."

    @property
    def small(self) -> bool:
        """Are they so few that they may be brought into memory for convenience?"""
        return self.n_annotations <= min(CROWD_ROWS, MOST_ROWS)

    @property
    def fit_memory(self) -> bool:
        """Are they few enough to be brought into memory where that is needed?"""
        return self.n_annotations <= MOST_ROWS

    def movable(self) -> CodedAnnotations:
        """In memory: no engine goes to another process."""
        return self.to_memory()

    def to_memory(self) -> CodedAnnotations:
        """The same annotations in memory; an error where they are too many."""
        if not self.fit_memory:
            raise MeasureError(
                f"This needs every one of {self.n_annotations:,} annotations, which stay in their engine; at most "
                f"{MOST_ROWS:,} are brought into memory. Filter the frame first, or collect it yourself: ",
                collected(),
                ".",
            )
        return self.source.to_memory()

    # -- one by one, in memory ----------------------------------------------------------------------------------------

    @property
    def rows(self) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """Item, annotator, answer and count of each annotation."""
        return self.to_memory().rows

    @property
    def n_items(self) -> int:
        """How many items there are."""
        return self.to_memory().n_items

    @cached_property
    def items(self) -> Sequence[Label]:
        """What the items are called."""
        return _LazyItems(self)

    @property
    def appearance(self) -> IntArray:
        """The items (their positions) in the order in which the table first names them."""
        return self.to_memory().appearance

    def keep(self, annotations: BoolArray) -> CodedAnnotations:
        """Some annotations."""
        return self.to_memory().keep(annotations)

    def answered(self, answers: Answers, answer: IntArray) -> CodedAnnotations:
        """The same annotations, row by row, with other answers."""
        return self.to_memory().answered(answers, answer)

    # -- the table behind them ----------------------------------------------------------------------------------------

    @property
    def table(self) -> None:
        """Not in memory."""
        return

    @property
    def table_rows(self) -> IntArray:
        """The row of the table behind each annotation, once it is in memory."""
        return self.to_memory().table_rows

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the table."""
        return tuple(self.source.table.columns)

    def need(self, role: str, name: str) -> str:
        """A column of the table, or an error."""
        if name not in self.source.table.columns:
            raise ColumnMissing(role, name, self.source.table.columns)
        return name

    def column(self, name: str, role: str = "by") -> Coded:
        """Any column of the table, one code per annotation."""
        return self.to_memory().column(name, role)

    def item_column(self, name: str, role: str) -> Coded:
        """A column with one value per item, one code per item; −1 where it has none."""
        return self.to_memory().item_column(name, role)

    def missing_in(self, name: str) -> int:
        """How many annotations have no value in a column."""
        return self.source.with_columns((self.need("by", name),)).missing(name)

    def groups(self, by: str) -> dict[Label, LazyAnnotations]:
        """The annotations with each value of a column."""
        table = self.source.table
        found = [row[0] for row in table.tidied([self.need("by", by)]).counted(by)]
        values = sorted((value for value in found if value is not None), key=str)
        if len(values) > MOST_GROUPS:
            raise MeasureError(
                quoted(by),
                f" has {len(values):,} values; at most {MOST_GROUPS} groups are measured in the engine. "
                "Choose a column with fewer values.",
            )
        return {value: self._part(table.where(by, value)) for value in values}

    def by_annotator(self, name: str) -> list[tuple[str, Label]]:
        """Each annotator with each value that a column of the table has in their rows."""
        called = dict(zip(self.raw_annotators, self.annotators, strict=True))
        found = self.source.table.tidied([self.roles.annotator, self.need("by", name)]).counted(
            self.roles.annotator, name
        )
        return [(called[who], value) for who, value, _ in found if who in called and value is not None]

    def of_annotators(self, names: Sequence[str]) -> LazyAnnotations:
        """The answers of some annotators."""
        kept = set(names)
        others = [raw for raw, name in zip(self.raw_annotators, self.annotators, strict=True) if name not in kept]
        return self._part(self.source.table.without(self.roles.annotator, others))

    def where(self, name: str, values: Sequence[str]) -> LazyAnnotations:
        """The answers whose row has one of these values in a column, the values written as text."""
        table = self.source.table
        found = [row[0] for row in table.tidied([self.need("where", name)]).counted(name)]
        others = [value for value in found if str(value) not in values or value is None]
        if len(others) == len(found):
            raise no_such_value(name, values, found)
        return self._part(table.without_values(name, others))

    def one_value_per_item(self, name: str) -> bool:
        """Has every item one value of a column at most?"""
        return self.digested(self.need("by", name)).several(self.roles.item, name) is None

    def with_annotator_as_column(self, name: str, column: str) -> LazyAnnotations:
        """Without the answers of one annotator, which stand in a new column of the table instead."""
        item, annotator, label = self.roles
        raw = self.raw_annotators[self.annotators.index(name)]
        answers = self.scan.where(annotator, raw).renamed({item: item, label: column})
        others = self.source.table.without(annotator, [raw])
        return self._part(others.left_joined(answers, item))

    def with_item_values(self, by_item: Mapping[Any, Any], column: str) -> LazyAnnotations:
        """With a new column of the table: the value that a mapping has for each item."""
        item = self.roles.item
        values = self.scan.uploaded({item: list(by_item), column: list(by_item.values())})
        return self._part(self.source.table.left_joined(values, item))

    def _part(self, table: Scan) -> LazyAnnotations:
        """The annotations of some rows, or of more columns; where nobody answered twice, nobody does in a part."""
        part = self.source.part(table)
        return replace(part, no_repeats=True) if self._known_once else part

    # -- tallies ----------------------------------------------------------------------------------------------------

    @cached_property
    def _tallies(self) -> LazyTally:
        from accord.engine.lazy_tally import LazyTally

        return LazyTally(self)

    def tally(self, *, named: bool = False) -> Tally:
        """Reduce in the engine, decode here."""
        return self._tallies.tally(named=named)

    def tally_of_people(self, *, named: bool = False) -> Tally:
        """Where somebody answered an item twice, from the annotations brought here: a mixed answer is no sum."""
        return self.to_memory().tally_of_people(named=named) if self.repeated else self.tally(named=named)

    @property
    def reduced(self) -> Reduced:
        """The tally with the sums that tell its patterns apart in the engine."""
        return self._tallies.anonymous

    @cached_property
    def raw_labels(self) -> dict[Any, int]:
        """The labels as the engine has them, and which answer each is; those that say nothing left out."""
        return {raw: answer for raw, answer in self.codes.items() if answer >= 0}

    # -- who said what, of a crowd ------------------------------------------------------------------------------------

    @cached_property
    def sums(self) -> Crowd:
        """Sums over the answers of many annotators, made in the engine."""
        from accord.engine.annotator_sums import Crowd

        return Crowd(self)

    def with_cells(self, scan: Scan) -> Scan:
        """Rows of these annotations with a column `cell_`, annotator × answers + answer; without who gave them."""
        _, annotator, label = self.roles
        missing = [raw for raw, answer in self.codes.items() if answer < 0]
        rows = scan.without_values(label, missing) if missing else scan
        return rows.with_cells(annotator, self.raw_annotators, label, self.raw_labels, len(self.answers))

    def answers_by_annotator(self) -> FloatArray:
        """(annotators, answers) how often each annotator gave each answer, asked of the engine once."""
        return self.sums.cells

    def counted_cells(self) -> FloatArray:
        """The same, asked anew."""
        _, annotator, label = self.roles
        shape = len(self.raw_annotators), len(self.answers)
        if self.scan.dialect.gives_batches:  # numbers are counted here: a group-by of a crowd holds far more
            from accord.engine.scan import CELL

            number = np.zeros(shape[0] * shape[1], dtype=np.int64)
            for (some,) in self.with_cells(self.scan).batches(CELL):
                np.add.at(number, some, 1)
            return number.reshape(shape).astype(np.float64)
        who = {name: place for place, name in enumerate(self.raw_annotators)}
        table = np.zeros(shape)
        for name, raw, number in self.digested(None).counted(annotator, label):
            if self.codes[raw] >= 0:
                table[who[name], self.codes[raw]] += number
        return table
