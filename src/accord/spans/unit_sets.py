"""Which units of different annotators may be worth putting together: the columns of the alignment problem."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.spans.continua import Continua, Pairs, ranges

TOLERANCE = 1e-11  # savings below this are none


@dataclass(frozen=True, eq=False)
class UnitSets:
    """Sets of units, at most one of each annotator, and what each saves against leaving its units alone.

    A unitary alignment of k units, of n annotators with N = n (n − 1) / 2 pairs, costs 1 + Σ (d − 1) / N over its pairs,
    in units of Δ∅; k units alone cost k. It saves k − 1 + Σ (1 − d) / N.
    """

    members: IntArray  # (S, most) ascending; −1 where a set has fewer
    saving: FloatArray  # (S,)
    share: FloatArray  # (S, most) how the saving is divided: pairs by halves, the rest equally; 0 where there is none

    @classmethod
    def nothing(cls, most: int = 2) -> UnitSets:
        """No set."""
        return cls(np.zeros((0, most), np.int64), np.zeros(0), np.zeros((0, most)))

    @classmethod
    def joined(cls, parts: list[UnitSets]) -> UnitSets:
        """Several together, padded alike."""
        most = max((part.members.shape[1] for part in parts), default=2)

        def wide(values: FloatArray | IntArray, fill: int) -> FloatArray | IntArray:
            return np.pad(values, ((0, 0), (0, most - values.shape[1])), constant_values=fill)

        return cls(
            np.concatenate([np.zeros((0, most), np.int64), *(wide(part.members, -1) for part in parts)]),
            np.concatenate([np.zeros(0), *(part.saving for part in parts)]),
            np.concatenate([np.zeros((0, most)), *(wide(part.share, 0) for part in parts)]),
        )

    def __len__(self) -> int:
        return len(self.saving)

    def where(self, kept: BoolArray | IntArray) -> UnitSets:
        """Some of them."""
        return UnitSets(self.members[kept], self.saving[kept], self.share[kept])

    def sums(self, of_units: FloatArray) -> FloatArray:
        """(S,) the sum over the members of each set."""
        held = np.where(self.members >= 0, of_units[self.members], 0.0)
        return np.asarray(held.sum(axis=1))


@dataclass(frozen=True, eq=False)
class Found:
    """What a search for sets came to."""

    sets: UnitSets
    whole: bool  # were all looked at, or were there too many?


class SetSearch:
    """Sets of units by growing them, annotator after annotator, along pairs that are close."""

    def __init__(self, continua: Continua, pairs: Pairs) -> None:
        self.pairs = pairs
        self.size = continua.n_units
        self.annotator = continua.annotator
        self.number = continua.pairs_of_annotators[continua.continuum]  # (U,)
        self.later = (continua.annotators[continua.continuum] - 1 - continua.annotator).astype(np.float64)  # (U,)
        self.most = int(continua.annotators.max(initial=2))
        self._begins = np.searchsorted(pairs.first, np.arange(self.size + 1)).astype(np.int64)
        self._key = pairs.first * self.size + pairs.second

    def all(self, limit: int) -> Found:
        """Every set that leaving no member out would improve."""
        return self._grown(None, 0.0, limit)

    def worth(self, price: FloatArray, least: float, limit: int) -> Found:
        """Those of them that save more than the prices of their units and `least`."""
        return self._grown(1 - price, least, limit)

    def _grown(self, keep: FloatArray | None, least: float, limit: int) -> Found:
        """Sets by size; `keep` is what is left of each unit's own cost after its price."""
        members = np.arange(self.size)[:, None]
        inner = np.zeros((self.size, 1))  # what each member gains from the others
        worth = np.zeros(self.size) if keep is None else keep - 1
        best = None if keep is None else self._best_neighbours(keep)
        found, whole = [], True
        for size in range(2, self.most + 1):
            members, inner, worth = self._one_more(members, inner, worth, keep)
            last = members[:, -1]
            room = (self.later / self.number)[last]
            kept = (1 + inner + room[:, None] > TOLERANCE).all(axis=1)
            if best is not None and keep is not None:
                kept[kept] = self._bound(members[kept], worth[kept], best) > least
            members, inner, worth = members[kept], inner[kept], worth[kept]
            if len(members) > limit:
                whole = False
                if keep is None:
                    break
                chosen = np.sort(np.argsort(-worth, kind="stable")[:limit])
                members, inner, worth = members[chosen], inner[chosen], worth[chosen]
            final = (1 + inner > TOLERANCE).all(axis=1)
            if keep is not None:
                final &= worth > least
            found.append(_as_sets(members[final], inner[final], size))
        return Found(UnitSets.joined(found), whole)

    def _one_more(
        self, members: IntArray, inner: FloatArray, worth: FloatArray, keep: FloatArray | None
    ) -> tuple[IntArray, FloatArray, FloatArray]:
        """Every set with one unit more, of a later annotator, that is close to all of its members."""
        last = members[:, -1]
        row, pair = ranges(self._begins[last], self._begins[last + 1])
        new = self.pairs.second[pair]
        gains = np.zeros((len(row), members.shape[1]))
        gains[:, -1] = self.pairs.gain[pair]
        close = np.ones(len(row), dtype=np.bool_)
        for column in range(members.shape[1] - 1):
            place, there = self._find(members[row, column], new)
            close &= there
            gains[:, column] = self.pairs.gain[place]
        row, new, gains = row[close], new[close], gains[close]
        total = gains.sum(axis=1)
        more = total if keep is None else total + keep[new]
        return (
            np.column_stack((members[row], new)),
            np.column_stack((inner[row] + gains, total)),
            worth[row] + more,
        )

    def _find(self, first: IntArray, second: IntArray) -> tuple[IntArray, BoolArray]:
        """The pair of two units, and whether there is one."""
        wanted = first * self.size + second
        place = np.minimum(np.searchsorted(self._key, wanted), max(len(self._key) - 1, 0))
        return place, self._key[place] == wanted

    def _best_neighbours(self, keep: FloatArray) -> FloatArray:
        """(U, n) the most that a unit of each later annotator adds to a unit."""
        best = np.full((self.size, self.most), -np.inf)
        pairs = self.pairs
        np.maximum.at(best, (pairs.first, self.annotator[pairs.second]), keep[pairs.second] + pairs.gain)
        return best

    def _bound(self, members: IntArray, worth: FloatArray, best: FloatArray) -> FloatArray:
        """(S,) the most that a set can be worth with units of later annotators besides."""
        more = best[members[:, 0]]
        for column in range(1, members.shape[1]):
            more = np.minimum(more, best[members[:, column]])
        number = self.number[members[:, 0]][:, None]
        more = more + (members.shape[1] - 1) / number
        more[np.arange(self.most) <= self.annotator[members[:, -1]][:, None]] = -np.inf
        more = -np.sort(-more, axis=1)
        joining = np.arange(1, self.most + 1)
        totals = np.cumsum(more, axis=1) + joining * (joining - 1) / 2 / number
        return np.asarray(worth + np.maximum(totals.max(axis=1), 0))


def _as_sets(members: IntArray, inner: FloatArray, size: int) -> UnitSets:
    """Sets of one size."""
    even = (size - 1) / size
    return UnitSets(members, size - 1 + inner.sum(axis=1) / 2, even + inner / 2)
