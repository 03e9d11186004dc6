"""The order in which items are offered: the first is the one where a decision is worth most, or as the user chose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.annotations.majority_rule import EQUAL_DIGITS
from accord.consensus.decision_value import decision_value
from accord.consensus.gold import Gold
from accord.errors import Keyword, OptionError, quoted
from accord.judge.costs import cost_table

OrderBy: TypeAlias = Literal["value", "uncertainty", "disagreement", "given", "random"]
ORDERS: tuple[OrderBy, ...] = get_args(OrderBy)
BY_WORTH: tuple[OrderBy, ...] = ("value", "uncertainty", "disagreement")  # of which contested items come first


def check_order(order: str) -> None:
    """A word that says an order."""
    if order not in ORDERS:
        raise OptionError.choice("order", order, ORDERS)


def worth(gold: Gold, order: OrderBy, seed: int = 0, costs: Any = None) -> FloatArray:
    """(items,): the larger, the earlier an item comes."""
    if costs is not None and (order != "value" or gold.kind != "single"):
        raise OptionError(
            Keyword("costs"),
            " say what wrong single labels cost, and count where the queue goes by value; here answers are of the "
            "kind ",
            quoted(gold.kind),
            " and the order is ",
            quoted(order),
            ". Leave them out.",
        )
    ways: dict[OrderBy, Callable[[], FloatArray]] = {
        "value": lambda: _value(gold, costs),
        "uncertainty": gold._doubt,
        "disagreement": lambda: _disagreement(gold),
        "given": lambda: -np.argsort(gold.study._appearance).astype(np.float64),
        "random": lambda: np.random.default_rng(seed).random(len(gold)),
    }
    return ways[order]()


def _value(gold: Gold, costs: Any) -> FloatArray:
    return decision_value(gold, None if costs is None else cost_table(costs, gold.study.labels)).total


def _disagreement(gold: Gold) -> FloatArray:
    """(items,): the share of an item's answers that are not its commonest; of what nobody answered all."""
    tally = gold.study.tally()
    assert tally.locate is not None
    most = np.zeros(len(tally))
    np.maximum.at(most, tally.pattern, tally.count)
    return np.append(1 - most / tally.answered, 1.0)[tally.locate()]


def in_order(value: FloatArray, first: BoolArray | None = None) -> IntArray:
    """The items, most worth first, all of some before all others; equal ones in their own order."""
    ranked = np.round(value, EQUAL_DIGITS)
    later = np.zeros(len(value), dtype=np.bool_) if first is None else ~first
    return np.lexsort((np.arange(len(value)), -ranked, later))
