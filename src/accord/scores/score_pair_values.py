"""A coefficient of two annotators' scores for each pair on the items both answered, and the mean of the pairs."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up, divide
from accord.annotations.tally import Tally
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.coefficients.chance import MOST_TERMS
from accord.coefficients.formula import centred
from accord.coefficients.mean_of_pairs import few_in_common, squares_of_each
from accord.coefficients.measurable import Breakdown, Parts
from accord.errors import counted
from accord.scores.score_pairs import FEWEST_COMMON, OfComparedItems, ScorePairs, of_means

if TYPE_CHECKING:
    from accord.coefficients.annotator_copies import AnnotatorCopies
    from accord.study.study import Study

PAIRS_NAMED = 5
CONSTANT = "who gives one score throughout has no correlation with anybody"


class ScorePairValues(OfComparedItems):
    """One value for each pair of annotators; then their mean over the pairs that have one.

    A pair has a value where the two have three items in common and the value is defined there.
    """

    pair_title: str  # what the value of one pair is called
    undefined_pair = CONSTANT

    def __init__(self, tally: Tally) -> None:
        self.scores = ScorePairs.of(tally, self.pair_title)
        self.tally = self.scores.tally
        self.people = tally.annotators_seen

    @abstractmethod
    def values(self, scores: ScorePairs, number: FloatArray | IntArray) -> FloatArray:
        """(J,) the value of each pair for so many items of each pattern; NaN where it is undefined."""

    @abstractmethod
    def moves(self, scores: ScorePairs) -> FloatArray:
        """(M,) how far one more item of a row's pattern moves the value of its pair."""

    # -- the waist ----------------------------------------------------------------------------------------------------

    @cached_property
    def enough(self) -> BoolArray:
        """(J,) which pairs have enough items in common."""
        return self.scores.enough

    @cached_property
    def own(self) -> FloatArray:
        """(J,) the values of the study's own items."""
        return np.where(self.enough, self.values(self.scores, self.tally.items), np.nan)

    def evaluate(self, number: FloatArray | IntArray) -> Parts:
        """The mean over the pairs that have a value, on other items; each resample is computed anew."""
        rows = np.atleast_2d(number)
        found = np.stack([np.where(self.enough, self.values(self.scores, row), np.nan) for row in rows])
        value = mean_of_defined(found)
        return Parts.of_value(value if number.ndim > 1 else value[0])

    def influence(self) -> FloatArray:
        """The moves of the pairs, each a share of the mean."""
        defined = np.isfinite(self.own)
        moved = np.where(defined[self.scores.pairs.pair], self.moves(self.scores), 0.0) / max(int(defined.sum()), 1)
        steps = add_up(self.scores.pairs.pattern, moved, len(self.tally))
        return centred(self.tally.n_items * steps, self.tally.items)

    def thin(self) -> str | None:
        """A mean of values that rest on a few items each."""
        shared = self.scores.pairs.common(self.tally.units)[self.enough]
        return few_in_common(shared, self.sample.n_items)

    def with_copies(self, copies: AnnotatorCopies, times: FloatArray, items: FloatArray) -> float:
        """The pairs' values on these items, each pair as often as its copies meet."""
        pairs = self.scores.pairs
        value = np.where(self.enough, self.values(self.scores, items[copies.tally.pairable]), np.nan)
        weight = times[pairs.first] * times[pairs.second] * np.isfinite(value)
        return float(divide(weight @ np.nan_to_num(value), weight.sum()))

    # -- by annotator, by pair ----------------------------------------------------------------------------------------

    def by_annotator(self, study: Study) -> Breakdown:
        """The mean over an annotator's own pairs."""
        size, pairs = len(study.annotators), self.scores.pairs
        defined = np.isfinite(self.own)
        ends = [end[defined] for end in (pairs.first, pairs.second)]
        number = sum(np.bincount(end, minlength=size) for end in ends)
        value = divide(sum(add_up(end, self.own[defined], size) for end in ends), number)
        part = np.where(defined[pairs.pair], self.moves(self.scores), 0.0)
        whole = float(self.sample.n_items)
        squares = squares_of_each(self.tally, pairs, part, size) * (whole / max(whole - 1, 1))
        error = divide(np.sqrt(squares), number)
        return Breakdown(np.full(size, np.nan), np.full(size, np.nan), value, error)

    def by_pair(self, named: Tally, pairs: AnnotatorPairs) -> Breakdown:
        """The pairs that the mean is of."""
        scores = ScorePairs.of_pairs(named, pairs, self.pair_title)
        value = np.where(scores.enough, self.values(scores, named.items), np.nan)
        moved = np.nan_to_num(self.moves(scores))
        common = pairs.common(named.units)
        squares = add_up(pairs.pair, named.squares[pairs.pattern] * moved**2, len(pairs))
        error = np.sqrt(squares * divide(common, common - 1))
        nothing = np.full(len(pairs), np.nan)
        return Breakdown(nothing, nothing, value, np.where(np.isfinite(value), error, np.nan))

    # -- in words -----------------------------------------------------------------------------------------------------

    def steps(self, undefined: str | None) -> list[str]:
        """The pairs one by one, and their mean."""
        names, pairs = self.tally.annotators, self.scores.pairs
        common = pairs.common(self.tally.units)
        lines = ["", f"Step 1: {self.pair_title} of every pair of annotators, on the items both answered"]
        for place in range(min(len(pairs), MOST_TERMS)):
            value = f"{self.own[place]:z.4f}" if np.isfinite(self.own[place]) else "undefined"
            who = f"{names[pairs.first[place]]} and {names[pairs.second[place]]}"
            lines.append(f"  {who}: {common[place]:,.0f} items, {value}{self.more_of_pair(place)}")
        if len(pairs) > MOST_TERMS:
            lines.append(f"  … {len(pairs):,} pairs in all")
        value = f"there is none: {undefined}" if undefined else f"{float(self.parts.value):z.4f}"
        return [*lines, "", f"Step 2: {self.together}", f"  {value}"]

    together = "their mean"

    def more_of_pair(self, place: int) -> str:
        """What else is told of a pair."""
        return ""

    def why_undefined(self) -> str | None:
        """No pair has a value."""
        if not len(self.tally):
            return None
        if not self.enough.any():
            return f"No two annotators have {FEWEST_COMMON} items in common, so no pair has a value."
        return f"No pair of annotators has a value: {self.undefined_pair}."

    def why_no_part(self, part: Literal["item", "pair"]) -> str | None:
        """Few items, or one score throughout."""
        return f"the two have fewer than {FEWEST_COMMON} items in common, or {self.undefined_pair}."

    def notes(self) -> tuple[str, ...]:
        """That scores are means, where they are; which pairs are left out, by name where they are few."""
        pairs = self.scores.pairs
        every = self.people * (self.people - 1) // 2
        never = every - len(pairs)
        found = list(of_means(self.tally))
        if never:
            found.append(f"{never:,} of {every:,} pairs of annotators have no item in common and are left out.")
        few, none = ~self.enough, self.enough & ~np.isfinite(self.own)
        for left_out, why in ((few, f"fewer than {FEWEST_COMMON} items in common"), (none, "no value")):
            if left_out.any():
                found.append(f"{self._named(left_out)} {'have' if left_out.sum() > 1 else 'has'} {why}: left out.")
        if none.any():
            found[-1] = f"{found[-1][:-1]}, as {self.undefined_pair}."
        return tuple(found)

    def _named(self, chosen: BoolArray) -> str:
        """Some pairs, by the names of the two."""
        names, pairs = self.tally.annotators, self.scores.pairs
        pair_names = [
            f"{names[pairs.first[k]]} and {names[pairs.second[k]]}" for k in np.nonzero(chosen)[0][:PAIRS_NAMED]
        ]
        number = int(chosen.sum())
        more = ", …" if number > PAIRS_NAMED else ""
        return f"{counted(number, 'pairs of annotators')} ({'; '.join(pair_names)}{more})"


def mean_of_defined(values: FloatArray) -> FloatArray:
    """(...) the mean along the last axis of what is defined; NaN where nothing is."""
    defined = np.isfinite(values)
    return divide(np.where(defined, values, 0.0).sum(-1), defined.sum(-1))
