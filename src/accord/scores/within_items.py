"""How far scores of one item lie apart, in the unit of the scores: the mean absolute difference, the within-item SD.

Both are one ratio of sums over items: what the differences of an item's scores come to, over what the item counts. The
mean absolute difference counts each item once; the standard deviation pools squares, each item by its answers less one,
and takes the root.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from accord.annotations.arrays import FloatArray, add_up, divide, unit_of
from accord.annotations.tally import Tally
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.coefficients.item_sums import ItemSums
from accord.coefficients.mean_of_pairs import squares_of_each
from accord.coefficients.measurable import Breakdown, Decomposition, Parts
from accord.coefficients.sums_over_units import SumsOverUnits
from accord.scores.score_pairs import OfComparedItems, numbers_of, of_means

if TYPE_CHECKING:
    from accord.coefficients.annotator_copies import AnnotatorCopies
    from accord.study.study import Study

Distance: TypeAlias = Literal["absolute", "squared"]
REPEATED = 1.96 * 2**0.5  # times the standard deviation: 95 % of differences of two scores lie below


class WithinItems(OfComparedItems, SumsOverUnits):
    """The mean |a − b| of two scores of an item, or the standard deviation of an item's scores about their mean."""

    def __init__(self, tally: Tally, distance: Distance) -> None:
        self.tally = tally.where(tally.pairable)
        self.distance = distance
        what = "The mean absolute difference" if distance == "absolute" else "The standard deviation"
        score = numbers_of(self.tally, what)
        self.unit = unit_of(score)  # no square of what is counted in it overflows
        self.score = score / self.unit

    @property
    def maximum(self) -> float:
        """Where all agree nothing is left."""
        return 0.0

    @cached_property
    def of_each(self) -> tuple[FloatArray, FloatArray]:
        """(P,) what one item of each pattern adds above and below the line."""
        tally, answered = self.tally, self.tally.answered.astype(np.float64)
        score, count = self.score[tally.answer], tally.count
        centre = divide(tally.per_pattern(count * score), answered)
        away = score - centre[tally.pattern]
        if self.distance == "squared":
            return tally.per_pattern(count * away**2), answered - 1
        order = np.lexsort((away, tally.pattern))
        number, place = count[order].astype(np.float64), tally.pattern[order]
        lower = np.cumsum(number) - number - (np.cumsum(answered) - answered)[place]
        higher = answered[place] - lower - number
        total = add_up(place, number * away[order] * (lower - higher), len(tally))
        return divide(total, answered * (answered - 1) / 2), np.ones(len(tally))

    @cached_property
    def item_sums(self) -> ItemSums:  # type: ignore[override]
        """Above and below the line."""
        return ItemSums.dense(np.stack(self.of_each, axis=1))

    def combine(self, sums: FloatArray) -> Parts:
        """The ratio, or its root."""
        return Parts.of_value(self._value(sums[..., 0], sums[..., 1]))

    def _value(self, above: FloatArray, below: FloatArray) -> FloatArray:
        ratio = np.maximum(divide(above, below), 0.0)
        return np.asarray(self.unit * (np.sqrt(ratio) if self.distance == "squared" else ratio), dtype=np.float64)

    def slopes(self, sums: FloatArray) -> FloatArray:
        """Of the ratio, or of its root."""
        ratio = float(divide(sums[0], sums[1]))
        plain: FloatArray = self.unit * np.array([1.0, -ratio]) / sums[1]
        if self.distance == "absolute":
            return plain
        return np.asarray(plain / (2 * np.sqrt(ratio))) if ratio > 0 else np.zeros(2)

    def decomposition(self) -> Decomposition:
        """Each item's own mean difference, or standard deviation; squares weigh by what they are."""
        above, below = self.of_each
        value, whole = self._value(above, below), float(self.tally.items @ below)
        nothing = np.full(len(value), np.nan)
        if self.distance == "absolute":
            return Decomposition(nothing, value, below / whole)
        return Decomposition(nothing, value, np.nan_to_num(divide(below * value, whole * float(self.parts.value))))

    # -- by annotator, by pair ----------------------------------------------------------------------------------------

    def _pair_distances(self, pairs: AnnotatorPairs) -> FloatArray:
        """(M,) |a − b|, or half its square: the variance of two scores."""
        apart = self.score[pairs.first_answer] - self.score[pairs.second_answer]
        return np.abs(apart) if self.distance == "absolute" else apart**2 / 2

    def by_annotator(self, study: Study) -> Breakdown:
        """Over the pairs of scores that hold one of theirs."""
        tally = study._tally_of_people(named=True)
        tally, size = tally.where(tally.pairable), len(study.annotators)
        pairs = AnnotatorPairs.of(tally)
        apart, items = self._pair_distances(pairs), tally.items[pairs.pattern].astype(np.float64)
        ends = [end[pairs.pair] for end in (pairs.first, pairs.second)]
        whole = sum(add_up(end, items, size) for end in ends)
        ratio = divide(sum(add_up(end, items * apart, size) for end in ends), whole)
        squares = np.zeros(size)
        for person in np.nonzero(np.isfinite(ratio))[0]:
            mine = (ends[0] == person) | (ends[1] == person)
            moved = np.where(mine, apart - ratio[person], 0.0)
            squares[person] = squares_of_each(tally, pairs, moved, size)[person]
        return self._rooted(ratio, np.sqrt(squares) / np.maximum(whole, 1))

    def by_pair(self, named: Tally, pairs: AnnotatorPairs) -> Breakdown:
        """On the items both answered."""
        apart, items = self._pair_distances(pairs), named.items[pairs.pattern].astype(np.float64)
        whole = add_up(pairs.pair, items, len(pairs))
        ratio = divide(add_up(pairs.pair, items * apart, len(pairs)), whole)
        squares = add_up(pairs.pair, named.squares[pairs.pattern] * (apart - ratio[pairs.pair]) ** 2, len(pairs))
        common = pairs.common(named.units)
        return self._rooted(ratio, np.sqrt(squares * divide(common, common - 1)) / whole)

    def _rooted(self, ratio: FloatArray, error: FloatArray) -> Breakdown:
        """Values and errors of ratios, or of their roots."""
        value = self._value(ratio, np.ones_like(ratio))
        if self.distance == "squared":
            error = divide(error, 2 * value / self.unit)
        nothing = np.full(len(value), np.nan)
        return Breakdown(nothing, nothing, value, self.unit * error)

    def with_copies(self, copies: AnnotatorCopies, times: FloatArray, items: FloatArray) -> float:
        """Over pairs of different people, each as often as its copies meet."""
        pairs = AnnotatorPairs.of(copies.tally)
        weight = times[pairs.first[pairs.pair]] * times[pairs.second[pairs.pair]] * items[pairs.pattern]
        apart = self._pair_distances(pairs)
        if self.distance == "absolute":  # every item once
            met = add_up(pairs.pattern, times[pairs.first[pairs.pair]] * times[pairs.second[pairs.pair]], len(items))
            weight = weight * np.nan_to_num(divide(1.0, met))[pairs.pattern]
        return float(self._value(np.asarray(weight @ apart), np.asarray(weight.sum())))

    # -- in words -----------------------------------------------------------------------------------------------------

    def steps(self, undefined: str | None) -> list[str]:
        """The two sums, and the value."""
        above, below = map(float, self.item_sums.total(self.tally.items))
        above *= self.unit if self.distance == "absolute" else self.unit * self.unit
        value = f"there is none: {undefined}" if undefined else f"{float(self.parts.value):.4g}"
        if self.distance == "absolute":
            return ["", "Step 1: for each item the mean |a − b| over its pairs of scores",
                    f"  their sum over {self.sample.n_items:,} items: {above:,.6g}", "", "Step 2: the mean over items",
                    f"  {above:,.6g} / {below:,.6g} = {value}"]  # fmt: skip
        return ["", "Step 1: squared deviations of scores from the mean of their item",
                f"  their sum: {above:,.6g}", f"  answers less one, over items: {below:,.6g}", "",
                "Step 2: the root of their ratio", f"  √({above:,.6g} / {below:,.6g}) = {value}"]  # fmt: skip

    def notes(self) -> tuple[str, ...]:
        """That scores are means, where they are; else of a standard deviation what it says of two scores."""
        value, means = float(self.parts.value), of_means(self.tally)
        if means or self.distance == "absolute" or not np.isfinite(value):
            return means
        return (f"Two scores of one item are expected to differ by less than {REPEATED * value:.3g} in 95% of cases.",)
