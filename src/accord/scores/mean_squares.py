"""Where every cell holds the same number of scores: mean squares, from which everything follows in closed form."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import prod

import numpy as np

from accord.annotations.arrays import FloatArray
from accord.scores.restricted_likelihood import RestrictedLikelihood
from accord.scores.score_table import Effect, ScoreTable

NOTHING: Effect = frozenset()


@dataclass(frozen=True, eq=False)
class MeanSquares(RestrictedLikelihood):
    """The mean square of each set of factors, smallest sets first; last what is left over."""

    factors: tuple[str, ...]
    levels: dict[str, int]
    repeats: int
    squares: FloatArray  # (sets,) mean squares
    df: FloatArray  # (sets,) their degrees of freedom

    quick = True

    @classmethod
    def of(cls, table: ScoreTable) -> MeanSquares:
        """Of a table without gaps."""
        repeats = table.repeats
        assert repeats is not None
        levels = dict(table.levels)
        totals = {effect: _squared_means(table, effect) for effect in subsets(table.factors)}
        totals[NOTHING] = float(table.score.sum()) ** 2 / len(table)
        sums = {effect: _alternating(totals, effect) for effect in totals if effect}
        df = {effect: prod(levels[name] - 1 for name in effect) for effect in sums}
        order = [effect for effect in sums if df[effect]]
        squares = [sums[effect] for effect in order]
        degrees = [df[effect] for effect in order]
        if repeats > 1:
            squares.append(float(table.score @ table.score) - totals[frozenset(table.factors)])
            degrees.append(len(table) - prod(levels.values()))
        free = np.array(degrees, dtype=np.float64)
        return cls(table.factors, levels, repeats, np.maximum(squares, 0.0) / free, free)

    @property
    def size(self) -> int:
        """One variance for each mean square."""
        return len(self.squares)

    @property
    def mean_squares(self) -> MeanSquares:
        """These."""
        return self

    @property
    def n_scores(self) -> int:  # type: ignore[override]
        """All cells, each with its scores."""
        return prod(self.levels.values()) * self.repeats

    @property
    def sets(self) -> list[Effect]:
        """The sets of factors behind the variances; what is left over has none of its own."""
        every = subsets(self.factors)
        return every if self.repeats > 1 else every[:-1]

    @cached_property
    def expected(self) -> FloatArray:
        """(sets, variances) how much of each variance is in each mean square."""
        every = [*self.sets, frozenset(self.factors)]
        matrix = np.zeros((self.size, self.size))
        for row, effect in enumerate(every):
            for column, other in enumerate(self.sets):
                if other >= effect:
                    matrix[row, column] = self.n_scores / prod(self.levels[name] for name in other)
        if self.repeats > 1:
            matrix[-1, :] = 0.0
        matrix[:, -1] = 1.0
        return matrix

    @property
    def by_anova(self) -> FloatArray:
        """(variances,) each mean square at its expectation; below zero by chance, as unbiased estimates can be."""
        return np.asarray(np.linalg.solve(self.expected, self.squares), dtype=np.float64)

    def mean(self, variances: FloatArray) -> tuple[float, float]:
        """That of all scores, from which they are taken."""
        sizes = [prod(self.levels[name] for name in effect) for effect in self.sets]
        return 0.0, float((variances[:-1] / sizes).sum() + variances[-1] / self.n_scores)

    def __call__(self, variances: FloatArray) -> tuple[float, FloatArray]:
        """Σ df (log E + MS / E), with what does not change added."""
        expected = self.expected
        mean = expected @ variances
        scores = self.n_scores
        constant = (scores - 1) * math.log(2 * math.pi) + math.log(scores)
        value = float(self.df @ (np.log(mean) + self.squares / mean)) + constant
        return value, expected.T @ (self.df * (1 / mean - self.squares / mean**2))


def subsets(factors: Sequence[str]) -> list[Effect]:
    """Every set of factors but the empty one, smallest first."""
    return [frozenset(names) for size in range(1, len(factors) + 1) for names in combinations(factors, size)]


def _squared_means(table: ScoreTable, effect: Effect) -> float:
    """Σ over the cells of an effect of (Σ of the scores in it)² / their number."""
    if len(effect) == len(table.factors) and table.repeats == 1:
        return float(table.score @ table.score)
    cell, size = table.cells(effect)
    total = np.bincount(cell, table.score, minlength=size)
    return float(total @ total) * size / len(table)


def _alternating(totals: dict[Effect, float], effect: Effect) -> float:
    """The sum of squares of an effect alone: that of its cells less those of the sets within it."""
    return math.fsum((-1) ** (len(effect) - len(part)) * total for part, total in totals.items() if part <= effect)
