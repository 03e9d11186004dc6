"""Scores that stay in their engine: variance components from sums that the engine makes, never from rows.

The likelihood of items and annotators needs no more than these sums, so that what is found is what the same scores in
memory give.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.engine.lazy_annotations import LazyAnnotations
from accord.errors import MeasureError, counted, some_annotators
from accord.scores.components import MOST_KEPT, Components, by_likelihood, by_mean_squares
from accord.scores.eliminated_items import MOST_CELLS, EliminatedItems
from accord.scores.items_alone import ItemsAlone
from accord.scores.mean_squares import MeanSquares
from accord.scores.restricted_likelihood import MixedModel
from accord.scores.score_table import ANNOTATOR, ITEM, Effect, ScoreTable, in_unit
from accord.study.study import Study

if TYPE_CHECKING:
    from accord.engine.score_sums import ScoreSums

NOTHING: IntArray = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class SummedScores(ScoreTable):
    """The table of scores of an engine: its levels and its sums; no row of it is here."""

    sums: ScoreSums

    @classmethod
    def of(cls, study: Study, *, facets: tuple[str, ...] = ()) -> SummedScores:
        """The scores of a study by item and annotator."""
        from accord.engine.score_sums import ScoreSums  # with the engines' own language

        remote = study._annotations.in_engine
        assert remote is not None
        assert not facets  # nobody scored an item twice
        numbers = remote.answers.numbers("An intraclass correlation")
        used, counts = _distribution(remote)
        score, mean, unit = in_unit(numbers[used], counts)
        value = np.zeros(len(numbers))
        value[used] = score
        sums = ScoreSums(remote, value)
        if sums.people > MOST_KEPT or len(sums.sizes) * sums.people**2 > MOST_CELLS:
            raise MeasureError(
                f"{counted(sums.people, 'annotators')} are too many for variance components in an engine (at most "
                f"{MOST_KEPT:,}). Choose annotators first, or measure a sample of the items.",
                remedies=[some_annotators()],
            )
        levels = {ITEM: int(sums.items.sum()), **({ANNOTATOR: sums.people} if sums.people > 1 else {})}
        codes = MappingProxyType(dict.fromkeys(levels, NOTHING))
        nobody: BoolArray = np.empty(0, dtype=np.bool_)
        return cls(codes, levels, np.array([score.min(), score.max()]), mean, unit, nobody, sums)

    def __len__(self) -> int:
        return round(float(self.sums.items @ self.sums.sizes))

    @cached_property
    def repeats(self) -> int | None:
        """One, where every annotator scored every item; of items alone, the number of scores that each has."""
        if len(self.sums.sizes) > 1:
            return None
        if ANNOTATOR not in self.levels:
            return int(self.sums.sizes[0])
        return 1 if int(self.sums.sizes[0]) == self.levels[ANNOTATOR] else None

    def n_cells(self, effect: Effect) -> int:
        """Nobody scored an item twice: every score is a cell of item and annotator."""
        return len(self) if len(effect) > 1 else self.levels[next(iter(effect))]

    @cached_property
    def saturated(self) -> bool:
        """As of rows: items hang on the annotators who scored them, so that groups are those of annotators who met."""
        from scipy.sparse.csgraph import connected_components

        if self.repeats is not None or frozenset((ANNOTATOR,)) not in self.effects:
            return False
        levels = self.levels[ITEM] + self.levels[ANNOTATOR]
        if len(self) >= levels:
            return False
        groups = connected_components(self.sums.common.sum(0), directed=False, return_labels=False)
        return len(self) <= levels - int(groups)

    @cached_property
    def by_item_alone(self) -> SummedScores:
        """The same scores by item: whoever gave them is left over."""
        return replace(
            self, codes=MappingProxyType({ITEM: NOTHING}), levels=MappingProxyType({ITEM: self.levels[ITEM]})
        )

    @cached_property
    def annotators_per_item(self) -> float:
        """The harmonic mean of the scores that items have."""
        return self.levels[ITEM] / float((self.sums.items / self.sums.sizes).sum())

    @property
    def within(self) -> float:
        """Σ of the squares of what scores differ from the mean of their item."""
        return self.sums.squares - float((self.sums.squared_totals / self.sums.sizes).sum())

    @cached_property
    def components(self) -> Components:
        """By mean squares where nothing is missing, else by the likelihood."""
        if self.repeats is not None:
            return by_mean_squares(self, self._mean_squares())
        model: MixedModel = _SummedItems(self.sums) if len(self.effects) > 1 else _SummedAlone(self.sums)
        variance = self.sums.squares / len(self) - (float(self.sums.totals.sum()) / len(self)) ** 2
        return by_likelihood(self, model, self._equated(), variance)

    def _mean_squares(self) -> MeanSquares:
        """Of items alone, or of items and annotators, each once."""
        sums, number = self.sums, len(self)
        size, items = int(sums.sizes[0]), self.levels[ITEM]
        whole = float(sums.totals.sum()) ** 2 / number
        item = float(sums.squared_totals.sum()) / size - whole
        squares, df = [item, self.within], [items - 1, items * (size - 1)]
        if ANNOTATOR in self.levels:
            annotator = float(sums.own_totals @ sums.own_totals) / items - whole
            squares = [item, annotator, self.within - annotator]
            df = [items - 1, size - 1, (items - 1) * (size - 1)]
        free = np.array(df, dtype=np.float64)
        repeats = self.repeats
        assert repeats is not None
        return MeanSquares(self.factors, dict(self.levels), repeats, np.maximum(squares, 0.0) / free, free)

    def _equated(self) -> FloatArray:
        """Henderson's first method, of which every term is a sum here; see `equated_sums`."""
        sums, number = self.sums, float(len(self))
        squared = [float(sums.items @ sums.sizes.astype(np.float64) ** 2)]
        totals, levels = [float((sums.squared_totals / sums.sizes).sum())], [float(self.levels[ITEM])]
        if len(self.effects) > 1:
            often = sums.often.sum(0)
            squared.append(float(often @ often))
            totals.append(float((sums.own_totals**2 / often).sum()))
            levels.append(float(self.levels[ANNOTATOR]))
        known = np.array([*totals, sums.squares]) - float(sums.totals.sum()) ** 2 / number
        matrix = np.empty((len(levels) + 1, len(levels) + 1))
        for row, level in enumerate(levels):
            matrix[row, :-1] = [number if row == column else level for column in range(len(levels))]
            matrix[row, -1] = level - 1
        matrix[:-1, :-1] -= np.array(squared) / number
        matrix[-1] = [*(number - np.array(squared) / number), number - 1]
        if np.linalg.matrix_rank(matrix) < len(matrix):
            return np.full(len(matrix), math.nan)
        return np.asarray(np.linalg.solve(matrix, known), dtype=np.float64)


def _distribution(remote: LazyAnnotations) -> tuple[IntArray, FloatArray]:
    """The answers that were given, and how often."""
    counts = np.zeros(len(remote.answers))
    for raw, number in remote.scan.counted(remote.roles.label):
        if remote.codes.get(raw, -1) >= 0:
            counts[remote.codes[raw]] += number
    used = np.nonzero(counts)[0]
    return used, counts[used]


class _SummedItems(EliminatedItems):
    """The criterion of items × annotators, from an engine's sums."""

    def __init__(self, sums: ScoreSums) -> None:
        self.sizes, self.n_kept = sums.sizes, sums.people
        self.items, self.totals, self.squared_totals = sums.items, sums.totals, sums.squared_totals
        self.by_kept, self.common, self.often = sums.by_person, sums.common, sums.often
        self.kept_totals, self.squares = sums.own_totals, sums.squares
        self.n_scores = round(float(sums.items @ sums.sizes))


class _SummedAlone(ItemsAlone):
    """The criterion of items alone, from an engine's sums."""

    def __init__(self, sums: ScoreSums) -> None:
        self.sizes = sums.sizes
        self.items, self.totals, self.squared_totals = sums.items, sums.totals, sums.squared_totals
        self.squares = sums.squares
        self.n_scores = round(float(sums.items @ sums.sizes))
