"""The reduced form of scores: which number stands at which item, annotator and run, as codes without gaps."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.errors import NOBODY_ANSWERED, counted
from accord.study.study import Study

if TYPE_CHECKING:
    from accord.scores.components import Components

Effect: TypeAlias = frozenset[str]

SATURATED = (
    "There are as many unknowns as scores: what items and annotators add explains them whatever they are, so nothing "
    "is left over that could show how well they agree. More items with several scores would."
)

ITEM, ANNOTATOR, RUN = "item", "annotator", "run"
EXACTLY = 1e-12  # of all variance: less is rounding
ROUNDED = 64 * float(np.finfo(np.float64).eps)  # of the largest score: differences no larger may be rounding alone
TABLED = 40_000_000  # cells that may be counted in a table; of more, those in use are looked for


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """One score per row, with the level of each factor: the item first, then what else may differ.

    Scores are kept less their mean, in a unit of their own: a variance of numbers far from zero would lose its digits,
    and that of very large or small ones would not be a number.
    """

    codes: Mapping[str, IntArray]  # (N,) of each factor with more than one level, and of the item
    levels: Mapping[str, int]
    score: FloatArray  # (N,) less the mean, over the unit
    mean: float
    unit: float  # a power of two
    answered: BoolArray  # (items of the study,) has the item a score?

    @classmethod
    def of(cls, study: Study, *, facets: tuple[str, ...] = ()) -> ScoreTable:
        """The scores of a study, by item and annotator, and by the columns of further facets, such as the run."""
        item, person, answer, count = study._annotations.rows
        score = study.answers.numbers("An intraclass correlation")[answer]
        codes = {ITEM: item}
        if study._annotations.named:
            codes[ANNOTATOR] = person
        for name in facets:
            codes[name] = study._column(name, name).codes
        if int(count.max(initial=1)) > 1:
            codes = {name: np.repeat(column, count) for name, column in codes.items()}
            score = np.repeat(score, count)
        made = cls.coded(codes, score, study._annotations.n_items)
        if made.is_in_order:
            return made
        rows = np.lexsort((score, made.place))
        ordered = {name: column[rows] for name, column in codes.items()}
        return cls.coded(ordered, score[rows], study._annotations.n_items)

    @classmethod
    def coded(cls, codes: Mapping[str, IntArray], score: FloatArray, n_items: int) -> ScoreTable:
        """Of any codes; levels that nobody used are left out, and factors with one level, but for the item."""
        answered = np.zeros(n_items, dtype=np.bool_)
        answered[codes[ITEM]] = True
        kept, levels = {}, {}
        for name, column in codes.items():
            present = np.zeros(int(column.max(initial=-1)) + 1, dtype=np.bool_)
            present[column] = True
            number = int(present.sum())
            if number > 1 or name == ITEM:
                kept[name] = column if present.all() else (np.cumsum(present) - 1)[column]
                levels[name] = number
        return cls(kept, levels, *in_unit(score), answered)

    @property
    def is_in_order(self) -> bool:
        """Do rows stand in the one order in which they are taken, or need none?

        Of complete tables only sums are taken: the order moves their last digit. With gaps variances are searched
        for, and a search may end elsewhere by more than that.
        """
        return self.repeats is not None or bool((self.place[1:] > self.place[:-1]).all())

    @property
    def factors(self) -> tuple[str, ...]:
        """The item, the annotator, and further facets."""
        return tuple(self.codes)

    def __len__(self) -> int:
        return len(self.score)

    def cells(self, effect: Effect) -> tuple[IntArray, int]:
        """The cell of an effect that each score lies in, and how many cells are in use."""
        names = [name for name in self.factors if name in effect]
        cell, size = np.zeros(len(self), dtype=np.int64), 1
        for name in names:
            cell, size = cell * self.levels[name] + self.codes[name], size * self.levels[name]
        if len(names) < 2:
            return cell, size
        if size > TABLED:
            present, cell = np.unique(cell, return_inverse=True)
            return cell, len(present)
        used = np.bincount(cell, minlength=size) > 0
        return (np.cumsum(used) - 1)[cell], int(used.sum())

    @cached_property
    def repeats(self) -> int | None:
        """How many scores every cell of all factors holds, where all hold the same number and none is empty."""
        size = prod(self.levels.values())
        each, left = divmod(len(self), size) if size else (0, 0)
        if left or not each:
            return None
        return each if bool((np.bincount(self.place, minlength=size) == each).all()) else None

    @property
    def place(self) -> IntArray:
        """(N,) the cell of all factors together, were none empty."""
        place = np.zeros(len(self), dtype=np.int64)
        for name in self.factors:
            place = place * self.levels[name] + self.codes[name]
        return place

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        """The sets of factors that have a variance of their own, smallest first; what is left over is the rest.

        A set whose cells hold one score each is what is left over. A set whose cells are those of a smaller one (an
        annotator who saw one item only, a run of one annotator) cannot be told from it.
        """
        found: dict[Effect, int] = {}
        for size in range(1, len(self.factors) + 1):
            for names in combinations(self.factors, size):
                effect = frozenset(names)
                number = self.n_cells(effect)
                same = any(smaller < effect and number == cells for smaller, cells in found.items())
                if 1 < number < len(self) and not same:
                    found[effect] = number
        return tuple(found)

    def n_cells(self, effect: Effect) -> int:
        """How many cells of an effect are in use."""
        if len(effect) == 1:
            return self.levels[next(iter(effect))]
        if self.repeats is not None:
            return prod(self.levels[name] for name in effect)
        return self.cells(effect)[1]

    @cached_property
    def saturated(self) -> bool:
        """Do the levels of items and annotators alone account for scores, whatever these are?

        Each group of items and annotators that scores link has one unknown less than levels; gaps may leave a group
        with as many unknowns as scores.
        """
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        if self.repeats is not None or frozenset((ANNOTATOR,)) not in self.effects:
            return False
        items, people = self.levels[ITEM], self.levels[ANNOTATOR]
        if len(self) >= items + people:  # there is one group at least
            return False
        links = coo_array(
            (np.ones(len(self)), (self.codes[ITEM], items + self.codes[ANNOTATOR])), shape=(items + people,) * 2
        )
        groups = connected_components(links, directed=False, return_labels=False)
        return len(self) <= items + people - int(groups)

    @cached_property
    def by_item_alone(self) -> ScoreTable:
        """The same scores by item: whoever gave them is left over."""
        return ScoreTable(
            {ITEM: self.codes[ITEM]}, {ITEM: self.levels[ITEM]}, self.score, self.mean, self.unit, self.answered
        )

    @cached_property
    def components(self) -> Components:
        """The variance components, fitted once."""
        from accord.scores.components import fitted  # which is made of tables

        return fitted(self)

    @cached_property
    def inside(self) -> dict[str, frozenset[str]]:
        """Of each factor, those that it lies within: an annotator of one team lies within the team."""
        every = self.factors[1:]
        if len(every) < 2 or self.repeats is not None:
            return {name: frozenset() for name in every}
        return {
            name: frozenset(
                other for other in every
                if other != name and self.n_cells(frozenset((name, other))) == self.levels[name]
            )
            for name in every
        }  # fmt: skip

    @cached_property
    def annotators_per_item(self) -> float:
        """How many annotators an item has: where that differs, the harmonic mean; scores where nobody is named."""
        item, size = self.codes[ITEM], self.levels[ITEM]
        if ANNOTATOR in self.codes and self.repeats is not None:
            return float(self.levels[ANNOTATOR])
        if ANNOTATOR in self.codes:
            cell, _ = self.cells(frozenset((ITEM, ANNOTATOR)))
            _, first = np.unique(cell, return_index=True)
            item = item[first]
        number = np.bincount(item, minlength=size)
        return float(size / (1 / number).sum())

    def with_items(self, number: IntArray) -> ScoreTable:
        """With each item so many times, each copy an item of its own."""
        times = number[self.codes[ITEM]]
        rows = np.repeat(np.arange(len(self)), times)
        first = np.concatenate(([0], np.cumsum(number)))[:-1]
        copy = np.arange(len(rows)) - np.repeat(np.cumsum(times) - times, times)
        codes = {name: column[rows] for name, column in self.codes.items()}
        codes[ITEM] = first[codes[ITEM]] + copy
        return ScoreTable.coded(codes, self.score[rows] * self.unit + self.mean, int(number.sum()))


def in_unit(score: FloatArray, number: FloatArray | None = None) -> tuple[FloatArray, float, float]:
    """Scores less their mean, over a unit; the mean, and the unit, a power of two; each counts so many times."""
    low, high = float(score.min(initial=0.0)), float(score.max(initial=0.0))
    first = max(abs(low), abs(high))
    scaled = score / first if first > 0 else score
    mean = float(np.average(scaled, weights=number)) if len(score) else 0.0
    reach = float(np.abs(scaled - mean).max(initial=0.0)) * first
    unit = 2.0 ** math.floor(math.log2(reach)) if 0 < reach < math.inf else 1.0
    return (scaled - mean) * (first / unit), mean * first, unit


def scores_of(study: Study) -> ScoreTable:
    """The scores of a study by item and annotator; by run as well, where some answered an item more than once.

    They are read once, for as long as the study is there: every form of the intraclass correlation shares the fit.
    """
    if study not in _READ and stay_in_engine(study):
        from accord.scores.summed_scores import SummedScores  # which is such a table; few have as many scores

        _READ[study] = SummedScores.of(study)
    if study not in _READ:
        run = study.roles.get(RUN)
        by_run = run is not None and study._annotations.repeated and not study._missing_in(run)
        _READ[study] = ScoreTable.of(study, facets=(run,) if by_run and run is not None else ())
    return _READ[study]


_READ: WeakKeyDictionary[Study, ScoreTable] = WeakKeyDictionary()


def stay_in_engine(study: Study) -> bool:
    """Are there so many scores, each of an item and an annotator, that sums over them are made in their engine?"""
    annotations = study._annotations
    if annotations.in_memory or annotations.small or annotations.repeated:
        return False
    return study.kind == "score" or (study.kind == "single" and annotations.answers.numeric)


def nothing_to_measure(table: ScoreTable) -> str | None:
    """Why scores have no variance components, if so."""
    if not len(table):
        return NOBODY_ANSWERED
    if table.levels[ITEM] < 2:
        return "There is one item with scores, and one item does not show how much items differ."
    if frozenset((ITEM,)) not in table.effects:
        return "No item has two scores, so items cannot be told from what annotators add to them."
    if float(np.ptp(table.score)) * table.unit <= ROUNDED * abs(table.mean):
        return "All scores are the same, so there is no variance to divide."
    if table.saturated:
        return SATURATED
    return None


def in_words(effect: Effect, factors: tuple[str, ...]) -> str:
    """An effect as one writes it: item × annotator."""
    return " × ".join(name for name in factors if name in effect)


def confounded_factors(table: ScoreTable) -> tuple[str, ...]:
    """Notes on factors that have no variance of their own, because they cannot be told from another."""
    return tuple(
        f"{counted(table.levels[name], name + 's')} for {counted(len(table), 'scores')}: what the {name} adds cannot "
        "be told from what is left over."
        for name in table.factors[1:]
        if frozenset((name,)) not in table.effects
    )
