"""Documents cut wherever a unit of anybody begins or ends: between two cuts nobody changes what they say.

A segment counts by its length, so that a book costs as much as the units in it and not as its letters do. Every
annotator who saw the document holds at each segment the labels of the units that cover it; who marked nothing there
holds *outside*, a label of its own, or is missing there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up, used
from accord.annotations.tally import ranges
from accord.errors import MeasureError
from accord.spans.continuum import Continuum

SPREAD = 8  # places of a table for each label held, up to which it is made in full
MOST_HELD = 100_000_000  # labels held at segments: beyond, a table of them does not fit


@dataclass(frozen=True, eq=False)
class Stretches:
    """What each annotator marked with each label, without overlap: runs of segments, each a part of one block.

    A *block* is a unit; units of one label of one annotator that overlap are one block together. Units that only touch
    are two.
    """

    document: IntArray  # (T,)
    annotator: IntArray
    label: IntArray
    first: IntArray  # (T,) its first segment
    last: IntArray  # (T,) the segment after its last
    block: IntArray  # (T,) ascending numbers, not gap-free

    @classmethod
    def of(cls, continuum: Continuum, first: IntArray, last: IntArray) -> Stretches:
        """From the pieces of units, by their first segment and the one after their last."""
        unit = continuum.piece_of
        document, annotator, label = continuum.document[unit], continuum.annotator[unit], continuum.label[unit]
        cell = (document * len(continuum.annotators) + annotator) * max(len(continuum.labels), 1) + label
        order, begins = joined(cell, first, last)
        run = np.cumsum(begins) - 1
        block = _blocks(unit[order], run, continuum.n_units)
        heads = order[begins]
        ends = np.zeros(len(heads), dtype=np.int64)
        np.maximum.at(ends, run, last[order])
        return cls(document[heads], annotator[heads], label[heads], first[heads], ends, block[begins])


def joined(cell: IntArray, first: IntArray, last: IntArray) -> tuple[IntArray, BoolArray]:
    """Intervals by cell and start, and which of them begin a run: those that overlap nothing before them in the cell.

    >>> order, begins = joined(np.array([0, 0, 0, 1]), np.array([3, 0, 2, 2]), np.array([5, 3, 4, 9]))
    >>> order.tolist(), begins.tolist()  # [0, 3), then [2, 4) and [3, 5), which overlap it in turn; another cell
    ([1, 2, 0, 3], [True, False, False, True])
    """
    order = np.lexsort((last, first, cell))
    size = int(last.max(initial=0)) + 1
    starts, ends = cell[order] * size + first[order], cell[order] * size + last[order]
    reached = np.maximum.accumulate(ends)  # cells ascend, and nothing reaches into the next
    begins = np.ones(len(order), dtype=np.bool_)
    begins[1:] = starts[1:] >= reached[:-1]
    return order, begins


def _blocks(unit: IntArray, run: IntArray, units: int) -> IntArray:
    """The block of each piece: pieces of one run and pieces of one unit go together."""
    if len(run) == 0 or run[-1] + 1 == len(run):  # nothing overlaps: units are blocks
        return unit
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    size = units + int(run[-1]) + 1
    links = csr_array((np.ones(len(run), dtype=np.int8), (unit, units + run)), shape=(size, size))
    _, block = connected_components(links, directed=False)
    return np.asarray(block[unit], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Segments:
    """Who holds which labels where."""

    n_labels: int  # with outside, where that is a label: then it is the last
    seen: BoolArray  # (D, R)
    document: IntArray  # (S,)
    length: FloatArray  # (S,) how long; 0 at the end of a document
    raters: IntArray  # (S,) how many annotators hold any label
    segment: IntArray  # (C,) each label that an annotator holds at a segment
    annotator: IntArray  # (C,)
    label: IntArray  # (C,)
    block: IntArray  # (C,) the unit, or units joined, that it comes from; −1 outside
    n_marked: int  # labels without outside
    n_joined: int  # units that overlap another of the same annotator and label, and are one with it

    @classmethod
    def of(cls, continuum: Continuum, *, outside: bool) -> Segments:
        """Cut all documents; `outside` says whether nothing marked is a label, or missing."""
        cuts, first, last = cut(continuum)
        document, length = cuts.document, cuts.length
        found = Stretches.of(continuum, first, last)
        size = found.last - found.first
        absent = int(continuum.seen.sum(1)[document].sum()) if outside else 0
        if int(size.sum()) + absent > MOST_HELD:
            raise MeasureError(
                f"{continuum.n_units:,} units overlap so much that annotators hold {int(size.sum()) + absent:,} labels "
                f"at {len(document):,} places, more than the {MOST_HELD:,} that are compared at once. Measure fewer "
                "documents or fewer labels at a time."
            )
        segment = ranges(found.first, size)
        annotator, label, block = (np.repeat(part, size) for part in (found.annotator, found.label, found.block))
        labels, people = len(continuum.labels), len(continuum.annotators)
        marked = _in_use(segment * people + annotator, len(document) * people)  # who may hold several labels at one
        raters = np.bincount(marked // max(people, 1), minlength=len(document))
        if outside:
            free, unmarked_by = _unmarked(continuum.seen, document, marked)
            segment, annotator = np.concatenate((segment, free)), np.concatenate((annotator, unmarked_by))
            label = np.concatenate((label, np.full(len(free), labels)))
            block = np.concatenate((block, np.full(len(free), -1)))
            raters, labels = continuum.seen.sum(1)[document], labels + 1
        n_joined = continuum.n_units - len(used(found.block, continuum.n_units + len(found.first)))
        return cls(
            labels, continuum.seen, document, length, raters, segment, annotator, label, block,
            len(continuum.labels), n_joined
        )  # fmt: skip

    @property
    def counts(self) -> BoolArray:
        """(D,) documents that two annotators saw, or more."""
        return np.asarray(self.seen.sum(1) > 1)

    @cached_property
    def compared(self) -> FloatArray:
        """(S,) the length of a segment where two annotators hold a label, or more; else 0."""
        return np.where(self.raters > 1, self.length, 0.0)

    @cached_property
    def _together(self) -> tuple[IntArray, IntArray]:
        """Each label held at a segment, in order, and by how many annotators."""
        size = len(self.document) * self.n_labels
        if size <= SPREAD * len(self.segment):
            number = np.bincount(self.segment * self.n_labels + self.label, minlength=size)
            held = np.nonzero(number)[0]
            return held, number[held]
        return np.unique(self.segment * self.n_labels + self.label, return_counts=True)

    @property
    def alike(self) -> IntArray:
        """(C,) how many annotators hold the same label there."""
        held, number = self._together
        return number[np.searchsorted(held, self.segment * self.n_labels + self.label)]

    @cached_property
    def present(self) -> tuple[IntArray, IntArray]:
        """Segment and annotator wherever somebody holds any label."""
        people = self.seen.shape[1]
        cell = _in_use(self.segment * people + self.annotator, len(self.document) * people)
        return cell // people, cell % people

    @property
    def overlapping(self) -> bool:
        """Does anybody hold two labels at one place?"""
        return len(self.present[0]) < len(self.segment)

    @cached_property
    def held(self) -> tuple[IntArray, IntArray, IntArray]:
        """Segment, label, and how many annotators hold it there."""
        held, number = self._together
        return held // self.n_labels, held % self.n_labels, number

    @cached_property
    def apart(self) -> tuple[IntArray, IntArray, FloatArray]:
        """Segment, label, and how many pairs of annotators there are of whom one holds it there and the other not."""
        segment, label, number = self.held
        return segment, label, (number * (self.raters[segment] - number)).astype(np.float64)

    def blocks(self, once: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
        """Document, label and length of every block, each segment counted as `once` (S,) says."""
        inside = self.block >= 0
        segment, block = self.segment[inside], self.block[inside]
        size = int(block.max(initial=-1)) + 1
        known = np.zeros(size, dtype=np.bool_)
        document, label = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
        known[block], document[block], label[block] = True, self.document[segment], self.label[inside]
        return document[known], label[known], add_up(block, once[segment], size)[known]


@dataclass(frozen=True, eq=False)
class Cuts:
    """Where documents are cut, by document and place; a segment reaches from one cut to the next."""

    document: IntArray  # (S,)
    place: FloatArray  # (S,)
    length: FloatArray  # (S,) to the next; 0 at the end of a document


def cut(continuum: Continuum) -> tuple[Cuts, IntArray, IntArray]:
    """All cuts; of each piece of a unit the first segment, and the one after its last."""
    unit, number = continuum.piece_of, continuum.n_documents
    every = np.arange(number)
    document = np.concatenate((every, every, continuum.document[unit], continuum.document[unit]))
    place = np.concatenate((np.zeros(number), continuum.length, continuum.piece_start, continuum.piece_end))
    order = np.lexsort((place, document))
    document, place = document[order], place[order]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = (document[1:] != document[:-1]) | (place[1:] != place[:-1])
    at = np.empty(len(order), dtype=np.int64)
    at[order] = np.cumsum(new) - 1
    document, place = document[new], place[new]
    length = np.zeros(len(document))
    length[:-1] = np.where(document[1:] == document[:-1], np.diff(place), 0.0)
    first, last = np.split(at[2 * number :], 2)
    return Cuts(document, place, length), first, last


def _in_use(codes: IntArray, size: int) -> IntArray:
    """The codes that stand there, in order; by marking, unless they are few among many."""
    return used(codes, size) if size <= SPREAD * 8 * len(codes) else np.unique(codes)


def _unmarked(seen: BoolArray, document: IntArray, marked: IntArray) -> tuple[IntArray, IntArray]:
    """Segment and annotator wherever somebody saw the document and marked nothing; `marked` is segment · R + who."""
    people = seen.shape[1]
    there, who = np.nonzero(seen)  # by document
    number = np.bincount(there, minlength=len(seen))
    begin = np.cumsum(number) - number
    size = number[document]
    segment = np.repeat(np.arange(len(document)), size)
    person = who[ranges(begin[document], size)]
    cell = segment * people + person  # ascending, as `marked` is, and all that is marked is among them
    free = np.ones(len(cell), dtype=np.bool_)
    free[np.searchsorted(cell, marked)] = False
    return segment[free], person[free]
