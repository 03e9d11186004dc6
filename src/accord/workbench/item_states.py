"""What stands: the state of every item after all rows of the log, in arrays, so that a million items are no burden."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from accord.annotations.arrays import IntArray
from accord.workbench.decision_log import LoggedRow, StateOfRow

OPEN, ACCEPTED, DECIDED = 0, 1, 2  # by nobody, by a rule, by a person


@dataclass(frozen=True)
class ItemState:
    """What stands of an item: the answer as JSON text, who gave it, and the row of the log that says so."""

    answer: str
    by: str
    number: int
    rule: str = ""  # by which it was accepted; empty where a person decided

    @property
    def by_rule(self) -> bool:
        """Was it accepted by a rule?"""
        return bool(self.rule)


class Words:
    """Texts that come again and again, as positions in a list that grows."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._places: dict[str, int] = {}

    def code(self, text: str) -> int:
        """The position of a text."""
        if text not in self._places:
            self._places[text] = len(self.texts)
            self.texts.append(text)
        return self._places[text]


@dataclass(eq=False)
class ItemStates:
    """The state of every item."""

    n_items: int
    state: IntArray = field(init=False)  # (items,)
    number: IntArray = field(init=False)  # (items,) the row that stands; 0 where none does
    who: IntArray = field(init=False)  # (items,) position in `names`
    answer: IntArray = field(init=False)  # (items,) position in `answers`
    rule: IntArray = field(init=False)  # (items,) position in `rules`
    names: Words = field(default_factory=Words)
    answers: Words = field(default_factory=Words)
    rules: Words = field(default_factory=Words)
    skipped: dict[str, dict[int, None]] = field(default_factory=dict)  # name ─▶ items, the last skipped last
    second: dict[int, ItemState] = field(default_factory=dict)  # the second look of an item
    decided_by: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.state = np.zeros(self.n_items, dtype=np.int8)
        self.number = np.zeros(self.n_items, dtype=np.int64)
        self.who, self.answer, self.rule = (np.full(self.n_items, -1) for _ in range(3))

    def of(self, place: int) -> ItemState | None:
        """What stands of an item; None where nothing does."""
        if self.state[place] == OPEN:
            return None
        return ItemState(
            self.answers.texts[self.answer[place]],
            self.names.texts[self.who[place]],
            int(self.number[place]),
            self.rules.texts[self.rule[place]] if self.state[place] == ACCEPTED else "",
        )

    def all_of(self, state: int) -> dict[int, ItemState]:
        """What stands of every item in a state: that people decided, or that rules accepted."""
        found = ((place, self.of(place)) for place in np.nonzero(self.state == state)[0].tolist())
        return {place: stands for place, stands in found if stands is not None}

    def accepted_by(self) -> dict[str, int]:
        """The rules by which items stand, in words, and how many each."""
        counts = np.bincount(self.rule[self.state == ACCEPTED], minlength=len(self.rules.texts)).tolist()
        return {words: n for words, n in zip(self.rules.texts, counts, strict=True) if n}

    def apply(self, place: int, row: LoggedRow | StateOfRow) -> None:
        """A row that nobody undid; the same one twice changes nothing, and of several the latest stands."""
        if row.act == "skip":
            held = self.skipped.setdefault(row.by, {})
            held.pop(place, None)
            held[place] = None
        elif row.act == "decide" and row.second_look and row.after is not None:
            self.second[place] = ItemState(row.after, row.by, row.number)
        elif row.act in ("decide", "accept") and row.after is not None and row.number > self.number[place]:
            self._stand(place, row, row.after)

    def _stand(self, place: int, row: LoggedRow | StateOfRow, answer: str) -> None:
        self._uncount(place)
        self.number[place] = row.number
        self.who[place] = self.names.code(row.by)
        self.answer[place] = self.answers.code(answer)
        if row.act == "accept":
            self.state[place], self.rule[place] = ACCEPTED, self.rules.code(row.rule)
            return
        self.state[place] = DECIDED
        self.decided_by[row.by] += 1
        for items in self.skipped.values():  # it is settled: nobody needs to come back to it
            items.pop(place, None)

    def accept(self, places: IntArray, numbers: range, answers: IntArray, by: str, rule: str) -> None:
        """Open items that a rule accepts, with the rows that say so and the answers (positions in `answers`)."""
        self.state[places] = ACCEPTED
        self.number[places] = numbers
        self.who[places] = self.names.code(by)
        self.answer[places] = answers
        self.rule[places] = self.rules.code(rule)

    def take_back(self, places: IntArray) -> None:
        """Items that a rule had accepted are open again."""
        self.state[places], self.number[places] = OPEN, 0
        self.who[places] = self.answer[places] = self.rule[places] = -1

    def again(self, place: int, rows: Iterable[LoggedRow]) -> None:
        """The state of one item from all its rows: something of it was undone."""
        history = list(rows)
        self.clear(place)
        undone = {row.undoes for row in history}
        for row in history:
            if row.number not in undone:
                self.apply(place, row)

    def clear(self, place: int) -> None:
        """An item that nobody touched."""
        self._uncount(place)
        self.state[place], self.number[place] = OPEN, 0
        self.who[place] = self.answer[place] = self.rule[place] = -1
        self.second.pop(place, None)
        for items in self.skipped.values():
            items.pop(place, None)

    def _uncount(self, place: int) -> None:
        if self.state[place] == DECIDED:
            name = self.names.texts[self.who[place]]
            self.decided_by[name] -= 1
            if not self.decided_by[name]:
                del self.decided_by[name]
