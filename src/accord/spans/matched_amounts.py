"""What every meeting of two annotators amounts to: how much they marked, and how much of it is matched, by label."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up
from accord.spans.continuum import Continuum
from accord.spans.matching import Matched
from accord.spans.meetings import Meetings, of_both


@dataclass(frozen=True, eq=False)
class Amounts:
    """Marks of both annotators of each meeting together, and matches, by label."""

    meetings: Meetings
    matched: Matched
    marked_meeting: IntArray  # (S,) meetings and labels with a mark
    marked_label: IntArray  # (S,)
    marked: FloatArray  # (S,) marks of the two together

    @classmethod
    def of(cls, continuum: Continuum, meetings: Meetings, found: Matched) -> Amounts:
        """Matches of every meeting, beside all marks of both: counted by annotator first, for many may have met."""
        people, labels = len(continuum.annotators), max(len(continuum.labels), 1)
        cells, number = np.unique(
            (continuum.document * people + continuum.annotator) * labels + continuum.label, return_counts=True
        )
        bounds = np.searchsorted(cells, np.arange(continuum.seen.size + 1) * labels)
        meeting, cell, _ = of_both(meetings, bounds)
        key, place = np.unique(meeting * labels + cells[cell] % labels, return_inverse=True)
        return cls(meetings, found, key // labels, key % labels, add_up(place, number[cell], len(key)))

    @classmethod
    def of_marks(cls, meetings: Meetings, found: Matched, meeting: IntArray, label: IntArray, n_labels: int) -> Amounts:
        """The same beside some marks, each with its meeting and label."""
        size = max(n_labels, 1)
        key, number = np.unique(meeting * size + label, return_counts=True)
        return cls(meetings, found, key // size, key % size, number.astype(np.float64))

    def of_labels(self, labels: BoolArray) -> Amounts:
        """Marks of some labels alone."""
        held, kept = labels[self.matched.label], labels[self.marked_label]
        found = Matched(self.matched.meeting[held], self.matched.label[held], self.matched.amount[held])
        return Amounts(self.meetings, found, self.marked_meeting[kept], self.marked_label[kept], self.marked[kept])

    @cached_property
    def by_meeting(self) -> tuple[FloatArray, FloatArray]:
        """(M,) twice the matches, and the marks of both."""
        size = len(self.meetings)
        return 2 * self.matched.by_meeting(size), add_up(self.marked_meeting, self.marked, size)
