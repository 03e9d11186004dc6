"""Answers put in order of item, from any order, in threads: the one pass between a table and its iterations.

Batches of answers are put in blocks of items as they come, and then block by block in order of item, the answers of an
item in order too. That makes the order of rows, batches and threads as good as unknown: the same answers give the same
arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import IntArray
from accord.annotations.in_threads import Blocks, Codes, each_in_threads

MOST = 2**31  # items, or cells, that are told apart by 32 bits


@dataclass(frozen=True, eq=False)
class InItemOrder:
    """Where the answers of each item begin, and the answers: cells in order, equal ones side by side."""

    starts: Codes  # (items + 1,)
    cells: Codes  # (answers,)
    repeated: bool  # does a cell stand twice at an item?


def in_item_order(
    batches: Iterable[tuple[Codes, ...]], per_item: IntArray, cells: Callable[..., Codes] | None = None
) -> InItemOrder:
    """From items and cells, in any order and some at a time; `per_item` says how many each item has.

    `cells` makes the cells of what a batch has instead of them.
    """
    from scipy.sparse import csr_array

    starts = np.zeros(len(per_item) + 1, dtype=np.int64)
    np.cumsum(per_item, out=starts[1:])
    blocks = Blocks(batches, per_item, cells)

    def ordered(number: int) -> bool:
        block = blocks.block(number)
        begins, mine = block.by_first()
        rows = csr_array((np.empty(len(mine), dtype=np.int8), mine, begins), shape=(block.size, MOST - 1))
        rows.sort_indices()
        block.seconds[:] = rows.indices
        again = np.flatnonzero(rows.indices[1:] == rows.indices[:-1]) + 1
        return bool(len(again)) and not bool(np.isin(again, begins).all())

    repeated = any([*each_in_threads(ordered, ((number,) for number in range(blocks.number)))])
    found = blocks.seconds
    return InItemOrder(starts.astype(np.int32) if len(found) < MOST else starts, found, repeated)


def fits(n_items: int, width: int) -> bool:
    """Do 32 bits tell items, and cells, apart?"""
    return n_items < MOST and width < MOST
