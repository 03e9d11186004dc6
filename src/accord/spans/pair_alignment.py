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
from accord.spans.overlaps import Overlaps, overlaps
from accord.spans.shared_documents import SharedDocuments, marks_of, pairs_within

OTHER_LABEL = 0.5  # what a common share is worth between marks of different labels


@dataclass(frozen=True, eq=False)
class PairAlignment:
    """Aligned marks of every shared document, and those that stand alone."""

    shared: SharedDocuments
    at_shared: IntArray  # (A,) ascending
    first: IntArray  # (A,) units of the first of the pair
    second: IntArray  # (A,)
    same_place: BoolArray  # (A,)
    same_label: BoolArray  # (A,)
    iou: FloatArray  # (A,)
    alone_at: IntArray  # (B,) ascending
    alone: IntArray  # (B,) units that the other has nothing for
    overlaps: Overlaps  # of marks that have no partner of the same place

    def alone_is_first(self, continuum: Continuum) -> BoolArray:
        """(B,) did the first of the pair mark it?"""
        return np.asarray(continuum.annotator[self.alone] == self.shared.first[self.shared.pair[self.alone_at]])


def align(continuum: Continuum, shared: SharedDocuments) -> PairAlignment:
    """The alignment of every shared document."""
    place = places(continuum)
    all_at, all_unit, is_first = marks_of(continuum, shared)
    size = max(continuum.n_units, 1)
    key = all_at * size + all_unit  # a mark in a shared document
    free = np.ones(len(key), dtype=np.bool_)
    found: list[tuple[IntArray, IntArray, IntArray]] = []
    for kind in (place * max(len(continuum.labels), 1) + continuum.label, place):
        at_shared, first, second = _same_kind(all_at[free], all_unit[free], is_first[free], kind)
        found.append((at_shared, first, second))
        _take(free, key, at_shared * size, first, second)
    across = _among_free(continuum, shared, key[free], size)
    worth = across.iou * np.where(continuum.label[across.first] == continuum.label[across.second], 1, OTHER_LABEL)
    chosen = best_matching(*nodes(across.at_shared, across.first, across.second, size), worth)
    found.append((across.at_shared[chosen], across.first[chosen], across.second[chosen]))
    at_shared, first, second = (np.concatenate([part[column] for part in found]) for column in range(3))
    share = np.concatenate([np.ones(len(found[0][0]) + len(found[1][0])), across.iou[chosen]])
    order = np.lexsort((second, first, at_shared))
    at_shared, first, second, share = at_shared[order], first[order], second[order], share[order]
    _take(free, key, at_shared * size, first, second)
    return PairAlignment(
        shared, at_shared, first, second, place[first] == place[second],
        continuum.label[first] == continuum.label[second], share, all_at[free], all_unit[free], across,
    )  # fmt: skip


def _take(free: BoolArray, key: IntArray, at_shared: IntArray, first: IntArray, second: IntArray) -> None:
    """Marks that have found each other are free no more; `key` is ascending and holds them all."""
    for unit in (first, second):
        free[np.searchsorted(key, at_shared + unit)] = False


def _same_kind(
    at_shared: IntArray, unit: IntArray, is_first: BoolArray, kind: IntArray
) -> tuple[IntArray, IntArray, IntArray]:
    """Marks of one kind in a shared document, the first of one with the first of the other, and so on."""
    order = np.lexsort((unit, is_first, kind[unit], at_shared))
    at_shared, unit, is_first = at_shared[order], unit[order], is_first[order]
    begins = np.ones(len(unit), dtype=np.bool_)
    begins[1:] = (
        (at_shared[1:] != at_shared[:-1]) | (kind[unit[1:]] != kind[unit[:-1]]) | (is_first[1:] != is_first[:-1])
    )
    number = np.arange(len(unit)) - np.maximum.accumulate(np.where(begins, np.arange(len(unit)), 0))
    columns = np.stack([at_shared, kind[unit], number])
    order = np.lexsort((~is_first, *columns[::-1]))
    group = np.cumsum((np.diff(columns[:, order], axis=1, prepend=-1) != 0).any(axis=0))
    one, other = pairs_within(group)
    one, other = order[one], order[other]  # the first's comes first
    return at_shared[one], unit[one], unit[other]


def _among_free(continuum: Continuum, shared: SharedDocuments, free: IntArray, size: int) -> Overlaps:
    """The overlaps of marks of which neither has found a partner; `free` holds at_shared · size + unit, ascending."""
    units = np.zeros(continuum.n_units, dtype=np.bool_)
    units[free % size] = True
    number = np.nonzero(units)[0]
    found = overlaps(continuum.take(units), shared, label_must_match=False)
    first, second = number[found.first], number[found.second]
    both = np.all([found_at(free, found.at_shared * size + unit) >= 0 for unit in (first, second)], axis=0)
    return Overlaps(found.at_shared[both], first[both], second[both], found.iou[both], found.common[both])
