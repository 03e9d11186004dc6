"""The lines of a survey, however it was saved: as CSV or TSV, as Excel or ODS."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection
from itertools import islice
from pathlib import PurePosixPath

from accord.errors import FileError
from accord.readers.delimited import csv_rows, separator_in
from accord.readers.source import Source
from accord.study.tables.rows import ReadOptions

BOOKS = (".xlsx", ".xlsm", ".ods")
LOOKED_AT = 60  # lines


def first_lines(source: Source, words: Collection[str]) -> list[list[str]]:
    """The first lines of a table that holds one of these words; none of anything else."""
    name = source.only
    if name is None:
        return []
    glance = source.glance(name)
    if _is_book(source, name):
        from accord.readers import excel

        if not excel.mentions(source, name, words):
            return []
        try:
            return [row for _, row in excel.lines(source, name, None)[:LOOKED_AT]]
        except FileError:
            return []  # whoever reads it as a table says what is wrong
    if glance.form != "text" or not any(word in glance.text for word in words):
        return []
    try:
        return list(
            islice(csv.reader(io.StringIO(glance.text, newline=""), delimiter=_separator(source, name)), LOOKED_AT)
        )
    except csv.Error:
        return []


def lines(source: Source, options: ReadOptions) -> list[tuple[int, list[str]]]:
    """Every line with its number."""
    name = source.only or source.names[0]
    if _is_book(source, name):
        from accord.readers import excel

        return excel.lines(source, name, options.sheet)
    separator = options.delimiter or _separator(source, name)
    return list(csv_rows(source.text(name, options.encoding), separator, source.where(name)))


def _is_book(source: Source, name: str) -> bool:
    return PurePosixPath(name).suffix.lower() in BOOKS and source.head(name, 2).startswith(b"PK")


def _separator(source: Source, name: str) -> str:
    return separator_in(source.glance(name).text, PurePosixPath(name).suffix.lower())
