"""Intervals of intraclass correlations where F gives them: tables without gaps, each annotator once on each item.

Exact for one way and for consistency; for absolute agreement by Satterthwaite's degrees of freedom (Shrout & Fleiss
1979, McGraw & Wong 1996). Those of a mean are Spearman and Brown's of those of one.
"""

from __future__ import annotations

import math
from math import prod

from accord.scores.components import Components
from accord.scores.icc_forms import IccForm, of_several
from accord.scores.mean_squares import MeanSquares
from accord.scores.score_table import ScoreTable


def of(components: Components, table: ScoreTable, form: IccForm, confidence: float) -> tuple[float, float] | None:
    """Both ends, or None where the design has no F."""
    squares = components.criterion.mean_squares
    if squares is None or squares.size != (2 if form.error == "1" else 3):
        return None
    if form.error != "1" and squares.repeats > 1:
        return None
    single = {"1": _one_way, "C": _consistency, "A": _agreement}[form.error](squares, confidence)
    number = form.annotators(table.annotators_per_item)
    low, high = (_of_mean(end, number) for end in single)
    return low, high


def _of_mean(end: float, number: float) -> float:
    """An end for the mean of so many; without end where that of one is as low as a mean cannot be."""
    found = float(of_several(end, number))
    return -math.inf if math.isnan(found) and not math.isnan(end) else found


def _one_way(squares: MeanSquares, confidence: float) -> tuple[float, float]:
    between, within = squares.squares
    return _from_ratio(between / within, squares.df[0], squares.df[1], squares.repeats, confidence)


def _consistency(squares: MeanSquares, confidence: float) -> tuple[float, float]:
    item, _, rest = squares.squares
    return _from_ratio(item / rest, squares.df[0], squares.df[2], _annotators(squares), confidence)


def _from_ratio(ratio: float, above: float, below: float, number: int, confidence: float) -> tuple[float, float]:
    """(F / F* − 1) / (F / F* + n − 1), and with F · F* of the other tail."""
    low, high = ratio / _quantile(above, below, confidence), ratio * _quantile(below, above, confidence)
    return (low - 1) / (low + number - 1), (high - 1) / (high + number - 1)


def _agreement(squares: MeanSquares, confidence: float) -> tuple[float, float]:
    item, annotator, rest = (float(square) for square in squares.squares)
    items, people = squares.levels["item"], _annotators(squares)
    own = (item - rest) / people
    whole = own + (annotator - rest) / items + rest
    value = own / whole
    by_annotator = people * value / (items * (1 - value))
    by_rest = 1 + people * value * (items - 1) / (items * (1 - value))
    top = (by_annotator * annotator + by_rest * rest) ** 2
    bottom = (by_annotator * annotator) ** 2 / (people - 1) + (by_rest * rest) ** 2 / ((items - 1) * (people - 1))
    df = max(top / bottom, people - 1.0)  # as a sum has; below zero it is a difference, and would come to none
    up, down = _quantile(items - 1, df, confidence), _quantile(df, items - 1, confidence)
    cross = people * annotator + (people * items - people - items) * rest
    low = items * (item - up * rest) / (up * cross + items * item)
    high = items * (down * item - rest) / (cross + items * down * item)
    return low, high


def _annotators(squares: MeanSquares) -> int:
    return prod(levels for name, levels in squares.levels.items() if name != "item")


def _quantile(above: float, below: float, confidence: float) -> float:
    from scipy.special import fdtri

    return float(fdtri(above, below, (1 + confidence) / 2))
