"""The second look: of what people decided, a random tenth is decided by another person as well, blind."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from accord.workbench.item_states import DECIDED, ItemStates

SHARE = 0.1  # of decided items


class SecondLooks:
    """Which items two people are to decide, and which of them still wait for the second."""

    def __init__(self, standing: ItemStates, key: Callable[[int], str], seed: int, share: float = SHARE) -> None:
        self._standing = standing
        self._key = key
        self._seed = seed
        self.share = share
        self._waiting: dict[int, None] = {}

    def drawn(self, place: int) -> bool:
        """Is the item in the sample? The same for the same seed, whoever asks, whenever, in whatever order."""
        digest = hashlib.blake2b(f"{self._seed}:{self._key(place)}".encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big") < self.share * 2**64

    def update(self, place: int) -> None:
        """Something was done to an item: does it wait for a second look now?"""
        waits = self._standing.state[place] == DECIDED and place not in self._standing.second
        if waits and (place in self._waiting or self.drawn(place)):
            self._waiting[place] = None
        else:
            self._waiting.pop(place, None)

    def waiting_for(self, name: str) -> list[int]:
        """The items that somebody is to look at, the first decided first."""
        return [place for place in self._waiting if self.wants(place, name)]

    def wants(self, place: int, name: str) -> bool:
        """Is somebody to look at an item that another decided?"""
        stands = self._standing.of(place) if place in self._waiting else None
        return stands is not None and stands.by != name and place not in self._standing.skipped.get(name, ())

    @property
    def differ(self) -> list[int]:
        """Items that two people decided differently and nobody has settled since."""
        return [place for place, second in self._standing.second.items() if self._unsettled(place, second.number)]

    def _unsettled(self, place: int, number: int) -> bool:
        stands = self._standing.of(place)
        return stands is not None and stands.number < number and stands.answer != self._standing.second[place].answer
