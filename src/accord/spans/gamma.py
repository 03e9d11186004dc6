"""Gamma and gamma_cat: 1 − observed / expected disorder, one value for all documents."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, divide
from accord.annotations.tally import Tally
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.coefficients.measurable import Breakdown, Decomposition, Measurable, Parts, Within
from accord.coefficients.standard_errors import quantile
from accord.coefficients.units import OneOfEach, Units
from accord.errors import MeasureError, counted, some_annotators
from accord.spans.chance_disorder import ChanceOptions, Disorders, Variant
from accord.spans.continuum import Continuum
from accord.study.study import Study

FEWEST = 5  # unitary alignments of a document that can stand for a sample
MOST_PAIRS = 300  # of annotators, each of which has chance samples of its own
SAMPLERS_IN_WORDS = {
    "mathet": "annotators' own units, turned round the document by random shifts",
    "pygamma": "units made up with the numbers, gaps, lengths and labels of the document",
}


class Gamma(Measurable):
    """1 − Σ observed / Σ expected over documents, each by what it counts.

    What a document counts is its mean number of units per annotator; of gamma_cat its confidence in aligned pairs. So
    one document has the published value, and of several one that is twice as full counts twice.
    """

    smooth = True
    dealt_anew = False

    def __init__(
        self,
        disorders: Disorders,
        observed: FloatArray,
        expected: FloatArray,
        counts: FloatArray,
        *,
        label: int | None = None,
        of_labels: bool = False,
    ) -> None:
        self.disorders, self.label, self.of_labels = disorders, label, of_labels
        self.observed, self.expected, self.counts = observed, expected, counts
        self.times: FloatArray | None = None  # (P,) how much of each document there is, where not one of each
        seen = np.zeros(disorders.marked.n_documents, dtype=np.bool_)
        seen[disorders.documents] = True
        self._seen, self._units = seen, OneOfEach.of(seen)
        if label is not None:
            self.of_what = f"of {disorders.marked.labels[label]!r}"

    # -- the value ----------------------------------------------------------------------------------------------------

    @property
    def sample(self) -> OneOfEach:
        """The documents that two annotators saw."""
        return self._units

    @property
    def n_answers(self) -> int:
        """Annotators' answers to those documents; of one label, the units that have it."""
        marked = self.disorders.marked
        if self.label is None:
            return int(marked.seen[self._seen].sum())
        return int((self._seen[marked.document] & (marked.label == self.label)).sum())

    @property
    def n_units(self) -> int:
        """What was marked in those documents."""
        return self.disorders.alignment.continua.n_units

    def evaluate(self, number: FloatArray | IntArray) -> Parts:
        """The value for other numbers of each document."""
        observed, expected, counts = (number @ part for part in (self.observed, self.expected, self.counts))
        value = 1 - divide(np.asarray(observed), np.asarray(expected))
        return Parts(
            1 - divide(np.asarray(observed), np.asarray(counts)),
            1 - divide(np.asarray(expected), np.asarray(counts)),
            np.asarray(value),
        )

    def influence(self) -> FloatArray:
        """How far each document moves the value, times their number."""
        return np.asarray(self.influence_on(np.ones((1, len(self.observed))))[0])

    def influence_on(self, number: FloatArray) -> FloatArray:
        """(B, P) the same on resamples."""
        ratio = 1 - self.evaluate(number).value[:, None]
        mean = (number @ self.expected / number.sum(axis=1))[:, None]
        return np.asarray((ratio * self.expected - self.observed) / mean)

    @property
    def simulation_error(self) -> float:
        """The standard error that the value has from drawing so many samples and no others."""
        value = float(self.parts.value)
        return abs(1 - value) * self.disorders.variation / math.sqrt(self.disorders.n_samples)

    def within(self) -> Within | None:
        """Of one document: its unitary alignments as a sample, and the error of the samples besides.

        The value is 1 − R / c with R the disorder of all by their units (of gamma_cat: by confidence) and c a constant
        of chance; R is a ratio of sums over unitary alignments.
        """
        if len(self.observed) != 1 or not self.expected[0] > 0:
            return None
        if self.of_labels:
            place = len(self.disorders.marked.labels) if self.label is None else self.label
            above, below = (part[:, place] for part in self.disorders.labels_of_groups)
            above, below = above[below > 0], below[below > 0]
        else:
            above, units = self.disorders.alignment.costs
            below = units.astype(np.float64)
        number = len(above)
        if number < FEWEST:
            return None
        away = above - above.sum() / below.sum() * below
        spread = math.sqrt(number / max(number - 1, 1) * float(away @ away)) / float(self.expected[0])
        return Within(math.hypot(spread, self.simulation_error), number)

    def counted(self, number: FloatArray) -> Gamma:
        """Documents count, and are disordered, so many times as much."""
        found = self._afresh()
        found.times = number
        found.observed, found.expected, found.counts = (
            number * part for part in (self.observed, self.expected, self.counts)
        )
        return found

    # -- where from ---------------------------------------------------------------------------------------------------

    def decomposition(self) -> Decomposition:
        """Documents by the chance disorder they have; one where nobody marked anything weighs nothing."""
        return Decomposition(
            1 - divide(self.observed, self.counts),
            1 - divide(self.observed, self.expected),
            divide(self.expected, np.full(len(self.expected), self.expected.sum())),
        )

    def unit_columns(self) -> dict[str, list[Any]]:
        """How much was marked in each document, and in how many unitary alignments it falls."""
        alignment = self.disorders.alignment
        return {
            "units": alignment.continua.units.astype(np.int64).tolist(),
            "unitary_alignments": alignment.n_unitary.tolist(),
        }

    def of_label(self, label: int) -> Gamma:
        """gamma_k: how far aligned units agree on one label."""
        return gamma_of_labels(self._with_labels, label)

    @cached_property
    def _with_labels(self) -> Disorders:
        """The same documents with the labels of aligned units."""
        disorders = self.disorders
        if disorders.variant is not None:
            return disorders
        return Disorders(disorders.marked, disorders.options, "paper")

    def by_annotator(self, study: Study) -> Breakdown:
        """Each annotator: the sums over all pairs with them."""
        pairs = self._pairs
        rows = []
        for person in range(len(study.annotators)):
            mine = [part for both, part in pairs.items() if person in both]
            rows.append(_added(mine) if mine else (math.nan,) * 4)
        return Breakdown(*np.array(rows).reshape(-1, 4).T)

    def by_pair(self, named: Tally, pairs: AnnotatorPairs) -> Breakdown:
        """Every two annotators on the documents both saw, each with samples of its own."""
        found = self._pairs
        rows = [
            _added([found[both]]) if (both := (int(first), int(second))) in found else (math.nan,) * 4
            for first, second in zip(pairs.first, pairs.second, strict=True)
        ]
        return Breakdown(*np.array(rows).reshape(-1, 4).T)

    @cached_property
    def _pairs(self) -> dict[tuple[int, int], Gamma]:
        """Every two annotators who met, by their places."""
        marked = self.disorders.marked
        both = list(marked.pairs())
        if len(both) > MOST_PAIRS:
            raise MeasureError(
                f"{len(both):,} pairs of annotators saw common documents; gamma draws samples for each, of at most "
                f"{MOST_PAIRS:,} pairs. Choose some: ",
                some_annotators(),
                ".",
            )
        found = {pair: self._of(_two(marked, pair)) for pair in both}
        if self.times is None:
            return found
        times = np.ones(marked.n_documents)
        times[self.disorders.documents] = self.times
        return {pair: part.counted(times[part.disorders.documents]) for pair, part in found.items()}

    def _of(self, marked: Continuum) -> Gamma:
        """The same measure of other units."""
        disorders = Disorders(marked, self.disorders.options, self.disorders.variant)
        return gamma_of_labels(disorders, self.label) if self.of_labels else gamma_of_units(disorders)

    # -- in words -----------------------------------------------------------------------------------------------------

    def size_in_words(self, annotators: int) -> str:
        """Documents, annotators and units."""
        sizes = ((self.sample.n_items, "documents"), (annotators, "annotators"), (self.n_units, "units"))
        return f"{', '.join(counted(number, what) for number, what in sizes)}."

    def observed_in_words(self) -> str:
        """Disorder, of which agreement is only what is left."""
        parts = self.parts
        return f"observed disorder {1 - float(parts.observed):z.3f}, by chance {1 - float(parts.expected):z.3f}"

    def steps(self, undefined: str | None) -> list[str]:
        """Observed and expected disorder, and how the second was found."""
        disorders, parts = self.disorders, self.parts
        weight = "confidence in aligned pairs" if self.of_labels else "units per annotator"
        lines = [
            "",
            f"Step 1: the best alignment: {self.n_units:,} units in {int(disorders.alignment.n_unitary.sum()):,} "
            "unitary alignments",
            f"  observed disorder {1 - float(parts.observed):z.4f}, the mean over documents by {weight}",
            "",
            f"Step 2: {disorders.n_samples:,} samples of every document:",
            f"  {SAMPLERS_IN_WORDS[disorders.options.sampler]}",
            f"  expected disorder {1 - float(parts.expected):z.4f}, ± {100 * disorders.reached:.2g} %",
            "",
            "Step 3: 1 − observed / expected",
        ]
        return [*lines, f"  there is none: {undefined}" if undefined else f"  {float(parts.value):z.4f}"]

    def why_undefined(self) -> str | None:
        """Nobody met, nobody marked anything, or nothing can differ by chance."""
        if not len(self.disorders.documents):
            return "No two annotators saw the same document, so there is nothing to compare."
        if not self.n_units:
            return "Nobody marked anything in the documents that two annotators saw, so there is nothing to align."
        if self.of_labels and not self.counts.any():
            return "No two units are aligned, by annotators or by chance, so there are no labels to compare."
        if self.of_labels:
            return "Aligned units have one and the same label by chance too, so nothing can be better than that."
        return "Chance alone would give full agreement, so nothing can be better than that."

    def notes(self) -> tuple[str, ...]:
        """How chance was drawn and how exactly it is known; documents that do not count."""
        disorders = self.disorders
        if not self.n_units:
            return tuple(self._left_out())
        options = disorders.options
        moved = self.simulation_error  # none where there is no value
        drawn = (
            f"{disorders.n_samples:,} chance samples of every document by sampler {options.sampler!r}, seed "
            f"{options.seed}: expected disorder is known to {100 * disorders.reached:.2g} % (asked: "
            f"{100 * options.precision:g} %)"
            f"{'' if math.isnan(moved) else f', which moves the value by ± {quantile(0.95) * moved:.2g}'}."
        )
        return (drawn, *self._of_one(), *self._left_out())

    def _of_one(self) -> tuple[str, ...]:
        """What the interval of a single document is, and what it is not."""
        within = self.within()
        if within is None:
            return ()
        return (
            f"One document: the interval takes its {within.number:,} unitary alignments for a sample. It tells what "
            "another stretch of such a text would give, not what other texts would.",
        )

    def _left_out(self) -> list[str]:
        """Documents that do not count, and those that count nothing."""
        marked, found = self.disorders.marked, []
        alone = int((marked.seen.any(axis=1) & ~self._seen).sum())
        if alone:
            found.append(f"{counted(alone, 'documents')} that only one annotator saw: left out.")
        blank = int((self.disorders.mean_units == 0).sum())
        if blank:
            found.append(f"{counted(blank, 'documents')} where nobody marked anything: no disorder, by chance neither.")
        unlike = int(((self.counts == 0) & (self.disorders.mean_units > 0)).sum())
        if unlike:
            found.append(f"{counted(unlike, 'documents')} without aligned units, or without any by chance: left out.")
        return found


def _two(marked: Continuum, pair: tuple[int, int]) -> Continuum:
    """What two annotators marked in the documents that both saw."""
    seen = np.zeros_like(marked.seen)
    together = marked.seen[:, pair[0]] & marked.seen[:, pair[1]]
    seen[:, pair[0]] = seen[:, pair[1]] = together
    units = together[marked.document] & np.isin(marked.annotator, pair)
    return replace(marked.take(units), seen=seen)


def _added(parts: list[Gamma]) -> tuple[float, float, float, float]:
    """Observed, expected, value and standard error of several on the same documents, their disorders added."""
    within = parts[0].within() if len(parts) == 1 else None
    if within is not None:
        alone = parts[0].parts
        return float(alone.observed), float(alone.expected), float(alone.value), within.error
    size = parts[0].disorders.marked.n_documents
    sums = np.zeros((3, size))
    for part in parts:
        sums[:, part.disorders.documents] += (part.observed, part.expected, part.counts)
    together = np.zeros(size, dtype=np.bool_)
    for part in parts:
        together[part.disorders.documents] = True
    observed, expected, counts = sums[:, together]
    total = float(expected.sum())
    if not total > 0:
        return (math.nan,) * 4
    value = 1 - float(observed.sum()) / total
    moves = ((1 - value) * expected - observed) / expected.mean()
    error = Units(OneOfEach.of(np.ones(len(moves), dtype=np.bool_))).error(moves)
    weight = float(counts.sum())
    return 1 - float(observed.sum()) / weight, 1 - total / weight, value, error


def gamma_of_units(disorders: Disorders) -> Gamma:
    """Gamma: position and label together."""
    return Gamma(disorders, disorders.observed, disorders.expected, disorders.mean_units)


def gamma_of_labels(disorders: Disorders, label: int | None) -> Gamma:
    """gamma_cat: the labels of aligned units; gamma_k with a label."""
    place = len(disorders.marked.labels) if label is None else label
    above, below = (part[:, place] for part in disorders.labels_observed)
    chance = disorders.labels_expected()[:, place]
    known = np.isfinite(chance) & (below > 0)
    observed, counts = np.where(known, above, 0.0), np.where(known, below, 0.0)
    return Gamma(disorders, observed, np.where(known, chance, 0.0) * counts, counts, label=label, of_labels=True)


@dataclass(frozen=True)
class GammaRecipe:
    """What makes gamma of a study, or of a part of it; with a variant gamma_cat, with a label gamma_k."""

    options: ChanceOptions
    variant: Variant | None = None
    label: Any = None

    def __call__(self, study: Study) -> Gamma:
        """Gamma of the study's documents."""
        disorders = disorders_of(study, self.options, self.variant or "paper")
        if self.variant is None:
            return gamma_of_units(disorders)
        labels = disorders.marked.labels
        return gamma_of_labels(disorders, None if self.label is None else labels.index(self.label))


_LAST: WeakKeyDictionary[Study, Disorders] = WeakKeyDictionary()  # while somebody holds the study


def disorders_of(study: Study, options: ChanceOptions, variant: Variant) -> Disorders:
    """The disorders of a study: gamma, gamma_cat and every label ask for the same, and drawing them takes longest."""
    found = _LAST.get(study)
    if found is None or (found.options, found.variant) != (options, variant):
        found = _LAST[study] = Disorders(Continuum.of(study), options, variant)
    return found
