"""Krippendorff's alpha at the numeric levels: observed over expected disagreement, from sums, never from a table.

A table of values × values is impossible for a million distinct numbers and spoils 1 − alpha when one of them is an
outlier. Sums (`alpha_sums.py`) need neither: squares for interval, mid-ranks for ordinal (`ordinal_level.py`), e^{iθ}
for circular, and for ratio one integral.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up, divide, ordinary, used
from accord.annotations.mixed_answers import unmixed
from accord.annotations.recognised_scale import places_in_order
from accord.annotations.tally import Tally
from accord.coefficients.alpha_sums import (
    alpha_decomposition,
    alpha_of_copies,
    alpha_parts,
    spread_within,
)
from accord.coefficients.coefficient import Smooth
from accord.coefficients.item_sums import ItemSums
from accord.coefficients.measurable import Decomposition, Parts
from accord.coefficients.ordinal_level import OrdinalLevel
from accord.coefficients.pair_sum import PairSum
from accord.coefficients.ratio_sums import RatioSums, ratio_sums
from accord.errors import Keyword, MeasureError, OptionError, remedy
from accord.options import check_positive

if TYPE_CHECKING:
    from accord.coefficients.annotator_copies import AnnotatorCopies

TABLED_VALUES = 1_500  # up to here the ratio sums come from a small table


class NumericLevel(Smooth):
    """Alpha on numbers: within-item disagreement, number of answers, and the sums of one level."""

    def __init__(self, tally: Tally, places: FloatArray) -> None:
        self.tally = tally.where(tally.pairable)
        self.places = places
        self.prepare()
        within = np.stack((self.disagreed, self.tally.answered.astype(np.float64)), axis=1)
        self.item_sums = ItemSums.dense(within).joined(self.level_sums())
        if self.mixed:  # what people are apart from themselves, which is no pair of two
            own = self.tally.per_pattern(self.tally.count * self.own_apart[self.tally.answer])
            self.item_sums = self.item_sums.joined(ItemSums.dense(own[:, None]))

    def prepare(self) -> None:
        """Whatever the level needs before its sums."""

    @property
    def mixed(self) -> bool:
        """Did somebody give different answers to one item?"""
        return self.tally.answers.mixed

    @property
    @abstractmethod
    def disagreed(self) -> FloatArray:
        """(P,) Σ over ordered pairs of the item's answers of δ² / (r − 1)."""

    @property
    @abstractmethod
    def widest(self) -> float:
        """The largest δ² in the data: observed and expected agreement are given as 1 − D / widest."""

    @abstractmethod
    def level_sums(self) -> ItemSums:
        """What an item adds to the sums that T is made of."""

    @abstractmethod
    def everywhere(self, answers: FloatArray, sums: FloatArray) -> FloatArray:
        """T, from the number of answers and the level's sums."""

    @abstractmethod
    def everywhere_slopes(self, answers: float, sums: FloatArray) -> tuple[float, FloatArray]:
        """How T changes with the number of answers, and with each of the level's sums."""

    @abstractmethod
    def between(self, left: IntArray, right: IntArray) -> FloatArray:
        """δ² between given answers of the scale."""

    def apart(self, left: IntArray, right: IntArray) -> FloatArray:
        """δ² between given answers, on average over the parts of mixed ones."""
        return self.tally.answers.mean_between(left, right, self.between)

    @cached_property
    def own_apart(self) -> FloatArray:
        """(answers,) δ² between two draws from one answer: 0 unless somebody gave different answers to an item."""
        every = np.arange(len(self.tally.answers))
        return self.apart(every, every)

    def pair_sum(self, named: Tally | None) -> PairSum:
        """Every answer once; chance is drawn from all answers, wherever they stand."""
        return PairSum.of(self.tally, "answer")

    def alike(self, left: IntArray, right: IntArray) -> FloatArray:
        """1 − δ² over the widest in the data."""
        return 1 - divide(self.apart(left, right), np.asarray(self.widest))

    def combine(self, sums: FloatArray) -> Parts:
        """1 − A (n − 1) / T."""
        within, answers = sums[..., 0], sums[..., 1]
        return alpha_parts(within, answers, self._total_of(sums), self.widest)

    def _total_of(self, sums: FloatArray) -> FloatArray:
        """T, between different people or items."""
        if not self.mixed:
            return self.everywhere(sums[..., 1], sums[..., 2:])
        return np.asarray(self.everywhere(sums[..., 1], sums[..., 2:-1]) - sums[..., -1])

    def slopes(self, sums: FloatArray) -> FloatArray:
        """The quotient rule."""
        within, answers = float(sums[0]), float(sums[1])
        total = float(self._total_of(sums))
        by_answers, by_sums = self.everywhere_slopes(answers, sums[2:-1] if self.mixed else sums[2:])
        by_sums = np.append(by_sums, -1.0) if self.mixed else by_sums
        along_total = within / total * ((answers - 1) / total)  # the square of a tiny total would be 0
        by_within = -(answers - 1) / total
        return np.concatenate(([by_within, -within / total + along_total * by_answers], along_total * by_sums))

    def apart_within(self, items: FloatArray) -> FloatArray:
        """(P,) the item's disagreement, which here does not depend on the other items."""
        return self.disagreed

    def total_apart(self, items: FloatArray) -> float:
        """T for other numbers of items."""
        return float(self._total_of(self.item_sums.total(items)))

    def decomposition(self) -> Decomposition:
        """Each item's disagreement against the study's."""
        return alpha_decomposition(self.tally, self.disagreed, self.parts, self.widest)

    @abstractmethod
    def of_tally(self, tally: Tally) -> NumericLevel:
        """The same level for other answers of the same scale."""

    def with_copies(self, copies: AnnotatorCopies, times: FloatArray, items: FloatArray) -> float:
        """By the numbers of pairs that copies make."""
        return alpha_of_copies(self, copies, times, items)


class IntervalLevel(NumericLevel):
    """δ = a − b."""

    def of_tally(self, tally: Tally) -> IntervalLevel:
        """The same level for other answers of the same scale."""
        return IntervalLevel(tally, _in_reach(self.places, tally))

    def prepare(self) -> None:
        """Centre the numbers, so that squares lose nothing."""
        given = self.tally.per_answer(self.tally.count * self.tally.items[self.tally.pattern])
        answers = self.tally.answers.onto_scale(given)
        self.centred = self.places - (answers @ self.places) / answers.sum() if answers.sum() else self.places
        self._seen = self.places[answers > 0]

    @property
    def disagreed(self) -> FloatArray:
        """2 r Σ (a − ā)² / (r − 1)."""
        return spread_within(self.tally, self.centred)

    def between(self, left: IntArray, right: IntArray) -> FloatArray:
        """The squared difference."""
        return (self.places[left] - self.places[right]) ** 2

    @cached_property
    def widest(self) -> float:
        """The range, squared."""
        return float(np.ptp(self._seen)) ** 2 if len(self._seen) else 0.0

    def level_sums(self) -> ItemSums:
        """Sum and sum of squares."""
        tally = self.tally
        value = tally.answers.mean_of_parts(self.centred)[tally.answer]
        square = tally.answers.mean_of_parts(self.centred**2)[tally.answer] if self.mixed else value**2
        sums = [tally.per_pattern(tally.count * given) for given in (value, square)]
        return ItemSums.dense(np.stack(sums, axis=1))

    def everywhere(self, answers: FloatArray, sums: FloatArray) -> FloatArray:
        """2 (n Σ a² − (Σ a)²)."""
        whole = answers * sums[..., 1]
        apart = whole - sums[..., 0] ** 2
        # a resample of one number has none apart, but for rounding: it must be undefined, not 1
        return 2 * np.where(apart > 1e-14 * whole, apart, 0.0)

    def everywhere_slopes(self, answers: float, sums: FloatArray) -> tuple[float, FloatArray]:
        """The derivative of the above."""
        return 2 * float(sums[1]), np.array([-4 * sums[0], 2 * answers])

    def leave_one_out(self) -> FloatArray:
        """As ever; but what is left after an outlier is too small a difference of large sums, and is summed anew."""
        values, one = super().leave_one_out(), self.tally.one
        total = self.item_sums.total(self.tally.items)
        sums = self.item_sums.rows(0, len(self.tally))
        for pattern in np.nonzero((sums[:, 0] > total[0] / 2) | (sums[:, 3] > total[3] / 2))[0]:
            items = self.tally.items.astype(np.float64)
            items[pattern] -= one[pattern]
            values[pattern] = IntervalLevel(replace(self.tally, items=items), self.places).parts.value
        return values


class CircularLevel(NumericLevel):
    """δ = sin of half the angle between a and b, on a ring of the given period."""

    def __init__(self, tally: Tally, places: FloatArray, period: float) -> None:
        self.period = period
        self.angle = 2 * np.pi * places / period
        super().__init__(tally, places)

    def of_tally(self, tally: Tally) -> CircularLevel:
        """The same ring for other answers of the same scale."""
        return CircularLevel(tally, self.places, self.period)

    def prepare(self) -> None:
        """Cosines and sines, summed within items."""
        answers, answer, count = self.tally.answers, self.tally.answer, self.tally.count
        self._cosine, self._sine = (
            self.tally.per_pattern(count * answers.mean_of_parts(wave(self.angle))[answer]) for wave in (np.cos, np.sin)
        )

    @property
    def disagreed(self) -> FloatArray:
        """(r² − |Σ e^{iθ}|²) / 2 (r − 1), less what people are apart from themselves."""
        answered = self.tally.answered
        apart = answered**2 - self._cosine**2 - self._sine**2
        if self.mixed:
            apart = apart - 2 * self.tally.per_pattern(self.tally.count * self.own_apart[self.tally.answer])
        return np.asarray(apart / (2 * (answered - 1)))

    def between(self, left: IntArray, right: IntArray) -> FloatArray:
        """The squared sine of half the angle between."""
        return np.sin((self.angle[left] - self.angle[right]) / 2) ** 2

    @cached_property
    def widest(self) -> float:
        """Opposite points of the ring."""
        return 1.0

    def level_sums(self) -> ItemSums:
        """Cosines and sines."""
        return ItemSums.dense(np.stack((self._cosine, self._sine), axis=1))

    def everywhere(self, answers: FloatArray, sums: FloatArray) -> FloatArray:
        """(n² − |Σ e^{iθ}|²) / 2."""
        total = (answers**2 - sums[..., 0] ** 2 - sums[..., 1] ** 2) / 2
        return np.where(total > 1e-12 * answers**2, total, 0.0)

    def everywhere_slopes(self, answers: float, sums: FloatArray) -> tuple[float, FloatArray]:
        """The derivative of the above."""
        return answers, -sums


class RatioLevel(NumericLevel):
    """δ = (a − b) / (a + b)."""

    def of_tally(self, tally: Tally) -> RatioLevel:
        """The same level for other answers of the same scale."""
        return RatioLevel(tally, _in_reach(self.places, tally))

    def prepare(self) -> None:
        """Only numbers that are not negative have ratios."""
        if len(self.places) and self.places.min() < 0:
            raise MeasureError(
                f"The ratio level needs numbers that are not negative; found {self.places.min():g}. ",
                remedy(level="interval"),
                " takes any numbers.",
            )

    @property
    def disagreed(self) -> FloatArray:
        """Pair by pair: the item's answers are few."""
        total = np.zeros(len(self.tally))
        if self.mixed:
            same = self.tally.count * (self.tally.count - 1.0) * self.own_apart[self.tally.answer]
            total += self.tally.per_pattern(same)
        for left, right in self.tally.pairs():
            apart = self.apart(self.tally.answer[left], self.tally.answer[right])
            weight = 2.0 * self.tally.count[left] * self.tally.count[right] * apart
            total += add_up(self.tally.pattern[left], weight, len(self.tally))
        return total / (self.tally.answered - 1)

    def between(self, left: IntArray, right: IntArray) -> FloatArray:
        """The squared difference in proportion to the sum."""
        return _ratio_apart(self.places[left], self.places[right])

    @cached_property
    def widest(self) -> float:
        """Between the smallest and the largest number seen."""
        seen = self.places[used(unmixed(self.tally).answer, len(self.places))]
        return float(_ratio_apart(seen.min(), seen.max())) if len(seen) else 0.0

    def level_sums(self) -> ItemSums:
        """How often each number was given."""
        tally = unmixed(self.tally)
        return ItemSums(tally.answer, tally.count.astype(np.float64), tally.starts, len(self.places))

    def everywhere(self, answers: FloatArray, sums: FloatArray) -> FloatArray:
        """Σ n_a n_b δ², row by row."""
        rows = sums.reshape(-1, sums.shape[-1])
        return np.array([self._total(row) for row in rows]).reshape(sums.shape[:-1])

    def everywhere_slopes(self, answers: float, sums: FloatArray) -> tuple[float, FloatArray]:
        """2 Σ_b n_b δ²(a, b) for each number a."""
        if len(self.places) <= TABLED_VALUES:
            return 0.0, 2 * (self._table @ sums)
        zero = self.places == 0
        towards = np.where(zero, sums[~zero].sum(), sums[zero].sum())  # zero is wholly apart from any other number
        towards[~zero] += self._positive.towards(sums[~zero])
        return 0.0, 2 * towards

    def _total(self, counts: FloatArray) -> float:
        """Σ n_a n_b δ²(a, b): from a table, or zeros against the others and the others among themselves."""
        if len(self.places) <= TABLED_VALUES:
            return float(counts @ self._table @ counts)
        if np.count_nonzero(counts) < 2:
            return 0.0  # exactly: a single number is nowhere apart from itself
        zero = self.places == 0
        return 2 * float(counts[zero].sum() * counts[~zero].sum()) + self._positive.total(counts[~zero])

    @cached_property
    def _positive(self) -> RatioSums:
        return ratio_sums(self.places[self.places > 0])

    @cached_property
    def _table(self) -> FloatArray:
        return _ratio_apart(self.places[:, None], self.places[None, :])


def at_level(level: str, tally: Tally, period: float | None = None) -> NumericLevel | OrdinalLevel:
    """Alpha at a numeric level, for the answers of this tally."""
    answers = tally.answers.unmixed
    if level == "ordinal":
        known = places_in_order(answers)
        if known is not None:
            return OrdinalLevel(tally, known)
        places = answers.positions(Keyword("level", "ordinal"))
        # labels stand in their order: sorted, or as declared, which for ordinal weights too goes before their size
        return OrdinalLevel(tally, np.arange(float(len(places))) if answers.kind == "single" else places)
    places = answers.numbers(Keyword("level", level))
    if level == "circular":
        return CircularLevel(tally, places, _period(places, period))
    return {"interval": IntervalLevel, "ratio": RatioLevel}[level](tally, _in_reach(places, tally))


def _in_reach(places: FloatArray, tally: Tally) -> FloatArray:
    """The numbers in use, in proportion where their fourth powers would overflow or vanish: alpha has no unit."""
    given = used(unmixed(tally).answer, len(places))
    scaled = ordinary(places[given])
    if np.array_equal(scaled, places[given]):
        return places
    reached = np.zeros_like(places)
    reached[given] = scaled
    return reached


def _period(places: FloatArray, given: float | None) -> float:
    if given is not None:
        check_positive("period", given, "360 or 24")
        return float(given)
    if len(places) and np.all(places == np.floor(places)):
        return float(np.ptp(places)) + 1.0
    raise OptionError(
        Keyword("level", "circular"),
        " needs ",
        remedy(period=...),
        ", the length of the whole circle (360 for degrees, 24 for hours): the numbers are not whole, so it does not "
        "follow from them.",
    )


def _ratio_apart(one: FloatArray, other: FloatArray) -> FloatArray:
    """((a − b) / (a + b))², 0 between zeros."""
    return np.nan_to_num(divide(one - other, one + other)) ** 2
