"""Evidence: what a method ends with, and how the answers of an item turn into its label with it.

Every method for labels ends with one table: what each cell (an annotator giving an answer) says for each label. A
model's table holds log-likelihoods and its soft labels are a *posterior*: what is so. A vote's table holds weights, and
its soft labels are *vote shares*: what people say. The two are different things and keep different names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from accord.annotations.arrays import LOG_ZERO, BoolArray, FloatArray, IntArray
from accord.annotations.majority_rule import leads
from accord.consensus.ballots import Ballots

Softness: TypeAlias = Literal["posterior", "vote share", "weighted vote share"]
NARROW = 32  # labels


@dataclass(frozen=True, eq=False)
class LabelEvidence:
    """What each cell says for each label: a table, or the weight of a vote for itself.

    GLAD's evidence is of the second kind: its weights grow with the ease of the item, beside a part that does not.
    """

    softness: Softness
    offset: FloatArray  # (C,) log shares of the labels; zero for votes
    table: FloatArray | None = None  # (cells, C)
    weights: FloatArray | None = None  # (annotators,) of a vote for itself; None with no table: one each
    points: FloatArray | None = None  # (K, C) what an answer votes for, where it is not one label: ranked answers
    ease: FloatArray | None = None  # (items,) factor of `weights`
    fixed: float = 0.0  # added to each weight without the factor
    known: IntArray | None = None  # (items,) the label where it is known, else −1
    taught: FloatArray | None = None  # (cells, C) what each cell says less per unit of posterior, its item left out

    @property
    def models(self) -> bool:
        """Is this a model of how answers come about, rather than a vote?"""
        return self.softness == "posterior"

    def sums(self, ballots: Ballots, begin: int, end: int) -> FloatArray:
        """(items, C): the evidence on some items, known labels aside."""
        if self.table is not None:
            total = ballots.over_cells(begin, end, self.table)
        else:
            if self.points is None:
                total = ballots.votes(begin, end, self.weights)
            else:
                total = ballots.voted(begin, end, self.weights) @ self.points
            if self.ease is not None:
                total *= self.ease[begin:end, None]
            if self.fixed:
                total += self.fixed * ballots.votes(begin, end, None)
        total += self.offset
        return total

    def of_entries(self, ballots: Ballots, begin: int, end: int) -> FloatArray:
        """(entries, C): what each answer on some items says, without the offset; log 0 is cut at a floor."""
        cell, often = ballots.entries(begin, end)
        if self.table is not None:
            log_evidence = np.maximum(self.table, LOG_ZERO).take(cell, axis=0)
            if ballots.counts is not None:
                log_evidence *= often[:, None]
            return log_evidence
        person, answer = np.divmod(cell, ballots.n_answers)
        weight = np.ones(len(cell)) if self.weights is None else self.weights[person]
        if self.ease is not None:
            weight = weight * self.ease[begin:end][ballots.entry_items(begin, end)]
        if self.points is not None:
            return np.asarray(self.points[answer] * (weight * often)[:, None])
        total = np.zeros((len(cell), len(self.offset)))
        total[np.arange(len(cell)), answer] = (weight + self.fixed) * often
        return total

    def soft(self, ballots: Ballots, begin: int, end: int) -> tuple[FloatArray, FloatArray]:
        """(items, C) soft labels of some items, and (items,) their log-likelihoods (votes: the total weight)."""
        total = self.sums(ballots, begin, end)
        if not self.models:
            return self._shares(total, begin, end)
        if self.known is not None:
            pin(total, self.known[begin:end], -np.inf)
        if self.taught is None:
            return softmax(total)
        soft, log_weight = softmax(total.copy())
        soft *= ballots.over_cells(begin, end, self.taught)
        soft += total
        return softmax(soft)[0], log_weight

    def _shares(self, total: FloatArray, begin: int, end: int) -> tuple[FloatArray, FloatArray]:
        weight = row_sums(total)
        with np.errstate(invalid="ignore"):
            total /= weight[:, None]
        if self.known is not None:
            known = self.known[begin:end]
            pinned = np.nonzero(known >= 0)[0]
            total[pinned] = 0.0
            total[pinned, known[pinned]] = 1.0
        return total, weight

    def all(self, ballots: Ballots) -> FloatArray:
        """(items, C): the soft labels of every item."""
        parts = list(ballots.each(lambda begin, end: self.soft(ballots, begin, end)[0]))
        return np.concatenate(parts) if parts else np.empty((0, len(self.offset)))


def softmax(total: FloatArray) -> tuple[FloatArray, FloatArray]:
    """In place: log weights to shares; and the log of what they were divided by."""
    top = largest(total)
    top[~np.isfinite(top)] = 0.0
    total -= top[:, None]
    np.exp(total, out=total)
    weight = row_sums(total)
    total /= weight[:, None]
    return total, np.log(weight) + top


def largest(table: FloatArray) -> FloatArray:
    """The largest number of each row: column by column, which for few columns is several times faster than by row."""
    if table.shape[1] > NARROW:
        return np.asarray(table.max(axis=1))
    top = table[:, 0].copy()
    for column in range(1, table.shape[1]):
        np.maximum(top, table[:, column], out=top)
    return top


def pin(total: FloatArray, known: IntArray, nothing: float) -> None:
    """In place: only the known label of an item stays possible."""
    pinned = np.nonzero(known >= 0)[0]
    if len(pinned):
        kept = total[pinned, known[pinned]]
        total[pinned] = nothing
        total[pinned, known[pinned]] = kept


def row_sums(table: FloatArray) -> FloatArray:
    """The sum of each row, likewise; not by a matrix product, whose own threads would fight with ours."""
    if table.shape[1] > NARROW:
        return np.asarray(table.sum(axis=1))
    total = table[:, 0].copy()
    for column in range(1, table.shape[1]):
        total += table[:, column]
    return total


def column_sums(table: FloatArray) -> FloatArray:
    """The sum of each column, row by row as `sum` adds them, in a quarter of its time."""
    return np.asarray(np.einsum("ij->j", table))


@dataclass(frozen=True, eq=False)
class Choices:
    """One label per item, or −1; its confidence; and for the undecided the labels that are tied."""

    code: IntArray  # (items,) position of the label, −1 undecided
    confidence: FloatArray  # (items,) its posterior or vote share
    open_items: IntArray  # (U,) the undecided items
    tied: BoolArray  # (U, C) which labels are tied there; none where nothing speaks for any


def settle(soft: FloatArray) -> tuple[IntArray, FloatArray, IntArray, BoolArray]:
    """The label of each row, its share, and the rows where two are tied (or nothing is known) with the tied
    labels.
    """
    code = soft.argmax(axis=1)
    top = soft[np.arange(len(soft)), code]
    tied = leads(soft, top[:, None])
    undecided = np.nonzero(tied.sum(axis=1) != 1)[0]
    code[undecided] = -1
    return code, top, undecided, tied[undecided]


def choose(ballots: Ballots, evidence: LabelEvidence) -> Choices:
    """The label of each item, block by block: the soft labels are never held whole."""

    def work(begin: int, end: int) -> tuple[Any, ...]:
        soft = evidence.soft(ballots, begin, end)[0]
        missing = np.diff(ballots.starts[begin : end + 1]) == 0
        if evidence.known is not None:
            missing &= evidence.known[begin:end] < 0
        soft[missing] = np.nan  # nobody answered: whatever the shares of the labels, nothing is known of the item
        code, top, undecided, tied = settle(soft)
        return code.astype(np.int32), top, undecided + begin, tied

    parts = list(ballots.each(work))
    if not parts:
        nothing = np.empty(0, dtype=np.int64)
        return Choices(nothing, np.empty(0), nothing, np.empty((0, len(evidence.offset)), dtype=np.bool_))
    code, top, undecided, tied = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return Choices(code, top, undecided, tied)


def votes(ballots: Ballots, weights: FloatArray | None = None, known: IntArray | None = None) -> LabelEvidence:
    """Every answer a vote for itself, of weight one or of its annotator's weight."""
    softness: Softness = "vote share" if weights is None else "weighted vote share"
    return LabelEvidence(softness, np.zeros(ballots.n_answers), weights=weights, known=known)
