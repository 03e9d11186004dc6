"""Labels with ranks are one of two things: a primary label and others, or the options of a query in order.

Whoever ranks the options of a query was given them: all annotators of the query rank the same ones. Whoever names a
primary label and secondary ones chooses them, and annotators choose differently, and differently many.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import chain
from typing import Any

import numpy as np

from accord.annotations.answers import Ranking, holds_several
from accord.annotations.arrays import BoolArray, IntArray, add_up, numbers_of_each, used
from accord.annotations.assemble import AnnotationRows
from accord.annotations.factorize import Coded
from accord.errors import InputError, remedy

NEARLY_ALL = 0.9  # items of which all annotators rank the same labels, from which on these are options
DOUBTFUL = 0.6  # below it they are labels that everybody chose
FEWEST = 3  # labels that an answer must put in order to look like a ranking; of two, all answers of the table must


def numeric(rank: Coded) -> bool:
    """Are ranks numbers? Else they are none, and whoever reads them says so."""
    return not any(isinstance(value, str | bool) for value in rank.values)


def are_rankings(rows: AnnotationRows, label: Coded, rank: Coded) -> bool:
    """Do annotators put the same options in order? An error with both calls where it may be either."""
    rows = rows.where((rows.of(label.codes) >= 0) & (rows.of(rank.codes) >= 0))
    if not len(rows.item):
        return False
    option, everyone = rows.of(label.codes), max(len(rows.names.annotators), 1)
    cell, size = numbers_of_each(rows.key, len(rows.names.items) * everyone)
    options, long = len(used(option, len(label.values))), float((size >= FEWEST).mean())
    if options > 2 and long < DOUBTFUL:  # as of most tables: nothing more has to be counted
        return False
    item, of_answer = rows.item.astype(np.int64), cell // everyone
    people = np.bincount(of_answer, minlength=int(item.max()) + 1)
    if (people < 2).all():  # nobody to compare with: whole orders of one and the same options
        return bool((size == options).all()) and options >= FEWEST and len(size) >= FEWEST
    same = _same_options(item, option.astype(np.int64), people) & _in_order(of_answer, size, len(people))
    share = float(same[people > 1].mean())
    if options == 2:
        return share == 1.0
    if share < DOUBTFUL:
        return False
    if min(share, long) >= NEARLY_ALL:
        return True
    raise InputError(
        f"Of {share:.0%} of the items all annotators rank the same labels, so the ranks may be either of two things. "
        "If annotators put given options in order, say ",
        remedy(answers="ranking"),
        "; if they chose a primary label and others, say ",
        remedy(answers="ranked"),
        ".",
    )


def _same_options(item: IntArray, option: IntArray, people: IntArray) -> BoolArray:
    """(items,) do all annotators of an item rank the same options?"""
    size = int(option.max()) + 1
    pairs, times = np.unique(item * size + option, return_counts=True)
    alone = times < people[pairs // size]
    return np.asarray(add_up(pairs // size, alone, len(people)) == 0)


def _in_order(item: IntArray, size: IntArray, items: int) -> BoolArray:
    """(items,) does every answer to an item put two labels or more in order? From the item and size of each answer."""
    return np.asarray(add_up(item, size < 2, items) == 0)


def are_listed(items: IntArray, cells: Sequence[Any]) -> bool:
    """Do lists in cells put options in order? Those written as orders do; else all must hold the same ones.

    Lists of the same labels could be sets that agree: at least one must be in another order than another of its item.
    """
    if any(isinstance(cell, Ranking) for cell in cells):
        return True
    orders: dict[int, set[tuple[Any, ...]]] = {}
    for item, cell in zip(items.tolist(), cells, strict=True):
        if isinstance(cell, set | frozenset) or (holds_several(cell) and len(cell) < FEWEST):
            return False
        if holds_several(cell):
            parts = tuple(tuple(part) if holds_several(part) else (part,) for part in cell)
            if not all(isinstance(option, Hashable) for option in chain.from_iterable(parts)):
                return False  # a masked cell is no option
            orders.setdefault(item, set()).add(parts)
    several = [held for held in orders.values() if len(held) > 1]
    return bool(several) and all(
        len({frozenset(chain.from_iterable(order)) for order in held}) == 1 for held in several
    )
