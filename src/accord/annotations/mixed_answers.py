"""What somebody says who answers an item more than once: a mixed answer, with a share for each thing they said.

Answers of one person to one item are no agreement between people. So where a study holds repeats, everybody counts once
on an item: who said x twice said x, and who said x once and y once said x by half and y by half. A mixed answer is one
more answer behind those of the scale, and two answers are as alike as one draw from each of them would be on average.
Everything that counts answers then counts people, and nothing else has to know of repeats.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from accord.annotations.answers import Answers, Between
from accord.annotations.arrays import FloatArray, IntArray, add_up, found_at, in_order, totals
from accord.annotations.tally import Tally, ranges

if TYPE_CHECKING:
    from accord.annotations.coded import CodedAnnotations


class Mixture(tuple[tuple[Any, float], ...]):
    """Different answers of one person to one item, each with its share.

    >>> str(Mixture([("no", 0.25), ("yes", 0.75)]))
    '25% no, 75% yes'
    """

    __slots__ = ()

    def __str__(self) -> str:
        return ", ".join(f"{share:.0%} {answer}" for answer, share in self)


@dataclass(frozen=True, eq=False)
class MixedAnswers(Answers):
    """A scale of answers (`whole`), and behind them the mixed answers that somebody gave.

    Mixed answer number m holds `held` with the shares `share` from `starts[m]` to `starts[m + 1]`.
    """

    whole: Answers = field(default_factory=lambda: Answers("single"))
    starts: IntArray = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    held: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    share: FloatArray = field(default_factory=lambda: np.empty(0))

    mixed: ClassVar[bool] = True

    @classmethod
    def behind(cls, whole: Answers, starts: IntArray, held: IntArray, share: FloatArray) -> MixedAnswers:
        """The answers of a scale, and these mixed ones."""
        same = {one.name: getattr(whole, one.name) for one in fields(Answers)}
        return cls(**same, whole=whole, starts=starts, held=held, share=share)

    def __len__(self) -> int:
        return len(self.whole) + len(self.starts) - 1

    def value(self, position: int) -> Any:
        """An answer of the scale, or the parts of a mixed one."""
        if position < len(self.whole):
            return self.whole.value(position)
        part = slice(*self.starts[position - len(self.whole) : position - len(self.whole) + 2])
        parts = zip(self.held[part].tolist(), self.share[part].tolist(), strict=True)
        return Mixture((self.whole.value(held), share) for held, share in parts)

    def relabelled(self, answers: Answers, new: IntArray) -> tuple[MixedAnswers, IntArray]:
        """With answer k of the scale called new[k]; mixed answers keep their shares."""
        behind = len(answers) + np.arange(len(self.starts) - 1)
        return MixedAnswers.behind(answers, self.starts, new[self.held], self.share), np.append(new, behind)

    # -- from mixed answers to those of the scale ---------------------------------------------------------------------

    @property
    def unmixed(self) -> Answers:
        """The answers of the scale."""
        return self.whole

    @cached_property
    def matrix(self) -> Any:
        """(all answers × answers of the scale) the share of each in each, as SciPy's sparse matrix."""
        from scipy.sparse import csr_array

        pure = len(self.whole)
        starts = np.concatenate((np.arange(pure), pure + self.starts))
        columns = np.concatenate((np.arange(pure), self.held))
        shares = np.concatenate((np.ones(pure), self.share))
        return csr_array((shares, columns, starts), shape=(len(self), pure))

    def onto_scale(self, numbers: FloatArray) -> FloatArray:
        """Each part of a mixed answer has its share."""
        rows = numbers.reshape(-1, numbers.shape[-1])
        return np.asarray((self.matrix.T @ rows.T).T).reshape(*numbers.shape[:-1], len(self.whole))

    def mean_of_parts(self, values: FloatArray) -> FloatArray:
        """Their values by their shares."""
        return np.asarray(self.matrix @ values)

    def spread_of_parts(self, values: FloatArray) -> FloatArray:
        """The mean square of how far parts are from their mean."""
        which, held, share = self.parts(np.arange(len(self)))
        return add_up(which, share * (values[held] - self.mean_of_parts(values)[which]) ** 2, len(self))

    def parts(self, positions: IntArray) -> tuple[IntArray, IntArray, FloatArray]:
        """Of a mixed answer all it holds, of another itself."""
        begins = self.matrix.indptr.astype(np.int64)
        sizes = np.diff(begins)[positions]
        entries = ranges(begins[positions], sizes)
        which = np.repeat(np.arange(len(positions)), sizes)
        return which, self.matrix.indices[entries].astype(np.int64), self.matrix.data[entries]

    def pairs_of_parts(self, left: IntArray, right: IntArray) -> tuple[IntArray, IntArray, IntArray, FloatArray]:
        """They meet as often as both shares say."""
        which, one, share = self.parts(left)
        other_pair, other, other_share = self.parts(right)
        sizes = np.bincount(other_pair, minlength=len(right))
        runs = ranges((np.cumsum(sizes) - sizes)[which], sizes[which])  # of the right's parts, for each of the left's
        again = np.repeat(np.arange(len(which)), sizes[which])
        return which[again], one[again], other[runs], share[again] * other_share[runs]

    def mean_between(self, left: IntArray, right: IntArray, between: Between) -> FloatArray:
        """At once where neither is mixed, else over the pairs of their parts."""
        pure = (left < len(self.whole)) & (right < len(self.whole))
        found = np.empty(len(left))
        found[pure] = between(left[pure], right[pure])
        if pure.all():
            return found
        which, one, other, share = self.pairs_of_parts(left[~pure], right[~pure])
        found[~pure] = add_up(which, between(one, other) * share, int((~pure).sum()))
        return found


def unmixed(tally: Tally) -> Tally:
    """The same patterns by the answers of the scale: of a mixed answer each part has its share; `count` may be broken.

    Who gave it is forgotten, and entries of one answer are joined: what is said of two people must be asked before.
    """
    answers = tally.answers
    if not answers.mixed:
        return tally
    entry, answer, share = answers.parts(tally.answer)
    size = max(len(answers.unmixed), 1)
    key, place = np.unique(tally.pattern[entry] * size + answer, return_inverse=True)
    pattern, answer = np.divmod(key, size)
    starts = np.concatenate(([0], np.cumsum(np.bincount(pattern, minlength=len(tally)))))
    count = add_up(place, tally.count[entry] * share, len(key))
    return replace(
        tally, answers=answers.unmixed, starts=starts, answer=answer, count=count, annotator=None, annotators=()
    )


def one_answer_each(annotations: CodedAnnotations) -> CodedAnnotations:
    """The same with one answer of everybody to an item, mixed where somebody gave different ones; cells in order."""
    assert annotations.item is not None
    assert annotations.annotator is not None
    assert annotations.answer is not None
    again, rows = annotations.rows_again.row, annotations.n_rows
    behind: slice | IntArray = slice(rows - len(again))
    if len(again) and again[0] < rows - len(again):  # not all behind the others
        kept = np.ones(rows, dtype=np.bool_)
        kept[again] = False
        behind = np.nonzero(kept)[0]
    first, given, answers = _several_answers(annotations)
    item, annotator, answer = (
        column[behind] for column in (annotations.item, annotations.annotator, annotations.answer)
    )
    if len(first):
        answer = answer.astype(np.promote_types(answer.dtype, np.int32))
        answer[first - np.searchsorted(again, first)] = given
    row = None if annotations.row is None else annotations.row[behind]
    order = _order_of(annotations, behind)
    if order is not None:
        item, annotator, answer, row = item[order], annotator[order], answer[order], None if row is None else row[order]
    return replace(
        annotations, answers=answers, item=item, annotator=annotator, answer=answer, count=None, row=row,
        no_repeats=True,
    )  # fmt: skip


def _several_answers(annotations: CodedAnnotations) -> tuple[IntArray, IntArray, Answers]:
    """The first row of everybody who gave different answers to an item, the mixed answer, and the scale with these."""
    assert annotations.answer is not None
    again, answer = annotations.rows_again, annotations.answer
    first = np.unique(again.first[answer[again.row] != answer[again.first]]).astype(np.int64)
    if not len(first):
        return first, first, annotations.answers
    place = found_at(first, again.first)
    rows = np.concatenate((first, again.row[place >= 0]))
    place = np.concatenate((np.arange(len(first)), place[place >= 0]))
    size = max(len(annotations.answers), 1)
    often = np.ones(len(rows), dtype=np.int64) if annotations.count is None else annotations.count[rows]
    key, number = totals(place * size + answer[rows], often, len(first) * size)
    sizes = np.bincount(key // size, minlength=len(first))
    begins = np.cumsum(sizes) - sizes
    return first, *_mixed(annotations.answers, key % size, number.astype(np.int64), begins, sizes)


def _order_of(annotations: CodedAnnotations, behind: slice | IntArray) -> IntArray | None:
    """The order of these rows by their cells; None where they are in it, as they are where they come item by item."""
    assert annotations.item is not None
    assert annotations.annotator is not None
    item, annotator = annotations.item[behind], annotations.annotator[behind]  # mostly of few bits: quicker than cells
    back, same = item[1:] < item[:-1], item[1:] == item[:-1]
    if not (back | (same & (annotator[1:] < annotator[:-1]))).any():
        return None
    return in_order(annotations.cells(behind), annotations.n_cells)


def _mixed(
    answers: Answers, answer: IntArray, count: IntArray, begins: IntArray, sizes: IntArray
) -> tuple[IntArray, Answers]:
    """The answer of everybody to each item, and the scale with the mixed ones, in an order that names do not change."""
    given = answer[begins].copy()
    starts, held, shares = [0], [np.empty(0, dtype=np.int64)], [np.empty(0)]
    for size in np.unique(sizes[sizes > 1]).tolist():
        who = np.nonzero(sizes == size)[0]
        entries = begins[who][:, None] + np.arange(size)
        often = count[entries]
        often //= np.gcd.reduce(often, axis=1, keepdims=True)  # x twice and y twice is x once and y once
        kinds, place = np.unique(np.concatenate((answer[entries], often), axis=1), axis=0, return_inverse=True)
        given[who] = len(answers) + len(starts) - 1 + place.ravel()
        starts += [starts[-1] + size * (number + 1) for number in range(len(kinds))]
        held.append(kinds[:, :size].ravel())
        shares.append((kinds[:, size:] / kinds[:, size:].sum(axis=1, keepdims=True)).ravel())
    if len(starts) == 1:
        return given, answers
    return given, MixedAnswers.behind(answers, np.array(starts), np.concatenate(held), np.concatenate(shares))
