"""The one reduced form: every distinct way an item was annotated, and how many items look like that.

A tally is a list of patterns. A pattern lists its entries: which answer, how many annotators gave it and, in a
named tally, who. Patterns are kept by rows, as in a sparse matrix: the entries of pattern p are those from
`starts[p]` to `starts[p + 1]`. So five annotators and five thousand have the same form, and nothing is ever
as large as annotators × items or items × labels.

Coefficients, errors and resamples cost by the number of patterns, not of items. Patterns are in canonical order, so
a seed means the same whatever the order of the rows, and whatever engine made the tally.

Items that were chosen with unequal chances have weights. Patterns are then told apart by the weight as well, and
`items` is what the items of a pattern weigh together: whatever sums over items sums with their weights, unasked. How
many items there are is `units`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from accord.annotations.answers import Answers
from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up, used

DENSE_KEYS = 4_000_000  # patterns × keys up to which they are counted in a table
PAIRS_AT_ONCE = 4_000_000  # pairs of entries expanded in one go; bounds memory, not results


@dataclass(frozen=True, eq=False)
class Crossed:
    """How many items show a pattern and have some values in other columns: what an engine tells of items it keeps."""

    pattern: IntArray  # (M,)
    number: IntArray  # (M,)
    values: tuple[list[Any], ...]  # for each column (M,), None where it says nothing of the item

    def onto(self, place: IntArray) -> Crossed:
        """With patterns renumbered; those that are gone (−1) left out."""
        pattern = place[self.pattern]
        kept = np.nonzero(pattern >= 0)[0].tolist()
        values = tuple([cells[at] for at in kept] for cells in self.values)
        return Crossed(pattern[kept], self.number[kept], values)

    def keyed(self, key: IntArray, kinds: int) -> Crossed:
        """With pattern · kinds + key, of the first column, as the pattern; without the rows whose key is −1."""
        kept = np.nonzero(key >= 0)[0]
        values = tuple([cells[at] for at in kept.tolist()] for cells in self.values[1:])
        return Crossed(self.pattern[kept] * kinds + key[kept], self.number[kept], values)


@dataclass(frozen=True, eq=False)
class Located:
    """The pattern of every item, worked out."""

    patterns: IntArray

    def __call__(self) -> IntArray:
        """The patterns."""
        return self.patterns


@dataclass(frozen=True)
class RareAnswers:
    """Where most items hold nothing but the commonest answer: what there is besides, on which the value then hangs."""

    commonest: Any
    items: int  # with two answers or more, and an answer other than the commonest
    agreed: int  # of these, how many have two answers alike that are not the commonest
    of: int  # items with two answers or more


@dataclass(frozen=True, eq=False)
class Tally:
    """Patterns of answers and how many items show each; made by `CodedAnnotations.tally`.

    `annotator` is None in an anonymous tally. `locate` tells the pattern of every item of the study, −1 for an item
    that is not in the tally; it is asked only when results are shown item by item.
    """

    answers: Answers
    items: IntArray | FloatArray  # (P,) how many items show each pattern; where items are weighted, their weight
    starts: IntArray  # (P + 1,) where the entries of each pattern begin
    answer: IntArray  # (E,) position of the answer
    count: IntArray | FloatArray  # (E,) how many gave it; broken only where mixed answers were taken apart
    annotator: IntArray | None = None  # (E,) who gave it
    annotators: tuple[str, ...] = ()
    locate: Callable[[], IntArray] | None = None
    key: IntArray | None = None  # (P,) what else tells patterns apart, such as the suggested label
    crossed: Callable[[tuple[str, ...]], Crossed] | None = None  # by columns of a table that stays in its engine
    weight: FloatArray | None = None  # (P,) what one item weighs; None where all count alike

    def __len__(self) -> int:
        return len(self.items)

    def __getstate__(self) -> dict[str, Any]:
        """What goes to another process: no caches, places of items worked out, nothing that an engine keeps."""
        held = {one.name: getattr(self, one.name) for one in fields(self)}
        return {**held, "locate": None if self.locate is None else Located(self.locate()), "crossed": None}

    @cached_property
    def pattern(self) -> IntArray:
        """(E,) the pattern of each entry."""
        return np.arange(len(self)).repeat(self.starts[1:] - self.starts[:-1])

    @cached_property
    def answered(self) -> IntArray:
        """(P,) how many answers an item of each pattern has."""
        return np.rint(self.per_pattern(self.count)).astype(np.int64)

    def each_once(self) -> Self:
        """The same of items that count alike."""
        return replace(self, items=self.units, weight=None)

    @cached_property
    def units(self) -> IntArray:
        """(P,) how many items show each pattern, whatever they weigh."""
        return self._number.astype(np.int64, copy=False)

    @cached_property
    def _number(self) -> IntArray | FloatArray:
        """(P,) the same; of a tally of parts of items, the parts."""
        return self.items if self.weight is None else np.rint(self.items / self.weight)

    @property
    def one(self) -> FloatArray:
        """(P,) what one item of each pattern weighs."""
        return np.ones(len(self)) if self.weight is None else self.weight

    @property
    def squares(self) -> IntArray | FloatArray:
        """(P,) what squares of an item's scores are summed with: its weight counts twice, the number of items once."""
        return self.items if self.weight is None else self.items * self.weight

    @cached_property
    def n_items(self) -> int:
        """Items with at least one answer."""
        return int(self._number.sum())

    @cached_property
    def n_answers(self) -> int:
        """All answers on these items."""
        return int(self._number @ self.answered)

    @cached_property
    def annotators_seen(self) -> int:
        """How many annotators gave at least one answer, or the most answers any item has when nobody is named."""
        if self.annotator is None:
            return int(self.answered.max(initial=0))
        return len(used(self.annotator, len(self.annotators)))

    @cached_property
    def n_compared(self) -> int:
        """Items with two answers or more."""
        return int(self._number @ self.pairable)

    @cached_property
    def pairable(self) -> BoolArray:
        """(P,) has the pattern two answers or more?"""
        return self.answered >= 2

    def per_pattern(self, entries: npt.NDArray[Any]) -> FloatArray:
        """Sum entry values within each pattern."""
        return add_up(self.pattern, entries, len(self))

    def per_answer(self, entries: npt.NDArray[Any]) -> FloatArray:
        """Sum entry values for each answer, over all patterns."""
        return add_up(self.answer, entries, len(self.answers))

    @cached_property
    def shared(self) -> dict[Any, Any]:
        """What coefficients of one tally that differ only in their chance model make once for all of them."""
        return {}

    def rare_answers(self) -> RareAnswers | None:
        """What there is besides the commonest answer; None unless most items hold nothing else."""
        if not len(self.answer):
            return None
        commonest = int(self.per_answer(self.count * self.units[self.pattern]).argmax())
        others = self.answer != commonest
        held = self.per_pattern(self.count * others)
        items = int(self.units @ (held > 0))
        if 2 * items >= self.n_items:
            return None
        if len(self.answers) == 2:  # all others are one
            return RareAnswers(self.answers.value(commonest), items, int(self.units @ (held > 1)), self.n_items)
        pattern, answer, count = self.pattern[others], self.answer[others], self.count[others]
        _, place = np.unique(pattern * len(self.answers) + answer, return_inverse=True)
        alike = add_up(place, count, int(place.max(initial=-1)) + 1)[place] > 1  # people of a named tally together
        agreed = int(self.units[np.unique(pattern[alike])].sum())
        return RareAnswers(self.answers.value(commonest), items, agreed, self.n_items)

    def where(self, keep: BoolArray) -> Tally:
        """Only the patterns that are kept."""
        if keep.all():
            return self
        entries = keep[self.pattern]
        sizes = np.diff(self.starts)[keep]
        place = np.where(keep, np.cumsum(keep) - 1, -1)
        return replace(
            self,
            items=self.items[keep],
            starts=np.concatenate(([0], np.cumsum(sizes))),
            answer=self.answer[entries],
            count=self.count[entries],
            annotator=None if self.annotator is None else self.annotator[entries],
            locate=_relocated(self.locate, place),
            key=None if self.key is None else self.key[keep],
            crossed=_recrossed(self.crossed, place),
            weight=None if self.weight is None else self.weight[keep],
        )

    def split(self, keys: IntArray, kinds: int) -> Tally:
        """Patterns told apart by a key that each item of the study has; items with key −1 are left out."""
        assert self.locate is not None
        pattern = self.locate()
        joint = np.where((pattern >= 0) & (keys >= 0), pattern * kinds + keys, len(self) * kinds)
        if len(self) * kinds <= DENSE_KEYS:
            counted = np.bincount(joint, minlength=len(self) * kinds + 1)[:-1]
            distinct = np.nonzero(counted)[0]
            place = np.full(len(self) * kinds + 1, -1, dtype=np.int64)
            place[distinct] = np.arange(len(distinct))
            return replace(self.keyed(distinct, counted[distinct], kinds), locate=lambda: place[joint])
        distinct, items = np.unique(joint[joint < len(self) * kinds], return_counts=True)
        return replace(
            self.keyed(distinct, items, kinds),
            locate=lambda: np.where(joint < len(self) * kinds, np.searchsorted(distinct, joint), -1),
        )

    def split_by_column(self, column: str, keys: Callable[[list[Any]], IntArray], kinds: int) -> Tally:
        """The same where items stay in an engine: by a column of its table, from whose values `keys` are made."""
        of_columns = self.crossed
        assert of_columns is not None

        def joint(columns: tuple[str, ...]) -> Crossed:
            found = of_columns((column, *columns))
            return found.keyed(keys(found.values[0]), kinds)

        def crossed(columns: tuple[str, ...]) -> Crossed:
            found = joint(columns)
            return replace(found, pattern=np.searchsorted(distinct, found.pattern))

        whole = joint(())
        distinct, place = np.unique(whole.pattern, return_inverse=True)
        items = add_up(place, whole.number, len(distinct)).astype(np.int64)
        return replace(self.keyed(distinct, items, kinds), crossed=crossed)

    def keyed(self, distinct: IntArray, items: IntArray, kinds: int) -> Tally:
        """Patterns told apart by a key: `distinct` are pattern · kinds + key, in order; `items` is how many of each."""
        before, key = np.divmod(distinct, kinds)
        sizes = np.diff(self.starts)[before]
        entries = ranges(self.starts[before], sizes)
        weight = None if self.weight is None else self.weight[before]
        return replace(
            self,
            items=items.astype(np.int64) if weight is None else items * weight,
            starts=np.concatenate(([0], np.cumsum(sizes))),
            answer=self.answer[entries],
            count=self.count[entries],
            annotator=None if self.annotator is None else self.annotator[entries],
            locate=None,
            key=key,
            crossed=None,
            weight=weight,
        )

    def weighted(self, weights: FloatArray) -> Tally:
        """A tally whose keys are kinds of weights, each item counting by its own.

        Their mean over the items that can be compared is one, so that those are as many as they weigh.
        """
        assert self.key is not None
        weight = weights[self.key]
        compared = self.items * self.pairable if self.pairable.any() else self.items
        total = float(compared @ weight)
        weight = weight * (float(compared.sum()) / total) if total else weight
        return replace(self, items=self.items * weight, weight=weight, key=None)

    def without_zeros(self) -> Tally:
        """Entries that nobody gave are gone; patterns stay as they are."""
        given = self.count > 0
        sizes = np.bincount(self.pattern[given], minlength=len(self))
        who = None if self.annotator is None else self.annotator[given]
        starts = np.concatenate(([0], np.cumsum(sizes)))
        return replace(self, starts=starts, answer=self.answer[given], count=self.count[given], annotator=who)

    def without(self, people: BoolArray) -> Tally:
        """A named tally without some annotators' answers; patterns stay as they are, though nobody may be left."""
        assert self.annotator is not None
        return replace(self, count=np.where(people[self.annotator], 0, self.count)).without_zeros()

    def relabelled(self, answers: Answers, new: IntArray) -> Tally:
        """The same patterns with every answer k called new[k] (for merged labels); mixed answers keep their shares."""
        answers, new = self.answers.relabelled(answers, new)
        relabelled = replace(self, answers=answers, answer=new[self.answer])
        relabelled.__dict__.update(pattern=self.pattern, answered=self.answered)  # which are the same, and are kept
        return relabelled

    def anonymous(self) -> Tally:
        """Who said it forgotten; entries of one answer within a pattern become one. Patterns stay as they are."""
        key = self.pattern * len(self.answers) + self.answer
        distinct, place = np.unique(key, return_inverse=True)
        pattern, answer = np.divmod(distinct, max(len(self.answers), 1))
        sizes = np.bincount(pattern, minlength=len(self))
        return replace(
            self,
            starts=np.concatenate(([0], np.cumsum(sizes))),
            answer=answer,
            count=add_up(place, self.count, len(distinct)).astype(np.int64),
            annotator=None,
            annotators=(),
        )

    def pairs(self) -> Iterator[tuple[IntArray, IntArray]]:
        """Every pair of different entries within a pattern, once, as two arrays of entry positions; block by block."""
        ends = self.starts[1:]
        later = ends[self.pattern] - 1 - np.arange(len(self.answer))
        done = np.concatenate(([0], np.cumsum(later)))
        for first, last in blocks(done, PAIRS_AT_ONCE):
            entries = np.arange(first, last)
            left = np.repeat(entries, later[first:last])
            steps = np.arange(len(left)) - np.repeat(done[first:last] - done[first], later[first:last])
            yield left, left + 1 + steps


def ranges(starts: IntArray, sizes: IntArray) -> IntArray:
    """All positions of the runs that begin at `starts` and are `sizes` long, one after another."""
    offsets = np.cumsum(sizes) - sizes
    return np.arange(int(sizes.sum())) - np.repeat(offsets, sizes) + np.repeat(starts, sizes)


def _relocated(locate: Callable[[], IntArray] | None, place: IntArray) -> Callable[[], IntArray] | None:
    """The items' patterns after patterns were renumbered by `place`."""
    if locate is None:
        return None

    def relocate() -> IntArray:
        before = locate()
        return np.where(before >= 0, place[before], -1)

    return relocate


def _recrossed(
    crossed: Callable[[tuple[str, ...]], Crossed] | None, place: IntArray
) -> Callable[[tuple[str, ...]], Crossed] | None:
    """The same after patterns were renumbered by `place`."""
    return None if crossed is None else lambda columns: crossed(columns).onto(place)


def blocks(done: IntArray, size: int) -> Iterator[tuple[int, int]]:
    """Runs of entries whose pairs number about `size`; `done` counts the pairs before each entry."""
    first, entries = 0, len(done) - 1
    while first < entries:
        last = int(np.searchsorted(done, done[first] + size, side="right")) - 1
        last = min(max(last, first + 1), entries)
        yield first, last
        first = last
