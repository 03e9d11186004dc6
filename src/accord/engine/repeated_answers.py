"""Did somebody answer an item twice? Of a table of many annotators that stays in its engine.

Where the engine hashes, each pair of item and annotator becomes a print of 64 bits, and prints are compared here: equal
pairs have equal prints, so prints that all differ prove that nobody did. Prints that do not (or an engine that makes
none) are no proof: then pairs themselves are counted in the engine, which takes several times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.annotations.arrays import BLOCK, IntArray
from accord.annotations.in_threads import each_in_threads

if TYPE_CHECKING:
    from accord.engine.dialects.dialect import Prints
    from accord.engine.scan import Scan

PRINTS_AT_ONCE = 125_000_000  # of one pass over the table: 1 GB
RANGE_BITS = 5  # the first bits of a print tell in which range it lies: prints of one are compared by one thread
ROWS_AT_ONCE = 2_500_000  # of a slice in which pairs are counted
MOST_SLICES = 16


def answered_twice(
    scan: Scan, item: str, annotator: str, names: Sequence[Any], rows: int, progress: Callable[[int, int], None]
) -> bool:
    """Is there an item with two rows of one annotator? `names` are the annotators as the engine calls them."""
    if _prints_differ(scan, (item, annotator), rows, progress):
        return False
    slices = _slices(scan.with_digest(item), annotator, sorted(names), rows)
    for done, part in enumerate(slices):
        progress(done, len(slices))
        if part.repeats(item, annotator):
            return True
    progress(len(slices), len(slices))
    return False


def _prints_differ(scan: Scan, pair: tuple[str, str], rows: int, progress: Callable[[int, int], None]) -> bool:
    """Is it proved that every row has a pair of its own? By ranges of prints, so that few are held at a time."""
    parts = min(1 + rows // PRINTS_AT_ONCE, MOST_SLICES)
    for part in range(parts):
        progress(part, parts)
        bounds = (part * 2**64 // parts, (part + 1) * 2**64 // parts - 1) if parts > 1 else None
        prints = scan.prints(pair, bounds)
        if prints is None or not all(each_in_threads(_range_differs, _ranges(prints))):
            return False
    progress(parts, parts)
    return True


def _ranges(batches: Iterable[Prints]) -> list[tuple[list[Prints]]]:
    """Prints by their first bits: as many parts of each range as there are batches."""
    number = 1 << RANGE_BITS
    held: list[tuple[list[Prints]]] = [([],) for _ in range(number)]
    for sorted_prints, starts in each_in_threads(_by_range, ((batch,) for batch in batches)):
        for place in range(number):
            held[place][0].append(sorted_prints[starts[place] : starts[place + 1]])
    return held


def _by_range(prints: Prints) -> tuple[Prints, IntArray]:
    """One batch in order of range, and where each begins."""
    place = (prints >> np.uint64(64 - RANGE_BITS)).astype(np.uint8)
    starts = np.concatenate(([0], np.cumsum(np.bincount(place, minlength=1 << RANGE_BITS))))
    return prints.take(np.argsort(place, kind="stable")), starts  # of bytes, a sort by counting


def _range_differs(parts: list[Prints]) -> bool:
    return not parts or all_differ(np.concatenate(parts))


def all_differ(prints: Prints) -> bool:
    """Are there no two equal prints? They must be as good as random: each is put into a place that its last bits name.

    Whoever is put there later drives the earlier out, which is compared with it; those driven out meet again in the
    next round, in fewer places. That takes half the time of sorting, and little memory.
    """
    left = prints.view(np.int64)
    while len(left):
        places = 1 << len(left).bit_length()
        held = np.empty(places, dtype=np.uint32)
        for begin, some in _blocks(left):
            held[some & (places - 1)] = np.arange(begin, begin + len(some), dtype=np.uint32)
        out = []
        for begin, some in _blocks(left):
            holder = held.take(some & (places - 1))
            beaten = np.flatnonzero(holder != np.arange(begin, begin + len(some), dtype=np.uint32))
            out.append(some.take(beaten))
            if (out[-1] == left.take(holder.take(beaten))).any():
                return False
        left = np.concatenate(out)
    return True


def _blocks(values: IntArray) -> Iterator[tuple[int, IntArray]]:
    """Some values at a time, with the number of those before: what is made of them stays in the processor's cache."""
    return ((begin, values[begin : begin + BLOCK]) for begin in range(0, len(values), BLOCK))


def _slices(scan: Scan, annotator: str, names: Sequence[Any], rows: int) -> list[Scan]:
    """The table by ranges of annotators: counting items and annotators needs memory for every pair of them."""
    number = min(1 + rows // ROWS_AT_ONCE, MOST_SLICES, len(names))
    if number <= 1:
        return [scan]
    starts = [names[len(names) * place // number] for place in range(number)]
    return [scan.between(annotator, *bounds) for bounds in zip(starts, [*starts[1:], None], strict=True)]
