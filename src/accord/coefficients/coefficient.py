"""A coefficient: a measurable that depends on a study through its tally.

Mostly it is a smooth function of sums over items. From that one fact follow its value, its value on any resample, its
value without an item (the jackknife), and how much each item moves it (`influence`, from which the standard error).
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from accord.annotations.answers import Answers
from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.annotations.mixed_answers import unmixed
from accord.annotations.tally import DENSE_KEYS, RareAnswers, Tally
from accord.coefficients.chance import MODELS, Chance, Each
from accord.coefficients.formula import centred, chance_corrected
from accord.coefficients.item_sums import ItemSums
from accord.coefficients.measurable import Breakdown, Decomposition, Measurable, Parts
from accord.coefficients.mixed_weights import for_answers, identity_for, without_mixtures
from accord.coefficients.sums_over_units import SumsOverUnits
from accord.coefficients.weights import Weights
from accord.errors import Message, quoted, remedy

if TYPE_CHECKING:
    from accord.coefficients.annotator_copies import AnnotatorCopies
    from accord.coefficients.annotator_pairs import AnnotatorPairs
    from accord.coefficients.annotator_values import ItemEffects
    from accord.coefficients.own_marginals import OwnMarginals
    from accord.coefficients.pair_sum import PairSum
    from accord.engine.annotator_sums import Keys
    from accord.study.study import Study

STEP = 1e-4  # of an item, where a derivative is taken by differences
PATTERNS_AT_ONCE = 10_000
MOSTLY_CHANCE = 0.5  # expected agreement above which one answer may fill most items
MOST_PATTERNS = 3_000  # whose derivatives are taken one by one


class Coefficient(Measurable):
    """A value that depends on a study through its tally, and can be asked about other items than those it has."""

    tally: Tally
    each: Each = "answer"  # what counts once in observed agreement
    ranks_move: bool = False  # does an answer move how alike others are?

    @cached_property
    def sample(self) -> Tally:
        """The items that count, by pattern; in an engine the tally may be of something else."""
        return self.tally

    @property
    def n_answers(self) -> int:
        """All answers on the items that count."""
        return self.sample.n_answers

    @property
    def n_compared(self) -> int:
        """The items with two answers or more: a single answer has nothing to agree with."""
        return self.sample.n_compared

    def on_patterns(self) -> Coefficient:
        """Itself."""
        return self

    @property
    def compares_identity(self) -> bool:
        """Are two answers the same or not, with nothing in between?"""
        return False

    def relabelled(self, answers: Answers, new: IntArray) -> Coefficient | None:
        """The same with every answer called as `new` says; None where answers are more than the same or not."""
        return None

    def against_the_rest(self, weights: Weights) -> Measurable | None:
        """The same with the weights of one label and the rest; None where only an engine knows who answered what."""
        return None

    def as_item_means(self) -> Smooth | None:
        """Itself, where it is a function of means over items whose terms do not depend on the other items."""
        return None

    def rare_answers(self) -> RareAnswers | None:
        """Where chance alone gives most of the agreement because one answer fills most items."""
        if not float(self.parts.expected) > MOSTLY_CHANCE:
            return None
        return self.sample.where(self.sample.pairable).rare_answers()

    @abstractmethod
    def alike(self, left: IntArray, right: IntArray) -> FloatArray:
        """How alike given pairs of answers are, 1 for the same."""

    def pair_agreement(self, named: Tally, pairs: AnnotatorPairs) -> FloatArray:
        """(M,) how alike the two answers of each pair on an item are; `named` is what `among` gave."""
        return self.alike(pairs.first_answer, pairs.second_answer)

    # -- by annotator -------------------------------------------------------------------------------------------------

    def by_annotator(self, study: Study) -> Breakdown:
        """The same sums over the pairs of answers that hold one of theirs, each with the weight it has in the whole."""
        from accord.coefficients.annotator_values import each_with_the_others
        from accord.coefficients.annotator_values_in_engine import each_in_engine

        crowd = study._annotations.crowd(anyway=self.rests_on_engine)
        if crowd is not None:
            return each_in_engine(crowd, self)
        return each_with_the_others(study._tally_of_people(named=True), self)

    def own_marginals(self) -> OwnMarginals | None:
        """The chance of every annotator, where each has one of their own."""
        return None

    def squares_of_each(self, effects: ItemEffects) -> FloatArray:
        """(R,) the sum of squares of what items do to the value of each annotator."""
        own = self.own_marginals()
        if own is not None:
            return effects.with_own_chance(own)
        return effects.with_shared_chance(self.chance_moved(effects.tally))

    def chance_moved(self, tally: Tally) -> FloatArray:
        """(P,) how far an item of each pattern of a tally of the same items moves expected agreement."""
        from accord.coefficients.annotator_values import carried

        return carried(tally, self.tally, self._chance_by_differences())

    def _chance_by_differences(self) -> FloatArray:
        """(P,) the same for the own tally, by a small step where no formula gives it."""
        patterns, items = len(self.tally), self.tally.items.astype(np.float64)
        if patterns > MOST_PATTERNS:  # too slow to be worth it
            return np.full(patterns, np.nan)
        moved = np.empty(patterns)
        for pattern in range(patterns):
            step = STEP * (np.arange(patterns) == pattern)
            more, less = self.evaluate(items + step), self.evaluate(items - step)
            moved[pattern] = float(more.expected - less.expected) / (2 * STEP)
        return moved

    def agreement_with_others(self, tally: Tally) -> FloatArray:
        """(E,) how alike an answer of each entry is to the others on its item, added up."""
        alike = (tally.count - 1.0) * self.alike(tally.answer, tally.answer)
        for left, right in tally.pairs():
            same = self.alike(tally.answer[left], tally.answer[right])
            alike += add_up(left, tally.count[right] * same, len(alike))
            alike += add_up(right, tally.count[left] * same, len(alike))
        return alike

    def engine_keys(self) -> Keys | None:
        """What tells items of one pattern apart in an engine, where something does."""
        return None

    # -- in words -----------------------------------------------------------------------------------------------------

    def size_in_words(self, annotators: int) -> str:
        """With the items that can be compared."""
        tally = self.sample
        return (
            f"{tally.n_items:,} items, {annotators:,} annotators, {tally.n_answers:,} answers; "
            f"{self.n_compared:,} items have two answers or more."
        )

    def steps(self, undefined: str | None) -> list[str]:
        """Observed agreement, expected agreement, the coefficient."""
        observed, expected, value = (float(part) for part in vars(self.parts).values())
        last = f"  there is none: {undefined}" if undefined else self._value_step(observed, expected, value)
        return [
            *("", "Step 1: observed agreement"),
            *self._observed_steps(),
            *("", "Step 2: agreement expected by chance"),
            *self._expected_steps(),
            *("", "Step 3: the coefficient"),
            last,
        ]

    def why_undefined(self) -> str | None:
        """One answer throughout leaves nothing to be better than."""
        given = np.unique(self.tally.answer)
        if len(given) != 1:
            return None
        only = self.tally.answers.value(int(given[0]))
        return (
            f"Only {only!r} was given, so chance alone would give full agreement and nothing can be better than that."
        )

    @property
    def _once(self) -> str:
        """What counts how often."""
        if self.tally.weight is not None:
            return "every item by its weight" if self.each == "item" else "every answer by the weight of its item"
        return "every item once" if self.each == "item" else "every answer once"

    def _observed_steps(self) -> list[str]:
        alike = "the same" if self.compares_identity else "alike, by the weights"
        return [
            f"  the share of pairs of answers{self._of_whom()} on an item that are {alike}, {self._once}: "
            f"A_o = {self.parts.observed:z.4f}"
        ]

    def _of_whom(self) -> str:
        """Whose answers are compared, where that must be said."""
        return " of different people (of repeated answers, their mean)" if self.tally.answers.mixed else ""

    def _expected_steps(self) -> list[str]:
        return [f"  two answers drawn from all {self.tally.n_answers:,}: A_e = {self.parts.expected:z.4f}"]

    def _value_step(self, observed: float, expected: float, value: float) -> str:
        return f"  (A_o − A_e) / (1 − A_e) = ({observed:z.4f} − {expected:z.4f}) / (1 − {expected:z.4f}) = {value:z.4f}"


class Smooth(SumsOverUnits, Coefficient):
    """A coefficient given by sums over items, a formula (`combine`) and its derivative (`slopes`)."""

    def _chance_by_differences(self) -> FloatArray:
        """By a small step along each pattern's own sums."""
        moved = np.empty(len(self.tally))
        for first in range(0, len(moved), PATTERNS_AT_ONCE):
            last = min(first + PATTERNS_AT_ONCE, len(moved))
            step = STEP * self.item_sums.rows(first, last)
            more, less = self.combine(self.sums + step), self.combine(self.sums - step)
            moved[first:last] = (more.expected - less.expected) / (2 * STEP)
        return moved


@dataclass(frozen=True, eq=False)
class Observed:
    """Observed agreement of the items of each pattern, whatever the chance model."""

    agreed: FloatArray  # (P,) the mean weight of pairs of different answers; NaN for a single one
    sums: FloatArray  # (P, 2) what an item adds to agreement, and to what it is a share of
    total: FloatArray  # (2,) of all items

    @classmethod
    def of(cls, tally: Tally, weights: Weights, each: Each) -> Observed:
        """By items or by answers."""
        answered, pairable = tally.answered, tally.pairable
        agreed = alike_within(tally, weights) / np.where(pairable, answered * (answered - 1.0), np.nan)
        sums = np.zeros((len(tally), 2))
        sums[:, 1] = once = pairable * (answered if each == "answer" else 1.0)
        np.multiply(once, agreed, out=sums[:, 0], where=pairable)
        return cls(agreed, sums, (sums * tally.items[:, None]).sum(0))


class Tabular(Smooth):
    """A row of the table of coefficients: weights, a chance model, and what counts once.

    `chance_weights` is for the one measure whose chance agreement is measured with another table than its agreement.
    """

    def __init__(
        self, tally: Tally, weights: Weights, chance: Chance, each: Each = "item", chance_weights: Weights | None = None
    ) -> None:
        self.tally = tally.where(tally.pairable) if each == "answer" else tally
        self.weights = weights
        self.chance = chance
        self.each = each
        self.chance_weights = chance_weights or weights
        self._chance_sums = chance.item_sums(self.tally)

    @cached_property
    def agreed(self) -> FloatArray:
        """(P,) observed agreement of an item: the mean weight of pairs of different answers; NaN for a single one."""
        return self._observed.agreed

    @property
    def _observed_sums(self) -> FloatArray:
        """(P, 2): what an item adds to agreement, and to what it is a share of."""
        return self._observed.sums

    @cached_property
    def _observed(self) -> Observed:
        """Made once for all coefficients of the tally that ask whether answers are the same, whatever their chance."""
        if not without_mixtures(self.weights).is_identity:
            return Observed.of(self.tally, self.weights, self.each)
        kind = (self.each, type(self.weights))  # mixed answers count by their parts, or each as one of its own
        if kind not in self.tally.shared:
            self.tally.shared[kind] = Observed.of(self.tally, self.weights, self.each)
        found: Observed = self.tally.shared[kind]
        return found

    @cached_property
    def item_sums(self) -> ItemSums:  # type: ignore[override]
        """Observed agreement, then chance: only resamples need both in one matrix."""
        return ItemSums.dense(self._observed_sums).joined(self._chance_sums)

    @cached_property
    def sums(self) -> FloatArray:
        """The same two added up."""
        return np.concatenate((self._observed.total, self._chance_sums.total(self.tally.items)))

    def influence(self) -> FloatArray:
        """The derivative along each pattern, from both."""
        slopes, observed = self.slopes(self.sums), self._observed_sums
        steps = observed[:, 0] * slopes[0] + observed[:, 1] * slopes[1]
        if self._chance_sums.width:
            steps = self._chance_sums.along(slopes[2:], steps)
        return centred(self.tally.n_items * steps, self.tally.items)

    def combine(self, sums: FloatArray) -> Parts:
        """The one formula."""
        observed = divide(sums[..., 0], sums[..., 1])
        expected = self.chance.expected(sums[..., 2:], self.chance_weights)
        return Parts(observed, expected, chance_corrected(observed, expected))

    def slopes(self, sums: FloatArray) -> FloatArray:
        """By the chain rule; observed agreement depends on the first two sums, expected agreement on the others."""
        parts = self.parts if sums is self.sums else self.combine(sums)
        observed, below, left = float(parts.observed), float(sums[1]), 1 - float(parts.expected)
        by_observed = [part / below / left if below and left else np.nan for part in (1.0, -observed)]
        if self.chance.fixed:
            return np.array(by_observed)
        by_expected = self.chance.slopes(sums[2:], self.chance_weights)
        return np.concatenate((by_observed, -(1 - float(parts.value)) * by_expected / left))

    def slopes_of_each(self, sums: FloatArray) -> FloatArray:
        """The same, all at once."""
        parts = self.combine(sums)
        by_observed = np.stack((np.ones(len(sums)), -parts.observed), axis=1) / sums[:, 1:2]
        by_expected = self.chance.slopes(sums[:, 2:], self.chance_weights)
        moved = np.concatenate((by_observed, -(1 - parts.value)[:, None] * by_expected), axis=1)
        return np.asarray(moved / (1 - parts.expected)[:, None])

    @property
    def compares_identity(self) -> bool:
        """As the weights say."""
        return without_mixtures(self.weights).is_identity

    @cached_property
    def maximum(self) -> float:
        """1, or not known where an answer is not fully like itself."""
        return 1.0 if like_themselves(self.weights, self.tally) else float("nan")

    def of_tally(self, tally: Tally) -> Tabular:
        """The same row of the table."""
        weights, by_chance = (
            for_answers(without_mixtures(table), tally.answers) for table in (self.weights, self.chance_weights)
        )
        return Tabular(tally, weights, self.chance.of_answers(len(tally.answers)), self.each, by_chance)

    def relabelled(self, answers: Answers, new: IntArray) -> Tabular | None:
        """The same chance model on the labels that are left."""
        if not self.compares_identity or answers.kind != self.tally.answers.kind:
            return None
        tally = self.tally.relabelled(answers, new)
        return Tabular(tally, identity_for(tally.answers), MODELS[self.chance.name](tally), self.each)

    def against_the_rest(self, weights: Weights) -> Tabular:
        """The same answers and the same chance model."""
        return Tabular(self.tally, weights, self.chance, self.each)

    def as_item_means(self) -> Smooth:
        """Observed agreement and marginals are means over items."""
        return self

    def alike(self, left: IntArray, right: IntArray) -> FloatArray:
        """The weights between answers."""
        return self.weights.between(left, right)

    def pair_sum(self, named: Tally | None) -> PairSum:
        """Every item or every answer once; of shared chance with what an answer moves it by.

        Where every answer adds one to shared chance, it is the same wherever the answers stand.
        """
        from accord.coefficients.pair_sum import MovedChance, PairSum

        found, moved, tally = PairSum.of(self.tally, self.each), None, self.tally
        if named is not None and not self.chance.named:
            tally = named.where(named.pairable) if self.each == "answer" else named
        share = None
        if not self.chance.fixed and not self.chance.named:
            share = self.chance.share_of_an_answer(np.arange(len(found.items), dtype=np.float64))
        if share is not None:
            sums = self.sums[2:]
            slopes = self.chance.slopes(sums, self.chance_weights)
            moved = MovedChance(share, slopes, float(slopes @ sums))
        return PairSum(tally, found.items, found.weight, moved, even=found.even)

    def published_scores(self) -> FloatArray:
        """Gwet's form takes the number of items with two answers as given; alpha's draws with replacement."""
        if self.each == "answer":
            return Tabular(self.tally, self.weights, self.chance.with_replacement(), "answer").influence()
        items, pairable = self.tally.n_items, self.tally.items @ self.tally.pairable
        return self.influence() + float(self.parts.value) * (items / pairable * self.tally.pairable - 1)

    def decomposition(self) -> Decomposition:
        """Each item's own agreement against the study's chance."""
        once = self._observed_sums[:, 1]
        value = chance_corrected(self.agreed, np.asarray(self.parts.expected))
        return Decomposition(self.agreed, value, once / (self.tally.items @ once))

    # -- by annotator, by pair ----------------------------------------------------------------------------------------

    def own_marginals(self) -> OwnMarginals | None:
        """As the chance model says."""
        return self.chance.of_each(self._chance_sums.total(self.tally.items), self.chance_weights)

    def chance_moved(self, tally: Tally) -> FloatArray:
        """By the slopes of the chance model."""
        sums = self.chance.item_sums(tally)
        return sums.along(self.chance.slopes(sums.total(tally.items), self.chance_weights))

    def by_pair(self, named: Tally, pairs: AnnotatorPairs) -> Breakdown:
        """The same chance model on the items both answered."""
        from accord.coefficients.pair_values import pairs_at_once

        return pairs_at_once(named, pairs, self.weights, self.chance, self.chance_weights).breakdown

    def with_copies(self, copies: AnnotatorCopies, times: FloatArray, items: FloatArray) -> float:
        """The one formula on the pairs that different people make."""
        copied = copies.answers(times, items)
        once = copied.pairable * (copied.answered if self.each == "answer" else 1.0)
        observed = divide(once @ copies.agreed(copied), once.sum())
        expected = self.chance.of_copies(copied, self.chance_weights)
        return float(chance_corrected(observed, np.asarray(expected)))

    # -- in words -----------------------------------------------------------------------------------------------------

    def _observed_steps(self) -> list[str]:
        tally, observed = self.tally, float(self.parts.observed)
        if not self.weights.is_identity:
            return super()._observed_steps()
        if tally.weight is None and bool((tally.answered[tally.pairable] == 2).all()):
            pairable, agreeing = int(tally.items @ tally.pairable), float(tally.items @ np.nan_to_num(self.agreed))
            share = f"A_o = {agreeing:z.0f} / {pairable} = {observed:z.4f}"
            return [f"  the two agree on {agreeing:z.0f} of {pairable:,} items: {share}"]
        return [f"  the share of pairs of answers on an item that are the same, {self._once}: A_o = {observed:z.4f}"]

    def _expected_steps(self) -> list[str]:
        return self.chance.steps(self.tally, self.chance_weights, float(self.parts.expected))

    def _value_step(self, observed: float, expected: float, value: float) -> str:
        return self.chance.value_step(observed, expected, value)

    def why_undefined(self) -> str | None:
        """A scale of one label leaves chance nothing to choose from."""
        answers = self.tally.answers.unmixed
        if self.chance.needs_scale and len(answers) == 1 and answers.kind == "single":
            return Message(
                "The scale has a single label, ",
                quoted(answers.labels[0]),
                ": chance alone would give full agreement. Declare the labels that could have been given: ",
                remedy(labels=[...]),
                ".",
            )
        return super().why_undefined()


def like_themselves(weights: Weights, tally: Tally) -> bool:
    """Is every answer that was given fully like itself? Then equal answers agree fully, and the highest value is 1.

    A mixed answer counts by its parts: the highest value is that of people who do not contradict themselves.
    """
    whole = without_mixtures(weights)
    return whole.is_identity or bool((whole.diagonal[np.unique(unmixed(tally).answer)] > 1 - 1e-12).all())


def alike_within(tally: Tally, weights: Weights) -> FloatArray:
    """(P,) Σ_kl r_k r_l w_kl − Σ_k r_k w_kk: the weights of all ordered pairs of different answers of an item."""
    if weights.is_identity and len(tally) * len(tally.answers) <= DENSE_KEYS:
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
    given = add_up(tally.pattern * size + tally.answer, tally.count, len(tally) * size).reshape(len(tally), size)
    pairs: FloatArray = np.einsum("pk,pk->p", given, given - 1)  # along short rows quicker than a sum of products
    return pairs
