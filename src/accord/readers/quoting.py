"""Whether quotation marks stand round cells, or are part of the text: found by reading a file both ways.

CSV as spreadsheets write it encloses cells that hold a comma or a line end. TSV as corpora have it encloses nothing,
and a text that begins with a quotation mark would swallow every row up to the next one. Rows that vanish so are looked
for: a cell of several lines each of which is a whole row by itself.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from accord.errors import FileError, Message, OptionError, remedy

DOUBLE, SINGLE, NONE = '"', "'", ""
NO_QUOTES = "none"  # as it is said
OPEN_END = "unexpected end of data"  # as the csv module says that a quote is never closed


def check_quote(quote: str | None) -> str | None:
    """The quotation mark that was said; empty for none, None where it is to be found.

    >>> check_quote("none"), check_quote("'"), check_quote(None)
    ('', "'", None)
    """
    if quote is None:
        return None
    if quote not in (DOUBLE, SINGLE, NO_QUOTES):
        raise OptionError.choice("quote", quote, [DOUBLE, SINGLE, NO_QUOTES])
    return NONE if quote == NO_QUOTES else quote


@dataclass(frozen=True)
class Quoting:
    """What stands round cells, what is to be said of it, and how many rows a file then has, with its header."""

    mark: str
    note: str | None = None
    rows: int | None = None  # None where they are not all of one length


@dataclass
class _Reading:
    """What reading a file one way gives."""

    rows: int = 0
    odd: int = 0  # rows of another length than the header
    broken: str = ""  # why it cannot be read so at all
    swallowed: int = 0  # the line of a first cell that holds whole rows; 0 for none
    opened: bool = False  # does a cell begin with a quotation mark?
    enclosed: bool = False  # do cells look as if they were put into quotation marks by a program?

    @property
    def sound(self) -> bool:
        return not self.odd and not self.broken


def rows_of(lines: Iterable[str], separator: str, mark: str) -> Any:
    """Rows as the csv module reads them; an error where they are not what they should be."""
    if mark:
        return csv.reader(lines, delimiter=separator, quotechar=mark, strict=True)
    return csv.reader(lines, delimiter=separator, quoting=csv.QUOTE_NONE, strict=True)


def found(lines: Callable[[], Iterable[str]], separator: str, where: str, before: int = 0) -> Quoting:
    """What stands round the cells of a text that has quotation marks; an error where both readings are whole.

    `before`: lines of the file before these.
    """
    tabs = separator == "\t"
    double = _read(lines(), separator, DOUBLE)
    whole = double.sound and not double.swallowed
    if whole and not tabs:
        return Quoting(DOUBLE, None, double.rows)
    plain = _read(lines(), separator, NONE)
    if whole and not (plain.sound and not plain.enclosed):
        return Quoting(DOUBLE, "cells in quotation marks were read without them", double.rows)
    if plain.sound and (tabs or (double.broken and double.broken != OPEN_END)):
        return Quoting(NONE, _text_note() if plain.opened else None, plain.rows)
    if double.swallowed and (double.sound or plain.sound):
        raise FileError(
            where,
            "A cell in quotation marks holds whole rows. If the marks are part of the text, say ",
            remedy(quote=NO_QUOTES),
            "; if the cell goes over several lines, ",
            remedy(quote=DOUBLE),
            ".",
            line=double.swallowed + before,
        )
    single = _read(lines(), separator, SINGLE)
    if single.sound and not plain.sound:
        return Quoting(SINGLE, "cells in single quotation marks were read without them", single.rows)
    if tabs and (double.broken or plain.odd <= double.odd):
        return Quoting(NONE, _text_note())
    return Quoting(DOUBLE)


def _text_note() -> Message:
    return Message(
        "quotation marks were read as part of the text; if they stand round cells, say ", remedy(quote=DOUBLE)
    )


def _read(lines: Iterable[str], separator: str, mark: str) -> _Reading:
    reading, width = _Reading(), 0
    kept, columns = _Kept(lines, separator), _Columns()
    rows = rows_of(kept, separator, mark)
    while True:
        kept.fits, kept.first = [], kept.number + 1
        try:
            row = next(rows, None)
        except csv.Error as problem:
            reading.broken = str(problem)
            return reading
        if row is None:
            reading.opened, reading.enclosed = kept.opened, columns.enclosed
            return reading
        if not row:
            continue
        width = width or len(row)
        if not mark:
            columns.see(row)
        reading.rows += 1
        reading.odd += len(row) != width
        if len(kept.fits) > 1 and width > 1 and set(kept.fits) == {width}:
            reading.swallowed = reading.swallowed or kept.first


class _Kept:
    """Lines as they go by: how many cells each would have by itself."""

    def __init__(self, lines: Iterable[str], separator: str) -> None:
        self._lines, self._separator = iter(lines), separator
        self.fits: list[int] = []
        self.number = self.first = 0
        self.opened = False

    def __iter__(self) -> _Kept:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.number += 1
        self.fits.append(line.count(self._separator) + 1)
        self.opened = self.opened or line.startswith(DOUBLE) or f"{self._separator}{DOUBLE}" in line
        return line


class _Columns:
    """Cells as they are written: programs enclose every cell of a column, or double the marks within one."""

    def __init__(self) -> None:
        self._doubled = False
        self._bare: dict[int, bool] = {}  # by column: does a cell stand without marks?

    def see(self, row: list[str]) -> None:
        """Look at one more row."""
        for place, cell in enumerate(row):
            enclosed = len(cell) > 1 and cell[0] == DOUBLE == cell[-1]
            if enclosed and DOUBLE * 2 in cell[1:-1]:
                self._doubled = True
            if cell.strip():
                self._bare[place] = self._bare.get(place, False) or not enclosed

    @property
    def enclosed(self) -> bool:
        """Has a program put cells into marks?"""
        return self._doubled or not all(self._bare.values())
