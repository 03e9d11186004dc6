"""Large Parquet files, and folders of them: left where they are, and reduced by Polars as it reads them in pieces."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from accord.engine import lazy_annotations
from accord.errors import FileError, in_python
from accord.options import reporter
from accord.readers.source import Source
from accord.readers.table_file import polars
from accord.study.roles import ROLES
from accord.study.shapes.lazy_long import LazyLong
from accord.study.shapes.shape_of_file import ShapeOfFile
from accord.study.study import Study
from accord.study.tables.column_roles import found_by_name
from accord.study.tables.recognise import study_of_table
from accord.study.tables.rows import ReadOptions
from accord.study.tables.sheet import SAMPLE, Sheet

if TYPE_CHECKING:
    from accord.engine.scan import Scan

ENDINGS = (".parquet", ".pq")
LAZY_ROLES = {role.name for role in ROLES.values() if role.in_engine}
DONE = ("_SUCCESS", "_metadata", "_common_metadata")  # what engines leave beside the parts they write


def is_parts(source: Source) -> bool:
    """Is this a folder of Parquet files, as engines write a table?"""
    names = [name for name in source.names if PurePosixPath(name).name not in DONE and not name.endswith(".crc")]
    return source.kind == "folder" and bool(names) and all(name.lower().endswith(ENDINGS) for name in names)


def scanned(source: Source, options: ReadOptions) -> Study | None:
    """The study of a Parquet table that is too large to be read whole; None where it is small, or no plain long table.

    Which columns play which roles is found in its first rows.
    """
    parts = is_parts(source)
    name = source.only or ""
    if not parts and (source.beside(name) is None or source.kind != "file" or not name.lower().endswith(ENDINGS)):
        return None
    pl = polars()
    from accord.engine.far_dates import native_far_as_text  # with narwhals, which a CSV file need not wait for

    try:
        table = pl.scan_parquet(source.path / "**/*.parquet" if parts else source.path)
        rows = int(table.select(pl.len()).collect().item())
        head = table.head(SAMPLE).collect()
    except (pl.exceptions.PolarsError, OSError, pl.exceptions.PanicException):
        return _refuse(source) if parts else None  # reading it whole says what is wrong
    if (rows <= lazy_annotations.CROWD_ROWS and not parts) or not rows:
        return _refuse(source) if parts else None
    roles = _plain_roles(Sheet(source.where(name), ShapeOfFile("Parquet file"), native_far_as_text(head)), options)
    if roles is None:
        return _refuse(source) if parts else None
    return _reduced(table, roles, options, ShapeOfFile("Parquet files" if parts else "Parquet file", "long table"))


def _refuse(source: Source) -> Study:
    raise FileError(
        source.path,
        "The folder of Parquet files is no table with one row per annotation (item, annotator, label) that can be "
        "scanned. Name one file, or ",
        in_python("read them yourself: Study(polars.scan_parquet(…), item=…, …)", "put them into one"),
        ".",
    )


def _plain_roles(sheet: Sheet, options: ReadOptions) -> dict[str, str] | None:
    """The columns of a long table whose cells can stay as they are; None where something must be done to them."""
    chosen = options.separator, options.only, *options.adjudicator, *options.include
    if any(one is not None for one in chosen) or sheet.data.is_empty():
        return None
    before = sheet.data
    roles = study_of_table(sheet, options).roles
    changed = (
        isinstance(sheet.data, dict) or sheet.data.schema != before.schema or "answers" in before.columns
    )  # cells read anew; rows of all kinds
    if changed or not {"item", "annotator", "label"} <= set(roles) <= LAZY_ROLES:
        return None
    return dict(roles) if set(roles.values()) <= set(before.columns) else None


def _reduced(table: Any, roles: dict[str, str], options: ReadOptions, shape: ShapeOfFile) -> Study | None:
    from accord.engine.scan import Scan

    scan: Scan | None = Scan.of(table)
    assert scan is not None
    if not LazyLong.fits(scan, roles, options.answers, options.duplicates):
        return None
    report = reporter(options.progress, "passes over the file")
    study = Study._from_loaded(
        LazyLong(scan, roles, options.labels, options.answers, options.duplicates, options.cleaning, report).load()
    )
    stays = "the rows stay in the file; Polars reads them in pieces when they are needed"
    return study._with_origin(shape, [*found_by_name(roles, options), stays, *study._reader_notes])
