"""The queue: which item somebody is offered next, so that nobody gets what another is deciding."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.workbench.claims import Claims
from accord.workbench.item_states import OPEN, ItemStates
from accord.workbench.people import Person
from accord.workbench.queue_order import in_order
from accord.workbench.second_look import SecondLooks


class Queue:
    """Items in an order, those aside that are decided; what one skipped comes again at the end."""

    def __init__(self, standing: ItemStates, claims: Claims, second: SecondLooks) -> None:
        self._standing = standing
        self.claims = claims
        self._second = second
        self.rank(np.zeros(standing.n_items))

    def rank(self, value: FloatArray, first: BoolArray | None = None) -> None:
        """Another order: what is worth most first, of some items before all others."""
        self.value = value
        self.order: IntArray = in_order(value, first)
        self.position = np.empty(len(self.order), dtype=np.int64)
        self.position[self.order] = np.arange(len(self.order))
        self._first_open = 0

    def again(self, place: int) -> None:
        """An item is open again."""
        self._first_open = min(self._first_open, int(self.position[place]))

    def from_the_start(self) -> None:
        """Many items are open again."""
        self._first_open = 0

    def next(self, by: Person, among: BoolArray | None = None) -> int | None:
        """The first item that is free for somebody, which they have claimed then; None where none is left."""
        for place in self._candidates(by, among):
            if self.claims.take(place, by.name):
                return place
        return None

    def _candidates(self, by: Person, among: BoolArray | None) -> Iterator[int]:
        skipped = self._standing.skipped.get(by.name, {})
        to_settle = dict.fromkeys(self._second.differ if by.leads else ())
        for place in [*(place for place in to_settle if place not in skipped), *self._second.waiting_for(by.name)]:
            if among is None or among[place]:
                yield place
        for place in self.open_items(among):
            if place not in skipped:
                yield place
        for place in list(skipped):  # what was left for later comes when nothing else is left
            if (self._standing.state[place] == OPEN or place in to_settle) and (among is None or among[place]):
                yield place

    def open_items(self, among: BoolArray | None = None) -> Iterator[int]:
        """The items that nobody decided, in order."""
        state = self._standing.state
        while self._first_open < len(self.order) and state[self.order[self._first_open]] != OPEN:
            self._first_open += 1
        for start in range(self._first_open, len(self.order), 4096):
            block = self.order[start : start + 4096]
            keep = state[block] == OPEN
            if among is not None:
                keep &= among[block]
            yield from block[keep].tolist()
