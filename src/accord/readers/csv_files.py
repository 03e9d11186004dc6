"""CSV of annotation tools, a record at a time, with the line of each."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from accord.annotations.left_out import Reason
from accord.readers.delimited import csv_rows, wrong_length
from accord.readers.header import check_header
from accord.readers.source import Source
from accord.study.tables.rows import ReadOptions, Record, Rows


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
    source: Source, name: str, options: ReadOptions, rows: Rows, separator: str = ","
) -> Iterator[Record]:
    """Every row as a record of text; blank cells are missing."""
    where = source.where(name)
    names: list[str] | None = None
    for line, row in csv_rows(source.text(name, options.encoding), separator, where):
        if names is None:
            names = check_header(row, where)
            continue
        if len(row) != len(names):
            if options.on_error == "skip":
                rows.left_out.add(Reason.SHORT_ROW if len(row) < len(names) else Reason.LONG_ROW, 1)
                continue
            raise wrong_length(where, len(row), len(names), line)
        cells = {name: cell for name, cell in zip(names, row, strict=True) if cell.strip()}
        yield Record(cells, where, "line", line)
