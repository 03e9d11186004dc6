"""Krippendorff's alpha of ordered answers, by their mid-ranks."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.annotations.mixed_answers import unmixed
from accord.annotations.tally import Tally
from accord.coefficients.alpha_sums import (
    alpha_decomposition,
    alpha_of_copies,
    alpha_parts,
    spread_within,
)
from accord.coefficients.annotator_values import ItemEffects
from accord.coefficients.coefficient import Coefficient
from accord.coefficients.formula import centred
from accord.coefficients.measurable import Decomposition, Parts
from accord.coefficients.pair_sum import PairSum
from accord.errors import OptionError, remedy

if TYPE_CHECKING:
    from accord.coefficients.annotator_copies import AnnotatorCopies

ORDINAL_JACKKNIFE = 4_000_000_000


class OrdinalLevel(Coefficient):
    """δ = difference of mid-ranks, which belong to the data: every resample has ranks of its own."""

    ranks_move = True

    def __init__(self, tally: Tally, places: FloatArray) -> None:
        self.places = places
        order = np.argsort(places, kind="stable")
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        self.tally = tally.where(tally.pairable)
        self.size = len(places)
        self._rank = rank
        self.mixed = tally.answers.mixed  # did somebody give different answers to one item?
        self._single = unmixed(self.tally)  # by the answers of the scale
        self._answer = rank[self._single.answer]  # positions in the order of the scale
        ranks, numbers = self._own_ranks
        self.widest = float(np.ptp(ranks[numbers > 0])) ** 2 if len(self.tally) else 0.0

    def _ranks(self, items: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Mid-ranks, centred, and how often each answer was given."""
        weight = self._single.count * items[self._single.pattern]
        numbers = add_up(self._answer, weight, self.size)
        return np.cumsum(numbers) - numbers / 2 - numbers.sum() / 2, numbers

    @cached_property
    def _items(self) -> FloatArray:
        """(P,) the study's own numbers of items."""
        return self.tally.items.astype(np.float64)

    @cached_property
    def _own_ranks(self) -> tuple[FloatArray, FloatArray]:
        """The study's own mid-ranks, and how often each answer was given."""
        return self._ranks(self._items)

    @cached_property
    def _own_within(self) -> FloatArray:
        """(P,) what the answers of an item are apart, by the study's own ranks."""
        return spread_within(self.tally, self._own_ranks[0][self._rank])

    @cached_property
    def _own_sums(self) -> tuple[float, float, float]:
        """The study's own A, n and T."""
        return self._added_up(self._items, *self._own_ranks, self._own_within)

    def _own_apart(self, ranks: FloatArray) -> FloatArray:
        """(P,) what the people of an item are apart from themselves."""
        if not self.mixed:
            return np.zeros(len(self.tally))
        own = 2 * self.tally.answers.spread_of_parts(ranks[self._rank])
        return self.tally.per_pattern(self.tally.count * own[self.tally.answer])

    @property
    def standing(self) -> tuple[FloatArray, IntArray]:
        """The study's mid-rank at each place of the scale, and the place of each answer."""
        return self._own_ranks[0], self._rank

    def _sums(self, items: FloatArray) -> tuple[float, float, float]:
        """A, n and T."""
        ranks, numbers = self._ranks(items)
        return self._added_up(items, ranks, numbers, spread_within(self.tally, ranks[self._rank]))

    def _added_up(
        self, items: FloatArray, ranks: FloatArray, numbers: FloatArray, within: FloatArray
    ) -> tuple[float, float, float]:
        answers = float(numbers.sum())
        total = 2 * (answers * float(numbers @ ranks**2) - float(numbers @ ranks) ** 2)
        if self.mixed:
            total -= float(items @ self._own_apart(ranks))
        return float(items @ within), answers, total

    def apart_within(self, items: FloatArray) -> FloatArray:
        """(P,) the item's disagreement, with the ranks of these items."""
        return spread_within(self.tally, self._ranks(items)[0][self._rank])

    def total_apart(self, items: FloatArray) -> float:
        """T for other numbers of items."""
        return self._sums(items)[2]

    def evaluate(self, number: FloatArray | IntArray) -> Parts:
        """Row by row, with the ranks of each row."""
        rows = number.reshape(math.prod(number.shape[:-1]), number.shape[-1]).astype(np.float64)  # maybe of no unit
        return self._parts_of(np.array([self._sums(row) for row in rows]).reshape(*number.shape[:-1], 3))

    @cached_property
    def parts(self) -> Parts:
        """The study's own parts."""
        return self._parts_of(np.array(self._own_sums))

    def _parts_of(self, sums: FloatArray) -> Parts:
        # ranks grow with the number of answers: beside the study's widest they count as shares of it
        scale = divide(float(self.tally.items @ self.tally.answered), sums[..., 1]) ** 2
        return alpha_parts(scale * sums[..., 0], sums[..., 1], scale * sums[..., 2], self.widest)

    def influence(self) -> FloatArray:
        """Each item moves the sums, and moves everybody's ranks."""
        tally, items, answered = self._single, self._items, self.tally.answered
        ranks, numbers = self._own_ranks
        within, answers, total = self._own_sums
        given = tally.count / (answered[tally.pattern] - 1.0)
        mean = tally.per_pattern(tally.count * ranks[self._answer])[tally.pattern]
        pull = 4 * given * items[tally.pattern] * (answered[tally.pattern] * ranks[self._answer] - mean)
        by_rank_within = add_up(self._answer, pull, self.size) - self._own_pull(ranks, items / (answered - 1.0))
        by_rank_total = 4 * numbers * (answers * ranks - numbers @ ranks) - self._own_pull(ranks, items)
        direct = 2 * (numbers @ ranks**2 + answers * ranks**2 - 2 * (numbers @ ranks) * ranks)
        of_within = tally.per_pattern(tally.count * _through_ranks(by_rank_within)[self._answer])
        of_within += self._own_within
        of_total = tally.per_pattern(tally.count * (direct + _through_ranks(by_rank_total))[self._answer])
        of_total -= self._own_apart(ranks)
        steps = -(of_within * (answers - 1) + within * answered) / total
        steps += within * (answers - 1) / total**2 * of_total
        return centred(tally.n_items * steps, tally.items)

    def _own_pull(self, ranks: FloatArray, items: FloatArray) -> FloatArray:
        """(places,) how what people are apart from themselves, in all, moves with the rank at each place."""
        answers, tally = self.tally.answers, self.tally
        if not self.mixed:
            return np.zeros(self.size)
        entry, answer, share = answers.parts(tally.answer)
        value = ranks[self._rank]
        apart = value[answer] - answers.mean_of_parts(value)[tally.answer[entry]]
        pull = 4 * items[tally.pattern[entry]] * tally.count[entry] * share * apart
        return add_up(self._rank[answer], pull, self.size)

    def leave_one_out(self) -> FloatArray:
        """One study less an item at a time."""
        patterns = len(self.tally)
        if patterns * len(self._answer) > ORDINAL_JACKKNIFE:
            raise OptionError(
                f"Leaving out each of {patterns:,} patterns in turn, with new ranks each time, takes too long; ",
                remedy(method="analytic"),
                " gives the same error at once.",
            )
        items = self.tally.items.astype(np.float64)
        values = np.empty(patterns)
        for pattern, one in enumerate(self.tally.one.tolist()):
            items[pattern] -= one
            values[pattern] = self.evaluate(items).value
            items[pattern] += one
        return values

    def pair_sum(self, named: Tally | None) -> PairSum:
        """Every answer once; chance is drawn from all answers, wherever they stand."""
        return PairSum.of(self.tally, "answer")

    def alike(self, left: IntArray, right: IntArray) -> FloatArray:
        """1 − the squared difference of mid-ranks over the widest in the data."""
        value = self._own_ranks[0][self._rank]
        apart = self.tally.answers.mean_between(left, right, lambda one, other: (value[one] - value[other]) ** 2)
        return 1 - divide(apart, np.asarray(self.widest))

    @property
    def own_apart(self) -> FloatArray:
        """(answers,) δ² between two draws from one answer: 0 unless somebody gave different answers to an item."""
        value = self._own_ranks[0][self._rank]
        return 2 * self.tally.answers.spread_of_parts(value)

    def of_tally(self, tally: Tally) -> OrdinalLevel:
        """The same level for other answers of the same scale."""
        return OrdinalLevel(tally, self.places)

    def with_copies(self, copies: AnnotatorCopies, times: FloatArray, items: FloatArray) -> float:
        """By the numbers of pairs that copies make, with the ranks of their answers."""
        return alpha_of_copies(self, copies, times, items)

    def squares_of_each(self, effects: ItemEffects) -> FloatArray:
        """An answer moves everybody's ranks, and so everybody's agreement."""
        return effects.with_ranks(self)

    def decomposition(self) -> Decomposition:
        """Each item's disagreement against the study's."""
        ranks, _ = self._own_ranks
        within = spread_within(self.tally, ranks[self._rank])
        return alpha_decomposition(self.tally, within, self.parts, self.widest)


def _through_ranks(pull: FloatArray) -> FloatArray:
    """One more answer x raises the rank of all answers above x by one, and of x itself by a half."""
    return float(pull.sum()) - np.cumsum(pull) + pull / 2
