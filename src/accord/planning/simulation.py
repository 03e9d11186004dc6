"""Studies that have not been made yet: drawn from a population, each with the value and interval it would have."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from accord.agreement.inference.intervals import floor_of
from accord.agreement.inference.resampling import blocks
from accord.agreement.inference.wald import NO_ERROR
from accord.annotations.arrays import FloatArray, IntArray, divide
from accord.annotations.coded import CodedAnnotations
from accord.annotations.tally import Tally
from accord.coefficients.chance import NoChance, Uniform
from accord.coefficients.coefficient import Smooth, Tabular
from accord.planning.population import Population

MANY = 1e6  # items of a population that is measured as a whole
FULL_CELLS = 4_000_000  # patterns × sums that are held in full


@dataclass(frozen=True, eq=False)
class Trials:
    """The values and standard errors of many studies of one size; NaN where a study would have none.

    A study whose items all agree to the same degree shows no spread. Its interval of no width is no knowledge, so
    it counts as a study without one.
    """

    value: FloatArray
    error: FloatArray
    df: FloatArray
    floor: float = -np.inf  # below which the value cannot lie

    def reach(self, tail: float) -> FloatArray:
        """How many standard errors' worth lies between the value and an end that leaves `tail` beyond it."""
        from scipy.special import stdtrit

        return np.asarray(stdtrit(np.maximum(self.df, 1), 1 - tail) * self.error)

    def width(self, confidence: float) -> FloatArray:
        """The full width of the interval, from its low to its high end, both cut where values end."""
        reach = self.reach((1 - confidence) / 2)
        return np.minimum(self.value + reach, 1.0) - np.maximum(self.value - reach, self.floor)

    def bound(self, confidence: float) -> FloatArray:
        """The lower bound of the one-sided interval."""
        return np.maximum(self.value - self.reach(1 - confidence), self.floor)

    @cached_property
    def undefined(self) -> float:
        """The share of studies without an interval."""
        return float(np.mean(~np.isfinite(self.error)))


def trials(population: Population, units: int, size: int, rng: np.random.Generator) -> Trials:
    """Many studies of so many units (items, or clusters of them), drawn at random."""
    return of_units(population, population.draw(units, size, rng))


def of_units(population: Population, drawn: FloatArray | IntArray) -> Trials:
    """Studies with given numbers of units of each kind: (size, units)."""
    size = len(drawn)
    value, error, df = np.full(size, np.nan), np.full(size, np.nan), np.ones(size)
    for first, last in blocks(size, len(population.coefficient.tally)):
        items = population.items(drawn[first:last])
        value[first:last], scores = _measured(population, items)
        number = items.sum(1)
        if population.matrix is None:
            df[first:last] = number - 1
            variance = divide((items * scores**2).sum(1), number * (number - 1))
        else:  # clusters go together
            totals, clusters = np.asarray(population.matrix @ scores.T).T, drawn[first:last].sum(1)
            df[first:last] = clusters - 1
            variance = divide(clusters * (drawn[first:last] * totals**2).sum(1), (clusters - 1) * number**2)
        error[first:last] = np.sqrt(variance)
    error[~(error > NO_ERROR)] = np.nan
    return Trials(np.where(np.isnan(error), np.nan, value), error, df, floor_of(population.result.measure))


def _measured(population: Population, items: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(size,) the value of each study, and (size, P) how far one item of each pattern moves it."""
    if not isinstance(population.coefficient, Smooth):
        found = [_anew(population, row) for row in items]
        return np.array([value for value, _ in found]), np.stack([scores for _, scores in found])
    value = population.coefficient.evaluate(items).value
    scores = np.full(items.shape, np.nan)
    there = np.isfinite(value)
    if there.any():
        scores[there] = _influences(population.coefficient, items[there])
    return value, scores


def spread(population: Population) -> float:
    """The standard deviation of what one item adds: the standard error is this over the root of the items."""
    share = population.items(population.shares)
    score = _measured(population, share[None, :] * MANY)[1][0]
    if population.matrix is None:
        # items that the measure does not use add nothing, and thin the others
        return float(np.sqrt(share @ score**2 / share.sum() ** 2))
    totals = population.matrix @ score
    per_unit = population.items_per_unit
    used = float(share.sum())  # items of use in a cluster
    return float(np.sqrt(population.shares @ totals**2 * per_unit) / used)


def _influences(coefficient: Smooth, items: FloatArray) -> FloatArray:
    """(size, P) how far one item of each pattern moves the value of each study, times the study's items."""
    number = items.sum(1, keepdims=True)
    slopes = _slopes(coefficient, coefficient.features.total(items))
    if len(coefficient.tally) * coefficient.features.width <= FULL_CELLS:
        steps = slopes @ coefficient.features.rows(0, len(coefficient.tally)).T
    else:
        steps = np.stack([coefficient.features.along(row) for row in slopes])
    mean = (items * steps).sum(1, keepdims=True)  # of number · steps, over the study's items
    return np.asarray(number * steps - mean)


def _slopes(coefficient: Smooth, sums: FloatArray) -> FloatArray:
    """(size, sums) the derivative of each study's value; all at once for the plain rows of the table."""
    if type(coefficient) is not Tabular:
        return np.stack([coefficient.slopes(row) for row in sums])
    parts = coefficient.combine(sums)
    by_observed = np.stack((np.ones(len(sums)), -parts.observed), axis=1) / sums[:, 1:2]
    if isinstance(coefficient.chance, Uniform | NoChance):
        by_expected = np.empty((len(sums), 0))
    else:
        by_expected = coefficient.chance.slopes(sums[:, 2:], coefficient.chance_weights)
    moved = np.concatenate((by_observed, -(1 - parts.value)[:, None] * by_expected), axis=1)
    return np.asarray(moved / (1 - parts.expected)[:, None])


def _anew(population: Population, items: FloatArray) -> tuple[float, FloatArray]:
    """The same of one study by a coefficient that must be made anew, such as one on ranks; of what was drawn only."""
    counted = np.round(items).astype(np.int64)
    drawn = replace(population.coefficient.tally, items=counted).where(counted > 0)
    old = population.result.study._annotations
    if old.answers.kind == "score":
        used, place = np.unique(drawn.answer, return_inverse=True)
        drawn = replace(drawn, answers=replace(old.answers, scores=old.answers.scores[used]), answer=place)
    again = population.result.study._with_annotations(
        _Drawn(drawn.answers, 0, old.annotators, items=old.items, drawn=drawn)
    )
    coefficient = population.result.recipe(again)
    value, scores = float(coefficient.parts.value), np.zeros(len(items))
    scores[counted > 0] = coefficient.influence() if np.isfinite(value) else np.nan
    return value, scores


@dataclass(frozen=True, eq=False)
class _Drawn(CodedAnnotations):
    """Annotations of which only the tally is known."""

    drawn: Tally | None = None

    def tally(self, *, named: bool = False) -> Tally:
        """The tally drawn."""
        assert self.drawn is not None
        return self.drawn
