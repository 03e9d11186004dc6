"""A value that is a smooth function of sums over units: items by their patterns, or documents.

From that one fact follow its value, its value on any resample, its value without a unit (the jackknife), and how much
each unit moves it.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray
from accord.coefficients.formula import centred
from accord.coefficients.item_sums import ItemSums
from accord.coefficients.measurable import Measurable, Parts
from accord.errors import OptionError, remedy

JACKKNIFE_CELLS = 2_000_000  # sums held at a time while units are left out
JACKKNIFE_MOST = 20_000_000_000  # beyond this many steps the jackknife is refused
INFLUENCE_CELLS = 4_000_000  # kinds of units × sums multiplied in full


class SumsOverUnits(Measurable):
    """Given by sums over units, a formula (`combine`) and its derivative (`slopes`)."""

    smooth = True
    item_sums: ItemSums  # what one unit of each kind adds

    @abstractmethod
    def combine(self, sums: FloatArray) -> Parts:
        """The parts, from sums with any leading axes."""

    @abstractmethod
    def slopes(self, sums: FloatArray) -> FloatArray:
        """The derivative of the value by each sum."""

    def slopes_of_each(self, sums: FloatArray) -> FloatArray:
        """(B, sums) the derivative on each resample."""
        return np.stack([self.slopes(row) for row in sums])

    @cached_property
    def sums(self) -> FloatArray:
        """The study's own sums."""
        return self.item_sums.total(self.sample.items)

    @cached_property
    def parts(self) -> Parts:
        """The formula on the study's own sums."""
        return self.combine(self.sums)

    def evaluate(self, number: FloatArray | IntArray) -> Parts:
        """The formula on other units."""
        return self.combine(self.item_sums.total(number))

    def influence(self) -> FloatArray:
        """The derivative of the value along each kind of unit."""
        steps = self.item_sums.along(self.slopes(self.sums))
        return centred(self.sample.n_items * steps, self.sample.items)

    def influence_on(self, number: FloatArray) -> FloatArray:
        """The derivative of each resample's value along each kind of unit, less its mean."""
        slopes = self.slopes_of_each(self.item_sums.total(number))
        if len(self.sample) * self.item_sums.width <= INFLUENCE_CELLS:
            steps = slopes @ self.item_sums.rows(0, len(self.sample)).T
        else:
            steps = np.stack([self.item_sums.along(row) for row in slopes])
        mean = (number * steps).sum(1, keepdims=True)  # of units · steps, over the resample's units
        return np.asarray(number.sum(1, keepdims=True) * steps - mean)

    def leave_one_out(self) -> FloatArray:
        """The formula on the sums less each kind's own, some kinds at a time."""
        kinds, width = len(self.sample), max(self.item_sums.width, 1)
        if kinds * width > JACKKNIFE_MOST:
            raise OptionError(
                f"Leaving out each of {kinds:,} patterns in turn would take {kinds * width:,} steps; ",
                remedy(method="analytic"),
                " gives the same error at once.",
            )
        values = np.empty(kinds)
        step = max(1, JACKKNIFE_CELLS // width)
        for first in range(0, kinds, step):
            last = min(first + step, kinds)
            one = self.item_sums.rows(first, last)
            if self.sample.weight is not None:
                one *= self.sample.weight[first:last, None]
            values[first:last] = self.combine(self.sums - one).value
        return values
