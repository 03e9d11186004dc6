"""Chance models: how answers would match if nobody looked at the items.

A chance model is a function of sums over items. It names the sums (`item_sums`: what an item adds to them), turns them
into expected agreement (`expected`), and knows how that changes when a sum does (`slopes`). From the first two come
value, bootstrap and jackknife; with the third comes the standard error. All work on one row of sums or on thousands of
resamples. What a breakdown by annotator or by pair, or a worked example, needs to know of chance is asked here too.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

import numpy as np

from accord.annotations.arrays import FloatArray, divide, dot
from accord.annotations.tally import Tally
from accord.coefficients.item_sums import ItemSums
from accord.coefficients.mixed_weights import same_by_chance, without_mixtures
from accord.coefficients.weights import Weights
from accord.options import check_choice

if TYPE_CHECKING:
    from accord.coefficients.annotator_copies import CopiedAnswers
    from accord.coefficients.own_marginals import OwnMarginals

Each: TypeAlias = Literal["item", "answer"]  # what counts once
MOST_TERMS = 6  # of a sum written out; beyond, the sum is given


class Chance(ABC):
    """A chance model."""

    name: str
    named: ClassVar[bool] = False  # must it know who answered?
    fixed: ClassVar[bool] = False  # is it the same whatever was answered?
    needs_scale: ClassVar[bool] = False  # does it rest on the labels that could have been given?
    intraclass: ClassVar[bool] = False  # is the value of two annotators Scott's pi, but for what fades with many items?
    pair_share: float = 0.5  # what one answer of a pair adds to the sums on an item that both answered

    @abstractmethod
    def item_sums(self, tally: Tally) -> ItemSums:
        """What one item of each pattern adds to the sums."""

    @abstractmethod
    def expected(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """Expected agreement, from sums with any leading axes."""

    @abstractmethod
    def slopes(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """How expected agreement changes with each sum."""

    def of_answers(self, answers: int) -> Chance:
        """The same where the answers in use are so many: mixed ones may have come or gone."""
        return self

    def of_each(self, sums: FloatArray, weights: Weights) -> OwnMarginals | None:
        """The chance of every annotator, where each has one of their own."""
        return None

    def of_pairs(
        self, first: FloatArray, second: FloatArray, weights: Weights
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """For pairs of annotators, from the answers (J, K) of either on common items: expected agreement (J,), and how
        it changes with an answer of the first and of the second (J, K).
        """
        sums = self.pair_share * (first + second)
        by_answer = self.pair_share * self.slopes(sums, weights)
        return self.expected(sums, weights), by_answer, by_answer

    def share_of_an_answer(self, answered: FloatArray) -> FloatArray | None:
        """What one answer of an item with so many adds to the sums, where annotators share them; None: always one."""
        return None

    def of_copies(self, copied: CopiedAnswers, weights: Weights) -> float:
        """Expected agreement with annotators in any number of copies."""
        return float(self.expected(np.empty(0), weights))

    def with_replacement(self) -> Chance:
        """The same where the first answer drawn is put back, as published errors have it."""
        return Pooled(each="answer")

    @abstractmethod
    def steps(self, tally: Tally, weights: Weights, expected: float) -> list[str]:
        """How expected agreement is worked out, with the study's own numbers."""

    def value_step(self, observed: float, expected: float, value: float) -> str:
        """The last step, from observed and expected agreement to the value."""
        return f"  (A_o − A_e) / (1 − A_e) = ({observed:z.4f} − {expected:z.4f}) / (1 − {expected:z.4f}) = {value:z.4f}"

    def _marginal_steps(self, tally: Tally) -> tuple[FloatArray, list[str]]:
        """The share of each answer, and a line for the first few."""
        shares = _shares(tally.answers.onto_scale(self.item_sums(tally).total(tally.items)))
        shown = range(min(len(shares), MOST_TERMS))
        lines = [f"  share of {tally.answers.value(k)!r}: {shares[k]:z.4f}" for k in shown]
        return shares, [*lines, f"  … {len(shares)} answers in all"] if len(shares) > MOST_TERMS else lines


@dataclass(frozen=True)
class Pooled(Chance):
    """Both answers are drawn from one shared distribution of labels (Scott 1955, Fleiss 1971).

    By default every item counts once in it; with `each="answer"` every answer does.
    """

    each: Each = "item"
    name: str = "pooled"
    pair_share: float = 0.5
    intraclass: ClassVar[bool] = True

    def item_sums(self, tally: Tally) -> ItemSums:
        """The item's share of each answer, or its counts."""
        of_one = tally.answered if self.each == "item" else np.ones(len(tally))
        return ItemSums(tally.answer, tally.count / of_one[tally.pattern], tally.starts, len(tally.answers))

    def share_of_an_answer(self, answered: FloatArray) -> FloatArray | None:
        """Its share of the item's answers, or one."""
        return 1 / np.maximum(answered, 1) if self.each == "item" else None

    def expected(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """Σ w π π."""
        marginals = _shares(sums)
        return dot(marginals, weights.apply(marginals))

    def slopes(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """2 (Wπ − e) / n."""
        total = sums.sum(-1, keepdims=True)
        marginals = divide(sums, total)
        alike = weights.apply(marginals)
        return divide(2 * (alike - dot(marginals, alike)[..., None]), total)

    def of_copies(self, copied: CopiedAnswers, weights: Weights) -> float:
        """From the shares that the copies have of an item's answers."""
        return float(self.expected(copied.shares(each=self.each), weights))

    def steps(self, tally: Tally, weights: Weights, expected: float) -> list[str]:
        """Σ π²."""
        shares, lines = self._marginal_steps(tally)
        few = len(shares) <= MOST_TERMS and without_mixtures(weights).is_identity
        terms = " + ".join(f"{share:z.4f}²" for share in shares) if few else "Σ w π π"
        return [*lines, f"  both answers from this distribution: A_e = {terms} = {expected:z.4f}"]


@dataclass(frozen=True)
class Own(Chance):
    """Each annotator draws from a distribution of their own (Cohen 1960); the mean over annotator pairs (Conger 1980).

    Pairs count alike whether or not the two ever met; an annotator without an answer is not there.
    """

    annotators: int
    answers: int
    name: str = "own"
    named: ClassVar[bool] = True

    def item_sums(self, tally: Tally) -> ItemSums:
        """Who answered what: one column for each annotator and answer."""
        assert tally.annotator is not None
        column = tally.annotator * self.answers + tally.answer
        return ItemSums(column, tally.count.astype(np.float64), tally.starts, self.annotators * self.answers)

    def expected(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """Mean of p_g W p_h over annotators g ≠ h, from the sum of all marginals less each with itself."""
        marginals, present = self.marginals(sums)
        everyone = marginals.sum(-2)
        together = dot(everyone, weights.apply(everyone))
        alone = dot(marginals, weights.apply(marginals)).sum(-1)
        people = present.sum(-1)
        return divide(together - alone, people * (people - 1.0))

    def slopes(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """2 [(W (S − p_g))_k − p_g W (S − p_g)] / (n_g R (R − 1))."""
        marginals, present = self.marginals(sums)
        others = weights.apply(marginals.sum(-2, keepdims=True) - marginals)
        centred = others - (marginals * others).sum(-1, keepdims=True)
        answered = sums.reshape(*sums.shape[:-1], self.annotators, self.answers).sum(-1, keepdims=True)
        people = present.sum(-1)[..., None, None]
        per_answer = np.divide(centred, answered, out=np.zeros_like(centred), where=answered > 0)
        return divide(2 * per_answer, people * (people - 1.0)).reshape(sums.shape)

    def of_answers(self, answers: int) -> Chance:
        """A column for each annotator and answer."""
        return Own(self.annotators, answers)

    def of_each(self, sums: FloatArray, weights: Weights) -> OwnMarginals | None:
        """Everybody's own."""
        from accord.coefficients.own_marginals import OwnMarginals

        return OwnMarginals.of(sums.reshape(self.annotators, -1), weights)

    def of_pairs(
        self, first: FloatArray, second: FloatArray, weights: Weights
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The product of both marginal distributions on the common items."""
        common = first.sum(1)
        expected = (first * weights.apply(second)).sum(1) / common**2
        by_first = (weights.apply(second) / common[:, None] - expected[:, None]) / common[:, None]
        by_second = (weights.apply(first) / common[:, None] - expected[:, None]) / common[:, None]
        return expected, by_first, by_second

    def of_copies(self, copied: CopiedAnswers, weights: Weights) -> float:
        """Mean over pairs of different people, each pair as often as its copies meet."""
        marginals, present = self.marginals(self.item_sums(copied.tally).total(copied.items))
        times = copied.times * present
        everyone = times @ marginals
        alone = times**2 @ (marginals * weights.apply(marginals)).sum(1)
        return float(divide(everyone @ weights.apply(everyone) - alone, times.sum() ** 2 - times @ times))

    def steps(self, tally: Tally, weights: Weights, expected: float) -> list[str]:
        """Each annotator's own marginals; for two, the product label by label."""
        table = self.item_sums(tally).total(tally.items).reshape(self.annotators, self.answers)
        present = [row for row in range(self.annotators) if table[row].sum() > 0]
        if len(present) != 2 or not weights.is_identity or self.answers > MOST_TERMS:
            pairs = len(present) * (len(present) - 1) // 2
            how = f"each annotator's own label distribution, the mean over {pairs:,} pairs of annotators"
            return [f"  {how}: A_e = {expected:z.4f}"]
        one, other = table[present[0]], table[present[1]]
        lines = [
            f"  {tally.answers.value(k)!r}: {tally.annotators[present[0]]} {one[k]:z.0f} times, "
            f"{tally.annotators[present[1]]} {other[k]:z.0f} times: "
            f"{one[k]:z.0f} × {other[k]:z.0f} / {one.sum():z.0f}² = {one[k] * other[k] / one.sum() / other.sum():z.4f}"
            for k in range(self.answers)
        ]
        return [*lines, f"  together: A_e = {expected:z.4f}"]

    def marginals(self, sums: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(…, R, K) each annotator's shares, and (…, R) whether there are any."""
        table = sums.reshape(*sums.shape[:-1], self.annotators, self.answers)
        answered = table.sum(-1, keepdims=True)
        shares = np.divide(table, answered, out=np.zeros_like(table), where=answered > 0)
        return shares, (answered[..., 0] > 0).astype(np.float64)


@dataclass(frozen=True)
class Uniform(Chance):
    """Every declared label is as likely as any other (Bennett et al. 1954, Brennan & Prediger 1981)."""

    labels: int
    name: str = "uniform"
    fixed: ClassVar[bool] = True
    needs_scale: ClassVar[bool] = True

    def item_sums(self, tally: Tally) -> ItemSums:
        """Nothing: chance does not depend on the answers."""
        return ItemSums.none(len(tally))

    def expected(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """The mean of all weights."""
        total = without_mixtures(weights).apply(np.ones(self.labels)).sum()
        return np.full(sums.shape[:-1], total / self.labels**2)

    def slopes(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """No sum moves it."""
        return np.zeros(sums.shape)

    def steps(self, tally: Tally, weights: Weights, expected: float) -> list[str]:
        """1 / q."""
        return [f"  every label of {self.labels} equally likely: A_e = {expected:z.4f}"]


@dataclass(frozen=True)
class Hesitant(Chance):
    """Only uncertain answers match by chance (Gwet 2008); the chance mass is below one on purpose."""

    labels: int
    name: str = "hesitant"
    needs_scale: ClassVar[bool] = True

    def item_sums(self, tally: Tally) -> ItemSums:
        """The item's share of each label."""
        return Pooled().item_sums(tally)

    def share_of_an_answer(self, answered: FloatArray) -> FloatArray | None:
        """Its share of the item's answers."""
        return Pooled().share_of_an_answer(answered)

    def expected(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """Σ w / (q (q − 1)) · Σ π (1 − π)."""
        marginals = _shares(sums)
        return self._factor(weights) * dot(marginals, 1 - same_by_chance(weights, marginals))

    def slopes(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """Σ w / (q (q − 1)) · 2 (Σ π² − π) / n."""
        marginals = _shares(sums)
        same = same_by_chance(weights, marginals)
        return self._factor(weights) * 2 * divide(dot(marginals, same)[..., None] - same, sums.sum(-1, keepdims=True))

    def of_copies(self, copied: CopiedAnswers, weights: Weights) -> float:
        """As with pooled marginals."""
        return float(self.expected(copied.shares(), weights))

    def steps(self, tally: Tally, weights: Weights, expected: float) -> list[str]:
        """Σ π (1 − π) / (q − 1)."""
        shares, lines = self._marginal_steps(tally)
        plain = without_mixtures(weights).is_identity
        few = len(shares) <= MOST_TERMS and plain
        terms = " + ".join(f"{share:z.4f}·{1 - share:z.4f}" for share in shares) if few else "Σ π (1 − π)"
        factor = f"1/{self.labels - 1}" if plain else "Σw / q(q − 1)"
        return [*lines, f"  only uncertain answers match by chance: A_e = {factor} · ({terms}) = {expected:z.4f}"]

    def _factor(self, weights: Weights) -> float:
        total = float(without_mixtures(weights).apply(np.ones(self.labels)).sum())
        return total / (self.labels * (self.labels - 1)) if self.labels > 1 else float("nan")


@dataclass(frozen=True)
class WithoutReplacement(Chance):
    """Two different answers drawn from all answers that could be paired (Krippendorff 1970)."""

    name: str = "without-replacement"
    pair_share: float = 1.0
    intraclass: ClassVar[bool] = True

    def item_sums(self, tally: Tally) -> ItemSums:
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

    def of_copies(self, copied: CopiedAnswers, weights: Weights) -> float:
        """Two answers of different people, a copy never with itself."""
        given = copied.copies * copied.pairable[copied.tally.pattern]
        numbers, squares = copied.tally.per_answer(given), copied.tally.per_answer(given * copied.copies)
        alike = numbers @ weights.apply(numbers) - squares @ weights.diagonal
        return float(divide(alike, numbers.sum() ** 2 - squares.sum()))

    def steps(self, tally: Tally, weights: Weights, expected: float) -> list[str]:
        """The share of each answer, and what two of them drawn from all give."""
        _, lines = self._marginal_steps(tally)
        how = "two different answers drawn from all of them, without replacement"
        return [*lines, f"  {how}: A_e = {expected:z.4f}"]


@dataclass(frozen=True)
class NoChance(Chance):
    """Nothing is attributed to chance: percent agreement."""

    name: str = "none"
    fixed: ClassVar[bool] = True

    def item_sums(self, tally: Tally) -> ItemSums:
        """Nothing."""
        return ItemSums.none(len(tally))

    def expected(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """Zero."""
        return np.zeros(sums.shape[:-1])

    def slopes(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """No sum moves it."""
        return np.zeros(sums.shape)

    def steps(self, tally: Tally, weights: Weights, expected: float) -> list[str]:
        """Nothing to work out."""
        return ["  nothing is attributed to chance: A_e = 0"]

    def value_step(self, observed: float, expected: float, value: float) -> str:
        """Observed agreement is the value."""
        return f"  A_o itself: {value:z.4f}"


MODELS: dict[str, Callable[[Tally], Chance]] = {}  # what makes each of a tally
KINDS: dict[str, type[Chance]] = {}  # which class each is


def model(name: str, kind: type[Chance]) -> Callable[[Callable[[Tally], Chance]], Callable[[Tally], Chance]]:
    """Make a function a chance model: an entry of the table of measures names it, and so may an option."""

    def add(make: Callable[[Tally], Chance]) -> Callable[[Tally], Chance]:
        MODELS[name], KINDS[name] = make, kind
        return make

    return add


@model("none", NoChance)
def none(_tally: Tally) -> Chance:
    """Nothing is attributed to chance."""
    return NoChance()


@model("pooled", Pooled)
def pooled(_tally: Tally) -> Chance:
    """One shared marginal distribution, every item counted once."""
    return Pooled()


@model("pooled-counts", Pooled)
def pooled_counts(_tally: Tally) -> Chance:
    """One shared marginal distribution, every answer counted once."""
    return Pooled(each="answer", name="pooled-counts", pair_share=1.0)


@model("own", Own)
def own(tally: Tally) -> Chance:
    """Marginals of each annotator."""
    return Own(len(tally.annotators), len(tally.answers))


@model("uniform", Uniform)
def uniform(tally: Tally) -> Chance:
    """All labels of the scale alike."""
    return Uniform(len(tally.answers.unmixed))


@model("hesitant", Hesitant)
def hesitant(tally: Tally) -> Chance:
    """Only uncertain answers match by chance."""
    return Hesitant(len(tally.answers.unmixed))


@model("without-replacement", WithoutReplacement)
def without_replacement(_tally: Tally) -> Chance:
    """Two different answers drawn from all that could be paired."""
    return WithoutReplacement()


def kind_of(name: str) -> type[Chance]:
    """What is true of a chance model whatever was answered; of a measure's own way to take chance off, nothing is."""
    return KINDS.get(name, NoChance)


def one_of(option: str, name: str, *allowed: str) -> Callable[[Tally], Chance]:
    """A chance model by name, if the measure allows it."""
    check_choice(option, name, allowed)
    return MODELS[name]


def _shares(sums: FloatArray) -> FloatArray:
    """Sums as shares of one."""
    return divide(sums, sums.sum(-1, keepdims=True))
