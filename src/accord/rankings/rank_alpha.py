"""Krippendorff's alpha of ranks: the rank that one annotator gave an option of a query against the rank of another.

A *cell* is an option of a query; its answers are the mid-ranks that the annotators of the query gave it. Alpha of all
cells is alpha at the ordinal (or interval) level, with chance drawn from all ranks. What was sampled are queries, whose
cells come and go together: an option that is ranked high pushes others down.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from accord.annotations.answers import Answers
from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up, divide
from accord.annotations.coded import CodedAnnotations
from accord.coefficients.alpha_levels import NumericLevel, at_level
from accord.coefficients.formula import chance_corrected
from accord.coefficients.measurable import Breakdown, Decomposition, Measurable, OwnTest, Parts
from accord.coefficients.ordinal_level import OrdinalLevel
from accord.coefficients.units import OneOfEach
from accord.rankings.over_queries import against_shuffles, not_ranked_by_all
from accord.rankings.ranks import Ranks
from accord.study.study import Study


@dataclass(frozen=True)
class RankAlphaRecipe:
    """What makes alpha of a study's lists, or of lists that were shuffled."""

    level: Literal["ordinal", "interval"] = "ordinal"

    def __call__(self, study: Study) -> RankAlpha:
        """Of a study."""
        return self.of(Ranks.of(study))

    def of(self, ranks: Ranks) -> RankAlpha:
        """Of some lists."""
        return RankAlpha(ranks, self)


class RankAlpha(Measurable):
    """Alpha of cells, over queries."""

    of_what = "of ranks"
    smooth = True
    dealt_anew = False
    own_tests = ("permutation",)

    def __init__(self, ranks: Ranks, recipe: RankAlphaRecipe) -> None:
        self.ranks, self.recipe = ranks, recipe
        self.cells = _Cells.of(ranks)
        self.inner: NumericLevel | OrdinalLevel = at_level(recipe.level, self.cells.annotations.tally())
        counts = np.zeros(ranks.n_queries, dtype=np.bool_)
        counts[self.cells.query] = True
        self._units = OneOfEach.of(counts)

    # -- the value ----------------------------------------------------------------------------------------------------

    @property
    def sample(self) -> OneOfEach:
        """The queries with options that two annotators ranked."""
        return self._units

    @property
    def n_answers(self) -> int:
        """The lists of those queries."""
        return int(self.ranks.n_lists[self._units.place >= 0].sum())

    @cached_property
    def pattern(self) -> IntArray:
        """(C,) the pattern of each cell."""
        locate = self.inner.sample.locate
        assert locate is not None
        return locate()

    def _by_pattern(self, cells: FloatArray) -> FloatArray:
        """(B, patterns) how many cells of each pattern there are, from how many of each cell."""
        from scipy.sparse import csr_array

        size = len(self.pattern)
        shape = (size, len(self.inner.sample))
        member = csr_array((np.ones(size), self.pattern, np.arange(size + 1)), shape=shape)
        return np.asarray(cells @ member)

    def evaluate(self, number: FloatArray | IntArray) -> Parts:
        """Alpha where each query, with all its cells, stands so many times."""
        if not len(self.cells.query):
            nothing = np.full(np.shape(number)[:-1], np.nan)
            return Parts(nothing, nothing, nothing)
        cells = np.asarray(number, dtype=np.float64)[..., self._units.place[self.cells.query]]
        if cells.ndim == 1:
            return self.inner.evaluate(add_up(self.pattern, cells, len(self.inner.sample)))
        return self.inner.evaluate(self._by_pattern(cells))

    def influence(self) -> FloatArray:
        """What the cells of a query move together."""
        one = self.inner.influence()[self.pattern] / max(self.inner.sample.n_items, 1)
        return len(self._units) * self.per_query(one)

    def influence_on(self, number: FloatArray) -> FloatArray:
        """The same on each of some resamples, with the ranks of each: how often a rank was given moves distances."""
        counts = self._by_pattern(number[:, self._units.place[self.cells.query]])
        found = np.empty(number.shape)
        for row, items in enumerate(counts):
            again = self.inner.of_tally(replace(self.inner.tally, items=items))
            one = again.influence()[self.pattern] / max(float(items.sum()), 1.0)
            found[row] = number[row].sum() * self.per_query(one)
        return found

    def per_query(self, cells: FloatArray) -> FloatArray:
        """(P,) the sum over the cells of each query."""
        return add_up(self._units.place[self.cells.query], cells, len(self._units))

    def own_test(self, method: str, shuffles: int, rng: np.random.Generator) -> OwnTest:
        """By lists whose options are put in any order."""
        return against_shuffles(self, self.recipe, self.ranks, shuffles, rng)

    # -- where from ---------------------------------------------------------------------------------------------------

    def decomposition(self) -> Decomposition:
        """Cells of a query together, each by its answers."""
        parts = self.inner.decomposition()
        weight = self.per_query(parts.weight[self.pattern])
        observed, value = (
            divide(self.per_query((parts.weight * of_cell)[self.pattern]), weight)
            for of_cell in (parts.observed, parts.value)
        )
        return Decomposition(observed, value, weight)

    def by_annotator(self, study: Study) -> Breakdown:
        """Over the pairs of ranks with one of theirs, against the chance of all; errors over queries."""
        size, expected = len(study.annotators), float(self.parts.expected)
        item, who, answer, _ = self.cells.annotations.rows
        order = np.lexsort((who, item))
        item, who, answer = item[order], who[order], answer[order]
        alike = _alike_with_others(self.inner, item, answer)
        given = np.bincount(who, minlength=size)
        observed = divide(add_up(who, alike, size), given)
        key, place = np.unique(who * self.ranks.n_queries + self.cells.query[item], return_inverse=True)
        away = add_up(place, alike - observed[who], len(key))  # of each query of theirs
        group = key // self.ranks.n_queries
        queries = np.bincount(group, minlength=size)
        spread = add_up(group, away**2, size) * divide(queries, np.maximum(queries - 1, 0))
        error = divide(np.sqrt(spread), given * (1 - expected))
        return Breakdown(observed, np.full(size, expected), chance_corrected(observed, np.full(size, expected)), error)

    def of_label(self, label: int) -> Measurable | None:
        """One option alone, against the chance of all."""
        return OneOption(self, self.ranks.cell_option[self.cells.cell] == label)

    # -- in words -----------------------------------------------------------------------------------------------------

    def size_in_words(self, annotators: int) -> str:
        """Queries, annotators and lists."""
        return f"{self.sample.n_items:,} queries, {annotators:,} annotators, {self.n_answers:,} rankings."

    def why_undefined(self) -> str | None:
        """Nobody met, or everything is tied."""
        if not len(self.cells.query):
            return "No two annotators ranked the same options of a query, so there is nothing to compare."
        return "Everybody tied all options of every query, so chance alone would give full agreement."

    def why_no_part(self, part: Literal["item", "pair"]) -> str:
        """Too little in common."""
        return "one annotator only, or fewer than two options that all annotators of the query ranked."

    def notes(self) -> tuple[str, ...]:
        """Options that not everybody ranked."""
        return not_ranked_by_all(self.ranks)


@dataclass(frozen=True, eq=False)
class _Cells:
    """Options that two annotators or more ranked, all of whom ranked them, with two or more such in the query."""

    annotations: CodedAnnotations  # cells as items, mid-ranks as scores, of each annotator once
    query: IntArray  # (C,)
    cell: IntArray  # (C,) among all options of all queries

    @classmethod
    def of(cls, ranks: Ranks) -> _Cells:
        """The cells that can be compared."""
        many = add_up(ranks.cell_query, ranks.common, ranks.n_queries)
        counts = ranks.common & ((ranks.people > 1) & (many > 1))[ranks.cell_query]
        place = np.where(counts, np.cumsum(counts) - 1, -1)
        list_of, cell, mid = ranks.entries(common=True)
        item = place[cell]
        kept = item >= 0
        scores, answer = np.unique(mid[kept], return_inverse=True)
        annotations = CodedAnnotations(
            Answers("score", scores=scores), int(counts.sum()), ranks.annotators, item=item[kept],
            annotator=ranks.annotator[list_of][kept] if ranks.annotators else None, answer=answer.astype(np.int64),
        )  # fmt: skip
        return cls(annotations.one_answer_each, ranks.cell_query[counts], np.nonzero(counts)[0])


class OneOption(Measurable):
    """The ranks of one option against the chance of all options."""

    dealt_anew = False

    def __init__(self, whole: RankAlpha, mine: BoolArray) -> None:
        self.whole = whole
        parts, pattern = whole.inner.decomposition(), whole.pattern
        answers = whole.inner.sample.answered[pattern] * mine
        self.counts = whole.per_query(answers.astype(np.float64))
        self.alike = whole.per_query(answers.astype(np.float64) * np.nan_to_num(parts.observed[pattern]))
        self.cells = mine

    @property
    def sample(self) -> OneOfEach:
        """The same queries."""
        return self.whole.sample

    @property
    def n_answers(self) -> int:
        """How often it was ranked."""
        return int(self.counts.sum())

    def evaluate(self, number: FloatArray | IntArray) -> Parts:
        """Its own observed agreement, and everybody's chance."""
        observed = divide(number @ self.alike, number @ self.counts)
        expected = self.whole.evaluate(number).expected
        return Parts(observed, expected, chance_corrected(observed, expected))

    def influence(self) -> FloatArray:
        """By leaving each query out: chance moves with it."""
        left = self.leave_one_out()
        many = len(left)
        moved = (many - 1) * (float(self.parts.value) - np.where(np.isfinite(left), left, float(self.parts.value)))
        return np.asarray(moved - moved.mean())


def _alike_with_others(inner: NumericLevel | OrdinalLevel, item: IntArray, answer: IntArray) -> FloatArray:
    """(A,) how alike each rank is to the others of its cell, on average; answers are in the order of the cells."""
    people = np.bincount(item)[item]
    total = np.zeros(len(item))
    for apart in range(1, int(people.max(initial=1))):
        first = np.nonzero(item[apart:] == item[:-apart])[0]
        alike = inner.alike(answer[first], answer[first + apart])
        total += add_up(first, alike, len(item)) + add_up(first + apart, alike, len(item))
    return np.asarray(total / np.maximum(people - 1, 1))
