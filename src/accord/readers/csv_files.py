"""CSV of annotation tools, a record at a time, with the line of each."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator

from accord.readers.delimited import csv_rows, whole_rows
from accord.readers.header import check_header
from accord.readers.source import Source
from accord.study.tables.rows import ReadOptions, Record, Rows


def separator_of(name: str) -> str:
    """What stands between the cells of a tool's table, by the ending of its name."""
    return "\t" if name.lower().endswith((".tsv", ".tab")) else ","


def header(source: Source, name: str, separator: str = ",") -> list[str]:
    """The names of the columns, of a file that is text; empty if it is not."""
    glance = source.glance(name)
    if glance.form != "text":
        return []
    try:
        return next(csv.reader(io.StringIO(glance.text, newline=""), delimiter=separator), [])
    except csv.Error:
        return []


def records_of_csv(
    source: Source, name: str, options: ReadOptions, rows: Rows, separator: str = ",", unfilled: Collection[str] = ()
) -> Iterator[Record]:
    """Every row as a record of text; blank cells are missing.

    Rows may end before the last columns where these are all `unfilled`: named in the header for somebody to fill in.
    """
    where = source.where(name)
    lines = csv_rows(source.text(name, options.encoding), separator, where)
    first = next(lines, None)
    if first is None:
        return
    names = check_header(first[1], where)
    whole = whole_rows(lines, len(names), where, options, rows.left_out, _may_lack(names, unfilled))
    for line, row in whole:
        cells = {name: cell for name, cell in zip(names, row, strict=True) if cell.strip()}
        yield Record(cells, where, "line", line)


def _may_lack(names: list[str], unfilled: Collection[str]) -> int:
    """How many of the last columns are unfilled."""
    return next((place for place, name in enumerate(reversed(names)) if name not in unfilled), len(names))
