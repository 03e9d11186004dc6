"""The reduced form of rankings: who put which options of which query in which order.

A *list* is what one annotator said of one query: its options, each with its place; tied options share one. Options are
numbered within their query, so that thousands of queries with options of their own cost no more than one that all have
in common. Annotators of a query may have ranked different options: `common` are those that all of them did.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np

from accord.annotations.answers import Answers, Label, ranks_of
from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.annotations.tally import ranges
from accord.rankings.midranks import RankPlaces, places
from accord.study.study import Study

# Several measures ask for the same; it is made once, and goes with its study.
_MADE: WeakKeyDictionary[Study, Ranks] = WeakKeyDictionary()
MOSTLY = 0.8  # the share of options that all annotators of a query ranked, from which on lists are the same
CELLS_AT_ONCE = 2_000_000  # lists × options that are looked at in one go


@dataclass(frozen=True, eq=False)
class Ranks:
    """Every list of a study, in the order of query and annotator."""

    options: tuple[Label, ...]
    annotators: tuple[str, ...]
    n_queries: int
    query: IntArray  # (N,) of each list, ascending
    annotator: IntArray  # (N,)
    starts: IntArray  # (N + 1,) where the entries of each list begin
    option: IntArray  # (E,) which option of all
    rank: FloatArray  # (E,) low first; equal ranks are ties

    @classmethod
    def of(cls, study: Study) -> Ranks:
        """The lists of a study of rankings."""
        found = _MADE.get(study)
        if found is None:
            found = _MADE[study] = cls._read(study)
        return found

    @classmethod
    def _read(cls, study: Study) -> Ranks:
        item, annotator, answer, count = study._annotations.to_memory().rows
        order = np.lexsort((annotator, item))
        order = np.repeat(order, count[order])  # a list that was given again counts again
        item, annotator, answer = item[order], annotator[order], answer[order]
        begins, option, rank = _flat(study.answers)
        sizes = np.diff(begins)[answer]
        entries = ranges(begins[answer], sizes)
        return cls(
            tuple(study.labels), tuple(study.annotators), len(study.items), item, annotator,
            np.concatenate(([0], np.cumsum(sizes))), option[entries], rank[entries],
        )  # fmt: skip

    def __len__(self) -> int:
        """How many lists there are."""
        return len(self.query)

    @cached_property
    def size(self) -> IntArray:
        """(N,) how many options each list ranks."""
        return np.diff(self.starts)

    @cached_property
    def lists_of(self) -> IntArray:
        """(Q + 1,) where the lists of each query begin."""
        return np.searchsorted(self.query, np.arange(self.n_queries + 1)).astype(np.int64)

    @cached_property
    def n_lists(self) -> IntArray:
        """(Q,) how many lists each query has."""
        return np.diff(self.lists_of)

    @cached_property
    def again(self) -> bool:
        """Did somebody with a name rank a query more than once?"""
        return bool(self.annotators) and bool(((np.diff(self.query) == 0) & (np.diff(self.annotator) == 0)).any())

    @cached_property
    def person(self) -> IntArray:
        """(N,) which annotator of which query each list is by, numbered in the order of both.

        A list that nobody signed is by somebody of its own.
        """
        if not self.again:
            return np.arange(len(self))
        return np.asarray(np.unique(self.query * len(self.annotators) + self.annotator, return_inverse=True)[1])

    @cached_property
    def people(self) -> IntArray:
        """(Q,) how many annotators ranked each query."""
        if not self.again:
            return self.n_lists
        first = np.unique(self.person, return_index=True)[1]
        return np.bincount(self.query[first], minlength=self.n_queries)

    # -- options within their query -----------------------------------------------------------------------------------

    @cached_property
    def _list(self) -> IntArray:
        """(E,) the list of each entry."""
        return np.repeat(np.arange(len(self)), self.size)

    @cached_property
    def _query_options(self) -> tuple[IntArray, IntArray, IntArray]:
        """Distinct (query, option) pairs in order, the pair of each entry, and how many lists hold each pair."""
        key = self.query[self._list] * max(len(self.options), 1) + self.option
        distinct, place, times = np.unique(key, return_inverse=True, return_counts=True)
        return distinct, place, times

    @cached_property
    def cells_of(self) -> IntArray:
        """(Q + 1,) where the options of each query begin among all pairs of a query and an option."""
        distinct = self._query_options[0]
        return np.searchsorted(distinct // max(len(self.options), 1), np.arange(self.n_queries + 1)).astype(np.int64)

    @cached_property
    def cell_query(self) -> IntArray:
        """(C,) the query of each pair of a query and an option."""
        return self._query_options[0] // max(len(self.options), 1)

    @cached_property
    def cell_option(self) -> IntArray:
        """(C,) the option of each such pair."""
        return self._query_options[0] % max(len(self.options), 1)

    @cached_property
    def width(self) -> IntArray:
        """(Q,) how many options somebody ranked of each query."""
        return np.diff(self.cells_of)

    @cached_property
    def common(self) -> BoolArray:
        """(C,) is this option of a query in the list of everybody who ranked the query?"""
        return np.asarray(self._query_options[2] == self.n_lists[self.cell_query])

    @property
    def mostly_common(self) -> bool:
        """Did the annotators of a query rank the same options, nearly all of them?"""
        met = (self.people > 1)[self.cell_query]
        return bool(self.common[met].mean() >= MOSTLY) if met.any() else True

    def table(self, lists: IntArray, *, common: bool = False) -> FloatArray:
        """(lists, options) the ranks of some lists, by the number of the option within its query; NaN for none."""
        wide = int(self.width[self.query[lists]].max(initial=0))
        found = np.full((len(lists), wide), np.nan)
        sizes = self.size[lists]
        entries = ranges(self.starts[lists], sizes)
        cell = self._query_options[1][entries]
        row = np.repeat(np.arange(len(lists)), sizes)
        kept = self.common[cell] if common else np.ones(len(cell), dtype=np.bool_)
        column = cell - self.cells_of[self.cell_query[cell]]
        found[row[kept], column[kept]] = self.rank[entries][kept]
        return found

    def places_of(self, lists: IntArray, *, common: bool = False) -> RankPlaces:
        """Where options stand in some lists; among those that all annotators of the query ranked, if so asked."""
        return places(self.table(lists, common=common))

    def entries(self, *, common: bool = False) -> tuple[IntArray, IntArray, FloatArray]:
        """Every option of every list: the list, the option of its query (C), and its mid-rank in the list.

        `common`: of options that all annotators of the query ranked, among themselves.
        """
        lists, cells, values = [], [], []
        every = np.arange(len(self))
        for block in self.blocks(every):
            mid = self.places_of(every[block], common=common).mid
            row, column = np.nonzero(~np.isnan(mid))
            lists.append(every[block][row])
            cells.append(self.cells_of[self.query[block]][row] + column)
            values.append(mid[row, column])
        none = np.zeros(0, dtype=np.int64)
        return np.concatenate([none, *lists]), np.concatenate([none, *cells]), np.concatenate([np.zeros(0), *values])

    def shuffled(self, rng: np.random.Generator) -> Ranks:
        """The same lists with their options in any order; ties stay as many and as large as they are.

        Several lists of one annotator are shuffled alike: how far somebody agrees with themselves is no chance here.
        """
        if self.again:
            return self._shuffled_alike(rng)
        drawn = np.lexsort((rng.random(len(self.rank)), self._list))
        return self._with_ranks(self.rank[drawn])

    def _shuffled_alike(self, rng: np.random.Generator) -> Ranks:
        """By a number drawn for each option of each annotator of a query."""
        by_option = np.lexsort((self.option, self._list))
        key = self.person[self._list] * max(len(self.options), 1) + self.option
        distinct, place = np.unique(key, return_inverse=True)
        drawn = rng.random(len(distinct))[place]
        rank = np.empty_like(self.rank)
        rank[by_option] = self.rank[by_option][np.lexsort((drawn[by_option], self._list[by_option]))]
        return self._with_ranks(rank)

    def _with_ranks(self, rank: FloatArray) -> Ranks:
        found = replace(self, rank=rank)
        found.__dict__.update(_list=self._list, _query_options=self._query_options)  # which do not hang on the ranks
        return found

    # -- who meets whom -----------------------------------------------------------------------------------------------

    @cached_property
    def list_pairs(self) -> tuple[IntArray, IntArray]:
        """(M,) every two lists of one query, the earlier annotator's first."""
        later = self.lists_of[self.query + 1] - 1 - np.arange(len(self))
        first = np.repeat(np.arange(len(self)), later)
        return first, ranges(np.arange(len(self)) + 1, later)

    def blocks(self, first: IntArray) -> Iterator[slice]:
        """Runs of pairs of lists that are looked at in one go; `first` are lists, in order."""
        wide = self.width[self.query[first]]
        begin = 0
        while begin < len(first):
            size = max(1, CELLS_AT_ONCE // max(int(wide[begin : begin + CELLS_AT_ONCE].max()), 1))
            yield slice(begin, min(begin + size, len(first)))
            begin += size


def _flat(answers: Answers) -> tuple[IntArray, IntArray, FloatArray]:
    """The distinct orders one after another: where each begins, its options and their ranks."""
    sizes = [len(held) for held in answers.members]
    option = np.array([label for held in answers.members for label in held], dtype=np.int64)
    rank = np.array([rank for held in answers.members for rank in ranks_of(held)], dtype=np.float64)
    return np.concatenate(([0], np.cumsum(sizes))).astype(np.int64), option, rank
