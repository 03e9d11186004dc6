"""Continua side by side: the documents of a study, or what chance makes of them, and how far apart two units lie.

A *continuum* is one document with what each annotator marked in it. Many are aligned at once, so that thousands of
short documents, or of chance samples of one, cost little more than one long document.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up
from accord.annotations.tally import ranges
from accord.errors import MeasureError, counted
from accord.spans.continuum import Continuum

ROUNDING = 1e-12
LEAST_ALPHA = 1e-200  # of borders that weigh next to nothing: every two units are near
MOST_PAIRS = 12_000_000  # pairs of units that are looked at in one go


@dataclass(frozen=True, eq=False)
class Pieces:
    """The pieces of discontinuous units; of a unit without a gap its one piece."""

    unit: IntArray  # (Q,) the unit of each piece, ascending
    start: FloatArray
    end: FloatArray


@dataclass(frozen=True, eq=False)
class Continua:
    """Units of several continua, in the order of continuum and annotator; annotators of a continuum are numbered."""

    annotators: IntArray  # (B,) how many saw each continuum
    length: FloatArray  # (B,) how long it is
    continuum: IntArray  # (U,) ascending
    annotator: IntArray  # (U,) ascending within its continuum
    start: FloatArray  # (U,)
    end: FloatArray  # (U,)
    label: IntArray  # (U,)
    pieces: Pieces | None = None  # where some unit has gaps

    @classmethod
    def of(cls, marked: Continuum, documents: Sequence[int]) -> Continua:
        """Some documents of a study, whoever saw them; annotators in an order that no name decides.

        Those with the same number of units, then those who begin earlier come first: so that what chance draws depends
        on what was marked and on nothing else.
        """
        chosen, who, sizes = [], [], []
        for document in documents:
            saw = np.nonzero(marked.seen[document])[0].tolist()
            units = [marked.units_of(document, person) for person in saw]
            content = [_content(marked, held) for held in units]
            order = sorted(range(len(saw)), key=content.__getitem__)
            chosen += [units[k] for k in order]
            who += [np.full(len(units[k]), place, dtype=np.int64) for place, k in enumerate(order)]
            sizes.append(sum(map(len, units)))
        rows = np.concatenate([*chosen, np.zeros(0, np.int64)]).astype(np.int64)
        return cls(
            marked.seen[list(documents)].sum(axis=1).astype(np.int64), marked.length[list(documents)],
            np.repeat(np.arange(len(sizes)), sizes), np.concatenate([*who, np.zeros(0, np.int64)]),
            marked.start[rows], marked.end[rows], marked.label[rows],
            None if marked.whole else _pieces_of(marked, rows),
        )  # fmt: skip

    def __len__(self) -> int:
        """How many continua there are."""
        return len(self.annotators)

    @property
    def n_units(self) -> int:
        """Units in all."""
        return len(self.start)

    @cached_property
    def pairs_of_annotators(self) -> FloatArray:
        """(B,) n (n − 1) / 2."""
        return self.annotators * (self.annotators - 1) / 2

    @cached_property
    def units(self) -> FloatArray:
        """(B,) how many units each continuum has."""
        return np.bincount(self.continuum, minlength=len(self)).astype(np.float64)

    @cached_property
    def mean_units(self) -> FloatArray:
        """(B,) how many units an annotator marked on average."""
        return self.units / np.maximum(self.annotators, 1)

    @cached_property
    def bounds(self) -> IntArray:
        """(B + 1,) where the units of each continuum begin."""
        return np.searchsorted(self.continuum, np.arange(len(self) + 1)).astype(np.int64)

    @property
    def content(self) -> tuple[bytes, ...]:
        """All that is marked and by how many: equal where nothing can tell two continua apart."""
        pieces = () if self.pieces is None else (self.pieces.unit, self.pieces.start, self.pieces.end)
        held = (self.annotators, self.length, self.annotator, self.start, self.end, self.label, *pieces)
        return tuple(column.tobytes() for column in held)

    def part(self, first: int, last: int) -> Continua:
        """The continua from the first up to the last, which is left out."""
        rows = slice(int(self.bounds[first]), int(self.bounds[last]))
        pieces = self.pieces
        if pieces is not None:
            inside = slice(*np.searchsorted(pieces.unit, (rows.start, rows.stop)).tolist())
            pieces = Pieces(pieces.unit[inside] - rows.start, pieces.start[inside], pieces.end[inside])
        return Continua(
            self.annotators[first:last], self.length[first:last], self.continuum[rows] - first, self.annotator[rows],
            self.start[rows], self.end[rows], self.label[rows], pieces,
        )  # fmt: skip


def _content(marked: Continuum, units: IntArray) -> tuple[int, list[float], list[float], list[int]]:
    """What somebody marked, to be put in order."""
    return len(units), marked.start[units].tolist(), marked.end[units].tolist(), marked.label[units].tolist()


def _pieces_of(marked: Continuum, rows: IntArray) -> Pieces:
    """The pieces of some units, in the order of the units."""
    first = np.searchsorted(marked.piece_of, rows)
    unit, piece = rows_and_places(first, np.searchsorted(marked.piece_of, rows, side="right"))
    return Pieces(unit, marked.piece_start[piece], marked.piece_end[piece])


def rows_and_places(first: IntArray, last: IntArray) -> tuple[IntArray, IntArray]:
    """Of several ranges, the number of the range and every place in it."""
    many = last - first
    return np.repeat(np.arange(len(first)), many), ranges(first, many)


@dataclass(frozen=True)
class Dissimilarity:
    """How unlike two units are, in units of what an unmatched unit costs: α · position + β · label.

    The published dissimilarities are both multiples of that cost (Δ∅), which therefore cancels in gamma.
    """

    alpha: float = 1.0
    beta: float = 1.0

    def of(self, continua: Continua, first: IntArray, second: IntArray) -> FloatArray:
        """(M,) of pairs of units."""
        differs = continua.label[first] != continua.label[second]
        return np.asarray(self.alpha * position(continua, first, second) + self.beta * differs)


def position(continua: Continua, first: IntArray, second: IntArray) -> FloatArray:
    """(M,) ((|s − s′| + |e − e′|) / (length + length′))² of pairs of units.

    Where one has gaps, the share of what either covers and not both counts instead, if it is more: without gaps it
    never is.
    """
    start, end = continua.start, continua.end
    apart = np.abs(start[first] - start[second]) + np.abs(end[first] - end[second])
    both = (end[first] - start[first]) + (end[second] - start[second])
    share = np.divide(apart, both, out=np.where(apart > 0, np.inf, 0.0), where=both > 0)
    if continua.pieces is not None:
        share = np.maximum(share, _not_common(continua.pieces, first, second, continua.n_units))
    return np.asarray(share**2)


def _not_common(pieces: Pieces, first: IntArray, second: IntArray, size: int) -> FloatArray:
    """(M,) what one of two units covers and the other does not, of all that the two cover."""
    begins = np.searchsorted(pieces.unit, np.arange(size + 1)).astype(np.int64)
    extent = add_up(pieces.unit, pieces.end - pieces.start, size)
    pair, mine = rows_and_places(begins[first], begins[first + 1])
    row, other = rows_and_places(begins[second[pair]], begins[second[pair] + 1])
    shared = np.minimum(pieces.end[mine[row]], pieces.end[other]) - np.maximum(
        pieces.start[mine[row]], pieces.start[other]
    )
    common = add_up(pair[row], np.maximum(shared, 0), len(first))
    both = extent[first] + extent[second]
    return np.divide(both - 2 * common, both, out=np.zeros(len(first)), where=both > 0)


@dataclass(frozen=True, eq=False)
class Pairs:
    """Units of different annotators that may belong together, the earlier annotator's first; in order."""

    first: IntArray  # (E,)
    second: IntArray  # (E,)
    unlike: FloatArray  # (E,)
    gain: FloatArray  # (E,) what having the two in one unitary alignment saves, besides one unmatched unit less


def close_pairs(continua: Continua, dissimilarity: Dissimilarity) -> Pairs:
    """Every pair that a best alignment can hold, by a sweep over positions.

    A unit that joins k others saves 1 + Σ (1 − d) / N, with N pairs of annotators; were one of these d more than N + k,
    it would be better alone. So d ≤ N + n − 1 for n annotators, and units that lie further apart never meet.
    """
    within = (1 + ROUNDING) * (continua.pairs_of_annotators + continua.annotators - 1)[continua.continuum]
    first, second = _near(continua, np.sqrt(within / max(dissimilarity.alpha, LEAST_ALPHA)))
    unlike = dissimilarity.of(continua, first, second)
    kept = unlike < within[first]
    first, second, unlike = first[kept], second[kept], unlike[kept]
    order = np.lexsort((second, first))
    first, second, unlike = first[order], second[order], unlike[order]
    number = continua.pairs_of_annotators[continua.continuum[first]]
    return Pairs(first, second, unlike, (1 - unlike) / number)


def _near(continua: Continua, reach: FloatArray) -> tuple[IntArray, IntArray]:
    """Pairs of different annotators of whom the longer unit reaches the other.

    |s − s′| + |e − e′| is at least twice the distance of the middles, two lengths together at most twice the longer.
    """
    long = continua.end - continua.start
    middle, window = (continua.start + continua.end) / 2, reach * long
    far = np.zeros(len(continua))
    np.maximum.at(far, continua.continuum, np.abs(middle) + window)
    middle = middle + (np.cumsum(2 * far + 1) - far)[continua.continuum]  # continua apart, so that none meets another
    order = np.argsort(middle, kind="stable")
    slack = 1e-9 * (1 + np.abs(middle).max(initial=0))
    low = np.searchsorted(middle[order], middle - window - slack)
    high = np.searchsorted(middle[order], middle + window + slack, side="right")
    if (high - low).sum() > MOST_PAIRS:
        raise TooMany(continua.n_units, int((high - low).sum()))
    one, place = rows_and_places(low, high)
    other = order[place]
    longer = (long[other] < long[one]) | ((long[other] == long[one]) & (other < one))
    kept = longer & (continua.annotator[one] != continua.annotator[other])
    kept &= continua.continuum[one] == continua.continuum[other]
    one, other = one[kept], other[kept]
    return np.minimum(one, other), np.maximum(one, other)


class TooMany(MeasureError):
    """More units lie close together in one document than can be aligned."""

    def __init__(self, units: int, pairs: int) -> None:
        super().__init__(
            f"{counted(units, 'units')} of one document make {pairs:,} pairs and sets that might belong together, too "
            "many to align. Cut the document into parts that are items of their own, or measure it with span_f1 or "
            "unitizing_alpha, which align nothing."
        )
