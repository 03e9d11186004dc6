"""How alike two sets of labels are by the labels that both hold: Jaccard, Dice, MASI.

Two sets that share no label have nothing in common. So sums over thousands of different sets go over the pairs that
share one, found by a sparse product; a table of sets × sets is made only where it is small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray

CELLS_AT_ONCE = 4_000_000  # of sets × sets held at a time; bounds memory, not results
KEPT = 16  # sums that are remembered: every coefficient of a study asks for those of the same shares

# of how many labels are shared, how many one set holds and how many the other
Alike: TypeAlias = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]


def jaccard(shared: FloatArray, left: FloatArray, right: FloatArray) -> FloatArray:
    """Shared labels as a share of all labels in either set. Two empty sets are the same answer."""
    either = left + right - shared
    return np.divide(shared, either, out=np.ones_like(either), where=either > 0)


def dice(shared: FloatArray, left: FloatArray, right: FloatArray) -> FloatArray:
    """Shared labels as a share of the sets' mean size (F1 between the two)."""
    return np.divide(2 * shared, left + right, out=np.ones_like(shared), where=left + right > 0)


def masi(shared: FloatArray, left: FloatArray, right: FloatArray) -> FloatArray:
    """Passonneau 2006: Jaccard × monotonicity (1 same, 2/3 one holds the other, 1/3 they overlap, 0 disjoint).

    The other definition in circulation (DKPro) multiplies Jaccard's *distance* by the monotonicity weight.
    """
    same = (shared == left) & (shared == right)
    nested = (shared == np.minimum(left, right)) & (shared > 0)
    monotone = np.where(same, 1.0, np.where(nested, 2 / 3, np.where(shared > 0, 1 / 3, 0.0)))
    return jaccard(shared, left, right) * monotone


BETWEEN_SETS: dict[str, Alike] = {"jaccard": jaccard, "dice": dice, "masi": masi}


@dataclass(frozen=True, eq=False)
class BySharedLabels:
    """Sets that are alike by the number of labels they share and hold."""

    held: BoolArray  # (K, C) does set k hold label c?
    alike: Alike
    name: str
    is_identity: bool = False
    _sums: dict[bytes, FloatArray] = field(default_factory=dict)

    def between(self, left: IntArray, right: IntArray) -> FloatArray:
        """The rule, pair by pair."""
        found = np.empty(len(left))
        step = max(1, CELLS_AT_ONCE // max(int(self._sizes.max(initial=1)), 1))
        for first in range(0, len(left), step):
            part = slice(first, first + step)
            one, other = left[part], right[part]
            shared = np.asarray(self._incidence[one].multiply(self._incidence[other]).sum(axis=1), dtype=np.float64)
            found[part] = self.alike(shared.reshape(-1), self._sizes[one], self._sizes[other])
        return found

    def apply(self, shares: FloatArray) -> FloatArray:
        """Sums over all sets; those of a few shares are remembered."""
        rows = shares.reshape(-1, shares.shape[-1])
        if len(rows) > KEPT:
            return self._summed(rows).reshape(shares.shape)
        keys = [row.tobytes() for row in rows]
        known = {key: self._sums[key] for key in keys if key in self._sums}
        new = [place for place, key in enumerate(keys) if key not in known]
        if new:
            known |= dict(zip([keys[place] for place in new], self._summed(rows[new]), strict=True))
            if len(self._sums) + len(new) > KEPT:
                self._sums.clear()
            self._sums.update(known)
        return np.stack([known[key] for key in keys]).reshape(shares.shape)

    def table(self) -> FloatArray:
        """(K, K) how alike every two are."""
        found = np.empty((len(self.held), len(self.held)))
        for first, last, block in self._blocks():
            found[first:last] = block.toarray()
        found[np.ix_(self._empty, self._empty)] = self.diagonal[self._empty]
        return found

    @cached_property
    def diagonal(self) -> FloatArray:
        """A set is fully like itself, an empty one too."""
        return np.asarray(self.alike(self._sizes, self._sizes, self._sizes))

    # -- inside -----------------------------------------------------------------------------------------------------

    @cached_property
    def _sizes(self) -> FloatArray:
        return np.asarray(self.held.sum(axis=1), dtype=np.float64)

    @cached_property
    def _empty(self) -> IntArray:
        """Sets without a label share none, and are the same answer nevertheless."""
        return np.nonzero(self._sizes == 0)[0]

    @cached_property
    def _incidence(self) -> Any:
        """(K, C) the same as `held`, sparse."""
        from scipy.sparse import csr_array

        return csr_array(self.held, dtype=np.float64)

    def _blocks(self) -> Iterator[tuple[int, int, Any]]:
        """Some rows of the table at a time, from the first up to the last, without the pairs that share nothing."""
        others = self._incidence.T.tocsr()
        step = max(1, CELLS_AT_ONCE // max(len(self.held), 1))
        for first in range(0, len(self.held), step):
            last = min(first + step, len(self.held))
            block = self._incidence[first:last] @ others
            one = np.repeat(self._sizes[first:last], np.diff(block.indptr))
            block.data = self.alike(block.data, one, self._sizes[block.indices])
            yield first, last, block

    def _summed(self, shares: FloatArray) -> FloatArray:
        """(n, K) of (n, K) shares."""
        found = np.empty_like(shares)
        for first, last, block in self._blocks():
            found[:, first:last] = (block @ shares.T).T
        found[:, self._empty] = shares[:, self._empty].sum(axis=1, keepdims=True)
        return found
