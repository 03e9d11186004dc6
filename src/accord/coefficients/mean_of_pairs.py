"""A coefficient for each pair of annotators, and their mean: Light's kappa, Rosenberg and Binkowski's."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.annotations.tally import Tally
from accord.coefficients.annotator_pairs import AnnotatorPairs, AnswerPairTable, number_of_answer_pairs
from accord.coefficients.chance import MOST_TERMS, Own
from accord.coefficients.coefficient import Smooth, like_themselves
from accord.coefficients.formula import centred, chance_corrected
from accord.coefficients.item_sums import ItemSums
from accord.coefficients.measurable import Breakdown, Decomposition, Parts
from accord.coefficients.mixed_weights import for_answers, without_mixtures
from accord.coefficients.pair_sum import PairsOfPeople, PairSum
from accord.coefficients.pair_values import PairValues, pairs_at_once
from accord.coefficients.weights import Weights
from accord.errors import counted

if TYPE_CHECKING:
    from accord.coefficients.annotator_copies import AnnotatorCopies
    from accord.study.study import Study

NO_PAIR = "No pair of annotators has a defined kappa: each pair used one label only, or has no item in common."
FEW_IN_COMMON = 15  # items of a pair on average
MOSTLY_SHARED = 0.75  # the share of all items from which on gaps are not what makes them few


class MeanOfPairs(Smooth):
    """One coefficient with own marginals for each pair of annotators, on the items both answered; then their mean.

    Pairs without a common item, or undefined, are left out of the mean.
    """

    def __init__(self, tally: Tally, weights: Weights, pair_title: str = "kappa") -> None:
        self.tally = tally.where(tally.pairable)
        self.weights = weights
        self.pair_title = pair_title  # what the coefficient of one pair is called
        self.answers = len(tally.answers)
        self.people = tally.annotators_seen
        self.n_answer_pairs = number_of_answer_pairs(self.tally)

    @cached_property
    def pairs(self) -> AnnotatorPairs:
        """All pairs in the tally, a row for each two answers."""
        return AnnotatorPairs.of(self.tally)

    @property
    def n_pairs(self) -> int:
        """(J) how many pairs of annotators have an item in common."""
        return len(self.pairs if self._table is None else self._table.counts)

    @cached_property
    def _table(self) -> AnswerPairTable | None:
        """The same as a table, where most pairs share most items: no array is then as long as the pairs of answers."""
        return AnswerPairTable.of(self.tally, self.n_answer_pairs)

    @cached_property
    def agreed(self) -> FloatArray:
        """(M,) how alike the two answers of each pair on an item are."""
        return self.weights.between(self.pairs.first_answer, self.pairs.second_answer)

    @cached_property
    def item_sums(self) -> ItemSums:  # type: ignore[override]
        """For each pair: agreement, common items, then the first's answers and the second's."""
        pairs, width = self.pairs, 2 + 2 * self.answers
        base = pairs.pair * width
        first_column, second_column = base + 2 + pairs.first_answer, base + 2 + self.answers + pairs.second_answer
        order = np.argsort(pairs.pattern, kind="stable")
        columns = np.stack((base, base + 1, first_column, second_column), axis=1)[order]
        ones = np.ones_like(self.agreed)
        values = np.stack((self.agreed, ones, ones, ones), axis=1)[order]
        sizes = 4 * np.bincount(pairs.pattern, minlength=len(self.tally))
        starts = np.concatenate(([0], np.cumsum(sizes)))
        return ItemSums(columns.ravel(), values.ravel(), starts, width * len(pairs))

    def thin(self) -> str | None:
        """A mean of values that rest on a few items each is off by more than the spread of items shows."""
        weighted = self.tally.weight is not None
        common = self.pairs.common(self.tally.units) if weighted else self.pair_parts(self.sums)[1]
        return few_in_common(common, self.sample.n_items)

    def influence(self) -> FloatArray:
        """The derivative along each pattern, pair by pair: the matrix that only resamples need is not made."""
        if self._table is None:
            steps = add_up(self.pairs.pattern, self.moved(), len(self.tally))
        else:
            slopes = self.slopes(self.sums).reshape(self.n_pairs, 2 + 2 * self.answers)
            chance = slopes[:, 2:].reshape(self.n_pairs, 2, self.answers)
            by_answers = slopes[:, 0, None, None] * self._alike + slopes[:, 1, None, None]
            by_answers += chance[:, 0, :, None]
            by_answers += chance[:, 1, None, :]
            steps = self._table.per_pattern(by_answers)
        return centred(self.tally.n_items * steps, self.tally.items)

    def moved(self) -> FloatArray:
        """(M,) how far one pair of answers moves the value."""
        pairs, width = self.pairs, 2 + 2 * self.answers
        slopes = self.slopes(self.sums).reshape(len(pairs), width)
        moved = slopes[pairs.pair, 0] * self.agreed
        moved += slopes[pairs.pair, 1]
        moved += slopes[pairs.pair, 2 + pairs.first_answer]
        moved += slopes[pairs.pair, 2 + self.answers + pairs.second_answer]
        return np.asarray(moved)

    @cached_property
    def sums(self) -> FloatArray:
        """The study's own sums, without the matrix that only resamples need."""
        if self._table is not None:
            first, second = self._table.counts.sum(2), self._table.counts.sum(1)
            agreed = self._table.total(self._alike, self.tally.items)
            return np.concatenate((agreed[:, None], first.sum(1)[:, None], first, second), axis=1).ravel()
        items, pairs = self.tally.items, self.pairs
        agreed = add_up(pairs.pair, self.agreed * items[pairs.pattern], len(pairs))
        first, second = pairs.answers(items, self.answers)
        return np.concatenate((agreed[:, None], pairs.common(items)[:, None], first, second), axis=1).ravel()

    @cached_property
    def _alike(self) -> FloatArray:
        """(K, K) the weights between all answers."""
        left, right = np.divmod(np.arange(self.answers**2), self.answers)
        return self.weights.between(left, right).reshape(self.answers, self.answers)

    @cached_property
    def parts(self) -> Parts:
        """The study's own parts."""
        return self.combine(self.sums)

    @property
    def compares_identity(self) -> bool:
        """As the weights say."""
        return without_mixtures(self.weights).is_identity

    @cached_property
    def maximum(self) -> float:
        """1 where equal answers agree fully; else what a pair would have if one of the two repeated the other.

        Of the two annotators the one counts whose answers allow more; then the mean over the pairs. No pair's own value
        can be above that: with products of shares, o_AB is the mean of o_AA and o_BB less half the mean squared
        distance of the two answers, e_AB the mean of e_AA and e_BB less half that of the marginals, which is no larger.
        """
        if like_themselves(self.weights, self.tally):
            return 1.0
        pairs, _, *marginals = self.pair_parts(self.sums)
        alone = []
        for shares in marginals:
            observed = shares @ self.weights.diagonal
            alone.append(chance_corrected(observed, (shares * self.weights.apply(shares)).sum(-1)))
        defined = np.isfinite(pairs.value)
        return float(np.fmax(*alone)[defined].mean()) if defined.any() else float("nan")

    def of_tally(self, tally: Tally) -> MeanOfPairs:
        """The mean over the pairs of other answers."""
        return MeanOfPairs(tally, for_answers(without_mixtures(self.weights), tally.answers), self.pair_title)

    def against_the_rest(self, weights: Weights) -> MeanOfPairs:
        """For each pair of annotators, put together so that the labels' values make up the value of all."""
        from accord.coefficients.one_label_of_pairs import OneLabelOfPairs  # which is a mean of pairs itself

        return OneLabelOfPairs(self, weights)

    def alike(self, left: IntArray, right: IntArray) -> FloatArray:
        """The weights between answers."""
        return self.weights.between(left, right)

    def pair_sum(self, named: Tally | None) -> PairSum | None:
        """Every pair of annotators alike, over what chance leaves it to reach; pairs without a value not at all."""
        parts, common, *_ = self.pair_parts(self.sums)
        defined = np.isfinite(parts.value)
        weight = divide(defined / max(defined.sum(), 1), common * (1 - parts.expected))
        table = self.sums.reshape(self.n_pairs, 2 + 2 * self.answers)
        first, second = table[:, 2 : 2 + self.answers], table[:, 2 + self.answers :]
        pairs = PairsOfPeople(np.where(defined, weight, 0.0), table[:, 0], first, second)
        return replace(PairSum.of(self.tally, "item"), pairs=pairs)

    def pair_parts(self, sums: FloatArray) -> tuple[Parts, FloatArray, FloatArray, FloatArray]:
        """Parts of each pair (…, J), their common items, and both marginals (…, J, K); the study's own made once."""
        return self._own_pairs if sums is self.sums else self._pair_parts(sums)

    @cached_property
    def _own_pairs(self) -> tuple[Parts, FloatArray, FloatArray, FloatArray]:
        return self._pair_parts(self.sums)

    def _pair_parts(self, sums: FloatArray) -> tuple[Parts, FloatArray, FloatArray, FloatArray]:
        table = sums.reshape(*sums.shape[:-1], self.n_pairs, 2 + 2 * self.answers)
        common = table[..., 1]
        first = divide(table[..., 2 : 2 + self.answers], common[..., None])
        second = divide(table[..., 2 + self.answers :], common[..., None])
        observed = divide(table[..., 0], common)
        expected = (first * self.weights.apply(second)).sum(-1)
        return Parts(observed, expected, chance_corrected(observed, expected)), common, first, second

    def combine(self, sums: FloatArray) -> Parts:
        """The mean over the pairs that are defined."""
        pairs, *_ = self.pair_parts(sums)
        defined = np.isfinite(pairs.value)
        number = defined.sum(-1)
        means = [
            divide(np.where(defined, part, 0.0).sum(-1), number)
            for part in (pairs.observed, pairs.expected, pairs.value)
        ]
        return Parts(*means)

    def slopes(self, sums: FloatArray) -> FloatArray:
        """The pairs' derivatives, each a share of the mean."""
        pairs, common, first, second = self.pair_parts(sums)
        defined = np.isfinite(pairs.value)
        scale = divide(defined / max(defined.sum(), 1), common * (1 - pairs.expected))[:, None]
        lost = -(1 - pairs.value)[:, None]
        by_count = -pairs.observed[:, None] - 2 * lost * pairs.expected[:, None]
        by_first, by_second = lost * self.weights.apply(second), lost * self.weights.apply(first)
        table = np.concatenate((np.ones_like(lost), by_count, by_first, by_second), axis=1) * scale
        return np.where(defined[:, None], table, 0.0).ravel()

    def decomposition(self) -> Decomposition:
        """Each pair of answers against its own pair's chance, the pairs of an item averaged."""
        pairs, common, *_ = self.pair_parts(self.sums)
        defined = np.isfinite(pairs.value)
        pair, pattern, patterns = self.pairs.pair, self.pairs.pattern, len(self.tally)
        share = divide(defined / max(defined.sum(), 1), common)[pair]
        value = chance_corrected(self.agreed, pairs.expected[pair])
        weight = add_up(pattern, share, patterns)
        total = add_up(pattern, np.nan_to_num(value) * share, patterns)
        number = np.bincount(pattern, minlength=patterns)
        observed = divide(add_up(pattern, self.agreed, patterns), number)
        return Decomposition(observed, divide(total, weight), weight)

    # -- by annotator, by pair ----------------------------------------------------------------------------------------

    def by_annotator(self, study: Study) -> Breakdown:
        """The mean over an annotator's own pairs."""
        size, pairs = len(study.annotators), self.pairs
        parts, *_ = self.pair_parts(self.sums)
        defined = np.isfinite(parts.value)
        number = sum(np.bincount(end[defined], minlength=size) for end in (pairs.first, pairs.second))
        means = []
        for part in (parts.observed, parts.expected, parts.value):
            total = sum(add_up(end[defined], part[defined], size) for end in (pairs.first, pairs.second))
            means.append(divide(np.asarray(total), np.asarray(number)))
        return Breakdown(means[0], means[1], means[2], self._errors_of_each(size))

    def _errors_of_each(self, size: int) -> FloatArray:
        """(R,) from the scores of an annotator's own pairs, summed within items."""
        pairs, found = self.pairs, self._pair_values(self.tally, self.pairs)
        defined = np.isfinite(found.breakdown.value)
        ones = np.ones(int(defined.sum()))
        number = add_up(pairs.first[defined], ones, size) + add_up(pairs.second[defined], ones, size)
        common = pairs.common(self.tally.items.astype(np.float64))
        part = np.where(defined[pairs.pair], np.nan_to_num(found.scores) / common[pairs.pair], 0.0)
        whole = float(self.sample.n_items)
        squares = self._squares_of_each(part, size) * (whole / max(whole - 1, 1))  # as every analytic error
        return np.where(number > 0, np.sqrt(squares) / np.maximum(number, 1), np.nan)

    def _squares_of_each(self, part: FloatArray, size: int) -> FloatArray:
        return squares_of_each(self.tally, self.pairs, part, size)

    def by_pair(self, named: Tally, pairs: AnnotatorPairs) -> Breakdown:
        """The pairs that the mean is of."""
        return self._pair_values(named, pairs).breakdown

    def _pair_values(self, named: Tally, pairs: AnnotatorPairs) -> PairValues:
        return pairs_at_once(named, pairs, self.weights, Own(2, self.answers), self.weights)

    def with_copies(self, copies: AnnotatorCopies, times: FloatArray, items: FloatArray) -> float:
        """The pairs' kappas on these items, each pair as often as its copies meet."""
        pairs = self.pairs
        parts, *_ = self.pair_parts(self.item_sums.total(items[copies.tally.pairable]))
        weight = times[pairs.first] * times[pairs.second] * np.isfinite(parts.value)
        return float(divide(weight @ np.nan_to_num(parts.value), weight.sum()))

    # -- in words -----------------------------------------------------------------------------------------------------

    def steps(self, undefined: str | None) -> list[str]:
        """The pairs one by one, and their mean."""
        parts, common, *_ = self.pair_parts(self.sums)
        names, pairs = self.tally.annotators, self.pairs
        lines = ["", f"Step 1: {self.pair_title} for every pair of annotators, on the items both answered"]
        for place in range(min(len(pairs), MOST_TERMS)):
            value = f"{parts.value[place]:z.4f}" if np.isfinite(parts.value[place]) else "undefined"
            lines.append(
                f"  {names[pairs.first[place]]} and {names[pairs.second[place]]}: {common[place]:,.0f} items, "
                f"({parts.observed[place]:z.4f} − {parts.expected[place]:z.4f}) / (1 − {parts.expected[place]:z.4f}) "
                f"= {value}"
            )
        if len(pairs) > MOST_TERMS:
            lines.append(f"  … {len(pairs):,} pairs in all")
        mean = f"there is none: {undefined}" if undefined else f"{self.parts.value:z.4f}"
        return [*lines, "", "Step 2: their mean", f"  {mean}"]

    def why_undefined(self) -> str | None:
        """No pair has a value."""
        return super().why_undefined() or (NO_PAIR if len(self.tally) else None)

    def notes(self) -> tuple[str, ...]:
        """Which pairs are left out."""
        undefined = int((~np.isfinite(self.pair_parts(self.sums)[0].value)).sum())
        return pairs_left_out(self.people, self.n_pairs, undefined)


def pairs_left_out(people: int, co_annotated: int, undefined: int) -> tuple[str, ...]:
    """How many pairs of annotators the mean does not have, and why."""
    every = people * (people - 1) // 2
    never = every - co_annotated
    notes = []
    if never:
        notes.append(f"{never:,} of {every:,} pairs of annotators have no item in common and are left out.")
    if undefined:
        have = "have an undefined kappa and are" if undefined > 1 else "has an undefined kappa and is"
        notes.append(f"{counted(undefined, 'pairs of annotators')} {have} left out.")
    return tuple(notes)


def few_in_common(common: FloatArray, items: int) -> str | None:
    """Why the items that pairs (J,) have in common are too few for an interval of the mean of their values, if so."""
    if len(common) < 2:
        return None
    shared = float(common.mean())
    if shared >= FEW_IN_COMMON or shared >= MOSTLY_SHARED * items:
        return None
    return (
        f"Two annotators have {shared:.1f} items in common on average: too few for the mean of their values to "
        "tell how far it may lie. Have more items labelled by the same people, or use a measure that pools them."
    )


def squares_of_each(tally: Tally, pairs: AnnotatorPairs, part: FloatArray, size: int) -> FloatArray:
    """(R,) squares of what the pairs (M,) of an annotator add, summed within an item first."""
    items = tally.squares
    keys = np.concatenate([pairs.pattern * size + end[pairs.pair] for end in (pairs.first, pairs.second)])
    distinct, place = np.unique(keys, return_inverse=True)
    total = add_up(place, np.concatenate((part, part)), len(distinct))
    return add_up(distinct % size, items[distinct // size] * total**2, size)
