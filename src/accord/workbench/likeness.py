"""Which decided items are like another one: those that were answered alike, and those with much the same words."""

from __future__ import annotations

import re

import numpy as np

from accord.annotations.arrays import IntArray
from accord.workbench.item_states import DECIDED, ItemStates
from accord.workbench.item_view import ItemView

WORD = re.compile(r"\w{3,}")
LATEST = 2_000  # decided items whose words are compared: a page must not take longer the more is decided
ALIKE = 0.3  # of the words of two texts together, those that both have, at least


class SimilarItems:
    """Items that people decided, by how like another item they are."""

    def __init__(self, view: ItemView, standing: ItemStates) -> None:
        self._view = view
        self._standing = standing
        self._words: dict[int, frozenset[str]] = {}  # of items that were compared

    def answered_alike(self, place: int, most: int) -> list[int]:
        """Items with the same answers, whoever gave them; the latest decided first."""
        pattern = self._view.pattern
        alike = np.nonzero((pattern == pattern[place]) & (self._standing.state == DECIDED))[0]
        return [int(other) for other in self._latest(alike[alike != place])[:most]]

    def worded_alike(self, place: int, most: int) -> list[int]:
        """Items whose texts share much of their words, the most alike first."""
        words = self._words_of(place)
        if not words:
            return []
        decided = np.nonzero(self._standing.state == DECIDED)[0]
        share = {
            other: len(words & theirs) / len(words | theirs)
            for other in self._latest(decided[decided != place])[:LATEST].tolist()
            if (theirs := self._words_of(other))
        }
        found = [other for other in share if share[other] >= ALIKE]
        return sorted(found, key=lambda other: -share[other])[:most]

    def _latest(self, places: IntArray) -> IntArray:
        return places[np.argsort(-self._standing.number[places])]

    def _words_of(self, place: int) -> frozenset[str]:
        if place not in self._words:
            self._words[place] = frozenset(WORD.findall(self._view.text(place).casefold()))
        return self._words[place]
