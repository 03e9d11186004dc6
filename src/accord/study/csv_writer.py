"""Rows as comma- or tab-separated text: the one writer of every file and of the command.

A spreadsheet runs a cell that begins with =, +, -, @, a tab or a line break. Labels and texts come from whoever could
write an item, so such cells get an apostrophe before them, which a spreadsheet shows as text; numbers stay as they are.
A cell that begins with apostrophes and then such a mark gets one more, so that taking one away is exact (`bare`).
"""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from accord.annotations.answers import EMPTY_SET, as_text
from accord.errors import json_value
from accord.options import check_flag

BETWEEN = " | "  # labels of a set in one cell: not " + " as in sentences (`LabelSet`), which labels hold more often
APOSTROPHE = "'"
# Plain enough for the regular expressions of every engine.
RUNS = r"^'*[=+\-@\t\r\n]"  # begins as what a spreadsheet runs, or as what was kept from it
QUOTED = r"^'+[=+\-@\t\r\n]"
HARMLESS = r"^[+-]?(([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+-]?[0-9]+)?%?)?$"  # a number, or a lone sign
MARKS = frozenset("'=+-@\t\r\n")  # with one of which all of these begin
ROWS_AT_ONCE = 65_536
NUL, CALLED = "\0", r"\x00"  # no reader of text takes the first for text
_RUNS, _QUOTED, _HARMLESS = re.compile(RUNS), re.compile(QUOTED), re.compile(HARMLESS.removesuffix("$") + r"\Z")
OWN = ({"item", "annotator", "answers"}, {"item", "label", "count"})  # columns that `Study.write` always writes


class Sink(Protocol):
    """Where text goes: a file opened with newline="", or a StringIO."""

    def write(self, text: str, /) -> Any:
        """Take some text."""


class _Lines:
    """Lines that end with a line feed alone.

    Until Python 3.13 a csv.writer quotes only those breaks that it ends its own lines with. So it is made to end them
    with both, and every cell that holds either is quoted.
    """

    def __init__(self) -> None:
        self._held: list[str] = []
        self.write = self._held.append  # what a csv.writer calls for each line

    def handed_to(self, sink: Sink) -> None:
        """Hand the lines on, and forget them."""
        sink.write("".join([f"{line[:-2]}\n" for line in self._held]))
        self._held.clear()


def write_csv(
    sink: Sink,
    columns: Mapping[str, Sequence[Any] | npt.NDArray[Any]],
    delimiter: str = ",",
    *,
    keep_formulas: bool = False,
) -> None:
    """Write a header and rows; whatever a cell holds (breaks, quotes, delimiters) comes back when it is read.

    >>> import sys
    >>> labels = [("a", "b"), "c, d", None, True, "=1+1", "-3", "-"]
    >>> write_csv(sys.stdout, {"item": range(1, 8), "label": labels})
    item,label
    1,a | b
    2,"c, d"
    3,
    4,true
    5,'=1+1
    6,-3
    7,-
    """
    check_flag("keep_formulas", keep_formulas)
    lines = _Lines()
    writer = csv.writer(lines, delimiter=delimiter, lineterminator="\r\n")
    writer.writerow([inert(name, keep_formulas=keep_formulas) for name in columns])
    lines.handed_to(sink)
    for begin in range(0, max(map(len, columns.values()), default=0), ROWS_AT_ONCE):
        some = (column[begin : begin + ROWS_AT_ONCE] for column in columns.values())
        writer.writerows(zip(*(_written(cells, keep_formulas=keep_formulas) for cells in some), strict=True))
        lines.handed_to(sink)


def _written(cells: Sequence[Any] | npt.NDArray[Any], *, keep_formulas: bool) -> list[Any]:
    """Some cells of a column as they stand in a file; to most nothing is done, and they are not looked at twice."""
    if isinstance(cells, np.ndarray):
        found: list[Any] = cells.tolist()
        if cells.dtype.kind in "iu" or (cells.dtype.kind == "f" and not np.isnan(cells).any()):
            return found
        cells = found
    return [
        cell
        if cell is None or (type(cell) is str and cell[:1] not in MARKS and NUL not in cell)
        else inert(csv_cell(cell), keep_formulas=keep_formulas)
        for cell in cells
    ]


def inert(cell: Any, *, keep_formulas: bool = False) -> Any:
    """A cell that no spreadsheet runs; numbers are as they were.

    >>> [inert(cell) for cell in ("=1+1", "@x", "-3", "+", "'=1", -3, "a")]
    ["'=1+1", "'@x", '-3', '+', "''=1", -3, 'a']
    >>> inert("=1+1", keep_formulas=True), inert("'=1", keep_formulas=True)
    ('=1+1', "''=1")
    """
    if cell is None or isinstance(cell, int | float):
        return cell
    text = str(cell).replace(NUL, CALLED)
    runs = (_QUOTED if keep_formulas else _RUNS).match(text)
    return f"{APOSTROPHE}{text}" if runs and not _HARMLESS.match(text) else text


def bare(cell: Any) -> Any:
    """A cell as it was before an apostrophe was put in front of it.

    >>> bare("'=1+1"), bare("''=1"), bare("'tis"), bare("=1"), bare(3)
    ('=1+1', "'=1", "'tis", '=1', 3)
    """
    return cell[1:] if isinstance(cell, str) and _QUOTED.match(cell) else cell


def is_own(names: Iterable[str]) -> bool:
    """Was a table with these columns written by `Study.write`, so that apostrophes in it are ours?"""
    there = set(names)
    return any(own <= there for own in OWN)


def csv_cell(cell: Any) -> Any:
    """A value as it stands in a file: nothing for what is missing, all digits, labels of a set side by side."""
    if isinstance(cell, np.generic):
        cell = cell.item()
    if isinstance(cell, bool):
        return as_text(cell)
    if isinstance(cell, float):
        return "" if math.isnan(cell) else cell
    if isinstance(cell, tuple):
        return BETWEEN.join(map(str, cell)) if cell else EMPTY_SET
    return json.dumps(json_value(cell), ensure_ascii=False) if isinstance(cell, list | dict) else cell
