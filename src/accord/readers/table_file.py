"""A table in memory, whatever file it came from: CSV, Excel, JSON Lines, Parquet, Arrow."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any

from accord.annotations.left_out import LeftOut, Reason
from accord.errors import (
    ExtraMissing,
    FileError,
    Message,
    OptionError,
    keyword,
    listing,
    remedy,
)
from accord.readers.source import Source, decoded
from accord.study.tables.rows import ReadOptions, Rows
from accord.study.tables.sheet import Sheet
from accord.study.tables.to_study import same_type

SMALL = 16 << 20  # bytes up to which CSV is read row by row, with every line checked as it comes
NO_TEXT = (".parquet", ".pq", ".arrow", ".feather", ".ipc", ".xlsx", ".xlsm", ".xls")
SEPARATORS = (",", ";", "\t", "|")
DECIMAL_COMMA = r"-?\d+(,\d+)?"
csv.field_size_limit(1 << 28)


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
    if head.startswith(b"PK") or suffix in (".xlsx", ".xlsm"):
        from accord.readers import excel

        return excel.load(source, name, options)
    if suffix == ".xls":
        raise FileError(source.where(name), "Old Excel files (.xls) are not read. Save it as .xlsx or CSV.")
    if form == "binary":
        raise FileError(
            source.where(name), "The file is neither text nor Parquet, Arrow or Excel. Save it as one of these."
        )
    if form.startswith("json"):
        return _json(source, name, options)
    if form == "xml":
        raise FileError(
            source.where(name),
            f"It is XML with the root <{source.glance(name).root}>, which no reader knows. Export it as JSON or CSV.",
        )
    return _csv(source, name, options)


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


def _csv(source: Source, name: str, options: ReadOptions) -> Sheet:
    where, suffix = source.where(name), PurePosixPath(name).suffix.lower()
    notes: list[str] = []
    head = source.glance(name).text
    if options.sheet is not None:
        raise OptionError(keyword("sheet"), f" is for Excel files; {where} is text.")
    delimiter = {"\\t": "\t", "tab": "\t"}.get(options.delimiter or "", options.delimiter)
    if delimiter is not None and len(delimiter) != 1:
        raise OptionError.must("delimiter", "be one character, such as ';', or 'tab'", options.delimiter)
    separator = delimiter or separator_in(head, suffix)
    header = options.header
    kind = {"\t": "TSV", ",": "CSV"}.get(separator, f"CSV ({separator})")
    if options.decimal not in (None, ",", "."):
        raise OptionError.choice("decimal", options.decimal, [".", ","])
    comma = options.decimal == "," or (separator == ";" and options.decimal is None)
    large = source.size(name) > SMALL and options.encoding is None and options.on_error != "skip" and header
    if large:
        from accord.readers import large_csv

        frame = large_csv.load(source, name, separator, head, options, comma=comma)
        if frame is not None:
            return Sheet(where, f"{kind} table", frame, notes)
    text = text_in(source.content(name), where, options, notes)
    left = LeftOut()
    columns = _read_rows(text, separator, where, options, left, header=header)
    sheet = {key: typed_text(cells, comma=comma) for key, cells in columns.items()}
    return Sheet(where, f"{kind} table", sheet, notes, left)


def text_in(data: bytes, where: str, options: ReadOptions, notes: list[str]) -> str:
    """UTF-8, or the Western Windows encoding where it can be nothing else."""
    try:
        return decoded(data, where, options.encoding)
    except FileError:
        if options.encoding is not None or data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise
        # text with some sound UTF-8 in it is broken UTF-8, not another encoding
        if re.search(rb"[\xc3-\xf4][\x80-\xbf]", data) or re.search(rb"[\x81\x8d\x8f\x90\x9d\x00-\x08]", data):
            raise
        notes.append(
            Message(
                "the file is not UTF-8 and was read as cp1252 (Western Windows); say ",
                remedy(encoding=...),
                " if letters look wrong",
            )
        )
        return data.decode("cp1252")


def separator_in(head: str, suffix: str) -> str:
    """The character between cells: the one that stands equally often in the first lines."""
    if suffix in (".tsv", ".tab"):
        return "\t"
    lines = [re.sub(r'"[^"]*"', "", line) for line in head.splitlines()[:20] if line.strip()]
    counts = {mark: [line.count(mark) for line in lines] for mark in SEPARATORS}
    steady = [mark for mark in SEPARATORS if counts[mark] and counts[mark][0] and min(counts[mark]) == counts[mark][0]]
    if steady:
        return max(steady, key=lambda mark: counts[mark][0])
    return max(SEPARATORS, key=lambda mark: counts[mark][0] if counts[mark] else 0)


def _read_rows(
    text: str, separator: str, where: str, options: ReadOptions, left: LeftOut, *, header: bool
) -> dict[str, list[Any]]:
    names: list[str] | None = None
    columns: list[list[Any]] = []
    for line, row in csv_rows(text, separator, where):
        if names is None:
            names = check_header(row, where) if header else [f"column_{place + 1}" for place in range(len(row))]
            columns = [[] for _ in names]
            if header:
                continue
        if len(row) != len(names):
            if options.on_error == "skip":
                left.add(Reason.UNREADABLE, 1)
                continue
            raise FileError(
                where, f"The row has {len(row)} cells, and the header names {len(names)} columns. ",
                remedy(on_error="skip"), " leaves such rows out and counts them.", line=line,
            )  # fmt: skip
        for column, cell in zip(columns, row, strict=True):
            column.append(cell)
    if names is None:
        raise FileError(where, "The file is empty.")
    return dict(zip(names, columns, strict=True))


def csv_rows(text: str, separator: str, where: str) -> Iterator[tuple[int, list[str]]]:
    """Every row that is not empty, with the line it begins in; an error names that line."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as problem:
            raise FileError(where, f"It is not CSV: {problem}.", line=line) from None
        if row is None:
            return
        if row:
            yield line, row


def check_header(row: Sequence[str], where: str) -> list[str]:
    """The names of the columns, none twice; an index without a name is called 'row'."""
    names = [name.strip() for name in row]
    if names and names[0] == "":
        names[0] = "row"
    while names and names[-1] == "" and len(names) > 1 and "" not in names[:-1]:
        names[-1] = "unnamed"
    if all(re.fullmatch(r"-?\d+([.,]\d+)?", name) for name in names):
        shown = listing([name[:20] for name in names], most=4)
        raise FileError(
            where,
            f"The header holds only numbers ({shown}). If there is no header, say so: ",
            remedy(header=False),
            ".",
            line=1,
        )
    twice = sorted(name for name, number in Counter(names).items() if number > 1)
    if twice:
        raise FileError(
            where, f"The header names {listing(twice)} more than once. Give every column a name of its own.", line=1
        )
    return names


def typed_text(cells: Iterable[str], *, comma: bool = False) -> list[Any]:
    """Cells of text as numbers where all of them are, with a decimal comma if so; blank ones are None."""
    filled: list[Any] = [cell if cell.strip() else None for cell in cells]
    if comma:
        distinct = {cell for cell in filled if cell is not None}
        if distinct and all(re.fullmatch(DECIMAL_COMMA, cell) for cell in distinct) and any("," in c for c in distinct):
            return [None if cell is None else float(cell.replace(",", ".")) for cell in filled]
    return same_type(filled)
