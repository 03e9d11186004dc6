"""The one formula: value = 1 − (1 − observed) / (1 − expected).

A coefficient is a smooth function of sums over items. From that one fact follow its value, its value on any resample,
its value without an item (the jackknife), and how much each item moves it (`influence`, from which the standard error).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from accord.annotations.arrays import NOTHING_LEFT, FloatArray, IntArray, add_up, divide
from accord.annotations.tally import DENSE_KEYS, Tally
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.coefficients.chance import Chance, Pooled
from accord.coefficients.item_sums import ItemSums
from accord.coefficients.weights import Identity, Weights
from accord.errors import OptionError

if TYPE_CHECKING:
    from accord.study.suggestions import Design

Each: TypeAlias = Literal["item", "answer"]  # what counts once in observed agreement

JACKKNIFE_CELLS = 2_000_000  # sums held at a time while items are left out
JACKKNIFE_MOST = 20_000_000_000  # beyond this many steps the jackknife is refused


@dataclass(frozen=True)
class Parts:
    """Observed and expected agreement and the value, for one study or for each resample."""

    observed: FloatArray
    expected: FloatArray
    value: FloatArray

    def slope(self, by_observed: FloatArray | float, by_expected: FloatArray | float) -> FloatArray:
        """The derivative of the value, from those of its parts: [dₒ − (1 − value) dₑ] / (1 − expected)."""
        return (by_observed - (1 - self.value) * by_expected) / (1 - self.expected)


@dataclass(frozen=True)
class Decomposition:
    """What each pattern contributes: Σ items · weight · value is the coefficient."""

    observed: FloatArray  # (P,) NaN for an item with a single answer
    value: FloatArray
    weight: FloatArray


class Coefficient(ABC):
    """A value that depends on a study through its tally, and can be asked about other items than those it has."""

    tally: Tally
    design: Design | None = None  # how the items were drawn from a whole, where that is known
    no_interval: str | None = None  # why it cannot be told how sure the value is, where that is so

    @cached_property
    def counted(self) -> Tally:
        """The items that count, by pattern; in an engine the tally may be of something else."""
        return self.tally

    @abstractmethod
    def evaluate(self, items: FloatArray | IntArray) -> Parts:
        """The parts for other numbers of items of each pattern: (P,), or (B, P) for resamples."""

    @abstractmethod
    def influence(self) -> FloatArray:
        """(P,) how far one item of each pattern moves the value, times the number of items; mean zero."""

    @abstractmethod
    def leave_one_out(self) -> FloatArray:
        """(P,) the value without one item of each pattern."""

    @abstractmethod
    def decomposition(self) -> Decomposition:
        """The value as a weighted mean over items."""

    @abstractmethod
    def alike(self, left: IntArray, right: IntArray) -> FloatArray:
        """How alike given pairs of answers are, 1 for the same."""

    def published_scores(self) -> FloatArray:
        """(P,) deviations whose variance is Gwet's published one; here there is none."""
        raise OptionError("Gwet's published error is not defined for this coefficient; use method='analytic'.")

    def design_error(self) -> float:
        """The standard error that follows from the design, where one is known."""
        raise NotImplementedError

    def among(self, named: Tally) -> Tally:
        """The part of a tally of who said what that counts here: all of it."""
        return named

    def meeting(self, named: Tally, met: AnnotatorPairs) -> FloatArray:
        """(M,) how alike the two answers of each meeting are; `named` is what `among` gave."""
        return self.alike(met.said, met.replied)

    def pattern_columns(self) -> dict[str, list[Any]]:
        """What `by_item` tells besides, one value a pattern."""
        return {}

    def told(self) -> list[str]:
        """The calculation step by step, where it is not the usual one."""
        return []

    def why_undefined(self) -> str | None:
        """Why there is no value, where this coefficient has reasons of its own."""
        return None

    def notes(self) -> tuple[str, ...]:
        """What a reader of the value should know of how it was made."""
        return ()

    @cached_property
    def parts(self) -> Parts:
        """The parts for the study itself."""
        return self.evaluate(self.tally.items)


class Smooth(Coefficient):
    """A coefficient given by sums (`features`), a formula (`combine`) and its derivative (`slopes`)."""

    features: ItemSums

    @abstractmethod
    def combine(self, sums: FloatArray) -> Parts:
        """The parts, from sums with any leading axes."""

    @abstractmethod
    def slopes(self, sums: FloatArray) -> FloatArray:
        """The derivative of the value by each sum."""

    def evaluate(self, items: FloatArray | IntArray) -> Parts:
        """The formula on other items."""
        return self.combine(self.features.total(items))

    def influence(self) -> FloatArray:
        """The derivative of the value along each pattern."""
        steps = self.features.along(self.slopes(self.features.total(self.tally.items)))
        return centred(self.tally.n_items * steps, self.tally.items)

    def leave_one_out(self) -> FloatArray:
        """The formula on the sums less each pattern's own, some patterns at a time."""
        patterns, width = len(self.tally), max(self.features.width, 1)
        if patterns * width > JACKKNIFE_MOST:
            raise OptionError(
                f"Leaving out each of {patterns:,} patterns in turn would take {patterns * width:,} steps; "
                "method='analytic' gives the same error at once."
            )
        total = self.features.total(self.tally.items)
        values = np.empty(patterns)
        step = max(1, JACKKNIFE_CELLS // width)
        for first in range(0, patterns, step):
            last = min(first + step, patterns)
            values[first:last] = self.combine(total - self.features.rows(first, last)).value
        return values


class Tabular(Smooth):
    """A row of the table of coefficients: weights, a chance model, and what counts once.

    `chance_weights` is for the one measure whose luck is measured with another table than its agreement.
    """

    def __init__(
        self, tally: Tally, weights: Weights, chance: Chance, each: Each = "item", chance_weights: Weights | None = None
    ) -> None:
        self.tally = tally.where(tally.pairable) if each == "answer" else tally
        self.weights = weights
        self.chance = chance
        self.each = each
        self.chance_weights = chance_weights or weights
        self.features = ItemSums.dense(self._observed_sums).beside(chance.features(self.tally))

    @cached_property
    def agreed(self) -> FloatArray:
        """(P,) observed agreement of an item: the mean weight of pairs of different answers; NaN for a single one."""
        answered = self.tally.answered
        ordered = np.where(answered >= 2, answered * (answered - 1.0), np.nan)
        return alike_within(self.tally, self.weights) / ordered

    @cached_property
    def _observed_sums(self) -> FloatArray:
        """(P, 2): what an item adds to agreement, and to what it is a share of."""
        once = self.tally.pairable * (self.tally.answered if self.each == "answer" else 1.0)
        return np.stack((np.where(once > 0, once * np.nan_to_num(self.agreed), 0.0), once), axis=1)

    def combine(self, sums: FloatArray) -> Parts:
        """The one formula."""
        observed = divide(sums[..., 0], sums[..., 1])
        expected = self.chance.expected(sums[..., 2:], self.chance_weights)
        return Parts(observed, expected, chance_corrected(observed, expected))

    def slopes(self, sums: FloatArray) -> FloatArray:
        """By the chain rule; observed agreement depends on the first two sums, expected agreement on the others."""
        parts = self.combine(sums)
        by_observed = np.array([1.0, -parts.observed]) / sums[1]
        by_expected = self.chance.slopes(sums[2:], self.chance_weights)
        return np.concatenate((parts.slope(by_observed, 0.0), parts.slope(0.0, by_expected)))

    def alike(self, left: IntArray, right: IntArray) -> FloatArray:
        """The weights between answers."""
        return self.weights.between(left, right)

    def published_scores(self) -> FloatArray:
        """Gwet's form takes the number of items with two answers as given; alpha's draws with replacement."""
        if self.each == "answer":
            return Tabular(self.tally, self.weights, Pooled(each="answer"), "answer").influence()
        items, pairable = self.tally.n_items, self.tally.items @ self.tally.pairable
        return self.influence() + float(self.parts.value) * (items / pairable * self.tally.pairable - 1)

    def decomposition(self) -> Decomposition:
        """Each item's own agreement against the study's chance."""
        once = self._observed_sums[:, 1]
        value = chance_corrected(self.agreed, np.asarray(self.parts.expected))
        return Decomposition(self.agreed, value, once / (self.tally.items @ once))


class MeanOfPairs(Smooth):
    """One coefficient with own mixes for each pair of annotators, on the items both answered; then their mean.

    Pairs without a common item, or undefined, are left out of the mean.
    """

    def __init__(self, tally: Tally, weights: Weights) -> None:
        self.tally = tally.where(tally.pairable)
        self.weights = weights
        self.answers = len(tally.answers)
        self.meetings = AnnotatorPairs.of(self.tally)

    @cached_property
    def agreed(self) -> FloatArray:
        """(M,) how alike the two answers of each meeting are."""
        return self.weights.between(self.meetings.said, self.meetings.replied)

    @cached_property
    def features(self) -> ItemSums:  # type: ignore[override]
        """For each pair: agreement, common items, then the first's answers and the second's."""
        meetings, width = self.meetings, 2 + 2 * self.answers
        base = meetings.pair * width
        said, replied = base + 2 + meetings.said, base + 2 + self.answers + meetings.replied
        order = np.argsort(meetings.pattern, kind="stable")
        columns = np.stack((base, base + 1, said, replied), axis=1)[order]
        ones = np.ones_like(self.agreed)
        values = np.stack((self.agreed, ones, ones, ones), axis=1)[order]
        sizes = 4 * np.bincount(meetings.pattern, minlength=len(self.tally))
        starts = np.concatenate(([0], np.cumsum(sizes)))
        return ItemSums(columns.ravel(), values.ravel(), starts, width * len(meetings))

    def influence(self) -> FloatArray:
        """The derivative along each pattern, meeting by meeting: the matrix that only resamples need is not made."""
        steps = add_up(self.meetings.pattern, self.moved(), len(self.tally))
        return centred(self.tally.n_items * steps, self.tally.items)

    def moved(self) -> FloatArray:
        """(M,) how far one meeting moves the value."""
        met, width = self.meetings, 2 + 2 * self.answers
        slopes = self.slopes(self.sums).reshape(len(met), width)
        moved = slopes[met.pair, 0] * self.agreed
        moved += slopes[met.pair, 1]
        moved += slopes[met.pair, 2 + met.said]
        moved += slopes[met.pair, 2 + self.answers + met.replied]
        return np.asarray(moved)

    @cached_property
    def sums(self) -> FloatArray:
        """The study's own sums, without the matrix that only resamples need."""
        items, met = self.tally.items, self.meetings
        agreed = add_up(met.pair, self.agreed * items[met.pattern], len(met))
        first, second = met.answers(items, self.answers)
        return np.concatenate((agreed[:, None], met.common(items)[:, None], first, second), axis=1).ravel()

    @cached_property
    def parts(self) -> Parts:
        """The study's own parts."""
        return self.combine(self.sums)

    def alike(self, left: IntArray, right: IntArray) -> FloatArray:
        """The weights between answers."""
        return self.weights.between(left, right)

    def by_pair(self, sums: FloatArray) -> tuple[Parts, FloatArray, FloatArray, FloatArray]:
        """Parts of each pair (…, J), their common items, and both mixes (…, J, K)."""
        table = sums.reshape(*sums.shape[:-1], len(self.meetings), 2 + 2 * self.answers)
        common = table[..., 1]
        first = divide(table[..., 2 : 2 + self.answers], common[..., None])
        second = divide(table[..., 2 + self.answers :], common[..., None])
        observed = divide(table[..., 0], common)
        expected = (first * self.weights.apply(second)).sum(-1)
        return Parts(observed, expected, chance_corrected(observed, expected)), common, first, second

    def combine(self, sums: FloatArray) -> Parts:
        """The mean over the pairs that are defined."""
        pairs, *_ = self.by_pair(sums)
        there = np.isfinite(pairs.value)
        number = there.sum(-1)
        means = [
            divide(np.where(there, part, 0.0).sum(-1), number) for part in (pairs.observed, pairs.expected, pairs.value)
        ]
        return Parts(*means)

    def slopes(self, sums: FloatArray) -> FloatArray:
        """The pairs' derivatives, each a share of the mean."""
        pairs, common, first, second = self.by_pair(sums)
        there = np.isfinite(pairs.value)
        scale = divide(there / max(there.sum(), 1), common * (1 - pairs.expected))[:, None]
        lost = -(1 - pairs.value)[:, None]
        by_count = -pairs.observed[:, None] - 2 * lost * pairs.expected[:, None]
        by_first, by_second = lost * self.weights.apply(second), lost * self.weights.apply(first)
        table = np.concatenate((np.ones_like(lost), by_count, by_first, by_second), axis=1) * scale
        return np.where(there[:, None], table, 0.0).ravel()

    def decomposition(self) -> Decomposition:
        """Each meeting against its own pair's chance, the meetings of an item averaged."""
        pairs, common, *_ = self.by_pair(self.sums)
        there = np.isfinite(pairs.value)
        pair, pattern, patterns = self.meetings.pair, self.meetings.pattern, len(self.tally)
        share = divide(there / max(there.sum(), 1), common)[pair]
        value = chance_corrected(self.agreed, pairs.expected[pair])
        weight = add_up(pattern, share, patterns)
        total = add_up(pattern, np.nan_to_num(value) * share, patterns)
        met = np.bincount(pattern, minlength=patterns)
        observed = divide(add_up(pattern, self.agreed, patterns), met)
        return Decomposition(observed, divide(total, weight), weight)


def alike_within(tally: Tally, weights: Weights) -> FloatArray:
    """(P,) Σ_kl r_k r_l w_kl − Σ_k r_k w_kk: the weights of all ordered pairs of different answers of an item."""
    if isinstance(weights, Identity) and len(tally) * len(tally.answers) <= DENSE_KEYS:
        return _same_within(tally)
    same = tally.count * (tally.count - 1.0)
    total = tally.per_pattern(same * weights.diagonal[tally.answer]) if same.any() else np.zeros(len(tally))
    for left, right in tally.pairs():
        alike = weights.between(tally.answer[left], tally.answer[right])
        both = 2.0 * tally.count[left] * tally.count[right] * alike
        total += add_up(tally.pattern[left], both, len(tally))
    return total


def _same_within(tally: Tally) -> FloatArray:
    """(P,) the same for identity weights, Σ_k r_k (r_k − 1), from patterns × answers: exact, and no pairs are made."""
    size = len(tally.answers)
    given = add_up(tally.pattern * size + tally.answer, tally.count, len(tally) * size)
    pairs: FloatArray = (given * (given - 1)).reshape(len(tally), size).sum(1)
    return pairs


def chance_corrected(observed: FloatArray, expected: FloatArray) -> FloatArray:
    """1 − (1 − observed) / (1 − expected), NaN where chance leaves nothing to be better than."""
    room = 1 - expected
    return 1 - divide(1 - observed, np.where(room > NOTHING_LEFT, room, 0.0))


def centred(scores: FloatArray, items: FloatArray | IntArray) -> FloatArray:
    """Scores less their mean over items."""
    return scores - float(items @ scores) / float(items.sum())
