"""A value of every query, and their mean: what all measures of rankings share. Queries are what was sampled."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up, divide
from accord.annotations.tally import Tally
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.coefficients.measurable import Breakdown, Decomposition, Measurable, OwnTest, Parts
from accord.coefficients.units import OneOfEach
from accord.errors import counted, listing
from accord.rankings.ranks import Ranks
from accord.study.study import Study

MOST_LINES = 20  # queries that a calculation shows


class OfRanks(Protocol):
    """What makes a measure of lists: of a study's, or of lists that were shuffled."""

    def of(self, ranks: Ranks) -> Measurable:
        """The measure of some lists."""


@dataclass(frozen=True, eq=False)
class Pairwise:
    """How alike every two lists of a query are; NaN where that is undefined."""

    query: IntArray  # (M,)
    first: IntArray  # (M,) annotators
    second: IntArray  # (M,)
    value: FloatArray  # (M,)


class OverQueries(Measurable):
    """The mean over queries of a value that each of them has."""

    smooth = True
    dealt_anew = False
    own_tests: tuple[str, ...] = ("permutation",)

    def __init__(self, ranks: Ranks, recipe: OfRanks) -> None:
        self.ranks, self.recipe = ranks, recipe
        self._units = OneOfEach.of(np.isfinite(self.by_query))

    @property
    @abstractmethod
    def by_query(self) -> FloatArray:
        """(Q,) the value of every query of the study; NaN where it has none."""

    @property
    @abstractmethod
    def pairwise(self) -> Pairwise:
        """The same measure of every two annotators of a query by themselves."""

    @cached_property
    def values(self) -> FloatArray:
        """(P,) the values that there are."""
        return self.by_query[np.isfinite(self.by_query)]

    # -- the value ----------------------------------------------------------------------------------------------------

    @property
    def sample(self) -> OneOfEach:
        """The queries that have a value."""
        return self._units

    @property
    def n_answers(self) -> int:
        """The lists of those queries."""
        return int(self.ranks.n_lists[self.counting].sum())

    @property
    def counting(self) -> BoolArray:
        """(Q,) which queries count?"""
        return np.isfinite(self.by_query)

    def evaluate(self, number: FloatArray | IntArray) -> Parts:
        """The mean for other numbers of each query."""
        return Parts.of_value(divide(number @ self.values, number.sum(-1)))

    def influence(self) -> FloatArray:
        """How far each query is from the mean."""
        return np.asarray(self.values - self.values.mean()) if len(self.values) else self.values

    def influence_on(self, number: FloatArray) -> FloatArray:
        """The same on resamples."""
        return np.asarray(self.values - self.evaluate(number).value[:, None])

    def own_test(self, method: str, shuffles: int, rng: np.random.Generator) -> OwnTest:
        """By lists whose options are put in any order: what annotators would have who know nothing of the options."""
        return against_shuffles(self, self.recipe, self.ranks, shuffles, rng)

    # -- where from ---------------------------------------------------------------------------------------------------

    def decomposition(self) -> Decomposition:
        """Every query counts once."""
        alike = np.full(len(self.values), 1 / max(len(self.values), 1))
        return Decomposition(np.full(len(self.values), np.nan), self.values, alike)

    def unit_columns(self) -> dict[str, list[Any]]:
        """How many options were ranked, and how many by everybody."""
        common = add_up(self.ranks.cell_query, self.ranks.common, self.ranks.n_queries).astype(np.int64)
        return {"options": self.ranks.width[self.counting].tolist(), "common": common[self.counting].tolist()}

    def by_annotator(self, study: Study) -> Breakdown:
        """Each annotator: the mean over queries of the mean over the pairs with them."""
        pairs, people = self.pairwise, len(study.annotators)
        kept = np.isfinite(pairs.value)
        who = np.concatenate((pairs.first[kept], pairs.second[kept]))
        return _means(who, np.tile(pairs.query[kept], 2), np.tile(pairs.value[kept], 2), people)

    def by_pair(self, named: Tally, pairs: AnnotatorPairs) -> Breakdown:
        """Every two annotators: the mean over the queries of both."""
        met, people = self.pairwise, len(self.ranks.annotators)
        wanted = pairs.first * people + pairs.second
        order = np.argsort(wanted)
        place = np.searchsorted(wanted[order], met.first * people + met.second)
        there = np.minimum(place, len(wanted) - 1)
        kept = np.isfinite(met.value) & (wanted[order][there] == met.first * people + met.second)
        return _means(order[there[kept]], met.query[kept], met.value[kept], len(pairs))

    # -- in words -----------------------------------------------------------------------------------------------------

    def size_in_words(self, annotators: int) -> str:
        """Queries, annotators and lists."""
        return f"{self.sample.n_items:,} queries, {annotators:,} annotators, {self.n_answers:,} rankings."

    def steps(self, undefined: str | None) -> list[str]:
        """The queries one by one, and their mean."""
        if undefined:
            return ["", f"  there is none: {undefined}"]
        shown = ", ".join(f"{value:z.4f}" for value in self.values[:MOST_LINES])
        more = f" … ({len(self.values):,} queries)" if len(self.values) > MOST_LINES else ""
        return ["", f"Step 1: every query by itself: {shown}{more}", "Step 2: their mean", self._mean_in_words()]

    def _mean_in_words(self) -> str:
        return f"  {float(self.values.sum()):z.4f} / {len(self.values):,} = {float(self.parts.value):z.4f}"

    def why_undefined(self) -> str | None:
        """Nobody met, or nothing could be compared."""
        if not (self.ranks.people > 1).any():
            return "No two annotators ranked the same query, so there is nothing to compare."
        return f"No query has a value: {self.why_no_part('item')}"

    def why_no_part(self, part: Literal["item", "pair"]) -> str:
        """Too little in common, or everything tied."""
        return "one annotator only, fewer than two options in common, or all of them tied by somebody."

    def notes(self) -> tuple[str, ...]:
        """That queries count alike, which were left out, and which options were."""
        found = []
        if len(self.values) > 1:
            found.append("The value is the mean over queries, each counting once; the interval is over queries.")
        if len(self.values) == 1:
            found.append("One query: nothing tells how other queries would have come out.")
        alone = int((self.ranks.people == 1).sum())
        if alone:
            found.append(f"{counted(alone, 'queries')} that only one annotator ranked: left out.")
        undefined = int(((self.ranks.people > 1) & ~self.counting).sum())
        if undefined:
            found.append(f"{counted(undefined, 'queries')} without a value, left out: {self.why_no_part('item')}")
        return (*found, *self.left_out())

    def left_out(self) -> tuple[str, ...]:
        """Options that do not count, named."""
        return ()


def against_shuffles(
    measure: Measurable, recipe: OfRanks, ranks: Ranks, shuffles: int, rng: np.random.Generator
) -> OwnTest:
    """How often lists whose options are put in any order have as much, and as little."""
    by_chance = np.array([float(recipe.of(ranks.shuffled(rng)).parts.value) for _ in range(shuffles)])
    return OwnTest.of_null_values(float(measure.parts.value), by_chance)


def partly_ranked(ranks: Ranks) -> tuple[BoolArray, str]:
    """The options that some annotators of a query ranked and others did not, and how many queries have such."""
    there = (ranks.people > 1)[ranks.cell_query] & ~ranks.common
    queries = len(np.unique(ranks.cell_query[there]))
    return there, f"Of {counted(queries, 'queries')} not all annotators ranked the same options"


def not_ranked_by_all(ranks: Ranks) -> tuple[str, ...]:
    """Where annotators of a query ranked different options: those that not all of them did do not count."""
    there, where = partly_ranked(ranks)
    if not there.any():
        return ()
    names = [ranks.options[place] for place in dict.fromkeys(ranks.cell_option[there].tolist())]
    return (
        f"{where}: the options that each of them ranked are compared, put in order among themselves; "
        f"{counted(int(there.sum()), 'options')} left out ({listing(names, most=6)}).",
    )


def mean_of_pairs(ranks: Ranks, pairs: Pairwise) -> FloatArray:
    """(Q,) the mean over every two annotators of a query; NaN where no two can be compared."""
    kept = np.isfinite(pairs.value)
    total = add_up(pairs.query[kept], pairs.value[kept], ranks.n_queries)
    return divide(total, np.bincount(pairs.query[kept], minlength=ranks.n_queries))


def every_two(ranks: Ranks, alike: Callable[[FloatArray, FloatArray], FloatArray]) -> Pairwise:
    """What a function of two lists gives for every two annotators of a query."""
    first, second = ranks.list_pairs
    value = np.empty(len(first))
    for block in ranks.blocks(first):
        held, place = np.unique(np.concatenate((first[block], second[block])), return_inverse=True)
        table, half = ranks.table(held), len(place) // 2
        value[block] = alike(table[place[:half]], table[place[half:]])
    pairs = Pairwise(ranks.query[first], ranks.annotator[first], ranks.annotator[second], value)
    return _of_people(pairs, len(ranks.annotators)) if ranks.again else pairs


def _of_people(pairs: Pairwise, people: int) -> Pairwise:
    """Pairs of annotators, some of whom ranked a query again: the mean over their lists, and none with themselves."""
    apart = pairs.first != pairs.second
    key, place = np.unique(((pairs.query * people + pairs.first) * people + pairs.second)[apart], return_inverse=True)
    value = pairs.value[apart]
    known = np.isfinite(value)
    mean = divide(add_up(place[known], value[known], len(key)), np.bincount(place[known], minlength=len(key)))
    return Pairwise(key // people**2, key // people % people, key % people, mean)


def _means(of: IntArray, query: IntArray, value: FloatArray, size: int) -> Breakdown:
    """(size,) means over queries of means within a query, and their standard errors."""
    queries = int(query.max(initial=-1)) + 1
    key, place = np.unique(of * max(queries, 1) + query, return_inverse=True)
    each = divide(add_up(place, value, len(key)), np.bincount(place, minlength=len(key)))
    group = key // max(queries, 1)
    many = np.bincount(group, minlength=size)
    mean = divide(add_up(group, each, size), many)
    squares = add_up(group, (each - mean[group]) ** 2, size)
    error = np.sqrt(divide(squares, many * np.maximum(many - 1, 0)))
    nothing = np.full(size, np.nan)
    return Breakdown(nothing, nothing, mean, error)
