"""What differs in what two annotators marked: every mark the same, relabelled, shifted, split, merged or missing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, found_at
from accord.spans.continuum import Continuum
from accord.spans.pair_alignment import PairAlignment, align
from accord.spans.shared_documents import SharedDocuments

SAME, RELABELLED, SHIFTED, BOTH, SPLIT, MERGED, MISSING = range(7)
WORDS = ("same", "relabelled", "shifted", "relabelled and shifted", "split", "merged", "missing")
INSIDE = 0.5  # a part of a split mark lies with more than this share of itself inside the whole
NOBODY = -1


@dataclass(frozen=True, eq=False)
class Side:
    """What one of two annotators has in each row: a mark, several, or none."""

    unit: IntArray  # (N,) the mark, the first of several; −1 where there is none
    number: IntArray  # (N,) how many marks
    start: FloatArray  # (N,) where they begin; NaN where there is none
    end: FloatArray  # (N,)

    @classmethod
    def of(cls, continuum: Continuum, unit: IntArray) -> Side:
        """A mark each, or none."""
        there = unit >= 0
        if not continuum.n_units:
            return cls(unit, there.astype(np.int64), np.empty(0), np.empty(0))
        bounds = (np.where(there, bound[np.maximum(unit, 0)], np.nan) for bound in (continuum.start, continuum.end))
        return cls(unit, there.astype(np.int64), *bounds)

    def take(self, order: IntArray) -> Side:
        """The rows in another order."""
        return Side(self.unit[order], self.number[order], self.start[order], self.end[order])

    def but(self, other: Side, swapped: BoolArray) -> Side:
        """With some rows of the other."""
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return Side(*(np.where(swapped, theirs, mine) for mine, theirs in pairs))

    def join(self, row: IntArray, start: FloatArray, end: FloatArray) -> None:
        """Further marks of some rows."""
        np.add.at(self.number, row, 1)
        np.minimum.at(self.start, row, start)
        np.maximum.at(self.end, row, end)


@dataclass(frozen=True, eq=False)
class Differences:
    """One row per mark of a shared document, or per group of marks that were split or merged."""

    continuum: Continuum
    document: IntArray  # (N,) ascending; within a document by pair, and by where they begin
    one: IntArray  # (N,) the annotator who comes first: the reference, where there is one
    other: IntArray  # (N,)
    what: IntArray  # (N,) position in WORDS
    first: Side
    second: Side
    iou: FloatArray  # (N,) of the two marks that were matched; NaN where one is missing

    @classmethod
    def of(cls, continuum: Continuum, reference: int | None = None) -> Differences:
        """The differences of every two annotators, or of everybody and a reference."""
        aligned = align(continuum, SharedDocuments.of(continuum.seen, reference))
        is_first = aligned.alone_is_first(continuum)
        first = Side.of(continuum, np.concatenate((aligned.first, np.where(is_first, aligned.alone, NOBODY))))
        second = Side.of(continuum, np.concatenate((aligned.second, np.where(is_first, NOBODY, aligned.alone))))
        what = np.select(
            [aligned.same_place & aligned.same_label, aligned.same_place, aligned.same_label],
            [SAME, RELABELLED, SHIFTED],
            BOTH,
        )
        what = np.concatenate((what, np.full(len(aligned.alone), MISSING)))
        within_whole = np.zeros(len(what), dtype=np.bool_)  # parts that are told with their whole
        for kind, whole_is_first in ((SPLIT, True), (MERGED, False)):
            whole, part = _parts(continuum, aligned, what, whole_is_first=whole_is_first)
            side, unit = (second, second.unit[part]) if whole_is_first else (first, first.unit[part])
            side.join(whole, continuum.start[unit], continuum.end[unit])
            what[whole], within_whole[part] = kind, True
        at_shared = np.concatenate((aligned.at_shared, aligned.alone_at))
        order = np.lexsort((second.unit, first.unit, np.fmin(first.start, second.start), at_shared))
        order = order[~within_whole[order]]
        share = np.concatenate((aligned.iou, np.full(len(aligned.alone), np.nan)))
        shared, pair = aligned.shared, aligned.shared.pair[at_shared[order]]
        found = cls(
            continuum, shared.document[at_shared[order]], shared.first[pair], shared.second[pair], what[order],
            first.take(order), second.take(order), share[order],
        )  # fmt: skip
        return found if reference is None else found.seen_from(reference)

    def seen_from(self, annotator: int) -> Differences:
        """The same with one annotator as the first: then a split is a merger."""
        swapped = self.other == annotator
        what = np.where(swapped & (self.what == SPLIT), MERGED, self.what)
        what = np.where(swapped & (self.what == MERGED), SPLIT, what)
        return Differences(
            self.continuum, self.document, np.where(swapped, self.other, self.one),
            np.where(swapped, self.one, self.other), what, self.first.but(self.second, swapped),
            self.second.but(self.first, swapped), self.iou,
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.what)

    def by_annotator(self) -> dict[str, IntArray]:
        """(R,) each, in the annotator's eyes: how often one's spans are the same as another's, begin earlier …"""
        people, paired = len(self.continuum.annotators), (self.first.unit >= 0) & (self.second.unit >= 0)
        begins, ends = self.second.start - self.first.start, self.second.end - self.first.end

        def count(mine: BoolArray, theirs: BoolArray) -> IntArray:
            """Rows in which it is the first of the two, and rows in which it is the second."""
            return np.bincount(np.concatenate((self.one[mine], self.other[theirs])), minlength=people)

        def both(rows: BoolArray) -> IntArray:
            return count(rows, rows)

        missing = self.what == MISSING
        return {
            "same": both(self.what == SAME), "relabelled": both(np.isin(self.what, (RELABELLED, BOTH))),
            "starts earlier": count(paired & (begins > 0), paired & (begins < 0)),
            "starts later": count(paired & (begins < 0), paired & (begins > 0)),
            "ends earlier": count(paired & (ends > 0), paired & (ends < 0)),
            "ends later": count(paired & (ends < 0), paired & (ends > 0)),
            "in parts": count(self.what == MERGED, self.what == SPLIT),
            "as one": count(self.what == SPLIT, self.what == MERGED),
            "only this one": count(missing & (self.second.unit < 0), missing & (self.first.unit < 0)),
            "only another": count(missing & (self.first.unit < 0), missing & (self.second.unit < 0)),
        }  # fmt: skip


def _parts(
    continuum: Continuum, aligned: PairAlignment, what: IntArray, *, whole_is_first: bool
) -> tuple[IntArray, IntArray]:
    """Rows of aligned marks of which one is a whole and the other a part, and of the further parts that stand alone.

    A whole has one label with all its parts, and each part lies mostly inside it. The part that it is aligned with must
    not be the whole itself, so that a mark nested in two that are the same stays a mark of its own.
    """
    size, across = max(continuum.n_units, 1), aligned.overlaps
    wholes, parts = (across.first, across.second) if whole_is_first else (across.second, across.first)
    aligned_whole = aligned.first if whole_is_first else aligned.second
    aligned_part = aligned.second if whole_is_first else aligned.first
    key = across.at_shared * size
    inside = (across.common > INSIDE * continuum.extent[parts]) & (continuum.label[wholes] == continuum.label[parts])
    row = _find(aligned.at_shared * size + aligned_whole, key + wholes)
    alone = _find(aligned.alone_at * size + aligned.alone, key + parts)
    partner = (row >= 0) & inside & (parts == aligned_part[np.maximum(row, 0)] if len(aligned_part) else False)
    begun = np.zeros(len(aligned.first), dtype=np.bool_)  # wholes whose partner is a part
    begun[row[partner]] = True
    begun &= what[: len(begun)] == SHIFTED
    found = np.nonzero((row >= 0) & (alone >= 0) & inside)[0]
    found = found[begun[row[found]]]
    _, once = np.unique(alone[found], return_index=True)  # a part goes to one whole, the earliest
    return row[found[once]], len(aligned.first) + alone[found[once]]


def _find(keys: IntArray, wanted: IntArray) -> IntArray:
    """Where each wanted key stands among keys in any order; −1 where it does not."""
    order = np.argsort(keys, kind="stable")
    return np.append(order, -1)[found_at(keys[order], wanted)]
