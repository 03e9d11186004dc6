"""Unitizing alpha (Krippendorff, Mathet, Bouvry & Widlöcher 2016): where units lie, and which labels they have.

Every position of every annotator has a value: the label of the unit it lies in, or none (a gap). Observed disagreement
is that of position-wise alpha. Chance pairs any two positions but those of one and the same unit, since a unit is one
decision and not as many as it has letters; of gaps only a position with itself is left out. Where positions have no
smallest part (seconds), a position with itself is nothing, and gaps leave out nothing: what whole positions tend to as
they are divided ever more finely.

The documents of a corpus are one continuum: lengths, coincidences and units are added up, and chance draws from all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up, divide
from accord.coefficients.measurable import Measurable
from accord.errors import MeasureError, Message, Remedy, counted, remedy
from accord.spans.continuum import Continuum
from accord.spans.over_documents import Basis, Entries, OverDocuments, PooledPositions, PositionUnit
from accord.spans.positions import positions_of
from accord.spans.segments import Segments
from accord.study.study import Study

Form: TypeAlias = Literal["unitizing", "binary", "coded"]
SelfPairs: TypeAlias = Literal["left-out", "kept"]
CodedLevel: TypeAlias = Literal["ordinal", "interval", "ratio"]


def unitizing(continuum: Continuum, basis: Basis, form: Form, self_pairs: SelfPairs) -> OverDocuments:
    """The alpha of a form for units whose places count as the basis says."""
    if form == "binary":
        return Binary(continuum, basis)
    if form == "coded":
        return coded(continuum, basis, self_pairs)
    segments, basis = _segments(continuum, basis, outside=True)
    if segments.overlapping:
        return UnitizingByLabel(segments, basis)
    return PooledPositions(segments, basis, segments.compared, "blocks")


def _segments(continuum: Continuum, basis: Basis, *, outside: bool) -> tuple[Segments, Basis]:
    """The segments of a continuum, and the basis with a note on units that are one with others."""
    found = Segments.of(continuum, outside=outside)
    return found, replace(basis, notes=(*basis.notes, *_joined(found.n_joined, " with one label")))


def _joined(number: int, which: str) -> tuple[str, ...]:
    """Where units are one with others."""
    marked = f"that an annotator marked{which} overlap another of these and"
    return (f"{counted(number, 'units')} {marked} {'is' if number == 1 else 'are'} one with it.",) if number else ()


class Binary(PooledPositions):
    """Marked or not, whatever the label; borders of units stay, but of those that overlap."""

    def __init__(self, continuum: Continuum, basis: Basis) -> None:
        self.continuum = continuum
        one = replace(continuum, labels=("unit",), label=np.zeros_like(continuum.label))
        segments = Segments.of(one, outside=True)
        basis = replace(basis, notes=(*basis.notes, *_joined(segments.n_joined, "")))
        super().__init__(segments, basis, segments.compared, "blocks")

    @cached_property
    def _labelled(self) -> Segments:
        return Segments.of(self.continuum, outside=True)

    def of_label(self, label: int) -> OverDocuments:
        """Marked with this label or not."""
        return PooledPositions(self._labelled, self.basis, self._labelled.compared, "blocks", label)


class UnitizingByLabel(OverDocuments):
    """Of units that overlap: every label is a continuum of its own, and the labels' disagreements are added up.

    Sums: disagreement, positions, then for each label how often it is held, and the pairs within its units.
    """

    def __init__(self, segments: Segments, basis: Basis) -> None:
        self.labels = segments.n_marked
        note = (
            "Units of one annotator overlap, so that a position has several labels: unitizing alpha is taken for every "
            "label by itself, and observed and expected disagreement of the labels are added up."
        )
        super().__init__(segments, replace(basis, notes=(*basis.notes, note)), segments.compared)

    @property
    def width(self) -> int:
        """Two sums a label."""
        return 2 + 2 * self.labels

    def entries(self) -> Iterator[Entries]:
        """What documents add to the sums."""
        held, once = self.segments, self.once
        there, label, pairs = held.apart
        mine, has = label < self.labels, held.label < self.labels
        apart = 2 * pairs * divide(once, np.maximum(held.raters - 1, 1))[there]
        yield held.document[there[mine]], 0, apart[mine]
        yield held.document, 1, once * held.raters
        yield held.document[held.segment[has]], 2 + held.label[has], once[held.segment[has]]
        document, label, length = held.blocks(once)
        yield document, 2 + self.labels + label, length**2

    def _by_label(self, sums: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """How often each label is held and how often not, and how many pairs chance may make."""
        whole, held = sums[..., 1:2], sums[..., 2 : 2 + self.labels]
        gaps = whole - held
        return held, gaps, whole**2 - sums[..., 2 + self.labels :] - self.basis.whole * gaps

    def by_chance(self, sums: FloatArray) -> FloatArray:
        """Σ over labels of 2 n (N − n) / (N² − κ)."""
        held, gaps, room = self._by_label(sums)
        return np.asarray(np.nan_to_num(divide(2 * held * gaps, room)).sum(-1))

    def chance_slopes(self, sums: FloatArray) -> FloatArray:
        """By the quotient rule."""
        held, gaps, room = self._by_label(sums)
        expected, single = divide(2 * held * gaps, room), float(self.basis.whole)
        slopes = np.zeros_like(sums)
        slopes[:, 1] = np.nan_to_num(divide(2 * held - expected * (2 * sums[:, 1:2] - single), room)).sum(1)
        slopes[:, 2 : 2 + self.labels] = divide(2 * (gaps - held) - expected * single, room)
        slopes[:, 2 + self.labels :] = divide(expected, room)
        return np.nan_to_num(slopes)

    def observed_in_words(self) -> str | None:
        """Disagreements of all labels, which are no share of anything."""
        observed, expected = 1 - float(self.parts.observed), 1 - float(self.parts.expected)
        return f"observed disagreement of {observed:z.3f} and expected of {expected:z.3f}, added up over labels"

    def of_label(self, label: int) -> OverDocuments:
        """One of the continua."""
        return PooledPositions(self.segments, self.basis, self.once, "blocks", label)

    @property
    def _scale(self) -> float:
        return 1.0

    def _counted(self, label: IntArray) -> BoolArray:
        return label < self.labels


def coded(continuum: Continuum, basis: Basis, self_pairs: SelfPairs) -> CodedUnitizing:
    """Agreement on labels where both marked something."""
    segments, basis = _segments(continuum, basis, outside=False)
    if segments.overlapping:
        raise MeasureError(
            "Units of one annotator overlap, so that a position has several labels; the coded form compares one with "
            "one. ",
            Remedy(
                {"outside": "missing"},
                "accord.krippendorff_alpha",
                "study",
                python='krippendorff_alpha(study, outside="missing")',
                title="Krippendorff's alpha",
            ),
            " compares sets of labels.",
        )
    note = Message(
        "Which pairs of positions chance leaves out is not settled for this form: here ",
        "those of one unit, as far as others marked something there" if self_pairs == "left-out" else "none",
        "; ",
        remedy(self_pairs="kept" if self_pairs == "left-out" else "left-out"),
        " is the other reading.",
    )
    return CodedUnitizing(segments, replace(basis, notes=(*basis.notes, note)), self_pairs)


class CodedUnitizing(PooledPositions):
    """Agreement on the labels of positions that two annotators marked; the others do not count.

    A pair of annotators counts as much where others marked nothing as where they did: 1 / (R − 1) of everybody who saw
    the document, R.
    """

    def __init__(self, segments: Segments, basis: Basis, self_pairs: SelfPairs) -> None:
        seen = segments.seen.sum(1)[segments.document]
        once = segments.compared * divide(segments.raters - 1, np.maximum(seen - 1, 1))
        self.self_pairs = self_pairs
        super().__init__(segments, basis, once, "blocks" if self_pairs == "left-out" else "none")

    def of_label(self, label: int) -> OverDocuments:
        """Given that one of two annotators used the label: did the other?"""
        return CodedLabel(self, label)

    def label_columns(self) -> dict[str, list[Any]]:
        """How much of what was marked with each label could be compared."""
        held = self.segments
        counts = held.counts[held.document[held.segment]]
        marked = add_up(held.label[counts], held.length[held.segment[counts]], held.n_labels)
        return {"coverage": divide(self.item_sums.total(self.sample.items)[3:], marked).tolist()}


class CodedLabel(OverDocuments):
    """One label: D_o = (ℓ_k − ℓ_kk) / ℓ_k, D_e = ℓ_k (N − ℓ_k) / (N ℓ_k − κ_k).

    ℓ_k is what was marked with the label and could be compared, ℓ_kk of that where the other used it too, N everything
    that could be compared, κ_k the pairs within units of the label. Sums in this order, the first less the second.
    """

    def __init__(self, whole: CodedUnitizing, label: int) -> None:
        self.self_pairs = whole.self_pairs
        super().__init__(whole.segments, whole.basis, whole.once, label)

    @property
    def width(self) -> int:
        """Disagreement, the label, everything, pairs within units."""
        return 4

    def entries(self) -> Iterator[Entries]:
        """What documents add to the sums."""
        held, once = self.segments, self.once
        there, label, pairs = held.apart
        mine, has = label == self.label, held.label == self.label
        apart = pairs * divide(once, np.maximum(held.raters - 1, 1))[there]
        yield held.document[there[mine]], 0, apart[mine]
        yield held.document[held.segment[has]], 1, once[held.segment[has]]
        yield held.document, 2, once * held.raters
        if self.self_pairs == "left-out":
            document, label, length = held.blocks(once)
            yield document[label == self.label], 3, length[label == self.label] ** 2

    def by_chance(self, sums: FloatArray) -> FloatArray:
        """ℓ_k (N − ℓ_k) / (N ℓ_k − κ_k)."""
        label, whole = sums[..., 1], sums[..., 2]
        return divide(label * (whole - label), whole * label - sums[..., 3])

    def chance_slopes(self, sums: FloatArray) -> FloatArray:
        """By the quotient rule."""
        label, whole = sums[:, 1], sums[:, 2]
        room, expected = whole * label - sums[:, 3], self.by_chance(sums)
        slopes = np.zeros_like(sums)
        slopes[:, 1] = divide(whole - 2 * label - expected * whole, room)
        slopes[:, 2] = divide(label * (1 - expected), room)
        slopes[:, 3] = divide(expected, room)
        return slopes


@dataclass(frozen=True)
class Unitizing:
    """What makes the unitizing alpha of a study, or of a part of it."""

    form: Form
    unit: PositionUnit | None
    self_pairs: SelfPairs
    level: CodedLevel | None = None  # of the coded form; None is nominal

    def __call__(self, study: Study) -> Measurable:
        """The alpha of the study's documents."""
        continuum, basis = positions_of(study, self.unit, to_the_end=self.form != "coded")
        words = [*([] if self.form == "unitizing" else [self.form]), *(["of tokens"] if basis.unit == "token" else [])]
        basis = replace(basis, of_what=", ".join(words) or None)
        if self.level is None:
            return unitizing(continuum, basis, self.form, self.self_pairs)
        from accord.spans.coded_levels import CodedAtLevel  # few labels of spans are numbers

        return CodedAtLevel(coded(continuum, basis, self.self_pairs), self.level, _places(study, self.level))


def _places(study: Study, level: CodedLevel) -> FloatArray:
    """The labels as numbers, or as places in their order."""
    labels = replace(study.answers, kind="single", members=(), places=())
    what = f"Unitizing alpha at the {level} level"
    return labels.positions(what) if level == "ordinal" else labels.numbers(what)
