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
    weight: FloatArray  # (N,) what a pair of answers of such an item counts
    moved: MovedChance | None = None  # None where chance stays as it is
    pairs: PairsOfPeople | None = None  # of a mean over pairs of annotators, in place of `weight`
    even: bool = False  # every answer counts the same, however many its item has

    @classmethod
    def of(cls, tally: Tally, each: str) -> PairSum:
        """Every item once, or every answer once; chance stays as it is."""
        items = add_up(tally.answered, tally.items, 3)
        answered, weight, compared = np.arange(2.0, len(items)), np.zeros(len(items)), items[2:]
        total = float(compared @ answered if each == "answer" else np.add.reduce(compared))
        if total > 0:
            np.divide(2 / total, answered - 1 if each == "answer" else answered * (answered - 1), out=weight[2:])
        return cls(tally, items, weight, even=each == "answer" and not items[1])

    @cached_property
    def kinds(self) -> list[tuple[int, float, float]]:
        """Items by how many answers they have: these, how many items, and what a pair of their answers counts.

        They are few, and of a few numbers Python makes sums in a tenth of the time that arrays take.
        """
        answered = np.nonzero(self.items)[0]
        return [*zip(answered.tolist(), self.items[answered].tolist(), self.weight[answered].tolist(), strict=True)]

    def powers(self, power: int) -> tuple[float, float]:
        """Σ over pairs of answers of what a pair counts, to a power; and over ordered two that share one answer."""
        same = sharing = 0.0
        for answered, items, weight in self.kinds:
            pairs = items * (answered * (answered - 1) / 2) * weight**power
            same += pairs
            sharing += 2 * (answered - 2) * pairs
        return same, sharing
