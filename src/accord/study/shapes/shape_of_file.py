"""What a study of a file with a table is said to be made from: what the file is written in, and its layout."""

from __future__ import annotations

from typing import Any, Self

from accord.errors import MayBeNames, Message


class ShapeOfFile(Message):
    """What is said of such a study, with what it is made of as data.

    >>> shape = ShapeOfFile.of_sheet("Excel", "Xanthippe").laid_out("wide table")
    >>> print(shape, "|", shape.untitled, "|", shape.layout)
    Excel sheet 'Xanthippe' (wide table) | Excel sheet (wide table) | wide table
    """

    kind: str  # what the file is written in
    sheet: str | None  # its title
    layout: str  # which the table was found to have; "" before that

    def __new__(cls, kind: str, layout: str = "", sheet: str | None = None) -> Self:
        """What the file is written in, the layout, and the title of the sheet."""
        named = () if sheet is None else (MayBeNames(f" {sheet!r}", ""),)
        made = super().__new__(cls, kind, *named, f" ({layout})" if layout else "")
        made.kind, made.layout, made.sheet = kind, layout, sheet
        return made

    @classmethod
    def of_sheet(cls, kind: str, title: str) -> Self:
        """Of a sheet of a workbook."""
        return cls(f"{kind} sheet", sheet=title)

    def laid_out(self, layout: str) -> ShapeOfFile:
        """The same with its layout."""
        return ShapeOfFile(self.kind, layout, self.sheet)

    @property
    def untitled(self) -> ShapeOfFile:
        """The same without the title of the sheet."""
        return ShapeOfFile(self.kind, self.layout)

    def __reduce__(self) -> tuple[Any, ...]:
        return ShapeOfFile, (self.kind, self.layout, self.sheet)
