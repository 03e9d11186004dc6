"""How alike two sets of labels are by Bhowmick et al.: the share of label pairs on which both say the same.

A set answers yes or no to every label, and so one of [0 0], [0 1], [1 0], [1 1] to every pair of labels. With C labels
of which the sets A and B differ on d, they agree on (C − d)(C − d − 1)/2 of the C(C − 1)/2 pairs. On
|A∖B| · |B∖A| further pairs one says [1 0] and the other [0 1]: `exchange` is the credit for that, pair by pair.
The paper clubs the two on the chance side, which is a credit of 1.

With u = ±1 for each label, q = u_a u_b for each pair and L the Laplacian of the credits, the weight is bilinear,

    w C(C − 1)/2 = Σ 1/4 + Σ s/8 + uᵀ((C − 1)/4 − L/8) v + Σ (1/4 + s/8) q q′ − Σ s (q + q′)/8,

so a sum over shares of thousands of sets costs their number times the number of label pairs, and no table of sets ×
sets is made.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, dot

CELLS_AT_ONCE = 4_000_000  # of sets × label pairs held at a time; bounds memory, not results


@dataclass(frozen=True, eq=False)
class LabelPairs:
    """The share of label pairs to which two sets answer the same, with some credit for an exchange of two labels."""

    held: BoolArray  # (K, C) does set k hold label c?
    exchange: FloatArray  # (C, C) symmetric, 0 on the diagonal: the credit for [1 0] against [0 1]
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
        one, other = self._bits[left], self._bits[right]
        alike = self.labels - _ones(one ^ other)
        total = alike * (alike - 1) / 2
        if self._uniform is None:
            total += self._exchanged(left, right)
        elif self._uniform:
            total += self._uniform * _ones(one & ~other) * _ones(other & ~one)
        return np.asarray(total / self.pairs, dtype=np.float64)

    def apply(self, shares: FloatArray) -> FloatArray:
        """Sums over all sets through their moments; set by set where label pairs are more than sets."""
        if self.labels * (self.labels - 1) // 2 > len(self.held):
            return self._apply_directly(shares)
        moments = sum(shares[..., rows] @ self._features(rows) for rows in self._blocks)
        if isinstance(moments, int):  # no sets at all
            return shares
        turned = self._turned(np.asarray(moments))
        out = np.empty_like(shares)
        for rows in self._blocks:
            out[..., rows] = turned @ self._features(rows).T
        return out

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
    def _uniform(self) -> float | None:
        """The credit, if it is the same for every pair of labels."""
        credit = self.exchange[self._triangle]
        if not len(credit):
            return 0.0
        return float(credit[0]) if (credit == credit[0]).all() else None

    def _exchanged(self, left: IntArray, right: IntArray) -> FloatArray:
        """Σ of the credits between labels that only one set holds and labels that only the other does."""
        total = np.empty(len(left))
        step = max(1, CELLS_AT_ONCE // max(self.labels, 1))
        for first in range(0, len(left), step):
            part = slice(first, first + step)
            one, other = self.held[left[part]], self.held[right[part]]
            total[part] = dot((one & ~other) @ self.exchange, (other & ~one).astype(np.float64))
        return total

    @cached_property
    def _triangle(self) -> tuple[IntArray, IntArray]:
        return np.triu_indices(self.labels, 1)

    @property
    def _blocks(self) -> list[slice]:
        width = 1 + self.labels + len(self._triangle[0])
        step = max(1, CELLS_AT_ONCE // width)
        return [slice(first, min(first + step, len(self.held))) for first in range(0, len(self.held), step)]

    def _features(self, rows: slice) -> FloatArray:
        """(rows, 1 + C + pairs): 1, u = ±1 for each label, and the products of each two."""
        u = np.where(self.held[rows], 1.0, -1.0)
        one, other = self._triangle
        return np.concatenate((np.ones((len(u), 1)), u, u[:, one] * u[:, other]), axis=1)

    def _turned(self, moments: FloatArray) -> FloatArray:
        """The bilinear form times the moments of shares."""
        size, one, u, q = (
            self.labels,
            moments[..., :1],
            moments[..., 1 : 1 + self.labels],
            moments[..., 1 + self.labels :],
        )
        credit = self.exchange[self._triangle]
        laplacian = np.diag(self.exchange.sum(0)) - self.exchange
        first = one * (self.pairs / 4 + credit.sum() / 8) - (q @ credit)[..., None] / 8
        middle = (size - 1) / 4 * u - u @ laplacian / 8
        last = (0.25 + credit / 8) * q - credit / 8 * one
        return np.concatenate((first, middle, last), axis=-1) / self.pairs

    def _apply_directly(self, shares: FloatArray) -> FloatArray:
        out, everyone = np.empty_like(shares), np.arange(len(self.held))
        step = max(1, CELLS_AT_ONCE // max(len(everyone), 1))
        for first in range(0, len(everyone), step):
            rows = everyone[first : first + step]
            left, right = np.repeat(rows, len(everyone)), np.tile(everyone, len(rows))
            out[..., rows] = shares @ self.between(left, right).reshape(len(rows), len(everyone)).T
        return out


def _ones(words: npt.NDArray[np.uint64]) -> IntArray:
    """How many bits are set in each row."""
    return np.asarray(np.bitwise_count(words).sum(axis=-1, dtype=np.int64))


def clubbed(size: int) -> FloatArray:
    """Full credit for every exchange: [0 1] and [1 0] are one and the same combination."""
    return np.ones((size, size)) - np.eye(size)
