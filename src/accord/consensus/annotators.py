"""The annotators as the gold sees them: how good each is, how sure that is, and whether anybody only seems to be
working.

Everybody is judged by the others: an annotator's own answers are taken out of the evidence before an item is used to
judge them. Small numbers are shrunk towards the group before anything is said of a person.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from accord.arrays import FloatArray, IntArray, add_up, divide
from accord.consensus.ballots import Ballots
from accord.consensus.evidence import FLOOR, Evidence, softmax
from accord.consensus.scores import Scored, Scores
from accord.table import Table

SPAM_SHARE = 0.05  # how common spammers are thought to be before anything is seen
SUSPECT = 0.95  # from this probability on somebody is suspected
MOST_HONEST = 50.0  # pseudo-answers a label with which the group's confusion may stand for an honest annotator's
ROUNDS = 50
FEWEST, MOST = 2.0, 1000.0  # pseudo-answers with which the group's accuracy may shrink a person's


def without_own(ballots: Ballots, evidence: Evidence) -> FloatArray:
    """(annotators, K, C): expected answers by label, each item judged by the others' answers alone."""

    def work(begin: int, end: int) -> tuple[FloatArray]:
        item = ballots.entry_items(begin, end)
        cell, often = ballots.entries(begin, end)
        own = evidence.of_entries(ballots, begin, end)
        total = np.zeros((end - begin, own.shape[1]))
        for label in range(own.shape[1]):
            total[:, label] = add_up(item, own[:, label], end - begin)
        own = _same_person(item, cell // ballots.n_answers, own)
        soft = _judged(evidence, total[item] - own, item, begin, end)
        known = np.zeros(len(item), np.bool_) if evidence.known is None else evidence.known[begin:end][item] >= 0
        alone = _alone(item, cell // ballots.n_answers, end - begin) & ~known
        soft[alone] = 0.0
        parts = [add_up(cell, often * soft[:, label], ballots.width) for label in range(soft.shape[1])]
        return (np.stack(parts, axis=1),)

    (mass,) = ballots.total_of(work)
    return mass.reshape(ballots.n_annotators, ballots.n_answers, -1)  # type: ignore[no-any-return]


def _judged(evidence: Evidence, rest: FloatArray, item: IntArray, begin: int, end: int) -> FloatArray:
    """Soft labels from what the others say; known labels stay."""
    if evidence.models:
        rest += np.maximum(evidence.offset, FLOOR)
        soft = softmax(rest)[0]
    else:
        rest = np.where(np.abs(rest) < 1e-12, 0.0, rest)
        soft = np.nan_to_num(divide(rest, rest.sum(axis=1)[:, None]))
    if evidence.known is not None:
        known = evidence.known[begin:end][item]
        pinned = np.nonzero(known >= 0)[0]
        soft[pinned] = 0.0
        soft[pinned, known[pinned]] = 1.0
    return soft


def _same_person(item: IntArray, person: Any, own: FloatArray) -> FloatArray:
    """Where somebody answered an item several times, all of it is theirs."""
    fresh = np.ones(len(item), dtype=np.bool_)
    fresh[1:] = (item[1:] != item[:-1]) | (person[1:] != person[:-1])
    if fresh.all():
        return own
    return np.add.reduceat(own, np.nonzero(fresh)[0], axis=0)[np.cumsum(fresh) - 1]  # type: ignore[no-any-return]


def _alone(item: IntArray, person: Any, items: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Entries on items that nobody else answered: nothing there to be judged by."""
    fresh = np.ones(len(item), dtype=np.bool_)
    fresh[1:] = (item[1:] != item[:-1]) | (person[1:] != person[:-1])
    return np.bincount(item[fresh], minlength=items)[item] < 2


def shrinkage(right: FloatArray, judged: FloatArray) -> tuple[float, float]:
    """The group's accuracy, and with how many pseudo-answers it stands for a person's (moments of a beta
    distribution).
    """
    there = judged > 0
    hits, number = right[there], judged[there]
    total = number.sum()
    if not total > 0:
        return np.nan, FEWEST
    centre = float(hits.sum() / total)
    within = centre * (1 - centre)
    spread = (number * (hits / number - centre) ** 2).sum() - (len(number) - 1) * within
    between = spread / (total - (number**2).sum() / total) if len(number) > 1 else 0.0
    if not between > 0:
        return centre, MOST
    return centre, float(np.clip(within / between - 1, FEWEST, MOST))


def competence(right: FloatArray, judged: FloatArray, confidence: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Shrunken accuracy of each annotator, with a credible interval; NaN where there is nobody to judge by."""
    from scipy.special import betaincinv

    centre, weight = shrinkage(right, judged)
    if np.isnan(centre):
        nothing = np.full(len(right), np.nan)
        return nothing, nothing, nothing
    centre = min(max(centre, 1e-6), 1 - 1e-6)
    a, b = centre * weight + right, (1 - centre) * weight + np.maximum(judged - right, 0.0)
    tail = (1 - confidence) / 2
    return a / (a + b), betaincinv(a, b, tail), betaincinv(a, b, 1 - tail)


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
    total = np.zeros(len(confusion))
    for one in range(number):
        for other in range(one + 1, number):
            total += ((confusion[:, one] - confusion[:, other]) ** 2).sum(axis=1)
    return np.asarray(np.round(total / (number * (number - 1)), 15))


def spam_probability(mass: FloatArray) -> FloatArray:
    """(annotators,): how likely the answers do not depend on the label, against being those of one of the group.

    Two Dirichlet-multinomial accounts of the same answers: one mix whatever the label (evenly open beforehand), or one
    mix a label, near the confusion table of those who are not suspected, as near as they are to each other. One in
    twenty is thought to be the first beforehand, so a person with a handful of answers stays near that.
    """
    from scipy.special import gammaln

    people, answers, _ = mass.shape
    counted = mass.transpose(0, 2, 1)
    careless = _multinomial(gammaln, counted.sum(axis=1), np.ones((people, answers)))
    spam = np.full(people, SPAM_SHARE)
    for _ in range(ROUNDS):  # who is suspected no longer shapes the group, which changes who is suspected
        honest = group_table(mass * (1 - spam)[:, None, None])
        careful = _multinomial(gammaln, counted, np.broadcast_to(honest, counted.shape)).sum(axis=1)
        odds = np.log(SPAM_SHARE / (1 - SPAM_SHARE)) + careless - careful
        fresh = 1 / (1 + np.exp(-np.clip(odds, -700, 700)))
        settled = np.abs(fresh - spam).max(initial=0.0) < 1e-6
        spam = fresh
        if settled:
            break
    return spam


def group_table(mass: FloatArray) -> FloatArray:
    """(C, K): the group's confusion table, as pseudo-answers: the more alike its members are, the more."""
    pooled = mass.sum(axis=0).T + 1e-3
    weight = shrinkage(np.einsum("jkk->j", mass), mass.sum(axis=(1, 2)))[1]
    return np.asarray(min(weight, MOST_HONEST) * pooled / pooled.sum(axis=1, keepdims=True))


def _multinomial(gammaln: Any, counts: FloatArray, prior: FloatArray) -> FloatArray:
    """The log probability of a sequence with these counts, its mix drawn from a Dirichlet distribution."""
    total: FloatArray = gammaln(prior.sum(axis=-1)) - gammaln((prior + counts).sum(axis=-1))
    total += (gammaln(prior + counts) - gammaln(prior)).sum(axis=-1)
    return total


def shrunken_confusion(mass: FloatArray, spam: FloatArray) -> FloatArray:
    """(annotators, C, K): confusion judged by the others, shrunk towards the group's."""
    counted = mass.transpose(0, 2, 1) + group_table(mass * (1 - spam)[:, None, None])
    shrunken: FloatArray = counted / counted.sum(axis=2, keepdims=True)
    return shrunken


def report(
    names: tuple[str, ...],
    answered: FloatArray,
    mass: FloatArray,
    weights: FloatArray | None,
    weights_are: str,
    confidence: float,
) -> Table:
    """One row an annotator."""
    right, judged = np.einsum("jkk->j", mass), mass.sum(axis=(1, 2))
    middle, low, high = competence(right, judged, confidence)
    suspected = spam_probability(mass)
    spam = np.where(judged > 0, suspected, np.nan)
    labels = mass.shape[2]
    columns: dict[str, Any] = {
        "annotator": list(names),
        "answers": answered.astype(np.int64),
        "competence": np.where(judged > 0, middle, np.nan),
        "low": np.where(judged > 0, low, np.nan),
        "high": np.where(judged > 0, high, np.nan),
    }
    if weights is not None:
        columns["weight"] = weights
    columns["spam_score"] = np.where(judged > 0, spam_score(shrunken_confusion(mass, suspected)), np.nan)
    columns["spam_probability"] = spam
    columns["remark"] = [_remark(*row, labels) for row in zip(judged, spam, high, strict=True)]
    notes = (
        f"competence: how likely an answer is right, judged by the others' answers and shrunk towards the group's; "
        f"{confidence:.0%} interval.",
        "spam_score: 0 where answers do not depend on the label, 1 where they always fit it (shrunk).",
    )
    return Table("Annotators", columns, notes + ((f"weight: {weights_are}.",) if weights is not None else ()))


def _remark(judged: float, spam: float, high: float, labels: int) -> str:
    if not judged > 0:
        return "nobody else answered the same items"
    if spam >= SUSPECT:
        return "suspected: answers do not depend on the label"
    return "worse than guessing" if high < 1 / labels else ""


def report_scores(names: tuple[str, ...], scores: Scores, scored: Scored, confidence: float) -> Table:
    """One row an annotator: bias with its interval, and spread."""
    from scipy.special import ndtri

    answered = add_up(scores.annotator, scores.count, scores.n_annotators)
    bias, spread = scored.bias, scored.spread
    if bias is None or spread is None:
        bias, spread = _against_the_others(scores)
    half = ndtri((1 + confidence) / 2) * divide(spread, np.sqrt(answered))
    columns: dict[str, Any] = {
        "annotator": list(names),
        "answers": answered.astype(np.int64),
        "bias": bias,
        "low": bias - half,
        "high": bias + half,
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
    there = ~np.isnan(rest)
    who, count, gap = scores.annotator[there], scores.count[there], (scores.value - rest)[there]
    number = add_up(who, count, scores.n_annotators)
    bias = divide(add_up(who, count * gap, scores.n_annotators), number)
    squares = add_up(who, count * (gap - bias[who]) ** 2, scores.n_annotators)
    return bias, np.sqrt(divide(squares, np.where(number > 1, number - 1, 0.0)))
