"""pygamma's CSV: annotator, label, start, end, without a header. Read where format='pygamma' is said."""

from __future__ import annotations

from accord.annotations.left_out import Reason
from accord.errors import FileError, MayBeNames, quoted, remedy
from accord.readers.delimited import csv_rows
from accord.readers.found_format import Found
from accord.readers.source import Source
from accord.study.tables.rows import ReadOptions, Rows

NAME = "pygamma"


def sniff(source: Source) -> Found | None:  # noqa: ARG001 - every reader has it
    """Never: four columns without names could be anything, so the format is said."""
    return None


def read(source: Source, options: ReadOptions) -> Rows:
    """Each file is one continuum, which is the item."""
    rows = Rows("pygamma CSV file", options)
    for name in source.names:
        where = source.where(name)
        item = name.rsplit(".", 1)[0]
        for line, row in csv_rows(source.text(name, options.encoding), ",", where):
            _row(row, where, line, item, rows)
    return rows


def _row(row: list[str], where: str, line: int, item: str, rows: Rows) -> None:
    try:
        who, label, start, end = (cell.strip() for cell in row)
        begin, stop = float(start), float(end)
        if not 0 <= begin <= stop < float("inf"):
            raise ValueError(f"{begin} to {stop}")
    except ValueError as problem:
        if rows.options.on_error == "skip":
            rows.left_out.add(Reason.UNREADABLE, 1)
            return
        raise FileError(
            where, "It should be annotator, label, start, end, and it is ", quoted(row), " (", MayBeNames(str(problem)),
            "). ",
            remedy(on_error="skip"), " leaves such rows out and counts them.", line=line,
        ) from None  # fmt: skip
    rows.add("spans", item=item, annotator=who or None, label=label or "(no label)", start=begin, end=stop)
