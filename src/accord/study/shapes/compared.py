"""Preferences: two options stand in every row, the first and the second, and the label says which was preferred.

What annotators say is compared by option, whatever the order in which each of them saw the two: every item has one
order, that in which most rows show it, and an answer is on that order's first side, its second, or a tie. Where an item
was compared for several pairs of options (a prompt, say), every pair is an item of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.annotations.answers import Answers
from accord.annotations.arrays import BoolArray, IntArray
from accord.annotations.assemble import AnnotationRows, Names
from accord.annotations.factorize import Coded, code
from accord.annotations.preference_words import FIRST, SECOND, SIDES, TIE, side_in_words, unclear_sides
from accord.errors import InputError, Keyword, LabelError, Place, all_quoted, at_item, listing, quoted, remedy
from accord.study.roles import COMPARED

if TYPE_CHECKING:
    from accord.engine.frames import Frame

PLACE = {side: place for place, side in enumerate(SIDES)}
JOINED = " | "  # between an item and the two options, where they name an item together


@dataclass(frozen=True, eq=False)
class Preferred:
    """What was read of a table of preferences."""

    rows: AnnotationRows  # of items that are each of one pair
    side: Coded  # per row of the table: first, tie, second in the item's order
    scale: Answers
    backwards: BoolArray  # per row of the table: does its item's first option come after the second by name?
    apart: bool  # is every pair of an item an item of its own?
    notes: tuple[str, ...]


def preferred(frame: Frame, roles: Mapping[str, str], label: Coded, rows: AnnotationRows) -> Preferred:
    """The preferences of a long table."""
    sides = [frame.code(frame.need(role, roles[role]), what="option") for role in COMPARED]
    options, first, second = options_of(sides)
    table = _Compared(rows, options, first, second, label, roles)
    table.check()
    choice = table.sides()
    rows, apart = table.one_pair_each()
    swapped = table.swapped(rows, choice)
    turned = np.array([PLACE[SECOND], PLACE[TIE], PLACE[FIRST], -1])
    side = np.where(swapped, turned[choice], choice)
    codes = np.full(len(label.codes), -1, dtype=np.int64)
    codes[rows.row] = side
    backwards = np.zeros(len(codes), dtype=np.bool_)
    backwards[rows.row] = (table.first > table.second) != swapped
    used = [name for place, name in enumerate(SIDES) if name != TIE or (side == place).any()]
    scale = Answers("single", tuple(used), order="meant")
    return Preferred(rows, Coded(codes, SIDES), scale, backwards, apart, table.notes(swapped, choice))


def options_of(sides: Sequence[Coded]) -> tuple[tuple[str, ...], IntArray, IntArray]:
    """All options by name, and which of them stand first and second; −1 for missing."""
    names = sorted({str(value) for side in sides for value in side.values})
    place = {name: number for number, name in enumerate(names)}
    first, second = (
        np.array([*(place[str(value)] for value in side.values), -1], dtype=np.int64)[side.codes] for side in sides
    )
    return tuple(names), first, second


@dataclass(frozen=True, eq=False)
class _Compared:
    """The rows of annotations, with the options of each and the label as it was given."""

    rows: AnnotationRows
    options: tuple[str, ...]
    all_first: IntArray  # of all rows of the table
    all_second: IntArray
    label: Coded
    roles: Mapping[str, str]

    @property
    def first(self) -> IntArray:
        return self.rows.of(self.all_first)

    @property
    def second(self) -> IntArray:
        return self.rows.of(self.all_second)

    @property
    def given(self) -> IntArray:
        return self.rows.of(self.label.codes).astype(np.int64)

    def check(self) -> None:
        """An option that is missing, or compared with itself, is no comparison."""
        answered = self.given >= 0
        for role, side in zip(COMPARED, (self.first, self.second), strict=True):
            missing = np.nonzero(answered & (side < 0))[0]
            if len(missing):
                raise self.error(missing[0], Keyword(role, self.roles[role]), " names no option.")
        same = np.nonzero(answered & (self.first == self.second))[0]
        if len(same):
            option = self.options[self.first[same[0]]]
            more = f" So it is in {len(same):,} rows." if len(same) > 1 else ""
            raise self.error(same[0], quoted(option), f" is compared with itself, which is no comparison.{more}")

    def error(self, at: int, *what: Any) -> InputError:
        """What is wrong with a row, and which it is."""
        row, names = int(self.rows.row[at]) + 1, self.rows.names
        item, who = names.items[self.rows.item[at]], names.annotators[self.rows.annotator[at]]
        return InputError(
            *what,
            f" Mend it, or leave it out: row {row:,} of the table, item ",
            quoted(item),
            ", annotator ",
            quoted(who),
            ".",
            place=Place(part=f"row {row:,}", item=item, annotator=who),
        )

    def sides(self) -> IntArray:
        """(rows,) the side that each label means in the order of its row; −1 for missing.

        An option's own name says which; a word says it where no option is called so.
        """
        own = {self.roles[role]: side for role, side in zip(COMPARED, (FIRST, SECOND), strict=True)}
        place = {name: number for number, name in enumerate(self.options)}
        values = [str(value) for value in self.label.values]
        self._ask_what_is_unclear(place)
        words = [own.get(name) or side_in_words(value) for name, value in zip(values, self.label.values, strict=True)]
        named = np.array([*(place.get(name, -2) for name in values), -2], dtype=np.int64)
        meant = np.array([*(-1 if word is None else PLACE[word] for word in words), -1], dtype=np.int64)
        given = self.given
        option = named[given]
        found = np.where(self.first == option, PLACE[FIRST], np.where(self.second == option, PLACE[SECOND], -1))
        found = np.where(option < 0, meant[given], found)
        strange = np.nonzero((given >= 0) & (found < 0))[0]
        if len(strange):
            first = int(given[strange[0]])
            raise self._not_compared(int(strange[0]), first, int((given[strange] == first).sum()))
        return found

    def _ask_what_is_unclear(self, options: Mapping[str, int]) -> None:
        """Numbers and yes/no may mean either side."""
        used = [self.label.values[number] for number in np.unique(self.given).tolist() if number >= 0]
        unclear = unclear_sides(value for value in used if str(value) not in options)
        if unclear:
            other = {FIRST: SECOND, SECOND: FIRST, TIE: TIE}
            turned = {label: other[side] for label, side in unclear.items()}
            raise LabelError(
                all_quoted(label for label, side in unclear.items() if side != TIE),
                " may mean that the first option was preferred, or the second. Say which: ",
                remedy(recode=unclear),
                ", or ",
                remedy(recode=turned),
                ".",
            )

    def _not_compared(self, at: int, value: int, number: int) -> LabelError:
        """A preference for something else than the two that were compared."""
        label, names = self.label.values[value], self.rows.names
        row = int(self.rows.row[at]) + 1
        item, who = names.items[self.rows.item[at]], names.annotators[self.rows.annotator[at]]
        compared = all_quoted([self.options[self.first[at]], self.options[self.second[at]]])
        again = f" (as in {number:,} rows)" if number > 1 else ""
        return LabelError(
            quoted(label),
            f"{again} is none of the two options compared in row {row:,} of the table (",
            compared,
            "; item ",
            at_item(item),
            ", annotator ",
            quoted(who),
            "), and no word for the first, the second or a tie. Mend it, or say what it means: ",
            remedy(recode={label: TIE}),
            ", or ",
            remedy(missing=[label]),
            " if it is no answer.",
            place=Place(part=f"row {row:,}", item=item, annotator=who),
        )

    @property
    def pair(self) -> IntArray:
        """(rows,) one number for the two options, in whichever order."""
        size = len(self.options)
        return np.minimum(self.first, self.second) * size + np.maximum(self.first, self.second)

    def one_pair_each(self) -> tuple[AnnotationRows, bool]:
        """Rows of items of one pair: as they are, or each pair of an item as an item."""
        rows, size = self.rows, len(self.options)
        pair_of = np.zeros(len(rows.names.items), dtype=np.int64)
        pair_of[rows.item] = self.pair
        if (pair_of[rows.item] == self.pair).all():
            return rows, False
        key = rows.item.astype(np.int64) * (size * size) + self.pair
        distinct, item = np.unique(key, return_inverse=True)
        there = distinct // (size * size)
        one, other = np.divmod(distinct % (size * size), size)
        names = [
            JOINED.join((str(rows.names.items[thing]), self.options[left], self.options[right]))
            for thing, left, right in zip(there.tolist(), one.tolist(), other.tolist(), strict=True)
        ]
        coded = code(names, what="item")  # in canonical order, as all names of items are
        return AnnotationRows(
            coded.codes[item], rows.annotator, rows.row, Names(coded.values, rows.names.annotators), whole=rows.whole
        ), True

    def swapped(self, rows: AnnotationRows, choice: IntArray) -> BoolArray:
        """(rows,) is a row shown in another order than its item has? That is how most rows show it, else by name."""
        backwards = self.first > self.second
        answered = choice >= 0
        size = len(rows.names.items)
        lean = np.bincount(rows.item[answered], np.where(backwards[answered], 1.0, -1.0), size)
        return np.asarray(backwards != (lean > 0)[rows.item])

    def notes(self, swapped: BoolArray, choice: IntArray) -> tuple[str, ...]:
        """How the labels were understood, and what was turned."""
        meant: dict[str, list[str]] = {}
        given = self.given
        for number, value in enumerate(self.label.values):
            sides = [SIDES[side] for side in np.unique(choice[given == number]).tolist() if side >= 0]
            if sides and str(value) not in self.options:
                meant.setdefault(sides[0], []).append(str(value))
        words = [
            f"{listing(values, most=4)} {'is' if len(values) == 1 else 'are'} {side}"
            for side, values in meant.items()
            if values != [side]
        ]
        found = [f"read as preferences between {len(self.options):,} options{': ' if words else ''}{', '.join(words)}"]
        turned = int((swapped & (choice >= 0)).sum())
        if turned:
            found.append(
                f"{turned:,} of {int((choice >= 0).sum()):,} answers were given in the other order than most of their "
                "item; they count by option"
            )
        return tuple(found)
