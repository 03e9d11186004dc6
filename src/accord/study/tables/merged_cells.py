"""Names that stand once for several rows, as spreadsheets save cells that were merged: the rows below have none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from accord.errors import counted
from accord.study.tables.sheet import Sheet


def fill_down(sheet: Sheet, names: Sequence[Any]) -> None:
    """Give rows without an item, or an annotator, that of the row above, where at least every second row has none.

    Fewer gaps are rows that somebody forgot to name: they are left out and counted.
    """
    if sheet.given or sheet.large:
        return
    blank = set(sheet.blank_rows())
    for name in names:
        cells = sheet.cells(name)
        gaps = [place for place, cell in enumerate(cells) if _is_gap(cell) and place not in blank]
        if not gaps or _is_gap(cells[0]) or 2 * len(gaps) < len(cells) - len(blank):
            continue
        for place in gaps:
            cells[place] = next(cells[above] for above in range(place - 1, -1, -1) if above not in blank)
        sheet.replaced(name, sheet.column_of(name, cells))
        sheet.notes.append(
            f"{counted(len(gaps), 'rows')} without a cell in {name!r} have that of the row above, as merged cells are "
            "saved"
        )


def _is_gap(cell: Any) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())
