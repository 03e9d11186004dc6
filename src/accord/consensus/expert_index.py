"""Bhowmick et al. 2008, Algorithm 1: majorities, and ties settled by those who were with the majority before."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up
from accord.consensus.ballots import Ballots


@dataclass(frozen=True, eq=False)
class ExpertIndex:
    """Which categories each item is assigned to, and the expert coder index of each annotator."""

    assigned: BoolArray  # (items, C)
    tied: BoolArray  # (items, C) as many for as against, and the index does not settle it: not assigned
    index: FloatArray  # (annotators,) ξ at the end
    held: FloatArray  # (items, C) the share of answers that hold the category; 1 or 0 where that is known


def expert_index(
    ballots: Ballots,
    holds: BoolArray,
    appearance: IntArray,
    *,
    order: str = "given",
    known: tuple[BoolArray, BoolArray] | None = None,
) -> ExpertIndex:
    r"""Algorithm 1 without its loops.

    For item after item and category after category: if more annotators assigned it (Θ) than did not (φ) it is assigned,
    if fewer it is not, and ξ rises by one for those on the winning side; if as many, it is assigned only where
    :math:`\sum_\Theta \xi > \sum_\phi \xi`, with ξ as it stands at that moment, and nobody's ξ moves. An equal sum does
    not assign.

    ξ rises on strict majorities alone, so ties do not act on one another: ξ at any moment is a running count, and the
    whole is a few cumulative sums. The order still matters through ties; `order="two-pass"` counts ξ over all items
    first and then settles ties, whatever the order. Those who did not answer an item are on neither side. Repeated
    answers count each: on their side, and in ξ, which is the annotator's and so the same for all of them at a moment.

    Args:
        ballots: The answers, one cell per annotator and answer.
        holds: (K, C) does answer k hold category c? For single labels the identity: one-label sets.
        appearance: The items in the order of the paper's loop.
        order: "given" or "two-pass".
        known: (items,) which items are known, and (items, C) their categories: these decide there in place of a
        majority.

    References: bhowmick2008.
    """
    item, (person, answer) = ballots.entry_items(0, ballots.n_items), np.divmod(ballots.cells, ballots.n_answers)
    often = np.ones(len(item), np.int64) if ballots.counts is None else ballots.counts.astype(np.int64)
    answers = ballots.per_item
    held = _by_item(ballots, holds)
    strict, into = 2 * held != answers[:, None], 2 * held > answers[:, None]  # an unanswered item is neither
    if known is not None:
        strict[known[0]], into[known[0]] = True, known[1][known[0]]
    wins = np.empty(len(item), dtype=np.int64)
    for begin in range(0, len(item), 2**20):  # entries × categories, a part at a time
        part = slice(begin, begin + 2**20)
        sides = holds[answer[part]] == into[item[part]]
        wins[part] = (sides & strict[item[part]]).sum(axis=1) * often[part]
    index = add_up(person, wins, ballots.n_annotators)
    tied_items = ~strict.all(axis=1) & (answers > 0)
    among = np.nonzero(tied_items[item])[0]
    sides = holds[answer[among]]
    if order == "two-pass":
        xi = np.broadcast_to(index[person[among]][:, None], sides.shape)
    else:
        before = _running(person, item, wins, appearance)[among]
        gained = ((sides == into[item[among]]) & strict[item[among]]) * often[among][:, None]
        gained = _joined(gained, item[among], person[among])
        xi = (before[:, None] + np.cumsum(gained, axis=1) - gained).astype(np.float64)
    lead = np.zeros(held.shape)
    np.add.at(lead, item[among], np.where(sides, xi, -xi) * often[among][:, None])
    tied = ~strict & (answers > 0)[:, None]
    assigned = into | (tied & (lead > 0))
    shares = np.divide(held, answers[:, None], out=np.full(held.shape, np.nan), where=answers[:, None] > 0)
    if known is not None:
        shares[known[0]] = known[1][known[0]]
    return ExpertIndex(assigned, tied & (lead == 0), index, shares)


def _by_item(ballots: Ballots, holds: BoolArray) -> IntArray:
    """(items, C): how many answers hold each category."""
    table = holds.astype(np.float64)
    parts = list(ballots.each(lambda begin, end: (ballots.voted(begin, end, None) @ table).astype(np.int64)))
    return np.concatenate(parts) if parts else np.empty((0, holds.shape[1]), dtype=np.int64)


def _joined(gained: IntArray, item: IntArray, person: IntArray) -> IntArray:
    """What the annotator of each entry gained with all their answers to its item; these stand side by side."""
    fresh = np.ones(len(item), dtype=np.bool_)
    fresh[1:] = (item[1:] != item[:-1]) | (person[1:] != person[:-1])
    return np.asarray(np.add.reduceat(gained, np.nonzero(fresh)[0], axis=0)[np.cumsum(fresh) - 1])


def _running(person: IntArray, item: IntArray, wins: IntArray, appearance: IntArray) -> IntArray:
    """ξ of the annotator of each entry before its item came up."""
    turn = np.empty(len(appearance), dtype=np.int64)
    turn[appearance] = np.arange(len(appearance))
    order = np.lexsort((turn[item], person))
    sorted_wins, sorted_person, sorted_turn = wins[order], person[order], turn[item][order]
    running = np.cumsum(sorted_wins) - sorted_wins
    fresh = np.ones(len(order), dtype=np.bool_)
    fresh[1:] = (sorted_person[1:] != sorted_person[:-1]) | (sorted_turn[1:] != sorted_turn[:-1])
    first_of_item = np.maximum.accumulate(np.where(fresh, np.arange(len(order)), 0))
    new_person = np.ones(len(order), dtype=np.bool_)
    new_person[1:] = sorted_person[1:] != sorted_person[:-1]
    first_of_person = np.maximum.accumulate(np.where(new_person, np.arange(len(order)), 0))
    before = np.empty(len(order), dtype=np.int64)
    before[order] = running[first_of_item] - running[first_of_person]
    return before
