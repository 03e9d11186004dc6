"""Standing first: how often the first option is preferred, what that place is worth, and what swapping does."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.annotations.arrays import FloatArray, add_up
from accord.preferences.comparisons import LOST, TIED, WON, Comparisons
from accord.preferences.strength_model import HALF, StrengthEstimate, Ties

STEPS = 50
FAR = 15.0  # log odds beyond which an effect runs away


@dataclass(frozen=True)
class PlaceEffect:
    """What an annotator, or all of them, make of the place of an option.

    Attributes:
        comparisons: How many there are.
        decided: How many are no ties.
        first: How many of these prefer what stands first.
        error: The standard error of that share, over items.
        effect: The log odds that standing first adds, the strengths of the options held; NaN without strengths.
        effect_error: Its standard error, over items.
        swapped: Pairs of an item that were judged in both orders by one annotator.
        consistent: Those of them with the same winner both times, or two ties.
    """

    comparisons: int
    decided: int
    first: int
    error: float
    effect: float
    effect_error: float
    swapped: int
    consistent: int

    @property
    def share(self) -> float:
        """Of the comparisons that decide, those that prefer what stands first."""
        return self.first / self.decided if self.decided else math.nan


def standing_first(found: Comparisons, beside: BesideStrengths | None = None) -> PlaceEffect:
    """Of some comparisons; `beside` are the strengths of all, where there are any."""
    decided = found.outcome != TIED
    won = found.outcome == WON
    number = int(decided.sum())
    share = won.sum() / number if number else math.nan
    away = np.where(decided, won - share, 0.0) if number else np.zeros(len(found))
    error = _over_items(found, away) / number if number else math.nan
    effect, effect_error = (math.nan, math.nan) if beside is None else beside.effect(found)
    swapped, consistent = _swaps(found)
    return PlaceEffect(len(found), number, int(won.sum()), error, effect, effect_error, swapped, consistent)


def _over_items(found: Comparisons, each: FloatArray) -> float:
    """The root of Σ over items of the square of what their comparisons add, as many items as there are less one."""
    sums, number = add_up(found.item, each, int(found.item.max(initial=-1)) + 1), found.n_items
    return math.sqrt(float(sums @ sums) * number / (number - 1)) if number > 1 else math.nan


@dataclass(frozen=True, eq=False)
class BesideStrengths:
    """What standing first is worth to somebody, beside strengths and ties that are those of all.

    Its error knows that strengths are estimated: what an item pulls at the effect, less what it moves the strengths by
    times how those move the effect.
    """

    estimate: StrengthEstimate
    pulls: Any  # (items, P) sparse: what the comparisons of each item pull at the parameters
    meat: FloatArray

    @classmethod
    def of(cls, estimate: StrengthEstimate, fitted: Comparisons, ties: Ties) -> BesideStrengths:
        """From a model with an order effect, and the comparisons behind it."""
        scores = estimate.scores(fitted, ties)
        return cls(estimate, scores.by_item(), scores.meat())

    def effect(self, found: Comparisons) -> tuple[float, float]:
        """The log odds of standing first and its standard error; NaN where one side always won."""
        model, values = self.estimate.model, self.estimate.values.copy()
        if not model.tied:
            found = found.where(found.outcome != TIED)
        won = (found.outcome == WON).astype(np.float64)
        if not 0 < won.sum() < len(won):
            return math.nan, math.nan
        values[model.order_at] = 0.0
        at_rest = model.chances(values, found.first, found.second, found.lead)[:, WON]
        effect = _root(at_rest, won)
        if not math.isfinite(effect):
            return math.nan, math.nan
        values[model.order_at] = effect
        chance = model.chances(values, found.first, found.second, found.lead)
        return effect, self._error(found, won - chance[:, WON], chance)

    def _error(self, found: Comparisons, pull: FloatArray, chance: FloatArray) -> float:
        """The sandwich over items of one more parameter."""
        model, size = self.estimate.model, len(found.options)
        share = chance[:, WON]
        along = share * (0.5 - chance @ HALF)  # how strengths move the chance to win
        moved = np.zeros(model.width)
        moved[:size] = add_up(found.first, along, size) - add_up(found.second, along, size)
        moved[size : model.order_at] = along @ found.lead
        if model.tied:
            moved[model.tie_at] = -float((share * chance[:, TIED]).sum())
        taken = self.estimate.bread @ moved
        items, item = np.unique(found.item, return_inverse=True)
        own = add_up(item, pull, len(items))
        together = np.asarray(self.pulls[items].T @ own).ravel()
        square = float(own @ own - 2 * together @ taken + taken @ self.meat @ taken)
        return math.sqrt(max(square, 0.0)) / float((share * (1 - share)).sum())


def _root(chance: FloatArray, won: FloatArray) -> float:
    """The log odds that must be added to chances so that they add up to what was won; NaN where it runs away."""
    effect = 0.0
    for _ in range(STEPS):
        more = chance * math.exp(effect)
        share = more / (more + 1 - chance)
        step = float((won - share).sum()) / max(float((share * (1 - share)).sum()), 1e-300)
        effect += max(min(step, 2.0), -2.0)
        if not abs(effect) < FAR:
            return math.nan
        if abs(step) < 1e-11:
            break
    return effect


def _swaps(found: Comparisons) -> tuple[int, int]:
    """Pairs of an item that one annotator judged in both orders, and those judged alike; once each, the first rows."""
    size = len(found.options)
    low, high = np.minimum(found.first, found.second), np.maximum(found.first, found.second)
    people = int(found.annotator.max(initial=0)) + 1
    key = ((found.item * size + low) * size + high) * people + found.annotator
    forward = found.first == low
    winner = np.where(found.outcome == TIED, -1, np.where((found.outcome == LOST) == forward, high, low))
    _, group = np.unique(key, return_inverse=True)
    ways = []
    for shown in (forward, ~forward):
        winners = np.full(group.max(initial=-1) + 1, -2)
        rows = np.nonzero(shown)[0][::-1]
        winners[group[rows]] = winner[rows]
        ways.append(winners)
    both = (ways[0] > -2) & (ways[1] > -2)
    return int(both.sum()), int((both & (ways[0] == ways[1])).sum())
