"""Krippendorff's alpha for unitizing as it was in 1995 and 2004; its authors replaced it in 2016.

Every label is a continuum of its own, cut into units and gaps. Two units that overlap are apart by the squares of the
distances between their starts and between their ends; a unit that lies in another's gap by the square of its length.

    D_o = 2 Σ over pairs of annotators of these / (R (R − 1) L²)
    D_e = (2 / L) · Σ over units [(m − 1) (2l³ − 3l² + l) / 3 + l² Σ over gaps of w ≥ l of (w − l + 1)]
          / (R L (R L − 1) − Σ over units of l (l − 1))

m is the number of units of the label, l their lengths, w those of the gaps, L the length of everything that was seen.
Of a corpus L, units and gaps are those of all documents; no gap reaches from one into the next. Where positions have no
smallest part, what is subtracted or added once for a position with itself (−3l² + l, + 1, − 1, −l) falls away.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.annotations.tally import ranges
from accord.coefficients.formula import centred
from accord.coefficients.measurable import Measurable, Parts
from accord.coefficients.units import OneOfEach
from accord.errors import MeasureError, Remedy
from accord.spans.continuum import Continuum
from accord.spans.over_documents import NOTHING_MARKED, Basis, PositionUnit
from accord.spans.positions import positions_of
from accord.spans.segments import Stretches, cut
from accord.study.study import Study

REPLACED = (
    "This is the form of 1995 and 2004, which its authors replaced in 2016 because it misbehaves for more than two "
    "annotators; unitizing alpha is what they put in its place."
)


@dataclass(frozen=True, eq=False)
class LabelContinuum:
    """The units and gaps of one label, and how far annotators are apart in each document."""

    apart: FloatArray  # (D,) over pairs of annotators
    unit_document: IntArray
    unit: FloatArray  # lengths
    gap_document: IntArray
    gap: FloatArray  # lengths, ascending

    @cached_property
    def fitting_gap(self) -> IntArray:
        """Of each unit the first gap that is long enough."""
        return np.searchsorted(self.gap, self.unit).astype(np.int64)

    @cached_property
    def by_size(self) -> IntArray:
        """The units, the shortest first."""
        return np.argsort(self.unit, kind="stable")

    @cached_property
    def fitting_units(self) -> IntArray:
        """Of each gap how many units are short enough."""
        return np.searchsorted(self.unit[self.by_size], self.gap, side="right").astype(np.int64)


class Unitizing1995(Measurable):
    """1 − Σ D_o / Σ D_e over labels."""

    dealt_anew = False
    influence_at_weights = True  # though each resample takes as long as the study

    def __init__(self, continuum: Continuum, basis: Basis, label: int | None = None) -> None:
        counts = continuum.seen.sum(1) > 1
        people = np.nonzero(continuum.seen[counts].any(0))[0]
        if not continuum.seen[counts][:, people].all():
            raise MeasureError(
                "The form of 1995 is for documents that all annotators saw, and here some did not see all of them. ",
                Remedy({}, "accord.unitizing_alpha", python="unitizing_alpha", title="Unitizing alpha"),
                " takes gaps.",
            )
        self.continuum, self.basis, self.people = continuum, basis, len(people)
        self._units = OneOfEach.of(counts)
        self.lengths = continuum.length[counts]
        self.label = label
        self.labels = [label] if label is not None else list(range(len(continuum.labels)))
        self._one = float(basis.whole)

    @cached_property
    def continua(self) -> list[LabelContinuum]:
        """Of each label."""
        return _continua(self.continuum, self._units.place, self.labels)

    @property
    def sample(self) -> OneOfEach:
        """The documents that two annotators saw, or more."""
        return self._units

    @property
    def n_answers(self) -> int:
        """What one annotator marked in one document is an answer; of one label, the units that have it."""
        if self.label is None:
            return len(self._units) * self.people
        counted = self._units.place[self.continuum.document] >= 0
        return int((counted & (self.continuum.label == self.label)).sum())

    def evaluate(self, number: FloatArray | IntArray) -> Parts:
        """The formula on other documents, one after the other."""
        rows = np.atleast_2d(np.asarray(number, dtype=np.float64))
        apart = np.array([[part[:2] for part in self._parts(row)] for row in rows]).reshape(len(rows), -1, 2)
        mean = apart.sum(1) / max(apart.shape[1], 1)  # over labels; of spans without any, nothing is apart
        observed, expected = (part.reshape(np.shape(number)[:-1]) for part in mean.T)
        return Parts(1 - observed, 1 - expected, 1 - divide(observed, expected))

    def influence(self) -> FloatArray:
        """The derivative of the value along each document."""
        return self._moved(self.sample.items.astype(np.float64))

    def influence_on(self, number: FloatArray) -> FloatArray:
        """The same of other documents, one after the other."""
        return np.stack([self._moved(row) for row in number])

    def _moved(self, number: FloatArray) -> FloatArray:
        parts = self._parts(number)
        by_observed, by_expected = (sum(part[place] for part in parts) / max(len(parts), 1) for place in (2, 3))
        steps = self.evaluate(number).slope(-np.asarray(by_observed), -np.asarray(by_expected))
        return centred(number.sum() * steps, number)

    def _parts(self, number: FloatArray) -> list[tuple[float, float, FloatArray, FloatArray]]:
        """Of each label: observed and expected disagreement, and their derivatives by the number of each document."""
        length, people, one = float(number @ self.lengths), self.people, self._one
        scale = 2 / (people * (people - 1) * length**2) if length > 0 else np.nan
        found = []
        for part in self.continua:
            observed = scale * float(number @ part.apart)
            by_observed = scale * part.apart - observed * 2 * divide(self.lengths, length)
            pairs, by_pairs = self._pairs(part, number)
            size = part.unit
            units = number[part.unit_document]
            room = people * length * (people * length - one) - float(units @ (size * (size - one)))
            by_room = people * self.lengths * (2 * people * length - one)
            by_room -= add_up(part.unit_document, size * (size - one), len(number))
            expected = 2 * float(divide(pairs, length * room)) if length > 0 else np.nan
            relative = divide(self.lengths, length) + divide(by_room, room)
            by_expected = 2 * divide(by_pairs, length * room) - expected * relative
            found.append((observed, expected, by_observed, by_expected))
        return found

    def _pairs(self, part: LabelContinuum, number: FloatArray) -> tuple[float, FloatArray]:
        """What chance adds up over units, and its derivative by the number of each document."""
        size, gap, one, documents = part.unit, part.gap, self._one, len(number)
        units, gaps = number[part.unit_document], number[part.gap_document]
        among = (2 * size**3 - one * (3 * size**2 - size)) / 3
        reach, order, fits = part.fitting_gap, part.by_size, part.fitting_units
        above = [np.concatenate((np.cumsum(w[::-1])[::-1], [0.0])) for w in (gaps, gaps * gap)]
        room = above[1][reach] - (size - one) * above[0][reach]  # Σ w − l + 1
        below = [
            np.concatenate(([0.0], np.cumsum((units * w)[order]))) for w in (size**2, size**3 - one * size**2)
        ]  # fmt: skip
        filled = gap * below[0][fits] - below[1][fits]  # Σ l² (w − l + 1)
        many, together = float(units.sum()), float(units @ among)
        value = (many - 1) * together + float(units @ (size**2 * room))
        moved = add_up(part.unit_document, together + (many - 1) * among + size**2 * room, documents)
        return value, moved + add_up(part.gap_document, filled, documents)

    def of_label(self, label: int) -> Measurable:
        """One of the continua."""
        alone = Unitizing1995(self.continuum, self.basis, label)
        alone.continua = [self.continua[self.labels.index(label)]]
        return alone

    def observed_in_words(self) -> str | None:
        """Squares of distances over the square of the length, which are no share of anything."""
        observed, expected = 1 - float(self.parts.observed), 1 - float(self.parts.expected)
        return f"observed disagreement of {observed:.3g} and expected of {expected:.3g}"

    def size_in_words(self, annotators: int) -> str:
        """Documents, positions and units."""
        return (
            f"{self.sample.n_items:,} documents, {annotators:,} annotators, {self.continuum.n_units:,} spans; "
            f"{float(self.lengths.sum()):,.6g} {self.basis.plural}."
        )

    def steps(self, undefined: str | None) -> list[str]:
        """Both disagreements of every label, and the value."""
        lines = ["", "Step 1: squared distances of borders, and what chance would give, by label"]
        for label, (observed, expected, *_) in zip(self.labels, self._parts(np.ones(len(self.sample))), strict=True):
            lines.append(f"  {self.continuum.labels[label]}: D_o = {observed:.4g}, D_e = {expected:.4g}")
        last = f"there is none: {undefined}" if undefined else f"{float(self.parts.value):z.4f}"
        return [*lines, "", "Step 2: 1 − Σ D_o / Σ D_e", f"  {last}"]

    def why_undefined(self) -> str | None:
        """Nobody marked anything."""
        return None if self.continuum.n_units else NOTHING_MARKED

    def notes(self) -> tuple[str, ...]:
        """What its authors say."""
        return (REPLACED, *self.basis.notes)


def _continua(continuum: Continuum, place: IntArray, labels: list[int]) -> list[LabelContinuum]:
    """Units, gaps and distances by label; documents by their place among those that count."""
    begins, first, last = cut(continuum)
    found = Stretches.of(continuum, first, last)
    start, end = begins.place[found.first], begins.place[found.last]
    counted = place[found.document] >= 0
    apart = _apart(continuum, found, start, end)
    documents = int(place.max(initial=-1)) + 1
    parts = []
    for label in labels:
        mine = counted & (found.label == label)
        gap_document, gap = _gaps(continuum, found, start, end, mine, place)
        order = np.argsort(gap, kind="stable")
        parts.append(
            LabelContinuum(
                add_up(place[found.document[mine]], apart[mine], documents),
                place[found.document[mine]], (end - start)[mine], gap_document[order], gap[order],
            )
        )  # fmt: skip
    return parts


def _apart(continuum: Continuum, found: Stretches, start: FloatArray, end: FloatArray) -> FloatArray:
    """Of each unit: how far it is from what all others marked with its label, half of what belongs to two units."""
    people, labels = len(continuum.annotators), max(len(continuum.labels), 1)
    size = int(found.last.max(initial=0)) + 1
    cell = (found.document * people + found.annotator) * labels + found.label
    starts, ends = cell * size + found.first, cell * size + found.last  # ascending, as stretches are
    total = np.zeros(len(cell))
    for step in range(1, people):
        other = (found.annotator + step) % people
        there = (found.document * people + other) * labels + found.label
        low = np.searchsorted(ends, there * size + found.first, side="right")
        many = np.maximum(np.searchsorted(starts, there * size + found.last, side="left") - low, 0)
        mine = np.repeat(np.arange(len(cell)), many)
        theirs = ranges(low, many)
        total += 0.5 * add_up(mine, (start[mine] - start[theirs]) ** 2 + (end[mine] - end[theirs]) ** 2, len(cell))
        total += np.where((many == 0) & continuum.seen[found.document, other], (end - start) ** 2, 0.0)
    return total


def _gaps(
    continuum: Continuum, found: Stretches, start: FloatArray, end: FloatArray, mine: np.ndarray, place: IntArray
) -> tuple[IntArray, FloatArray]:  # fmt: skip
    """Document and length of every gap of one label: before, between and after the units of each annotator."""
    document, person = np.nonzero(continuum.seen & (place >= 0)[:, None])
    people = len(continuum.annotators)
    cell = np.concatenate((document * people + person, (found.document * people + found.annotator)[mine]))
    begin = np.concatenate((np.zeros(len(document)), end[mine]))  # a gap begins at 0, and where a unit ends
    order = np.lexsort((begin, cell))
    cell, begin = cell[order], begin[order]
    stop = np.concatenate((continuum.length[document], start[mine]))  # and ends at the end, or where one begins
    owner = np.concatenate((document * people + person, (found.document * people + found.annotator)[mine]))
    stop = stop[np.lexsort((stop, owner))]
    return place[cell // people], stop - begin


@dataclass(frozen=True)
class AsIn1995:
    """What makes the alpha of 1995 of a study, or of a part of it."""

    unit: PositionUnit | None

    def __call__(self, study: Study) -> Measurable:
        """The alpha of the study's documents."""
        return Unitizing1995(*positions_of(study, self.unit))
