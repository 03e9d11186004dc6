"""Kendall's W where everybody ranks a part of the options, by a plan: balanced incomplete blocks.

Each of t options is ranked by r annotators, each annotator ranks k of them, and every two options are ranked by λ
annotators both. Then W = 12 Σ (R − r (k + 1) / 2)² / (λ² t (t² − 1)), and Durbin's χ² tests it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from accord.annotations.arrays import FloatArray
from accord.coefficients.measurable import OwnTest
from accord.errors import Keyword, MeasureError, remedy
from accord.rankings.kendall_concordance import concordance_of_two
from accord.rankings.over_queries import OverQueries, Pairwise, every_two
from accord.rankings.ranks import Ranks
from accord.study.study import Study


@dataclass(frozen=True)
class BlocksRecipe:
    """What makes W of balanced incomplete blocks."""

    def __call__(self, study: Study) -> BlockConcordance:
        """Of a study."""
        return self.of(Ranks.of(study))

    def of(self, ranks: Ranks) -> BlockConcordance:
        """Of some lists."""
        return BlockConcordance(ranks, self)


class BlockConcordance(OverQueries):
    """W of every query whose annotators ranked a part of the options each, and their mean."""

    of_what = "incomplete blocks"
    own_tests: tuple[str, ...] = ("chi-square", "permutation")

    @cached_property
    def _blocks(self) -> list[tuple[float, float, int]]:
        """Of each query W, Durbin's χ² and its degrees of freedom."""
        return [_of_query(self.ranks, query) for query in range(self.ranks.n_queries)]

    @cached_property
    def by_query(self) -> FloatArray:
        """(Q,) W."""
        return np.array([value for value, _, _ in self._blocks])

    @cached_property
    def pairwise(self) -> Pairwise:
        """W of every two annotators by themselves, on the options both ranked."""
        return every_two(self.ranks, concordance_of_two)

    def own_test(self, method: str, shuffles: int, rng: np.random.Generator) -> OwnTest:
        """Durbin's chi-square, added up over queries; or options in any order."""
        if method == "permutation":
            return replace(super().own_test(method, shuffles, rng), less=math.nan)
        from scipy.special import chdtrc

        kept = [(statistic, df) for value, statistic, df in self._blocks if math.isfinite(value)]
        total, df = sum(statistic for statistic, _ in kept), sum(df for _, df in kept)
        return OwnTest(float(chdtrc(df, total)), math.nan, total, df)


def _of_query(ranks: Ranks, query: int) -> tuple[float, float, int]:
    """W, χ² and degrees of freedom of one query; NaN where one annotator or nobody ranked it."""
    lists = np.arange(ranks.lists_of[query], ranks.lists_of[query + 1])
    if ranks.people[query] < 2:
        return math.nan, math.nan, 0
    found = ranks.places_of(lists)
    given = (~np.isnan(found.before)).astype(np.int64)
    together = given.T @ given
    times, size = np.diagonal(together), given.sum(1)
    pairs = together[~np.eye(len(times), dtype=np.bool_)]
    if len({*times.tolist()}) > 1 or len({*size.tolist()}) > 1 or len({*pairs.tolist()}) > 1 or not pairs.all():
        raise MeasureError(
            "Blocks are balanced where every option is ranked equally often, and every two options equally often by "
            "one and the same annotator; these are not. ",
            remedy(incomplete="common"),
            " compares the options that all annotators of a query ranked.",
        )
    if np.nanmax(found.tied) > 1:
        raise MeasureError(
            "W of incomplete blocks has no correction for ties, and some options are tied.",
            option=Keyword("incomplete"),
        )
    options, r, k, both = len(times), int(times[0]), int(size[0]), int(pairs[0])
    sums = np.nansum(found.mid, axis=0)
    spread = 12 * float(((sums - r * (k + 1) / 2) ** 2).sum())
    statistic = spread * (options - 1) / (r * options * (k - 1) * (k + 1))
    return spread / (both**2 * options * (options**2 - 1)), statistic, options - 1
