"""Which items have scores like these: one in a span, a mean in it, two so far apart, or two people's difference."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up
from accord.errors import OptionError
from accord.reporting.item_query import ItemQuery, Span

NEAR = 1e-9  # of a score's own size: how far it may lie from the limit that it is meant to be on
AT_ONCE = 4_000_000  # pairs of scores that are compared in one go


@dataclass(frozen=True, eq=False)
class ItemScores:
    """Scores as codes: one entry per answer."""

    item: IntArray
    annotator: IntArray
    value: FloatArray
    count: IntArray  # how often it was given
    n_items: int

    def like(self, query: ItemQuery, people: list[int]) -> BoolArray:
        """(items,): is all so that a query asks of scores?"""
        found = np.ones(self.n_items, dtype=np.bool_)
        if query.score is not None:
            found &= self._any(within(self.value, query.score))
        if query.mean is not None:
            found &= within(self._means(), query.mean)
        if query.apart is not None:
            found &= self._apart(query.apart)
        if query.less is not None:
            if len(people) != 2:
                raise OptionError.must("less", "be asked of two annotators, who are named", query.annotators)
            found &= within(self._means(people[0]) - self._means(people[1]), query.less)
        return found

    def _any(self, entries: BoolArray) -> BoolArray:
        found = np.zeros(self.n_items, dtype=np.bool_)
        found[self.item[entries]] = True
        return found

    def _means(self, person: int | None = None) -> FloatArray:
        """(items,): the mean score, of everybody or of one; NaN where there is none."""
        mine = np.ones(len(self.item), dtype=np.bool_) if person is None else self.annotator == person
        item, count = self.item[mine], self.count[mine]
        with np.errstate(invalid="ignore"):
            number = add_up(item, count, self.n_items)
            return np.asarray(add_up(item, self.value[mine] * count, self.n_items) / number)

    def _apart(self, span: Span) -> BoolArray:
        """(items,): do two scores lie so far apart? Items with as many scores are compared together."""
        order = np.argsort(self.item, kind="stable")
        item, value = (np.repeat(column[order], self.count[order]) for column in (self.item, self.value))
        starts = np.flatnonzero(np.r_[True, item[1:] != item[:-1]]) if len(item) else np.empty(0, dtype=np.int64)
        sizes = np.diff(np.r_[starts, len(item)])
        found = np.zeros(self.n_items, dtype=np.bool_)
        for size in np.unique(sizes[sizes > 1]).tolist():
            one, other = np.triu_indices(size, 1)
            mine = starts[sizes == size]
            for some in np.array_split(mine, 1 + len(mine) * len(one) // AT_ONCE):
                scores = value[some[:, None] + np.arange(size)]
                found[item[some]] = within(np.abs(scores[:, one] - scores[:, other]), span).any(axis=1)
        return found


def within(value: FloatArray, span: Span) -> BoolArray:
    """Above the first, up to the second, or just there where both are one; NaN is nowhere."""
    low, high = span
    room = NEAR * np.maximum(1.0, np.abs(value))
    above = value >= low - room if low == high else value > low + room
    return np.asarray(above & (value <= high + room))
