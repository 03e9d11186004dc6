"""The tally of annotations with many labels or many annotators, by sorting.

Each item's entries are sorted, and items are grouped by a fingerprint of them, whose groups are then checked.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from accord.annotations.arrays import BoolArray, IntArray
from accord.annotations.tally import Tally, ranges

if TYPE_CHECKING:
    from accord.annotations.coded import CodedAnnotations

FEW_KINDS = 1024  # of entries
FINGERPRINT_SEED = 20040506  # any fixed number: fingerprints must be the same on every run


def tally_by_sorting(coded: CodedAnnotations, *, named: bool) -> Tally:
    """Sort each item's entries, fingerprint the items, and group those that are the same."""
    item, entry, count = _sorted_entries(coded, named=named)
    starts = np.nonzero(_changes(item))[0]
    sizes = np.diff(np.append(starts, len(item)))
    marks = _fingerprints(entry, count, starts)
    order = np.lexsort((marks, sizes))
    fresh = _fresh(order, marks, starts, sizes, entry, count)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.cumsum(fresh) - 1
    first = order[fresh]
    entries = ranges(starts[first], sizes[first])
    answer = entry[entries] % len(coded.answers)
    where = np.full(coded.n_items, -1)
    where[item[starts]] = place
    return Tally(
        coded.answers,
        np.bincount(place, minlength=len(first)),
        np.concatenate(([0], np.cumsum(sizes[first]))),
        answer=answer,
        count=count[entries],
        annotator=entry[entries] // len(coded.answers) if named else None,
        annotators=coded.annotators if named else (),
        locate=lambda: where,
    )


def _sorted_entries(coded: CodedAnnotations, *, named: bool) -> tuple[IntArray, IntArray, IntArray]:
    """Item, entry (answer, or annotator and answer) and count, ordered by item and entry, equal entries joined."""
    if coded.grid is not None:
        item, entry, count = _grid_entries(coded.grid, len(coded.answers), named=named)
    else:
        item, annotator, entry, count = coded.rows
        if named:
            entry = annotator * len(coded.answers)
            entry += coded.rows[2]
        key = item * (int(entry.max(initial=0)) + 1)
        key += entry
        order = np.argsort(key, kind="stable")
        item, entry = item.take(order), entry.take(order)
        if coded.count is not None:
            count = count.take(order)
    begins = np.nonzero(_changes(item) | _changes(entry))[0]
    once = coded.count is None or not len(begins)
    totals = np.diff(begins, append=len(item)) if once else np.add.reduceat(count, begins)
    return item.take(begins), entry.take(begins), totals


def _grid_entries(grid: IntArray, labels: int, *, named: bool) -> tuple[IntArray, IntArray, IntArray]:
    """The same of a grid, whose rows are in order of the items: only the answers within a row are sorted."""
    answer = grid if named else np.sort(grid, axis=1)
    given = answer >= 0
    entry = answer + labels * np.arange(grid.shape[1]) if named else answer
    item = np.nonzero(given)[0]
    return item, entry[given].astype(np.int64), np.ones(len(item), dtype=np.int64)


def _changes(values: IntArray) -> BoolArray:
    """Does a value differ from the one before it? The first one does."""
    changes = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=changes[1:])
    return changes


def _fingerprints(entry: IntArray, count: IntArray, starts: IntArray) -> npt.NDArray[np.uint64]:
    """A 64-bit number for each item that depends on its entries and counts only."""
    kinds = int(entry.max(initial=0)) + 1
    random = _few_random() if kinds <= FEW_KINDS else _random(kinds)
    mixed = random.take(entry)
    mixed *= count.astype(np.uint64)  # wraps around, as it may
    return np.add.reduceat(mixed, starts) if len(starts) else mixed


def _random(kinds: int) -> npt.NDArray[np.uint64]:
    """A number for each entry; the same for the first ones, however many there are."""
    return np.random.default_rng(FINGERPRINT_SEED).integers(0, 2**64, kinds, dtype=np.uint64)


@cache
def _few_random() -> npt.NDArray[np.uint64]:
    """Drawn once: to make a generator takes as long as all else with a few items."""
    return _random(FEW_KINDS)


def _fresh(
    order: IntArray, marks: npt.NDArray[np.uint64], starts: IntArray, sizes: IntArray, entry: IntArray, count: IntArray
) -> BoolArray:
    """Does a new pattern begin? Neighbours in `order` with the same entries share one."""
    ahead, behind = order[1:], order[:-1]
    same = (marks[ahead] == marks[behind]) & (sizes[ahead] == sizes[behind])
    suspects = np.nonzero(same)[0]
    left = ranges(starts[behind[suspects]], sizes[behind[suspects]])
    right = ranges(starts[ahead[suspects]], sizes[ahead[suspects]])
    differs = (entry[left] != entry[right]) | (count[left] != count[right])
    owner = np.repeat(suspects, sizes[ahead[suspects]])
    same[owner[differs]] = False
    return np.concatenate((np.ones(min(len(order), 1), dtype=np.bool_), ~same))
