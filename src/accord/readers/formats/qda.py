"""Coded segments of MAXQDA, Dedoose and ATLAS.ti: a row per stretch of a document that somebody gave a code.

MAXQDA and ATLAS.ti count paragraphs, both ends included; Dedoose counts characters. What NVivo compares are results.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accord.errors import FileError, listing, quoted
from accord.readers import survey_lines
from accord.readers.delimited import whole_rows
from accord.readers.found_format import Found
from accord.readers.source import Source
from accord.study.tables.layouts import YES_NO
from accord.study.tables.rows import ReadOptions, Record, Rows

NAME = "qda"
OPTIONS = ("encoding", "delimiter", "sheet")


@dataclass(frozen=True)
class Tool:
    """How a program calls the columns of its list of coded segments."""

    name: str
    document: str
    person: str
    codes: (
        str  # the column of codes, each on a line; or what the columns of codes are called, with a group for the code
    )
    start: str
    end: str = ""  # none where one cell has both: 120-145
    group: str = ""  # what documents of one name are in

    @property
    def columns(self) -> set[str]:
        """Those by which it is known."""
        return {self.document, self.person, self.start} | ({self.end, self.codes} if self.end else set())


TOOLS = (
    Tool("MAXQDA", "Document name", "Created by", "Code", "Beginning", "End", "Document group"),
    Tool("MAXQDA", "Dokumentname", "Erstellt von", "Code", "Anfang", "Ende", "Dokumentgruppe"),
    Tool("ATLAS.ti", "Document", "Created by", "Codes", "Start Position", "End Position"),
    Tool("ATLAS.ti", "Document", "Created by", "Codes", "Start", "End"),
    Tool("Dedoose", "Media Title", "Excerpt Creator", r"Code: (.+) Applied", "Excerpt Range"),
)
NVIVO = ("Kappa", "Agreement (%)", "A and B (%)")
WITHOUT_PLACES = ("Quotation Name", "Codes", "Created by")


def sniff(source: Source) -> Found | None:
    """The columns of one of the programs."""
    names = _names(survey_lines.first_lines(source, [*(tool.person for tool in TOOLS), NVIVO[2]]))
    tool = _tool(names)
    if tool is not None:
        return Found(NAME, f"the columns {listing(sorted(tool.columns))}, as of {tool.name}")
    if set(NVIVO) <= set(names):
        return Found(NAME, f"the columns {listing(NVIVO)}, as of NVivo")
    return Found(NAME, "the column 'Quotation Name', as of ATLAS.ti") if set(WITHOUT_PLACES) <= set(names) else None


def _names(lines: Sequence[Sequence[str]]) -> list[str]:
    return [name.strip() for name in lines[0]] if lines else []


def _tool(names: Sequence[str]) -> Tool | None:
    return next((tool for tool in TOOLS if tool.columns <= set(names)), None)


def read(source: Source, options: ReadOptions) -> Rows:
    """A row for each code of each segment."""
    where = source.where(source.only or "")
    lines = survey_lines.lines(source, options)
    names = _names([cells for _, cells in lines[:1]])
    tool = _tool(names)
    if tool is None:
        raise FileError(where, _not_read(names))
    rows = Rows(f"{tool.name} list of coded segments", options)
    for line, cells in whole_rows(lines[1:], len(names), where, options, rows.left_out):
        with rows.guarding():
            _segment(Record(dict(zip(names, map(str.strip, cells), strict=True)), where, "line", line), tool, rows)
    unit = "characters" if not tool.end else "paragraphs"
    rows.note(f"items are documents, annotators those in {tool.person!r}, and places are counted in {unit}")
    rows.note("a document in which somebody coded nothing is not in the list, and is not compared with others")
    return rows


def _not_read(names: Sequence[str]) -> str:
    if set(NVIVO) <= set(names):
        return (
            "These are the results of NVivo's coding comparison, which do not say who coded what. Export what each "
            "coder coded, a file each."
        )
    return (
        "ATLAS.ti's list of quotations does not say here where they begin and end. Export it with the columns "
        "'Start' and 'End'."
    )


def _segment(record: Record, tool: Tool, rows: Rows) -> None:
    start, end = _place(record, tool)
    group = record.data.get(tool.group) if tool.group else None
    document = str(record.needed(tool.document))
    common: dict[str, Any] = {"item": f"{group}/{document}" if group else document}
    common["annotator"] = record.needed(tool.person)
    for code in _codes(record.data, tool):
        rows.span(None, start, end, label=code, **common)


def _place(record: Record, tool: Tool) -> tuple[int, int]:
    """Where a segment begins, and where it ends, exclusive."""
    if tool.end:
        return record.offset(tool.start), record.offset(tool.end) + 1
    found = re.fullmatch(r"(\d{1,12})\s*[-–]\s*(\d{1,12})", str(record.needed(tool.start)))
    if found is None:
        raise record.error(
            quoted(tool.start),
            " should be two numbers such as 120-145, and it is ",
            quoted(record.data[tool.start]),
            ".",
        )
    return int(found[1]), int(found[2])


def _codes(cells: Mapping[str, str], tool: Tool) -> list[str]:
    if tool.codes in cells:
        return [code for code in map(str.strip, cells[tool.codes].split("\n")) if code]
    applied = ((re.fullmatch(tool.codes, name), cell) for name, cell in cells.items())
    return [found[1] for found, cell in applied if found is not None and YES_NO.get(cell.lower())]
