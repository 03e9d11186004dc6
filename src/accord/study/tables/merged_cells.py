"""Names that stand once for several rows, as spreadsheets save cells that were merged: the rows below have none."""

from __future__ import annotations

from typing import Any

from accord.errors import Message, counted
from accord.study.tables import column_names
from accord.study.tables.sheet import Sheet, is_blank


def fill_down(sheet: Sheet, item: str, annotator: str) -> None:
    """Give rows without an item, or an annotator, that of the row above, where at least every second row has none.

    Fewer gaps are rows that somebody forgot to name: they are left out and counted. So are gaps of annotators who
    would then have answered an item twice. What accord wrote, with the kind of answers in a column, has no such cells.
    """
    if sheet.given or "answers" in sheet.columns:
        return
    for name in (item, annotator):
        if 2 * sheet.n_gaps(name) < sheet.rows:
            continue
        cells, blank = sheet.cells(name), set(sheet.blank_rows())
        gaps = [place for place, cell in enumerate(cells) if is_blank(cell) and place not in blank]
        if not gaps or is_blank(cells[0]) or 2 * len(gaps) < len(cells) - len(blank):
            continue
        for place in range(1, len(cells)):
            cells[place] = cells[place - 1] if is_blank(cells[place]) else cells[place]
        for place in blank:
            cells[place] = None
        if name == annotator and _twice(sheet.keys(item), cells):
            continue
        sheet.replaced(name, sheet.column_of(name, cells))
        sheet.notes.append(
            Message(
                f"{counted(len(gaps), 'rows')} without a cell in ",
                column_names.column(name),
                " have that of the row above, as merged cells are saved",
            )
        )


def _twice(items: list[Any], annotators: list[Any]) -> bool:
    """Did somebody answer an item twice?"""
    pairs = zip(items, annotators, strict=True)
    answered = [(item, str(who)) for item, who in pairs if not is_blank(item) and not is_blank(who)]
    return len(set(answered)) < len(answered)
