"""Large CSV files through Polars, as fast as it scans them; what it would read amiss is found by counting.

A column of few different texts (annotators, labels) is held as numbers: blanks, types and lengths are then asked of
each text once. The bytes of the file are looked through once beside that, for marks round cells and carriage returns,
which takes a fortieth of the scan.

Two million rows of four columns are a study after 0.4 s, of 220 MB at most. With every column read as text, stripped
and cast it takes 0.6 s and 500 MB.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from accord.annotations.arrays import BLOCK
from accord.engine.text_columns import NumberedTexts, are_numbered, blank_places
from accord.options import reporter
from accord.readers import quoting
from accord.readers.delimited import DECIMAL_COMMA, Layout, decimal_note
from accord.readers.header import UNNAMED, check_header, of_two_lines
from accord.readers.source import Source
from accord.readers.table_file import engine_target, polars
from accord.study.csv_writer import QUOTED, bare, is_own
from accord.study.tables.rows import ReadOptions
from accord.study.tables.sheet import SAMPLE
from accord.study.tables.to_study import same_type

EXACT = 2**53  # whole numbers up to here are doubles, one by one
LOOKED_AT = 4_000  # rows in which it is seen whether a column has few different texts
FEW = 100  # different texts that are few however many rows there are
GROWTH = 1.7  # twice as many rows have less than so many times as many different texts where these are few
AT_ONCE = 1 << 20  # bytes


@dataclass(frozen=True)
class _Marks:
    """What the bytes of a file hold that decides how it is read."""

    quotes: bool  # may any cell be in quotes, so that what stands between cells may stand in them too?
    returns: int  # carriage returns


def load(source: Source, name: str, head: str, layout: Layout, options: ReadOptions) -> Any:
    """A large CSV through Polars; None where it is not as it should be, so that the slow way says what is wrong."""
    pl = polars()
    if not head.split("\n", 1)[0].strip():
        return None  # the header stands further down
    report, size = reporter(options.progress, f"reading {source.where(name)}"), source.size(name)
    report(0, size)
    marks = _marks_in(source, name, layout.separator)
    quoted = marks.quotes
    noted = len(layout.notes)
    try:
        counted = layout.settle_quotes(source.where(name), options, lambda: _lines(source, name), has_quotes=quoted)
        rows = quoting.rows_of(io.StringIO(head, newline=""), layout.separator, layout.quote)
        first: list[str] = next(rows, [])
        second = next(rows, None)
        if of_two_lines(first, second) is not None:
            del layout.notes[noted:]
            return None
        names = check_header(first, source.where(name))
        rows = chain([] if second is None else [second], rows)
        sample = [row for row, _ in zip(rows, range(LOOKED_AT), strict=False) if len(row) == len(names)]
    except (csv.Error, UnicodeDecodeError):
        del layout.notes[noted:]  # the slow way finds it again
        return None
    schema = _schema(pl, names, sample)
    frame = None if quoted and counted is None else _frame(source, name, head, layout, schema, marks, counted)
    if frame is None:
        del layout.notes[noted:]
        return None
    if is_own(frame.columns):
        frame = _bare(pl, frame)
    columns = [_typed(pl, frame[column], comma=layout.comma) for column in frame.columns]
    if any(column is None for column in columns):
        del layout.notes[noted:]
        return None
    if layout.comma and options.decimal is None:
        read = [one.name for one, text in zip(columns, frame, strict=True) if _commas_were_read(pl, text, one)]
        layout.notes += [decimal_note(read)] if read else []
    empty = [one.name for one in columns if one.name.startswith(UNNAMED) and one.null_count() == len(one)]
    report(size, size)
    return frame.with_columns(columns).drop(empty)


def _frame(
    source: Source,
    name: str,
    head: str,
    layout: Layout,
    schema: dict[str, Any],
    marks: _Marks,
    counted: int | None,
) -> Any:
    """The cells, whole numbers as such; None where rows are not as they should be.

    `counted`: rows with the header, where quotation marks made them be counted and each was found whole.
    """
    pl = polars()
    frame = _scanned(source, name, layout, schema)
    sound = frame is not None and counted is None and not _short_rows(source, name, layout.separator, frame)
    plain = source.size(name) - marks.returns
    sound = sound and _adds_up(pl, frame, plain, len(head.split("\n", 1)[0].rstrip("\r").encode()))
    whole = pl.Int64 in schema.values()
    if frame is None or (not sound and whole and _padded_numbers(source, name, layout.separator)):
        schema = {name: pl.String if kind == pl.Int64 else kind for name, kind in schema.items()}
        frame = _scanned(source, name, layout, schema)
    if frame is None or (counted is None and _short_rows(source, name, layout.separator, frame)):
        return None
    if counted is None and marks.returns and _holds_line_ends(pl, frame):
        return None  # row by row, a carriage return that nothing stands round ends the row
    if sound:
        return frame
    filled = frame.filter(~pl.all_horizontal(pl.all().is_null()))
    if counted is not None:
        return filled if filled.height + 1 == counted else None
    # a line without anything is no row, one of nothing but marks between cells is
    gone = filled.height < frame.height
    even = not gone or _marks(source, name, layout.separator) == (filled.height + 1) * (len(schema) - 1)
    return filled if even else None


def _bare(pl: Any, frame: Any) -> Any:
    """Cells as they were before apostrophes were put in front of them."""

    def without(texts: Any) -> Any:
        text = pl.col(texts.name)
        return texts.to_frame().select(pl.when(text.str.contains(QUOTED)).then(text.str.slice(1)).otherwise(text))[
            texts.name
        ]

    texts = [column for column in frame if column.dtype == pl.String or are_numbered(column)]
    frame = frame.with_columns([_by_text(pl, column, without) for column in texts])
    return frame.rename({name: bare(name) for name in frame.columns})


def _by_text(pl: Any, column: Any, change: Callable[[Any], Any]) -> Any:
    """A column after a change that looks at one text at a time; where it holds them as numbers, at each text once."""
    if not are_numbered(column):
        return change(column)
    numbered = NumberedTexts(column)
    changed = change(numbered.texts)
    if changed is None or changed is numbered.texts:
        return None if changed is None else column
    return numbered.spread(changed.cast(_numbered(pl)) if changed.dtype == pl.String else changed)


def _schema(pl: Any, names: Sequence[str], sample: Sequence[Sequence[str]]) -> dict[str, Any]:
    """The type in which each column is read: whole numbers, text, or few different texts as numbers."""
    kinds = {}
    for place, name in enumerate(names):
        cells = [row[place] for row in sample]
        kinds[name] = pl.Int64 if _all_whole(cells[:SAMPLE]) else _numbered(pl) if _are_few(cells) else pl.String
    return kinds


def _numbered(pl: Any) -> Any:
    """Texts held as numbers from 0 on, which no other column uses; before Polars 1.32 there are none such."""
    return pl.Categorical(pl.Categories.random()) if hasattr(pl, "Categories") else pl.Categorical


def _are_few(cells: Sequence[str]) -> bool:
    """Do the same texts come again and again, so that more rows bring hardly any more of them?"""
    different, before = len(set(cells)), len(set(cells[: len(cells) // 2]))
    return different <= FEW or different < GROWTH * before


def _lines(source: Source, name: str) -> Iterator[str]:
    """The lines of a file, one after the other."""
    with io.TextIOWrapper(source.open(name), encoding="utf-8-sig", newline="") as text:
        yield from text


def _commas_were_read(pl: Any, text: Any, typed: Any) -> bool:
    return bool(text.dtype != pl.Int64 and typed.dtype == pl.Float64 and _contains(text, ","))


def _contains(column: Any, mark: str) -> bool:
    """Does any cell of a column of text hold a mark?"""
    texts = NumberedTexts(column).texts if are_numbered(column) else column
    return bool(texts.str.contains(mark, literal=True).any())


def _short_rows(source: Source, name: str, separator: str, frame: Any) -> bool:
    """Polars fills short rows: where a last cell is empty, what stands between cells must be there."""
    if not frame[frame.columns[-1]].null_count():
        return False
    return bool(_marks(source, name, separator) != (frame.height + 1) * (frame.width - 1))


def _holds_line_ends(pl: Any, frame: Any) -> bool:
    """Is there a carriage return within a cell?"""
    return any(_contains(column, "\r") for column in frame if column.dtype != pl.Int64)


def _scanned(source: Source, name: str, layout: Layout, schema: dict[str, Any]) -> Any:
    pl = polars()
    try:
        frame = pl.read_csv(
            engine_target(source, name), separator=layout.separator, quote_char=layout.quote or None, schema=schema
        )
    except (pl.exceptions.PolarsError, OSError):
        return None
    return frame.with_columns([column.rechunk() for column in frame if column.dtype == pl.Int64])  # NumPy shares them


def _adds_up(pl: Any, frame: Any, size: int, header: int) -> bool:
    """Do the cells, written plainly, have the size of the file? Then no row is short and no number has lost a zero."""
    body = frame.height * frame.width  # a mark or a line end after every cell
    for column in frame:
        body += _digits(column) if column.dtype == pl.Int64 else _bytes(column)
    return header + 1 + body in (size, size + 1)


def _bytes(column: Any) -> int:
    """Bytes of all cells of a column of text."""
    if not are_numbered(column):
        return int(column.str.len_bytes().sum() or 0)
    numbered = NumberedTexts(column)
    return int(numbered.counts @ numbered.texts.str.len_bytes().fill_null(0).to_numpy().astype("int64"))


def _digits(column: Any) -> int:
    """Characters in which a column of whole numbers is written."""
    numbers = column.drop_nulls().to_numpy()
    if not len(numbers):
        return 0
    low, high = int(numbers.min()), int(numbers.max())
    total = len(numbers) + (int(np.count_nonzero(numbers < 0)) if low < 0 else 0)
    for some in np.array_split(numbers, max(len(numbers) // BLOCK, 1)):
        total += sum(int(np.count_nonzero(some >= power)) for power in _powers(high))
        total += sum(int(np.count_nonzero(some <= -power)) for power in _powers(-low))
    return total


def _powers(most: int) -> list[int]:
    """10, 100 … up to a number."""
    return [10**digits for digits in range(1, len(str(max(most, 0))))]


def _all_whole(cells: list[str]) -> bool:
    filled = [cell for cell in cells if cell.strip()]
    held = same_type(filled) if all(isinstance(cell, int) for cell in same_type(filled[:1])) else []
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


def _marks_in(source: Source, name: str, separator: str) -> _Marks:
    """What the bytes of a file hold, in one look; a block stays in the processor's cache while it is looked through."""
    block, single = bytearray(AT_ONCE), f"{separator}'".encode()
    quotes, returns = False, 0
    with source.open(name) as stream:
        while number := stream.readinto(block):  # type: ignore[attr-defined]
            if not quotes and block.find(b"'", 0, number) >= 0:
                quotes = block.startswith(b"'") or block.find(single, 0, number) >= 0  # the mark before it may be gone
            quotes = quotes or block.find(b'"', 0, number) >= 0
            if block.find(b"\r", 0, number) >= 0:
                returns += block.count(b"\r", 0, number)
    return _Marks(quotes, returns)


def _marks(source: Source, name: str, separator: str) -> int:
    """How many marks stand between cells."""
    mark = separator.encode()
    with source.open(name) as stream:
        return sum(chunk.count(mark) for chunk in iter(lambda: stream.read(1 << 22), b""))


def _typed(pl: Any, column: Any, *, comma: bool) -> Any:
    """A column as `typed_text` types a small file; None where a whole number is too large."""
    return column if column.dtype == pl.Int64 else _by_text(pl, column, lambda texts: _typed_series(pl, texts, comma))


def _typed_series(pl: Any, column: Any, comma: bool) -> Any:
    """Text as numbers where all of it is, as `typed_text` types a small file; blank cells are missing.

    None where a whole number is too large for the numbers that Polars has: the slow way has no limit.
    """
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
        if not plain or column.str.contains(r"^-?[0-9]+$").all():
            return None if plain else column
        return numbers if (numbers.cast(pl.String) == column).all(ignore_nulls=True) else column
    values = distinct.drop_nulls().to_list()
    numbers = same_type(list(values))
    if any(isinstance(number, str) for number in numbers):
        return column
    if any(isinstance(number, int) and abs(number) > EXACT for number in numbers):
        return None
    return column.replace_strict(values, [float(number) for number in numbers], return_dtype=pl.Float64)


def _without_blanks(column: Any) -> Any:
    """Cells of nothing but blanks are missing; a column without any is as it was."""
    blank = blank_places(column)
    return column.clone().scatter(blank, None) if len(blank) > column.null_count() else column


def _with_decimal_comma(pl: Any, column: Any) -> Any:
    """Numbers such as 0,5; None where a cell is none, or where none has a comma."""
    if not column.str.contains(f"^{DECIMAL_COMMA}$").all() or not column.str.contains(",", literal=True).any():
        return None
    return column.str.replace(",", ".", literal=True).cast(pl.Float64)
