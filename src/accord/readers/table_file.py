"""A table in memory, whatever file it came from: CSV, Excel, ODS, JSON Lines, Parquet, Arrow, SPSS, Stata."""

from __future__ import annotations

import io
import string
from pathlib import PurePosixPath
from typing import Any

from accord.errors import ExtraMissing, FileError, MayBeNames, Message, remedy
from accord.readers import statistics_files
from accord.readers.read_options import OF_TABLES, refuse_unused
from accord.readers.source import Source
from accord.study import tally_file
from accord.study.shapes.shape_of_file import ShapeOfFile
from accord.study.tables.rows import ReadOptions
from accord.study.tables.sheet import Sheet

WRITTEN = frozenset(string.printable)
NO_TEXT = (".parquet", ".pq", ".arrow", ".feather", ".ipc", ".xlsx", ".xlsm", ".ods")
# What is met in the place of a table, by its first bytes, and what to do with it.
OTHERS = {
    b"\xd0\xcf\x11\xe0": ("an old Excel file (.xls), or one locked with a password", "Save it as .xlsx or CSV"),
    b"SQLite format 3": ("an SQLite database", "Export its table as CSV"),
    b"\x1f\x8b": ("packed with gzip", "Unpack it first"),
    b"BZh": ("packed with bzip2", "Unpack it first"),
    b"\xfd7zXZ": ("packed with xz", "Unpack it first"),
    b"7z\xbc\xaf": ("a 7z archive", "Unpack it first"),
    b"Rar!": ("a RAR archive", "Unpack it first"),
    b"\x93NUMPY": ("an array of NumPy", "Load it, and make a study of the array"),
    b"\x89HDF": ("an HDF5 file", "Export its table as CSV"),
    b"\x80\x04\x95": ("a pickle of Python", "Load it where it comes from, and write a table"),
    b"%PDF": ("a PDF", "Export the table as CSV"),
}


def load(source: Source, name: str, options: ReadOptions) -> Sheet:
    """Open a file as a table."""
    suffix = PurePosixPath(name).suffix.lower()
    form = source.glance(name).form
    if form == "empty":
        raise FileError(source.where(name), "The file is empty.")
    _refuse_others(source.head(name, 16), source.where(name))
    head = source.head(name, 8) if form == "binary" else b""
    if head.startswith(b"PAR1") or suffix in (".parquet", ".pq"):
        _refuse_tally(source, name)
        return _polars_file(source, name, options, "Parquet", "read_parquet")
    if head.startswith((b"ARROW1", b"FEA1")) or suffix in (".arrow", ".feather", ".ipc"):
        return _polars_file(source, name, options, "Arrow", "read_ipc")
    if statistics_files.is_one(source, name):
        return statistics_files.load(source, name, options)
    if head.startswith(b"PK") or suffix in (".xlsx", ".xlsm", ".ods"):
        from accord.readers import excel

        return excel.load(source, name, options)
    if suffix in (".yaml", ".yml") or source.glance(name).first_line.rstrip() == "---":
        raise FileError(source.where(name), "It is YAML, which is not read. Save it as JSON or CSV.")
    if form == "binary":
        _refuse_unmarked(source.head(name, 400), source.where(name))
        raise FileError(
            source.where(name),
            "The file is neither text nor Parquet, Arrow, Excel, ODS, SPSS or Stata. Save it as one of these.",
        )
    if form.startswith("json"):
        from accord.readers import json_tables

        return json_tables.load(source, name, options)
    if form == "xml" and source.glance(name).root.lower() in ("html", "table"):
        way = "Open it in a spreadsheet program and save it as .xlsx or CSV."
        raise FileError(source.where(name), f"It is a web page (HTML), which is no table that can be read. {way}")
    if form == "xml":
        raise FileError(
            source.where(name),
            "It is XML with the root <",
            MayBeNames(source.glance(name).root),
            ">, which no reader knows. Export it as JSON or CSV.",
        )
    from accord.readers import delimited

    return delimited.load(source, name, options)


def _refuse_others(head: bytes, where: str) -> None:
    """What is no table and has a name in its first bytes."""
    for begins, (what, way) in OTHERS.items():
        if head.startswith(begins):
            raise FileError(where, f"It is {what}, which is not read. {way}.")


def _refuse_unmarked(head: bytes, where: str) -> None:
    """Text whose letters take two or four bytes, and which does not begin with the mark that says so."""
    for encoding in ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be"):
        text = head[: len(head) // 4 * 4].decode(encoding, "replace")
        plain = sum(letter in WRITTEN for letter in text)
        if plain > len(text) / 2:
            called = encoding.rpartition("-")[0].upper()
            raise FileError(
                where,
                f"It looks like {called} without the mark at its beginning that says so. Save it as UTF-8, or say ",
                remedy(encoding=encoding),
                ".",
            )


def sheets_with_cells(source: Source, name: str) -> list[str]:
    """The sheets of a workbook that hold something; none of any other file."""
    if source.glance(name).form != "binary" or not source.head(name, 2).startswith(b"PK"):
        return []
    from accord.readers import excel

    return excel.sheets_with_cells(source, name)


def is_delimited(source: Source, name: str) -> bool:
    """Is it text with a row on each line?"""
    return source.glance(name).form == "text" and PurePosixPath(name).suffix.lower() not in NO_TEXT


def polars() -> Any:
    """The engine, or the extra that is missing."""
    try:
        import polars as pl
    except ImportError:
        raise ExtraMissing("Reading Parquet, Arrow and large tables", "report") from None
    return pl


def _polars_file(source: Source, name: str, options: ReadOptions, kind: str, function: str) -> Sheet:
    refuse_unused(options, OF_TABLES, Message(MayBeNames(source.where(name)), f" is a {kind} file"), table=True)
    pl = polars()
    from accord.engine.far_dates import native_far_as_text  # with narwhals, which a CSV file need not wait for

    try:
        frame = getattr(pl, function)(engine_target(source, name))
    except pl.exceptions.PanicException:  # which tells of lines of Polars, and nobody else
        damaged = f"It cannot be read as {kind}: it is damaged, or not whole. Export it again."
        raise FileError(source.where(name), damaged) from None
    except (pl.exceptions.PolarsError, OSError, ValueError) as problem:
        raise FileError(
            source.where(name), f"It cannot be read as {kind}: ", MayBeNames(_first_line(problem)), "."
        ) from None
    return Sheet(source.where(name), ShapeOfFile(f"{kind} file"), native_far_as_text(frame))


def _refuse_tally(source: Source, name: str) -> None:
    """A row of a tally is no annotation: it stands for as many items as it says."""
    pl = polars()
    try:
        is_tally = tally_file.KEY in pl.read_parquet_metadata(engine_target(source, name))
    except (pl.exceptions.PolarsError, OSError, ValueError, pl.exceptions.PanicException):
        return  # reading it says what is wrong
    if is_tally:
        raise FileError(
            source.where(name),
            "It is a tally, which holds sums and no rows to look at. It is measured as it is, under a name that ends "
            f"in {tally_file.ENDING}.",
        )


def engine_target(source: Source, name: str) -> Any:
    """What an engine opens: the file, or what is unpacked of it."""
    return source.beside(name) or io.BytesIO(source.content(name))


def _first_line(problem: BaseException) -> str:
    return str(problem).split("\n", 1)[0].rstrip(".")[:200]
