"""Rows as comma- or tab-separated text: the one writer of every file and of the command."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from accord.annotations.answers import EMPTY_SET

BETWEEN = " | "  # labels of a set in one cell


class Sink(Protocol):
    """Where text goes: a file opened with newline="", or a StringIO."""

    def write(self, text: str, /) -> Any:
        """Take some text."""


class _Lines:
    """Ends lines with a line feed alone.

    Until Python 3.13 a csv.writer quotes only those breaks that it ends its own lines with. So it is made to end them
    with both, and every cell that holds either is quoted.
    """

    def __init__(self, sink: Sink) -> None:
        self.sink = sink

    def write(self, line: str) -> None:
        self.sink.write(line[:-2] + "\n")


def write_csv(sink: Sink, names: Sequence[str], rows: Iterable[Iterable[Any]], delimiter: str = ",") -> None:
    """Write a header and rows; whatever a cell holds (breaks, quotes, delimiters) comes back when it is read.

    >>> import sys
    >>> write_csv(sys.stdout, ["item", "label"], [[1, ("a", "b")], [2, "c, d"], [3, None], [4, True]])
    item,label
    1,a | b
    2,"c, d"
    3,
    4,true
    """
    writer = csv.writer(_Lines(sink), delimiter=delimiter, lineterminator="\r\n")
    writer.writerow(names)
    writer.writerows([csv_cell(cell) for cell in row] for row in rows)


def csv_cell(cell: Any) -> Any:
    """A value as it stands in a file: nothing for what is missing, all digits, labels of a set side by side."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return "" if math.isnan(cell) else cell
    if isinstance(cell, tuple):
        return BETWEEN.join(map(str, cell)) if cell else EMPTY_SET
    return json.dumps(cell, ensure_ascii=False) if isinstance(cell, list | dict) else cell
