"""What every document of two annotators amounts to: how much they marked, and how much of it is matched, by label."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up
from accord.spans.continuum import Continuum
from accord.spans.matching import Matched
from accord.spans.shared_documents import SharedDocuments, of_both


@dataclass(frozen=True, eq=False)
class Amounts:
    """Marks of both annotators of each shared document together, and matches, by label."""

    shared: SharedDocuments
    matched: Matched
    marked_at: IntArray  # (S,) shared and labels with a mark
    marked_label: IntArray  # (S,)
    marked: FloatArray  # (S,) marks of the two together

    @classmethod
    def of(cls, continuum: Continuum, shared: SharedDocuments, found: Matched) -> Amounts:
        """Matches of every shared document, beside all marks of both: by annotator first, as pairs may be many."""
        people, labels = len(continuum.annotators), max(len(continuum.labels), 1)
        cells, number = np.unique(
            (continuum.document * people + continuum.annotator) * labels + continuum.label, return_counts=True
        )
        bounds = np.searchsorted(cells, np.arange(continuum.seen.size + 1) * labels)
        at_shared, cell, _ = of_both(shared, bounds)
        key, place = np.unique(at_shared * labels + cells[cell] % labels, return_inverse=True)
        return cls(shared, found, key // labels, key % labels, add_up(place, number[cell], len(key)))

    @classmethod
    def of_marks(
        cls, shared: SharedDocuments, found: Matched, at_shared: IntArray, label: IntArray, n_labels: int
    ) -> Amounts:
        """The same beside some marks, each with its shared document and label."""
        size = max(n_labels, 1)
        key, number = np.unique(at_shared * size + label, return_counts=True)
        return cls(shared, found, key // size, key % size, number.astype(np.float64))

    def of_labels(self, labels: BoolArray) -> Amounts:
        """Marks of some labels alone."""
        held, kept = labels[self.matched.label], labels[self.marked_label]
        found = Matched(self.matched.at_shared[held], self.matched.label[held], self.matched.amount[held])
        return Amounts(self.shared, found, self.marked_at[kept], self.marked_label[kept], self.marked[kept])

    @cached_property
    def by_shared(self) -> tuple[FloatArray, FloatArray]:
        """(M,) twice the matches, and the marks of both."""
        size = len(self.shared)
        return 2 * self.matched.by_shared(size), add_up(self.marked_at, self.marked, size)
