"""Units as a decision of spans keeps them: places and a label, checked on the way in; and those of a gold."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from accord.annotations.answers import Label, tidy_number
from accord.consensus.spans.marked_units import UnitPlace
from accord.consensus.spans.span_gold import SpanGold
from accord.errors import Keyword, LabelError, quoted

MOST_UNITS = 5_000  # of one document


@dataclass(frozen=True)
class MarkedUnit:
    """A unit that somebody decides on: start and end of each piece in turn, and its label."""

    pieces: tuple[float, ...]
    label: Label

    @property
    def start(self) -> float:
        """Where it begins."""
        return self.pieces[0]

    @property
    def end(self) -> float:
        """Where it ends, exclusive."""
        return self.pieces[-1]

    def overlaps(self, other: MarkedUnit) -> bool:
        """Do two units share a position?"""
        return UnitPlace(0, self.pieces, 0).overlaps(UnitPlace(0, other.pieces, 0))

    def words(self, text: str) -> str:
        """What is marked, pieces with dots between; empty where the text is not known."""
        bounds = zip(self.pieces[::2], self.pieces[1::2], strict=True)
        return " … ".join(text[int(start) : math.ceil(end)] for start, end in bounds) if text else ""

    def __str__(self) -> str:
        bounds = zip(self.pieces[::2], self.pieces[1::2], strict=True)
        return f"{self.label} {' '.join(f'{start:g}–{end:g}' for start, end in bounds)}"

    @property
    def written(self) -> list[Any]:
        """As the log keeps it: [[start, end, …], label]."""
        return [[tidy_number(bound) for bound in self.pieces], self.label]


def checked_units(answer: Any, label_of: Callable[[Any], Label], length: float = math.inf) -> tuple[MarkedUnit, ...]:
    """The units of an answer, in order; an answer without units says that nothing is to be marked.

    Args:
        answer: A list of [[start, end, …], label].
        label_of: The label of the scale that a text means; an error where it means none.
        length: How long the document is.

    Raises:
        LabelError: If it is no such list, a unit is empty or lies beyond the document, or two are the same.
    """
    if not isinstance(answer, Sequence) or isinstance(answer, str) or len(answer) > MOST_UNITS:
        raise LabelError(
            f"An answer is a list of up to {MOST_UNITS:,} units here, each [[start, end], label]. Give such a list, "
            "which may be empty.",
            option=Keyword("answer"),
        )
    units = sorted((_unit(part, label_of, length) for part in answer), key=in_order)
    if len(set(units)) < len(units):
        raise LabelError("Two units of the answer are the same. Leave one of them out.", option=Keyword("answer"))
    return tuple(units)


def in_order(unit: MarkedUnit) -> tuple[float, float, str, tuple[float, ...]]:
    """From left to right, the shorter of two that begin together first."""
    return unit.start, unit.end, str(unit.label), unit.pieces


def _unit(part: Any, label_of: Callable[[Any], Label], length: float) -> MarkedUnit:
    pieces, label = part if isinstance(part, list | tuple) and len(part) == 2 else (None, None)
    bounds = pieces if isinstance(pieces, list | tuple) else ()
    if len(bounds) < 2 or len(bounds) % 2 or not all(_is_place(bound) for bound in bounds):
        raise LabelError("A unit is [[start, end], label], its places numbers; got ", quoted(part), ". Mend it.")
    ascending = all(one < other for one, other in zip(bounds[::2], bounds[1::2], strict=True))
    apart = all(one <= other for one, other in zip(bounds[1:-1:2], bounds[2::2], strict=True))
    if not ascending or not apart or bounds[0] < 0:
        raise LabelError(
            "A unit begins before it ends, and its pieces stand in order; got ", quoted(part), ". Mend it."
        )
    if bounds[-1] > length:
        raise LabelError("A unit ends at ", quoted(bounds[-1]), f", beyond the end of the text at {length:g}. Mend it.")
    return MarkedUnit(tuple(tidy_number(float(bound)) for bound in bounds), label_of(label))


def _is_place(bound: Any) -> bool:
    return isinstance(bound, int | float) and not isinstance(bound, bool) and math.isfinite(bound)


# -- a gold and its units ----------------------------------------------------------------------------------------------


def units_of_gold(gold: SpanGold, document: int) -> tuple[MarkedUnit, ...]:
    """The units that a gold has in a document."""
    return _named(gold, (place for place in gold.units if place.document == document))


def units_marked(gold: SpanGold, document: int) -> dict[MarkedUnit, frozenset[int]]:
    """Every unit that somebody marked in a document, in order, and who did."""
    return {
        MarkedUnit(place.pieces, gold.study.labels[place.label]): people
        for place, people in zip(gold.marked.places, gold.marked.people, strict=True)
        if place.document == document
    }


def _named(gold: SpanGold, places: Iterable[UnitPlace]) -> tuple[MarkedUnit, ...]:
    units = (MarkedUnit(place.pieces, gold.study.labels[place.label]) for place in places)
    return tuple(sorted(units, key=in_order))


def marked_words(answer: Sequence[Any], text: str) -> str:
    """Units as the log keeps them, each with the words that it marks; where the text is not known, with its places.

    >>> marked_words([[[0, 3], "PER"], [[8, 11], "PER"]], "Ada met Bob.")
    'PER “Ada”, PER “Bob”'
    >>> marked_words([[[0, 3], "PER"]], ""), marked_words([], "Ada")
    ('PER 0–3', 'nothing marked')
    """
    units = [MarkedUnit(tuple(bounds), label) for bounds, label in answer]
    return ", ".join(f"{unit.label} “{unit.words(text)}”" if text else str(unit) for unit in units) or "nothing marked"


def marked_in_words(people: int, seen: int) -> str:
    """How many of those who saw a document marked a unit, in words.

    >>> marked_in_words(2, 3)
    '2 of 3 marked it'
    """
    if not people:
        return "nobody marked it"
    return f"all {seen} marked it" if people == seen and seen > 1 else f"{people} of {seen} marked it"
