"""The reduced form of scores: which number stands at which item, annotator and run, as codes without gaps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import prod
from typing import TypeAlias

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.errors import counted
from accord.study.study import Study

Effect: TypeAlias = frozenset[str]

ITEM, ANNOTATOR, RUN = "item", "annotator", "run"
TABLED = 40_000_000  # cells that may be counted in a table; of more, those in use are looked for


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """One score per row, with the level of each factor: the item first, then what else may differ.

    Scores are kept less their mean: a variance of numbers far from zero would lose its digits.
    """

    codes: Mapping[str, IntArray]  # (N,) of each factor with more than one level, and of the item
    levels: Mapping[str, int]
    score: FloatArray  # (N,)
    mean: float  # what was taken off
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
        return cls.coded(codes, score, study._annotations.n_items)

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
        mean = float(score.mean()) if len(score) else 0.0
        return cls(kept, levels, score - mean, mean, answered)

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
        each, left = divmod(len(self), size)
        if left or not each:
            return None
        cell = np.zeros(len(self), dtype=np.int64)
        for name in self.factors:
            cell = cell * self.levels[name] + self.codes[name]
        return each if bool((np.bincount(cell, minlength=size) == each).all()) else None

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
                number = self._n_cells(effect)
                same = any(smaller < effect and number == cells for smaller, cells in found.items())
                if 1 < number < len(self) and not same:
                    found[effect] = number
        return tuple(found)

    def _n_cells(self, effect: Effect) -> int:
        if len(effect) == 1:
            return self.levels[next(iter(effect))]
        if self.repeats is not None:
            return prod(self.levels[name] for name in effect)
        return self.cells(effect)[1]

    def with_items(self, number: IntArray) -> ScoreTable:
        """With each item so many times, each copy an item of its own."""
        times = number[self.codes[ITEM]]
        rows = np.repeat(np.arange(len(self)), times)
        first = np.concatenate(([0], np.cumsum(number)))[:-1]
        copy = np.arange(len(rows)) - np.repeat(np.cumsum(times) - times, times)
        codes = {name: column[rows] for name, column in self.codes.items()}
        codes[ITEM] = first[codes[ITEM]] + copy
        return ScoreTable.coded(codes, self.score[rows] + self.mean, int(number.sum()))


def scores_of(study: Study) -> ScoreTable:
    """The scores of a study by item and annotator; by run as well, where some answered an item more than once."""
    run = study.roles.get(RUN)
    if run is None or not study._annotations.repeated or study._missing_in(run):
        return ScoreTable.of(study)
    return ScoreTable.of(study, facets=(run,))


def one_way(table: ScoreTable) -> ScoreTable:
    """The same scores by item alone: whoever gave them is left over."""
    return ScoreTable({ITEM: table.codes[ITEM]}, {ITEM: table.levels[ITEM]}, table.score, table.mean, table.answered)


def nothing_to_measure(table: ScoreTable) -> str | None:
    """Why scores have no variance components, if so."""
    if table.levels[ITEM] < 2:
        return "There is one item with scores, and one item does not show how much items differ."
    if frozenset((ITEM,)) not in table.effects:
        return "No item has two scores, so items cannot be told from what annotators add to them."
    if not len(table) or float(np.ptp(table.score)) <= 1e-12 * max(abs(table.mean), 1e-300):
        return "All scores are the same, so there is no variance to divide."
    return None


def in_words(effect: Effect, factors: tuple[str, ...]) -> str:
    """An effect as one writes it: item × annotator."""
    return " × ".join(name for name in factors if name in effect)


def not_told_apart(table: ScoreTable) -> tuple[str, ...]:
    """Notes on factors that have no variance of their own, because they cannot be told from another."""
    return tuple(
        f"{counted(table.levels[name], name + 's')} gave {counted(len(table), 'scores')}, no two of them by one {name}: "
        f"what the {name} adds is among what is left over."
        for name in table.factors[1:]
        if frozenset((name,)) not in table.effects
    )
