"""The texts of items, where the table has a column of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from accord.study.study import Study


def item_texts(study: Study, items: Sequence[int]) -> list[str]:
    """The texts of some items, by their positions: the first that the table gives for each, "" where it gives none."""
    if "text" not in study.roles:
        return [""] * len(items)
    column = study._column(study.roles["text"], "text")
    of = study._annotations.rows[0]
    present = np.nonzero(np.isin(of, np.asarray(items, dtype=np.int64)) & (column.codes >= 0))[0]
    found: dict[int, str] = {}
    for row in present.tolist():
        found.setdefault(int(of[row]), str(column.values[column.codes[row]]))
    return [found.get(int(item), "") for item in items]
