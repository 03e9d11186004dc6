"""The best alignment of what several annotators marked: which unit of one is which unit of the others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up
from accord.annotations.tally import blocks
from accord.spans.set_packing import SETS_A_UNIT, best_packing, generated_packing
from accord.spans.stacked_continua import Continua, Dissimilarity, TooMany, close_pairs
from accord.spans.unit_sets import SetSearch, UnitSets

UNITS_AT_ONCE = 40_000


@dataclass(frozen=True, eq=False)
class Alignment:
    """Every unit of some continua in one unitary alignment: a set of units, at most one of each annotator.

    `sets` are those of two units and more; all other units are alone.
    """

    continua: Continua
    sets: UnitSets

    @cached_property
    def disorder(self) -> FloatArray:
        """(B,) what the alignment of each continuum costs, in units of Δ∅: the sum, not divided by the mean units."""
        where = self.continua.continuum[self.sets.members[:, 0]]
        return self.continua.units - add_up(where, self.sets.saved, len(self.continua))

    @cached_property
    def normalised(self) -> FloatArray:
        """(B,) the published disorder: divided by the mean number of units per annotator; 0 where nobody marked any."""
        mean = self.continua.mean_units
        return np.divide(self.disorder, mean, out=np.zeros(len(mean)), where=mean > 0)

    @cached_property
    def n_unitary(self) -> IntArray:
        """(B,) of how many unitary alignments each consists."""
        where = self.continua.continuum[self.sets.members[:, 0]]
        joined = (self.sets.members >= 0).sum(axis=1) - 1
        return (self.continua.units - add_up(where, joined, len(self.continua))).astype(np.int64)

    @cached_property
    def group(self) -> IntArray:
        """(U,) the unitary alignment of each unit, numbered in the order of their first units."""
        first = np.arange(self.continua.n_units)
        held = self.sets.members >= 0
        first[self.sets.members[held]] = np.broadcast_to(self.sets.members[:, :1], held.shape)[held]
        return np.unique(first, return_inverse=True)[1].astype(np.int64)

    @property
    def n_groups(self) -> int:
        """Unitary alignments in all."""
        return int(self.n_unitary.sum())

    @cached_property
    def costs(self) -> tuple[FloatArray, IntArray]:
        """(G,) the disorder of every unitary alignment, and how many units it has."""
        size = np.bincount(self.group, minlength=self.n_groups)
        cost = np.ones(self.n_groups)
        cost[self.group[self.sets.members[:, 0]]] = (self.sets.members >= 0).sum(axis=1) - self.sets.saved
        return cost, size


def best_alignment(continua: Continua, dissimilarity: Dissimilarity) -> Alignment:
    """The alignment of least disorder of each continuum, exact; of equally good ones that of fewest sets."""
    sets = [
        _shifted(_aligned(continua.part(first, last), dissimilarity), int(continua.bounds[first]))
        for first, last in blocks(continua.bounds, UNITS_AT_ONCE)
    ]
    return Alignment(continua, UnitSets.joined(sets))


def _shifted(sets: UnitSets, by: int) -> UnitSets:
    """The same of units with other numbers."""
    return UnitSets(np.where(sets.members >= 0, sets.members + by, -1), sets.saving, sets.share)


def _aligned(continua: Continua, dissimilarity: Dissimilarity) -> UnitSets:
    """All at once, or by halves where that is too many."""
    try:
        search = SetSearch(continua, close_pairs(continua, dissimilarity))
        found = search.all(SETS_A_UNIT * continua.n_units)
    except TooMany:
        if len(continua) == 1:
            raise
        found = None
    if found is not None and found.whole:
        return best_packing(found.sets, continua.n_units)
    if found is not None and len(continua) == 1:
        return generated_packing(search)
    half = len(continua) // 2
    parts = (continua.part(0, half), continua.part(half, len(continua)))
    begins = (0, int(continua.bounds[half]))
    return UnitSets.joined(
        [_shifted(_aligned(part, dissimilarity), by) for part, by in zip(parts, begins, strict=True)]
    )
