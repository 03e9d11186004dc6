"""Any crossed design with gaps: Henderson's mixed-model equations, sparse where effects have many levels."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from accord.annotations.arrays import FloatArray
from accord.scores.restricted_likelihood import LikelihoodParts, MixedModel
from accord.scores.score_table import Effect, ScoreTable

FULL = 1_500  # levels of all effects up to which the equations are inverted in full
STEP = 1e-5  # by which a ratio is changed where the volume's slope has no formula


class MixedEquations(MixedModel):
    """The criterion of a table of scores with any effects."""

    def __init__(self, table: ScoreTable, effects: tuple[Effect, ...]) -> None:
        from scipy.sparse import csr_array, hstack

        cells = [table.cells(effect) for effect in effects]
        rows = np.arange(len(table))
        parts = [csr_array((np.ones(len(table)), (rows, cell)), shape=(len(table), size)) for cell, size in cells]
        design = hstack(parts, format="csc")
        ends = np.cumsum([0, *(size for _, size in cells)])
        self.blocks = [slice(first, last) for first, last in pairwise(ends.tolist())]
        self.gram = (design.T @ design).tocsc()
        self.by_one = np.asarray(design.sum(axis=0)).ravel()
        self.by_score = np.asarray(design.T @ table.score).ravel()
        self.squares, self.total = float(table.score @ table.score), float(table.score.sum())
        self.n_scores = len(table)
        self.full = self.gram.toarray() if int(ends[-1]) <= FULL else None
        few = self.full is not None and len(table) <= int(ends[-1])
        self.design = design.toarray() if few else None  # (N, levels)
        self.score = table.score

    @property
    def size(self) -> int:
        """The effects and what is left over."""
        return len(self.blocks) + 1

    @property
    def equations(self) -> int:
        """The levels of all effects, or the scores where these are fewer."""
        return len(self.by_one) if self.design is None else self.n_scores

    @cached_property
    def explains_any(self) -> bool:
        """Are there as many unknowns as scores?"""
        return self.design is not None and int(np.linalg.matrix_rank(self.design)) == self.n_scores

    def pieces(self, ratios: FloatArray) -> LikelihoodParts:
        """V₀⁻¹ = I − Z S (I + S ZᵀZ S)⁻¹ S Zᵀ, with S the roots of the ratios."""
        of_level = np.repeat(ratios, [block.stop - block.start for block in self.blocks])
        if self.design is not None:
            return self._by_score(self.design, of_level)
        root = np.sqrt(of_level)
        solve, log_volume, by_volume = self._factored(ratios, root)
        of_score, of_one = root * solve(root * self.by_score), root * solve(root * self.by_one)
        ones = self.n_scores - float(self.by_one @ of_one)
        cross = self.total - float(self.by_one @ of_score)
        squares = self.squares - float(self.by_score @ of_score)
        mean = cross / ones
        along_one = self.by_one - self.gram @ of_one  # Zᵀ V₀⁻¹ 1
        along = self.by_score - self.gram @ of_score - mean * along_one
        return LikelihoodParts(
            log_volume, ones, squares - cross * mean, mean, by_volume,
            -self._by_effect(along_one**2),
            -self._by_effect(along**2),
        )  # fmt: skip

    def _by_score(self, design: FloatArray, of_level: FloatArray) -> LikelihoodParts:
        """V₀ = I + Z Λ Zᵀ itself, where there are no more scores than levels.

        The effects may then explain every score, and where next to nothing is left over, the difference of two sums
        that the other formula makes would be nothing but rounding.
        """
        lower = np.linalg.cholesky(np.eye(self.n_scores) + (design * of_level) @ design.T)
        half = np.linalg.inv(lower)
        one, score, levels = half.sum(axis=1), half @ self.score, half @ design
        ones = float(one @ one)
        mean = float(one @ score) / ones
        away = score - mean * one
        return LikelihoodParts(
            2 * float(np.log(np.diagonal(lower)).sum()), ones, float(away @ away), mean,
            self._by_effect((levels**2).sum(axis=0)),
            -self._by_effect((one @ levels) ** 2),
            -self._by_effect((away @ levels) ** 2),
        )  # fmt: skip

    def _by_effect(self, of_level: FloatArray) -> FloatArray:
        """The sum over the levels of each effect."""
        return np.array([float(of_level[block].sum()) for block in self.blocks])

    def _factored(self, ratios: FloatArray, root: FloatArray) -> tuple[Any, float, FloatArray]:
        """What solves the equations, the log of the volume, and its slopes."""
        if self.full is None:
            solve, log_volume = self._sparse(root)
            return solve, log_volume, self._slopes(ratios)
        system = np.eye(len(root)) + root[:, None] * self.full * root
        lower = np.linalg.cholesky(system)
        half = np.linalg.inv(lower)
        inner = (half * root) @ self.full  # its squares add up to what the gram matrix loses
        lost = np.diagonal(self.full) - (inner**2).sum(axis=0)
        inverse = half.T @ half
        return (lambda right: inverse @ right), 2 * float(np.log(np.diagonal(lower)).sum()), self._by_effect(lost)

    def _sparse(self, root: FloatArray) -> tuple[Any, float]:
        from scipy.sparse import diags_array, eye_array
        from scipy.sparse.linalg import splu

        scaled = diags_array(root) @ self.gram @ diags_array(root) + eye_array(len(root))
        options = {"SymmetricMode": True}
        factor = splu(scaled.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)
        return factor.solve, float(np.log(np.abs(factor.U.diagonal())).sum())

    def _slopes(self, ratios: FloatArray) -> FloatArray:
        """Of the volume by each ratio, from differences."""
        sizes = [block.stop - block.start for block in self.blocks]
        slopes = np.empty(len(ratios))
        for place, ratio in enumerate(ratios):
            step = STEP * max(float(ratio), 1e-3)
            ends = []
            for sign in (1, -1):
                moved = ratios.copy()
                moved[place] = max(float(ratio) + sign * step, 0.0)
                ends.append((self._sparse(np.sqrt(np.repeat(moved, sizes)))[1], moved[place]))
            slopes[place] = (ends[0][0] - ends[1][0]) / (ends[0][1] - ends[1][1])
        return slopes
