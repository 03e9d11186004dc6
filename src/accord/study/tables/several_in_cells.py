"""Cells that hold several labels with a mark between: what tells them from labels with a comma, and how to say so."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from accord.errors import Message, remedy
from accord.study.tables import column_names
from accord.study.tables.rows import ReadOptions
from accord.study.tables.sheet import Sheet

WEAKER_MARKS = ("\n", "#", ",")  # between labels only where these come again without
LONGEST_LIST = 60  # letters of a cell with several labels; sentences are longer
ORDERS = {"ranking", "rankings", "order", "ordering"}  # how columns are called that hold options put in order


def several_note(sheet: Sheet, names: Sequence[str], options: ReadOptions) -> list[Message]:
    """That cells look like several labels, and how to say so."""
    return note_of_cells([cell for name in names for cell in sheet.sample(name)], names, options)


def note_of_cells(held: Sequence[Any], names: Sequence[str], options: ReadOptions) -> list[Message]:
    """The same of cells that stand in columns of these names."""
    if options.separator is not None:
        return []
    cells = list(dict.fromkeys(cell for cell in held if isinstance(cell, str)))
    cell = next((cell for cell in cells if re.search(r"[|;]", cell)), None)
    cell = cell or next(filter(None, (_with_shared_part(cells, mark) for mark in WEAKER_MARKS)), None)
    if cell is None:
        return []
    mark = next(mark for mark in ("|", ";", *WEAKER_MARKS) if mark in cell)
    what = f"cells such as {cell!r} were read as one label each; if they "
    if {column_names.plain(name) for name in names} <= ORDERS:
        return [Message(what, "are options put in order, say ", remedy(answers="ranking", separator=mark))]
    return [Message(what, "hold several, say ", remedy(separator=mark))]


def _with_shared_part(cells: Sequence[str], mark: str) -> str | None:
    """The first cell with a mark of which one part comes again in another cell; None where it stands in sentences."""
    parts = {cell: {part.strip() for part in cell.split(mark) if part.strip()} for cell in cells}
    often = Counter(part for held in parts.values() for part in held)
    shared = (cell for cell, held in parts.items() if len(held) > 1 and any(often[part] > 1 for part in held))
    return next(shared, None) if all(len(cell) <= LONGEST_LIST for cell in cells) else None
