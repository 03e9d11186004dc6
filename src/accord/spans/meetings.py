"""Who met whom on which document: every two annotators who saw it both."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.annotations.arrays import BoolArray, IntArray
from accord.errors import MeasureError, some_annotators
from accord.spans.continuum import Continuum

MOST_MEETINGS = 20_000_000  # pairs of annotators on documents that are held at a time


@dataclass(frozen=True, eq=False)
class Meetings:
    """One row per document and pair of annotators; the first of a pair comes before the second in the study."""

    document: IntArray  # (M,) ascending
    pair: IntArray  # (M,) position in `first` and `second`
    first: IntArray  # (J,) annotators
    second: IntArray  # (J,)
    n_annotators: int

    @classmethod
    def of(cls, seen: BoolArray, reference: int | None = None) -> Meetings:
        """All meetings, or those with one annotator; `seen` (D, R) says who answered what."""
        people = max(seen.shape[1], 1)
        number = seen.sum(1, dtype=np.int64)
        size = int((number * (number - 1) // 2).sum()) if reference is None else int(number.sum())
        if size > MOST_MEETINGS:
            raise MeasureError(
                f"{size:,} times two annotators saw the same document; every two are compared up to "
                f"{MOST_MEETINGS:,} times. Choose some annotators: ",
                some_annotators(),
                ".",
            )
        if reference is None:
            document, who = np.nonzero(seen)
            left, right = pairs_within(document)
            document, one, other = document[left], who[left], who[right]
        else:
            document, who = np.nonzero(seen & seen[:, [reference]])
            document, who = document[who != reference], who[who != reference]
            one, other = np.minimum(who, reference), np.maximum(who, reference)
        keys, pair = np.unique(one * people + other, return_inverse=True)
        first, second = np.divmod(keys, people)
        return cls(document, pair, first, second, people)

    def __len__(self) -> int:
        return len(self.document)

    @property
    def n_pairs(self) -> int:
        """How many pairs of annotators met."""
        return len(self.first)

    @cached_property
    def _key(self) -> IntArray:
        """(M,) ascending: within a document, meetings are in the order of annotators."""
        return self._keyed(self.document, self.first[self.pair], self.second[self.pair])

    def _keyed(self, document: IntArray, first: IntArray, second: IntArray) -> IntArray:
        return (document * self.n_annotators + first) * self.n_annotators + second

    def find(self, document: IntArray, first: IntArray, second: IntArray) -> IntArray:
        """The meeting of two annotators on a document; −1 where there is none."""
        if not len(self):
            return np.full(len(document), -1, dtype=np.int64)
        wanted = self._keyed(document, first, second)
        place = np.minimum(np.searchsorted(self._key, wanted), len(self) - 1)
        return np.where(self._key[place] == wanted, place, -1)


def marks_of(continuum: Continuum, meetings: Meetings) -> tuple[IntArray, IntArray, BoolArray]:
    """Every mark of every meeting, by meeting and unit, and whether it is the first one's."""
    people = len(continuum.annotators)
    parts = []
    for side in (meetings.first, meetings.second):
        cell = meetings.document * people + side[meetings.pair]
        begins, many = continuum.bounds[cell], continuum.bounds[cell + 1] - continuum.bounds[cell]
        unit = np.repeat(begins - np.cumsum(many) + many, many) + np.arange(many.sum())
        parts.append((np.repeat(np.arange(len(meetings)), many), unit))
    meeting, unit = (np.concatenate([part[column] for part in parts]) for column in range(2))
    is_first = np.arange(len(unit)) < len(parts[0][0])
    order = np.lexsort((unit, meeting))
    return meeting[order], unit[order], is_first[order]


def pairs_within(group: IntArray) -> tuple[IntArray, IntArray]:
    """Every two rows of one group, the earlier first; `group` is ascending."""
    size = len(group)
    last = np.searchsorted(group, group, side="right")
    after = last - np.arange(size) - 1  # rows of the group that follow
    return following(np.arange(size), after)


def following(row: IntArray, after: IntArray) -> tuple[IntArray, IntArray]:
    """Each row with each of the so many rows that come after it."""
    left = np.repeat(row, after)
    begins = np.cumsum(after) - after
    step = np.arange(len(left)) - np.repeat(begins, after)
    return left, left + 1 + step
