"""Majority: the label with the most answers, a tie unless somebody says how to break it; and a vote weighted by it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from accord.annotations.arrays import FloatArray, IntArray, divide
from accord.annotations.majority_rule import leads
from accord.consensus.ballots import Ballots
from accord.consensus.evidence import Choices, LabelEvidence, choose, largest, row_sums, votes
from accord.consensus.method_outcome import Options, Outcome
from accord.engine.annotations_protocol import Annotations

ROOM = 8  # places in the table for each answer
ROWS = 1 << 18  # at a time
BLOCK = 65_536  # items whose counts stay in the cache
MOST_PLACES = 100_000_000
TIES = ("undecided", "first", "random", "expert-index")
SET_TIES = ("undecided", "absent", "random", "expert-index")


def majority(ballots: Ballots, options: Options) -> Outcome:
    """Each answer one vote (repeats are answers).

    `ties`: "undecided" (the default), "first" (the first label of the scale among the tied ones, as many packages do
    without saying), "random", "expert-index" (the tied label whose voters were more often with a strict majority
    elsewhere; still undecided if that is tied too), and for sets "absent" (a tied label is not given).
    """
    evidence = votes(ballots, known=options.known)
    choices = choose(ballots, evidence)
    if options.ties == "undecided" or not len(choices.open_items):
        return Outcome(ballots, evidence, choices)
    return Outcome(ballots, evidence, broken(ballots, evidence, choices, options))


def worker_agreement(ballots: Ballots, options: Options) -> Outcome:
    """Majority; each annotator's share of answers that are the majority's; a vote weighted with it.

    One pass, no model. Where labels are tied in the first vote, an answer among them counts as one over their number,
    so that no label is favoured by its place in the scale. An annotator who never was with the majority has no weight.
    """
    first = votes(ballots, known=options.known)

    def work(begin: int, end: int) -> tuple[FloatArray]:
        shares = first.soft(ballots, begin, end)[0]
        winners = leads(shares, largest(shares)[:, None]).astype(np.float64)
        winners /= np.maximum(row_sums(winners), 1.0)[:, None]
        return (ballots.hits(begin, end, winners),)

    (hits,) = ballots.total_of(work)
    skill = np.nan_to_num(divide(hits, ballots.answered))
    return Outcome.of(
        ballots, votes(ballots, skill, options.known), weights=skill, weights_are="agreement with the majority"
    )


def counted_majority(annotations: Annotations) -> Outcome | None:
    """The same without ballots, where every item's answers can be counted in one table; None where that is too large.

    Ties stay undecided. Of three million answers
    counting takes a third of what ballots take, 0.02 s for 0.06.
    """
    coded = annotations.to_memory()
    if coded.grid is not None or coded.count is not None or coded.item is None or coded.answer is None:
        return None
    labels, items = len(coded.answers), coded.n_items
    if not labels or labels * items > min(ROOM * len(coded.item) + BLOCK, MOST_PLACES):
        return None
    counts = _counts(coded.item, coded.answer, labels, items)
    parts = [_most(counts[:, begin : begin + BLOCK]) for begin in range(0, items, BLOCK)]
    code, top, number, tie = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    open_items = np.nonzero(tie)[0]
    tied = (counts[:, open_items] == top[open_items]).T & (number[open_items] > 0)[:, None]
    code[open_items] = -1
    choices = Choices(code, divide(top, number), open_items, tied)
    evidence = LabelEvidence("vote share", np.zeros(labels))
    return Outcome(partial(Ballots.of, coded), evidence, choices)


def _counts(item: IntArray, answer: IntArray, labels: int, items: int, kind: Any = np.int16) -> npt.NDArray[Any]:
    """(labels, items) how often each label was given; in small integers, and some rows at a time: memory is slow."""
    counts = np.zeros(labels * items, dtype=kind)
    for begin in range(0, len(item), ROWS):
        place = answer[begin : begin + ROWS] * np.int64(items)
        place += item[begin : begin + ROWS]
        np.add.at(counts, place, kind(1))
    if kind is np.int16 and int(counts.sum(dtype=np.int64)) < len(item):  # some number did not fit
        return _counts(item, answer, labels, items, np.int32)
    return counts.reshape(labels, items)


def _most(counts: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], ...]:
    """Of each column: the place of the largest number, it, the sum, and whether another is as large, or all are 0.

    A number and its place are one integer, so that the largest tells both: of equal numbers once the first place, and
    once the last.
    """
    size = len(counts)
    largest = (int(counts.max(initial=0)) + 1) * size
    counts = counts.astype(np.int16 if largest < 2**15 else np.int64)  # the smaller, the more at once
    place = np.arange(size, dtype=counts.dtype)[:, None]
    number = counts.sum(0, dtype=counts.dtype)
    counts *= size
    counts += place
    last = counts.max(0)
    counts += size - 1 - 2 * place
    top, rest = np.divmod(counts.max(0), counts.dtype.type(size))
    code = size - 1 - rest
    return code.astype(np.int32), top, number, (last != top * size + code) | (number == 0)


def broken(ballots: Ballots, evidence: LabelEvidence, choices: Choices, options: Options) -> Choices:
    """The same with ties broken as asked."""
    tied = choices.tied.astype(np.float64)
    if options.ties == "random":
        tied *= (options.rng or np.random.default_rng(0)).random(tied.shape)
    elif options.ties == "expert-index":
        tied *= _backing(ballots, choices, with_the_majority(ballots, evidence))
    elif options.ties == "absent":
        tied[:, 1:] = 0.0  # of no and yes, no
    code = tied.argmax(axis=1)
    top = tied[np.arange(len(tied)), code]
    if options.ties == "expert-index":
        code[(tied >= top[:, None]).sum(axis=1) > 1] = -1
    code[~choices.tied.any(axis=1)] = -1
    decided = choices.code.copy()
    decided[choices.open_items] = code
    still = code < 0
    return replace(choices, code=decided, open_items=choices.open_items[still], tied=choices.tied[still])


def with_the_majority(ballots: Ballots, evidence: LabelEvidence) -> FloatArray:
    """(annotators,): how many of their answers are the label of more than half of the item's answers."""

    def work(begin: int, end: int) -> tuple[FloatArray]:
        strict = (evidence.soft(ballots, begin, end)[0] > 0.5).astype(np.float64)
        return (ballots.hits(begin, end, strict),)

    (found,) = ballots.total_of(work)
    return found  # type: ignore[no-any-return]


def _backing(ballots: Ballots, choices: Choices, index: FloatArray) -> FloatArray:
    """(undecided, C): the summed index of those who chose each label, with a little so that nobody's is still a
    vote.
    """
    backing = np.zeros(choices.tied.shape)
    for begin, end in ballots.spans():
        mine = (choices.open_items >= begin) & (choices.open_items < end)
        if mine.any():
            backing[mine] = ballots.votes(begin, end, index)[choices.open_items[mine] - begin]
    return backing + 1.0
