"""Agreement position by position, from sums over documents: alpha, kappas and unitizing alpha are one formula.

    value = 1 − D_o / D_e,   D_o = A / N,   D_e = Σ_l n_l (N − n_l) / (N² − κ)

At a position everybody holds a set of labels; outside every unit that is {outside}. Two sets are half as far apart as
they have labels that only one of them holds, so that of single labels the distance is 0 or 1. A is the distance of all
pairs of annotators at all positions, n_l how often label l is held, N = Σ over positions of the annotators there, and κ
the pairs that chance leaves out: a position with itself, or positions of one and the same unit. Documents are the units
that might have been others.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Self, TypeAlias

import numpy as np

from accord.annotations.arrays import NOTHING_LEFT, BoolArray, FloatArray, IntArray, add_up, divide
from accord.annotations.tally import RareAnswers
from accord.coefficients.formula import centred, chance_corrected
from accord.coefficients.item_sums import ItemSums
from accord.coefficients.measurable import Breakdown, Decomposition, Parts
from accord.coefficients.sums_over_units import SumsOverUnits
from accord.coefficients.units import OneOfEach, Units
from accord.spans.segments import Segments

if TYPE_CHECKING:
    from accord.study.study import Study

PositionUnit: TypeAlias = Literal["character", "token", "time"]
LeftOut: TypeAlias = Literal["positions", "blocks", "none"]
Entries: TypeAlias = tuple[IntArray, IntArray | int, FloatArray]  # documents, columns and what is added there
NOTHING_MARKED = (
    "Nobody marked anything, so chance alone would give full agreement and nothing can be better than that."
)


@dataclass(frozen=True)
class Basis:
    """What positions are, and what a reader should know of how they came about."""

    unit: PositionUnit
    notes: tuple[str, ...] = ()
    of_what: str | None = None  # what is compared, for the title of the result

    @property
    def whole(self) -> bool:
        """Are positions counted one by one? Time has no smallest part."""
        return self.unit != "time"

    @property
    def plural(self) -> str:
        """For sentences."""
        return {"character": "characters", "token": "tokens", "time": "units of time"}[self.unit]


class OverDocuments(SumsOverUnits):
    """One minus observed over expected disagreement at positions.

    The first of the sums is observed disagreement, the second what it is a share of; what follows belongs to chance.
    """

    dealt_anew = False

    def __init__(self, segments: Segments, basis: Basis, once: FloatArray, label: int | None = None) -> None:
        self.segments, self.basis, self.label = segments, basis, label
        self.once = once  # (S,) how much one annotator's answer at a segment counts
        self.of_what = basis.of_what
        self.times: FloatArray | None = None  # (P,) how much of each document there is, where not one of each
        self._units = OneOfEach.of(segments.counts)
        self.item_sums = ItemSums.added(self._entries_by_unit(), (len(self._units), self.width))

    def _entries_by_unit(self) -> Iterator[tuple[IntArray, IntArray | int, FloatArray]]:
        """What the documents that count add, by their places among these."""
        for document, column, value in self.entries():
            row = self._units.place[document]
            inside = row >= 0
            if inside.all():
                yield row, column, value
            else:
                yield row[inside], column if isinstance(column, int) else column[inside], value[inside]

    @property
    @abstractmethod
    def width(self) -> int:
        """How many sums there are."""

    @abstractmethod
    def entries(self) -> Iterator[Entries]:
        """What documents add to the sums."""

    @abstractmethod
    def by_chance(self, sums: FloatArray) -> FloatArray:
        """Expected disagreement."""

    @abstractmethod
    def chance_slopes(self, sums: FloatArray) -> FloatArray:
        """The derivative of expected disagreement by each of the sums."""

    # -- the waist ----------------------------------------------------------------------------------------------------

    @property
    def sample(self) -> OneOfEach:
        """The documents that two annotators saw, or more."""
        return self._units

    @property
    def n_answers(self) -> int:
        """An answer is what one annotator marked in one document; of one label, the units that have it."""
        if self.label is None:
            return int(self.segments.seen[self.segments.counts].sum())
        return len(np.unique(self.segments.block[(self.segments.label == self.label) & (self.segments.block >= 0)]))

    def combine(self, sums: FloatArray) -> Parts:
        """1 − D_o / D_e."""
        observed, expected = 1 - divide(sums[..., 0], sums[..., 1]), 1 - self.by_chance(sums)
        return Parts(observed, expected, chance_corrected(observed, expected))

    def slopes(self, sums: FloatArray) -> FloatArray:
        """By the chain rule."""
        return np.asarray(self.slopes_of_each(sums[None])[0])

    def slopes_of_each(self, sums: FloatArray) -> FloatArray:
        """The same, all at once."""
        parts = self.combine(sums)
        observed = np.zeros_like(sums)
        observed[:, 0], observed[:, 1] = divide(-1.0, sums[:, 1]), divide(sums[:, 0], sums[:, 1] ** 2)
        moved = observed + (1 - parts.value)[:, None] * self.chance_slopes(sums)
        return np.asarray(moved / (1 - parts.expected)[:, None])

    def rare_answers(self) -> RareAnswers | None:
        """What is marked at all, where most documents hold nothing of it: the value hangs on the few that do."""
        held, (there, label, number) = self.segments, self.segments.held
        mine = (self.segments.length[there] > 0) & self._counted(label) & (label < held.n_marked)
        place = held.document[there]
        some, alike = (len(np.unique(place[mine & (number >= least)])) for least in (1, 2))
        if 2 * some >= len(self.sample):
            return None
        return RareAnswers("nothing marked" if self.label is None else "no such mark", some, alike, len(self.sample))

    def why_undefined(self) -> str | None:
        """Nobody marked anything, or no two at the same position."""
        total = self.item_sums.total(self.sample.items)
        if not total[1] > 0 and len(self.sample):
            return "No two annotators marked the same position, so there is nothing to compare."
        return NOTHING_MARKED if not (self.segments.block >= 0).any() else None

    def counted(self, number: FloatArray) -> Self:
        """Documents add so many times what they do."""
        found = self._afresh()
        found.times, found.item_sums = number, self.item_sums.times(number)
        return found

    # -- where from ---------------------------------------------------------------------------------------------------

    def decomposition(self) -> Decomposition:
        """Each document's own disagreement against the chance of all; documents weigh by their positions."""
        apart, whole = self.item_sums.rows(0, len(self.sample))[:, :2].T
        observed = 1 - divide(apart, whole)
        return Decomposition(observed, chance_corrected(observed, self.parts.expected), divide(whole, whole.sum()))

    def by_annotator(self, study: Study) -> Breakdown:
        """The pairs of answers that hold one of theirs, weighed as in the whole; chance is that of all."""
        apart, whole = self._of_each()
        if self.times is not None:
            apart, whole = apart * self.times[:, None], whole * self.times[:, None]
        total = whole.sum(0)
        observed = divide(apart.sum(0), total)
        expected = np.full(len(total), 1 - float(self.parts.expected))
        value = 1 - divide(observed, np.where(expected > NOTHING_LEFT, expected, 0.0))
        sums = self.item_sums.total(self.sample.items)
        by_chance = self.item_sums.along(np.asarray(self.chance_slopes(sums[None])[0]))
        units, number = Units(self.sample), len(self.sample)
        errors = np.full(len(total), np.nan)
        for person in np.nonzero(np.isfinite(value))[0]:
            seen = (apart[:, person] - observed[person] * whole[:, person]) / total[person]
            steps = ((1 - value[person]) * by_chance - seen) / expected[person]
            errors[person] = units.error(centred(number * steps, self.sample.items))
        return Breakdown(1 - observed, 1 - expected, value, errors)

    def _of_each(self) -> tuple[FloatArray, FloatArray]:
        """(documents, R) disagreement of each annotator with the others, and what it is a share of."""
        held, shape = self.segments, (len(self.sample), self.segments.seen.shape[1])
        there, label, number = held.held
        answer = np.where(held.raters > 1, divide(self.once, held.raters - 1), 0.0) * self._scale  # of one pair
        # who holds a label is apart from all who do not, and who does not from all who do: Σ m + Σ of one's own M − 2m
        chosen, mine = self._counted(label), self._counted(held.label)
        others = add_up(there[chosen], number[chosen], len(answer)) * answer
        own = (held.raters[held.segment] - 2.0 * held.alike) * answer[held.segment]
        segment, person = held.present
        where = self._units.place[held.document]
        cell, inside = where[segment] * shape[1] + person, where[segment] >= 0
        mine &= where[held.segment] >= 0
        held_cell = where[held.segment] * shape[1] + held.annotator
        size = shape[0] * shape[1]
        apart = add_up(cell[inside], others[segment[inside]], size) + add_up(held_cell[mine], own[mine], size)
        several = np.where(held.raters > 1, self.once, 0.0)
        whole = add_up(cell[inside], several[segment[inside]], size)
        return apart.reshape(shape), whole.reshape(shape)

    @property
    def _scale(self) -> float:
        """What a label that one holds and the other does not adds to their distance."""
        return 0.5 if self.label is None else 1.0

    def _counted(self, label: IntArray) -> BoolArray:
        """Which of these labels are compared."""
        return np.ones(len(label), dtype=np.bool_) if self.label is None else label == self.label

    # -- in words -----------------------------------------------------------------------------------------------------

    def size_in_words(self, annotators: int) -> str:
        """Documents and positions."""
        length = float(add_up(self.segments.document, self.segments.compared, 1).sum())
        return (
            f"{self.sample.n_items:,} documents, {annotators:,} annotators, {self.n_answers:,} answers; "
            f"{length:,.6g} {self.basis.plural}."
        )

    def steps(self, undefined: str | None) -> list[str]:
        """Observed disagreement, expected disagreement, the value."""
        sums = self.item_sums.total(self.sample.items)
        observed, expected = 1 - float(self.parts.observed), 1 - float(self.parts.expected)
        value = f"{float(self.parts.value):z.4f}"
        last = f"there is none: {undefined}" if undefined else f"1 − {observed:z.4f} / {expected:z.4f} = {value}"
        return [
            *("", "Step 1: observed disagreement"),
            f"  how far annotators are apart, over all {self.basis.plural}: D_o = {sums[0]:,.6g} / {sums[1]:,.6g} = "
            f"{observed:z.4f}",
            *("", "Step 2: disagreement expected by chance"),
            *self.chance_steps(sums, expected),
            *("", "Step 3: the coefficient", f"  {last}"),
        ]

    def observed_in_words(self) -> str | None:
        """Over what it is taken; of sets of labels it is a mean."""
        if self.segments.overlapping:
            return f"mean observed agreement of {float(self.parts.observed):z.3f} over {self.basis.plural}"
        return f"observed agreement on {float(self.parts.observed):.1%} of {self.basis.plural}"

    def chance_steps(self, sums: FloatArray, expected: float) -> list[str]:
        """What chance would give, in words."""
        return [f"  between any two positions that chance may pair: D_e = {expected:z.4f}"]

    def notes(self) -> tuple[str, ...]:
        """How the positions came about."""
        return self.basis.notes


class PooledPositions(OverDocuments):
    """Chance pairs any two positions of any two annotators, but for those that are left out.

    Sums: disagreement, positions, pairs left out, and how often each label is held.
    """

    def __init__(
        self, segments: Segments, basis: Basis, once: FloatArray, left_out: LeftOut, label: int | None = None
    ) -> None:
        self.left_out = left_out
        super().__init__(segments, basis, once, label)

    @property
    def width(self) -> int:
        """With one label, it and the rest."""
        return 3 + (self.segments.n_labels if self.label is None else 2)

    def entries(self) -> Iterator[Entries]:
        """What documents add to the sums."""
        held, once = self.segments, self.once
        document = held.document
        there, label, pairs = held.apart
        pairs = pairs * divide(once, np.maximum(held.raters - 1, 1))[there]
        yield document, 1, once * held.raters
        yield from self._self_pairs()
        if self.label is None:
            yield document[there], 0, pairs
            yield document[held.segment], 3 + held.label, once[held.segment]
            return
        mine, has = label == self.label, held.label == self.label
        yield document[there[mine]], 0, 2 * pairs[mine]
        yield document[held.segment[has]], 3, once[held.segment[has]]
        yield document, 4, once * held.raters
        yield document[held.segment[has]], 4, -once[held.segment[has]]

    def _self_pairs(self) -> Iterator[Entries]:
        """Pairs that chance leaves out: positions with themselves, or those of one unit and gaps with themselves."""
        held, once = self.segments, self.once
        if self.left_out == "positions" and self.basis.whole:
            yield held.document, 2, once * held.raters
        if self.left_out != "blocks":
            return
        document, label, length = held.blocks(once)
        mine = slice(None) if self.label is None else label == self.label
        yield document[mine], 2, length[mine] ** 2
        if self.basis.whole:
            gap = held.block < 0 if self.label is None else held.label != self.label
            yield held.document[held.segment[gap]], 2, once[held.segment[gap]]

    def by_chance(self, sums: FloatArray) -> FloatArray:
        """Σ n_l (N − n_l) / (N² − κ)."""
        whole, out, held = sums[..., 1], sums[..., 2], sums[..., 3:]
        return divide((held * (whole[..., None] - held)).sum(-1), whole**2 - out)

    def chance_slopes(self, sums: FloatArray) -> FloatArray:
        """By the quotient rule."""
        whole, out, held = sums[:, 1:2], sums[:, 2:3], sums[:, 3:]
        room = whole**2 - out
        expected = self.by_chance(sums)[:, None]
        slopes = np.zeros_like(sums)
        slopes[:, 1:2] = divide(held.sum(1, keepdims=True) - 2 * whole * expected, room)
        slopes[:, 2:3] = divide(expected, room)
        slopes[:, 3:] = divide(whole - 2 * held, room)
        return slopes

    def of_label(self, label: int) -> OverDocuments:
        """Held or not, everything else alike."""
        return PooledPositions(self.segments, self.basis, self.once, self.left_out, label)

    def chance_steps(self, sums: FloatArray, expected: float) -> list[str]:
        """Which pairs there are."""
        words = {
            "positions": "but a position with itself",
            "blocks": "but within a unit, or a gap's position with itself",
            "none": "with replacement",
        }[self.left_out if self.basis.whole or self.left_out == "blocks" else "none"]
        return [f"  between any two of {sums[1]:,.6g} answers at positions, {words}: D_e = {expected:z.4f}"]


class OwnPositions(OverDocuments):
    """Two annotators, each with a marginal distribution of their own.

    Sums: disagreement, positions, and how often each label is held by the first and by the second.
    """

    def __init__(
        self, segments: Segments, basis: Basis, once: FloatArray, pair: tuple[int, int], label: int | None = None
    ) -> None:
        self.pair = pair  # the positions of the two annotators
        super().__init__(segments, basis, once, label)

    @property
    def _labels(self) -> int:
        return self.segments.n_labels if self.label is None else 2

    @property
    def width(self) -> int:
        """Two marginal distributions."""
        return 2 + 2 * self._labels

    def entries(self) -> Iterator[Entries]:
        """What documents add to the sums."""
        held, once = self.segments, self.once
        document = held.document
        there, label, pairs = held.apart
        apart = pairs * divide(once, np.maximum(held.raters - 1, 1))[there]
        yield document, 1, once * held.raters
        second = (held.annotator == self.pair[1]) * self._labels
        twice = 2 * once[held.segment]  # half of the answers are of each
        if self.label is None:
            yield document[there], 0, apart
            yield document[held.segment], 2 + second + held.label, twice
            return
        mine, has = label == self.label, held.label == self.label
        yield document[there[mine]], 0, 2 * apart[mine]
        yield document[held.segment[has]], 2 + second[has], twice[has]
        for person in range(2):
            yield document, 3 + person * self._labels, once * held.raters
        yield document[held.segment[has]], 3 + second[has], -twice[has]

    def _shares(self, sums: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Both marginal distributions."""
        labels = self._labels
        return (
            divide(sums[..., 2 : 2 + labels], sums[..., 1:2]),
            divide(sums[..., 2 + labels :], sums[..., 1:2]),
        )

    def by_chance(self, sums: FloatArray) -> FloatArray:
        """½ Σ p + q − 2pq."""
        first, second = self._shares(sums)
        return np.asarray((0.5 * (first + second) - first * second).sum(-1))

    def chance_slopes(self, sums: FloatArray) -> FloatArray:
        """By the quotient rule."""
        first, second = self._shares(sums)
        slopes = np.zeros_like(sums)
        by_first, by_second = 0.5 - second, 0.5 - first
        slopes[:, 1] = -(by_first * first + by_second * second).sum(1)
        slopes[:, 2:] = np.concatenate((by_first, by_second), axis=1)
        return divide(slopes, sums[:, 1:2])

    def of_label(self, label: int) -> OverDocuments:
        """Held or not, everything else alike."""
        return OwnPositions(self.segments, self.basis, self.once, self.pair, label)

    def chance_steps(self, sums: FloatArray, expected: float) -> list[str]:
        """Whose labels."""
        return [f"  between labels drawn from what either annotator holds: D_e = {expected:z.4f}"]
