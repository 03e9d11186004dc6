"""Variance components of scores: which way a design is fitted, and what is found."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.annotations.arrays import FloatArray
from accord.coefficients.standard_errors import LOG_ODDS, LOGARITHM, NORMAL, limits, quantile
from accord.scores.eliminated_items import MOST_CELLS, EliminatedItems, Presence
from accord.scores.equated_sums import equated
from accord.scores.items_alone import ItemsAlone
from accord.scores.mean_squares import MeanSquares
from accord.scores.mixed_equations import MixedEquations
from accord.scores.restricted_likelihood import LEAST, MixedModel, RestrictedLikelihood, VarianceFit, maximise, profile
from accord.scores.score_table import EXACTLY, ITEM, Effect, ScoreTable

MOST_KEPT = 1_500  # annotators up to whom items are eliminated
FACETS = 3  # factors from which there is more than items and annotators


@dataclass(frozen=True, eq=False)
class Components:
    """What each set of factors adds to the variance of a score, what is left over last; in the table's unit squared."""

    table: ScoreTable
    effects: tuple[Effect, ...]
    criterion: RestrictedLikelihood
    by_anova: FloatArray  # (effects + 1,) below zero where that comes out
    fit: VarianceFit  # by restricted maximum likelihood

    @property
    def variances(self) -> FloatArray:
        """(effects + 1,) by restricted maximum likelihood: none below zero."""
        return self.fit.variances

    @property
    def divided(self) -> FloatArray:
        """(effects + 1,) those that shares are made of: of items and annotators without gaps the unbiased ones.

        An ICC of these is as published. Of further facets an error below zero could come out, and a share above 1.
        """
        return self.by_anova if self.complete and len(self.table.factors) < FACETS else self.variances

    @property
    def deviance(self) -> float:
        """−2 log restricted likelihood, in the unit of the scores."""
        return self.fit.criterion + 2 * (len(self.table) - 1) * math.log(self.table.unit)

    @property
    def complete(self) -> bool:
        """Has every cell the same number of scores?"""
        return self.criterion.mean_squares is not None

    @property
    def at_zero(self) -> tuple[int, ...]:
        """The effects that have no variance of their own, because it would come out at or below zero."""
        return tuple(place for place, value in enumerate(self.variances[:-1]) if not value > 0)

    @property
    def nothing_left_over(self) -> bool:
        """Do the effects explain every score?"""
        return not float(self.variances[-1]) > EXACTLY * float(self.variances.sum())

    @property
    def items_differ(self) -> bool:
        """Is there a mean square of items above zero, or a likelihood that knows of none?"""
        known = self.criterion.mean_squares
        return known is None or bool(known.squares[0] > EXACTLY * known.squares.sum())

    @cached_property
    def mean(self) -> tuple[float, float]:
        """The mean score, and its standard error."""
        mean, spread = self.criterion.mean(self.variances)
        return mean * self.table.unit + self.table.mean, math.sqrt(spread) * self.table.unit

    @cached_property
    def covariance(self) -> FloatArray:
        """Of the variances, by the curvature of the likelihood."""
        return self.fit.covariance(self.criterion)

    def interval(self, place: int, confidence: float) -> tuple[float, float]:
        """Of one variance: where the likelihood, at its most for it, has fallen too far; else on the log scale."""
        value, total = float(self.variances[place]), float(self.variances.sum())
        if self.nothing_left_over:
            return math.nan, math.nan  # that could differ
        if not self.criterion.quick:
            return self._by_curvature(place, confidence)
        others = np.delete(np.eye(len(self.variances)), place, axis=1)
        one = np.eye(len(self.variances))[place]
        least = 0.0 if place < len(self.variances) - 1 else 1e-9 * total
        start = value if value > 0 else 1e-6 * total
        return profile(
            self.criterion, self.fit, start, lambda _: others, lambda at: at * one, (least, math.inf),
            _reach(confidence),
        )  # fmt: skip

    def _by_curvature(self, place: int, confidence: float) -> tuple[float, float]:
        value, error = float(self.variances[place]), math.sqrt(max(float(self.covariance[place, place]), 0.0))
        if not value > 0:
            return math.nan, math.nan
        low, high = limits(value, error, df=NORMAL, confidence=confidence, scale=LOGARITHM)
        return float(low), float(high)

    def share_interval(self, weights: FloatArray, confidence: float) -> tuple[float, float]:
        """Of σ²_item / (σ²_item + weights · the others), the weight of the item's own being zero; followed once."""
        key = (*weights.tolist(), confidence)
        if key not in self._followed:
            self._followed[key] = self._share_interval(weights, confidence)
        return self._followed[key]

    @cached_property
    def _followed(self) -> dict[tuple[float, ...], tuple[float, float]]:
        return {}

    def _share_interval(self, weights: FloatArray, confidence: float) -> tuple[float, float]:
        place = self.effects.index(frozenset((ITEM,)))
        value = share(self.variances, weights, place)
        if self.nothing_left_over or math.isnan(value):
            return math.nan, math.nan
        value = max(value, 1e-6)  # the likelihood is followed upwards from next to nothing
        if not self.criterion.quick:
            return self._share_by_curvature(weights, value, confidence)
        others = np.delete(np.eye(len(weights)), place, axis=1)

        def embed(at: float) -> FloatArray:
            matrix = others.copy()
            matrix[place] = at / (1 - at) * np.delete(weights, place)
            return matrix

        nothing = np.zeros(len(weights))
        return profile(self.criterion, self.fit, value, embed, lambda _: nothing, (0.0, 1.0), _reach(confidence))

    def share_error(self, weights: FloatArray) -> float:
        """The standard error of such a share, by the curvature of the likelihood."""
        place = self.effects.index(frozenset((ITEM,)))
        slope = share_slopes(self.variances, weights, place)
        return math.sqrt(max(float(slope @ self.covariance @ slope), 0.0))

    def _share_by_curvature(self, weights: FloatArray, value: float, confidence: float) -> tuple[float, float]:
        low, high = limits(value, self.share_error(weights), df=NORMAL, confidence=confidence, scale=LOG_ODDS)
        return float(low), float(high)


def share(variances: FloatArray, weights: FloatArray, place: int) -> float:
    """What the item's variance is of itself and weighted others; NaN of nothing, and of less than nothing."""
    own, others = float(variances[place]), float(weights @ variances)
    least = EXACTLY * float(np.abs(variances).sum())
    return own / (own + others) if own + others > least else math.nan


def share_slopes(variances: FloatArray, weights: FloatArray, place: int) -> FloatArray:
    """Its derivatives by the variances."""
    own, others = float(variances[place]), float(weights @ variances)
    slope = -own * weights / (own + others) ** 2
    slope[place] += others / (own + others) ** 2
    return np.asarray(slope)


def _reach(confidence: float) -> float:
    """By how much −2 log likelihood may rise: chi-squared with one degree of freedom."""
    return quantile(confidence) ** 2


def fitted(table: ScoreTable) -> Components:
    """The components of a table, by whatever fits its design."""
    effects = table.effects
    if table.repeats is not None and len(effects) + 1 == len(MeanSquares.of(table).squares):
        return by_mean_squares(table, MeanSquares.of(table))
    return by_likelihood(table, _model(table, effects), equated(table, effects), float(table.score.var()))


def by_mean_squares(table: ScoreTable, squares: MeanSquares) -> Components:
    """From mean squares: the unbiased estimates, which are the likeliest unless one is below zero."""
    anova = squares.by_anova
    scale = float(np.abs(anova).sum())
    anova = np.where(np.abs(anova) < EXACTLY * scale, 0.0, anova)
    if (anova >= 0).all():
        value = squares(np.append(anova[:-1], max(anova[-1], LEAST * scale)))[0]
        return Components(
            table, table.effects, squares, anova, VarianceFit(anova, value, (anova > 0).astype(np.float64))
        )
    variance = float(squares.squares @ squares.df) / len(table)
    return Components(table, table.effects, squares, anova, maximise(squares, _start(anova, variance)))


def by_likelihood(table: ScoreTable, model: MixedModel, anova: FloatArray, variance: float) -> Components:
    """The likeliest components by a model of the scores, from the unbiased ones and the variance of all scores."""
    return Components(table, table.effects, model, anova, maximise(model, _start(anova, variance)))


def _start(anova: FloatArray, variance: float) -> FloatArray:
    """A first guess: the unbiased estimates, none of them too small to move away from."""
    each = variance / len(anova)
    return np.maximum(np.where(np.isfinite(anova), anova, each), 0.01 * each)


def _model(table: ScoreTable, effects: tuple[Effect, ...]) -> MixedModel:
    """Items eliminated where annotators are all that there is besides, and few; else the equations of all effects."""
    if effects == (frozenset((ITEM,)),):
        return ItemsAlone(presence_of(table))
    two = len(effects) == 2 and len(table.factors) == 2 and all(len(effect) == 1 for effect in effects)
    if two and table.levels[table.factors[1]] <= MOST_KEPT:
        presence = presence_of(table)
        if len(presence.sizes) * presence.n_kept**2 <= MOST_CELLS:
            return EliminatedItems(presence)
    return MixedEquations(table, effects)


def presence_of(table: ScoreTable) -> Presence:
    """Who scored which item, of a table of items and annotators; or of items alone."""
    item, *others = table.factors
    who = table.codes[others[0]] if others else np.zeros(len(table), dtype=np.int64)
    return Presence(table.codes[item], who, table.score, table.levels[item], table.levels[others[0]] if others else 1)
