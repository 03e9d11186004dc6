"""A document's units in somebody's hands: a draft, and what can be done to it, one step at a time.

Every step is a function of the draft before it, so that a page needs no memory of its own: it sends the draft and a
word, and gets the next draft. The cursor is on one unit, of the draft or of what somebody marked.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from accord.annotations.answers import Label
from accord.consensus.spans.span_gold import SpanGold
from accord.errors import DecisionError, OptionError
from accord.options import whole_number
from accord.spans.continuum import Continuum, Places
from accord.spans.passages import PassagePart, lines_of_document, shared_by_all
from accord.spans.texts import texts_of_documents
from accord.workbench.span_units import (
    MarkedUnit,
    checked_units,
    in_order,
    marked_in_words,
    units_marked,
    units_of_gold,
)

WORD = re.compile(r"\w+", re.UNICODE)
MOST_STEPS = 30  # that can be taken back


@dataclass(frozen=True)
class Draft:
    """The units as they are now, the one under the cursor, and the units after each earlier step."""

    units: tuple[MarkedUnit, ...]
    cursor: MarkedUnit | None = None
    earlier: tuple[tuple[MarkedUnit, ...], ...] = ()

    @property
    def answer(self) -> list[Any]:
        """As a decision."""
        return [unit.written for unit in self.units]

    @property
    def written(self) -> str:
        """As a form carries it."""
        cursor = None if self.cursor is None else self.cursor.written
        steps = [[unit.written for unit in units] for units in self.earlier]
        return json.dumps({"units": self.answer, "cursor": cursor, "earlier": steps}, ensure_ascii=False)


class Entry(NamedTuple):
    """One unit of the list beside the text."""

    unit: MarkedUnit
    taken: bool  # is it in the draft?
    words: str
    marked_by: str  # how many marked it
    here: bool  # is the cursor on it?


class SpanEditor:
    """The units of one document: what people marked, and every step of a draft."""

    def __init__(self, gold: SpanGold, document: int, *, blind: bool = False) -> None:
        self.blind = blind  # nothing is told of what others marked
        self.gold = gold
        self.document = document
        self.labels = gold.study.labels
        self.text = texts_of_documents(gold.study).text[document] or ""
        self.length = float(gold.continuum.length[document])
        self.seen = int(gold.seen[document])

    @cached_property
    def marked(self) -> dict[MarkedUnit, frozenset[int]]:
        """What somebody marked, and who."""
        return {} if self.blind else units_marked(self.gold, self.document)

    # -- a draft begins ----------------------------------------------------------------------------------------------

    def begin(self, units: Sequence[MarkedUnit] | None = None) -> Draft:
        """The draft of what was decided, else of the gold; the cursor is on the first unit that is in question.

        Blind, it is empty.
        """
        if self.blind:
            return Draft(())
        start = units_of_gold(self.gold, self.document) if units is None else tuple(units)
        draft = Draft(tuple(sorted(start, key=in_order)))
        entries = self.entries(draft)
        doubtful = [entry.unit for entry in entries if len(self.marked.get(entry.unit, ())) < self.seen]
        return replace(draft, cursor=next(iter(doubtful), entries[0].unit if entries else None))

    def read(self, text: str) -> Draft:
        """A draft as a form carries it.

        Raises:
            LabelError: If it holds what cannot be a unit of the document.
            DecisionError: If it is no draft.
        """
        try:
            held = json.loads(text)
            cursor, steps = held["cursor"], held["earlier"][-MOST_STEPS:]
            units = self.checked(held["units"])
        except (ValueError, TypeError, KeyError, RecursionError):
            raise DecisionError("The page sent no draft of units. Load the page again.") from None
        earlier = tuple(self.checked(step) for step in steps)
        return Draft(units, None if cursor is None else self.checked([cursor])[0], earlier)

    def checked(self, answer: Any) -> tuple[MarkedUnit, ...]:
        """The units of an answer to this document."""
        return checked_units(answer, self._label, self.length)

    def _label(self, label: Any) -> Label:
        if label not in self.labels:
            raise OptionError.choice("label", label, [str(one) for one in self.labels], of_data=True)
        return self.labels[self.labels.index(label)]

    # -- steps -------------------------------------------------------------------------------------------------------

    def after(self, draft: Draft, step: str, given: str = "") -> Draft:
        """The draft after a step.

        Args:
            draft: The draft before.
            step: One of `STEPS`.
            given: What a step needs besides: the number of a label, a place, or two places of a new unit.

        Raises:
            OptionError: If there is no such step.
            DecisionError: If the step cannot be done, and why.
        """
        if step not in STEPS:
            raise OptionError.choice("step", step, list(STEPS))
        return STEPS[step](self, draft, given)

    def _changed(self, draft: Draft, units: Sequence[MarkedUnit], cursor: MarkedUnit | None) -> Draft:
        held = tuple(sorted(dict.fromkeys(units), key=in_order))
        return Draft(held, cursor, (*draft.earlier, draft.units)[-MOST_STEPS:])

    def cursor_moved(self, draft: Draft, by: int) -> Draft:
        """Put the cursor on a unit before or behind."""
        units = [entry.unit for entry in self.entries(draft)]
        if not units:
            return draft
        at = units.index(draft.cursor) if draft.cursor in units else -by
        return replace(draft, cursor=units[(at + by) % len(units)])

    def _taken(self, draft: Draft) -> MarkedUnit:
        """The unit under the cursor, which a step changes: it must be in the draft."""
        if draft.cursor is None:
            raise DecisionError("No unit is chosen. Choose one, or mark one.")
        if draft.cursor not in draft.units:
            raise DecisionError("This unit is not among those that are kept. Accept it first.")
        return draft.cursor

    def _exchanged(self, draft: Draft, new: Sequence[MarkedUnit]) -> Draft:
        old = self._taken(draft)
        self.checked([unit.written for unit in new])
        return self._changed(draft, [*(unit for unit in draft.units if unit != old), *new], new[0])

    def accepted(self, draft: Draft, _: str = "") -> Draft:
        """Take the unit under the cursor in, or leave it out again.

        It displaces those that it overlaps, unless somebody marked both.
        """
        unit = draft.cursor
        if unit is None:
            raise DecisionError("No unit is chosen. Choose one, or mark one.")
        if unit in draft.units:
            return self.deleted(draft)
        mine = self.marked.get(unit, frozenset())
        kept = [one for one in draft.units if not one.overlaps(unit) or mine & self.marked.get(one, frozenset())]
        return self._changed(draft, [*kept, unit], unit)

    def deleted(self, draft: Draft, _: str = "") -> Draft:
        """Leave the unit under the cursor out."""
        old = self._taken(draft)
        after = self._changed(draft, [unit for unit in draft.units if unit != old], old)
        return after if old in self.marked else self.cursor_moved(replace(after, cursor=None), 1)

    def relabelled(self, draft: Draft, given: str) -> Draft:
        """Another label, by its number from 1 on."""
        number = whole_number(given) or 0
        if not 1 <= number <= len(self.labels):
            raise OptionError.must("label", f"be a number from 1 to {len(self.labels)}", given)
        return self._exchanged(draft, [replace(self._taken(draft), label=self.labels[number - 1])])

    def edge_moved(self, draft: Draft, at: int, step: Callable[[float], float]) -> Draft:
        """Move the first (0) or last (−1) boundary; it stays within the text and does not pass the other."""
        unit = self._taken(draft)
        bounds = list(unit.pieces)
        bounds[at] = min(max(step(bounds[at]), 0.0), self.length)
        neighbour = bounds[1] if at == 0 else bounds[-2]
        if bounds[at] >= neighbour if at == 0 else bounds[at] <= neighbour:
            raise DecisionError("A unit begins before it ends: the boundary cannot move further.")
        return self._exchanged(draft, [replace(unit, pieces=tuple(bounds))])

    def split(self, draft: Draft, given: str = "") -> Draft:
        """Two units in place of one: at a place, else between the words in the middle."""
        unit = self._taken(draft)
        if len(unit.pieces) > 2:
            one, other = replace(unit, pieces=unit.pieces[:2]), replace(unit, pieces=unit.pieces[2:])
            return self._exchanged(draft, [one, other])
        end, start = self._halves(unit) if not given else (_number(given), _number(given))
        if not unit.start < end <= start < unit.end:
            raise DecisionError("The unit cannot be split there: nothing would be left on one side.")
        return self._exchanged(
            draft, [replace(unit, pieces=(unit.start, end)), replace(unit, pieces=(start, unit.end))]
        )

    def _halves(self, unit: MarkedUnit) -> tuple[float, float]:
        """Where the first half ends and the second begins: at the gap between words nearest to the middle."""
        words = [word for word in self._words if unit.start < word[1] and word[0] < unit.end]
        middle = (unit.start + unit.end) / 2
        gaps = [(one[1], other[0]) for one, other in pairwise(words)]
        if gaps:
            return min(gaps, key=lambda gap: abs((gap[0] + gap[1]) / 2 - middle))
        place = float(math.floor(middle)) if self.text else middle  # a text has no place within a character
        return place, place

    def merged(self, draft: Draft, _: str = "") -> Draft:
        """One unit in place of this and the next one that is kept, with the first's label."""
        unit = self._taken(draft)
        at = draft.units.index(unit)
        if at + 1 == len(draft.units):
            raise DecisionError("No unit follows that could be merged with this one.")
        other = draft.units[at + 1]
        whole = MarkedUnit((unit.start, max(unit.end, other.end)), unit.label)
        kept = [one for one in draft.units if one not in (unit, other)]
        return self._changed(draft, [*kept, whole], whole)

    def added(self, draft: Draft, given: str = "") -> Draft:
        """A new unit: from one place to another ("8 16"), else the next word that no unit of the draft covers."""
        start, end = self._free_word(draft) if not given else _two_numbers(given)
        label = draft.cursor.label if draft.cursor is not None else self.labels[0]
        unit = self.checked([[[start, end], label]])[0]
        return self._changed(draft, [*draft.units, unit], unit)

    def _free_word(self, draft: Draft) -> tuple[float, float]:
        after = draft.cursor.end if draft.cursor is not None else 0.0
        for start, end in [*(word for word in self._words if word[0] >= after), *self._words]:
            if not any(start < unit.end and unit.start < end for unit in draft.units):
                return start, end
        raise DecisionError("Every word is marked already, or the text is not known. Say where the unit lies.")

    def taken_back(self, draft: Draft, _: str = "") -> Draft:
        """The draft before the last step."""
        if not draft.earlier:
            raise DecisionError("There is no earlier step.")
        *earlier, units = draft.earlier
        before = Draft(units, draft.cursor, tuple(earlier))
        known = [entry.unit for entry in self.entries(before)]
        return before if draft.cursor in known else replace(before, cursor=known[0] if known else None)

    def as_gold(self, draft: Draft, _: str = "") -> Draft:
        """The units that the gold has, as the majority or a model tells."""
        return replace(self.begin(), earlier=(*draft.earlier, draft.units)[-MOST_STEPS:])

    def cleared(self, draft: Draft, _: str = "") -> Draft:
        """Nothing is to be marked."""
        return self._changed(draft, [], draft.cursor if draft.cursor in self.marked else None)

    def chosen(self, draft: Draft, given: str) -> Draft:
        """Put the cursor on a unit, by its number in the list from 1 on."""
        entries = self.entries(draft)
        number = whole_number(given) or 0
        if not 1 <= number <= len(entries):
            raise OptionError.must("unit", f"be a number from 1 to {len(entries)}", given)
        return replace(draft, cursor=entries[number - 1].unit)

    # -- by how much -------------------------------------------------------------------------------------------------

    @cached_property
    def _words(self) -> list[tuple[float, float]]:
        return [(float(word.start()), float(word.end())) for word in WORD.finditer(self.text)]

    def word_left(self, place: float, edge: int) -> float:
        """The nearest beginning (edge 0) or end (edge −1) of a word before a place."""
        return max((word[edge] for word in self._words if word[edge] < place), default=place - 1)

    def word_right(self, place: float, edge: int) -> float:
        """The nearest beginning (edge 0) or end (edge −1) of a word behind a place."""
        return min((word[edge] for word in self._words if word[edge] > place), default=place + 1)

    # -- what is shown -----------------------------------------------------------------------------------------------

    def entries(self, draft: Draft) -> list[Entry]:
        """Every unit that is in the draft or that somebody marked, from left to right."""
        units = sorted({*draft.units, *self.marked}, key=in_order)
        return [
            Entry(
                unit,
                unit in draft.units,
                unit.words(self.text),
                "" if self.blind else marked_in_words(len(self.marked.get(unit, ())), self.seen),
                unit == draft.cursor,
            )
            for unit in units
        ]

    def line(self, draft: Draft) -> tuple[PassagePart, ...]:
        """The text with the draft's units; the one under the cursor differs from the others."""
        code = {label: at for at, label in enumerate(self.labels)}
        zeros = np.zeros(len(draft.units), dtype=np.int64)
        held = Continuum.of_places(
            self.labels, ("draft",), np.ones((1, 1), dtype=np.bool_), zeros, zeros,
            np.array([code[unit.label] for unit in draft.units], dtype=np.int64),
            Places.of(unit.pieces for unit in draft.units), {0: self.length},
        )  # fmt: skip
        others = np.ones(len(draft.units), dtype=np.bool_)
        if draft.cursor is not None:
            here = (held.start == draft.cursor.start) & (held.end == draft.cursor.end)
            others = ~(here & (held.label == code[draft.cursor.label]))
        return lines_of_document(held, 0, self.text, others)[0][1]

    def lines(self) -> list[tuple[int, tuple[PassagePart, ...]]]:
        """The text as everybody marked it, a line each; what not everybody marked differs. Blind, nobody's."""
        return [] if self.blind else lines_of_document(self.gold.continuum, self.document, self.text, self._shared)

    @cached_property
    def _shared(self) -> Any:
        return shared_by_all(self.gold.continuum)


def _number(given: str) -> float:
    try:
        number = float(given)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise OptionError.must("place", "be a number", given)
    return number


def _two_numbers(given: str) -> tuple[float, float]:
    parts = given.split()
    if len(parts) != 2:
        raise OptionError.must("places", "be two numbers with a blank between", given)
    return _number(parts[0]), _number(parts[1])


Step: TypeAlias = Callable[[SpanEditor, Draft, str], Draft]


def _edges() -> dict[str, Step]:
    """A boundary to the left or right by a character or a word: "start-left", "end-word-right" …"""

    def by_character(edge: int, by: int) -> Step:
        return lambda editor, draft, _: editor.edge_moved(draft, edge, lambda place: place + by)

    def by_word(edge: int, by: int) -> Step:
        def step(editor: SpanEditor, draft: Draft, _: str) -> Draft:
            move = editor.word_left if by < 0 else editor.word_right
            return editor.edge_moved(draft, edge, lambda place: move(place, edge))

        return step

    sides = (("left", -1), ("right", 1))
    return {
        f"{name}{how}-{side}": make(edge, by)
        for name, edge in (("start", 0), ("end", -1))
        for how, make in (("", by_character), ("-word", by_word))
        for side, by in sides
    }


STEPS: dict[str, Step] = {
    "next": lambda editor, draft, _: editor.cursor_moved(draft, 1),
    "previous": lambda editor, draft, _: editor.cursor_moved(draft, -1),
    "choose": SpanEditor.chosen,
    "accept": SpanEditor.accepted,
    "delete": SpanEditor.deleted,
    "label": SpanEditor.relabelled,
    **_edges(),
    "split": SpanEditor.split,
    "merge": SpanEditor.merged,
    "add": SpanEditor.added,
    "back": SpanEditor.taken_back,
    "gold": SpanEditor.as_gold,
    "clear": SpanEditor.cleared,
}
