"""Large CSV files through Polars, as fast as it scans them; what it would read amiss is found by counting.

Measured on 140 MB, 6.5 million rows of four columns, one core: 3.1 s here, 5.5 s where all is read as text and then
cast, which does not see rows that are too short either.
"""

from __future__ import annotations

import csv
import io
import re
from typing import Any

from accord.options import reporter
from accord.readers.source import Source
from accord.readers.table_file import DECIMAL_COMMA, check_header, engine_target, polars
from accord.study.tables.rows import ReadOptions
from accord.study.tables.sheet import SAMPLE
from accord.study.tables.to_study import same_type


def load(source: Source, name: str, separator: str, head: str, options: ReadOptions, *, comma: bool = False) -> Any:
    """A large CSV through Polars; None where it is not as it should be, so that the slow way says what is wrong.

    `comma`: decimals may be written 0,5.
    """
    pl = polars()
    if not head.split("\n", 1)[0].strip():
        return None  # the header stands further down
    report, size = reporter(options.progress, f"reading {source.where(name)}"), source.size(name)
    report(0, size)
    rows = csv.reader(io.StringIO(head, newline=""), delimiter=separator)
    try:
        names = check_header(next(rows, []), source.where(name))
        sample = [row for row, _ in zip(rows, range(SAMPLE), strict=False) if len(row) == len(names)]
    except csv.Error:
        return None
    whole = {name for place, name in enumerate(names) if _all_whole([row[place] for row in sample])}
    frame = _scanned(source, name, separator, {name: pl.Int64 if name in whole else pl.String for name in names})
    quoted = _has_quotes(source, name)
    sound = frame is not None and not quoted and not _short_rows(source, name, separator, frame)
    sound = sound and _adds_up(pl, frame, source.size(name), len(head.split("\n", 1)[0].encode()))
    if frame is None or (not sound and whole and _padded_numbers(source, name, separator)):
        frame = _scanned(source, name, separator, dict.fromkeys(names, pl.String))
    if frame is None or (frame[names[-1]].null_count() and (quoted or _short_rows(source, name, separator, frame))):
        return None
    frame = frame if sound else frame.filter(~pl.all_horizontal(pl.all().is_null()))
    frame = frame.with_columns([_typed_series(pl, frame[column], comma=comma) for column in frame.columns])
    report(size, size)
    return frame


def _short_rows(source: Source, name: str, separator: str, frame: Any) -> bool:
    """Polars fills short rows: where a last cell is empty, what stands between cells must be there."""
    if not frame[frame.columns[-1]].null_count():
        return False
    return bool(_marks(source, name, separator) != (frame.height + 1) * (frame.width - 1))


def _scanned(source: Source, name: str, separator: str, schema: dict[str, Any]) -> Any:
    pl = polars()
    try:
        return pl.read_csv(engine_target(source, name), separator=separator, schema=schema)
    except (pl.exceptions.PolarsError, OSError):
        return None


def _adds_up(pl: Any, frame: Any, size: int, header: int) -> bool:
    """Do the cells, written plainly, have the size of the file? Then no row is short and no number has lost a zero."""
    body = frame.height * frame.width  # a mark or a line end after every cell
    for column in frame:
        body += _digits(column) if column.dtype == pl.Int64 else int(column.str.len_bytes().sum() or 0)
    return header + 1 + body in (size, size + 1)


def _digits(column: Any) -> int:
    """Characters in which a column of whole numbers is written."""
    bare = column.abs()
    most, power, total = int(bare.max() or 0), 10, len(column) - column.null_count() + int((column < 0).sum() or 0)
    while power <= most:
        total += int((bare >= power).sum() or 0)
        power *= 10
    return int(total)


def _all_whole(cells: list[str]) -> bool:
    held = same_type([cell for cell in cells if cell.strip()])
    return bool(held) and all(isinstance(cell, int) for cell in held)


def _padded_numbers(source: Source, name: str, separator: str) -> bool:
    """Is a number written with a plus or with zeros before it, so that it is more than a number?"""
    odd = re.compile(rb'(?:^|[\n"' + re.escape(separator.encode()) + rb"])(?:\+|-?0)\d")
    with source.open(name) as stream:
        edge = b"\n"
        while chunk := stream.read(1 << 24):
            if odd.search(edge + chunk):
                return True
            edge = chunk[-4:]
    return False


def _has_quotes(source: Source, name: str) -> bool:
    """Is any cell in quotes, so that what stands between cells may stand in them too?"""
    with source.open(name) as stream:
        return any(b'"' in chunk for chunk in iter(lambda: stream.read(1 << 22), b""))


def _marks(source: Source, name: str, separator: str) -> int:
    """How many marks stand between cells."""
    mark = separator.encode()
    with source.open(name) as stream:
        return sum(chunk.count(mark) for chunk in iter(lambda: stream.read(1 << 22), b""))


def _typed_series(pl: Any, column: Any, *, comma: bool) -> Any:
    """Text as numbers where all of it is, as `typed_text` types a small file; blank cells are missing."""
    if column.dtype != pl.String:
        return column
    column = _without_blanks(column)
    with_comma = _with_decimal_comma(pl, column) if comma else None
    if with_comma is not None:
        return with_comma
    probe = [cell for cell in column.head(100).to_list() if cell is not None]
    if not probe or any(isinstance(cell, str) for cell in same_type(probe)):
        return column
    whole = column.cast(pl.Int64, strict=False)
    if whole.null_count() == column.null_count() and (whole.cast(pl.String) == column).all(ignore_nulls=True):
        return whole
    distinct = column.unique()
    if len(distinct) > 10_000:
        numbers = column.cast(pl.Float64, strict=False)
        plain = numbers.null_count() == column.null_count()
        return numbers if plain and (numbers.cast(pl.String) == column).all(ignore_nulls=True) else column
    values = distinct.drop_nulls().to_list()
    numbers = same_type(list(values))
    if any(isinstance(number, str) for number in numbers):
        return column
    return column.replace_strict(values, [float(number) for number in numbers], return_dtype=pl.Float64)


def _without_blanks(column: Any) -> Any:
    """Cells of nothing but blanks are missing; a column without any is as it was."""
    blank = column.str.strip_chars().str.len_bytes() == 0
    return column.set(blank, None) if blank.any() else column


def _with_decimal_comma(pl: Any, column: Any) -> Any:
    """Numbers such as 0,5; None where a cell is none, or where none has a comma."""
    if not column.str.contains(f"^{DECIMAL_COMMA}$").all() or not column.str.contains(",", literal=True).any():
        return None
    return column.str.replace(",", ".", literal=True).cast(pl.Float64)
