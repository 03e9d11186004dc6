"""Who scores above or below the others once items are allowed for: a least-squares fit of items and annotators.

    score = item + effect of the annotator + rest

Effects sum to zero, so that only differences between annotators count; gaps are normal as long as annotators are linked
by common items. Annotators who are not linked to each other cannot be compared, and make separate groups.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up, divide
from accord.errors import MeasureError, Part, collected, some_annotators
from accord.scores.score_table import ROUNDED
from accord.study.study import Study

MOST_PEOPLE = 1_500  # whose effects are solved for at once
CELLS_AT_ONCE = 8_000_000
SINGULAR = 1e-9  # of the largest eigenvalue


@dataclass(frozen=True, eq=False)
class Rated:
    """Scores one by one: who gave which to which item."""

    item: IntArray  # (N,) from zero
    annotator: IntArray  # (N,)
    value: FloatArray  # (N,)
    n_items: int
    n_annotators: int

    @classmethod
    def of(cls, study: Study, what: Part) -> Rated:
        """The scores of a study; who scored an item more than once has their mean there."""
        if not study._annotations.in_memory:
            raise MeasureError(
                f"{what} needs every score, and these stay in the engine. Collect the frame first.",
                remedies=[collected()],
            )
        item, annotator, answer, count = study._annotations.rows
        value = study.answers.numbers(what)[answer]
        shape = len(study.items), max(len(study.annotators), 1)
        if study._annotations.repeated:
            return cls.merged(item, annotator, value, count, shape)
        return cls(item, annotator, value, *shape)

    @classmethod
    def merged(
        cls,
        item: IntArray,
        annotator: IntArray,
        value: FloatArray,
        count: FloatArray | IntArray,
        shape: tuple[int, int],
    ) -> Rated:
        """Of rows that count so many scores each: who scored an item more than once has their mean there."""
        key, place = np.unique(item * shape[1] + annotator, return_inverse=True)
        often = add_up(place, count, len(key))
        return cls(*np.divmod(key, shape[1]), add_up(place, count * value, len(key)) / often, *shape)

    @cached_property
    def scores(self) -> FloatArray:
        """(items,) how many scores an item has."""
        return np.bincount(self.item, minlength=self.n_items).astype(np.float64)

    @cached_property
    def answers(self) -> FloatArray:
        """(annotators,) how many scores each gave."""
        return np.bincount(self.annotator, minlength=self.n_annotators).astype(np.float64)

    @cached_property
    def rounding(self) -> float:
        """What differences between scores may come to by rounding alone: those no larger are none."""
        return ROUNDED * float(np.abs(self.value).max(initial=0.0))

    def item_mean(self, values: FloatArray) -> FloatArray:
        """(items,) the mean of what rows have."""
        return divide(add_up(self.item, values, self.n_items), self.scores)

    def others_mean(self, values: FloatArray) -> FloatArray:
        """(N,) of each row the mean of the other rows of its item; NaN where there is none."""
        total = add_up(self.item, values, self.n_items)[self.item]
        return divide(total - values, np.maximum(self.scores[self.item] - 1, 0))


@dataclass(frozen=True, eq=False)
class AnnotatorEffects:
    """How far each annotator scores above the others, with errors."""

    rated: Rated
    effect: FloatArray  # (annotators,) NaN where nobody else scored their items
    error: FloatArray  # (annotators,)
    group: IntArray  # (annotators,) who are linked by common items have one number; −1 for nobody to compare with
    inverse: FloatArray  # (annotators, annotators) of the normal equations, items eliminated

    @classmethod
    def of(cls, rated: Rated) -> AnnotatorEffects:
        """Items eliminated, the annotators' equations solved; the rest gives the errors, item by item."""
        several = rated.scores[rated.item] > 1
        if rated.n_annotators > MOST_PEOPLE:
            raise MeasureError(
                f"Severities of {rated.n_annotators:,} annotators are too many to be told at once (at most "
                f"{MOST_PEOPLE:,}). Choose some: ", some_annotators(), ".",
            )  # fmt: skip
        inverse, group = _solved(rated, several)
        mean = rated.item_mean(rated.value)
        right = add_up(rated.annotator, np.where(several, rated.value - mean[rated.item], 0.0), rated.n_annotators)
        effect = np.where(group >= 0, inverse @ right, np.nan)
        found = cls(rated, effect, np.full(rated.n_annotators, np.nan), group, inverse)
        return cls(rated, effect, _errors(found, several), group, inverse)

    @property
    def linked(self) -> bool:
        """Can everybody who shares an item be compared with everybody else?"""
        return len(np.unique(self.group[self.group >= 0])) <= 1

    @cached_property
    def adjusted(self) -> FloatArray:
        """(N,) the scores with the annotators' effects taken off; as they are where these are not known."""
        return self.rated.value - np.nan_to_num(self.effect)[self.rated.annotator]

    @cached_property
    def item_value(self) -> FloatArray:
        """(items,) the mean of the adjusted scores."""
        return self.rated.item_mean(self.adjusted)

    @cached_property
    def rest(self) -> FloatArray:
        """(N,) what neither the item nor the annotator's effect accounts for."""
        return np.asarray(self.adjusted - self.item_value[self.rated.item])

    @cached_property
    def df(self) -> float:
        """Degrees of freedom of the rest."""
        rated = self.rated
        items = int(np.count_nonzero(rated.scores))
        known = self.group[self.group >= 0]
        return len(rated.item) - items - (len(known) - len(np.unique(known)))

    @cached_property
    def variance(self) -> float:
        """Of the rest."""
        return float(self.rest @ self.rest) / self.df if self.df > 0 else np.nan

    @cached_property
    def noise(self) -> FloatArray:
        """(annotators,) the standard deviation of what neither item nor effect accounts for, where others are."""
        rated = self.rated
        several = rated.scores[rated.item] > 1
        who, size = rated.annotator[several], rated.n_annotators
        number = add_up(who, self.left[several], size)
        squares = add_up(who, self.rest[several] ** 2, size)
        return np.sqrt(divide(squares, np.where(number > SINGULAR, number, 0.0)))

    @cached_property
    def left(self) -> FloatArray:
        """(N,) of the variance of a score, what the rest still holds: the item's mean and the effect were fitted to it.

        This is 1 less the leverage of the row, 1 / n + m G mᵀ with m the row of the annotators' equations, items
        eliminated, and G their inverse.
        """
        rated = self.rated
        scored = incidence(rated, np.ones(len(rated.item), dtype=np.bool_))
        left = 1 - divide(1.0, rated.scores)[rated.item]
        order = np.argsort(rated.item, kind="stable")
        for part in parts(rated):
            first, last = np.searchsorted(rated.item[order], (part.start, part.stop))
            rows = order[first:last]
            item, who = rated.item[rows], rated.annotator[rows]
            together = np.asarray(scored[part] @ self.inverse)
            whole = np.asarray(scored[part].multiply(together).sum(axis=1)).ravel()[item - part.start]
            number = rated.scores[item]
            own = self.inverse[who, who]
            left[rows] -= own - 2 * together[item - part.start, who] / number + whole / number**2
        return np.maximum(left, 0.0)

    @cached_property
    def item_error(self) -> FloatArray:
        """(items,) of the adjusted means: noise, and what is not known of the effects of those who scored.

        NaN where somebody scored whose effect is not known at all.
        """
        rated, unsure = self.rated, np.empty(self.rated.n_items)
        scored = incidence(rated, np.ones(len(rated.item), dtype=np.bool_))
        for part in parts(rated):
            whole = np.asarray(scored[part].multiply(scored[part] @ self.inverse).sum(axis=1))
            unsure[part] = divide(whole.ravel(), rated.scores[part] ** 2)
        error = np.sqrt(self.variance * (divide(1.0, rated.scores) + unsure))
        return np.where(self.alone, np.nan, error)

    @cached_property
    def alone(self) -> BoolArray:
        """(items,) scored by somebody who shares no item with anybody: their score is as it was given."""
        return np.bincount(self.rated.item, self.group[self.rated.annotator] < 0, self.rated.n_items) > 0


def incidence(rated: Rated, rows: BoolArray, held: FloatArray | None = None) -> Any:
    """(items × annotators) who scored what, by some of the rows, or what these hold, as SciPy's sparse matrix."""
    from scipy.sparse import csr_array

    cells = np.ones(int(rows.sum())) if held is None else held[rows]
    return csr_array((cells, (rated.item[rows], rated.annotator[rows])), shape=(rated.n_items, rated.n_annotators))


def parts(rated: Rated) -> Iterator[slice]:
    """Items, some at a time."""
    step = max(1, CELLS_AT_ONCE // max(rated.n_annotators, 1))
    for first in range(0, rated.n_items, step):
        yield slice(first, min(first + step, rated.n_items))


def _solved(rated: Rated, several: BoolArray) -> tuple[FloatArray, IntArray]:
    """(R, R) the generalised inverse of the annotators' equations, and who is linked with whom."""
    from scipy.sparse.csgraph import connected_components

    size, who = rated.n_annotators, rated.annotator[several]
    scored = incidence(rated, several)
    share = np.where(rated.scores > 1, 1 / np.maximum(rated.scores, 1), 0.0)
    together = np.asarray((scored.T @ scored.multiply(share[:, None])).todense())
    normal = np.diag(np.bincount(who, minlength=size).astype(np.float64)) - together
    _, group = connected_components(together > 0, directed=False)
    alone = add_up(who, np.ones(len(who)), size) == 0
    values, vectors = np.linalg.eigh(normal)
    kept = values > SINGULAR * max(float(values.max(initial=0.0)), 1.0)
    inverse = (vectors[:, kept] / values[kept]) @ vectors[:, kept].T
    return np.asarray(inverse), np.where(alone, -1, group).astype(np.int64)


def _errors(found: AnnotatorEffects, several: BoolArray) -> FloatArray:
    """(annotators,) from the rest of each item, whatever its spread."""
    rated = found.rated
    if not found.df > 0:
        return np.full(rated.n_annotators, np.nan)
    rest = incidence(rated, several, found.rest)
    squares = np.zeros(rated.n_annotators)
    for part in parts(rated):
        squares += (np.asarray(rest[part] @ found.inverse) ** 2).sum(0)
    compared = int((rated.scores > 1).sum())  # a rest within an item is what errors are made of: none is lost
    scale = compared / (compared - 1) if compared > 1 else np.nan
    return np.where(found.group >= 0, np.sqrt(scale * squares), np.nan)
