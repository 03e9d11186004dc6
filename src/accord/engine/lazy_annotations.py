"""Annotations that stay in their engine: DuckDB, Spark, Polars lazy. Only tallies, label lists and annotator tables
arrive.

An item's answers become integers by sums in the engine (`digits`), or a fingerprint with examples where labels are
many. Equal integers are counted there, and what arrives is decoded here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.annotations.answers import Label
from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.annotations.assemble import Assembled, Names
from accord.annotations.coded import FINGERPRINT_SEED, CodedAnnotations
from accord.annotations.tally import Crossed, Tally
from accord.engine.positional_codes import DIGITS, Digits, EngineOverflow, annotator_terms, label_terms, print_terms
from accord.engine.reduced_tally import Entries, Reduced
from accord.errors import ColumnMissing, InputError, Keyword, MeasureError, one_of
from accord.options import reporter

if TYPE_CHECKING:
    from accord.engine.annotator_sums import Crowd
    from accord.engine.lookup import Lookup
    from accord.engine.scan import Scan

MOST_COLUMNS = 4  # code columns, beyond which a fingerprint is cheaper
MOST_NAMED = 24  # annotators whose answers are coded one by one in the engine
MOST_GROUPS = 200
ROWS_AT_ONCE = 2_500_000  # of a slice in which repeated answers are looked for
MOST_SLICES = 16
MOST_PATTERNS = 3_000_000  # patterns that may arrive
MOST_ROWS = 20_000_000  # annotations that may be brought here, for tables with a row an item
CROWD_ROWS = 5_000_000  # annotations of a crowd, above which who said what is added up in the engine
SILENT = reporter(None, "")


class Items(Sequence[Label]):
    """The names of items, brought here only when they are asked for."""

    def __init__(self, here: Callable[[], Any]) -> None:
        self._here = here

    def __len__(self) -> int:
        return len(self._here().items)

    def __getitem__(self, place: Any) -> Any:
        return self._here().items[place]


def refuse_large(scan: Scan) -> None:
    """What is not reduced in an engine (scores, marked places, lists in cells) is read here: if it is small enough."""
    rows = scan.rows()
    if rows > MOST_ROWS:
        raise MeasureError(
            "Scores, marked places, lists in cells and ",
            Keyword("duplicates", one_of("first", "last")),
            " are read here, not in the engine; "
            f"the table has {rows:,} rows, and at most {MOST_ROWS:,} are brought into memory. Filter the frame first, "
            "give one label a row, or collect it yourself: Study(frame.collect(), …).",
        )


class _TooMany(Exception):
    """More patterns than may arrive."""


@dataclass(frozen=True, eq=False)
class LazyAnnotations(CodedAnnotations):
    """Annotations in an engine, with the interface of those in memory.

    `columns` are item, annotator and label of the scan; `codes` says which answer each raw label is, −1 for silence.
    """

    scan: Any = None  # Scan
    columns: tuple[str, str, str] = ("item", "annotator", "label")
    codes: Mapping[Any, int] | None = None
    raw_names: tuple[Any, ...] = ()  # annotators as the engine calls them, in the order of `annotators`
    given: int = 0  # answers, silence left out
    here: Any = None  # () -> Study in memory
    table: Any = None  # Scan of the whole table
    part: Any = None  # Scan -> Remote: the same of some rows of the table
    beside: Any = None  # columns -> Scan: the scan with further columns of the table
    tell: Callable[[int, int], None] = SILENT  # how far long work has come

    @property
    def n_annotations(self) -> int:
        """Answers given."""
        return self.given

    @cached_property
    def rows(self) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """Every annotation, brought here: for what has a row an item or an annotation."""
        rows: tuple[IntArray, IntArray, IntArray, IntArray] = self.local._annotations.rows
        return rows

    @property
    def local(self) -> Any:
        """The same study in memory, if it is small enough."""
        if self.given > MOST_ROWS:
            raise MeasureError(
                f"This needs every one of {self.given:,} annotations, which stay in their engine; at most "
                f"{MOST_ROWS:,} are brought into memory. Filter the frame first, or collect it yourself: "
                "Study(frame.collect(), …)."
            )
        return self.here()

    @cached_property
    def present(self) -> IntArray:
        """Everybody in the table answered something."""
        return np.arange(len(self.annotators))

    @cached_property
    def repeated(self) -> bool:
        """Did somebody answer an item more than once? With few annotators the tally of who said what tells it."""
        if self._told_by_name is not None:
            return self._told_by_name is True
        item, annotator, _ = self.columns
        slices = self._slices()
        for done, part in enumerate(slices):
            self.tell(done, len(slices))
            if part.repeats(item, annotator):
                return True
        self.tell(len(slices), len(slices))
        return False

    @cached_property
    def _told_by_name(self) -> bool | None:
        """What the tally of who said what knows of repeated answers; None where there is none."""
        if self.crowd or not self.given:
            return None
        try:
            return self._named is None
        except _TooMany:
            return None

    def second_answer(self) -> tuple[Any, Any]:
        """An item and an annotator who answered it more than once; the last of them, so that it is always the same."""
        item, annotator, _ = self.columns
        found = self.scan.repeated(item, annotator)
        return found[0], found[1]

    def _slices(self) -> list[Scan]:
        """The table by ranges of annotators: counting items and annotators needs memory for every pair of them."""
        annotator, names = self.columns[1], sorted(self.raw_names)
        number = min(1 + self.given // ROWS_AT_ONCE, MOST_SLICES, len(names))
        if number <= 1:
            return [self._said]
        starts = [names[len(names) * place // number] for place in range(number)]
        return [self._said.between(annotator, *bounds) for bounds in zip(starts, [*starts[1:], None], strict=True)]

    @cached_property
    def _said(self) -> Scan:
        """The rows with an answer, items by digest where the engine has one; the table was read without the others."""
        scan: Scan = self.scan.brief(self.columns[0])
        return scan

    def assembled(self) -> Assembled:
        """With the names of items, which arrive only when they are asked for."""
        return Assembled(self, Names(Items(lambda: self.local), self.annotators), np.empty(0, dtype=np.int64))

    # -- columns of the table ---------------------------------------------------------------------------------------

    def need(self, role: str, name: str) -> str:
        """A column of the table, or an error."""
        if name not in self.table.columns:
            raise ColumnMissing(role, name, self.table.columns)
        return name

    def groups(self, by: str) -> dict[Label, LazyAnnotations]:
        """One part for each value of a column."""
        found = [row[0] for row in self.table.tidied([self.need("by", by)]).counted(by)]
        values = sorted((value for value in found if value is not None), key=str)
        if len(values) > MOST_GROUPS:
            raise MeasureError(
                f"{by!r} has {len(values):,} values; at most {MOST_GROUPS} groups are measured in the engine."
            )
        return {value: self.part(self.table.where(by, value)) for value in values}

    def says_one_thing(self, column: str) -> bool:
        """Has every item one value of a column at most?"""
        scan = self.beside((self.need("by", column),)).brief(self.columns[0])
        return bool(scan.several(self.columns[0], column) is None)

    def silent_in(self, column: str) -> int:
        """How many annotations have nothing in a column."""
        return int(self.beside((self.need("by", column),)).missing(column))

    def judging(self, name: str, column: str) -> LazyAnnotations:
        """Without the answers of one annotator, which stand in a new column of the table instead."""
        item, annotator, label = self.columns
        raw = self.raw_names[self.annotators.index(name)]
        told = self.scan.where(annotator, raw).renamed({item: item, label: column})
        others: LazyAnnotations = self.part(self.table.without(annotator, [raw]).with_beside(told, item))
        return others

    def told(self, by_item: Mapping[Any, Any], column: str) -> LazyAnnotations:
        """With a new column of the table: what a mapping says of each item."""
        item = self.columns[0]
        handed = self.scan.uploaded({item: list(by_item), column: list(by_item.values())})
        with_it: LazyAnnotations = self.part(self.table.with_beside(handed, item))
        return with_it

    def keep(self, annotations: BoolArray) -> CodedAnnotations:
        """Some annotations, in memory."""
        kept: CodedAnnotations = self.local._annotations.keep(annotations)
        return kept

    # -- tallies ----------------------------------------------------------------------------------------------------

    def tally(self, *, named: bool = False) -> Tally:
        """Reduce in the engine, decode here."""
        if not self.given:
            nothing = np.empty(0, dtype=np.int64)
            empty = CodedAnnotations(self.answers, 0, self.annotators, item=nothing, annotator=nothing, answer=nothing)
            return empty.tally(named=named)
        if not named:
            return self._anonymous.tally
        try:
            found = None if self.crowd else self._named
        except _TooMany:
            found = None
        return self.local.tally(named=True) if found is None else found.tally

    @property
    def reduced(self) -> Reduced:
        """The tally with the sums that tell its patterns apart in the engine."""
        return self._anonymous

    @cached_property
    def _anonymous(self) -> Reduced:
        """By digits: as many bits each as room allows, or, if that overflows, as the most answers on an item need.

        Where it is known who said what, that is forgotten instead: no second pass over the table.
        """
        known = self.__dict__.get("_named")
        if known is not None:
            return self._reduced(known.terms, known.codes, known.number, known.entries.nameless())
        hopeful = max(self._said.room // max(len(self.answers), 1), 5)
        found = self._by_digits(hopeful)
        if found is None and hopeful * len(self.answers) <= MOST_COLUMNS * DIGITS:
            found = self._by_digits(self._said.largest_group(self.columns[0]).bit_length())
        return found if found is not None else self._by_fingerprint()

    def _by_digits(self, bits: int) -> Reduced | None:
        """None where digits do not fit, or overflowed."""
        digits = Digits(len(self.answers), bits)
        if digits.columns > MOST_COLUMNS:
            return None
        terms = label_terms(digits, self.columns[2], self.raw_labels)
        try:
            found = self._said.patterns(self.columns[0], terms, most=MOST_PATTERNS)
        except EngineOverflow:
            return None
        self._refuse_many(len(found.number))
        counts = digits.read(found.codes)
        if int(found.number @ counts.sum(axis=1)) != self.given:
            return None
        pattern, answer = np.nonzero(counts)
        entries = Entries(pattern, None, answer, counts[pattern, answer])
        return self._reduced(terms, found.codes, found.number, entries)

    def _by_fingerprint(self) -> Reduced:
        """Two random numbers a label, summed over the item; one item of each fingerprint shows what it stands for."""
        from accord.engine.lookup import Lookup

        item, _, label = self.columns
        terms = print_terms(label, self.raw_labels, len(self.answers), FINGERPRINT_SEED)
        answers = Lookup(label, {raw: answer + 1 for raw, answer in self.raw_labels.items()})
        keys = ("print_f", "print_g", "items_", "answer_")
        members = self._said.examples(item, terms).with_code(answers, "answer_").grouped(*keys)
        found = members.integers(*keys, "number_")
        codes = np.stack((found["print_f"], found["print_g"]), axis=1)
        order = np.lexsort((found["answer_"], codes[:, 1], codes[:, 0]))
        codes = codes[order]
        fresh = np.append(True, (codes[1:] != codes[:-1]).any(axis=1)) if len(codes) else np.empty(0, np.bool_)
        self._refuse_many(int(fresh.sum()))
        pattern = np.cumsum(fresh) - 1
        answer, count = found["answer_"][order] - 1, found["number_"][order]
        number = found["items_"][order][fresh]
        said = answer >= 0
        total = int((count * number[pattern])[said].sum())
        if total != self.given:  # two patterns with one fingerprint: as good as impossible, and never passed over
            raise MeasureError(f"Decoded patterns hold {total:,} answers where {self.given:,} were given.")
        entries = Entries(pattern[said], None, answer[said], count[said])
        return self._reduced(terms, codes[fresh], number, entries)

    @cached_property
    def _named(self) -> Reduced | None:
        """One digit an annotator, over as many columns as needed; None where somebody answered an item twice."""
        item, annotator, label = self.columns
        digits = Digits(len(self.raw_names), (len(self.answers) + 1).bit_length())
        assert self.codes is not None
        blank = len(self.raw_labels) < len(self.codes)  # rows whose label says nothing
        terms = annotator_terms(digits, annotator, self.raw_names, label, self.raw_labels, blank=blank)
        try:
            found = self._said.patterns(item, terms, most=MOST_PATTERNS)
        except EngineOverflow:  # only a second answer can be too much
            return None
        if len(found.number) > MOST_PATTERNS:
            raise _TooMany
        # a second answer of somebody makes the bits of who answered fewer than the answers
        if int(found.number @ np.bitwise_count(found.codes[:, -1])) != self.given:
            return None
        said = digits.read(found.codes[:, :-1])
        pattern, who = np.nonzero(said)
        entries = Entries(pattern, who, said[pattern, who] - 1, np.ones_like(pattern))
        return self._reduced(terms, found.codes, found.number, entries)

    def _refuse_many(self, patterns: int) -> None:
        if patterns > MOST_PATTERNS:
            raise MeasureError(
                f"Items show more than {MOST_PATTERNS:,} different patterns of answers: too many to bring here. Merge "
                "rare labels, or measure a sample of the items."
            )

    def _reduced(
        self, terms: Mapping[str, Sequence[Lookup]], codes: IntArray, number: IntArray, entries: Entries
    ) -> Reduced:
        """With what the tally may be asked later."""
        made = Reduced.of(self.answers, self.annotators, terms, codes, number, entries)
        named = entries.annotator is not None
        tally = replace(
            made.tally,
            locate=lambda: self._located(named=named),
            crossed=lambda columns: self._crossed(columns, named=named),
        )
        return replace(made, tally=tally)

    def _located(self, *, named: bool) -> IntArray:
        """The pattern of each item, from the annotations brought here: the two tallies are the same."""
        tally: Tally = self.local.tally(named=named)
        assert tally.locate is not None
        return tally.locate()

    def _crossed(self, columns: tuple[str, ...], *, named: bool) -> Crossed:
        """How many items show each pattern and have each value in some columns."""
        if (columns, named) not in self._crossings:
            self._crossings[columns, named] = self._cross(columns, self._named if named else self._anonymous)
        return self._crossings[columns, named]

    @cached_property
    def _crossings(self) -> dict[tuple[tuple[str, ...], bool], Crossed]:
        return {}

    def _cross(self, columns: tuple[str, ...], reduced: Reduced | None) -> Crossed:
        assert reduced is not None
        item = self.columns[0]
        for name in columns:
            self.need("column", name)
        scan: Scan = self.beside(columns)
        found = scan.brief(item).patterns(item, reduced.terms, columns, most=MOST_PATTERNS)
        if found.differing:
            self._refuse_several(scan, columns)
        if len(found.number) > MOST_PATTERNS:
            raise MeasureError(
                f"Patterns of answers and {', '.join(map(repr, columns))} make more than {MOST_PATTERNS:,} cells: too "
                "many to bring here. Measure a sample of the items, or larger clusters."
            )
        return reduced.crossed(found, columns)

    def _refuse_several(self, scan: Scan, columns: tuple[str, ...]) -> None:
        for name in columns:
            items = scan.several(self.columns[0], name)
            if items is not None:
                raise InputError(
                    f"The column {name!r} must say one thing of an item, and item {items!r} has several values there."
                )

    @cached_property
    def raw_labels(self) -> dict[Any, int]:
        """The labels as the engine has them, and which answer each is; those that say nothing left out."""
        assert self.codes is not None
        return {raw: answer for raw, answer in self.codes.items() if answer >= 0}

    # -- who said what, of a crowd ------------------------------------------------------------------------------------

    @cached_property
    def sums(self) -> Crowd:
        """Sums over the answers of many annotators, made in the engine."""
        from accord.engine.annotator_sums import Crowd

        return Crowd(self)

    @property
    def crowd(self) -> bool:
        """Are there too many annotators to tell items apart by who said what?"""
        base = len(self.answers) + 1
        return len(self.annotators) > MOST_NAMED or len(self.annotators) * base.bit_length() > MOST_COLUMNS * DIGITS

    @property
    def stays(self) -> bool:
        """Must who said what stay in the engine?"""
        return self.crowd and self.given > min(CROWD_ROWS, MOST_ROWS)

    def cells(self) -> FloatArray:
        """(annotators, answers) how often each annotator gave each answer."""
        _, annotator, label = self.columns
        assert self.codes is not None
        who = {name: place for place, name in enumerate(self.raw_names)}
        table = np.zeros((len(self.raw_names), len(self.answers)))
        for name, raw, number in self._said.counted(annotator, label):
            if self.codes[raw] >= 0:
                table[who[name], self.codes[raw]] += number
        return table
