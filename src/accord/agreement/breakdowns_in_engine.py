"""Each annotator of a crowd with the others, where who answered what stays in its engine.

What an answer adds to an annotator's agreement depends on the answer and on the pattern of its item alone. So a table
of patterns and answers goes to the engine, is joined to the answers, and comes back as sums by annotator.
"""

from __future__ import annotations

import numpy as np

from accord.agreement.inference.annotator_errors import OwnChance, shared_chance
from accord.annotations.arrays import FloatArray, add_up, divide
from accord.annotations.tally import Tally
from accord.coefficients.alpha_levels import Ordinal
from accord.coefficients.coefficient import Coefficient, chance_corrected
from accord.coefficients.dipietro_hazari import Differential
from accord.coefficients.in_engine import CrowdOwn
from accord.engine.annotator_sums import Crowd, Keys
from accord.errors import MeasureError
from accord.study.study import Study
from accord.study.suggestions import ColumnInEngine

MOST_ANSWERS = 60  # beyond, the products of every two answers' vectors are too many sums for one query


def crowd_of(study: Study, *, suggested: bool = False) -> Crowd | None:
    """The crowd of a study whose annotations stay in an engine; None for others.

    Where items are told apart by what was suggested, whoever the annotators are: only the engine knows it by item.
    """
    lazy = study._annotations.in_engine
    return lazy.sums if lazy is not None and (lazy.stays or suggested) else None


def agreement_of_each(crowd: Crowd, coefficient: Coefficient) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """(annotators,) observed and expected agreement, value and standard error of each with the others."""
    if isinstance(coefficient, CrowdOwn):
        return _with_own_chance(crowd, coefficient)
    tally, keys = coefficient.tally, _keys(coefficient)
    alike, weight = _of_answers(tally, coefficient)
    unknown = isinstance(coefficient, Ordinal)  # agreement moves with everybody's ranks
    moved = np.zeros(len(tally)) if unknown else shared_chance(tally, coefficient)
    items, number = tally.items.astype(np.float64), float(tally.n_items)
    moved = moved - float(items @ moved) / number
    entries = {"alike": alike, "weight": weight[tally.pattern], "moved": moved[tally.pattern]}
    sums = crowd.by_annotator(tally, entries, keys)
    observed = divide(sums["alike"], sums["weight"])
    expected = np.full(len(observed), float(coefficient.parts.expected))
    value = chance_corrected(observed, expected)
    if unknown or number < 2:
        return observed, expected, value, np.full(len(observed), np.nan)
    scale = divide(1.0, 1 - expected)
    lost, mine = -(1 - value) * scale, divide(scale, sums["weight"])
    alone = sums["alike alike"] - 2 * observed * sums["alike weight"] + observed**2 * sums["weight weight"]
    cross = sums["alike moved"] - observed * sums["weight moved"]
    squares = mine**2 * alone + 2 * lost * mine * cross + lost**2 * float(items @ moved**2)
    return observed, expected, value, np.sqrt(np.maximum(squares, 0.0) * number / (number - 1))


def _keys(coefficient: Coefficient) -> Keys | None:
    """Where items are told apart by what was suggested: the column that says it."""
    if not isinstance(coefficient, Differential):
        return None
    if not isinstance(coefficient.suggestions, ColumnInEngine):
        raise MeasureError(
            "Each annotator against suggestions needs them in a column of the frame where its rows stay in the engine."
        )
    return coefficient.suggestions.keys(coefficient.whole)


def _with_own_chance(crowd: Crowd, coefficient: CrowdOwn) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """The same where everybody has a chance of their own."""
    tally, chance = coefficient.tally, OwnChance.of(coefficient.cells, coefficient.weights)
    alike, weight = _of_answers(tally, coefficient)
    values = {"alike": alike, "weight": weight[tally.pattern]}
    known = len(tally.answers) <= MOST_ANSWERS and tally.n_items > 1
    by_answer, products = crowd.by_answer(tally, values, chance.mixes) if known else ({}, np.empty(0))
    sums = {name: cells.sum(1) for name, cells in by_answer.items()} if known else crowd.by_annotator(tally, values)
    observed = divide(sums["alike"], sums["weight"])
    value = chance_corrected(observed, chance.expected)
    if not known:
        return observed, chance.expected, value, np.full(len(value), np.nan)
    # as in `inference.each`, from sums by annotator and answer
    scale = divide(1.0, 1 - chance.expected)
    lost, mine = -(1 - value) * scale, divide(scale, sums["weight"])
    apart = by_answer["alike"] - observed[:, None] * by_answer["weight"]
    alone = sums["alike alike"] - 2 * observed * sums["alike weight"] + observed**2 * sums["weight weight"]
    alone = mine**2 * alone + 2 * mine * lost * (chance.besides * apart).sum(1)
    alone += lost**2 * (chance.besides**2 * coefficient.cells).sum(1)
    cross = np.zeros(len(observed))
    for answer, towards in enumerate(chance.towards.T):
        vector = f"vector{answer}_"
        agreed = sums[f"alike {vector}"] - observed * sums[f"weight {vector}"]
        cross += towards * (mine * agreed + lost * (chance.besides * by_answer[vector]).sum(1))
    squares = alone + 2 * lost * cross + lost**2 * chance.spread(products)
    return observed, chance.expected, value, np.sqrt(np.maximum(squares, 0.0) * tally.n_items / (tally.n_items - 1))


def _of_answers(tally: Tally, coefficient: Coefficient) -> tuple[FloatArray, FloatArray]:
    """(E,) what an answer agrees with the others on its item, times (P,) what the pairs of answers weigh there."""
    each = getattr(coefficient, "each", "answer")
    answered = tally.answered.astype(np.float64)
    pair = divide(1.0, (answered - 1) * (answered if each == "item" else 1.0))
    pair = np.where(tally.pairable, pair, 0.0)
    if isinstance(coefficient, Differential):
        on_it = tally.answer == coefficient.key[tally.pattern]
        return pair[tally.pattern] * (tally.count - 1.0) * np.where(on_it, 1.0, -1.0), pair * (answered - 1)
    alike = (tally.count - 1.0) * coefficient.alike(tally.answer, tally.answer)
    for left, right in tally.pairs():
        same = coefficient.alike(tally.answer[left], tally.answer[right])
        alike += add_up(left, tally.count[right] * same, len(alike))
        alike += add_up(right, tally.count[left] * same, len(alike))
    return pair[tally.pattern] * alike, pair * (answered - 1)
