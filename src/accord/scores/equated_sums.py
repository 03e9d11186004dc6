"""Variance components without iteration: sums of squared totals, equated to what they would be on average.

Henderson's first method. Where every cell holds the same number of scores these are the usual estimates of the analysis
of variance. They need no normal distribution and are unbiased, so that they can come out below zero.
"""

from __future__ import annotations

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray
from accord.scores.score_table import Effect, ScoreTable


def equated(table: ScoreTable, effects: tuple[Effect, ...]) -> FloatArray:
    """(effects + 1,) the variances, what is left over last; NaN where they cannot be told apart."""
    cells = [table.cells(effect) for effect in effects]
    sizes = [np.bincount(cell, minlength=size).astype(np.float64) for cell, size in cells]
    scores = table.score
    totals = [
        float((np.bincount(cell, scores, minlength=size) ** 2 / number).sum())
        for (cell, size), number in zip(cells, sizes, strict=True)
    ]
    known = np.array([*totals, float(scores @ scores)]) - float(scores.sum()) ** 2 / len(table)
    matrix = np.empty((len(effects) + 1, len(effects) + 1))
    whole = np.array([float(number @ number) / len(table) for number in sizes])
    for row, (cell, _) in enumerate(cells):
        for column, (other, size) in enumerate(cells):
            matrix[row, column] = len(table) if row == column else _shared(cell, sizes[row], other, size)
        matrix[row, :-1] -= whole
        matrix[row, -1] = len(sizes[row]) - 1
    matrix[-1, :-1] = len(table) - whole
    matrix[-1, -1] = len(table) - 1
    if np.linalg.matrix_rank(matrix) < len(matrix):
        return np.full(len(matrix), np.nan)
    return np.asarray(np.linalg.solve(matrix, known), dtype=np.float64)


def _shared(cell: IntArray, number: FloatArray, other: IntArray, size: int) -> float:
    """Σ over the cells of one effect of Σ (scores shared with a cell of the other)² / scores of the cell."""
    joint, count = np.unique(cell * size + other, return_counts=True)
    return float((count.astype(np.float64) ** 2 / number[joint // size]).sum())
