"""Each annotator of a crowd with the others, where who answered what stays in its engine.

What an answer adds to an annotator's agreement depends on the answer and on the pattern of its item alone. So a table
of patterns and answers goes to the engine, is joined to the answers, and comes back as sums by annotator.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from accord.annotations.arrays import FloatArray, divide
from accord.annotations.tally import Tally
from accord.coefficients.formula import chance_corrected
from accord.coefficients.measurable import Breakdown
from accord.coefficients.own_marginals import OwnMarginals

if TYPE_CHECKING:
    from accord.coefficients.coefficient import Coefficient
    from accord.coefficients.coefficients_in_engine import CrowdOwn
    from accord.engine.annotator_sums import Crowd

MOST_ANSWERS = 60  # beyond, the products of every two answers' vectors are too many sums for one query


def each_in_engine(crowd: Crowd, coefficient: Coefficient) -> Breakdown:
    """(annotators,) observed and expected agreement, value and standard error of each with the others."""
    tally, keys = coefficient.tally, coefficient.engine_keys()
    alike, weight = _of_answers(tally, coefficient)
    unknown = coefficient.ranks_move
    moved = np.zeros(len(tally)) if unknown else coefficient.chance_moved(tally)
    items, number = tally.items.astype(np.float64), float(tally.n_items)
    moved = moved - float(items @ moved) / number
    entries = {"alike": alike, "weight": weight[tally.pattern], "moved": moved[tally.pattern]}
    sums = crowd.by_annotator(tally, entries, keys)
    observed = divide(sums["alike"], sums["weight"])
    expected = np.full(len(observed), float(coefficient.parts.expected))
    value = chance_corrected(observed, expected)
    if unknown or number < 2:
        return Breakdown(observed, expected, value, np.full(len(observed), np.nan))
    scale = divide(1.0, 1 - expected)
    lost, mine = -(1 - value) * scale, divide(scale, sums["weight"])
    alone = sums["alike alike"] - 2 * observed * sums["alike weight"] + observed**2 * sums["weight weight"]
    cross = sums["alike moved"] - observed * sums["weight moved"]
    squares = mine**2 * alone + 2 * lost * mine * cross + lost**2 * float(items @ moved**2)
    return Breakdown(observed, expected, value, np.sqrt(np.maximum(squares, 0.0) * number / (number - 1)))


def each_with_own_chance(crowd: Crowd, coefficient: CrowdOwn) -> Breakdown:
    """The same where everybody has a chance of their own."""
    tally, chance = coefficient.tally, OwnMarginals.of(coefficient.cells, coefficient.weights)
    alike, weight = _of_answers(tally, coefficient)
    values = {"alike": alike, "weight": weight[tally.pattern]}
    known = len(tally.answers) <= MOST_ANSWERS and tally.n_items > 1
    by_answer, products = crowd.by_answer(tally, values, chance.marginals) if known else ({}, np.empty(0))
    sums = {name: cells.sum(1) for name, cells in by_answer.items()} if known else crowd.by_annotator(tally, values)
    observed = divide(sums["alike"], sums["weight"])
    value = chance_corrected(observed, chance.expected)
    if not known:
        return Breakdown(observed, chance.expected, value, np.full(len(value), np.nan))
    # as in `annotator_values`, from sums by annotator and answer
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
    error = np.sqrt(np.maximum(squares, 0.0) * tally.n_items / (tally.n_items - 1))
    return Breakdown(observed, chance.expected, value, error)


def _of_answers(tally: Tally, coefficient: Coefficient) -> tuple[FloatArray, FloatArray]:
    """(E,) what an answer agrees with the others on its item, times (P,) what the pairs of answers weigh there."""
    answered = tally.answered.astype(np.float64)
    pair = divide(1.0, (answered - 1) * (answered if coefficient.each == "item" else 1.0))
    pair = np.where(tally.pairable, pair, 0.0)
    return pair[tally.pattern] * coefficient.agreement_with_others(tally), pair * (answered - 1)
