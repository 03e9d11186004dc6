"""Which units of two annotators overlap, and by how much: a sweep over sorted pieces, never a table of all pairs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up
from accord.errors import MeasureError, some_annotators
from accord.spans.continuum import Continuum
from accord.spans.shared_documents import SharedDocuments, in_blocks

MOST_CANDIDATES = 20_000_000  # pairs of pieces that lie across each other, in all documents
AT_ONCE = 4_000_000  # of them held at a time


@dataclass(frozen=True, eq=False)
class Overlaps:
    """Pairs of units of two annotators that share a position, or have the same empty place."""

    at_shared: IntArray  # (E,)
    first: IntArray  # (E,) the unit of the first of the pair
    second: IntArray  # (E,)
    iou: FloatArray  # (E,) what they share, of what either covers
    common: FloatArray  # (E,) how much they share

    def where(self, kept: BoolArray) -> Overlaps:
        """Some of them."""
        return Overlaps(self.at_shared[kept], self.first[kept], self.second[kept], self.iou[kept], self.common[kept])


def overlaps(continuum: Continuum, documents: SharedDocuments, *, label_must_match: bool) -> Overlaps:
    """All pairs of units that overlap, by document and pair and then by unit."""
    pieces = _Pieces(continuum, by_label=label_must_match)
    found = [_overlaps_of(continuum, documents, *block) for block in pieces.crossing()]
    left, right, at_shared = (np.concatenate([part[column] for part in found]) for column in range(3))
    common = np.concatenate([part[3] for part in found])
    if not continuum.whole:
        left, right, at_shared, common = _added_up(left, right, at_shared, common, continuum.n_units)
    either = continuum.extent[left] + continuum.extent[right] - common
    iou = np.where(either > 0, common / np.where(either > 0, either, 1), 1.0)
    order = np.lexsort((right, left, at_shared))
    return Overlaps(at_shared[order], left[order], right[order], iou[order], common[order])


class _Pieces:
    """Pieces of all units, sorted by document (and label) and where they begin."""

    def __init__(self, continuum: Continuum, *, by_label: bool) -> None:
        group = continuum.document[continuum.piece_of]
        if by_label:
            group = group * max(len(continuum.labels), 1) + continuum.label[continuum.piece_of]
        # positions by their rank, so that places of different documents never meet, and no digit is lost
        _, rank = np.unique(np.concatenate((continuum.piece_start, continuum.piece_end)), return_inverse=True)
        begins, ends = rank[: len(group)], rank[len(group) :]
        step = int(rank.max(initial=0)) + 2
        key = group * step + begins
        self.order = np.argsort(key, kind="stable")
        beyond = group * step + np.maximum(ends, begins + 1)  # an empty place meets what begins there
        past = np.searchsorted(key[self.order], beyond[self.order], side="left")
        self.after = past - np.arange(len(past)) - 1
        total = int(self.after.sum())
        if total > MOST_CANDIDATES:
            most = int(np.bincount(continuum.document).max())
            raise MeasureError(
                f"{total:,} pairs of marks lie across each other (a document holds up to {most:,} marks); matching "
                f"compares up to {MOST_CANDIDATES:,}. Leave out documents or labels with marks upon marks, or "
                "choose some annotators: ",
                some_annotators(),
                ".",
            )

    def crossing(self) -> Iterator[tuple[IntArray, IntArray]]:
        """Pairs of pieces of which one begins before the other ends, some at a time."""
        for left, right in in_blocks(self.after, AT_ONCE):
            yield self.order[left], self.order[right]


def _overlaps_of(
    continuum: Continuum, documents: SharedDocuments, left: IntArray, right: IntArray
) -> tuple[IntArray, IntArray, IntArray, FloatArray]:
    """Units of two annotators, the shared document, and what two of their pieces share."""
    one, other = continuum.piece_of[left], continuum.piece_of[right]
    turned = continuum.annotator[one] > continuum.annotator[other]
    one, other = np.where(turned, other, one), np.where(turned, one, other)
    common = np.minimum(continuum.piece_end[left], continuum.piece_end[right]) - np.maximum(
        continuum.piece_start[left], continuum.piece_start[right]
    )
    empty = (continuum.start[one] == continuum.end[one]) & (continuum.start[other] == continuum.end[other])
    kept = ((common > 0) | (empty & (continuum.start[one] == continuum.start[other]))) & (
        continuum.annotator[one] != continuum.annotator[other]
    )
    one, other, common = one[kept], other[kept], common[kept]
    at_shared = documents.find(continuum.document[one], continuum.annotator[one], continuum.annotator[other])
    both = at_shared >= 0
    return one[both], other[both], at_shared[both], common[both]


def _added_up(
    left: IntArray, right: IntArray, at_shared: IntArray, common: FloatArray, size: int
) -> tuple[IntArray, IntArray, IntArray, FloatArray]:
    """What several pieces of two units share, together."""
    key, first, place = np.unique(left * size + right, return_index=True, return_inverse=True)
    return key // size, key % size, at_shared[first], add_up(place, common, len(key))
