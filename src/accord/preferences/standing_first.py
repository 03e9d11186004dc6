"""Standing first: how often the first option is preferred, what that place is worth, and what swapping does."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, add_up
from accord.preferences.comparisons import LOST, TIED, WON, Comparisons
from accord.preferences.strength_model import Estimate

STEPS = 50
FAR = 15.0  # log odds beyond which an effect runs away


@dataclass(frozen=True)
class Standing:
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


def standing_first(found: Comparisons, estimate: Estimate | None) -> Standing:
    """Of some comparisons, by the strengths of all."""
    decided = found.outcome != TIED
    won = found.outcome == WON
    number = int(decided.sum())
    share = won.sum() / number if number else math.nan
    away = np.where(decided, won - share, 0.0) if number else np.zeros(len(found))
    error = _over_items(found, away) / number if number else math.nan
    effect, effect_error = (math.nan, math.nan) if estimate is None else _effect(found, estimate)
    swapped, consistent = _swaps(found)
    return Standing(len(found), number, int(won.sum()), error, effect, effect_error, swapped, consistent)


def _over_items(found: Comparisons, each: FloatArray) -> float:
    """The root of Σ over items of the square of what their comparisons add, as many items as there are less one."""
    sums, number = add_up(found.item, each, int(found.item.max(initial=-1)) + 1), found.n_items
    return math.sqrt(float(sums @ sums) * number / (number - 1)) if number > 1 else math.nan


def _effect(found: Comparisons, estimate: Estimate) -> tuple[float, float]:
    """Standing first, as log odds, with strengths and ties held: one parameter, by Newton's method."""
    model, values = estimate.model, estimate.values.copy()
    counted: BoolArray = found.outcome != TIED if not model.tied else np.ones(len(found), dtype=np.bool_)
    found = found.where(counted)
    if not len(found) or not 0 < (found.outcome == WON).sum() < len(found):
        return math.nan, math.nan
    if model.ordered:
        values[model.order_at] = 0.0
    chance = model.chances(values, found.first, found.second, found.lead)
    won, effect = (found.outcome == WON).astype(np.float64), 0.0
    for _ in range(STEPS):
        more = chance[:, WON] * math.exp(effect)
        share = more / (more + 1 - chance[:, WON])
        spread = float((share * (1 - share)).sum())
        step = float((won - share).sum()) / spread if spread > 0 else math.inf
        if not abs(effect + step) < FAR:
            return math.nan, math.nan
        effect += step
        if abs(step) < 1e-10:
            break
    return effect, _over_items(found, won - share) / spread


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
        said = np.full(group.max(initial=-1) + 1, -2)
        rows = np.nonzero(shown)[0][::-1]
        said[group[rows]] = winner[rows]
        ways.append(said)
    both = (ways[0] > -2) & (ways[1] > -2)
    return int(both.sum()), int((both & (ways[0] == ways[1])).sum())
