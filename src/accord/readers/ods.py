"""Spreadsheets of LibreOffice and OpenOffice (.ods), and of Google's download: the cells of the sheets.

An OpenDocument file is a zip, and its cells are in one part of it, `content.xml`. Cells and rows that repeat stand
there once, with a number; the empty rest of a sheet is a million such rows, and is passed over. Polars
reads them as it reads Excel's, through a package of which `excel.py` has the measurement.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, TypeAlias
from xml.etree.ElementTree import Element

from accord.errors import FileError, quoted
from accord.readers import xml_files
from accord.readers.source import NestedZip

OFFICE, TABLE, TEXT = (f"{{urn:oasis:names:tc:opendocument:xmlns:{part}:1.0}}" for part in ("office", "table", "text"))
CONTENT = "content.xml"
MOST_CELLS = 20_000_000  # as of Excel
Merged: TypeAlias = tuple[int, int, int]  # a cell over several rows: its column, the first row and the last


class Book:
    """The sheets of a spreadsheet by their titles, and the filled cells of each by row and column."""

    kind = "ODS"

    def __init__(self, data: bytes, where: str) -> None:
        self.where = where
        self._parts = NestedZip(data, where)
        self._cells: dict[str, dict[tuple[int, int], Any]] = {}
        self._merged: dict[str, list[Merged]] = {}

    def sheets(self) -> dict[str, str]:
        """The titles of the sheets; each is its own part."""
        return {title: title for title in self._tables}

    @cached_property
    def _tables(self) -> dict[str, Element]:
        root = xml_files.parse(self._parts.content(CONTENT), f"{self.where}/{CONTENT}")
        if root.find(f"{OFFICE}body/{OFFICE}spreadsheet") is None:
            raise FileError(self.where, "It is an OpenDocument file and no spreadsheet. Save the table as .ods or CSV.")
        return {table.get(f"{TABLE}name", ""): table for table in root.iter(f"{TABLE}table")}

    def cells(self, title: str) -> dict[tuple[int, int], Any]:
        """The filled cells of a sheet by row and column."""
        if title not in self._cells:
            self._cells[title] = self._read(title)
        return self._cells[title]

    def merged(self, title: str) -> list[Merged]:
        """Cells that go over several rows."""
        self.cells(title)
        return self._merged[title]

    def _read(self, title: str) -> dict[tuple[int, int], Any]:
        found: dict[tuple[int, int], Any] = {}
        self._merged[title] = []
        row = 0
        for element in self._tables[title].iter(f"{TABLE}table-row"):
            times = self._number(element, "number-rows-repeated")
            filled = list(self._filled(element))
            self._merged[title].extend(self._spanning(element, row + 1))
            if filled and len(found) + len(filled) * times > MOST_CELLS:
                raise FileError(self.where, "The sheet ", quoted(title), " says that its cells repeat without end.")
            for again in range(times if filled else 0):
                found.update({(row + again + 1, column): value for column, value in filled})
            row += times
        return found

    def _filled(self, row: Element) -> Iterator[tuple[int, Any]]:
        column = 0
        for cell in row:
            if cell.tag not in (f"{TABLE}table-cell", f"{TABLE}covered-table-cell"):
                continue
            times = self._number(cell, "number-columns-repeated")
            value = self._value(cell)
            if value is not None and value != "":
                if times > MOST_CELLS:
                    raise FileError(self.where, f"A cell says that it repeats {times:,} times.")
                yield from ((column + place + 1, value) for place in range(times))
            column += times

    def _spanning(self, row: Element, number: int) -> Iterator[Merged]:
        column = 1
        for cell in row:
            if cell.tag in (f"{TABLE}table-cell", f"{TABLE}covered-table-cell"):
                rows, columns = (self._number(cell, f"number-{what}-spanned") for what in ("rows", "columns"))
                if rows > 1 and columns == 1:
                    yield column, number, number + rows - 1
                column += self._number(cell, "number-columns-repeated")

    def _number(self, element: Element, name: str) -> int:
        written = element.get(f"{TABLE}{name}", "1")
        if not (written.isascii() and written.isdigit() and len(written) < 10):
            raise FileError(self.where, f"{name} should be a whole number, and it is ", quoted(written[:40]), ".")
        return int(written)

    def _value(self, cell: Element) -> Any:
        kind = cell.get(f"{OFFICE}value-type")
        if kind in ("float", "percentage", "currency"):
            written = cell.get(f"{OFFICE}value", "")
            try:
                number = float(written)
                return int(number) if number == int(number) else number
            except (ValueError, OverflowError):
                raise FileError(self.where, "A number is written ", quoted(written[:40]), ", which is none.") from None
        if kind == "boolean":
            return cell.get(f"{OFFICE}boolean-value")
        if kind in ("date", "time"):
            return cell.get(f"{OFFICE}{kind}-value")
        return "\n".join(_text(line) for line in cell.findall(f"{TEXT}p")) or None


def _text(line: Element) -> str:
    """The text of a line: blanks in a row, tabs and line breaks are elements."""
    parts = [line.text or ""]
    for child in line:
        if child.tag == f"{TEXT}s":
            written = child.get(f"{TEXT}c", "1")
            parts.append(" " * (int(written) if written.isascii() and written.isdigit() and len(written) < 4 else 1))
        elif child.tag == f"{TEXT}tab":
            parts.append("\t")
        elif child.tag == f"{TEXT}line-break":
            parts.append("\n")
        elif not child.tag.startswith(OFFICE):  # which are remarks
            parts.append(_text(child))
        parts.append(child.tail or "")
    return "".join(parts)
