"""What a person's decision of an item is worth: what errors it is expected to save, on the item and on those like it.

Three things make it: how wrong the present label may be (its posterior), what errors cost, and how many items the same
ruling would settle. A ruling tells something of every item with the same answers: a model that takes "two of three said
yes" for yes is right or wrong of all of them together. How far one ruling moves what is thought of such items depends
on how far the model is trusted, and on the rulings of such items that there are already.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.consensus.evidence import LabelEvidence
from accord.consensus.gold import Gold
from accord.consensus.method_outcome import Outcome

TRUST = 20.0  # rulings that the model's word on items with the same answers counts for
LIKELY = 6  # labels that a ruling may give an item, the likeliest: the rest adds nothing
MOST_CELLS = 20_000_000  # patterns × labels that are held at once


@dataclass(frozen=True, eq=False)
class DecisionValue:
    """What a decision of each item is expected to save."""

    own: FloatArray  # (items,) on the item itself: what its present label costs on average
    like: IntArray  # (items,) how many other items with the same answers are undecided by people
    others: FloatArray  # (items,) on those

    @property
    def total(self) -> FloatArray:
        """(items,): on both."""
        return self.own + self.others


def decision_value(gold: Gold, costs: FloatArray | None = None) -> DecisionValue:
    """What a decision of each item is worth; nothing where a person decided or the label is known.

    Args:
        gold: What is thought of the items, and what people decided.
        costs: (labels, labels) what it costs to give a label (columns) where another is true (rows); by default every
            error costs one. Of single labels only.
    """
    nothing = np.zeros(len(gold), dtype=np.int64)
    if gold.kind != "single" or gold.confidence_is != "posterior":
        return DecisionValue(gold._doubt(), nothing, np.zeros(len(gold)))
    outcome, number = gold.outcomes[0], len(gold.study.labels)
    table = 1.0 - np.eye(number) if costs is None else costs
    settled = np.zeros(len(gold), dtype=np.bool_) if gold.known is None else gold.known.copy()
    settled[list(gold.decisions)] = True
    own = np.where(settled, 0.0, _expected_cost(outcome, table))
    groups = _Groups.of(gold, settled)
    if groups is None:
        return DecisionValue(own, nothing, np.zeros(len(gold)))
    others = np.append(groups.saved(table), 0.0)[groups.of_item]
    like = np.append(np.maximum(groups.open - 1, 0), 0)[groups.of_item]
    return DecisionValue(own, np.where(settled, 0, like), np.where(settled, 0.0, others * like))


def _expected_cost(outcome: Outcome, costs: FloatArray) -> FloatArray:
    """(items,): what the likeliest label costs on average, block by block; of what nobody answered too."""
    ballots, evidence = outcome.ballots, outcome.evidence
    parts = list(ballots.each(lambda begin, end: cost_of_likeliest(evidence.soft(ballots, begin, end)[0], costs)))
    return np.concatenate(parts) if parts else np.empty(0)


def cost_of_likeliest(soft: FloatArray, costs: FloatArray) -> FloatArray:
    """What the likeliest label costs on average, of every row of soft labels."""
    return np.asarray((soft * costs.T[soft.argmax(axis=1)]).sum(axis=1))


@dataclass(frozen=True, eq=False)
class _Groups:
    """Items with the same answers, whoever gave them: what is thought of their labels, and what was ruled."""

    of_item: IntArray  # (items,) −1 where an item is like no other
    posterior: FloatArray  # (groups, labels) the mean posterior
    ruled: FloatArray  # (groups, labels) rulings
    open: IntArray  # (groups,) items that nobody decided

    @classmethod
    def of(cls, gold: Gold, settled: BoolArray) -> _Groups | None:
        """The groups of two items and more; None where there are none, or too many to hold."""
        tally, number = gold.study.tally(), len(gold.study.labels)
        assert tally.locate is not None
        several = tally.units > 1
        n_groups = int(several.sum())
        if not n_groups or n_groups * number > MOST_CELLS:
            return None
        renumbered = np.append(np.where(several, np.cumsum(several) - 1, -1), -1)
        of_item = renumbered[tally.locate()]
        posterior = _sums(gold.outcomes[0], of_item, n_groups) / tally.units[several][:, None]
        ruled = np.zeros((n_groups, number))
        codes = gold.codes
        known = settled & (of_item >= 0) & (codes >= 0)
        np.add.at(ruled, (of_item[known], codes[known]), 1.0)
        still_open = np.bincount(of_item[~settled & (of_item >= 0)], minlength=n_groups)
        return cls(of_item, posterior, ruled, still_open)

    def saved(self, costs: FloatArray) -> FloatArray:
        """(groups,): what one more ruling is expected to save on each other item of the group."""
        weight = TRUST + self.ruled.sum(axis=1)
        now = (TRUST * self.posterior + self.ruled) / weight[:, None]
        after = np.zeros(len(now))
        likely = np.argsort(-now, axis=1)[:, :LIKELY]
        chance = np.take_along_axis(now, likely, axis=1)
        chance /= chance.sum(axis=1, keepdims=True)
        for column in range(likely.shape[1]):
            moved = now * weight[:, None]
            moved[np.arange(len(now)), likely[:, column]] += 1.0
            moved /= weight[:, None] + 1.0
            after += chance[:, column] * cost_of_likeliest(moved, costs)
        return np.maximum(cost_of_likeliest(now, costs) - after, 0.0)


def _sums(outcome: Outcome, group: IntArray, number: int) -> FloatArray:
    """(groups, labels): the soft labels of each group's items, added up block by block."""
    ballots = outcome.ballots
    evidence: LabelEvidence = outcome.evidence
    total = np.zeros((number + 1, len(evidence.offset)))

    def work(begin: int, end: int) -> tuple[int, FloatArray]:
        return begin, evidence.soft(ballots, begin, end)[0]

    for begin, soft in ballots.each(work):
        held = group[begin : begin + len(soft)]
        place = np.where(held < 0, number, held)  # those like no other are summed up beyond
        for label in range(soft.shape[1]):
            total[:, label] += np.bincount(place, weights=soft[:, label], minlength=number + 1)
    return total[:-1]
