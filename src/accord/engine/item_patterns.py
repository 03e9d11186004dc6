"""Distinct ways in which items were answered, where an answer is told by several columns: counted in an engine.

Every answer has two random numbers, whose sums tell any two patterns apart, but for a chance of 2⁻⁸⁸; one item of each
shows what its pattern holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from accord.annotations.arrays import IntArray
from accord.annotations.tally_by_sorting import FINGERPRINT_SEED
from accord.engine.lazy_annotations import MOST_PATTERNS
from accord.engine.scan import Scan
from accord.errors import MeasureError


@dataclass(frozen=True, eq=False)
class ItemPatterns:
    """What the items of each pattern hold, and how many there are."""

    pattern: IntArray  # (E,)
    answer: IntArray  # (E,)
    count: IntArray  # (E,) how often an item of the pattern has the answer
    items: IntArray  # (P,) how many items show it


def item_patterns(scan: Scan, item: str, keys: Sequence[str], codes: Mapping[tuple[Any, ...], int]) -> ItemPatterns:
    """The patterns of answers that some columns tell; rows of other values than these do not count."""
    rows = _with_prints(scan.with_digest(item), keys, codes)
    of_item = ["print_f_last_", "print_g_last_", "rows_"]
    sums = [nw.col(name).sum().alias(f"{name}_last_") for name in ("print_f", "print_g")]
    each = rows.group_by(item).agg(*sums, nw.len().alias("rows_"))
    each = each.with_columns(*(nw.col(name).cast(nw.Int64) for name in of_item))  # some engines add into wider types
    first = each.group_by(*of_item).agg(nw.len().alias("items_"), nw.col(item).min())
    members = rows.select(item, "answer_").join(first, on=item, how="inner")
    names = [*of_item, "items_", "answer_"]
    found = scan.of_frame(members.group_by(*names).agg(nw.len().alias("number_")))
    table = found.integers(*names, "number_", most=MOST_PATTERNS)
    if len(table["number_"]) > MOST_PATTERNS:
        raise MeasureError(
            f"Items were answered in more than {MOST_PATTERNS:,} different ways: too many to bring here. Measure a "
            "sample of the items."
        )
    order = np.lexsort([table[name] for name in reversed(names)])
    signatures = np.stack([table[name][order] for name in names[:-2]], axis=1)
    fresh = (
        np.append(True, (signatures[1:] != signatures[:-1]).any(axis=1)) if len(order) else np.empty(0, dtype=np.bool_)
    )
    return ItemPatterns(
        np.cumsum(fresh) - 1, table["answer_"][order], table["number_"][order], table["items_"][order][fresh]
    )


def _with_prints(scan: Scan, keys: Sequence[str], codes: Mapping[tuple[Any, ...], int]) -> nw.LazyFrame[Any]:
    """The rows with their answer and its two random numbers."""
    answer = np.array(list(codes.values()), dtype=np.int64)
    random = np.random.default_rng(FINGERPRINT_SEED).integers(1 << 40, 1 << 44, size=(2, int(answer.max()) + 1))
    columns: dict[str, Any] = dict(zip(keys, zip(*codes, strict=True), strict=True))
    columns["answer_"] = answer.tolist()
    columns |= dict(zip(("print_f", "print_g"), random[:, answer].tolist(), strict=True))
    return scan.joined(scan.uploaded(columns), keys).frame
