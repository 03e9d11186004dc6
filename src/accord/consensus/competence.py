"""The annotators as the gold sees them: how good each is, how sure that is, and whether anybody only seems to work.

How often somebody is right, with its interval, is `accuracy_errors`. Whether somebody only seems to work is judged by
the others: an annotator's own answers are taken out of the evidence before an item is used to judge them. What is left
may be unsure, so an answer that differs from it may still be right: the annotator's confusion table is the one that
makes their answers most probable given what the others say, shrunk towards the group's, so that small numbers say
little of a person. Votes are no models; those methods are judged under the model of one coin.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from accord.agreement.table import Table
from accord.annotations.arrays import LOG_ZERO, BoolArray, FloatArray, IntArray, add_up, columns_added, divide
from accord.coefficients.standard_errors import NORMAL, limits
from accord.consensus.accuracy_errors import Accuracies
from accord.consensus.ballots import Ballots
from accord.consensus.evidence import LabelEvidence, row_sums, softmax
from accord.consensus.numeric_methods import Scored, Scores
from accord.options import check_confidence

SPAM_SHARE = 0.05  # how common spammers are thought to be before anything is seen
SUSPECT = 0.95  # from this probability on somebody is suspected
FEWEST, MOST = 2.0, 50.0  # pseudo-answers with which the group may stand for a person
ROUNDS = 50  # of suspecting
PASSES = 15  # of judging
SECOND_ORDER = (
    "There are too many annotators to invert their information: in the intervals the others' uncertainty counts to the "
    "second order."
)
STILL = 1e-4  # an accuracy that moves by less stands still


class Judgement:
    """Each annotator's answers against what the others say, with a confusion table learned for each."""

    def __init__(self, ballots: Ballots, evidence: LabelEvidence) -> None:
        self.ballots, self.evidence = ballots, evidence
        self.begins, self.alone = _begins_and_alone(ballots, evidence)
        self.mass = judged_mass(self._pass, ballots.n_annotators, ballots.n_answers)
        self.right, self.judged = _right_and_judged(self.mass)

    def _pass(self, confusion: FloatArray) -> FloatArray:
        """(annotators, K, C): expected answers by label, given the others' answers and the confusion tables so far."""
        ballots = self.ballots
        table = confusion.transpose(0, 2, 1).reshape(ballots.width, -1)

        def work(begin: int, end: int) -> tuple[FloatArray]:
            cell, often = ballots.entries(begin, end)
            soft = table.take(cell, axis=0)
            soft *= self._judges(begin, end)
            total = row_sums(soft)
            total[total == 0] = 1.0  # where nothing is possible nothing is expected
            soft /= total[:, None]
            if ballots.counts is not None:
                soft *= often[:, None]
            if ballots.full is None or end - begin < ballots.n_items:
                return (columns_added(cell, soft, ballots.width),)
            return (add_up(self._all_places, soft.ravel(), table.size),)  # few numbers, which one call adds soonest

        (mass,) = ballots.total_of(work)
        return np.asarray(mass.reshape(ballots.n_annotators, ballots.n_answers, -1))

    @cached_property
    def _all_places(self) -> IntArray:
        """(entries × C,): where each number of an entry goes in a table of cells × C."""
        number = len(self.evidence.offset)
        return np.asarray(self.ballots.cells[:, None] * number + np.arange(number), np.int64).ravel()

    def _here(self, entries: BoolArray, begin: int, end: int) -> BoolArray:
        return entries[int(self.ballots.starts[begin]) : int(self.ballots.starts[end])]

    def _judges(self, begin: int, end: int) -> FloatArray:
        """What others say, nothing where there are none; of one block, which all passes ask for, it is kept."""
        return self._all_judges if end - begin == self.ballots.n_items else self._who_judge(begin, end)

    @cached_property
    def _all_judges(self) -> FloatArray:
        return self._who_judge(0, self.ballots.n_items)

    def _who_judge(self, begin: int, end: int) -> FloatArray:
        soft = self.others(begin, end)
        if self.alone is not None:
            soft[self._here(self.alone, begin, end)] = 0.0
        return soft

    def others(self, begin: int, end: int) -> FloatArray:
        """(entries, C): the posterior of the item without any answer of the entry's annotator; known labels stay."""
        item = self.ballots.entry_items(begin, end)
        own = self.evidence.of_entries(self.ballots, begin, end)
        rest = columns_added(item, own, end - begin).take(item, axis=0)
        rest -= own if self.begins is None else _same_person(self._here(self.begins, begin, end), own)
        rest += np.maximum(self.evidence.offset, LOG_ZERO)
        soft = softmax(rest)[0]
        if self.evidence.known is not None:
            known = self.evidence.known[begin:end][item]
            pinned = np.nonzero(known >= 0)[0]
            soft[pinned] = 0.0
            soft[pinned, known[pinned]] = 1.0
        return soft


def judged_mass(judge: Callable[[FloatArray], FloatArray], people: int, number: int) -> FloatArray:
    """(annotators, K, C): expected answers by label, judged with confusion tables that are learned from them in turn.

    `judge` makes one pass over the answers, here or in an engine.
    """
    confusion = np.ones((people, number, number))
    accuracy = np.full(people, np.nan)
    for _ in range(PASSES):
        mass = judge(confusion)
        right, judged = _right_and_judged(mass)
        fresh = divide(right, judged)
        moved = np.abs(fresh - accuracy)[judged > 0]
        accuracy = fresh
        if (moved < STILL).all():  # what was not known before is no number
            break
        confusion = _smoothed(mass, _group_table(mass, right, judged))
    return mass


def _same_person(begins: BoolArray, own: FloatArray) -> FloatArray:
    """Where somebody answered an item several times, all of it is theirs."""
    return np.asarray(np.add.reduceat(own, np.nonzero(begins)[0], axis=0)[np.cumsum(begins) - 1])


def _begins_and_alone(ballots: Ballots, evidence: LabelEvidence) -> tuple[BoolArray | None, BoolArray | None]:
    """(entries,): where the answers of another person or to another item begin, None where nobody gave an item two; and
    the answers to items that nobody else answered and of which nothing is known: nothing to be judged by. None: none.
    """
    item, person = ballots.entry_items(0, ballots.n_items), ballots.cells // ballots.n_answers
    begins = np.ones(len(item), dtype=np.bool_)
    np.not_equal(item[1:], item[:-1], out=begins[1:])
    begins[1:] |= person[1:] != person[:-1]
    once = bool(begins.all())
    people = np.diff(ballots.starts) if once else np.bincount(item[begins], minlength=ballots.n_items)
    few = people == 1
    if evidence.known is not None:
        few &= evidence.known < 0
    return None if once else begins, few[item] if few.any() else None


def _right_and_judged(mass: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(annotators,): expected right answers, and answers that were judged."""
    return np.einsum("jkk->j", mass), mass.sum(axis=(1, 2))


def shrinkage(right: FloatArray, judged: FloatArray) -> tuple[float, float]:
    """The group's accuracy, and with how many pseudo-answers it stands for a person's (moments of a beta
    distribution).
    """
    present = judged > 0
    hits, number = (right, judged) if present.all() else (right[present], judged[present])
    total = number.sum()
    if not total > 0:
        return np.nan, FEWEST
    centre = float(hits.sum() / total)
    within = centre * (1 - centre)
    spread = (number * (hits / number - centre) ** 2).sum() - (len(number) - 1) * within
    between = spread / (total - (number**2).sum() / total) if len(number) > 1 else 0.0
    if not between > 0:
        return centre, MOST
    return centre, min(max(float(within / between) - 1, FEWEST), MOST)


def spam_score(confusion: FloatArray) -> FloatArray:
    """Raykar & Yu's score: 0 for somebody whose answers do not depend on the label, 1 for somebody who is always right.

    The mean squared difference between two rows of the confusion table; with two labels (sensitivity + specificity −
    1)².

    >>> float(spam_score(np.array([[[0.8, 0.2], [0.3, 0.7]]]))[0])
    0.25
    """
    number = confusion.shape[1]
    if number < 2:
        return np.full(len(confusion), np.nan)
    around = confusion - confusion.mean(axis=1, keepdims=True)
    total = number * (around**2).sum(axis=(1, 2))  # the squared differences of all pairs of rows
    return np.asarray(np.round(total / (number * (number - 1)), 15))


def spam_probability(mass: FloatArray) -> FloatArray:
    """(annotators,): how likely the answers do not depend on the label, against being those of one of the group.

    Two Dirichlet-multinomial accounts of the same answers: one distribution whatever the label (evenly open
    beforehand), or one per label, near the confusion table of those who are not suspected, as near as they are to each
    other. One in twenty is thought to be the first beforehand, so a person with a handful of answers stays near that.
    """
    from scipy.special import gammaln

    people, answers, _ = mass.shape
    counted = mass.transpose(0, 2, 1)
    careless = np.log(SPAM_SHARE / (1 - SPAM_SHARE)) + _multinomial(gammaln, counted.sum(axis=1), np.ones(answers))
    spam = np.full(people, SPAM_SHARE)
    for _ in range(ROUNDS):  # who is suspected no longer shapes the group, which changes who is suspected
        honest = group_table(mass * (1 - spam)[:, None, None])
        odds = careless - _multinomial(gammaln, counted, honest).sum(axis=1)
        fresh = 1 / (1 + np.exp(-odds.clip(-700, 700)))
        settled = np.abs(fresh - spam).max(initial=0.0) < 1e-6
        spam = fresh
        if settled:
            break
    return spam


def group_table(mass: FloatArray) -> FloatArray:
    """(C, K): the group's confusion table, as pseudo-answers: the more alike its members are, the more."""
    return _group_table(mass, *_right_and_judged(mass))


def _group_table(mass: FloatArray, right: FloatArray, judged: FloatArray) -> FloatArray:
    """The same, where it is known how often everybody is right."""
    pooled = mass.sum(axis=0).T + 1e-3
    return np.asarray(shrinkage(right, judged)[1] * pooled / pooled.sum(axis=1, keepdims=True))


def _multinomial(gammaln: Any, counts: FloatArray, prior: FloatArray) -> FloatArray:
    """The log probability of sequences with these counts, their shares drawn from a Dirichlet distribution."""
    both = prior + counts
    total: FloatArray = gammaln(prior.sum(axis=-1)) - gammaln(both.sum(axis=-1))
    total += (gammaln(both) - gammaln(prior)).sum(axis=-1)
    return total


def shrunken(mass: FloatArray, spam: FloatArray | None = None) -> FloatArray:
    """(annotators, C, K): confusion tables shrunk towards the group's (of those who are not suspected)."""
    return _smoothed(mass, group_table(mass if spam is None else mass * (1 - spam)[:, None, None]))


def _smoothed(mass: FloatArray, group: FloatArray) -> FloatArray:
    """(annotators, C, K): confusion tables that lean on pseudo-answers."""
    counted = mass.transpose(0, 2, 1) + group
    return np.asarray(counted / counted.sum(axis=2, keepdims=True))


def report(
    names: tuple[str, ...],
    answered: FloatArray,
    mass: FloatArray,
    found: Accuracies,
    weights: FloatArray | None,
    weights_are: str,
    confidence: float,
) -> Table:
    """One row per annotator."""
    check_confidence(confidence)
    judged = mass.sum(axis=(1, 2))
    unjudged = ~(judged > 0)
    suspected = spam_probability(mass)
    parts = [found.value, *found.limits(confidence), suspected, spam_score(shrunken(mass, suspected))]
    if unjudged.any():
        parts = [np.where(unjudged, np.nan, part) for part in parts]
    middle, low, high, spam, score = parts
    columns: dict[str, Any] = {
        "annotator": list(names),
        "answers": answered.astype(np.int64),
        "competence": middle,
        "low": low,
        "high": high,
    }
    if weights is not None:
        columns["weight"] = weights
    columns["spam_score"] = score
    columns["spam_probability"] = spam
    rows = zip(answered.tolist(), judged.tolist(), spam.tolist(), high.tolist(), strict=True)
    columns["remark"] = [_remark(*row, mass.shape[2]) for row in rows]
    notes = (
        f"competence: how likely an answer is right, shrunk towards the group's; {confidence:.0%} interval, in which "
        "true labels and everybody else's competence are unknown too.",
        *((found.undefined,) if found.undefined else ()),
        *((SECOND_ORDER,) if found.second_order else ()),
        "spam_score: 0 where answers do not depend on the label, 1 where they always fit it (shrunk).",
    )
    return Table("Annotators", columns, notes + ((f"weight: {weights_are}.",) if weights is not None else ()))


def _remark(answered: float, judged: float, spam: float, high: float, labels: int) -> str:
    if not answered > 0:
        return "no answers"
    if not judged > 0:
        return "nobody else answered the same items"
    if spam >= SUSPECT:
        return "suspected: answers do not depend on the label"
    if math.isnan(high):
        return "no interval"
    return "worse than guessing" if high < 1 / labels and labels > 1 else ""


def report_scores(names: tuple[str, ...], scores: Scores, scored: Scored, confidence: float) -> Table:
    """One row per annotator: bias with its interval, and spread."""
    check_confidence(confidence)
    answered = add_up(scores.annotator, scores.count, scores.n_annotators)
    bias, spread = scored.bias, scored.spread
    if bias is None or spread is None:
        bias, spread = _against_the_others(scores)
    low, high = limits(bias, divide(spread, np.sqrt(answered)), df=NORMAL, confidence=confidence)
    columns: dict[str, Any] = {
        "annotator": list(names),
        "answers": answered.astype(np.int64),
        "bias": bias,
        "low": low,
        "high": high,
        "spread": spread,
    }
    notes = (
        f"bias: how far above the others somebody answers, with a {confidence:.0%} interval; "
        "spread: the standard deviation of their answers about that.",
    )
    return Table("Annotators", columns, notes)


def _against_the_others(scores: Scores) -> tuple[FloatArray, FloatArray]:
    """Mean and standard deviation of an annotator's answers about the mean of everybody else's."""
    total = add_up(scores.item, scores.count * scores.value, scores.n_items)
    key = scores.item * scores.n_annotators + scores.annotator
    mine, place = np.unique(key, return_inverse=True)
    own = add_up(place, scores.count * scores.value, len(mine))[place]
    own_number = add_up(place, scores.count, len(mine))[place]
    rest = divide(total[scores.item] - own, scores.by_item[scores.item] - own_number)
    present = ~np.isnan(rest)
    who, count, gap = scores.annotator[present], scores.count[present], (scores.value - rest)[present]
    number = add_up(who, count, scores.n_annotators)
    bias = divide(add_up(who, count * gap, scores.n_annotators), number)
    squares = add_up(who, count * (gap - bias[who]) ** 2, scores.n_annotators)
    return bias, np.sqrt(divide(squares, np.where(number > 1, number - 1, 0.0)))
