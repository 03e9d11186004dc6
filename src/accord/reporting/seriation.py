"""An order in which those who agree stand side by side, so that circles of annotators show as blocks of a matrix."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord.agreement.table import Table
from accord.annotations.arrays import FloatArray


def side_by_side(table: Table, names: Sequence[str]) -> list[str]:
    """The names of a table by pair in such an order.

    The two groups with the highest mean agreement are joined until one is left (average linkage); where two are joined,
    each is turned so that those who agree most meet.

    >>> values = {("a", "c"): 0.9, ("b", "d"): 0.8, ("a", "b"): 0.1, ("c", "d"): 0.2, ("a", "d"): 0.0, ("b", "c"): 0.1}
    >>> pairs = {"first": [pair[0] for pair in values], "second": [pair[1] for pair in values]}
    >>> side_by_side(Table("pairs", {**pairs, "value": list(values.values())}), ["a", "b", "c", "d"])
    ['a', 'c', 'd', 'b']
    """
    likeness = _likeness(table, names)
    rows = [[place] for place in range(len(names))]
    while len(rows) > 1:
        means = {
            (one, other): float(likeness[np.ix_(rows[one], rows[other])].mean())
            for one in range(len(rows))
            for other in range(one + 1, len(rows))
        }
        one, other = max(means, key=lambda pair: (means[pair], -pair[0], -pair[1]))
        joined = _joined(rows[one], rows[other], likeness)
        rows = [joined if place == one else row for place, row in enumerate(rows) if place != other]
    return [names[place] for place in (rows[0] if rows else [])]


def _likeness(table: Table, names: Sequence[str]) -> FloatArray:
    """(n, n) agreement of every two; pairs without a value agree as the mean of pairs does."""
    place = {name: number for number, name in enumerate(names)}
    values = np.full((len(names), len(names)), np.nan)
    for row in table:
        if row["first"] in place and row["second"] in place:
            one, other = place[row["first"]], place[row["second"]]
            values[one, other] = values[other, one] = row["value"]
    known = values[np.isfinite(values)]
    return np.where(np.isfinite(values), values, known.mean() if len(known) else 0.0)


def _joined(one: list[int], other: list[int], likeness: FloatArray) -> list[int]:
    """Two rows as one, with their most alike ends together; unturned where that is as good."""
    ways = [(first, second) for first in (one, one[::-1]) for second in (other, other[::-1])]
    first, second = max(ways, key=lambda way: likeness[way[0][-1], way[1][0]])
    return first + second
