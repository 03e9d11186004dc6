"""The best one-to-one matching of a sparse graph: the largest sum of weights, exactly.

Most of a graph of overlapping marks falls apart without a search, by two rules that lose nothing. An edge that weighs
at least as much as the best other edges at its two ends together is in a best matching. And where a node has one edge
only, of weight w, to a node p, either p is matched with it or what p is matched with instead gains only what it weighs
more: so w is counted, taken off p's other edges, and the node goes. What is left is solved component by component
(Hopcroft and Karp where all weigh the same, else by the Hungarian method).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.errors import MeasureError

MOST_IN_ONE = 9_000_000  # cells of the table of one component
ROUNDS = 40  # after which a graph that falls apart slowly is searched
ROUNDING = 1e-12


@dataclass(eq=False)
class _Graph:
    """Edges between nodes of two sides, and what each still weighs."""

    first: IntArray
    second: IntArray
    weight: FloatArray
    edge: IntArray  # which edge of the whole it is

    def where(self, kept: BoolArray) -> _Graph:
        return _Graph(self.first[kept], self.second[kept], self.weight[kept], self.edge[kept])


@dataclass(frozen=True, eq=False)
class _Leaves:
    """Edges whose one end had no other, put aside until it is known whether the other end found something better."""

    first: IntArray
    second: IntArray
    edge: IntArray
    at_second: BoolArray  # is the node that stays at the second side?


def best_matching(first: IntArray, second: IntArray, weight: FloatArray) -> IntArray:
    """The edges of a best matching, ascending: no node twice, the largest sum of weights; only what weighs something.

    Nodes of the two sides are numbered from zero, each side by itself. The same edges in the same order give the same
    matching; where several are best, one of them.
    """
    kept = weight > 0
    graph = _Graph(first[kept], second[kept], weight[kept].copy(), np.nonzero(kept)[0])
    sizes = int(first.max(initial=-1)) + 1, int(second.max(initial=-1)) + 1
    chosen: list[IntArray] = []
    aside: list[_Leaves] = []
    for _ in range(ROUNDS):
        before = len(graph.edge)
        graph, sure = _certain(graph, sizes)
        chosen.append(sure)
        graph, leaves = _without_leaves(graph, sizes)
        aside.append(leaves)
        if len(graph.edge) == before:
            break
    chosen += _searched(graph)
    return _put_back(np.concatenate(chosen), aside, first, second, sizes)


def _largest(node: IntArray, weight: FloatArray, size: int) -> tuple[FloatArray, FloatArray]:
    """(size,) the largest weight at each node, and the second largest; zero where there is none."""
    order = np.lexsort((-weight, node))
    at, weights = node[order], weight[order]
    begins = np.ones(len(at), dtype=np.bool_)
    begins[1:] = at[1:] != at[:-1]
    best, next_best = np.zeros(size), np.zeros(size)
    best[at[begins]] = weights[begins]
    nexts = np.zeros(len(at), dtype=np.bool_)
    nexts[1:] = begins[:-1] & ~begins[1:]
    next_best[at[nexts]] = weights[nexts]
    return best, next_best


def _certain(graph: _Graph, sizes: tuple[int, int]) -> tuple[_Graph, IntArray]:
    """Take the edges that weigh as much as the best others at both ends together."""
    others = np.zeros(len(graph.edge))
    for node, size in ((graph.first, sizes[0]), (graph.second, sizes[1])):
        best, next_best = _largest(node, graph.weight, size)
        others += np.where(graph.weight == best[node], next_best[node], best[node])
    certain = graph.weight > others + ROUNDING  # strictly more, so that no two of them meet
    gone = [np.zeros(size, dtype=np.bool_) for size in sizes]
    gone[0][graph.first[certain]] = True
    gone[1][graph.second[certain]] = True
    return graph.where(~(gone[0][graph.first] | gone[1][graph.second])), graph.edge[certain]


def _without_leaves(graph: _Graph, sizes: tuple[int, int]) -> tuple[_Graph, _Leaves]:
    """Put the best leaf of every node aside and take its weight off what else the node has."""
    degree = [np.bincount(node, minlength=size) for node, size in zip((graph.first, graph.second), sizes, strict=True)]
    hangs_first, hangs_second = degree[0][graph.first] == 1, degree[1][graph.second] == 1
    leaf = hangs_first != hangs_second  # where both hang the edge stands alone, and was certain
    stays = np.where(hangs_first, graph.second + sizes[0], graph.first)
    order = np.lexsort((graph.edge, -graph.weight, np.where(leaf, stays, sum(sizes))))
    best = np.zeros(len(order), dtype=np.bool_)
    keys = np.where(leaf, stays, -1)[order]
    best[order] = (keys >= 0) & (np.diff(keys, prepend=-2) != 0)
    taken = np.zeros(sum(sizes))
    taken[stays[best]] = graph.weight[best]
    rest = graph.where(~leaf)
    rest.weight = rest.weight - taken[rest.first] - taken[rest.second + sizes[0]]
    leaves = _Leaves(graph.first[best], graph.second[best], graph.edge[best], hangs_first[best])
    return rest.where(rest.weight > ROUNDING), leaves


def _put_back(
    chosen: IntArray, aside: list[_Leaves], first: IntArray, second: IntArray, sizes: tuple[int, int]
) -> IntArray:
    """The matching with the leaves whose other end is still free, the last put aside first."""
    used = [np.zeros(size, dtype=np.bool_) for size in sizes]
    used[0][first[chosen]] = True
    used[1][second[chosen]] = True
    found = [chosen]
    for leaves in reversed(aside):
        free = ~np.where(leaves.at_second, used[1][leaves.second], used[0][leaves.first])
        used[0][leaves.first[free]] = True
        used[1][leaves.second[free]] = True
        found.append(leaves.edge[free])
    return np.sort(np.concatenate(found))


def _searched(graph: _Graph) -> list[IntArray]:
    """What no rule decides: all at once where every edge weighs the same, else each component by itself."""
    if not len(graph.edge):
        return []
    from scipy.sparse import csr_array

    rows, row = np.unique(graph.first, return_inverse=True)
    columns, column = np.unique(graph.second, return_inverse=True)
    shape = len(rows), len(columns)
    place: Any = csr_array((np.arange(1, len(row) + 1), (row, column)), shape=shape)
    if np.ptp(graph.weight) == 0:
        from scipy.sparse.csgraph import maximum_bipartite_matching

        partner = maximum_bipartite_matching(place, perm_type="column")
        matched = partner >= 0
        key = row * shape[1] + column
        wanted = np.nonzero(matched)[0] * shape[1] + partner[matched]
        order = np.argsort(key)
        return [graph.edge[order[np.searchsorted(key[order], wanted)]]]
    return _by_component(graph, row, column, shape)


def _by_component(graph: _Graph, row: IntArray, column: IntArray, shape: tuple[int, int]) -> list[IntArray]:
    """The Hungarian method on the table of each component."""
    from scipy.optimize import linear_sum_assignment
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    nodes = sum(shape)
    joined = coo_array((np.ones(len(row)), (row, column + shape[0])), shape=(nodes, nodes))
    component = connected_components(joined, directed=False)[1][row]
    order = np.argsort(component, kind="stable")
    cuts = np.nonzero(np.diff(component[order], prepend=-1))[0].tolist()
    found = []
    for begin, end in zip(cuts, [*cuts[1:], len(order)], strict=True):
        edges = order[begin:end]
        (above, i), (across, j) = (np.unique(side[edges], return_inverse=True) for side in (row, column))
        _refuse_large(len(above), len(across))
        weights = np.zeros((len(above), len(across)))
        which = np.full(weights.shape, -1, dtype=np.int64)
        weights[i, j], which[i, j] = graph.weight[edges], graph.edge[edges]
        edge = which[linear_sum_assignment(weights, maximize=True)]
        found.append(edge[edge >= 0])
    return found


def _refuse_large(rows: int, columns: int) -> None:
    if rows * columns > MOST_IN_ONE:
        raise MeasureError(
            f"{rows:,} and {columns:,} marks of two annotators overlap in one unbroken chain; the best matching of so "
            f"many would need a table of {rows * columns:,} cells (at most {MOST_IN_ONE:,}). Leave out documents or "
            "labels with marks upon marks."
        )
