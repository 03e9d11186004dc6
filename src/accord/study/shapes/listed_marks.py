"""Marked places whose cells hold lists of labels: a row for each label, as if each had been marked by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.annotations.answers import holds_several

if TYPE_CHECKING:
    from accord.engine.frames import Columns, Frame


def row_per_label(frame: Frame, name: str) -> tuple[Columns, list[int]]:
    """The table with one label in each cell of a column, and which row of the given table each row comes from.

    A list of none stays a row without a label: who saw the place and named nothing there has marked nothing.
    """
    from accord.engine.frames import Columns

    cells = [list(cell) or [None] if holds_several(cell) else [cell] for cell in frame.cells(name)]
    rows = [row for row, labels in enumerate(cells) for _ in labels]
    columns = {other: frame.cells(other) for other in frame.columns if other != name}
    repeated = {other: [held[row] for row in rows] for other, held in columns.items()}
    flat = {name: [label for labels in cells for label in labels], **repeated}
    return Columns({column: flat[column] for column in frame.columns}), rows
