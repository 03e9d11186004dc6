"""Pairs of annotators on the items both answered, pattern by pattern."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up
from accord.annotations.tally import Tally
from accord.errors import MeasureError, some_annotators

DENSE_PAIRS = 4_000_000
MOSTLY_THERE = 2  # times the pairs of answers: a table of all that might be is no longer
MOST_ANSWER_PAIRS = 10_000_000  # of two annotators to a kind of item: a gigabyte


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
        number_of_answer_pairs(tally)
        who, people = tally.annotator, max(len(tally.annotators), 1)
        blocks = list(tally.pairs())
        left, right = blocks[0] if len(blocks) == 1 else _joined(blocks)
        keys, pair = _distinct(who.take(left) * people + who.take(right), people * people)
        first, second = np.divmod(keys, people)
        answer = tally.answer
        return cls(tally.pattern.take(left), pair, answer.take(left), answer.take(right), first, second)

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


def _joined(blocks: Sequence[tuple[IntArray, IntArray]]) -> tuple[IntArray, IntArray]:
    """All blocks of pairs, one after the other."""
    left, right = ([block[end] for block in blocks] or [np.empty(0, np.int64)] for end in (0, 1))
    return np.concatenate(left), np.concatenate(right)


@dataclass(frozen=True, eq=False)
class AnswerPairTable:
    """The same as a table of pairs × patterns, for few annotators who share most items."""

    counts: FloatArray  # (J, K, K) how often the two of each pair gave each two answers
    code: IntArray  # (J, P) the pair and the two answers as one number; which answers, counted from 1, 0 for none

    @classmethod
    def of(cls, tally: Tally, n_answer_pairs: int) -> AnswerPairTable | None:
        """All pairs that have an item in common, where items count alike; None where it would be far longer than
        the pairs of answers are.
        """
        assert tally.annotator is not None
        people, patterns, base = len(tally.annotators), len(tally), len(tally.answers) + 1
        every = people * (people - 1) // 2
        longest = MOSTLY_THERE * n_answer_pairs
        if not n_answer_pairs or tally.weight is not None or every * max(patterns, base**2) > longest:
            return None
        answer_codes = np.zeros((people, patterns), dtype=np.int64)
        answer_codes.ravel()[tally.annotator * patterns + tally.pattern] = tally.answer + 1
        if np.count_nonzero(answer_codes) < len(tally.answer) or not (tally.items > 0).all():
            return None  # somebody has two answers there, or nobody shows the pattern
        pairs = [(one, other) for one in range(people) for other in range(one + 1, people)]
        code = np.concatenate([answer_codes[one] for one, _ in pairs]).reshape(every, patterns)
        code *= base
        code += np.concatenate([answer_codes[other] for _, other in pairs]).reshape(every, patterns)
        code += np.arange(0, every * base**2, base**2)[:, None]
        items = np.broadcast_to(tally.items.astype(np.float64), code.shape).ravel()
        counts = add_up(code.ravel(), items, every * base**2).reshape(every, base, base)[:, 1:, 1:]
        there = counts.any((1, 2))
        if not there.all():
            before = np.cumsum(~there)[there]  # pairs without a common item
            counts, code = counts[there], code[there] - (before * base**2)[:, None]
        return cls(counts, code)

    def total(self, alike: FloatArray, items: IntArray | FloatArray) -> FloatArray:
        """(J,) how alike (K, K) the two answers of each pair are, over all items; in the order of the patterns."""
        if not (alike % 1).any():  # the same or not: whole numbers
            total: FloatArray = (self.counts * alike).sum((1, 2))
            return total
        every = self._by_code(np.broadcast_to(alike, self.counts.shape))
        return np.cumsum(every * items, axis=1)[:, -1]

    def per_pattern(self, by_answers: FloatArray) -> FloatArray:
        """(P,) what each pair has by its two answers (J, K, K), added up over the pairs that share it."""
        total: FloatArray = self._by_code(by_answers).sum(0)
        return total

    def _by_code(self, by_answers: FloatArray) -> FloatArray:
        """(J, P) what each pair has by its two answers; nothing where one of them is missing."""
        pairs, size, _ = by_answers.shape
        found = np.zeros((pairs, size + 1, size + 1))
        found[:, 1:, 1:] = by_answers
        return found.take(self.code)


def number_of_answer_pairs(tally: Tally) -> int:
    """A row for every two answers to an item: as many as annotators squared, gigabytes for a small survey."""
    answers = np.diff(tally.starts)
    pairs = int((answers * (answers - 1) // 2).sum())
    if pairs > MOST_ANSWER_PAIRS:
        raise MeasureError(
            f"There are {pairs:,} pairs of answers that two annotators gave to one item, and at most "
            f"{MOST_ANSWER_PAIRS:,} are held in memory. Use a coefficient that pools annotators, such as Fleiss' "
            "kappa, or fewer of them: ",
            some_annotators(),
            ".",
        )
    return pairs


def _distinct(keys: IntArray, size: int) -> tuple[IntArray, IntArray]:
    """Distinct keys in order, and the place of each; through a table where that is small."""
    if size > DENSE_PAIRS:
        return np.unique(keys, return_inverse=True)
    seen = np.bincount(keys, minlength=size) > 0
    return np.nonzero(seen)[0], (np.cumsum(seen) - 1).take(keys)
