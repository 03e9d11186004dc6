"""Orders that are written in one text: A > B = C, the first before the others, equal signs between tied options."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from accord.annotations.answers import Ranking, Tie, tidy_label
from accord.errors import LabelError, Message, at_row, quoted, remedy

BEFORE = re.compile("[>≻]")
TIED = re.compile("[=~≈∼]")
MAY_BE_ORDER = re.compile("[>≻=~≈∼]")
BETWEEN = (",", ";", "|", "\n")  # what else stands between options where somebody says that cells are rankings
FEWEST = 3  # options of orders that never turn two of them round


def read_as_rankings() -> Message:
    """The note that cells were taken for orders, and what reads them otherwise."""
    return Message(
        "read as rankings: every cell names options in order, such as A > B; ",
        remedy(answers="single"),
        " reads them as labels",
    )


def are_orders(items: Sequence[Any], cells: Sequence[Any]) -> bool:
    """Does every cell that holds something put options in order, and not name a category and one below it?

    In categories and comparisons ("Animal > Dog", "size > 3") the same words stand on the same sides. Options stand
    before each other in some cells and after in others; or whoever answered an item put the same ones in an order.

    >>> are_orders([1, 1, 2], ["A > B > C", "C > A = B", None]), are_orders([1, 1], ["Animal > Dog", "Animal > Cat"])
    (True, False)
    >>> are_orders([1, 2], ["x > 3", "see p. 4"]), are_orders([1, 1], ["a -> b", "b -> a"])
    (False, False)
    """
    if not all(map(_plain, cells)):
        return False
    known = {cell: order_in(cell) for cell in set(cells) if tidy_label(cell) is not None}
    if not known or None in known.values():
        return False
    orders = {cell: _by_option(order) for cell, order in known.items() if order is not None}
    return _turned(orders.values()) or _the_same(items, cells, orders)


def _turned(orders: Iterable[Mapping[Any, int]]) -> bool:
    """Does an option stand before another in one order, and after it in another?"""
    seen: set[tuple[Any, Any]] = set()
    for order in orders:
        before = {(one, other) for one in order for other in order if order[one] < order[other]}
        if any((other, one) in seen for one, other in before):
            return True
        seen |= before
    return False


def _the_same(items: Sequence[Any], cells: Sequence[Any], orders: Mapping[Any, Mapping[Any, int]]) -> bool:
    """Do all answers to an item hold the same options, not always in one order? Or are all answers one long order?"""
    given: dict[Any, set[Any]] = {}
    for item, cell in zip(items, cells, strict=True):
        if cell in orders:
            given.setdefault(item, set()).add(cell)
    if min(map(len, orders.values())) < FEWEST:  # "size > 3" and "size = 3" are of the same words, too
        return False
    if len(orders) == 1:
        return len(given) > 1
    differ = any(orders[one] != orders[other] for held in given.values() for one, other in pairwise(held))
    return differ and all(len({frozenset(orders[cell]) for cell in held}) == 1 for held in given.values())


def _by_option(order: Ranking) -> dict[Any, int]:
    """The rank of each option."""
    return {option: rank for rank, part in enumerate(order) for option in (part if isinstance(part, Tie) else (part,))}


def orders_in(cells: Sequence[Any]) -> list[Ranking | None]:
    """The order in each cell; an error where one holds none. Cells without > may have one and the same other mark.

    >>> [str(order) for order in orders_in(["A > B=C", "C>A>B"])], [str(order) for order in orders_in(["a, b", "b, a"])]
    (['A > B = C', 'C > A > B'], ['a > b', 'b > a'])
    """
    texts = [cell for cell in cells if isinstance(cell, str) and cell.strip()]
    marks = [mark for mark in BETWEEN if not any(BEFORE.search(text) for text in texts) and mark in " ".join(texts)]
    found: list[Ranking | None] = []
    for row, cell in enumerate(cells):
        if tidy_label(cell) is None:
            found.append(None)
            continue
        order = order_in(str(cell), marks[0] if marks else None)
        if order is None:
            raise LabelError(
                "A ranking must name its options in order, such as 'A > B = C'; found ",
                quoted(cell),
                " in ",
                at_row(row),
                ". Mend it, or give a row for each option with its rank.",
            )
        found.append(order)
    return found


def order_in(text: str, mark: str | None = None) -> Ranking | None:
    """The options of a text in order; None where it is no order. Arrows and comparisons such as >= are none."""
    if mark is None and re.search(r"->|=>|>=|<|>>", text):
        return None
    groups = BEFORE.split(text) if mark is None else text.split(mark)
    tied = [[part.strip() for part in (TIED.split(group) if mark is None else [group])] for group in groups]
    if len(tied) < 2 and len(tied[0]) < 2:
        return Ranking([tied[0][0]]) if mark is not None and tied[0][0] else None
    if not all(option for group in tied for option in group):
        return None
    return Ranking(Tie(group) if len(group) > 1 else group[0] for group in tied)


def _plain(cell: Any) -> bool:
    return cell is None or isinstance(cell, str)
