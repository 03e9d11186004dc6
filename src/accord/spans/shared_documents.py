"""Which documents annotators share: for every two of them, those that both saw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from accord.annotations.arrays import BoolArray, IntArray, found_at
from accord.annotations.tally import ranges
from accord.errors import MeasureError, some_annotators
from accord.spans.continuum import Continuum

MOST_ROWS = 30_000_000  # marks of all shared documents that are held at a time
MOST_SHARED = 20_000_000  # pairs of annotators on documents that are held at a time


@dataclass(frozen=True, eq=False)
class SharedDocuments:
    """One row per document and pair of annotators; the first of a pair comes before the second in the study."""

    document: IntArray  # (M,) ascending
    pair: IntArray  # (M,) position in `first` and `second`
    first: IntArray  # (J,) annotators
    second: IntArray  # (J,)
    n_annotators: int

    @classmethod
    def of(cls, seen: BoolArray, reference: int | None = None) -> SharedDocuments:
        """All documents that two saw, or those with one annotator; `seen` (D, R) says who answered what."""
        people = max(seen.shape[1], 1)
        number = seen.sum(1, dtype=np.int64)
        size = int((number * (number - 1) // 2).sum()) if reference is None else int(number.sum())
        if size > MOST_SHARED:
            raise MeasureError(
                f"{size:,} times two annotators saw the same document; every two are compared up to "
                f"{MOST_SHARED:,} times. Choose some annotators: ",
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
        """How many pairs of annotators share a document."""
        return len(self.first)

    @cached_property
    def _key(self) -> IntArray:
        """(M,) ascending: within a document, pairs are in the order of annotators."""
        return self._keyed(self.document, self.first[self.pair], self.second[self.pair])

    def _keyed(self, document: IntArray, first: IntArray, second: IntArray) -> IntArray:
        return (document * self.n_annotators + first) * self.n_annotators + second

    def find(self, document: IntArray, first: IntArray, second: IntArray) -> IntArray:
        """The row of two annotators on a document; −1 where it is not shared."""
        return found_at(self._key, self._keyed(document, first, second))


def marks_of(continuum: Continuum, shared: SharedDocuments) -> tuple[IntArray, IntArray, BoolArray]:
    """Every mark of every shared document, by shared document and unit, and whether it is the first one's."""
    at_shared, unit, is_first = of_both(shared, continuum.bounds)
    order = np.lexsort((unit, at_shared))
    return at_shared[order], unit[order], is_first[order]


def of_both(shared: SharedDocuments, bounds: IntArray) -> tuple[IntArray, IntArray, BoolArray]:
    """Every row of both annotators of every shared document, and whether it is the first one's.

    `bounds` says where the rows of document d and annotator r begin: at d · R + r.
    """
    people = shared.n_annotators
    cells = [shared.document * people + side[shared.pair] for side in (shared.first, shared.second)]
    total = sum(int((bounds[cell + 1] - bounds[cell]).sum()) for cell in cells)
    if total > MOST_ROWS:
        raise MeasureError(
            f"Every two annotators who saw the same document have {total:,} marks to compare, over all documents; up "
            f"to {MOST_ROWS:,} are compared. Choose some annotators: ",
            some_annotators(),
            ".",
        )
    parts = []
    for cell in cells:
        begins, many = bounds[cell], bounds[cell + 1] - bounds[cell]
        parts.append((np.repeat(np.arange(len(shared)), many), ranges(begins, many)))
    at_shared, row = (np.concatenate([part[column] for part in parts]) for column in range(2))
    return at_shared, row, np.arange(len(row)) < len(parts[0][0])


def pairs_within(group: IntArray) -> tuple[IntArray, IntArray]:
    """Every two rows of one group, the earlier first; `group` is ascending."""
    return following(np.arange(len(group)), rows_after(group))


def rows_after(group: IntArray) -> IntArray:
    """How many rows of its group follow each row; `group` is ascending."""
    return np.asarray(np.searchsorted(group, group, side="right") - np.arange(len(group)) - 1)


def in_blocks(after: IntArray, at_once: int) -> Iterator[tuple[IntArray, IntArray]]:
    """The same of all rows, about so many pairs at a time."""
    block = np.cumsum(after) // at_once
    cuts = [0, *(np.nonzero(np.diff(block))[0] + 1).tolist(), len(block)]
    for begin, end in pairwise(cuts):
        yield following(np.arange(begin, end), after[begin:end])


def following(row: IntArray, after: IntArray) -> tuple[IntArray, IntArray]:
    """Each row with each of the so many rows that come after it."""
    return np.repeat(row, after), ranges(row + 1, after)
