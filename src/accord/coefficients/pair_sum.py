"""Observed agreement as a sum over pairs of answers: what tells how it would be if answers were shuffled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import FloatArray
from accord.annotations.tally import Tally


@dataclass(frozen=True, eq=False)
class PairsOfPeople:
    """Of a mean over pairs of annotators: what each pair has on the items that both answered."""

    weight: FloatArray  # (J,) what an item of the pair counts
    alike: FloatArray  # (J,) likeness of the two answers, summed over items
    first: FloatArray  # (J, K) how often the first gave each answer
    second: FloatArray  # (J, K)


@dataclass(frozen=True, eq=False)
class PairSum:
    """Observed agreement is Σ over items, and over the pairs of answers of an item, of weight · likeness of the two.

    Where chance agreement changes with who answered which item (a pooled distribution of items with unequal numbers of
    answers), an answer k of an item moves it by chance_share · chance_slope[k].
    """

    tally: Tally  # the items whose answers are shuffled: those that count
    weight: FloatArray  # (P,) of a pair of answers of an item of each pattern; zero for an item with one answer
    chance_share: FloatArray  # (P,)
    chance_slope: FloatArray  # (K,)
    pairs: PairsOfPeople | None = None  # of a mean over pairs of annotators, in place of `weight`

    @classmethod
    def of(cls, tally: Tally, each: str) -> PairSum:
        """Every item once, or every answer once; chance stays as it is."""
        answered = tally.answered.astype(np.float64)
        pairs = np.where(answered >= 2, answered * (answered - 1) / 2, np.inf)
        once = np.where(answered >= 2, answered if each == "answer" else 1.0, 0.0)
        total = float(tally.items @ once)
        weight = once / pairs / total if total > 0 else np.zeros(len(tally))
        return cls(tally, weight, np.zeros(len(tally)), np.zeros(len(tally.answers)))
