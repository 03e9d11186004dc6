"""How alike two sets of labels are by Bhowmick et al.: the share of label pairs on which both say the same.

A set answers yes or no to every label, and so one of [0 0], [0 1], [1 0], [1 1] to every pair of labels. With C labels
of which the sets A and B differ on d, they agree on (C − d)(C − d − 1)/2 of the C(C − 1)/2 pairs. On
|A∖B| · |B∖A| further pairs one says [1 0] and the other [0 1]: `exchange` is the credit for that, pair by pair.
The paper clubs the two on the chance side, which is a credit of 1.

Both are polynomials of how many labels A, B and both hold, and of how many pairs of labels both hold; so a sum over
shares of thousands of sets needs the sums for each label and for each pair of labels that some set holds, and no table
of sets × sets is made.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, dot
from accord.annotations.tally import ranges

CELLS_AT_ONCE = 4_000_000  # numbers held at a time; bounds memory, not results
FEW_SETS = 64  # of so many a table of sets × sets is made at once: it takes less than the sums over labels
MOST_HELD = 8_000_000  # pairs of labels in sets that are listed; of more, sets are compared one with another


@dataclass(frozen=True, eq=False)
class LabelPairs:
    """The share of label pairs to which two sets answer the same, with some credit for an exchange of two labels."""

    held: BoolArray  # (K, C) does set k hold label c?
    exchange: FloatArray | float  # the credit for [1 0] against [0 1]: one, or (C, C) symmetric, 0 on the diagonal
    name: str = "label-pairs"
    is_identity: bool = False

    @property
    def labels(self) -> int:
        """How many labels there are."""
        return int(self.held.shape[1])

    @property
    def pairs(self) -> float:
        """How many pairs of labels there are; NaN for none, so that nothing is a share of them."""
        number = self.labels * (self.labels - 1) / 2
        return number if number else np.nan

    @cached_property
    def diagonal(self) -> FloatArray:
        """A set is fully like itself."""
        return np.full(len(self.held), 1.0 if self.labels > 1 else np.nan)

    def between(self, left: IntArray, right: IntArray) -> FloatArray:
        """Pairs of labels answered alike, by counting bits, and the credit for exchanges."""
        total = np.empty(len(left))
        step = max(1, CELLS_AT_ONCE // max(self.labels, 1))
        for first in range(0, len(left), step):
            part = slice(first, first + step)
            total[part] = self._alike(left[part], right[part])
        return total / self.pairs

    def apply(self, shares: FloatArray) -> FloatArray:
        """Sums over all sets through labels and pairs of labels; set by set of few, and where they hold too many."""
        if len(self.held) <= FEW_SETS:
            return np.asarray(shares @ self._table)
        rows = shares.reshape(-1, shares.shape[-1])
        held = float((self._sizes * (self._sizes - 1)).sum() / 2)
        if held > min(MOST_HELD, len(self.held) ** 2 * self._bits.shape[1]):
            return self._apply_directly(shares)
        out = np.empty_like(rows)
        step = max(1, CELLS_AT_ONCE // max(self._both.shape[1], *self.held.shape, 1))
        for first in range(0, len(rows), step):
            part = slice(first, first + step)
            out[part] = self._summed(rows[part]) / self.pairs
        return out.reshape(shares.shape)

    def only(self, labels: list[int]) -> LabelPairs:
        """The same as if there were no other labels."""
        credit = self.exchange
        return LabelPairs(self.held[:, labels], credit if isinstance(credit, float) else credit[np.ix_(labels, labels)])

    # -- inside -----------------------------------------------------------------------------------------------------

    @cached_property
    def _bits(self) -> npt.NDArray[np.uint64]:
        """(K, words) 64 labels a word."""
        words = max((self.labels + 63) // 64, 1)
        padded = np.zeros((len(self.held), words * 64), dtype=np.bool_)
        padded[:, : self.labels] = self.held
        packed = np.packbits(padded.reshape(len(self.held), words, 64), axis=-1, bitorder="little")
        return packed.view(np.uint64).reshape(len(self.held), words)

    @cached_property
    def _table(self) -> FloatArray:
        """(K, K) how alike every two sets are."""
        sets = np.arange(len(self.held))
        return self.between(np.repeat(sets, len(sets)), np.tile(sets, len(sets))).reshape(len(sets), len(sets))

    @cached_property
    def _sizes(self) -> FloatArray:
        return np.asarray(self.held.sum(axis=1), dtype=np.float64)

    @cached_property
    def _incidence(self) -> Any:
        """(K, C) the same as `held`, sparse."""
        from scipy.sparse import csr_array

        return csr_array(self.held, dtype=np.float64)

    @cached_property
    def _listed(self) -> tuple[IntArray, IntArray, IntArray]:
        """Every two labels that some set holds, as one number (P,); and of each set every two: set and place in it."""
        begins, number = self._incidence.indptr.astype(np.int64), self._sizes.astype(np.int64)
        place, label = np.arange(begins[-1]), self._incidence.indices.astype(np.int64)
        later = np.repeat(begins[1:], number) - place - 1  # labels of the set after each
        code = np.repeat(label, later) * self.labels + label[ranges(place + 1, later)]
        pairs, pair = np.unique(code, return_inverse=True)
        return pairs, np.repeat(np.repeat(np.arange(len(self.held)), number), later), pair

    @cached_property
    def _both(self) -> Any:
        """(K, P) which sets hold both labels of a pair, of every pair that some set holds; sparse.

        An array would take 0.73 seconds of the processor for 0.17, of 100,000 items with 20 labels.
        """
        from scipy.sparse import csr_array

        pairs, which, pair = self._listed
        return csr_array((np.ones(len(which)), (which, pair)), shape=(len(self.held), len(pairs)))

    @cached_property
    def _credits(self) -> FloatArray | float:
        """The credit of each of these pairs of labels, or the one of all."""
        if isinstance(self.exchange, float):
            return self.exchange
        return np.asarray(self.exchange[np.divmod(self._listed[0], max(self.labels, 1))])

    @cached_property
    def _own_credits(self) -> Any:
        """(K, C) for each label of a set the credits with its other labels; sparse."""
        if isinstance(self.exchange, float):
            return self._incidence.multiply((self.exchange * (self._sizes - 1))[:, None]).tocsr()
        return self._incidence.multiply(self._incidence @ self.exchange).tocsr()

    def _alike(self, left: IntArray, right: IntArray) -> FloatArray:
        """How many pairs of labels each two sets answer alike."""
        one, other = self._bits[left], self._bits[right]
        alike = self.labels - _ones(one ^ other)
        total = alike * (alike - 1) / 2
        if isinstance(self.exchange, float):
            return np.asarray(total + self.exchange * _ones(one & ~other) * _ones(other & ~one))
        only_one, only_other = (self.held[left] & ~self.held[right]), (self.held[right] & ~self.held[left])
        return np.asarray(total + dot(only_one @ self.exchange, only_other.astype(np.float64)))

    def _summed(self, shares: FloatArray) -> FloatArray:
        """(n, K) of (n, K) shares, in pairs of labels.

        With s labels and t pairs of labels shared, sets of a and b labels differ on d = a + b − 2 s, where
        s² = s + 2 t. Labels that only one holds meet labels that only the other holds (a − s)(b − s) times; with
        credits E, that is aᵀEb less what meets within a and within b, and twice the credits of shared pairs.
        """
        held, both, size, labels = self._incidence, self._both, self._sizes, self.labels
        total, first, second = (shares @ np.stack((size**0, size, size**2), axis=1)).T[..., None]
        by_label = shares @ held
        by_pair = shares @ both
        shared, sized = by_label @ held.T, ((shares * size) @ held) @ held.T
        differ = size * total + first - 2 * shared
        squared = size**2 * total + 2 * size * first + second - 4 * size * shared - 4 * sized
        squared += 4 * shared + 8 * (by_pair @ both.T)
        alike = (labels * (labels - 1) * total - (2 * labels - 1) * differ + squared) / 2
        within = by_label @ self._own_credits.T + (shares @ self._own_credits) @ held.T
        return np.asarray(alike + self._met(by_label) - within + 2 * ((by_pair * self._credits) @ both.T))

    def _met(self, by_label: FloatArray) -> FloatArray:
        """Σ of the credits between every label of one set and every label of the others."""
        if isinstance(self.exchange, float):
            turned = self.exchange * (by_label.sum(axis=1, keepdims=True) - by_label)
        else:
            turned = by_label @ self.exchange
        return np.asarray(turned @ self._incidence.T)

    def _apply_directly(self, shares: FloatArray) -> FloatArray:
        out, everyone = np.empty_like(shares), np.arange(len(self.held))
        step = max(1, CELLS_AT_ONCE // max(len(everyone) * self._bits.shape[1], 1))
        for first in range(0, len(everyone), step):
            rows = everyone[first : first + step]
            left, right = np.repeat(rows, len(everyone)), np.tile(everyone, len(rows))
            out[..., rows] = shares @ self.between(left, right).reshape(len(rows), len(everyone)).T
        return out


def _ones(words: npt.NDArray[np.uint64]) -> IntArray:
    """How many bits are set in each row."""
    return np.asarray(np.bitwise_count(words).sum(axis=-1, dtype=np.int64))


CLUBBED = 1.0  # full credit for every exchange: [0 1] and [1 0] are one and the same combination
