"""Studies that have not been made yet: drawn from a population, each with the value and interval it would have."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from accord.agreement.build import tallied
from accord.agreement.inference.informative_items import informed_limits, without_agreement
from accord.agreement.inference.resampling import blocks
from accord.annotations.arrays import FloatArray, IntArray, divide
from accord.annotations.coded import CodedAnnotations
from accord.annotations.tally import Tally
from accord.coefficients.measurable import Measurable
from accord.coefficients.standard_errors import ANYWHERE, NO_ERROR, Ends
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
    effective: FloatArray  # units of equal weight that would inform each error as well
    units: FloatArray  # items, or clusters of them
    rare: bool = False  # does one answer fill most items?
    ends: Ends = ANYWHERE  # where values of the measure lie
    clustered: bool = False  # are the units clusters?
    worst: float | None = None  # what the value falls short by where no unit has any agreement

    def limits(self, confidence: float) -> tuple[FloatArray, FloatArray]:
        """The ends of the interval, cut where values end."""
        return informed_limits(
            self.value, self.error, self.effective, self.units,
            confidence=confidence, ends=self.ends, rare=self.rare, clustered=self.clustered, worst=self.worst,
        )  # fmt: skip

    def width(self, confidence: float) -> FloatArray:
        """The full width of the interval, from its low to its high end, both cut where values end."""
        low, high = self.limits(confidence)
        return high - low

    def bound(self, confidence: float) -> FloatArray:
        """The lower bound of the one-sided interval."""
        return self.limits(2 * confidence - 1)[0]

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
    value, error, effective, units = np.full(size, np.nan), np.full(size, np.nan), np.ones(size), np.ones(size)
    for first, last in blocks(size, len(population.coefficient.sample)):
        items = population.items(drawn[first:last])
        value[first:last], scores = _measured(population, items)
        number = items.sum(1)
        if population.matrix is None:
            units[first:last] = number
            squares, fourths = _squares_and_fourths(items, scores)
            variance = divide(squares, number * (number - 1))
        else:  # clusters go together
            totals, clusters = np.asarray(population.matrix @ scores.T).T, drawn[first:last].sum(1)
            units[first:last] = clusters
            squares, fourths = _squares_and_fourths(drawn[first:last], totals)
            variance = divide(clusters * squares, (clusters - 1) * number**2)
        effective[first:last] = divide(squares**2, fourths)
        error[first:last] = np.sqrt(variance)
    error[~(error > NO_ERROR)] = np.nan
    rare = population.coefficient.rare_answers() is not None
    worst = without_agreement(population.coefficient.parts.expected)
    entry = population.result.entry
    return Trials(
        np.where(np.isnan(error), np.nan, value), error, effective, units, rare,
        (entry.low, entry.high), population.matrix is not None, worst,
    )  # fmt: skip


def _squares_and_fourths(number: FloatArray | IntArray, scores: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(size,) the sums of squared scores and of their squares; a fourth power by itself takes many times as long."""
    each = scores**2
    counted = number * each
    return counted.sum(1), (counted * each).sum(1)


def _measured(population: Population, items: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(size,) the value of each study, and (size, P) how far one item of each pattern moves it."""
    coefficient = population.coefficient
    if coefficient.smooth:
        return coefficient.value_and_influence_on(items)
    if not follows_studies(coefficient):
        scores = coefficient.influences - divide(items @ coefficient.influences, items.sum(1))[:, None]
        return coefficient.evaluate(items).value, scores
    found = [_anew(population, row) for row in items]
    return np.array([value for value, _ in found]), np.stack([scores for _, scores in found])


def follows_studies(coefficient: Measurable) -> bool:
    """Is it known of every study how far an item moves the value, and not only of the pilot?"""
    return coefficient.smooth or coefficient.unweighted.on_patterns() is not None


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


def _anew(population: Population, items: FloatArray) -> tuple[float, FloatArray]:
    """The same of one study by a coefficient that must be made anew, such as one on ranks; of what was drawn only."""
    counted = np.round(items).astype(np.int64)
    drawn = replace(tallied(population.result).tally, items=counted).where(counted > 0)
    old = population.result.study._annotations
    if old.answers.kind == "score" and drawn.answers is old.answers:  # with none that are mixed
        used, place = np.unique(drawn.answer, return_inverse=True)
        drawn = replace(drawn, answers=replace(old.answers, scores=old.answers.scores[used]), answer=place)
    again = population.result.study._with_annotations(
        _Drawn(drawn.answers, 0, old.annotators, items=old.items, no_repeats=True, drawn=drawn)
    )
    coefficient = population.result.recipe(again)
    value, scores = float(coefficient.parts.value), np.zeros(len(items))
    scores[counted > 0] = coefficient.influence() if np.isfinite(value) else np.nan
    return value, scores


@dataclass(frozen=True, eq=False)
class _Drawn(CodedAnnotations):
    """Annotations of which only the tally is known."""

    drawn: Tally = field(kw_only=True)

    def tally(self, *, named: bool = False) -> Tally:
        """The tally drawn."""
        return self.drawn
