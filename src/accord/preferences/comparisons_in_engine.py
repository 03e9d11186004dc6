"""Comparisons that stay in their engine: how many items were compared in which way is all that strengths need."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.annotations.arrays import IntArray
from accord.errors import InputError, MeasureError, all_quoted, keyword, quoted, remedy
from accord.preferences.comparisons import Comparisons
from accord.study.roles import COMPARED
from accord.study.study import Study

if TYPE_CHECKING:
    from accord.engine.scan import Scan

NEEDED = ("item", "annotator", "label", *COMPARED)


def large_comparisons(data: Any, roles: Mapping[str, Any]) -> tuple[Comparisons, int] | None:
    """The comparisons of a lazy table with more rows than are brought into memory; None for any other data.

    And how many of its rows are none: without an item, an annotator or an answer.
    """
    if isinstance(data, Study | Mapping | list | tuple):
        return None
    from accord.engine.lazy_annotations import is_large  # narwhals is loaded when a frame comes
    from accord.engine.scan import Scan

    scan = Scan.of(data)
    if scan is None or not is_large(scan):
        return None
    columns = {role: str(roles.get(role) or role) for role in NEEDED}
    missing = [role for role, name in columns.items() if name not in scan.columns]
    if missing:
        raise MeasureError(
            "The table has more rows than are brought into memory, and is counted in its engine. Its columns are ",
            all_quoted(scan.columns, most=10),
            "; say which hold what: ",
            remedy(**dict.fromkeys(missing, ...)),
            ".",
        )
    further = sorted(set(roles) - {*NEEDED, "cluster"})
    if further:
        raise MeasureError(
            "Preferences that are counted in their engine take no ", keyword(further[0]), ". Filter the frame first."
        )
    found = _counted(scan, {**columns, **({"cluster": str(roles["cluster"])} if roles.get("cluster") else {})})
    return found, scan.rows() - found.number


def _counted(scan: Scan, columns: Mapping[str, str]) -> Comparisons:
    """From patterns of items; what was sampled is the item, or the cluster of every row."""
    from accord.engine.item_patterns import item_patterns

    sampled = columns.get("cluster", columns["item"])
    keys = [columns[role] for role in (*COMPARED, "label")]
    rows = scan.tidied([sampled, columns["annotator"], *keys]).without_null(sampled, columns["annotator"])
    found = [row[:-1] for row in rows.counted(*keys) if row[2] is not None]
    comparisons, of_row = _read(found, columns)
    codes = {cells: int(row) for cells, row in zip(found, of_row, strict=True) if row >= 0}
    seen = item_patterns(rows, sampled, keys, codes)
    people = tuple(sorted(str(name) for name, _ in rows.counted(columns["annotator"])))
    return Comparisons(
        comparisons.options, comparisons.first[seen.answer], comparisons.second[seen.answer],
        comparisons.outcome[seen.answer], seen.pattern,
        np.full(len(seen.answer), -1, dtype=np.int64), people, seen.count.astype(np.float64),
        np.empty((len(seen.answer), 0)), seen.items.astype(np.float64),
    )  # fmt: skip


def _read(found: list[tuple[Any, ...]], columns: Mapping[str, str]) -> tuple[Comparisons, IntArray]:
    """What each combination of two options and a label says, as in memory; and its row there, −1 for nothing."""
    if not found:
        raise InputError("No row has something in ", quoted(columns["label"]), ".")
    first, second, label = (list(cells) for cells in zip(*found, strict=True))
    table = {"row": list(range(len(found))), "who": ["one"] * len(found), "said": label, "one": first, "other": second}
    study = Study(table, item="row", annotator="who", label="said", first="one", second="other")
    comparisons = Comparisons.of(study)
    of_row = np.full(len(found), -1, dtype=np.int64)
    of_row[np.array([int(study.items[item]) for item in comparisons.item.tolist()], dtype=np.int64)] = np.arange(
        len(comparisons)
    )
    return comparisons, of_row
