"""Units drawn again with replacement, and how far each moves a value where leaving one out tells nothing of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, divide
from accord.coefficients.formula import centred
from accord.coefficients.standard_errors import NO_ERROR

if TYPE_CHECKING:
    from accord.coefficients.measurable import Measurable

ONE_BY_ONE = 32  # up to here drawing a pattern's items one by one is quicker than drawing their number
RESAMPLES, SEED = 1000, 0  # as of a bootstrap where nobody asks for others
MOST_UNDEFINED = 0.05  # above this share of undefined resamples nothing is known
CELLS_AT_ONCE = 4_000_000  # numbers of units held at a time


class Redrawn:
    """Units drawn again with replacement: how many of each kind, which is a multinomial.

    Kinds of many units are drawn by number. The others are put together, and their units drawn one by one.
    """

    def __init__(self, number: IntArray) -> None:
        many = number > ONE_BY_ONE
        self.kinds, self.units = len(number), int(number.sum())
        self.many = np.nonzero(many)[0]
        self.kind = np.repeat(np.arange(self.kinds), np.where(many, 0, number))
        self.shares = np.append(number[many], len(self.kind)) / self.units

    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        """(size, kinds) the numbers in each resample."""
        drawn = np.empty((size, self.kinds))
        for row in drawn:
            number = rng.multinomial(self.units, self.shares)
            one_by_one = rng.integers(max(len(self.kind), 1), size=number[-1])
            row[:] = np.bincount(self.kind[one_by_one], minlength=self.kinds)
            row[self.many] = number[:-1]
        return drawn


def moves_when_drawn_again(found: Measurable) -> FloatArray | None:
    """(P,) how far one unit of each kind moves a value, times how many there are: by how it goes with the number drawn.

    A median among ties stays where it is whichever item is left out, and moves when items are drawn again. What its
    value then shares with the number drawn of each kind says how far that kind moves it; together they make the
    standard error of the bootstrap. None where the value does not move, or too often is none.
    """
    number, one = found.sample.units.astype(np.float64), found.sample.weight
    units = float(number.sum())
    if units < 2:
        return None
    again, rng = Redrawn(found.sample.units), np.random.default_rng(SEED)
    step = max(1, CELLS_AT_ONCE // max(len(number), 1))
    values, together, drawn_off = np.empty(0), np.zeros(len(number)), np.zeros(len(number))
    start = float(found.parts.value)
    for first in range(0, RESAMPLES, step):
        drawn = again.draw(rng, min(step, RESAMPLES - first))
        value = found.evaluate(drawn if one is None else drawn * one).value
        defined = np.isfinite(value)
        values = np.append(values, value[defined])
        off = drawn[defined] - number
        together, drawn_off = together + (value[defined] - start) @ off, drawn_off + off.sum(0)
    if len(values) < (1 - MOST_UNDEFINED) * RESAMPLES or not np.ptp(values) > NO_ERROR:
        return None
    moves = centred(divide(units / len(values) * (together - (values.mean() - start) * drawn_off), number), number)
    spread = float(np.sqrt(number @ moves**2 / (units * (units - 1))))
    return moves * (float(values.std(ddof=1)) / spread) if spread > 0 else None
