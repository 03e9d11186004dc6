"""Kendall's coefficient of concordance: how far the rank sums of options differ, of how far they could.

    W = 12 S / (m² (n³ − n) − m T),   S = Σ (R − R̄)²,   T = Σ over annotators and ties of t³ − t

m annotators rank n options; R are the sums of mid-ranks. The correction for ties makes W what it would be if nobody
could do better with these ties. Options that not all annotators of a query ranked do not count.

S is the sum over all pairs of annotators, each with themselves as well, of the products of their ranks less the mean.
So of somebody who ranked a query again, the mean over their lists counts with others, and with themselves the mean
square: two lists of one annotator are no two annotators.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations
from typing import TypeAlias

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.coefficients.measurable import OwnTest
from accord.rankings.midranks import places
from accord.rankings.over_queries import OverQueries, Pairwise, every_two, not_ranked_by_all
from accord.rankings.ranks import Ranks
from accord.study.study import Study

MOST_ORDERS = 50_000  # arrangements of one query that are tried one by one
NOT_CHANCE = 0.05  # the p-value below which a value is more than chance
FEW_OPTIONS = 7  # up to here the chi-square distribution is rough
Sums: TypeAlias = tuple[FloatArray, IntArray, IntArray]


@dataclass(frozen=True)
class ConcordanceRecipe:
    """What makes W of a study's lists, or of lists that were shuffled."""

    def __call__(self, study: Study) -> KendallConcordance:
        """Of a study."""
        return self.of(Ranks.of(study))

    def of(self, ranks: Ranks) -> KendallConcordance:
        """Of some lists."""
        return KendallConcordance(ranks, self)


class KendallConcordance(OverQueries):
    """W of every query, and their mean."""

    own_tests: tuple[str, ...] = ("chi-square", "f", "exact", "permutation")

    @cached_property
    def _sums(self) -> Sums:
        """(Q,) W, how many annotators, and how many options all of them ranked."""
        return concordances(self.ranks)

    @cached_property
    def by_query(self) -> FloatArray:
        """(Q,) W."""
        return self._sums[0]

    @cached_property
    def pairwise(self) -> Pairwise:
        """W of every two annotators by themselves, on the options both ranked."""
        return every_two(self.ranks, concordance_of_two)

    def left_out(self) -> tuple[str, ...]:
        """Options that not everybody ranked, and what the test of one query says, which has no interval."""
        found = not_ranked_by_all(self.ranks)
        if len(self.values) != 1:
            return found
        test = self.own_test(self.usual_test, 0, np.random.default_rng(0))
        how = f"{test.note}" if self.usual_test == "exact" else f"χ² {test.statistic:.2f} on {test.df:.0f}."
        return (
            *found,
            f"Annotators who know nothing of the options would have as much with p = {test.greater:.3g}: {how}",
        )

    def own_reading(self) -> str | None:
        """Against what chance gives, which hangs on how many annotators there are, and as a correlation."""
        if not len(self.values):
            return None
        value, people = (part[self.counting] for part in self._sums[:2])
        alike = float(((people * value - 1) / (people - 1)).mean())
        test = self.own_test(self.usual_test, 0, np.random.default_rng(0))
        shown = "more than" if test.greater < NOT_CHANCE else "not shown to be more than"
        return (
            f"{shown} the {float((1 / people).mean()):.3f} that annotators have by chance who know nothing of the "
            f"options (p = {test.greater:.2g}), and worth a mean rank correlation of {alike:z.2f}"
        )

    # -- against chance -----------------------------------------------------------------------------------------------

    @property
    def usual_test(self) -> str:
        """Every arrangement where these are few, else the chi-square distribution."""
        return "exact" if self._arrangements() <= MOST_ORDERS else "chi-square"

    def _arrangements(self) -> float:
        """In how many ways the options of the one query can be arranged, one annotator's order being fixed."""
        if len(self.values) != 1:
            return math.inf
        annotators, options = (int(part[self.counting][0]) for part in self._sums[1:])
        return math.inf if options > 12 else math.factorial(options) ** (annotators - 1)

    def own_test(self, method: str, shuffles: int, rng: np.random.Generator) -> OwnTest:
        """Friedman's chi-square added up over queries, the F form, or arrangements of the options."""
        if method == "permutation":
            return replace(super().own_test(method, shuffles, rng), less=math.nan)  # less than chance is no finding
        if method == "exact":
            return self._exact()
        return self._chi_square() if method == "chi-square" else self._f()

    def _chi_square(self) -> OwnTest:
        """Friedman's m (n − 1) W, with n − 1 degrees of freedom, added up over queries."""
        from scipy.special import chdtrc

        value, annotators, options = (part[self.counting] for part in self._sums)
        statistic, df = float((annotators * (options - 1) * value).sum()), int((options - 1).sum())
        rough = options.min() <= FEW_OPTIONS and len(options) == 1
        note = f"With {options.min()} options the chi-square distribution is rough." if rough else None
        return OwnTest(float(chdtrc(df, statistic)), math.nan, statistic, df, note)

    def _f(self) -> OwnTest:
        """(m − 1) W / (1 − W), for one query: nearer to the truth than chi-square where options are few."""
        from scipy.special import fdtrc

        value, annotators, options = (part[self.counting] for part in self._sums)
        if len(value) != 1:
            return OwnTest.undefined_because("The F form is for one query; there are several.")
        m, n, w = float(annotators[0]), float(options[0]), float(value[0])
        first = n - 1 - 2 / m
        if first <= 0:
            return OwnTest.undefined_because("Two annotators and two options leave the F form no degrees of freedom.")
        statistic = math.inf if w >= 1 else (m - 1) * w / (1 - w)
        p = 0.0 if math.isinf(statistic) else float(fdtrc(first, (m - 1) * first, statistic))
        return OwnTest(p, math.nan, statistic, first)

    def _exact(self) -> OwnTest:
        """Every arrangement of the options of the one query, ties as they are; one annotator's order can be fixed."""
        number = self._arrangements()
        if number > MOST_ORDERS:
            return OwnTest.undefined_because(
                f"Every arrangement is tried of one query with at most {MOST_ORDERS:,} of them."
            )
        query = int(np.nonzero(self.counting)[0][0])
        lists = np.arange(self.ranks.lists_of[query], self.ranks.lists_of[query + 1])
        mid = self.ranks.places_of(lists, common=True).mid
        mid = mid[:, ~np.isnan(mid[0])]
        person = self.ranks.person[lists]
        mid = np.array([mid[person == one].mean(0) for one in np.unique(person)])
        sums = mid[:1]
        orders = np.array(list(permutations(range(mid.shape[1]))))
        for ranks in mid[1:]:
            sums = (sums[:, None, :] + ranks[orders][None]).reshape(-1, mid.shape[1])
        spread = ((sums - sums.mean(1, keepdims=True)) ** 2).sum(1)
        seen = ((mid.sum(0) - mid.sum(0).mean()) ** 2).sum()
        at_least = float((spread >= seen - 1e-9).mean())
        return OwnTest(at_least, math.nan, float(self.parts.value), None, f"All {len(spread):,} arrangements tried.")


def concordances(ranks: Ranks) -> Sums:
    """(Q,) W of every query, its annotators, and the options that all of them ranked; NaN where W is undefined."""
    cells = len(ranks.cell_query)
    sums, ties, apart = np.zeros(cells), np.zeros(ranks.n_queries), np.zeros(ranks.n_queries)
    share = 1 / np.bincount(ranks.person)[ranks.person] if len(ranks) else np.empty(0)  # of a list among its author's
    every = np.arange(len(ranks))
    for block in ranks.blocks(every):
        found = ranks.places_of(every[block], common=True)
        row, column = np.nonzero(~np.isnan(found.before))
        query, counts = ranks.query[block][row], share[block][row]
        sums += add_up(ranks.cells_of[query] + column, counts * found.mid[row, column], cells)
        # Σ over a tie of t² − 1 is t³ − t
        ties += add_up(query, counts * (found.tied[row, column] ** 2 - 1), ranks.n_queries)
    if ranks.again:
        apart = add_up(ranks.cell_query, _apart_from_oneself(ranks), ranks.n_queries)
    many = add_up(ranks.cell_query, ranks.common, ranks.n_queries)
    mean = ranks.people * (many + 1) / 2
    spread = add_up(ranks.cell_query, ranks.common * (sums - mean[ranks.cell_query]) ** 2, ranks.n_queries) + apart
    people = ranks.people.astype(np.float64)
    below = people**2 * (many**3 - many) - people * ties
    nothing = 0.5 * float(share.min(initial=1.0))  # both are whole numbers, twice over, or shares of them
    value = divide(12 * spread, np.where(np.abs(below) < nothing, 0.0, below))
    return np.where(people > 1, value, np.nan), ranks.people, many.astype(np.int64)


def _apart_from_oneself(ranks: Ranks) -> FloatArray:
    """(C,) Σ over annotators of how much the ranks that one of them gave an option in several lists vary."""
    of_list, cell, mid = ranks.entries(common=True)
    key, place = np.unique(ranks.person[of_list] * len(ranks.cell_query) + cell, return_inverse=True)
    lists = np.bincount(place)
    mean = np.bincount(place, mid) / lists
    varying = np.bincount(place, (mid - mean[place]) ** 2) / lists
    return add_up(key % len(ranks.cell_query), varying, len(ranks.cell_query))


def concordance_of_two(first: FloatArray, second: FloatArray) -> FloatArray:
    """(M,) W of two lists each, on the options both rank."""
    both = ~(np.isnan(first) | np.isnan(second))
    one, other = (places(ranks, both) for ranks in (first, second))
    many = both.sum(1).astype(np.float64)
    sums = np.where(both, one.mid + other.mid - (many + 1)[:, None], 0.0)
    ties = sum(np.where(both, part.tied**2 - 1, 0.0).sum(1) for part in (one, other))
    return divide(12 * (sums**2).sum(1), 4 * (many**3 - many) - 2 * ties)
