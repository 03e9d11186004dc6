"""Answers that never change: somebody gave one answer throughout, and the others on the same items did not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up
from accord.errors import counted
from accord.findings.distances import FEWEST, Distances, same_answers
from accord.findings.finding import CANDIDATE, NAMED_SINGLY, Clue, Evidence, Finding, TestFamily
from accord.findings.label_texts import answer_text, shown

REMEDY = (
    "Ask whether a default was left in place or the task was understood as something else; have a part of the items "
    "answered again."
)


def never_changing(distances: Distances) -> Iterator[Clue]:
    """Everybody with one answer throughout, for whom that is no wonder only if the others nearly always give it too.

    The p-value is the chance that somebody with the others' marginals would say the same so often; or, where those are
    themselves known from few answers, that of all other answers to these items none falls to this person by chance.
    """
    tally = distances.tally
    items = tally.items[tally.pattern].astype(np.float64)
    answers = add_up(distances.who, items, distances.people)
    low, high = np.full(distances.people, len(tally.answers)), np.full(distances.people, -1)
    np.minimum.at(low, distances.who, tally.answer)
    np.maximum.at(high, distances.who, tally.answer)
    yield TestFamily(int((answers >= FEWEST).sum()), "annotators who might give one answer throughout")
    constant = (answers >= FEWEST) & (low == high)
    if not constant.any():
        return
    others, as_they = tally.answered[tally.pattern] - 1.0, same_answers(tally) - 1
    share = (add_up(distances.who, items * (as_they / others), distances.people) + 0.5) / (answers + 1)
    beside = add_up(distances.who, items * others, distances.people)
    same = add_up(distances.who, items * as_they, distances.people)
    by_chance = np.maximum(share**answers, _none_by_chance(answers, beside, beside - same))
    p = np.where(constant, by_chance, 1.0)
    found = np.nonzero(p < CANDIDATE)[0]
    found = found[np.argsort(p[found], kind="stable")]
    if len(found) <= NAMED_SINGLY:
        for person in found.tolist():
            yield _one(
                distances, person, int(low[person]), float(share[person]), float(p[person]), int(answers[person])
            )
    else:
        sure = found[p[found] * int((answers >= FEWEST).sum()) < CANDIDATE]
        if len(sure):
            yield _several(distances, sure, float(p[sure].max()))


def _none_by_chance(answers: FloatArray, beside: FloatArray, others: FloatArray) -> FloatArray:
    """The chance that, of all answers that are not the usual one, none is among somebody's: hypergeometric."""
    from scipy.special import gammaln

    whole = answers + beside
    chance = gammaln(beside + 1) - gammaln(beside - others + 1) - gammaln(whole + 1) + gammaln(whole - others + 1)
    return np.asarray(np.exp(np.minimum(chance, 0.0)))


def _one(distances: Distances, person: int, label: int, share: float, p: float, items: int) -> Finding:
    name, value = distances.study.annotators[person], distances.study.answers.value(label)
    return Finding(
        "constant-answers",
        "warning",
        f"Annotator {name} gave one answer throughout, {answer_shown(distances, label)}; of the others' answers to the "
        f"same items {share:.0%} are that.",
        REMEDY,
        evidence=(Evidence(f"share of {answer_shown(distances, label)} among the others' answers", share),),
        speaks_against=(f"Known from {counted(items, 'items')} only.",) if items < 3 * FEWEST else (),
        sources=("zhao2025",),
        labels=(value,) if not isinstance(value, tuple) else (),
        annotators=(name,),
        p=p,
    )


def _several(distances: Distances, people: IntArray, p: float) -> Finding:
    return Finding(
        "constant-answers",
        "warning",
        f"{counted(len(people), 'annotators')} gave one answer throughout, and the others on the same items did not.",
        REMEDY,
        evidence=(Evidence("annotators with one answer throughout", float(len(people))),),
        sources=("zhao2025",),
        annotators=tuple(distances.study.annotators[person] for person in people.tolist()),
        p=p,
    )


def answer_shown(distances: Distances, answer: int) -> str:
    """An answer in a sentence."""
    return shown(answer_text(distances.study.answers.value(answer)))
