"""Annotations that stay in their engine: DuckDB, Spark, Polars lazy. Only tallies, label lists and annotator tables
arrive.

An item's answers become integers by sums in the engine: one digit a label, several columns of digits for more labels,
or a fingerprint with representatives for many. Equal integers are counted there, and what arrives is decoded here. A
sum that overflowed only ever lowers the digit sum, so comparing the decoded total with the number of answers shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.answers import Label
from accord.arrays import BoolArray, FloatArray, IntArray, add_up
from accord.assembly import Assembled, Names
from accord.errors import ColumnMissing, EngineOverflow, MeasureError
from accord.tally import Tally
from accord.triples import FINGERPRINT_SEED, Triples

if TYPE_CHECKING:
    from accord.engine import Lookup, Scan
    from accord.study import Study

DIGITS = 60  # bits of one code column
MOST_COLUMNS = 4  # code columns, beyond which a fingerprint is cheaper
MOST_NAMED = 24  # annotators whose answers are coded one by one in the engine
MOST_GROUPS = 200
ROWS_AT_ONCE = 2_500_000  # of a slice in which repeated answers are looked for
MOST_SLICES = 16
MOST_PATTERNS = 3_000_000  # patterns that may arrive
MOST_ROWS = 5_000_000  # annotations that may be brought here, for tables with a row an item


class Items(Sequence[Label]):
    """The names of items, brought here only when they are asked for."""

    def __init__(self, here: Callable[[], Study]) -> None:
        self._here = here

    def __len__(self) -> int:
        return len(self._here().items)

    def __getitem__(self, place: Any) -> Any:
        return self._here().items[place]


@dataclass(frozen=True, eq=False)
class Remote(Triples):
    """Annotations in an engine, with the interface of those in memory.

    `item`, `annotator` and `label` of the scan are the columns; `codes` says which answer each raw label is, −1 for
    silence.
    """

    scan: Any = None  # Scan
    columns: tuple[str, str, str] = ("item", "annotator", "label")
    codes: Mapping[Any, int] | None = None
    raw_names: tuple[Any, ...] = ()  # annotators as the engine calls them, in the order of `annotators`
    given: int = 0  # answers, silence left out
    here: Any = None  # () -> Study in memory
    table: Any = None  # Scan of the whole table
    part: Any = None  # Scan -> Remote: the same of some rows of the table

    @property
    def n_annotations(self) -> int:
        """Answers given."""
        return self.given

    @cached_property
    def rows(self) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """Every annotation, brought here: for what has a row an item or an annotation."""
        return self.local.triples.rows

    @property
    def local(self) -> Study:
        """The same study in memory, if it is small enough."""
        if self.given > MOST_ROWS:
            raise MeasureError(
                f"This needs every one of {self.given:,} annotations, which stay in their engine; at most "
                f"{MOST_ROWS:,} are "
                "brought into memory. Filter the frame first, or collect it yourself: Study(frame.collect(), …)."
            )
        study: Study = self.here()
        return study

    @cached_property
    def present(self) -> IntArray:
        """Everybody in the table answered something."""
        return np.arange(len(self.annotators))

    @cached_property
    def repeated(self) -> bool:
        """Did somebody answer an item more than once?"""
        item, annotator, _ = self.columns
        return any(part.repeats(item, annotator) for part in self._slices())

    def _slices(self) -> list[Scan]:
        """The table by ranges of annotators: counting items and annotators needs memory for every pair of them."""
        annotator, names = self.columns[1], sorted(self.raw_names)
        number = min(1 + self.given // ROWS_AT_ONCE, MOST_SLICES, len(names))
        if number <= 1:
            return [self._said]
        starts = [names[len(names) * place // number] for place in range(number)]
        return [self._said.between(annotator, *bounds) for bounds in zip(starts, [*starts[1:], None], strict=True)]

    @property
    def _said(self) -> Scan:
        """The rows with an answer; the table was read without the others."""
        scan: Scan = self.scan
        return scan

    def assembled(self) -> Assembled:
        """With the names of items, which arrive only when they are asked for."""
        return Assembled(self, Names(Items(self.here), self.annotators), np.empty(0, dtype=np.int64))

    def groups(self, by: str) -> dict[Label, Remote]:
        """One part for each value of a column."""
        if by not in self.table.columns:
            raise ColumnMissing("by", by, self.table.columns)
        found = [row[0] for row in self.table.tidied([by]).counted(by)]
        values = sorted((value for value in found if value is not None), key=str)
        if len(values) > MOST_GROUPS:
            raise MeasureError(
                f"{by!r} has {len(values):,} values; at most {MOST_GROUPS} groups are measured in the engine."
            )
        return {value: replace(self.part(self.table.where(by, value)), answers=self.answers) for value in values}

    def keep(self, annotations: BoolArray) -> Triples:
        """Some annotations, in memory."""
        return self.local.triples.keep(annotations)

    def tally(self, *, named: bool = False) -> Tally:
        """Reduce in the engine, decode here."""
        if not self.given:
            nothing = np.empty(0, dtype=np.int64)
            empty = Triples(self.answers, 0, self.annotators, item=nothing, annotator=nothing, answer=nothing)
            return empty.tally(named=named)
        if named:
            return self._named_tally()
        coded = self._coded_tally()
        return coded if coded is not None else self._fingerprinted_tally()

    # -- one digit a label ----------------------------------------------------------------------------------------

    def _coded_tally(self) -> Tally | None:
        """By digits: as many bits each as room allows, or, if that overflows, as the most answers on an item need."""
        size = len(self.answers)
        hopeful = max(DIGITS // max(size, 1), 5)
        found = self._digits(hopeful)
        if found is None:
            found = self._digits(self._said.largest_group(self.columns[0]).bit_length())
        if found is None:
            return None
        counts, number = found
        pattern, answer = np.nonzero(counts)
        return self._ordered(pattern, None, answer, counts[pattern, answer], number)

    def _digits(self, bits: int) -> tuple[IntArray, IntArray] | None:
        """(P, K) counts of each pattern and how many items show it; None where they do not fit, or overflowed."""
        per_column = max(DIGITS // bits, 1)
        if -(-len(self.answers) // per_column) > MOST_COLUMNS:
            return None
        try:
            counts, number = self._digit_sums(bits, per_column)
        except EngineOverflow:
            return None
        return (counts, number) if int(number @ counts.sum(axis=1)) == self.given else None

    def _digit_sums(self, bits: int, per_column: int) -> tuple[IntArray, IntArray]:
        """Sum in the engine, decode here."""
        size, terms = len(self.answers), self._code_terms(bits, per_column)
        arrived = self._said.sums([self.columns[0]], terms).counted(*terms)
        table = np.array([row[:-1] for row in arrived], dtype=np.int64).reshape(-1, len(terms))
        number = np.array([row[-1] for row in arrived], dtype=np.int64)
        return _digits_of(table, bits, per_column, size), number

    def _code_terms(self, bits: int, per_column: int) -> dict[str, list[Lookup]]:
        """One digit a label, in as many columns as it takes."""
        from accord.engine import Lookup

        terms = {}
        for column in range(-(-len(self.answers) // per_column)):
            worth = {
                raw: 1 << (bits * (answer - column * per_column))
                for raw, answer in self._raw.items()
                if column * per_column <= answer < (column + 1) * per_column
            }
            terms[f"code{column}"] = [Lookup(self.columns[2], worth)]
        return terms

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

    @cached_property
    def met(self) -> Tally:
        """Who met whom and said what, counted in the engine: a named tally whose every item is one meeting.

        For each pair of annotators it is what the whole study is; for all pairs together items are not told apart.
        """
        item, annotator, label = self.columns
        cells = self._said.meetings(item, annotator, label, MOST_PATTERNS)
        if len(cells) > MOST_PATTERNS:
            raise MeasureError(
                f"So many annotators met that their answers fill more than {MOST_PATTERNS:,} cells: too many "
                "to bring here. "
                "Choose annotators first (filter the frame), or use conger_kappa, which needs no pairs."
            )
        assert self.codes is not None
        who = {name: place for place, name in enumerate(self.raw_names)}
        rows = np.array(
            [(who[a], who[b], self.codes[k], self.codes[m], n) for a, b, k, m, n in cells], dtype=np.int64
        ).reshape(-1, 5)
        rows = rows[(rows[:, 2] >= 0) & (rows[:, 3] >= 0)]
        swapped = rows[:, 0] > rows[:, 1]  # the engine's order of names need not be ours
        rows[swapped] = rows[swapped][:, [1, 0, 3, 2, 4]]
        pattern = np.repeat(np.arange(len(rows)), 2)
        return self._ordered(pattern, rows[:, :2].ravel(), rows[:, 2:4].ravel(), np.ones_like(pattern), rows[:, 4])

    def moments(self, worth: FloatArray) -> tuple[IntArray, IntArray, FloatArray, FloatArray]:
        """(P, K) counts of each pattern, its items, and the sum and sum of squares over them of their answers' worth.

        `worth` (annotators, answers) says what an answer by an annotator is worth.
        """
        item, annotator, label = self.columns
        bits = max(self._said.largest_group(item).bit_length(), 1)
        per_column = max(DIGITS // bits, 1)
        if -(-len(self.answers) // per_column) > MOST_COLUMNS:
            raise MeasureError(
                f"{len(self.answers)} labels with up to {2**bits - 1} answers an item are too many for this in "
                "an engine."
            )
        cells = [
            (name, raw, float(worth[who, code]))
            for who, name in enumerate(self.raw_names)
            for raw, code in self._raw.items()
        ]
        columns = dict(zip((annotator, label, "worth_"), zip(*cells, strict=True), strict=True))
        terms = self._code_terms(bits, per_column)
        found = self._said.moments(item, terms, self._said.uploaded(columns), [annotator, label])
        table = np.array([found[name] for name in terms], dtype=np.int64).T
        counts = _digits_of(table, bits, per_column, len(self.answers))
        return counts, np.array(found["number_"], np.int64), np.array(found["total_"]), np.array(found["square_"])

    def _ordered(
        self, pattern: IntArray, annotator: IntArray | None, answer: IntArray, count: IntArray, number: IntArray
    ) -> Tally:
        """The order that annotations in memory would have: each pattern as one item of a small study."""
        named = annotator is not None
        small = Triples(
            self.answers, len(number), self.annotators if named else (), item=pattern, annotator=annotator,
            answer=answer, count=count,
        )  # fmt: skip
        tally = small.tally(named=named)
        assert tally.locate is not None
        place = tally.locate()
        answered = place >= 0
        items = add_up(place[answered], number[answered], len(tally)).astype(np.int64)
        return replace(tally, items=items, locate=lambda: self._located(named=named))

    def _located(self, *, named: bool) -> IntArray:
        """The pattern of each item, from the annotations brought here: the two tallies are the same."""
        tally = self.local.tally(named=named)
        assert tally.locate is not None
        return tally.locate()

    @cached_property
    def _raw(self) -> dict[Any, int]:
        """Raw labels that are answers."""
        assert self.codes is not None
        return {raw: answer for raw, answer in self.codes.items() if answer >= 0}

    # -- many labels ------------------------------------------------------------------------------------------------

    def _fingerprinted_tally(self) -> Tally:
        """Two random numbers a label, summed over the item; one item of each fingerprint shows what it stands for."""
        from accord.engine import Lookup

        item, _, label = self.columns
        rng = np.random.default_rng(FINGERPRINT_SEED)
        random = rng.integers(1 << 40, 1 << 44, size=(2, len(self.answers))).tolist()
        terms = {
            name: [Lookup(label, {raw: weights[answer] for raw, answer in self._raw.items()})]
            for name, weights in zip(("print_f", "print_g"), random, strict=True)
        }
        keys = ("print_f", "print_g", "rows_")
        examples = self._said.sums([item], terms).first_of(item, *keys)
        members = self._said.joined(examples, item).counted(item, label)
        found = examples.arrive(item, "items_")
        place = {name: number for number, name in enumerate(found[item])}
        if len(place) > MOST_PATTERNS:
            raise MeasureError(
                f"Items show {len(place):,} different patterns of answers, more than {MOST_PATTERNS:,}: too "
                "many to bring "
                "here. Merge rare labels, or measure a sample of the items."
            )
        assert self.codes is not None
        entries = np.array([(place[row[0]], self.codes[row[1]], row[2]) for row in members], dtype=np.int64).reshape(
            -1, 3
        )
        entries = entries[entries[:, 1] >= 0]
        number = np.array(found["items_"], dtype=np.int64)
        total = int((entries[:, 2] * number[entries[:, 0]]).sum())
        if total != self.given:  # two patterns with one fingerprint: as good as impossible, and never passed over
            raise MeasureError(f"Decoded patterns hold {total:,} answers where {self.given:,} were given.")
        return self._ordered(entries[:, 0], None, entries[:, 1], entries[:, 2], number)

    # -- who said what ------------------------------------------------------------------------------------------------

    @property
    def crowd(self) -> bool:
        """Are there too many annotators to tell items apart by who said what?"""
        base = len(self.answers) + 1
        return len(self.annotators) > MOST_NAMED or len(self.annotators) * base.bit_length() > MOST_COLUMNS * DIGITS

    @property
    def stays(self) -> bool:
        """Must who said what stay in the engine?"""
        return self.crowd and self.given > MOST_ROWS

    def _named_tally(self) -> Tally:
        """One digit an annotator, over as many columns as needed."""
        from accord.engine import Lookup

        if self.crowd:
            return self.local.tally(named=True)
        item, annotator, label = self.columns
        bits = (len(self.answers) + 1).bit_length()
        per_column = DIGITS // bits
        names = self.raw_names
        answers = Lookup(label, {raw: answer + 1 for raw, answer in self._raw.items()})
        terms = {}
        for column in range(-(-len(names) // per_column)):
            inside = range(column * per_column, min((column + 1) * per_column, len(names)))
            terms[f"code{column}"] = [
                answers,
                Lookup(annotator, {names[who]: 1 << (bits * (who % per_column)) for who in inside}),
            ]
        arrived = self._said.sums([item], terms).counted(*terms)
        if len(arrived) > MOST_PATTERNS:
            return self.local.tally(named=True)
        table = np.array([row[:-1] for row in arrived], dtype=np.int64).reshape(-1, len(terms))
        number = np.array([row[-1] for row in arrived], dtype=np.int64)
        digits = _digits_of(table, bits, per_column, len(names))
        pattern, who = np.nonzero(digits)
        return self._ordered(pattern, who, digits[pattern, who] - 1, np.ones_like(pattern), number)


def _digits_of(table: IntArray, bits: int, per_column: int, size: int) -> IntArray:
    """(P, size) the digits of codes that are spread over columns."""
    place = np.arange(size)
    digits: IntArray = (table[:, place // per_column] >> (bits * (place % per_column))) & ((1 << bits) - 1)
    return digits
