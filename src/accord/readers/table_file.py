"""A table in memory, whatever file it came from: CSV, Excel, ODS, JSON Lines, Parquet, Arrow, SPSS, Stata."""

from __future__ import annotations

import io
from pathlib import PurePosixPath
from typing import Any

from accord.errors import ExtraMissing, FileError
from accord.readers import statistics_files
from accord.readers.read_options import OF_TABLES, refuse_unused
from accord.readers.source import Source
from accord.study.tables.rows import ReadOptions
from accord.study.tables.sheet import Sheet

NO_TEXT = (".parquet", ".pq", ".arrow", ".feather", ".ipc", ".xlsx", ".xlsm", ".xls", ".ods")


def load(source: Source, name: str, options: ReadOptions) -> Sheet:
    """Open a file as a table."""
    suffix = PurePosixPath(name).suffix.lower()
    form = source.glance(name).form
    if form == "empty":
        raise FileError(source.where(name), "The file is empty.")
    head = source.head(name, 8) if form == "binary" else b""
    if head.startswith(b"PAR1") or suffix in (".parquet", ".pq"):
        return _polars_file(source, name, options, "Parquet", "read_parquet")
    if head.startswith((b"ARROW1", b"FEA1")) or suffix in (".arrow", ".feather", ".ipc"):
        return _polars_file(source, name, options, "Arrow", "read_ipc")
    if statistics_files.is_one(source, name):
        return statistics_files.load(source, name, options)
    if head.startswith(b"PK") or suffix in (".xlsx", ".xlsm", ".ods"):
        from accord.readers import excel

        return excel.load(source, name, options)
    if suffix == ".xls":
        raise FileError(source.where(name), "Old Excel files (.xls) are not read. Save it as .xlsx or CSV.")
    if suffix in (".yaml", ".yml") or source.glance(name).first_line.rstrip() == "---":
        raise FileError(source.where(name), "It is YAML, which is not read. Save it as JSON or CSV.")
    if form == "binary":
        raise FileError(
            source.where(name),
            "The file is neither text nor Parquet, Arrow, Excel, ODS, SPSS or Stata. Save it as one of these.",
        )
    if form.startswith("json"):
        from accord.readers import json_tables

        return json_tables.load(source, name, options)
    if form == "xml":
        raise FileError(
            source.where(name),
            f"It is XML with the root <{source.glance(name).root}>, which no reader knows. Export it as JSON or CSV.",
        )
    from accord.readers import delimited

    return delimited.load(source, name, options)


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
    refuse_unused(options, OF_TABLES, f"{source.where(name)} is a {kind} file", table=True)
    pl = polars()
    try:
        frame = getattr(pl, function)(engine_target(source, name))
    except (pl.exceptions.PolarsError, OSError, ValueError, pl.exceptions.PanicException) as problem:
        raise FileError(source.where(name), f"It cannot be read as {kind}: {_first_line(problem)}.") from None
    return Sheet(source.where(name), f"{kind} file", frame)


def engine_target(source: Source, name: str) -> Any:
    """What an engine opens: the file, or what is unpacked of it."""
    return source.beside(name) or io.BytesIO(source.content(name))


def _first_line(problem: BaseException) -> str:
    return str(problem).split("\n", 1)[0].rstrip(".")[:200]
