"""Which units of different annotators may be worth putting together: the columns of the alignment problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, found_at
from accord.spans.stacked_continua import Continua, Pairs, rows_and_places

AT_ONCE = 150_000  # sets that are looked at at once while they grow
TOLERANCE = 1e-11  # savings below this are none
JOINED = 1e-8  # what a unit that joins others is worth besides, so that of equally good alignments the fewest sets win
EACH = 1 + JOINED


@dataclass(frozen=True, eq=False)
class UnitSets:
    """Sets of units, at most one of each annotator, and what each saves against leaving its units alone.

    A unitary alignment of k units, of n annotators with N = n (n − 1) / 2 pairs, costs 1 + Σ (d − 1) / N over its
    pairs, in units of Δ∅; k units alone cost k. It saves k − 1 + Σ (1 − d) / N. That may be exactly nothing; for the
    choice among equally good alignments not to be chance, a little is added for each of the k − 1 that join.
    """

    members: IntArray  # (S, most) ascending; −1 where a set has fewer
    saving: FloatArray  # (S,)
    share: FloatArray  # (S, most) how the saving is divided: pairs by halves, the rest equally; 0 where there is none

    @classmethod
    def joined(cls, parts: list[UnitSets]) -> UnitSets:
        """Several together, padded alike."""
        most = max((part.members.shape[1] for part in parts), default=2)

        def wide(values: Any, fill: int) -> Any:
            return np.pad(values, ((0, 0), (0, most - values.shape[1])), constant_values=fill)

        return cls(
            np.concatenate([np.zeros((0, most), np.int64), *(wide(part.members, -1) for part in parts)]),
            np.concatenate([np.zeros(0), *(part.saving for part in parts)]),
            np.concatenate([np.zeros((0, most)), *(wide(part.share, 0) for part in parts)]),
        )

    def __len__(self) -> int:
        return len(self.saving)

    @property
    def saved(self) -> FloatArray:
        """(S,) what each saves, without what was added for joining."""
        return np.asarray(self.saving - JOINED * ((self.members >= 0).sum(axis=1) - 1))

    def where(self, kept: BoolArray | IntArray) -> UnitSets:
        """Some of them."""
        return UnitSets(self.members[kept], self.saving[kept], self.share[kept])

    def sums(self, of_units: FloatArray) -> FloatArray:
        """(S,) the sum over the members of each set."""
        held = np.where(self.members >= 0, of_units[self.members], 0.0)
        return np.asarray(held.sum(axis=1))


@dataclass(frozen=True, eq=False)
class FoundSets:
    """What a search for sets came to."""

    sets: UnitSets
    whole: bool  # were all looked at, or were there too many?


@dataclass(frozen=True, eq=False)
class _Partial:
    """Sets of one size that are being grown."""

    members: IntArray  # (S, size)
    inner: FloatArray  # (S, size) what each member gains from the others
    worth: FloatArray  # (S,)

    def __len__(self) -> int:
        return len(self.worth)

    def where(self, kept: BoolArray | IntArray) -> _Partial:
        """Some of them."""
        return _Partial(self.members[kept], self.inner[kept], self.worth[kept])

    @classmethod
    def joined(cls, parts: list[_Partial], size: int) -> _Partial:
        """Blocks put together again."""
        return cls(
            np.concatenate([np.zeros((0, size), np.int64), *(part.members for part in parts)]),
            np.concatenate([np.zeros((0, size)), *(part.inner for part in parts)]),
            np.concatenate([np.zeros(0), *(part.worth for part in parts)]),
        )


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

    def all(self, limit: int) -> FoundSets:
        """Every set that leaving no member out would improve."""
        return self._grown(None, 0.0, limit)

    def worth(self, price: FloatArray, least: float, limit: int) -> FoundSets:
        """Those of them that save more than the prices of their units and `least`."""
        return self._grown(EACH - price, least, limit)

    def around_each(self) -> UnitSets:
        """For each unit the nearest of every other annotator, as far as these are close to each other."""
        nearest = self._nearest()
        members = np.full((self.size, self.most), -1, dtype=np.int64)
        inner = np.zeros((self.size, self.most))
        rows = np.arange(self.size)
        members[rows, self.annotator] = rows
        for person in range(self.most):
            new = np.where(members[:, person] < 0, nearest[:, person], -1)
            gains, close = np.zeros((self.size, self.most)), new >= 0
            for other in range(self.most):
                held = close & (members[:, other] >= 0)
                low, high = np.minimum(new, members[:, other]), np.maximum(new, members[:, other])
                place, there = self._find(low, high)
                gains[held, other] = self.pairs.gain[place[held]]
                close &= ~held | there
            close &= EACH + gains.sum(axis=1) > TOLERANCE
            members[close, person] = new[close]
            inner[close] += gains[close]
            inner[close, person] = gains[close].sum(axis=1)
        return _packed(members, inner)

    def _nearest(self) -> IntArray:
        """(U, n) of every annotator the unit that is most like each unit; −1 where none is close."""
        pairs = self.pairs
        one, other = np.concatenate((pairs.first, pairs.second)), np.concatenate((pairs.second, pairs.first))
        order = np.lexsort((other, np.tile(pairs.unlike, 2), self.annotator[other], one))
        one, other = one[order], other[order]
        best = np.ones(len(one), dtype=np.bool_)
        best[1:] = (one[1:] != one[:-1]) | (self.annotator[other[1:]] != self.annotator[other[:-1]])
        nearest = np.full((self.size, self.most), -1, dtype=np.int64)
        nearest[one[best], self.annotator[other[best]]] = other[best]
        return nearest

    def _grown(self, keep: FloatArray | None, least: float, limit: int) -> FoundSets:
        """Sets by size; `keep` is what is left of each unit's own cost after its price."""
        partial = _Partial(
            np.arange(self.size)[:, None],
            np.zeros((self.size, 1)),
            np.zeros(self.size) if keep is None else keep - EACH,
        )
        found: list[UnitSets] = []
        whole = True
        for size in range(2, self.most + 1):
            parts: list[_Partial] = []
            best = None if keep is None else self._best_neighbours(keep / size)
            for rows in self._blocks(partial.members[:, -1]):
                parts.append(self._promising(self._one_more(partial.where(rows), keep), best, least))
                whole = whole and (keep is not None or sum(map(len, parts)) <= limit)
                if not whole and keep is None:
                    return FoundSets(UnitSets.joined(found), whole=False)
            partial = _Partial.joined(parts, size)
            if len(partial) > limit and best is not None:
                whole = False
                best_first = np.argsort(-self._bound(partial, best), kind="stable")
                partial = partial.where(np.sort(best_first[:limit]))
            final = (EACH + partial.inner > TOLERANCE).all(axis=1)
            if keep is not None:
                final &= partial.worth > least
            found.append(_as_sets(partial.members[final], partial.inner[final], size))
        return FoundSets(UnitSets.joined(found), whole)

    def _blocks(self, last: IntArray) -> list[IntArray]:
        """Sets whose last units have so many followers that they can be grown at once."""
        followers = self._begins[last + 1] - self._begins[last]
        block = np.cumsum(followers) // AT_ONCE
        return np.split(np.arange(len(last)), np.nonzero(np.diff(block))[0] + 1)

    def _promising(self, partial: _Partial, best: FloatArray | None, least: float) -> _Partial:
        """Sets that may still come to something with units of later annotators."""
        room = (self.later / self.number)[partial.members[:, -1]]
        kept: BoolArray = np.asarray((EACH + partial.inner + room[:, None] > TOLERANCE).all(axis=1))
        if best is not None:
            kept[kept] = self._bound(partial.where(kept), best) > least
        return partial.where(kept)

    def _one_more(self, partial: _Partial, keep: FloatArray | None) -> _Partial:
        """Every set with one unit more, of a later annotator, that is close to all of its members."""
        members = partial.members
        last = members[:, -1]
        row, pair = rows_and_places(self._begins[last], self._begins[last + 1])
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
        return _Partial(
            np.column_stack((members[row], new)),
            np.column_stack((partial.inner[row] + gains, total)),
            partial.worth[row] + more,
        )

    def _find(self, first: IntArray, second: IntArray) -> tuple[IntArray, BoolArray]:
        """The pair of two units, and whether there is one."""
        place = found_at(self._key, first * self.size + second)
        return place, place >= 0

    def _best_neighbours(self, keep: FloatArray) -> FloatArray:
        """(U, n) the most that a unit of each later annotator adds to a unit."""
        best = np.full((self.size, self.most), -np.inf)
        pairs = self.pairs
        np.maximum.at(best, (pairs.first, self.annotator[pairs.second]), keep[pairs.second] + pairs.gain)
        return best

    def _bound(self, partial: _Partial, best: FloatArray) -> FloatArray:
        """(S,) the most that a set can be worth with units of later annotators besides.

        What one unit more adds is its own part and its gains with all members: at most the sum over members of the most
        that an even share of its part and one gain can be.
        """
        members = partial.members
        more = best[members[:, 0]]
        for column in range(1, members.shape[1]):
            more = more + best[members[:, column]]
        number = self.number[members[:, 0]][:, None]
        more[np.arange(self.most) <= self.annotator[members[:, -1]][:, None]] = -np.inf
        more = -np.sort(-more, axis=1)
        joining = np.arange(1, self.most + 1)
        totals = np.cumsum(more, axis=1) + joining * (joining - 1) / 2 / number
        return np.asarray(partial.worth + np.maximum(totals.max(axis=1), 0))


def _as_sets(members: IntArray, inner: FloatArray, size: int) -> UnitSets:
    """Sets of one size."""
    even = EACH * (size - 1) / size
    return UnitSets(members, EACH * (size - 1) + inner.sum(axis=1) / 2, even + inner / 2)


def _packed(members: IntArray, inner: FloatArray) -> UnitSets:
    """Sets with gaps between their members, without them; sets of one unit and repeated ones are none."""
    size = (members >= 0).sum(axis=1)
    useful = (size > 1) & ((members < 0) | (EACH + inner > TOLERANCE)).all(axis=1)
    _, first = np.unique(members[useful], axis=0, return_index=True)
    members, inner, size = members[useful][first], inner[useful][first], size[useful][first]
    order = np.argsort(members < 0, axis=1, kind="stable")
    members, inner = np.take_along_axis(members, order, 1), np.take_along_axis(inner, order, 1)
    share = np.where(members >= 0, (EACH * (size - 1) / np.maximum(size, 1))[:, None] + inner / 2, 0.0)
    return UnitSets(members, EACH * (size - 1) + inner.sum(axis=1) / 2, share)
