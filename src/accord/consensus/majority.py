"""Majority: the label with the most answers; a tie is a tie unless somebody says how to break it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from accord.arrays import FloatArray
from accord.consensus.ballots import Ballots
from accord.consensus.evidence import Choices, Evidence, choose, votes
from accord.consensus.outcome import Ask, Outcome

TIES = ("undecided", "first", "random", "expert-index")
SET_TIES = ("undecided", "absent", "random", "expert-index")


def majority(ballots: Ballots, ask: Ask) -> Outcome:
    """Each answer one vote (repeats are answers).

    `ties`: "undecided" (the default), "first" (the first label of the scale among the level ones, as many packages do
    without saying), "random", "expert-index" (the level label whose voters were more often with a strict majority
    elsewhere; still undecided if that is level too), and for sets "absent" (a level label is not given).
    """
    evidence = votes(ballots, known=ask.known)
    choices = choose(ballots, evidence)
    if ask.ties == "undecided" or not len(choices.open_items):
        return Outcome(ballots, evidence, choices)
    return Outcome(ballots, evidence, broken(ballots, evidence, choices, ask))


def broken(ballots: Ballots, evidence: Evidence, choices: Choices, ask: Ask) -> Choices:
    """The same with ties broken as asked."""
    level = choices.level.astype(np.float64)
    if ask.ties == "random":
        level *= ask.rng.random(level.shape)
    elif ask.ties == "expert-index":
        level *= _backing(ballots, choices, with_the_majority(ballots, evidence))
    elif ask.ties == "absent":
        level[:, 1:] = 0.0  # of no and yes, no
    code = level.argmax(axis=1)
    top = level[np.arange(len(level)), code]
    if ask.ties == "expert-index":
        code[(level >= top[:, None]).sum(axis=1) > 1] = -1
    code[~choices.level.any(axis=1)] = -1
    decided = choices.code.copy()
    decided[choices.open_items] = code
    still = code < 0
    return replace(choices, code=decided, open_items=choices.open_items[still], level=choices.level[still])


def with_the_majority(ballots: Ballots, evidence: Evidence) -> FloatArray:
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
    backing = np.zeros(choices.level.shape)
    for begin, end in ballots.spans():
        mine = (choices.open_items >= begin) & (choices.open_items < end)
        if mine.any():
            backing[mine] = ballots.voted(begin, end, index).toarray()[choices.open_items[mine] - begin]
    return backing + 1.0
