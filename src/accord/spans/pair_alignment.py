"""One best alignment of what two annotators marked: which mark of one is which mark of the other.

Marks of the same place and label belong together, then marks of the same place; what is left is matched so that the
sum of common shares (IoU) is largest, where another label counts half. So a mark that was shifted a little is found,
and one at the same place with another label is relabelled, not missing twice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, found_at
from accord.spans.assignment import best_matching
from accord.spans.continuum import Continuum
from accord.spans.matching import nodes, places
from accord.spans.meetings import Meetings, marks_of, pairs_within
from accord.spans.overlaps import Overlaps, overlaps

OTHER_LABEL = 0.5  # what a common share is worth between marks of different labels


@dataclass(frozen=True, eq=False)
class PairAlignment:
    """Aligned marks of every meeting, and those that stand alone."""

    meetings: Meetings
    meeting: IntArray  # (A,) ascending
    first: IntArray  # (A,) units of the first of the pair
    second: IntArray  # (A,)
    same_place: BoolArray  # (A,)
    same_label: BoolArray  # (A,)
    iou: FloatArray  # (A,)
    alone_meeting: IntArray  # (B,) ascending
    alone: IntArray  # (B,) units that the other has nothing for
    overlaps: Overlaps  # of marks that have no partner of the same place

    def alone_is_first(self, continuum: Continuum) -> BoolArray:
        """(B,) did the first of the pair mark it?"""
        return np.asarray(
            continuum.annotator[self.alone] == self.meetings.first[self.meetings.pair[self.alone_meeting]]
        )


def align(continuum: Continuum, meetings: Meetings) -> PairAlignment:
    """The alignment of every meeting."""
    place = places(continuum)
    all_meeting, all_unit, is_first = marks_of(continuum, meetings)
    size = max(continuum.n_units, 1)
    key = all_meeting * size + all_unit  # a mark in a meeting
    free = np.ones(len(key), dtype=np.bool_)
    found: list[tuple[IntArray, IntArray, IntArray]] = []
    for kind in (place * max(len(continuum.labels), 1) + continuum.label, place):
        meeting, first, second = _same_kind(all_meeting[free], all_unit[free], is_first[free], kind)
        found.append((meeting, first, second))
        _take(free, key, meeting * size, first, second)
    across = _among_free(continuum, meetings, key[free], size)
    worth = across.iou * np.where(continuum.label[across.first] == continuum.label[across.second], 1, OTHER_LABEL)
    chosen = best_matching(*nodes(across.meeting, across.first, across.second, size), worth)
    found.append((across.meeting[chosen], across.first[chosen], across.second[chosen]))
    meeting, first, second = (np.concatenate([part[column] for part in found]) for column in range(3))
    share = np.concatenate([np.ones(len(found[0][0]) + len(found[1][0])), across.iou[chosen]])
    order = np.lexsort((second, first, meeting))
    meeting, first, second, share = meeting[order], first[order], second[order], share[order]
    _take(free, key, meeting * size, first, second)
    return PairAlignment(
        meetings, meeting, first, second, place[first] == place[second],
        continuum.label[first] == continuum.label[second], share, all_meeting[free], all_unit[free], across,
    )  # fmt: skip


def _take(free: BoolArray, key: IntArray, meeting: IntArray, first: IntArray, second: IntArray) -> None:
    """Marks that have found each other are free no more; `key` is ascending and holds them all."""
    for unit in (first, second):
        free[np.searchsorted(key, meeting + unit)] = False


def _same_kind(
    meeting: IntArray, unit: IntArray, is_first: BoolArray, kind: IntArray
) -> tuple[IntArray, IntArray, IntArray]:
    """Marks of one kind in a meeting, the first of one with the first of the other, and so on."""
    order = np.lexsort((unit, is_first, kind[unit], meeting))
    meeting, unit, is_first = meeting[order], unit[order], is_first[order]
    begins = np.ones(len(unit), dtype=np.bool_)
    begins[1:] = (meeting[1:] != meeting[:-1]) | (kind[unit[1:]] != kind[unit[:-1]]) | (is_first[1:] != is_first[:-1])
    number = np.arange(len(unit)) - np.maximum.accumulate(np.where(begins, np.arange(len(unit)), 0))
    columns = np.stack([meeting, kind[unit], number])
    order = np.lexsort((~is_first, *columns[::-1]))
    group = np.cumsum((np.diff(columns[:, order], axis=1, prepend=-1) != 0).any(axis=0))
    one, other = pairs_within(group)
    one, other = order[one], order[other]  # the first's comes first
    return meeting[one], unit[one], unit[other]


def _among_free(continuum: Continuum, meetings: Meetings, free: IntArray, size: int) -> Overlaps:
    """The overlaps of marks of which neither has found a partner; `free` holds meeting · size + unit, ascending."""
    units = np.zeros(continuum.n_units, dtype=np.bool_)
    units[free % size] = True
    number = np.nonzero(units)[0]
    found = overlaps(continuum.take(units), meetings, label_must_match=False)
    first, second = number[found.first], number[found.second]
    both = np.all([found_at(free, found.meeting * size + unit) >= 0 for unit in (first, second)], axis=0)
    return Overlaps(found.meeting[both], first[both], second[both], found.iou[both], found.shared[both])
