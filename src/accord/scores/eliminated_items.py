"""Items × annotators with gaps: the items are eliminated, and a system as small as the annotators are few is left.

Given λ of the items, an item with n scores has V⁻¹ = I − λ / (1 + nλ) 11ᵀ: it depends on n alone. So for each n that
occurs it is enough to know how many items have it, their totals and squared totals, the totals by annotator, and how
often each two annotators met. A million items take one pass; a step of the search takes as long as inverting a table of
annotators × annotators. All these are sums over items, so items may also count any number of times.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up
from accord.scores.restricted_likelihood import LikelihoodParts, MixedModel

FOLLOWED = 60  # annotators up to whom intervals follow the likelihood itself, not its curvature
FULL_WIDTH = 64  # annotators up to whom presence is a full table
MOST_CELLS = 60_000_000  # of the tables of who met whom


@dataclass(frozen=True, eq=False)
class Presence:
    """Who scored which item: the rows of a table that do not change when items count otherwise."""

    item: IntArray  # (N,)
    kept: IntArray  # (N,) the annotator
    score: FloatArray  # (N,)
    n_items: int
    n_kept: int

    @cached_property
    def answered(self) -> IntArray:
        """(items,) how many scores each has."""
        return np.bincount(self.item, minlength=self.n_items)

    @cached_property
    def sizes(self) -> IntArray:
        """The numbers of scores that occur."""
        return np.unique(self.answered[self.answered > 0])

    @cached_property
    def group(self) -> IntArray:
        """(items,) the place of its number of scores among those that occur."""
        return np.searchsorted(self.sizes, self.answered)

    @cached_property
    def total(self) -> FloatArray:
        """(items,) the sum of its scores."""
        return add_up(self.item, self.score, self.n_items)

    @cached_property
    def squared(self) -> FloatArray:
        """(items,) the sum of the squares of its scores."""
        return add_up(self.item, self.score**2, self.n_items)

    @cached_property
    def table(self) -> Any:
        """(items × annotators) 1 where one scored the other: in full where annotators are few, else sparse."""
        if self.n_kept <= FULL_WIDTH:
            full = np.zeros((self.n_items, self.n_kept))
            full[self.item, self.kept] = 1.0
            return full
        from scipy.sparse import csr_array

        return csr_array((np.ones(len(self.item)), (self.item, self.kept)), shape=(self.n_items, self.n_kept))

    @cached_property
    def rows_of_size(self) -> list[IntArray]:
        """The items of each number of scores."""
        order = np.argsort(self.group, kind="stable")
        ends = np.cumsum(np.bincount(self.group, minlength=len(self.sizes)))
        return [order[first:last] for first, last in zip([0, *ends[:-1]], ends, strict=True)]

    def common(self, place: int, number: FloatArray | None) -> FloatArray:
        """(annotators, annotators) on how many items with a number of scores each two met."""
        items = self.rows_of_size[place]
        part = self.table if len(self.sizes) == 1 else self.table[items]
        if number is None:
            found = part.T @ part
        else:
            weight = number[items] if len(self.sizes) > 1 else number
            found = part.T @ (
                part * weight[:, None] if isinstance(part, np.ndarray) else part.multiply(weight[:, None])
            )
        return np.asarray(found if isinstance(found, np.ndarray) else found.toarray(), dtype=np.float64)

    def within(self, table: FloatArray) -> FloatArray:
        """(items,) the sum of a table of annotators × annotators over every two who scored the item."""
        if isinstance(self.table, np.ndarray):
            return np.asarray(np.einsum("ij,ij->i", self.table @ table, self.table))
        return np.asarray(self.table.multiply(self.table @ table).sum(axis=1)).ravel()


class ItemModel(MixedModel):
    """A criterion of items that may each count any number of times."""

    def __init__(self, presence: Presence, number: FloatArray | None = None) -> None:
        self.presence, self.sizes = presence, presence.sizes
        group, groups = presence.group, len(presence.sizes)
        counted = (np.ones(presence.n_items) if number is None else number) * (presence.answered > 0)
        self.items = add_up(group, counted, groups)
        self.totals = add_up(group, counted * presence.total, groups)
        self.squared_totals = add_up(group, counted * presence.total**2, groups)
        self.squares = float(counted @ presence.squared)
        self.n_scores = round(float(self.items @ presence.sizes))

    @property
    def by_item(self) -> ItemModel:
        """This one."""
        return self

    def of_items(self, number: FloatArray) -> ItemModel | None:
        """The same where items count so often; None of fewer than two, or where nothing differs."""
        if (number > 0).sum() < 2:
            return None
        found = type(self)(self.presence, number)
        return found if found.squares - float(found.totals.sum()) ** 2 / found.n_scores > 0 else None

    @abstractmethod
    def by_unit(self, variances: FloatArray) -> FloatArray:
        """(items,) the derivative of the criterion by how often each item counts."""


class EliminatedItems(ItemModel):
    """The criterion of items × annotators with gaps, each item any number of times; λ of items, then of annotators."""

    def __init__(self, presence: Presence, number: FloatArray | None = None) -> None:
        super().__init__(presence, number)
        self.n_kept = kept = presence.n_kept
        groups = len(presence.sizes)
        row = np.ones(len(presence.item)) if number is None else number[presence.item]
        place = presence.group[presence.item] * kept + presence.kept
        of_item = presence.total[presence.item]
        self.by_kept = add_up(place, row * of_item, groups * kept).reshape(groups, kept)
        self.common = np.stack([presence.common(one, number) for one in range(groups)])
        self.often = np.diagonal(self.common, axis1=1, axis2=2)
        self.kept_totals = add_up(presence.kept, row * presence.score, kept)

    @property
    def size(self) -> int:
        """Items, annotators, what is left over."""
        return 3

    @property
    def quick(self) -> bool:  # type: ignore[override]
        """Of few annotators."""
        return self.n_kept <= FOLLOWED

    @property
    def equations(self) -> int:
        """The annotators."""
        return self.n_kept

    def pieces(self, ratios: FloatArray) -> LikelihoodParts:
        """Henderson's equations with the items eliminated."""
        return self.solved(ratios).pieces

    def solved(self, ratios: FloatArray) -> Solved:
        """The equations solved at some ratios."""
        item, kept = float(ratios[0]), float(ratios[1])
        sizes = self.sizes
        shrink = 1 / (1 + sizes * item)
        taken = item * shrink
        left = np.diag(self.often.sum(0)) - np.tensordot(taken, self.common, 1)
        inverse, log_volume = _inverted(np.eye(len(left)) + kept * left)
        by_score, by_one = self.kept_totals - taken @ self.by_kept, shrink @ self.often
        of_score, of_one = inverse @ by_score, inverse @ by_one
        ones = float((self.items * sizes) @ shrink) - kept * float(by_one @ of_one)
        cross = float(self.totals @ shrink) - kept * float(by_one @ of_score)
        squares = self.squares - float(taken @ self.squared_totals) - kept * float(by_score @ of_score)
        mean = cross / ones if ones > 0 else math.nan  # rounding has made the equations singular
        effect = of_score - mean * of_one  # of each annotator, over λ
        pieces = LikelihoodParts(
            float(self.items @ np.log1p(sizes * item)) + log_volume, ones, squares - cross * mean, mean,
            np.array([self._by_item_volume(inverse, shrink, kept), float((inverse * left).sum())]),
            -np.array([self._item_squares(of_one, shrink, kept, None), float(of_one @ of_one)]),
            -np.array([self._item_squares(effect, shrink, kept, mean), float(effect @ effect)]),
        )  # fmt: skip
        return Solved(pieces, inverse, of_one, effect)

    def _by_item_volume(self, inverse: FloatArray, shrink: FloatArray, kept: float) -> float:
        inside = np.tensordot(self.common, inverse, 2)
        return float((self.items * self.sizes) @ shrink - kept * (shrink**2 @ inside))

    def _item_squares(self, effect: FloatArray, shrink: FloatArray, kept: float, mean: float | None) -> float:
        """Σ over items of (1ᵀ V₀⁻¹ x)², of x the scores less their mean, or of x = 1 where no mean is given."""
        sizes = self.sizes
        if mean is None:
            squared, by_kept = self.items * sizes**2, sizes[:, None] * self.often
        else:
            squared = self.squared_totals - 2 * mean * sizes * self.totals + mean**2 * sizes**2 * self.items
            by_kept = self.by_kept - mean * sizes[:, None] * self.often
        met = np.einsum("gij,i,j->g", self.common, effect, effect)
        return float(shrink**2 @ (squared - 2 * kept * (by_kept @ effect) + kept**2 * met))

    def by_unit(self, variances: FloatArray) -> FloatArray:
        """By what items add to the equations solved there."""
        rest, held = float(variances[-1]), self.presence
        ratios = variances[:-1] / rest
        item, kept = float(ratios[0]), float(ratios[1])
        at = self.solved(ratios)
        answered = held.answered.astype(np.float64)
        taken = item / (1 + answered * item)
        volume = add_up(held.item, np.diagonal(at.inverse)[held.kept], held.n_items) - taken * held.within(at.inverse)
        found: FloatArray = answered * np.log(2 * np.pi * rest) + np.log1p(answered * item) + kept * volume
        for left, scale in (
            (1 - kept * at.of_one[held.kept], at.pieces.ones),
            (held.score - at.pieces.mean - kept * at.effect[held.kept], rest),
        ):
            squares, total = add_up(held.item, left**2, held.n_items), add_up(held.item, left, held.n_items)
            found += (squares - taken * total**2) / scale
        return found


@dataclass(frozen=True, eq=False)
class Solved:
    """The pieces of the criterion, and what they came from."""

    pieces: LikelihoodParts
    inverse: FloatArray  # (annotators, annotators)
    of_one: FloatArray
    effect: FloatArray  # of each annotator, over λ


def _inverted(matrix: FloatArray) -> tuple[FloatArray, float]:
    """The inverse of a positive definite matrix, and the log of its determinant."""
    lower = np.linalg.cholesky(matrix)
    half = np.linalg.inv(lower)
    return np.asarray(half.T @ half), 2 * float(np.log(np.diagonal(lower)).sum())
