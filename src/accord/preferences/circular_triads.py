"""Circular triads: A over B, B over C, C over A. Kendall and Babington Smith's coefficient of consistence.

Of options that were all compared with each other without ties, the number of circular triads d follows from the
numbers of wins a: d = n(n − 1)(2n − 1)/12 − ½ Σ a². The most there can be is (n³ − n)/24 for an odd number of options
and (n³ − 4n)/24 for an even one, and ζ = 1 − d/most. Where some pairs were not compared, or tied, triads that were
decided in full are counted, one by one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from accord.annotations.arrays import FloatArray

EXACT = 8  # options up to which the chance of so few circles is counted out over all tournaments


@dataclass(frozen=True)
class CircularTriads:
    """How many triads go in a circle, of how many that were decided, and how likely so few are by chance."""

    options: int
    triads: int  # of which all three pairs were decided
    circular: int
    complete: bool  # were all pairs decided?
    zeta: float  # NaN where the most there can be is not known
    p: float  # the chance of so few or fewer circles for somebody who prefers at random; NaN likewise
    undefined: str | None = None

    @property
    def share(self) -> float:
        """The circular ones among the triads that were decided; a quarter by chance."""
        return self.circular / self.triads if self.triads else math.nan


def circular_of(wins: FloatArray) -> CircularTriads:
    """Of (K, K) how often the row's option won over the column's: a pair is decided by more wins."""
    beats = (wins > wins.T).astype(np.float64)
    decided = beats + beats.T
    size = len(beats)
    triads = round(float(((decided @ decided) * decided.T).sum()) / 6)
    circular = round(float(((beats @ beats) * beats.T).sum()) / 3)
    complete = bool(decided.sum() == size * (size - 1)) and size >= 3
    if not complete:
        why = (
            "Circular triads need three options." if size < 3 else
            "Some pairs were not compared, or are undecided, so that the most circular ones there can be is not known."
        )  # fmt: skip
        return CircularTriads(size, triads, circular, False, math.nan, math.nan, why)  # noqa: FBT003 - incomplete
    zeta = 1 - circular / most_circular(size)
    return CircularTriads(size, triads, circular, True, zeta, chance_of_so_few(size, circular))  # noqa: FBT003 - complete


def most_circular(size: int) -> float:
    """The most circular triads that so many options can have.

    >>> [most_circular(size) for size in (3, 4, 5, 6)]
    [1.0, 2.0, 5.0, 8.0]
    """
    return (size**3 - (size if size % 2 else 4 * size)) / 24


def chance_of_so_few(size: int, circular: int) -> float:
    """The chance of at most so many circles if every pair is decided by a coin.

    Counted out over all tournaments for few options, else by Kendall and Babington Smith's chi-squared.

    >>> round(chance_of_so_few(7, 3), 3)
    0.033
    """
    if size <= EXACT:
        counts = _tournaments(size)
        return float(sum(number for found, number in counts.items() if found <= circular) / sum(counts.values()))
    from scipy.special import gammainc

    df = size * (size - 1) * (size - 2) / (size - 4) ** 2
    statistic = 8 / (size - 4) * (size * (size - 1) * (size - 2) / 24 - circular + 0.5) + df
    return float(1 - gammainc(df / 2, statistic / 2))


@cache
def _tournaments(size: int) -> dict[int, int]:
    """How many tournaments of so many options have how many circles: by their wins, an option at a time."""
    found: dict[tuple[int, ...], int] = {(): 1}
    for others in range(size):
        after: dict[tuple[int, ...], int] = {}
        for wins, number in found.items():
            for beaten in range(2**others):
                mine = beaten.bit_count()
                grown = tuple(sorted((*(w + (1 - (beaten >> at & 1)) for at, w in enumerate(wins)), mine)))
                after[grown] = after.get(grown, 0) + number
        found = after
    counts: dict[int, int] = {}
    for wins, number in found.items():
        circular = round(size * (size - 1) * (2 * size - 1) / 12 - sum(one * one for one in wins) / 2)
        counts[circular] = counts.get(circular, 0) + number
    return counts
