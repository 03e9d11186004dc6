"""Annotators in any number of copies: what a coefficient needs to be asked about annotators drawn again.

A copy of an annotator is never paired with itself, or resampling would invent agreement.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from accord.annotations.arrays import FloatArray, add_up, divide
from accord.annotations.tally import Tally
from accord.coefficients.annotator_pairs import AnnotatorPairs

if TYPE_CHECKING:
    from accord.coefficients.measurable import Measurable
    from accord.coefficients.units import Units


class AnnotatorCopies:
    """The named tally of a coefficient, whose annotators and items may come in any number of copies."""

    def __init__(self, coefficient: Measurable, named: Tally) -> None:
        self.coefficient = coefficient
        self.tally = coefficient.among(named)
        self.items = self.tally.items.astype(np.float64)

    @cached_property
    def pairs(self) -> AnnotatorPairs:
        """Every two annotators on the items both answered."""
        return AnnotatorPairs.of(self.tally)

    @cached_property
    def alike(self) -> FloatArray:
        """(M,) how alike the two answers of each pair on an item are."""
        return self.coefficient.pair_agreement(self.tally, self.pairs)

    def other_items(self, rng: np.random.Generator, units: Units) -> FloatArray:
        """Items drawn again, by item or by cluster."""
        if units.cluster is None:
            number = self.tally.n_items
            return rng.multinomial(number, self.tally.units / number) * self.tally.one
        named = units.over(self.tally)
        drawn = rng.multinomial(named.number, np.full(named.number, 1 / named.number))
        return np.asarray(drawn @ named.matrix, dtype=np.float64) * self.tally.one

    def answers(self, times: FloatArray, items: FloatArray) -> CopiedAnswers:
        """The answers that the copies give on these items."""
        assert self.tally.annotator is not None
        copies = times[self.tally.annotator] * self.tally.count
        answered = self.tally.per_pattern(copies)
        ordered = answered**2 - self.tally.per_pattern(copies**2)
        return CopiedAnswers(self.tally, times, items, copies, answered, ordered)

    def agreed(self, copied: CopiedAnswers) -> FloatArray:
        """(P,) observed agreement of an item: the mean over pairs of different people."""
        pairs, times = self.pairs, copied.times
        weight = 2 * times[pairs.first[pairs.pair]] * times[pairs.second[pairs.pair]] * self.alike
        return np.nan_to_num(divide(add_up(pairs.pattern, weight, len(self.tally)), copied.ordered))


@dataclass(frozen=True, eq=False)
class CopiedAnswers:
    """How often each entry and pattern of a tally comes, with each annotator so many times over."""

    tally: Tally
    times: FloatArray  # (R,) the copies of each annotator
    items: FloatArray  # (P,) the items of each pattern
    copies: FloatArray  # (E,) how many give each answer
    answered: FloatArray  # (P,) answers on an item
    ordered: FloatArray  # (P,) ordered pairs of answers of different people

    @cached_property
    def pairable(self) -> FloatArray:
        """(P,) the items on which two different people answer."""
        return self.items * (self.ordered > 0.5)

    def shares(self, *, each: str = "item") -> FloatArray:
        """(K,) how common each answer is: every item counted once, or every answer."""
        of_one = self.answered if each == "item" else np.ones(len(self.tally))
        share = np.nan_to_num(divide(self.copies, of_one[self.tally.pattern]))
        return self.tally.per_answer(share * self.items[self.tally.pattern])
