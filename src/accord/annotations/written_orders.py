"""Orders that are written in one text: A > B = C, the first before the others, equal signs between tied options."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from accord.annotations.answers import Ranking, Tie, tidy_label
from accord.errors import LabelError

BEFORE = re.compile(r"\s*[>≻]\s*")
TIED = re.compile(r"\s*[=~≈∼]\s*")
BETWEEN = (",", ";", "|", "\n")  # what else stands between options where somebody says that cells are rankings


def are_orders(cells: Sequence[Any]) -> bool:
    """Is every cell that holds something an order of options, and does some option stand in two of them?

    >>> (
    ...     are_orders(["A > B > C", "C > A = B", None]),
    ...     are_orders(["x > 3", "see p. 4"]),
    ...     are_orders(["a -> b", "b -> a"]),
    ... )
    (True, False, False)
    """
    given = [cell for cell in cells if tidy_label(cell) is not None] if all(map(_plain, cells)) else []
    orders = [order_in(cell) for cell in given if isinstance(cell, str)]
    if len(orders) < max(len(given), 2) or None in orders:
        return False
    held = [_options(order) for order in orders if order is not None and len(order) > 1]
    known = {option for options in held for option in options}
    tied = [option for order in orders if order is not None and len(order) == 1 for option in _options(order)]
    return len(known) < sum(map(len, held)) and known.issuperset(tied)


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
                f"A ranking must name its options in order, such as 'A > B = C'; found {cell!r} in row {row}. Mend it, "
                "or give a row for each option with its rank."
            )
        found.append(order)
    return found


def order_in(text: str, mark: str | None = None) -> Ranking | None:
    """The options of a text in order; None where it is no order. Arrows and comparisons such as >= are none."""
    if mark is None and re.search(r"->|=>|>=|<|>>", text):
        return None
    groups = BEFORE.split(text.strip()) if mark is None else [part.strip() for part in text.split(mark)]
    tied = [TIED.split(group) if mark is None else [group] for group in groups]
    if len(tied) < 2 and len(tied[0]) < 2:
        return Ranking([tied[0][0]]) if mark is not None and tied[0][0] else None
    if not all(option for group in tied for option in group):
        return None
    return Ranking(Tie(group) if len(group) > 1 else group[0] for group in tied)


def _options(order: Ranking) -> list[Any]:
    return [option for part in order for option in (part if isinstance(part, Tie) else (part,))]


def _plain(cell: Any) -> bool:
    return cell is None or isinstance(cell, str)
