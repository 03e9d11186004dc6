"""The order in which items are offered: the first is the one where a decision is worth most, or as the user chose."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray
from accord.annotations.majority import EQUAL_DIGITS
from accord.consensus.adjudication import uncertainty
from accord.consensus.gold import Gold
from accord.consensus.spans.span_gold import SpanGold
from accord.errors import OptionError
from accord.workbench.span_units import worth_of_documents

OrderBy: TypeAlias = Literal["value", "uncertainty", "disagreement", "given", "random"]
ORDERS: tuple[OrderBy, ...] = get_args(OrderBy)


def check_order(order: str) -> None:
    """A word that says an order."""
    if order not in ORDERS:
        raise OptionError.choice("order", order, ORDERS)


def worth(gold: Gold, order: OrderBy, seed: int = 0) -> FloatArray:
    """(items,): the larger, the earlier an item comes."""
    if order == "given":
        return -np.argsort(gold.study._appearance).astype(np.float64)
    if order == "random":
        return np.random.default_rng(seed).random(len(gold))
    if isinstance(gold, SpanGold):
        return worth_of_documents(gold)
    if order == "disagreement":
        return 1 - np.nan_to_num(gold.votes, nan=0.0)
    return uncertainty(gold)


def in_order(value: FloatArray) -> IntArray:
    """The items, most worth first; equal ones in their own order."""
    ranked = np.round(value, EQUAL_DIGITS)
    return np.lexsort((np.arange(len(value)), -ranked))
