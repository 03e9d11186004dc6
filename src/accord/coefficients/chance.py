"""What luck would give: beliefs about how answers would match if nobody looked at the items.

A belief is a function of sums over items. It names the sums (`features`: what an item adds to them), turns them into
expected agreement (`expected`), and knows how that changes when a sum does (`slopes`). From the first two come value,
bootstrap and jackknife; with the third comes the standard error. All work on one row of sums or on thousands of
resamples.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from accord.annotations.arrays import FloatArray, divide, dot
from accord.annotations.tally import Tally
from accord.coefficients.item_sums import ItemSums
from accord.coefficients.weights import Weights
from accord.errors import OptionError


class Chance(Protocol):
    """A belief about luck."""

    @property
    def name(self) -> str:
        """What the belief is called."""

    @property
    def named(self) -> bool:
        """Must it know who answered?"""

    def features(self, tally: Tally) -> ItemSums:
        """What one item of each pattern adds to the sums."""

    def expected(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """Expected agreement, from sums with any leading axes."""

    def slopes(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """How expected agreement changes with each sum."""


@dataclass(frozen=True)
class Pooled:
    """Both answers are drawn from one shared mix of labels (Scott 1955, Fleiss 1971).

    By default every item counts once in the mix; with `each="answer"` every answer does.
    """

    each: str = "item"
    name: str = "pooled"
    named: bool = False

    def features(self, tally: Tally) -> ItemSums:
        """The item's share of each answer, or its counts."""
        of_one = tally.answered if self.each == "item" else np.ones(len(tally))
        return ItemSums(tally.answer, tally.count / of_one[tally.pattern], tally.starts, len(tally.answers))

    def expected(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """Σ w π π."""
        mix = _shares(sums)
        return dot(mix, weights.apply(mix))

    def slopes(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """2 (Wπ − e) / n."""
        mix = _shares(sums)
        return divide(2 * (weights.apply(mix) - self.expected(sums, weights)[..., None]), sums.sum(-1, keepdims=True))


@dataclass(frozen=True)
class Own:
    """Each annotator draws from a mix of their own (Cohen 1960); the mean over annotator pairs (Conger 1980).

    Pairs count alike whether or not the two ever met; an annotator without an answer is not there.
    """

    annotators: int
    answers: int
    name: str = "own"
    named: bool = True

    def features(self, tally: Tally) -> ItemSums:
        """Who answered what: one column for each annotator and answer."""
        assert tally.annotator is not None
        column = tally.annotator * self.answers + tally.answer
        return ItemSums(column, tally.count.astype(np.float64), tally.starts, self.annotators * self.answers)

    def expected(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """Mean of p_g W p_h over annotators g ≠ h, from the sum of all mixes less each with itself."""
        mixes, there = self.mixes(sums)
        everyone = mixes.sum(-2)
        together = dot(everyone, weights.apply(everyone))
        alone = dot(mixes, weights.apply(mixes)).sum(-1)
        people = there.sum(-1)
        return divide(together - alone, people * (people - 1.0))

    def slopes(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """2 [(W (S − p_g))_k − p_g W (S − p_g)] / (n_g R (R − 1))."""
        mixes, there = self.mixes(sums)
        others = weights.apply(mixes.sum(-2, keepdims=True) - mixes)
        centred = others - (mixes * others).sum(-1, keepdims=True)
        answered = sums.reshape(*sums.shape[:-1], self.annotators, self.answers).sum(-1, keepdims=True)
        people = there.sum(-1)[..., None, None]
        per_answer = np.divide(centred, answered, out=np.zeros_like(centred), where=answered > 0)
        return divide(2 * per_answer, people * (people - 1.0)).reshape(sums.shape)

    def mixes(self, sums: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(…, R, K) each annotator's shares, and (…, R) whether there are any."""
        table = sums.reshape(*sums.shape[:-1], self.annotators, self.answers)
        answered = table.sum(-1, keepdims=True)
        shares = np.divide(table, answered, out=np.zeros_like(table), where=answered > 0)
        return shares, (answered[..., 0] > 0).astype(np.float64)


@dataclass(frozen=True)
class Uniform:
    """Every declared label is as likely as any other (Bennett et al. 1954, Brennan & Prediger 1981)."""

    labels: int
    name: str = "uniform"
    named: bool = False

    def features(self, tally: Tally) -> ItemSums:
        """Nothing: luck does not depend on the answers."""
        return ItemSums.none(len(tally))

    def expected(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """The mean of all weights."""
        total = weights.apply(np.ones(self.labels)).sum()
        return np.full(sums.shape[:-1], total / self.labels**2)

    def slopes(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """None."""
        return np.empty(0)


@dataclass(frozen=True)
class Hesitant:
    """Only uncertain answers match by luck (Gwet 2008); the chance mass is below one on purpose."""

    labels: int
    name: str = "hesitant"
    named: bool = False

    def features(self, tally: Tally) -> ItemSums:
        """The item's share of each label."""
        return Pooled().features(tally)

    def expected(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """Σ w / (q (q − 1)) · Σ π (1 − π)."""
        mix = _shares(sums)
        return self._factor(weights) * dot(mix, 1 - mix)

    def slopes(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """Σ w / (q (q − 1)) · 2 (Σ π² − π) / n."""
        mix = _shares(sums)
        return self._factor(weights) * 2 * divide(dot(mix, mix)[..., None] - mix, sums.sum(-1, keepdims=True))

    def _factor(self, weights: Weights) -> float:
        total = float(weights.apply(np.ones(self.labels)).sum())
        return total / (self.labels * (self.labels - 1)) if self.labels > 1 else float("nan")


@dataclass(frozen=True)
class WithoutReplacement:
    """Two different answers drawn from all answers that could be paired (Krippendorff 1970)."""

    name: str = "without-replacement"
    named: bool = False

    def features(self, tally: Tally) -> ItemSums:
        """The item's counts, on items with two or more answers."""
        counted = tally.count * tally.pairable[tally.pattern]
        return ItemSums(tally.answer, counted.astype(np.float64), tally.starts, len(tally.answers))

    def expected(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """(Σ n_k n_l w_kl − Σ n_k w_kk) / (n (n − 1))."""
        total = sums.sum(-1)
        alike = dot(sums, weights.apply(sums)) - sums @ weights.diagonal
        return divide(alike, total * (total - 1))

    def slopes(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """[2 (W n)_k − w_kk − e (2n − 1)] / (n (n − 1))."""
        total = sums.sum(-1, keepdims=True)
        expected = self.expected(sums, weights)[..., None]
        moved = 2 * weights.apply(sums) - weights.diagonal - expected * (2 * total - 1)
        return divide(moved, total * (total - 1))


@dataclass(frozen=True)
class NoChance:
    """Nothing is put down to luck: percent agreement."""

    name: str = "none"
    named: bool = False

    def features(self, tally: Tally) -> ItemSums:
        """Nothing."""
        return ItemSums.none(len(tally))

    def expected(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """Zero."""
        return np.zeros(sums.shape[:-1])

    def slopes(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """None."""
        return np.empty(0)


def none(_tally: Tally) -> Chance:
    """Nothing is put down to luck."""
    return NoChance()


def pooled(_tally: Tally) -> Chance:
    """One shared mix, every item counted once."""
    return Pooled()


def pooled_counts(_tally: Tally) -> Chance:
    """One shared mix, every answer counted once."""
    return Pooled(each="answer", name="pooled-counts")


def own(tally: Tally) -> Chance:
    """A mix for each annotator."""
    return Own(len(tally.annotators), len(tally.answers))


def uniform(tally: Tally) -> Chance:
    """All labels of the scale alike."""
    return Uniform(len(tally.answers))


def hesitant(tally: Tally) -> Chance:
    """Only uncertain answers match by luck."""
    return Hesitant(len(tally.answers))


def without_replacement(_tally: Tally) -> Chance:
    """Two different answers drawn from all that could be paired."""
    return WithoutReplacement()


MODELS: dict[str, Callable[[Tally], Chance]] = {
    "none": none, "pooled": pooled, "pooled-counts": pooled_counts, "own": own, "uniform": uniform,
    "hesitant": hesitant, "without-replacement": without_replacement,
}  # fmt: skip


def one_of(option: str, name: str, *allowed: str) -> Callable[[Tally], Chance]:
    """A chance model by name, if the measure allows it."""
    if name not in allowed:
        raise OptionError.choice(option, name, allowed)
    return MODELS[name]


def _shares(sums: FloatArray) -> FloatArray:
    """Sums as shares of one."""
    return divide(sums, sums.sum(-1, keepdims=True))
