"""Pairs of annotators on the items both answered, pattern by pattern."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up
from accord.annotations.tally import Tally
from accord.errors import MeasureError, some_annotators

DENSE_PAIRS = 4_000_000
MOST_MEETINGS = 10_000_000  # of two annotators on a kind of item: a gigabyte


@dataclass(frozen=True, eq=False)
class AnnotatorPairs:
    """One row per pattern and pair of annotators: who, and what each answered. The first comes before the second."""

    pattern: IntArray  # (M,)
    pair: IntArray  # (M,) position in first, second
    first_answer: IntArray  # (M,) the first's answer
    second_answer: IntArray  # (M,) the second's answer
    first: IntArray  # (J,)
    second: IntArray  # (J,)

    @classmethod
    def of(cls, tally: Tally) -> AnnotatorPairs:
        """All pairs in a named tally; pairs without a common item are left out."""
        assert tally.annotator is not None
        _refuse_too_many(tally)
        who, people = tally.annotator, max(len(tally.annotators), 1)
        blocks = list(tally.pairs())
        left = np.concatenate([block[0] for block in blocks]) if blocks else np.empty(0, np.int64)
        right = np.concatenate([block[1] for block in blocks]) if blocks else np.empty(0, np.int64)
        keys, pair = _distinct(who[left] * people + who[right], people * people)
        first, second = np.divmod(keys, people)
        return cls(tally.pattern[left], pair, tally.answer[left], tally.answer[right], first, second)

    def __len__(self) -> int:
        return len(self.first)

    def common(self, items: IntArray | FloatArray) -> FloatArray:
        """(J,) how many items both of a pair answered."""
        return add_up(self.pair, items[self.pattern], len(self))

    def answers(self, items: IntArray | FloatArray, size: int) -> tuple[FloatArray, FloatArray]:
        """(J, K) what the first and the second of each pair answered on their common items."""
        weight = items[self.pattern]
        return tuple(  # type: ignore[return-value]
            add_up(self.pair * size + answer, weight, len(self) * size).reshape(len(self), size)
            for answer in (self.first_answer, self.second_answer)
        )

    def mean(self, values: FloatArray, items: IntArray | FloatArray) -> FloatArray:
        """(J,) the mean of a value of each row, over a pair's common items."""
        total = add_up(self.pair, values * items[self.pattern], len(self))
        return total / self.common(items)


def _refuse_too_many(tally: Tally) -> None:
    """A row for every two answers to an item: as many as annotators squared, gigabytes for a small survey."""
    answers = np.diff(tally.starts)
    meetings = int((answers * (answers - 1) // 2).sum())
    if meetings > MOST_MEETINGS:
        raise MeasureError(
            f"Two annotators met on an item {meetings:,} times, and at most {MOST_MEETINGS:,} such meetings are held "
            "in memory. Use a coefficient that pools annotators, such as Fleiss' kappa, or fewer of them: ",
            some_annotators(),
            ".",
        )


def _distinct(keys: IntArray, size: int) -> tuple[IntArray, IntArray]:
    """Distinct keys in order, and the place of each; through a table where that is small."""
    if size > DENSE_PAIRS:
        return np.unique(keys, return_inverse=True)
    seen = np.bincount(keys, minlength=size) > 0
    return np.nonzero(seen)[0], (np.cumsum(seen) - 1)[keys]
