"""Workbooks by the standard library, Excel's (.xlsx) and ODS: the cells of one sheet, without formats and formulas.

Measured on 30,000 rows of three columns, seconds of one core: 1.1 here, 1.0 by openpyxl, 0.1 by `polars.read_excel`
(calamine, through the package fastexcel: 15 MB, more than Polars' own Python code). Workbooks are filled in by people
and small, so one second is not worth a dependency, and the errors here name the cell.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from accord.errors import (
    FileError,
    MayBeNames,
    Message,
    all_quoted,
    listing,
    quoted,
    remedy,
)
from accord.readers import ods, xml_files
from accord.readers.header import TWO_LINES, check_header, of_two_lines, without_unnamed
from accord.readers.ods import Merged
from accord.readers.read_options import OF_TABLES, refuse_unused
from accord.readers.source import NestedZip, Source, check_members
from accord.study.shapes.shape_of_file import ShapeOfFile
from accord.study.tables.rows import ReadOptions
from accord.study.tables.sheet import Sheet
from accord.study.tables.to_study import same_type

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
LINK = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
MOST_CELLS = 20_000_000
SHARED = "xl/sharedStrings.xml"


def load(source: Source, name: str, options: ReadOptions) -> Sheet:
    """The sheet that is named, or the only one."""
    where = source.where(name)
    book = _opened(source, name)
    refuse_unused(
        options, (*OF_TABLES, "sheet", "header"), Message(MayBeNames(where), f" is an {book.kind} file"), table=True
    )
    sheets, wanted = book.sheets(), options.sheet
    _check_sheet(wanted, sheets, where)
    filled = {title: cells for title in ([wanted] if wanted else sheets) if (cells := book.cells(sheets[title]))}
    if not filled:
        raise FileError(where, "The workbook holds no cells. Is it the right file?")
    if len(filled) > 1:
        raise FileError(
            where,
            f"{len(filled)} sheets have cells: ",
            all_quoted(filled),
            ". Say which: ",
            remedy(sheet=next(iter(filled))),
            ".",
            available=filled,
        )
    title, cells = next(iter(filled.items()))
    notes: list[str] = []
    columns = _columns(cells, book.merged(sheets[title]), where, notes, header=options.header)
    return Sheet(where, ShapeOfFile.of_sheet(book.kind, title), columns, notes)


def _check_sheet(wanted: str | None, sheets: Collection[str], where: str) -> None:
    if wanted is not None and wanted not in sheets:
        near = get_close_matches(wanted, sheets, 1, 0.5) or list(sheets)[:1]
        raise FileError(
            where,
            "There is no sheet ",
            quoted(wanted),
            "; there are ",
            all_quoted(sheets),
            ". Did you mean ",
            remedy(sheet=near[0]),
            "?",
            available=sheets,
        )


def lines(source: Source, name: str, sheet: str | None) -> list[tuple[int, list[str]]]:
    """The rows of the sheet that is named, or of the first with cells, as text, each with its number."""
    where = source.where(name)
    book = _opened(source, name)
    sheets = book.sheets()
    _check_sheet(sheet, sheets, where)
    cells = next((held for title in ([sheet] if sheet else sheets) if (held := book.cells(sheets[title]))), {})
    width = max((column for _, column in cells), default=0)
    numbers = sorted({row for row, _ in cells})
    if len(numbers) * width > MOST_CELLS:
        raise FileError(where, f"The sheet spans {len(numbers):,} rows and {width:,} columns, too many to be a study.")
    return [(row, [str(cells.get((row, column), "")) for column in range(1, width + 1)]) for row in numbers]


def mentions(source: Source, name: str, words: Collection[str]) -> bool:
    """Does one of these words stand anywhere in a workbook? A look that is cheap beside reading its cells."""
    try:
        with zipfile.ZipFile(io.BytesIO(source.content(name))) as archive:
            check_members(Path(name), archive.infolist())
            held = [part for part in (SHARED, ods.CONTENT) if part in archive.namelist()]
            texts = [archive.read(part) for part in held]
    except Exception:  # noqa: BLE001 - a damaged workbook mentions nothing; whoever reads it says what is wrong
        return False
    return any(word.encode() in text for word in words for text in texts)


def sheets_with_cells(source: Source, name: str) -> list[str]:
    """The titles of the sheets that hold something."""
    book = _opened(source, name)
    return [title for title, part in book.sheets().items() if book.cells(part)]


def _opened(source: Source, name: str) -> _Book | ods.Book:
    """The workbook: of Excel, or an OpenDocument file. It is opened once, however many ask for its sheets."""
    if name not in source.books:
        source.books[name] = _book(source, name)
    found: _Book | ods.Book = source.books[name]
    return found


def _book(source: Source, name: str) -> _Book | ods.Book:
    data, where = source.content(name), source.where(name)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            is_ods = ods.CONTENT in archive.namelist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as problem:
        raise FileError(where, "It is no workbook: ", MayBeNames(str(problem)), ".") from None
    return ods.Book(data, where) if is_ods else _Book(data, where)


def _columns(
    cells: dict[tuple[int, int], Any], merged: Iterable[Merged], where: str, notes: list[str], *, header: bool
) -> dict[str, list[Any]]:
    first, last = min(row for row, _ in cells), max(row for row, _ in cells)
    columns = sorted({column for _, column in cells})
    if (last - first + 1) * len(columns) > MOST_CELLS:
        raise FileError(
            where,
            f"The sheet spans {last - first + 1:,} rows and {len(columns):,} columns, too many to be a study. "
            "Delete the "
            "cells that are none of its, or save it as CSV.",
        )
    if header:
        first = _below_titles(cells, first, notes)
        above, below = ([str(cells.get((row, column), "")) for column in columns] for row in (first, first + 1))
        double = of_two_lines(above, below)
        notes += [] if double is None else [TWO_LINES]
        names = check_header(above if double is None else double, where, first)
        first += 1 if double is None else 2
    else:
        names = [f"column_{place + 1}" for place in range(len(columns))]
    over = _filled_down(cells, merged, first, last)
    notes += ["cells that go over several rows hold for each of them"] if over else []
    cells = {**over, **cells}
    rows = [row for row in range(first, last + 1) if any((row, column) in cells for column in columns)]
    typed = {
        name: same_type([cells.get((row, column)) for row in rows]) for name, column in zip(names, columns, strict=True)
    }
    return without_unnamed(typed)


def _filled_down(
    cells: dict[tuple[int, int], Any], merged: Iterable[Merged], first: int, last: int
) -> dict[tuple[int, int], Any]:
    """What cells below the header hold that are merged with the one above: an item and the rows of its answers."""
    return {
        (row, column): cells[top, column]
        for column, top, bottom in merged
        if top >= first and (top, column) in cells
        for row in range(top + 1, min(bottom, last) + 1)
    }


def _below_titles(cells: dict[tuple[int, int], Any], first: int, notes: list[str]) -> int:
    """The row of the header: titles above it stand in a cell by themselves."""
    filled = Counter(row for row, _ in cells)
    header = next((row for row in sorted(filled) if filled[row] > 1), first)
    if header == first or filled[header] <= 2:
        return first
    titles = [str(value)[:60] for (row, _), value in sorted(cells.items()) if row < header]
    notes.append(Message("lines above the table were passed over", MayBeNames(f": {listing(titles, most=3)}", "")))
    return header


class _Book:
    kind = "Excel"

    def __init__(self, data: bytes, where: str) -> None:
        self.where = where
        self.parts = NestedZip(data, where)
        self.texts = self._shared()
        self._held: dict[str, tuple[dict[tuple[int, int], Any], list[Merged]]] = {}

    def _part(self, name: str) -> Element | None:
        if name not in self.parts.names:
            return None
        return xml_files.parse(self.parts.content(name), f"{self.where}/{name}")

    def _elements(self, name: str, *tags: str) -> Iterator[Element]:
        """The elements of a large part, one at a time."""
        if name in self.parts.names:
            yield from xml_files.elements(self.parts.content(name), f"{self.where}/{name}", *tags)

    def _shared(self) -> list[str]:
        return [
            "".join(text.text or "" for text in entry.iter(f"{MAIN}t")) for entry in self._elements(SHARED, f"{MAIN}si")
        ]

    def sheets(self) -> dict[str, str]:
        """The titles of the sheets and the parts they are in."""
        return self._sheets

    @cached_property
    def _sheets(self) -> dict[str, str]:
        book, links = self._part("xl/workbook.xml"), self._part("xl/_rels/workbook.xml.rels")
        if book is None or links is None:
            raise FileError(self.where, "It is no Excel workbook: its list of sheets is missing.")
        target = {link.get("Id"): link.get("Target", "") for link in links}
        found = {}
        for sheet in book.iter(f"{MAIN}sheet"):
            part = target.get(sheet.get(LINK), "")
            found[sheet.get("name", "")] = (
                part.lstrip("/") if part.startswith("/") else posixpath.normpath(f"xl/{part}")
            )
        return found

    def cells(self, part: str) -> dict[tuple[int, int], Any]:
        """The filled cells of a sheet by row and column."""
        return self._sheet(part)[0]

    def merged(self, part: str) -> list[Merged]:
        """Cells that go over several rows."""
        return self._sheet(part)[1]

    def _sheet(self, part: str) -> tuple[dict[tuple[int, int], Any], list[Merged]]:
        """Both, read once."""
        if part in self._held:
            return self._held[part]
        cells: dict[tuple[int, int], Any] = {}
        merged: list[Merged] = []
        number = 0
        for element in self._elements(part, f"{MAIN}row", f"{MAIN}mergeCell"):
            if element.tag == f"{MAIN}row":
                number += 1
                self._fill(cells, number, element)
            elif at := re.fullmatch(r"([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})", element.get("ref", "")):
                merged += [(_column(at[1]), int(at[2]), int(at[4]))] if at[1] == at[3] else []
        self._held[part] = cells, merged
        return self._held[part]

    def _fill(self, cells: dict[tuple[int, int], Any], number: int, row: Element) -> None:
        """The cells of a row, wherever they say they are."""
        for place, cell in enumerate(row.iter(f"{MAIN}c"), start=1):
            where = re.fullmatch(r"([A-Z]{1,3})(\d{1,7})", cell.get("r", ""))
            at = (int(where.group(2)), _column(where.group(1))) if where else (number, place)
            value = self._value(cell)
            if value is not None and value != "":
                cells[at] = value
        if len(cells) > MOST_CELLS:
            raise FileError(self.where, f"The sheet holds more than {MOST_CELLS:,} cells. Save it as CSV.")

    def _value(self, cell: Element) -> Any:
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            return "".join(text.text or "" for text in cell.iter(f"{MAIN}t"))
        content = cell.findtext(f"{MAIN}v")
        if content is None:
            return None
        try:
            if kind == "s":
                return self.texts[int(content)]
            if kind == "b":
                return "true" if int(content) else "false"
            if kind == "n":
                number = float(content)
                return int(number) if number == int(number) else number
        except (ValueError, IndexError, OverflowError):
            raise FileError(
                self.where,
                "Its content ",
                quoted(content[:40]),
                " cannot be read.",
                part=Message("cell ", MayBeNames(str(cell.get("r")))),
            ) from None
        return None if kind == "e" else content


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number
