"""Coefficients of thousands of annotators whose answers stay in an engine: values from tables, errors from one join.

Items are not told apart by who answered them. For own marginals the annotators × answers table gives expected
agreement and the anonymous tally observed agreement; for a mean of pairs the answers of every two annotators who met
give both. What an item adds to the error is a function of its pattern plus a sum over its answers, or over its pairs of
answers, which the engine adds up. So the standard error is exact, and nothing larger than these tables arrives.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.annotations.factorize import code
from accord.annotations.tally import Tally
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.coefficients.annotator_values_in_engine import each_with_own_chance
from accord.coefficients.chance import NoChance, Own
from accord.coefficients.coefficient import Coefficient, Tabular, like_themselves
from accord.coefficients.formula import chance_corrected
from accord.coefficients.mean_of_pairs import NO_PAIR, MeanOfPairs, pairs_left_out
from accord.coefficients.measurable import Breakdown, Decomposition, Parts
from accord.coefficients.one_label_of_pairs import OneLabelOfPairs
from accord.coefficients.pair_sum import PairSum
from accord.coefficients.pair_values import pairs_at_once
from accord.coefficients.units import Units
from accord.coefficients.weights import Weights
from accord.engine.annotator_sums import Crowd, ScoreMoments, squares
from accord.errors import OptionError, remedy

if TYPE_CHECKING:
    from accord.coefficients.annotator_copies import AnnotatorCopies
    from accord.engine.pairwise_kappa import AnswerPairSums
    from accord.study.study import Study


class InEngine(Coefficient):
    """A coefficient that knows its error, and not what single items add to it."""

    crowd: Crowd

    knows_items = False

    def error(self, units: Units) -> float:
        """The standard error over items or clusters: the engine is asked for each once, as it reads everything."""
        if units.column not in self._errors:
            self._errors[units.column] = self._queried_error(units)
        return self._errors[units.column]

    @cached_property
    def _errors(self) -> dict[str | None, float]:
        return {}

    @abstractmethod
    def _queried_error(self, units: Units) -> float:
        """The standard error, by a query."""

    def evaluate(self, number: FloatArray | IntArray) -> Parts:
        """The study itself only: other items would need to know who answered them."""
        if number is not self.sample.items:
            self._refuse("Resampling items")
        return self._own_parts()

    @abstractmethod
    def _own_parts(self) -> Parts:
        """The parts of the study itself."""

    def pair_sum(self, named: Tally | None) -> PairSum | None:
        """Who answered an item stays in the engine."""
        return None

    def influence(self) -> FloatArray:
        """Not a matter of patterns alone."""
        self._refuse("What an item adds to the value")

    def leave_one_out(self) -> FloatArray:
        """As for resamples."""
        self._refuse("Leaving out items")

    def with_copies(self, copies: AnnotatorCopies, times: FloatArray, items: FloatArray) -> float:
        """As for resamples."""
        self._refuse("Drawing annotators again")

    def _refuse(self, what: str) -> NoReturn:
        raise OptionError(
            f"{what} needs to know which of {len(self.crowd.annotations.annotators):,} annotators answered each item, "
            "which stays in the engine; ",
            remedy(method="analytic"),
            " is exact here.",
        )


class CrowdOwn(InEngine):
    """Conger's kappa in an engine."""

    each = "item"

    def __init__(self, crowd: Crowd, tally: Tally, weights: Weights) -> None:
        self.crowd = crowd
        self.tally = tally
        self.weights = weights
        self.agreement = Tabular(tally, weights, NoChance())
        self.chance = Own(len(crowd.annotations.annotators), len(crowd.annotations.answers))
        self.cells = self.crowd.cells

    @property
    def maximum(self) -> float:
        """As of its observed agreement."""
        return self.agreement.maximum

    def _own_parts(self) -> Parts:
        observed = self.agreement.parts.observed
        expected = self.chance.expected(self.cells.ravel(), self.weights)
        return Parts(observed, expected, chance_corrected(observed, expected))

    def _queried_error(self, units: Units) -> float:
        """From f(pattern) + c · (sum over the item's answers), squared and added up by pattern or by cluster."""
        parts, items = self.parts, self.tally.n_items
        slopes = self.chance.slopes(self.cells.ravel(), self.weights).reshape(self.cells.shape)
        found = self.crowd.moments(items * slopes, units.column)
        own = Tabular(_as_tally(self.tally, found), self.weights, NoChance())
        pairable = float(found.items @ own.tally.pairable)
        agreed = np.where(own.tally.pairable, np.nan_to_num(own.agreed) - float(parts.observed), 0.0)
        left = 1 - float(parts.expected)
        part, factor = items / pairable * agreed / left, -(1 - float(parts.value)) / left
        squares = found.items * part**2 + 2 * factor * part * found.total + factor**2 * found.squares
        if found.cluster is None:
            return math.sqrt(max(float(squares.sum()), 0.0) / (items * (items - 1)))
        codes = code(found.cluster, what="cluster").codes
        totals = add_up(codes[codes >= 0], (found.items * part + factor * found.total)[codes >= 0], 1)
        whole = float(totals @ totals) + float(squares[codes < 0].sum())  # an item of no cluster is one by itself
        return math.sqrt(units.number / (units.number - 1) * max(whole, 0.0)) / items

    def decomposition(self) -> Decomposition:
        """Each pattern's agreement against the study's chance."""
        parts = self.agreement.decomposition()
        return Decomposition(parts.observed, chance_corrected(parts.observed, self.parts.expected), parts.weight)

    def by_annotator(self, study: Study) -> Breakdown:
        """Where everybody has a chance of their own."""
        return each_with_own_chance(self.crowd, self)

    def by_pair(self, named: Tally, pairs: AnnotatorPairs) -> Breakdown:
        """From what every two annotators answered on common items."""
        return pairs_at_once(named, pairs, self.weights, self.chance, self.weights).breakdown

    def alike(self, left: IntArray, right: IntArray) -> FloatArray:
        """The weights between answers."""
        return self.weights.between(left, right)


class CrowdPairs(InEngine, MeanOfPairs):
    """Light's kappa in an engine: from who met whom and what they said."""

    def __init__(self, crowd: Crowd, tally: Tally, weights: Weights, pair_title: str) -> None:
        self.crowd = crowd
        MeanOfPairs.__init__(self, self.crowd.pair_tally, weights, pair_title)  # whose items are pairs of annotators
        self._anonymous = tally.where(tally.pairable)

    @cached_property
    def sample(self) -> Tally:
        """The items, where the tally is of pairs."""
        return self._anonymous

    def _own_parts(self) -> Parts:
        return self.combine(self.sums)

    def _queried_error(self, units: Units) -> float:
        """What its pairs add, summed within an item, or a cluster of items, by one join."""
        return math.sqrt(units.number / (units.number - 1) * self.crowd.squares(self.moved(), units.column))

    def _squares_of_each(self, part: FloatArray, size: int) -> FloatArray:
        """What belongs to one item only the engine knows."""
        return self.crowd.squares_of_each(part)

    def against_the_rest(self, weights: Weights) -> MeanOfPairs:
        """As of annotators in memory, with the errors of an engine."""
        return OneLabelOfCrowd(self, weights)


class OneLabelOfCrowd(OneLabelOfPairs, CrowdPairs):
    """One label against the rest in an engine."""

    def __init__(self, whole: CrowdPairs, weights: Weights) -> None:
        MeanOfPairs.__init__(self, whole.tally, weights, whole.pair_title)
        self.crowd, self.whole, self._anonymous = whole.crowd, whole.weights, whole.sample


class CrowdMean(InEngine):
    """The same where so many annotators met that the pairs stay in the engine: their mean, and its error."""

    def __init__(self, crowd: Crowd, tally: Tally, weights: Weights, pair_title: str) -> None:
        self.crowd = crowd
        self.pair_title = pair_title
        self.tally, self.weights = tally.where(tally.pairable), weights
        every = np.arange(len(crowd.annotations.answers))
        self._alike = weights.between(*(side.ravel() for side in np.meshgrid(every, every, indexing="ij")))
        self._alike = self._alike.reshape(len(every), len(every))
        self.pairs = self._pairs(None)
        self.co_annotated, self._sums = self.pairs.totals()

    def _pairs(self, cluster: str | None) -> AnswerPairSums:
        from accord.engine.pairwise_kappa import AnswerPairSums

        return AnswerPairSums(self.crowd.answer_pairs(cluster), self._alike)

    @property
    def undefined_pairs(self) -> int:
        """How many pairs of annotators who met have no kappa."""
        return self.co_annotated - round(self._sums["defined_"])

    @cached_property
    def maximum(self) -> float:
        """1, or not known where an answer is not fully like itself: the pairs stay in the engine."""
        return 1.0 if like_themselves(self.weights, self.tally) else math.nan

    def _own_parts(self) -> Parts:
        number = self._sums["defined_"]
        return Parts(*(divide(self._sums[name], number) for name in ("observed_", "expected_", "value_")))

    def _queried_error(self, units: Units) -> float:
        """What its pairs add, summed within an item, or a cluster of items."""
        pairs, number = self._pairs(units.column), self._sums["defined_"]
        found = squares(pairs.answer_pairs, pairs.scores(1 / max(number, 1.0)))
        return math.sqrt(units.number / (units.number - 1) * found)

    def by_annotator(self, study: Study) -> Breakdown:
        """(annotators,) the means over an annotator's own pairs, and the standard error of the value."""
        sums, items = self.pairs.of_each(), self.sample.n_items
        number = sums["defined_"]
        observed, expected, value = (divide(sums[name], number) for name in ("observed_", "expected_", "value_"))
        found = self.pairs.answer_pairs.squares_of_each(self.pairs.scores(1.0))
        error = np.sqrt(found * items / max(items - 1, 1)) / np.maximum(number, 1)
        return Breakdown(observed, expected, value, np.where(number > 0, error, np.nan))

    def decomposition(self) -> Decomposition:
        """Not a matter of patterns alone."""
        self._refuse("What an item adds to the value")

    def why_undefined(self) -> str | None:
        """No pair has a value."""
        return super().why_undefined() or (NO_PAIR if len(self.tally) else None)

    def notes(self) -> tuple[str, ...]:
        """Which pairs are left out."""
        return pairs_left_out(len(self.crowd.annotations.annotators), self.co_annotated, self.undefined_pairs)

    def alike(self, left: IntArray, right: IntArray) -> FloatArray:
        """The weights between answers."""
        return self.weights.between(left, right)


def mean_of_pairs(crowd: Crowd, tally: Tally, weights: Weights, pair_title: str) -> InEngine:
    """Light's kappa of a crowd: from its pairs, or where they are too many, their mean alone."""
    return (CrowdMean if crowd.many_pairs else CrowdPairs)(crowd, tally, weights, pair_title)


def _as_tally(tally: Tally, found: ScoreMoments) -> Tally:
    """Patterns as they arrived, in their own order."""
    pattern, answer = np.nonzero(found.counts)
    sizes = np.bincount(pattern, minlength=len(found.items))
    starts = np.concatenate(([0], np.cumsum(sizes)))
    return Tally(tally.answers, found.items, starts, answer, found.counts[pattern, answer])
