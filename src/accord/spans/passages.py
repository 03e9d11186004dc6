"""Where marks differ, as text: the stretches of a document around units that not everybody marked, line by line.

A line is what one annotator marked in a stretch, cut at the borders of the units, so that overlapping and nested units
need no flattening: every part knows how many units cover it, which begin before it, and which end after it. Where two
units cross, the label stands at the beginning too: brackets alone would pair the wrong ones.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np

from accord.annotations.answers import Label
from accord.annotations.arrays import BoolArray, IntArray
from accord.annotations.tally import ranges
from accord.spans.continuum import Continuum
from accord.spans.matching import places

AROUND = 60  # characters shown before and after what differs
WORD = 15  # characters by which a passage may grow so that it begins and ends with whole words


@dataclass(frozen=True)
class PassagePart:
    """A stretch of text that the same units cover."""

    text: str
    depth: int  # how many units cover it
    differs: bool  # is one of them not everybody's?
    opens: tuple[Label | None, ...] = ()  # units that begin here, by their labels where brackets alone would mislead
    closes: tuple[Label, ...] = ()  # labels of the units that end after it


@dataclass(frozen=True)
class Passage:
    """A stretch of a document, as each annotator who saw the document marked it."""

    document: int
    start: int
    end: int
    lines: tuple[tuple[int, tuple[PassagePart, ...]], ...]  # annotator and parts


def shared_by_all(continuum: Continuum) -> BoolArray:
    """(U,) did everybody who saw the document mark the same place with the same label?

    Of units on top of each other as many count as everybody has.
    """
    number = max(len(continuum.labels), 1)
    _, key = np.unique(places(continuum) * number + continuum.label, return_inverse=True)
    by_place = np.lexsort((continuum.annotator, key))
    key, annotator = key[by_place], continuum.annotator[by_place]
    cell, size = np.unique(key * len(continuum.annotators) + annotator, return_counts=True)  # who has how many there
    _, first, people = np.unique(cell // len(continuum.annotators), return_index=True, return_counts=True)
    document = continuum.document[by_place[np.searchsorted(key, np.arange(len(first)))]]
    common = np.minimum.reduceat(size, first) if len(first) else size
    common[people < continuum.seen[document].sum(axis=1)] = 0
    found = np.zeros(continuum.n_units, dtype=np.bool_)
    found[by_place] = ranges(np.zeros(len(size), dtype=np.int64), size) < common[key]
    return found


def passages(continuum: Continuum, document: int, text: str, shared: BoolArray, most: int) -> tuple[list[Passage], int]:
    """The first stretches of a document in which somebody's marks differ, at most so many; and how many there are."""
    units = np.nonzero(continuum.document == document)[0]
    odd = units[~shared[units]]
    windows = _windows(continuum, odd, text)
    people = np.nonzero(continuum.seen[document])[0].tolist()
    found = []
    for start, end in windows[:most]:
        lines = [
            (who, tuple(_line(continuum, units[continuum.annotator[units] == who], shared, text, start, end)))
            for who in people
        ]
        found.append(Passage(document, start, end, tuple(lines)))
    return found, len(windows)


def lines_of_document(
    continuum: Continuum, document: int, text: str, shared: BoolArray
) -> list[tuple[int, tuple[PassagePart, ...]]]:
    """A whole document, as each annotator who saw it marked it."""
    units = np.nonzero(continuum.document == document)[0]
    return [
        (who, tuple(_line(continuum, units[continuum.annotator[units] == who], shared, text, 0, len(text))))
        for who in np.nonzero(continuum.seen[document])[0].tolist()
    ]


def _windows(continuum: Continuum, odd: IntArray, text: str) -> list[tuple[int, int]]:
    """Stretches around units, whole words, those that touch as one."""
    found: list[tuple[int, int]] = []
    for unit in odd[np.argsort(continuum.start[odd], kind="stable")].tolist():
        start, end = int(continuum.start[unit]), int(np.ceil(continuum.end[unit]))
        start = _at_word(text, max(start - AROUND, 0), -1)
        end = _at_word(text, min(end + AROUND, len(text)), 1)
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _at_word(text: str, at: int, step: int) -> int:
    """The nearest border of a word outwards, if one is near."""
    for place in range(at, at + step * WORD, step):
        if place <= 0 or place >= len(text) or text[place if step > 0 else place - 1].isspace():
            return min(max(place, 0), len(text))
    return at


def _line(
    continuum: Continuum, units: IntArray, shared: BoolArray, text: str, start: int, end: int
) -> Iterator[PassagePart]:
    """What one annotator marked between two places, cut at every border."""
    stretches = list(_stretches(_spots(continuum, units, start, end), start, end))
    crossing = {
        spot
        for *_, over in stretches
        for pair in combinations(over, 2)
        if pair[0].start < pair[1].start and pair[0].end < pair[1].end
        for spot in pair
    }

    def label(spot: _Spot) -> Label:
        return continuum.labels[int(continuum.label[spot.unit])]

    for begin, stop, over in stretches:
        opening = sorted((spot for spot in over if spot.start == begin), key=lambda spot: -spot.end)
        closing = sorted((spot for spot in over if spot.end == stop), key=lambda spot: -spot.start)
        yield PassagePart(
            text[begin:stop],
            len(over),
            any(not shared[spot.unit] for spot in over),
            tuple(label(spot) if spot in crossing else None for spot in opening),
            tuple(map(label, closing)),
        )


class _Spot(NamedTuple):
    """A piece of a unit, in whole characters."""

    start: int
    end: int
    unit: int


def _spots(continuum: Continuum, units: IntArray, start: int, end: int) -> list[_Spot]:
    """The pieces of some units that lie between two places, in their order."""
    spots = (
        _Spot(
            int(continuum.piece_start[piece]), int(np.ceil(continuum.piece_end[piece])), int(continuum.piece_of[piece])
        )
        for piece in np.nonzero(np.isin(continuum.piece_of, units))[0].tolist()
    )
    return sorted(spot for spot in spots if spot.start < end and spot.end > start)


def _stretches(spots: list[_Spot], start: int, end: int) -> Iterator[tuple[int, int, list[_Spot]]]:
    """Between every two borders: the pieces that lie over it, in the order in which they begin."""
    cuts = sorted({start, end, *(min(max(at, start), end) for spot in spots for at in (spot.start, spot.end))})
    over: list[_Spot] = []
    waiting = deque(spots)
    for begin, stop in pairwise(cuts):
        over = [spot for spot in over if spot.end > begin]
        while waiting and waiting[0].start <= begin:
            over.append(waiting.popleft())
        yield begin, stop, list(over)
