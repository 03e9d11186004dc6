"""Restricted maximum likelihood: the variances that make the scores likeliest whatever their mean, none below zero.

With y = μ + Σ Z_k u_k + e, V = Σ σ²_k Z_k Z_kᵀ + σ²_e I, the criterion is −2 log of the restricted likelihood,

    (N − 1) log 2π + log|V| + log(1ᵀ V⁻¹ 1) + (y − μ̂)ᵀ V⁻¹ (y − μ̂),

as lme4 prints it. How V is inverted differs by design: mean squares where every cell holds the same number of scores, a
small system of annotators once the items are eliminated, sparse equations else. All give the value and its gradient.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray
from accord.scores.descent_from_zero import descend_from_zero, downhill

if TYPE_CHECKING:
    from accord.scores.eliminated_items import ItemModel
    from accord.scores.mean_squares import MeanSquares

LEAST = 1e-8  # of all variance: what is left over is never less while the likelihood is looked at
AT_ZERO = 1e-9  # of all variance: a component below this, that would rather be smaller, is zero
STEPS = 30
CLOSE = 1e-11  # of all variance: a step smaller than this is the last
NEARLY = 1e-7  # the same of a resample, whose value differs from others' by far more
SECANTS = 20
NOWHERE = 1e15  # a criterion that no variances have
NEAR = 1e-12  # of the criterion, where it is followed
SEVERAL = 3  # free variances from which a search starts from several guesses
FEW = 100  # scores up to which the likelihood may have several valleys; of more, none was seen
LOOKED_AT = 8  # values after which the neighbours' guesses are enough
FAR = 1e8  # times the estimate: an upper end beyond this is none


class RestrictedLikelihood(ABC):
    """−2 log restricted likelihood of variances, what is left over last."""

    n_scores: int
    quick = False  # enough to be followed to where it has fallen too far

    @property
    @abstractmethod
    def size(self) -> int:
        """How many variances there are."""

    @property
    def equations(self) -> int:
        """How many are solved for each look at it: none where it has a formula."""
        return 0

    @property
    def explains_any(self) -> bool:
        """Do the effects explain every score, whatever the scores are?"""
        return False

    @property
    def mean_squares(self) -> MeanSquares | None:
        """Itself, where it is made of these: every cell has as many scores."""
        return None

    @property
    def by_item(self) -> ItemModel | None:
        """Itself, where items may count any number of times."""
        return None

    @abstractmethod
    def mean(self, variances: FloatArray) -> tuple[float, float]:
        """The mean score at some variances, and how much that varies."""

    @abstractmethod
    def __call__(self, variances: FloatArray) -> tuple[float, FloatArray]:
        """The criterion and its gradient."""


@dataclass(frozen=True)
class LikelihoodParts:
    """What the criterion is made of at some ratios λ of the variances to what is left over: V = σ²_e V₀(λ)."""

    log_volume: float  # log|V₀|
    ones: float  # 1ᵀ V₀⁻¹ 1
    squares: float  # (y − μ̂)ᵀ V₀⁻¹ (y − μ̂)
    mean: float  # μ̂
    by_log_volume: FloatArray  # their derivatives by each λ
    by_ones: FloatArray
    by_squares: FloatArray


class MixedModel(RestrictedLikelihood):
    """A criterion by ratios of variances; what is left over scales them all."""

    @abstractmethod
    def pieces(self, ratios: FloatArray) -> LikelihoodParts:
        """At some ratios."""

    def mean(self, variances: FloatArray) -> tuple[float, float]:
        """By generalised least squares."""
        rest = max(float(variances[-1]), LEAST * float(variances.sum()))
        at = self.pieces(variances[:-1] / rest)
        return at.mean, rest / at.ones

    def __call__(self, variances: FloatArray) -> tuple[float, FloatArray]:
        """The criterion and its gradient, by the chain rule; nowhere, where next to nothing is left over."""
        rest = float(variances[-1])
        ratios = variances[:-1] / rest
        nowhere = NOWHERE, np.append(np.zeros(len(ratios)), -1.0)
        try:
            at = self.pieces(ratios)
        except np.linalg.LinAlgError:  # rounding has made the equations singular
            return nowhere
        if not (at.ones > 0 and at.squares >= 0):
            return nowhere
        free = self.n_scores - 1
        value = free * math.log(2 * math.pi * rest) + at.log_volume + math.log(at.ones) + at.squares / rest
        along = at.by_log_volume + at.by_ones / at.ones + at.by_squares / rest
        by_rest = free / rest - at.squares / rest**2 - float(ratios @ along) / rest
        return value, np.append(along / rest, by_rest)


@dataclass(frozen=True, eq=False)
class VarianceFit:
    """The variances found, and how curved the criterion is there."""

    variances: FloatArray
    criterion: float
    free: FloatArray  # which are above zero, as 0 and 1

    def covariance(self, criterion: RestrictedLikelihood) -> FloatArray:
        """Of the variances, by the observed information; zero of those at zero."""
        if not self.variances[-1] > 0:
            return np.full((len(self.variances), len(self.variances)), np.nan)
        at = np.flatnonzero(self.free)
        curve = curvature(criterion, self.variances, at)
        covariance = np.zeros((len(self.variances), len(self.variances)))
        covariance[np.ix_(at, at)] = 2 * np.linalg.pinv(curve, hermitian=True)
        return covariance


def maximise(criterion: RestrictedLikelihood, start: FloatArray) -> VarianceFit:
    """The likeliest variances, from a guess of them; of few scores also from equal shares, and the better of both.

    The likelihood of few scores may have several valleys, and which of them a search ends in hangs on its start.
    """
    scale, several = float(np.abs(start).sum()), len(start)
    starts = [np.maximum(start, 1e-3 * scale), np.full(several, scale / several)][: n_searches(criterion, several)]
    ends = [_descended(criterion, first, np.eye(several), np.zeros(several), scale) for first in starts]
    lowest = ends[0] if len(ends) == 1 else min(ends, key=lambda end: criterion(_kept(end, scale))[0])
    return _fit(*_polished(criterion, lowest, scale), scale)


def n_searches(criterion: RestrictedLikelihood, variances: int) -> int:
    """How often the likeliest of so many variances are searched for."""
    return 2 if variances >= SEVERAL and criterion.n_scores <= FEW else 1


def _kept(variances: FloatArray, scale: float) -> FloatArray:
    """None below zero, and of what is left over never less than is looked at."""
    return np.append(np.maximum(variances[:-1], 0.0), max(float(variances[-1]), LEAST * scale))


def refined(criterion: RestrictedLikelihood, start: FloatArray, curve: FloatArray) -> VarianceFit:
    """The same from where similar scores ended, and how curved their criterion was there: by secant steps.

    Where these leave the variances above zero, or do not settle, it is searched for from the start.
    """
    scale = float(np.abs(start).sum())
    variances, (value, slope) = start, criterion(start)
    for _ in range(SECANTS):
        step = -downhill(curve, slope)
        if (variances + step <= 0).any():
            break
        variances = variances + step
        before, (value, slope) = slope, criterion(variances)
        if float(np.abs(step).max()) < NEARLY * scale:
            return _fit(variances, value, scale)
        changed, along = slope - before, curve @ step
        bent = float(changed @ step)
        if not bent > 0:
            break
        curve = curve + np.outer(changed, changed) / bent - np.outer(along, along) / float(step @ along)
    return maximise(criterion, start)


def _fit(variances: FloatArray, value: float, scale: float) -> VarianceFit:
    if variances[-1] <= 2 * LEAST * scale:  # nobody differs but by what the other parts explain
        variances = np.where(variances <= 2 * LEAST * scale, 0.0, variances)
    return VarianceFit(variances, value, (variances > 0).astype(np.float64))


def _descended(
    criterion: RestrictedLikelihood,
    start: FloatArray,
    embed: FloatArray,
    offset: FloatArray,
    scale: float,
    close: float = 1e-15,
) -> FloatArray:
    """Where a descent ends, of variances embed @ free + offset with free ones from zero on."""

    def scaled(free: FloatArray) -> tuple[float, FloatArray]:
        variances = embed @ free * scale + offset
        held = float(variances[-1]) < LEAST * scale
        variances[-1] = max(variances[-1], LEAST * scale)
        value, slope = criterion(variances)
        if held and slope[-1] > 0:  # less of it changes nothing any more
            slope = np.append(slope[:-1], 0.0)
        return value, embed.T @ slope * scale

    return descend_from_zero(scaled, start / scale, close=close) * scale


def _polished(criterion: RestrictedLikelihood, variances: FloatArray, scale: float) -> tuple[FloatArray, float]:
    """By Newton's steps to where rounding ends: the same data have the same digits from any start."""
    least = np.zeros(len(variances))
    least[-1] = LEAST * scale
    variances = np.maximum(variances, least)
    value, slope = criterion(variances)
    for _ in range(STEPS):
        at_least = (variances < least + AT_ZERO * scale) & (slope > 0)
        variances = np.where(at_least, least, variances)
        at = np.flatnonzero(~at_least)
        value, slope = criterion(variances)
        step = np.zeros_like(variances)
        step[at] = downhill(curvature(criterion, variances, at), slope[at])
        part, better = 1.0, False
        while part > 1e-4 and not better:
            tried = np.maximum(variances - part * step, least)
            tried_value, tried_slope = criterion(tried)
            better = tried_value <= value + 1e-12 * abs(value)
            part /= 2
        if not better:
            break
        moved = float(np.abs(tried - variances).max())
        variances, value, slope = tried, tried_value, tried_slope
        if moved < CLOSE * scale:
            break
    return variances, value


def curvature(criterion: RestrictedLikelihood, variances: FloatArray, at: IntArray) -> FloatArray:
    """(F, F) second derivatives by the variances at some places, from differences of the gradient."""
    scale = float(variances.sum())
    curve = np.empty((len(at), len(at)))
    for row, place in enumerate(at):
        step = 1e-5 * max(float(variances[place]), 1e-4 * scale)
        below = min(step, float(variances[place]) / 2)
        ahead, behind = variances.copy(), variances.copy()
        ahead[place] += step
        behind[place] -= below
        curve[row] = (criterion(ahead)[1][at] - criterion(behind)[1][at]) / (step + below)
    return (curve + curve.T) / 2


# -- intervals ---------------------------------------------------------------------------------------------------------


def profile(
    criterion: RestrictedLikelihood,
    fit: VarianceFit,
    value: float,
    embed: Callable[[float], FloatArray],
    offset: Callable[[float], FloatArray],
    ends: tuple[float, float],
    reach: float,
) -> tuple[float, float]:
    """Where the criterion, at its least for a given value, has risen by `reach`: the ends of a likelihood interval.

    For a value x the variances are embed(x) @ free + offset(x), with free ones from zero on. An end that is not reached
    is the last that the value can have.
    """
    scale = float(fit.variances.sum())
    known: list[tuple[float, FloatArray]] = []  # values that were looked at, and the free variances there

    @cache  # a second look would start elsewhere, and may find another sign
    def risen(at: float) -> float:
        matrix, start = embed(at), offset(at)
        first = np.maximum(np.linalg.lstsq(matrix, fit.variances - start, rcond=None)[0], 1e-6 * scale)
        found = []
        for guess in _starts(first, at, known, scale):
            free = _descended(criterion, guess, matrix, start, scale, NEAR)
            variances = matrix @ free + start
            variances[-1] = max(variances[-1], LEAST * scale)
            found.append((criterion(variances)[0], free))
        least, free = min(found, key=lambda one: one[0])
        known.append((at, free))
        return least - fit.criterion - reach

    return _crossing(risen, value, ends[0]), _crossing(risen, value, ends[1])


def _starts(first: FloatArray, at: float, known: list[tuple[float, FloatArray]], scale: float) -> Iterator[FloatArray]:
    """Where the nearest value had its free variances, which is near; at first where the fit has them.

    Where there are several facets a search may stop in a valley that is not the lowest: from both, from where the
    second nearest had them, and with each part in turn as large as all were, until some values are known.
    """
    nearest = [np.maximum(free, 1e-6 * scale) for _, free in sorted(known, key=lambda one: abs(one[0] - at))[:2]]
    if len(first) < SEVERAL:
        yield nearest[0] if nearest else first
        return
    yield from (first, *nearest)
    if len(known) > LOOKED_AT:
        return
    for place in range(len(first) - 1):
        raised = first.copy()
        raised[place] = scale
        yield raised


def _crossing(risen: Callable[[float], float], value: float, end: float) -> float:
    """Where it crosses zero between the value and an end; the end where it does not."""
    from scipy.optimize import brentq

    if end == value:
        return end
    if risen(value) >= 0:
        return math.nan  # the likelihood could not be followed
    if math.isfinite(end):
        inside, outside = value, end + (value - end) * 1e-9
        if risen(outside) <= 0:
            return end
    else:
        inside, outside = value, 2 * value
        while risen(outside) <= 0:
            inside, outside = outside, 3 * outside
            if outside > FAR * value:
                return math.inf
    return float(brentq(risen, inside, outside, xtol=1e-8 * max(abs(inside), abs(outside)), rtol=1e-8))
