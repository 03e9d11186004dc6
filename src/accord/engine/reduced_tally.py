"""A tally as an engine made it: the sums that tell its patterns apart there, and the order that it has here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from accord.annotations.answers import Answers
from accord.annotations.arrays import IntArray
from accord.annotations.coded import CodedAnnotations
from accord.annotations.kinds_of_items import counted_kinds
from accord.annotations.tally import Crossed, Tally
from accord.engine.positional_codes import rows_among

if TYPE_CHECKING:
    from accord.engine.lookup import Lookup
    from accord.engine.scan import Arrived


@dataclass(frozen=True, eq=False)
class Entries:
    """What the sums stand for: which of them, who (if that is told), which answer, and how many gave it."""

    place: IntArray
    annotator: IntArray | None
    answer: IntArray
    count: IntArray

    def nameless(self) -> Entries:
        """Who said it forgotten."""
        return replace(self, annotator=None)


@dataclass(frozen=True, eq=False)
class Reduced:
    """A tally, and which of its patterns each sum in the engine is."""

    tally: Tally
    terms: Mapping[str, Sequence[Lookup]]
    codes: IntArray  # (P, terms)
    number: IntArray  # (P,) items
    place: IntArray  # (P,) the pattern, −1 for one of missing answers only
    entries: Entries

    @classmethod
    def of(
        cls,
        answers: Answers,
        annotators: tuple[str, ...],
        terms: Mapping[str, Sequence[Lookup]],
        codes: IntArray,
        number: IntArray,
        entries: Entries,
    ) -> Reduced:
        """In the order that annotations in memory would have: each sum as one item of a small study."""
        named = entries.annotator is not None
        small = CodedAnnotations(
            answers, len(number), annotators if named else (), item=entries.place, annotator=entries.annotator,
            answer=entries.answer, count=entries.count,
        )  # fmt: skip
        place, tally = counted_kinds(small.tally(named=named), number)
        return cls(tally, terms, codes, number, place, entries)

    def crossed(self, found: Arrived, columns: tuple[str, ...]) -> Crossed:
        """Sums that were told apart by other columns, as patterns."""
        place = self.place[rows_among(self.codes, found.codes)]
        values = tuple(found.values[name] for name in columns)
        return Crossed(place, found.number, values).onto(np.arange(len(self.tally)))
