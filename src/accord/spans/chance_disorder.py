"""The disorder of documents and what chance would give them: best alignments of what was marked, and of samples."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias, get_args

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.errors import OptionError
from accord.spans.alignment import UNITS_AT_ONCE, Alignment, best_alignment
from accord.spans.chance_continua import AT_ONCE, Sampler, chance_continua, side_by_side
from accord.spans.continuum import Continuum
from accord.spans.stacked_continua import Continua, Dissimilarity, position

Variant: TypeAlias = Literal["paper", "pygamma"]
VARIANTS = get_args(Variant)
MOST_SAMPLES = 100_000
UNCOUNTED = 1e15  # samples
NORMAL = 1.96  # as published, for 95 %


@dataclass(frozen=True)
class ChanceOptions:
    """How chance is drawn, and how exactly it is to be known."""

    alpha: float = 1.0
    beta: float = 1.0
    sampler: Sampler = "mathet"
    precision: float = 0.02
    seed: int = 0
    at_once: int = AT_ONCE  # samples drawn at a time, and at the least
    copies: bool = False  # are documents that are marked alike different ones, with samples of their own?

    @property
    def dissimilarity(self) -> Dissimilarity:
        """How unlike two units are."""
        return Dissimilarity(self.alpha, self.beta)


class Disorders:
    """Documents that two annotators saw, the disorder of each, and that of samples of each.

    Samples are drawn thirty at a time until the mean over them, of all documents together, is as exact as asked: until
    there are (1.96 · CV / precision)² of them, as published for one document; CV is their standard deviation by their
    mean.
    """

    def __init__(self, marked: Continuum, options: ChanceOptions, variant: Variant | None = None) -> None:
        self.marked, self.options, self.variant = marked, options, variant
        self.documents = np.nonzero(marked.seen.sum(axis=1) > 1)[0]  # (P,)
        self.continua = Continua.of(marked, self.documents.tolist())
        self._alone = [self.continua.part(place, place + 1) for place in range(len(self.documents))]
        self._like = self._first_alike()  # (P,)
        self._inked = [place for place in np.unique(self._like).tolist() if self._alone[place].n_units]
        size = len(marked.labels) + 1  # all labels together are the last
        self._ratio_sum = np.zeros((len(self.documents), size))
        self._ratio_count = np.zeros((len(self.documents), size))
        self.samples = self._drawn()  # (N, P) published disorders
        self.n_samples = len(self.samples)

    @cached_property
    def alignment(self) -> Alignment:
        """Of what was marked."""
        return best_alignment(self.continua, self.options.dissimilarity)

    @cached_property
    def mean_units(self) -> FloatArray:
        """(P,) how many units an annotator marked in each document, on average: what the document counts."""
        return self.alignment.continua.mean_units

    @cached_property
    def observed(self) -> FloatArray:
        """(P,) disorder × what the document counts."""
        return self.alignment.disorder

    @cached_property
    def expected(self) -> FloatArray:
        """(P,) the mean disorder of the samples × what the document counts."""
        return np.asarray(self.samples.mean(axis=0) * self.mean_units)

    @cached_property
    def variation(self) -> float:
        """The coefficient of variation over samples, of all documents together."""
        return _variation(self.samples @ self.mean_units)

    @property
    def reached(self) -> float:
        """The precision that so many samples have."""
        return NORMAL * self.variation / math.sqrt(self.n_samples)

    @cached_property
    def labels_observed(self) -> tuple[FloatArray, FloatArray]:
        """(P, labels + 1) confidence × how far labels differ, and confidence, over aligned pairs."""
        return self._label_sums(self.alignment, self.alignment.continua.continuum, len(self.documents))

    @cached_property
    def labels_of_groups(self) -> tuple[FloatArray, FloatArray]:
        """(G, labels + 1) the same of every unitary alignment."""
        return self._label_sums(self.alignment, self.alignment.group, self.alignment.n_groups)

    def labels_expected(self) -> FloatArray:
        """(P, labels + 1) the mean of their ratio over the samples that have one; NaN where none has."""
        return divide(self._ratio_sum, self._ratio_count)[self._like]

    def _first_alike(self) -> IntArray:
        """(P,) the first document with the same marks and so the same samples: these are drawn and aligned once."""
        if self.options.copies:
            return np.arange(len(self._alone))
        first: dict[tuple[bytes, ...], int] = {}
        return np.array([first.setdefault(held.content, place) for place, held in enumerate(self._alone)], np.int64)

    def _drawn(self) -> FloatArray:
        """Samples until they are enough."""
        turns: list[FloatArray] = []
        needed = at_once = self.options.at_once
        while at_once * len(turns) < needed:
            turns.append(self._turn(len(turns)))
            if at_once * len(turns) >= needed:
                needed = self._needed(np.concatenate(turns))
        return np.concatenate(turns)

    def _needed(self, samples: FloatArray) -> int:
        """How many samples the precision takes, as far as these show."""
        times = NORMAL * _variation(samples @ self.mean_units) / self.options.precision
        number = times * times  # the square of a very large one would be an error of Python's
        if number > MOST_SAMPLES:
            needed = f"{math.ceil(number):,}" if number < UNCOUNTED else f"more than {UNCOUNTED:,.0f}"
            raise OptionError.must(
                "precision", f"be larger, for this would take {needed} samples", self.options.precision
            )
        return math.ceil(number)

    def _turn(self, turn: int) -> FloatArray:
        """(at_once, P) the disorders of some samples of each document; 0 where nobody marked anything."""
        options, at_once, copies = self.options, self.options.at_once, self.options.copies
        found = np.zeros((at_once, len(self.documents)))
        for places in self._batches():
            parts = [
                chance_continua(
                    self._alone[place], options.sampler, options.seed, turn, at_once, place if copies else None
                )
                for place in places
            ]
            alignment = best_alignment(side_by_side(parts), options.dissimilarity)
            found[:, places] = alignment.normalised.reshape(len(places), at_once).T
            if self.variant is not None:
                above, below = self._label_sums(alignment, alignment.continua.continuum, len(alignment.continua))
                ratio = divide(above, below).reshape(len(places), at_once, -1)
                self._ratio_sum[places] += np.nansum(ratio, axis=1)
                self._ratio_count[places] += np.isfinite(ratio).sum(axis=1)
        return found[:, self._like]

    def _batches(self) -> list[list[int]]:
        """Documents whose samples are aligned together; of those that are alike the first."""
        batches: list[list[int]] = []
        held = math.inf
        for place in self._inked:
            units = self.options.at_once * self._alone[place].n_units
            if held + units > UNITS_AT_ONCE:
                batches.append([])
                held = 0
            batches[-1].append(place)
            held += units
        return batches

    def _label_sums(self, alignment: Alignment, row: IntArray, size: int) -> tuple[FloatArray, FloatArray]:
        """(size, labels + 1) Σ weight · labels differ and Σ weight, in the row of each unit."""
        assert self.variant is not None
        sums = _LabelSums(size, len(self.marked.labels), row)
        _aligned_pairs(alignment, sums, self.options.alpha if self.variant == "pygamma" else 1.0)
        if self.variant == "pygamma":
            _unaligned(alignment, sums)
        return sums.above, sums.below


def _variation(totals: FloatArray) -> float:
    """Standard deviation by mean; 0 where there is nothing."""
    mean = float(totals.mean()) if len(totals) else 0.0
    return float(totals.std()) / mean if mean > 0 else 0.0


class _LabelSums:
    """Sums by row and label, all labels together last."""

    def __init__(self, size: int, labels: int, row: IntArray) -> None:
        self.labels, self.row = labels, row
        self.above = np.zeros((size, labels + 1))
        self.below = np.zeros((size, labels + 1))

    def add(self, unit: IntArray, label: IntArray | int, weight: FloatArray, differs: FloatArray) -> None:
        """Pairs that touch a label, in the rows of their units."""
        size = self.below.size
        cell = self.row[unit] * (self.labels + 1) + label
        self.below += add_up(cell, weight, size).reshape(self.below.shape)
        self.above += add_up(cell, weight * differs, size).reshape(self.below.shape)


def _aligned_pairs(alignment: Alignment, sums: _LabelSums, steepness: float) -> None:
    """Pairs of units in one unitary alignment: each by its confidence max(0, 1 − d_pos), and by 1 / (units − 1)."""
    continua, members = alignment.continua, alignment.sets.members
    size = (members >= 0).sum(axis=1)
    for one in range(members.shape[1]):
        for other in range(one + 1, members.shape[1]):
            held = members[:, other] >= 0
            first, second = members[held, one], members[held, other]
            weight = np.maximum(1 - steepness * position(continua, first, second), 0) / (size[held] - 1)
            mine, yours = continua.label[first], continua.label[second]
            differs = (mine != yours).astype(np.float64)
            sums.add(first, sums.labels, weight, differs)
            sums.add(first, mine, weight, differs)
            apart = mine != yours
            sums.add(first[apart], yours[apart], weight[apart], differs[apart])


def _unaligned(alignment: Alignment, sums: _LabelSums) -> None:
    """pygamma-agreement's addition: every pair of a unit and nothing counts as a full difference."""
    continua, group = alignment.continua, alignment.group
    together = np.bincount(group)[group]
    missing = (continua.annotators[continua.continuum] - together).astype(np.float64)
    unit, ones = np.arange(continua.n_units), np.ones(continua.n_units)
    sums.add(unit, sums.labels, missing, ones)
    sums.add(unit, continua.label, missing, ones)
