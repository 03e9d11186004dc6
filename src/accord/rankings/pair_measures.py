"""Measures of every two annotators: tau-b, Spearman's correlation, rank-biased overlap; by query their mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Literal

import numpy as np

from accord.annotations.arrays import FloatArray
from accord.errors import counted
from accord.rankings.biased_overlap import Bound, Ties, biased_overlap
from accord.rankings.correlation import spearman, tau_b
from accord.rankings.over_queries import OverQueries, Pairwise, every_two, mean_of_pairs, partly_ranked
from accord.rankings.ranks import Ranks
from accord.study.study import Study


@dataclass(frozen=True)
class PairRecipe:
    """What makes the mean over pairs of a study's lists, or of lists that were shuffled."""

    alike: Callable[[FloatArray, FloatArray], FloatArray] = field(repr=False)
    of_what: str | None = None
    whole_lists: bool = False  # are options that only one list holds compared too?

    def __call__(self, study: Study) -> MeanOfTwos:
        """Of a study."""
        return self.of(Ranks.of(study))

    def of(self, ranks: Ranks) -> MeanOfTwos:
        """Of some lists."""
        return MeanOfTwos(ranks, self)


SPEARMAN = PairRecipe(spearman)
TAU_B = PairRecipe(tau_b)


def overlap_recipe(p: float, ties: Ties, bound: Bound) -> PairRecipe:
    """Rank-biased overlap; its name tells what is not usual."""
    words = [f"p = {p:g}", *([] if ties == "a" else [f"ties {ties}"]), *([] if bound == "ext" else [bound])]
    return PairRecipe(partial(biased_overlap, p=p, ties=ties, bound=bound), ", ".join(words), whole_lists=True)


class MeanOfTwos(OverQueries):
    """Every two annotators of a query, their mean, and the mean over queries."""

    recipe: PairRecipe

    def __init__(self, ranks: Ranks, recipe: PairRecipe) -> None:
        self._pairs = every_two(ranks, recipe.alike)
        self.of_what = recipe.of_what
        super().__init__(ranks, recipe)

    @cached_property
    def by_query(self) -> FloatArray:
        """(Q,) the mean over pairs."""
        return mean_of_pairs(self.ranks, self._pairs)

    @property
    def pairwise(self) -> Pairwise:
        """The pairs that it is the mean of."""
        return self._pairs

    def why_no_part(self, part: Literal["item", "pair"]) -> str:
        """Whole lists can always be compared."""
        if self.recipe.whole_lists:
            return "only one annotator ranked the query."
        return super().why_no_part(part)

    def left_out(self) -> tuple[str, ...]:
        """Options that two annotators do not share, and pairs that share too few."""
        if self.recipe.whole_lists:
            return ()
        found = []
        partly, where = partly_ranked(self.ranks)
        if partly.any():
            found.append(f"{where}: every two are compared on the options both ranked, put in order among themselves.")
        undefined = int(np.isnan(self._pairs.value).sum())
        if undefined:
            found.append(
                f"{counted(undefined, 'pairs of rankings')} left out: fewer than two options in common, or all of them "
                "tied by one of the two."
            )
        return tuple(found)
