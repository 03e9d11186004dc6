"""Where marks differ, as text: the stretches of a document around units that not everybody marked, line by line.

A line is what one annotator marked in a stretch, cut at the borders of the units, so that overlapping and nested units
need no flattening: every part knows how many units cover it, how many begin before it, and which end after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from accord.annotations.answers import Label
from accord.annotations.arrays import BoolArray, IntArray
from accord.spans.continuum import Continuum

AROUND = 60  # characters shown before and after what differs
WORD = 15  # characters by which a passage may grow so that it begins and ends with whole words


@dataclass(frozen=True)
class Part:
    """A stretch of text that the same units cover."""

    text: str
    depth: int  # how many units cover it
    differs: bool  # is one of them not everybody's?
    opens: int = 0  # units that begin here
    closes: tuple[Label, ...] = ()  # labels of the units that end after it


@dataclass(frozen=True)
class Passage:
    """A stretch of a document, as each annotator who saw the document marked it."""

    document: int
    start: int
    end: int
    lines: tuple[tuple[int, tuple[Part, ...]], ...]  # annotator and parts


def shared_by_all(continuum: Continuum) -> BoolArray:
    """(U,) did everybody who saw the document mark the same pieces with the same label?

    Of units on top of each other as many count as everybody has.
    """
    keys: dict[tuple[int, int, bytes], list[list[int]]] = {}
    first = np.searchsorted(continuum.piece_of, np.arange(continuum.n_units + 1)).tolist()
    pieces = np.stack((continuum.piece_start, continuum.piece_end), axis=1)
    for unit in range(continuum.n_units):
        document, who = int(continuum.document[unit]), int(continuum.annotator[unit])
        key = (document, int(continuum.label[unit]), pieces[first[unit] : first[unit + 1]].tobytes())
        keys.setdefault(key, [[] for _ in continuum.annotators])[who].append(unit)
    found = np.zeros(continuum.n_units, dtype=np.bool_)
    for (document, *_), held in keys.items():
        everybody = np.nonzero(continuum.seen[document])[0].tolist()
        common = min(len(held[who]) for who in everybody)
        for who in everybody:
            found[held[who][:common]] = True
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


def _line(continuum: Continuum, units: IntArray, shared: BoolArray, text: str, start: int, end: int) -> Iterator[Part]:
    """What one annotator marked between two places, cut at every border."""
    spots = [
        (int(continuum.piece_start[piece]), int(np.ceil(continuum.piece_end[piece])), int(continuum.piece_of[piece]))
        for piece in np.nonzero(np.isin(continuum.piece_of, units))[0].tolist()
    ]
    spots = [spot for spot in spots if spot[0] < end and spot[1] > start]
    cuts = sorted({start, end, *(min(max(at, start), end) for spot in spots for at in spot[:2])})
    for begin, stop in pairwise(cuts):
        over = [spot for spot in spots if spot[0] <= begin and spot[1] >= stop]
        closing = sorted((spot for spot in over if spot[1] == stop), key=lambda spot: -spot[0])
        yield Part(
            text[begin:stop],
            len(over),
            any(not shared[unit] for *_, unit in over),
            sum(spot[0] == begin for spot in over),
            tuple(continuum.labels[continuum.label[unit]] for *_, unit in closing),
        )
