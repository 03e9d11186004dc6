"""A chance-corrected value for every two annotators, on the items both answered: all pairs at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import FloatArray, add_up, divide
from accord.annotations.tally import Tally
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.coefficients.chance import Chance
from accord.coefficients.formula import chance_corrected
from accord.coefficients.measurable import Breakdown
from accord.coefficients.weights import Weights


@dataclass(frozen=True)
class PairValues:
    """The values of all pairs, and how far each pair of answers on an item moves the value of its pair."""

    breakdown: Breakdown
    scores: FloatArray  # (M,)


def pairs_at_once(
    named: Tally, pairs: AnnotatorPairs, weights: Weights, chance: Chance, chance_weights: Weights
) -> PairValues:
    """Observed from what the two answered, expected by the chance model from their answers on the common items."""
    items = named.items
    alike = weights.between(pairs.first_answer, pairs.second_answer)
    common, observed = pairs.common(items), pairs.mean(alike, items)
    first, second = pairs.answers(items, len(named.answers))
    expected, by_first, by_second = chance.of_pairs(first, second, chance_weights)
    moved = common[pairs.pair] * (by_first[pairs.pair, pairs.first_answer] + by_second[pairs.pair, pairs.second_answer])
    value = chance_corrected(observed, expected)
    scores = divide(alike - observed[pairs.pair] - (1 - value[pairs.pair]) * moved, (1 - expected)[pairs.pair])
    scores -= pairs.mean(scores, items)[pairs.pair]  # not zero already where chance draws without replacement
    squares = add_up(pairs.pair, named.squares[pairs.pattern] * scores**2, len(pairs))
    error = np.sqrt(divide(squares, common * (common - common / pairs.common(named.units))))
    return PairValues(Breakdown(observed, expected, value, error), scores)
