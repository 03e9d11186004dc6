"""The tally of annotations that stay in their engine: what items hold becomes integers by sums there, decoded here.

Each answer, or each annotator with an answer, is a digit of a number that the engine adds up (`positional_codes`);
where labels are too many for digits, a fingerprint with examples. Equal integers are counted there, and what arrives
is decoded in memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from accord.annotations.arrays import IntArray
from accord.annotations.tally import Crossed, Tally
from accord.annotations.tally_by_sorting import FINGERPRINT_SEED
from accord.engine.lazy_annotations import MOST_COLUMNS, MOST_PATTERNS, LazyAnnotations
from accord.engine.positional_codes import DIGITS, Digits, EngineOverflow, annotator_terms, label_terms, print_terms
from accord.engine.reduced_tally import Entries, Reduced
from accord.errors import InputError, MeasureError, all_quoted, at_column, at_item, remedy

if TYPE_CHECKING:
    from accord.engine.lookup import Lookup
    from accord.engine.scan import Scan


class TooManyPatterns(Exception):
    """More patterns than may arrive."""


@dataclass(frozen=True, eq=False)
class LazyTally:
    """Reduces annotations in their engine; what it has reduced once it keeps."""

    lazy: LazyAnnotations

    def repeated(self) -> bool | None:
        """What the tally of who gave which answer knows of repeated answers; None where there is none."""
        if self.lazy.of_many or not self.lazy.n_annotations:
            return None
        try:
            return self.named is None
        except TooManyPatterns:
            return None

    def tally(self, *, named: bool = False) -> Tally:
        """Reduce in the engine, decode here."""
        if not self.lazy.n_annotations:
            nothing = np.empty(0, dtype=np.int64)
            tally = Tally(self.lazy.answers, nothing, np.zeros(1, np.int64), nothing, nothing, locate=nothing.copy)
            return replace(tally, annotator=nothing, annotators=self.lazy.annotators) if named else tally
        if not named:
            return self.anonymous.tally
        try:
            found = None if self.lazy.of_many else self.named
        except TooManyPatterns:
            found = None
        return self._tally_in_memory(named=True) if found is None else found.tally

    @cached_property
    def _digested(self) -> Scan:
        """The rows with an answer, items by digest where the engine has one; the table was read without the others."""
        return self.lazy.digested(None)

    @cached_property
    def anonymous(self) -> Reduced:
        """By digits: as many bits each as room allows, or, if that overflows, as the most answers on an item need.

        Where it is known who said what, that is forgotten instead: no second pass over the table.
        """
        known = self.__dict__.get("named")
        if known is not None:
            return self._reduced(known.terms, known.codes, known.number, known.entries.nameless())
        hopeful = max(self.lazy.scan.dialect.sum_bits // max(len(self.lazy.answers), 1), 5)
        found = self._by_digits(hopeful)
        if found is None and hopeful * len(self.lazy.answers) <= MOST_COLUMNS * DIGITS:
            found = self._by_digits(self._digested.largest_group(self.lazy.roles.item).bit_length())
        return found if found is not None else self._by_fingerprint()

    def _by_digits(self, bits: int) -> Reduced | None:
        """None where digits do not fit, or overflowed."""
        digits = Digits(len(self.lazy.answers), bits)
        if digits.columns > MOST_COLUMNS:
            return None
        terms = label_terms(digits, self.lazy.roles.label, self.lazy.raw_labels)
        try:
            found = self._digested.patterns(self.lazy.roles.item, terms, most=MOST_PATTERNS)
        except EngineOverflow:
            return None
        self._refuse_many(len(found.number))
        counts = digits.read(found.codes)
        if int(found.number @ counts.sum(axis=1)) != self.lazy.n_annotations:
            return None
        pattern, answer = np.nonzero(counts)
        entries = Entries(pattern, None, answer, counts[pattern, answer])
        return self._reduced(terms, found.codes, found.number, entries)

    def _by_fingerprint(self) -> Reduced:
        """Two random numbers per label, summed over the item; one item of each fingerprint shows what it stands for."""
        from accord.engine.lookup import Lookup

        item, _, label = self.lazy.roles
        terms = print_terms(label, self.lazy.raw_labels, len(self.lazy.answers), FINGERPRINT_SEED)
        answers = Lookup(label, {raw: answer + 1 for raw, answer in self.lazy.raw_labels.items()})
        keys = ("print_f", "print_g", "items_", "answer_")
        members = self._digested.examples(item, terms).with_code(answers, "answer_").grouped(*keys)
        found = members.integers(*keys, "number_")
        codes = np.stack((found["print_f"], found["print_g"]), axis=1)
        order = np.lexsort((found["answer_"], codes[:, 1], codes[:, 0]))
        codes = codes[order]
        fresh = np.append(True, (codes[1:] != codes[:-1]).any(axis=1)) if len(codes) else np.empty(0, np.bool_)
        self._refuse_many(int(fresh.sum()))
        pattern = np.cumsum(fresh) - 1
        answer, count = found["answer_"][order] - 1, found["number_"][order]
        number = found["items_"][order][fresh]
        given = answer >= 0
        total = int((count * number[pattern])[given].sum())
        if total != self.lazy.n_annotations:  # two patterns, one fingerprint: as good as impossible, never passed over
            raise MeasureError(f"Decoded patterns hold {total:,} answers where {self.lazy.n_annotations:,} were given.")
        entries = Entries(pattern[given], None, answer[given], count[given])
        return self._reduced(terms, codes[fresh], number, entries)

    @cached_property
    def named(self) -> Reduced | None:
        """One digit per annotator, over as many columns as needed; None where somebody answered an item twice."""
        item, annotator, label = self.lazy.roles
        digits = Digits(len(self.lazy.raw_annotators), (len(self.lazy.answers) + 1).bit_length())
        blank = len(self.lazy.raw_labels) < len(self.lazy.codes)  # rows whose label says nothing
        terms = annotator_terms(digits, annotator, self.lazy.raw_annotators, label, self.lazy.raw_labels, blank=blank)
        try:
            found = self._digested.patterns(item, terms, most=MOST_PATTERNS)
        except EngineOverflow:  # only a second answer can be too much
            return None
        if len(found.number) > MOST_PATTERNS:
            raise TooManyPatterns
        # a second answer of somebody makes the bits of who answered fewer than the answers
        if int(found.number @ np.bitwise_count(found.codes[:, -1])) != self.lazy.n_annotations:
            return None
        given = digits.read(found.codes[:, :-1])
        pattern, who = np.nonzero(given)
        entries = Entries(pattern, who, given[pattern, who] - 1, np.ones_like(pattern))
        return self._reduced(terms, found.codes, found.number, entries)

    def _refuse_many(self, patterns: int) -> None:
        if patterns > MOST_PATTERNS:
            raise MeasureError(
                f"Items show more than {MOST_PATTERNS:,} different patterns of answers: too many to bring here. Merge "
                "rare labels, or measure a sample of the items.",
                remedies=[remedy(recode=...)],
            )

    def _reduced(
        self, terms: Mapping[str, Sequence[Lookup]], codes: IntArray, number: IntArray, entries: Entries
    ) -> Reduced:
        """With what the tally may be asked later."""
        reduced = Reduced.of(self.lazy.answers, self.lazy.annotators, terms, codes, number, entries)
        named = entries.annotator is not None
        tally = replace(
            reduced.tally,
            locate=lambda: self._located(named=named),
            crossed=lambda columns: self._crossed(columns, named=named),
        )
        return replace(reduced, tally=tally)

    def _located(self, *, named: bool) -> IntArray:
        """The pattern of each item, from the annotations brought here: the two tallies are the same."""
        tally = self._tally_in_memory(named=named)
        assert tally.locate is not None
        return tally.locate()

    def _tally_in_memory(self, *, named: bool) -> Tally:
        if named not in self._tallies_in_memory:
            self._tallies_in_memory[named] = self.lazy.to_memory().tally(named=named)
        return self._tallies_in_memory[named]

    @cached_property
    def _tallies_in_memory(self) -> dict[bool, Tally]:
        return {}

    def _crossed(self, columns: tuple[str, ...], *, named: bool) -> Crossed:
        """How many items show each pattern and have each value in some columns."""
        if (columns, named) not in self._crossings:
            self._crossings[columns, named] = self._cross(columns, self.named if named else self.anonymous)
        return self._crossings[columns, named]

    @cached_property
    def _crossings(self) -> dict[tuple[tuple[str, ...], bool], Crossed]:
        return {}

    def _cross(self, columns: tuple[str, ...], reduced: Reduced | None) -> Crossed:
        assert reduced is not None
        item = self.lazy.roles.item
        for name in columns:
            self.lazy.need("column", name)
        scan = self.lazy.source.with_columns(columns)
        found = scan.with_digest(item).patterns(item, reduced.terms, columns, most=MOST_PATTERNS)
        if found.differing:
            self._refuse_several(scan, columns)
        if len(found.number) > MOST_PATTERNS:
            raise MeasureError(
                "Patterns of answers and ",
                all_quoted(columns),
                f" make more than {MOST_PATTERNS:,} cells: too many to bring here. Measure a sample of the "
                "items, or larger clusters.",
            )
        return reduced.crossed(found, columns)

    def _refuse_several(self, scan: Scan, columns: tuple[str, ...]) -> None:
        for name in columns:
            items = scan.several(self.lazy.roles.item, name)
            if items is not None:
                raise InputError(
                    "The column ",
                    at_column(name),
                    " must say one thing of an item, and item ",
                    at_item(items),
                    " has several values there.",
                )
