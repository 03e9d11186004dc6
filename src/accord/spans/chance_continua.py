"""What annotators would have marked by chance: continua like those of a document, by either published sampler.

Each document has a stream of random numbers of its own, made of the seed and of where units lie in it. So its samples
do not depend on its name, on other documents, on the order of annotators or on the unit of positions.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Literal, TypeAlias, get_args

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray
from accord.spans.stacked_continua import Continua, Pieces, rows_and_places

Sampler: TypeAlias = Literal["mathet", "pygamma"]
SAMPLERS = get_args(Sampler)
AT_ONCE = 30  # samples of one stream, as published
DIGITS = 9  # of a position, as a share of the length, that tell documents apart


def chance_continua(
    document: Continua, sampler: Sampler, seed: int, turn: int, number: int = AT_ONCE, copy: int | None = None
) -> Continua:
    """So many samples of one document; the first have the turn 0, the next the turn 1.

    Documents that are marked alike have the same samples, unless they are different copies.
    """
    copies = [] if copy is None else [copy]
    rng = np.random.default_rng([seed, turn, _fingerprint(document), *copies])
    return DRAWN[sampler](document, rng, number)


def _fingerprint(document: Continua) -> int:
    """A number made of where annotators marked something, in proportion to the length of the document."""
    places = np.concatenate((document.start, document.end)) / (document.length[0] or 1.0)
    held = blake2b(digest_size=8)
    held.update(np.round(places * 10**DIGITS).astype(np.int64).tobytes())
    held.update(np.concatenate((document.annotators, document.annotator)).astype(np.int64).tobytes())
    return int.from_bytes(held.digest(), "little")


def shuffled(document: Continua, rng: np.random.Generator, number: int) -> Continua:
    """Mathet, Widlöcher and Métivier's: for each annotator what somebody marked, turned round by a random shift.

    The document is a ring. Each of the n annotators of a sample is one of the n at random (one may come twice), and all
    units move on by one random shift; what then begins behind the end begins again at the front, and no unit is cut.
    The shifts of a sample lie at least the mean length of a unit apart, round the ring, as long as there is room; when
    there is none, the next shift is any.
    """
    people, length = int(document.annotators[0]), float(document.length[0])
    bounds = np.searchsorted(document.annotator, np.arange(people + 1)).astype(np.int64)
    mean = float((document.end - document.start).mean()) if document.n_units else 0.0
    whose = rng.integers(0, people, number * people)
    shift = _spread(rng, number, people, length, mean).ravel()
    place, unit = rows_and_places(bounds[whose], bounds[whose + 1])
    moved = np.asarray(shift[place])
    moved -= np.where(document.start[unit] + moved >= length, length, 0.0)
    return Continua(
        np.full(number, people), np.full(number, length), place // people, place % people,
        document.start[unit] + moved, document.end[unit] + moved, document.label[unit],
        None if document.pieces is None else _moved(document.pieces, unit, moved),
    )  # fmt: skip


def _moved(pieces: Pieces, unit: IntArray, by: FloatArray) -> Pieces:
    """The pieces of the chosen units, moved with them."""
    first = np.searchsorted(pieces.unit, unit)
    new, piece = rows_and_places(first, np.searchsorted(pieces.unit, unit, side="right"))
    return Pieces(new, pieces.start[piece] + by[new], pieces.end[piece] + by[new])


def _spread(rng: np.random.Generator, number: int, people: int, length: float, apart: float) -> FloatArray:
    """(samples, people) points of a ring, drawn one after another, each from where it is far enough from all before."""
    uniform = rng.random((number, people))
    points = np.empty((number, people))
    points[:, 0] = uniform[:, 0] * length
    for person in range(1, people):
        before = np.sort(points[:, :person], axis=1)
        gap = np.diff(before, axis=1, append=before[:, :1] + length)
        room = np.cumsum(np.maximum(gap - 2 * apart, 0), axis=1)
        target = uniform[:, person] * room[:, -1]
        which = np.minimum((room <= target[:, None]).sum(axis=1), person - 1)
        rows = np.arange(number)
        inside = target - np.where(which > 0, room[rows, which - 1], 0.0)
        found = (before[rows, which] + apart + inside) % (length or 1.0)
        points[:, person] = np.where(room[:, -1] > 0, found, uniform[:, person] * length)
    return points


def made_up(document: Continua, rng: np.random.Generator, number: int) -> Continua:
    """pygamma-agreement's: units one after another, with normal gaps and lengths, and the labels of the document.

    For each annotator a number of units (normal, cut to a whole number, at least one), and for each unit a gap to the
    one before (normal: units may overlap), a length (normal, without its sign) and a label. Means and standard
    deviations are those of the document: of units per annotator; of gaps between neighbours and before the first; of
    lengths.
    """
    people, total = int(document.annotators[0]), document.n_units
    many = np.bincount(document.annotator, minlength=people)
    drawn = np.trunc(rng.normal(many.mean(), many.std(), number * people)).astype(np.int64)
    marked = np.maximum(drawn, 1) if total else np.zeros(number * people, np.int64)
    gaps, long = _gaps(document), document.end - document.start
    units = int(marked.sum())
    gap = rng.normal(gaps.mean(), gaps.std(), units) if len(gaps) else np.zeros(units)
    length = np.abs(rng.normal(long.mean(), long.std(), units)) if total else np.zeros(0)
    label = document.label[rng.integers(0, total, units)] if total else np.zeros(0, np.int64)
    place = np.repeat(np.arange(number * people), marked)
    reached = np.cumsum(gap + length)
    first = np.concatenate(([0], np.cumsum(marked)[:-1])).astype(np.int64)
    before = np.concatenate(([0.0], reached))[first]  # how far the annotators before have come
    end = reached - before[place]
    return Continua(
        np.full(number, people), np.full(number, float(document.length[0])), place // people, place % people,
        end - length, end, label,
    )  # fmt: skip


def _gaps(document: Continua) -> FloatArray:
    """Between neighbours of one annotator, and before the first unit where it does not stand at the very beginning."""
    order = np.lexsort((document.end, document.start, document.annotator))
    start, end, who = document.start[order], document.end[order], document.annotator[order]
    same = who[1:] == who[:-1]
    first = start[np.concatenate(([True], ~same))] if len(start) else start
    return np.concatenate(((start[1:] - end[:-1])[same], first[first > 0]))


DRAWN: dict[str, Callable[[Continua, np.random.Generator, int], Continua]] = {"mathet": shuffled, "pygamma": made_up}


def side_by_side(parts: list[Continua]) -> Continua:
    """Several batches of continua as one."""
    sizes = np.cumsum([0, *(len(part) for part in parts)])
    units = np.cumsum([0, *(part.n_units for part in parts)])
    pieces = None
    if any(part.pieces is not None for part in parts):
        held = [part.pieces or Pieces(np.arange(part.n_units), part.start, part.end) for part in parts]
        pieces = Pieces(
            np.concatenate([one.unit + by for one, by in zip(held, units, strict=False)]),
            np.concatenate([one.start for one in held]),
            np.concatenate([one.end for one in held]),
        )
    return Continua(
        np.concatenate([part.annotators for part in parts]), np.concatenate([part.length for part in parts]),
        np.concatenate([part.continuum + by for part, by in zip(parts, sizes, strict=False)]),
        np.concatenate([part.annotator for part in parts]), np.concatenate([part.start for part in parts]),
        np.concatenate([part.end for part in parts]), np.concatenate([part.label for part in parts]), pieces,
    )  # fmt: skip
