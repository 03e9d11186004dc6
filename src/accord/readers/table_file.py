"""A table in memory, whatever file it came from: CSV, Excel, ODS, JSON Lines, Parquet, Arrow, SPSS, Stata."""

from __future__ import annotations

import io
from pathlib import PurePosixPath
from typing import Any

from accord.errors import ExtraMissing, FileError, listing
from accord.readers import statistics_files
from accord.readers.source import Source
from accord.study.tables.rows import ReadOptions, Rows
from accord.study.tables.sheet import Sheet
from accord.study.tables.to_study import same_type

NO_TEXT = (".parquet", ".pq", ".arrow", ".feather", ".ipc", ".xlsx", ".xlsm", ".xls", ".ods")


def load(source: Source, name: str, options: ReadOptions) -> Sheet:
    """Open a file as a table."""
    suffix = PurePosixPath(name).suffix.lower()
    form = source.glance(name).form
    if form == "empty":
        raise FileError(source.where(name), "The file is empty.")
    head = source.head(name)[:8] if form == "binary" else b""
    if head.startswith(b"PAR1") or suffix in (".parquet", ".pq"):
        return _polars_file(source, name, "Parquet", "read_parquet")
    if head.startswith((b"ARROW1", b"FEA1")) or suffix in (".arrow", ".feather", ".ipc"):
        return _polars_file(source, name, "Arrow", "read_ipc")
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
        return _json(source, name, options)
    if form == "xml":
        raise FileError(
            source.where(name),
            f"It is XML with the root <{source.glance(name).root}>, which no reader knows. Export it as JSON or CSV.",
        )
    from accord.readers import delimited

    return delimited.load(source, name, options)


def sheets_with_cells(source: Source, name: str) -> list[str]:
    """The sheets of a workbook that hold something; none of any other file."""
    if source.glance(name).form != "binary" or not source.head(name).startswith(b"PK"):
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


def _polars_file(source: Source, name: str, kind: str, function: str) -> Sheet:
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


def _json(source: Source, name: str, options: ReadOptions) -> Sheet:
    """Records, one after another; or one object that holds columns."""
    from accord.readers import json_files

    rows, where = Rows("JSON", options), source.where(name)
    if source.glance(name).form == "json object":
        records = [json_files.load_record(source, name, options).data]
    else:
        records = [record.data for record in json_files.records(source, name, options, rows)]
    wrapped = records
    if len(records) == 1:
        records = _inner(records)
    if len(records) == 1 and records[0] and all(isinstance(cells, list) for cells in records[0].values()):
        if len({len(cells) for cells in records[0].values()}) > 1:
            raise FileError(where, "The columns of the JSON object are of different lengths.")
        return Sheet(where, "JSON table", {str(key): _typed(cells) for key, cells in records[0].items()})
    if source.glance(name).form == "json object" and records is wrapped:
        raise FileError(
            where,
            f"It is one JSON object with {listing(records[0])}, which is no table and no known export. "
            "Give a list of records, or CSV.",
        )
    names = list(dict.fromkeys(key for record in records for key in record))
    if not names:
        raise FileError(where, "The file holds no records.")
    columns = {key: _typed([record.get(key) for record in records]) for key in names}
    return Sheet(where, "JSON Lines table", columns, left_out=rows.left_out)


def _inner(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of an object that wraps them, as the viewer of Hugging Face does; else the object itself."""
    rows = records[0].get("rows")
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        return records
    return [row["row"] if isinstance(row.get("row"), dict) else row for row in rows]


def _typed(cells: list[Any]) -> list[Any]:
    """JSON cells as they are: text that looks like numbers becomes numbers as in every other table."""
    plain = all(cell is None or isinstance(cell, str | int | float) for cell in cells)
    return same_type(cells) if plain else cells
