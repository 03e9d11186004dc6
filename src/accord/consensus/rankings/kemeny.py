"""Kemeny's order: the one that the fewest pairs of options in all lists go against; exact.

Up to `BY_SUBSETS` options every set of first options is looked at, which also tells each pair that another best order
turns round. Beyond, an integer program with a variable for each pair and a constraint for each three options; a pair of
neighbours is then undecided if an order that turns it round is as good.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.consensus.rankings.votes import QueryLists, QueryOrder
from accord.errors import MeasureError, remedy

BY_SUBSETS = 10  # options of which every subset is looked at
MOST_OPTIONS = 30  # beyond that an exact order may take too long
WHY = "as many lists go against either order"


def kemeny(query: QueryLists) -> QueryOrder:
    """The order of one query; pairs that other best orders turn round are tied, and with them what they join.

    Of the best orders ABC and BCA only B before C is common: all three are tied, as A is with either.
    """
    many = len(query)
    if many > MOST_OPTIONS:
        raise MeasureError(
            f"Kemeny's order is exact for up to {MOST_OPTIONS} options; a query has {many}. Choose ",
            remedy(method="borda"),
            " or ",
            remedy(method="plackett-luce"),
            ".",
        )
    cost = query.before.T  # what it costs to put the first of two before the second
    either = _by_subsets(cost) if many <= BY_SUBSETS else _by_program(cost)
    ahead = either & ~either.T  # before in every best order
    joined = _joined(either & either.T)  # a tie is of all of them, or it would go against one of its own pairs
    ranks = np.asarray((ahead & ~joined).sum(0), dtype=np.float64)
    pairs = tuple((a, b) for a, b in combinations(range(many), 2) if either[a, b] and either[b, a])
    nothing = np.full(many, np.nan)
    return QueryOrder(ranks, nothing, nothing, pairs, WHY)


def _joined(turned: BoolArray) -> BoolArray:
    """(n, n) which options a chain of undecided pairs joins; each with itself."""
    found = turned | np.eye(len(turned), dtype=np.bool_)
    for _ in range(len(turned).bit_length()):
        found = np.asarray(found @ found)
    return found


def _by_subsets(cost: FloatArray) -> BoolArray:
    """(n, n) which pairs stand so in some best order, from the least cost of every set of first options."""
    many = len(cost)
    full = (1 << many) - 1
    members = np.array([[subset >> option & 1 for option in range(many)] for subset in range(full + 1)], dtype=np.bool_)
    after = (~members).astype(np.float64) @ cost.T  # (subsets, options): the option before all that are not yet in
    first, last = np.full(full + 1, np.inf), np.full(full + 1, np.inf)
    first[0] = last[full] = 0.0
    for subset in range(full + 1):
        for option in np.nonzero(~members[subset])[0].tolist():
            step = first[subset] + after[subset, option]
            first[subset | 1 << option] = min(first[subset | 1 << option], step)
    for subset in range(full, -1, -1):
        for option in np.nonzero(~members[subset])[0].tolist():
            last[subset] = min(last[subset], last[subset | 1 << option] + after[subset, option])
    best = members[np.abs(first + last - first[full]) < 1e-9]
    return np.asarray((best[:, :, None] & ~best[:, None, :]).any(0))


def _by_program(cost: FloatArray) -> BoolArray:
    """(n, n) the same for neighbours of one best order; other pairs as they stand in it."""
    order, least = _solved(cost)
    place = np.argsort(order)
    either = np.asarray(place[:, None] < place[None, :])
    for one, other in zip(order[:-1].tolist(), order[1:].tolist(), strict=True):
        turned = cost[other, one] == cost[one, other] or _solved(cost, (other, one))[1] < least + 1e-6
        either[other, one] = turned
    return either


def _solved(cost: FloatArray, forced: tuple[int, int] | None = None) -> tuple[IntArray, float]:
    """A best order and its cost; `forced` are two options of which the first must stand before the second."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    many = len(cost)
    pairs = list(combinations(range(many), 2))
    at = {pair: place for place, pair in enumerate(pairs)}  # 1 where the first stands before the second
    weights = np.array([cost[a, b] - cost[b, a] for a, b in pairs])
    rows = [(at[a, b], at[b, c], at[a, c]) for a, b, c in combinations(range(many), 3)]  # 0 ≤ ab + bc − ac ≤ 1
    index = np.repeat(np.arange(len(rows)), 3)
    entries = (np.tile([1.0, 1.0, -1.0], len(rows)), (index, np.array(rows).ravel()))
    low, high = np.zeros(len(pairs)), np.ones(len(pairs))
    if forced is not None:
        first, second = forced
        low[at[min(forced), max(forced)]] = high[at[min(forced), max(forced)]] = float(first < second)
    found = milp(
        weights, integrality=np.ones(len(pairs)), bounds=Bounds(low, high),
        constraints=LinearConstraint(csr_array(entries, shape=(len(rows), len(pairs))), 0, 1),
    )  # fmt: skip
    if found.x is None:
        raise MeasureError(f"No best order was found: {found.message}")
    ahead = np.zeros(many)
    for (a, b), before in zip(pairs, np.rint(found.x).tolist(), strict=True):
        ahead[b if before else a] += 1
    total = float(found.fun) + sum(cost[b, a] for a, b in pairs)
    return np.argsort(ahead, kind="stable").astype(np.int64), total
