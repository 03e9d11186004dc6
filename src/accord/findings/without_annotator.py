"""The coefficient without an annotator: the change, with an interval paired over the items."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from accord.agreement.build import tallied
from accord.agreement.inference.informative_items import degrees_of_freedom
from accord.agreement.inference.wald import interval_around
from accord.agreement.uncertainty import Interval
from accord.annotations.arrays import BoolArray, FloatArray, add_up, sum_of_products
from accord.annotations.coded import CodedAnnotations
from accord.annotations.tally import Tally
from accord.coefficients.standard_errors import NORMAL, p_value
from accord.findings.distances import Distances


@dataclass(frozen=True)
class Change:
    """What leaving somebody out does to the coefficient."""

    value: float  # without them
    change: float
    se: float
    df: float = NORMAL  # of the error: the items that move the change, less one

    @property
    def interval(self) -> Interval:
        """95 %, paired over items."""
        return interval_around(self.change, self.se, df=self.df, method="analytic, paired")

    @property
    def p(self) -> float:
        """Two-sided, of no change."""
        return p_value(self.change, self.se, self.df)


def changes(distances: Distances, groups: Sequence[int | Sequence[int]]) -> list[Change]:
    """The change for each of some annotators, or groups of them, left out in turn."""
    return [distances.change_without((group,) if isinstance(group, int) else tuple(group)) for group in groups]


def change_without(distances: Distances, group: tuple[int, ...]) -> Change:
    """What leaving out some annotators does; `Distances.change_without` keeps it."""
    value, scores = distances.value_and_scores
    other, moved = scored_without(distances, np.isin(np.arange(distances.people), group))
    number, gap = distances.whole.n_items, moved - scores
    variance = sum_of_products(distances.whole.items, gap**2) * number / max(number - 1, 1)
    error = math.sqrt(variance) if math.isfinite(other) else math.nan
    return Change(other, other - value, error, degrees_of_freedom(gap, distances.whole.items))


def scored_without(distances: Distances, people: BoolArray) -> tuple[float, FloatArray]:
    """The coefficient without some people, and how far one item of each pattern of the whole moves it.

    Of many patterns most differ in nothing but the answers that are gone, or in who gave which: those are one.
    """
    whole, grid = distances.whole, distances.grid
    if grid is None:
        return _scored(distances, distances.without(people) if people.any() else whole)
    left = CodedAnnotations(whole.answers, len(whole), whole.annotators, grid=np.where(people, -1, grid))
    fewer = left.tally(named=tallied(distances.main).sample.annotator is not None)
    assert fewer.locate is not None
    place = fewer.locate()
    found = np.nonzero(place >= 0)[0]  # all, but for those whom nobody else answered
    items = add_up(place[found], whole.items[found], len(fewer)).astype(np.int64)
    value, scores = _scored(distances, replace(fewer, items=items))
    moved = np.zeros(len(whole))
    moved[found] = scores[place[found]]
    return value, moved


def _scored(distances: Distances, tally: Tally) -> tuple[float, FloatArray]:
    """The coefficient of a tally, and how far one item of each pattern moves it."""
    scores = np.zeros(len(tally))
    answered = tally.answered > 0
    if not tally.pairable.any():
        return math.nan, scores
    coefficient = tallied(distances.main).of_tally(tally.where(answered))
    assert coefficient is not None, "a main coefficient rests on who answered what"
    places = np.nonzero(answered)[0]
    if len(coefficient.sample) != len(places):  # some measures take pairable items only
        places = np.nonzero(tally.pairable)[0]
    value = float(coefficient.parts.value)
    if math.isfinite(value):
        scores[places] = coefficient.influence() / max(coefficient.sample.n_items, 1)
    return value, scores
