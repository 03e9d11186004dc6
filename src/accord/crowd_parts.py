"""Each annotator of a crowd with the others, where who answered what stays in its engine.

What an answer adds to an annotator's agreement depends on the answer and on the pattern of its item alone. So a table
of patterns and answers goes to the engine, is joined to the answers, and comes back as sums by annotator.
"""

from __future__ import annotations

import numpy as np

from accord.arrays import FloatArray, add_up, divide
from accord.coefficient import Coefficient, chance_corrected
from accord.crowd import CrowdOwn
from accord.differential import Differential
from accord.errors import MeasureError
from accord.inference.each import shared_chance
from accord.levels import Ordinal
from accord.remote import Remote
from accord.remote_sums import Crowd
from accord.study import Study
from accord.tally import Tally


def crowd_of(study: Study) -> Crowd | None:
    """The crowd of a study whose annotations stay in an engine; None for others."""
    triples = study.triples
    return triples.sums if isinstance(triples, Remote) and triples.stays else None


def agreement_of_each(crowd: Crowd, coefficient: Coefficient) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """(annotators,) observed and expected agreement, value and standard error of each with the others."""
    if isinstance(coefficient, Differential):
        raise MeasureError(
            "Each annotator against suggestions is for studies that fit into memory: Study(frame.collect(), …)."
        )
    tally = coefficient.tally
    alike, weight = _of_answers(tally, coefficient)
    unknown = isinstance(coefficient, CrowdOwn | Ordinal)  # chance moves with every annotator's own mix, or ranks
    moved = np.zeros(len(tally)) if unknown else shared_chance(tally, coefficient)
    items, number = tally.items.astype(np.float64), float(tally.n_items)
    moved = moved - float(items @ moved) / number
    entries = {"alike": alike, "weight": weight[tally.pattern], "moved": moved[tally.pattern]}
    sums = crowd.by_annotator(tally, entries)
    observed = divide(sums["alike"], sums["weight"])
    expected = _expected_of_each(crowd, coefficient)
    value = chance_corrected(observed, expected)
    if unknown or number < 2:
        return observed, expected, value, np.full(len(observed), np.nan)
    scale = divide(1.0, 1 - expected)
    lost, mine = -(1 - value) * scale, divide(scale, sums["weight"])
    alone = sums["alike alike"] - 2 * observed * sums["alike weight"] + observed**2 * sums["weight weight"]
    cross = sums["alike moved"] - observed * sums["weight moved"]
    squares = mine**2 * alone + 2 * lost * mine * cross + lost**2 * float(items @ moved**2)
    return observed, expected, value, np.sqrt(np.maximum(squares, 0.0) * number / (number - 1))


def _of_answers(tally: Tally, coefficient: Coefficient) -> tuple[FloatArray, FloatArray]:
    """(E,) what an answer agrees with the others on its item, times (P,) what the pairs of answers weigh there."""
    each = getattr(coefficient, "each", "answer")
    answered = tally.answered.astype(np.float64)
    pair = divide(1.0, (answered - 1) * (answered if each == "item" else 1.0))
    pair = np.where(tally.pairable, pair, 0.0)
    alike = (tally.count - 1.0) * coefficient.alike(tally.answer, tally.answer)
    for left, right in tally.pairs():
        same = coefficient.alike(tally.answer[left], tally.answer[right])
        alike += add_up(left, tally.count[right] * same, len(alike))
        alike += add_up(right, tally.count[left] * same, len(alike))
    return pair[tally.pattern] * alike, pair * (answered - 1)


def _expected_of_each(crowd: Crowd, coefficient: Coefficient) -> FloatArray:
    """The study's chance; with own mixes, the mean over the pairs that hold the annotator."""
    people = len(crowd.remote.annotators)
    if not isinstance(coefficient, CrowdOwn):
        return np.full(people, float(coefficient.parts.expected))
    mixes, there = coefficient.chance.mixes(coefficient.cells.ravel())
    others = coefficient.weights.apply(mixes.sum(0) - mixes)
    return np.where(there > 0, divide((mixes * others).sum(1), np.asarray(there.sum() - 1)), np.nan)
