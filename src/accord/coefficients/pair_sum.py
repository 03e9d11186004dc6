"""Observed agreement as a sum over pairs of answers: what tells how it would be if answers were shuffled."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.annotations.arrays import FloatArray, add_up
from accord.annotations.tally import Tally


@dataclass(frozen=True, eq=False)
class PairsOfPeople:
    """Of a mean over pairs of annotators: what each pair has on the items that both answered."""

    weight: FloatArray  # (J,) what an item of the pair counts
    alike: FloatArray  # (J,) likeness of the two answers, summed over items
    first: FloatArray  # (J, K) how often the first gave each answer
    second: FloatArray  # (J, K)


@dataclass(frozen=True, eq=False)
class MovedChance:
    """Where chance agreement changes with who answered which item: a pooled distribution of items with unequal numbers
    of answers. An answer k of an item with n answers moves it by share[n] · slope[k].
    """

    share: FloatArray  # (N,)
    slope: FloatArray  # (K,)
    total: float  # what all answers together move it by


@dataclass(frozen=True, eq=False)
class PairSum:
    """Observed agreement is Σ over items, and over the pairs of answers of an item, of weight · likeness of the two.

    What a pair counts depends on how many answers its item has: `items` and `weight` are of items with 0, 1, 2 …
    """

    tally: Tally  # the items whose answers are shuffled: those that count
    items: FloatArray  # (N,) how many there are
    weight: FloatArray  # (N,) of a pair of answers of one of them; zero where there is none
    moved: MovedChance | None = None  # None where chance stays as it is
    pairs: PairsOfPeople | None = None  # of a mean over pairs of annotators, in place of `weight`

    @classmethod
    def of(cls, tally: Tally, each: str) -> PairSum:
        """Every item once, or every answer once; chance stays as it is."""
        items = add_up(tally.answered, tally.items, 3)
        answered, weight = np.arange(2.0, len(items)), np.zeros(len(items))
        compared = items[2:]
        weight[2:] = (compared > 0) / (answered - 1 if each == "answer" else answered * (answered - 1))
        total = float(compared @ answered if each == "answer" else compared.sum())
        return cls(tally, items, weight * (2 / total) if total > 0 else weight)

    @cached_property
    def answered(self) -> FloatArray:
        """(N,) how many answers each kind of items has."""
        return np.arange(len(self.items), dtype=np.float64)

    @cached_property
    def pairs_of_answers(self) -> FloatArray:
        """(N,) how many pairs of answers all items of a kind have."""
        return self.items * self.answered * (self.answered - 1) / 2
