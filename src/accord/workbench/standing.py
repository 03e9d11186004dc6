"""What stands: the state of every item after all rows of the log, in arrays, so that a million items are no burden."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from accord.annotations.arrays import IntArray
from accord.workbench.decision_log import LoggedRow

OPEN, ACCEPTED, DECIDED = 0, 1, 2  # by nobody, by a rule, by a person


@dataclass(frozen=True)
class Stands:
    """What stands of an item: the answer as JSON text, who gave it, and the row of the log that says so."""

    answer: str
    by: str
    number: int
    by_rule: bool = False


@dataclass(eq=False)
class Standing:
    """The state of every item."""

    n_items: int
    state: IntArray = field(init=False)  # (items,)
    number: IntArray = field(init=False)  # (items,) the row that stands; 0 where none does
    who: IntArray = field(init=False)  # (items,) position in `names`
    answer: IntArray = field(init=False)  # (items,) position in `answers`
    names: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    skipped: dict[str, set[int]] = field(default_factory=dict)  # name ─▶ items
    second: dict[int, Stands] = field(default_factory=dict)  # the second look of an item
    decided_by: Counter[str] = field(default_factory=Counter)
    _codes: dict[str, int] = field(default_factory=dict)
    _places: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.state = np.zeros(self.n_items, dtype=np.int8)
        self.number = np.zeros(self.n_items, dtype=np.int64)
        self.who = np.full(self.n_items, -1, dtype=np.int32)
        self.answer = np.full(self.n_items, -1, dtype=np.int32)

    def of(self, place: int) -> Stands | None:
        """What stands of an item; None where nothing does."""
        if self.state[place] == OPEN:
            return None
        return Stands(
            self.answers[self.answer[place]],
            self.names[self.who[place]],
            int(self.number[place]),
            by_rule=bool(self.state[place] == ACCEPTED),
        )

    def apply(self, place: int, row: LoggedRow) -> None:
        """A row that nobody undid; rows of one item come in any order, the latest stands."""
        if row.act == "skip":
            self.skipped.setdefault(row.by, set()).add(place)
        elif row.second_look and row.act == "decide" and row.after is not None:
            self.second[place] = Stands(row.after, row.by, row.number)
        elif row.act in ("decide", "accept") and row.after is not None and row.number > self.number[place]:
            self._forget_count(place)
            self.state[place] = DECIDED if row.act == "decide" else ACCEPTED
            self.number[place] = row.number
            self.who[place] = _code(row.by, self.names, self._places)
            self.answer[place] = _code(row.after, self.answers, self._codes)
            if row.act == "decide":
                self.decided_by[row.by] += 1
                self.skipped.get(row.by, set()).discard(place)

    def again(self, place: int, rows: Iterable[LoggedRow]) -> None:
        """The state of one item from all its rows: something of it was undone."""
        rows = list(rows)
        self._forget_count(place)
        self.state[place], self.number[place], self.who[place], self.answer[place] = OPEN, 0, -1, -1
        self.second.pop(place, None)
        for items in self.skipped.values():
            items.discard(place)
        undone = {row.undoes for row in rows}
        for row in rows:
            if row.number not in undone:
                self.apply(place, row)

    def _forget_count(self, place: int) -> None:
        if self.state[place] == DECIDED:
            self.decided_by[self.names[self.who[place]]] -= 1


def _code(value: str, values: list[str], codes: dict[str, int]) -> int:
    """The position of a value in a list that grows."""
    if value not in codes:
        codes[value] = len(values)
        values.append(value)
    return codes[value]
