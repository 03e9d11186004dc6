"""The result of a query in a file, as a database or its console writes it: CSV, TSV, Parquet, JSON or JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from accord.errors import FileError, Message, OwnWords, Part, all_quoted, between, counted, quoted
from accord.readers.delimited import csv_rows
from accord.readers.file_heads import lines_of
from accord.readers.results.manifest import ENDINGS
from accord.readers.source import Source
from accord.readers.table_file import polars

NULLS = ("", "\\N")  # what stands for nothing in text
MOST = 2**53  # a count that is larger is none


@dataclass(frozen=True)
class Cell:
    """One cell, with where it stands."""

    value: Any
    file: str
    row: int
    in_lines: bool
    column: str

    def refused(self, *what: Part) -> FileError:
        """The error for what it holds."""
        line, record = (self.row, None) if self.in_lines else (None, self.row)
        return FileError(self.file, *what, line=line, record=record, part=Message("column ", OwnWords([self.column])))

    @property
    def text(self) -> str | None:
        """What it says; None for nothing."""
        return None if self.value is None else str(self.value)

    @property
    def count(self) -> int:
        """A whole number that is not negative, whatever it is written as."""
        try:
            number = float(self.value)
        except (TypeError, ValueError, OverflowError):
            raise self.refused(
                "A count is a whole number; found ", quoted(self.value), ". Run the query again."
            ) from None
        if not 0 <= number <= MOST or number != int(number):
            raise self.refused("A count is a whole number; found ", quoted(self.value), ". Run the query again.")
        return int(number)


@dataclass(frozen=True)
class QueryResult:
    """The rows of a result; cells by the names that the query gives its columns."""

    name: str
    file: str
    rows: tuple[dict[str, Cell], ...]

    def __iter__(self) -> Iterator[dict[str, Cell]]:
        return iter(self.rows)

    @property
    def only(self) -> dict[str, Cell]:
        """The row of a query that gives one."""
        if len(self.rows) != 1:
            raise FileError(
                self.file,
                "The query ",
                quoted(self.name),
                f" gives one row, and there are {len(self.rows):,}. Run it again.",
            )
        return self.rows[0]


def read_result(folder: Path, name: str, columns: Sequence[str]) -> QueryResult:
    """The result of a query; an error where there is none, or where it is another query's."""
    path = _file_of(folder, name)
    source = Source(path)
    ending = path.suffix.lower()
    if ending in (".csv", ".tsv"):
        titles, lines = _delimited(source, "\t" if ending == ".tsv" else ",")
    elif ending == ".parquet":
        titles, lines = _parquet(source)
    else:
        titles, lines = _json(source, columns)
    place = _matched(titles, columns, path.name, name)
    in_lines = ending in (".csv", ".tsv", ".jsonl", ".ndjson")
    rows = tuple(
        {column: Cell(cells[at], path.name, number, in_lines, column) for column, at in place.items()}
        for number, cells in lines
    )
    return QueryResult(name, path.name, rows)


def _file_of(folder: Path, name: str) -> Path:
    """The file that is called after the query."""
    wanted = {f"{name}{ending}" for ending in ENDINGS}
    found = sorted(path for path in folder.iterdir() if path.name.lower() in wanted)
    if not found:
        raise FileError(
            folder,
            "There is no result of the query ",
            quoted(name),
            f". Run {name}.sql, and save what it gives as {name}.csv (or ",
            all_quoted(ENDINGS[1:]),
            ") there.",
        )
    if len(found) > 1:
        raise FileError(
            folder, all_quoted([path.name for path in found]), " are both ", quoted(name), ". Remove all but one."
        )
    return found[0]


def _matched(titles: Sequence[str], columns: Sequence[str], file: str, name: str) -> dict[str, int]:
    """Where each column of the query stands; databases change the case of names."""
    lower = [title.lower() for title in titles]
    wanted = [column.lower() for column in columns]
    more = [title for title in titles if title.lower() not in wanted]
    missing = [column for column in columns if column.lower() not in lower]
    twice = [title for title in titles if lower.count(title.lower()) > 1]
    if more or missing or twice:
        faults = [
            Message("there is no column ", OwnWords(missing)) if missing else "",
            Message("it has ", all_quoted(more), " besides") if more else "",
            Message(all_quoted(twice), " stands twice") if twice else "",
        ]
        raise FileError(
            file,
            "It is no result of the query ",
            quoted(name),
            ": ",
            *between([one for one in faults if one], ", and "),
            f". Save the result of {name}.sql under this name.",
            available=columns,
        )
    return {column: lower.index(column.lower()) for column in columns}


# -- forms ------------------------------------------------------------------------------------------------------------


def _delimited(source: Source, separator: str) -> tuple[list[str], Iterator[tuple[int, list[Any]]]]:
    where = source.path.name
    rows = csv_rows(source.text(source.names[0]), separator, where)
    first = next(rows, None)
    if first is None:
        raise FileError(where, "The file is empty, without the names of columns. Save the result with them.")
    titles = [title.strip() for title in first[1]]

    def lines() -> Iterator[tuple[int, list[Any]]]:
        for number, cells in rows:
            if len(cells) != len(titles):
                sentence = f"There are {counted(len(cells), 'cells')} under {counted(len(titles), 'columns')}."
                raise FileError(where, f"{sentence} Save the result again.", line=number)
            yield number, [None if cell in NULLS else cell for cell in cells]

    return titles, lines()


def _parquet(source: Source) -> tuple[list[str], Iterator[tuple[int, list[Any]]]]:
    pl = polars()
    from accord.engine.far_dates import native_far_as_text  # with narwhals, which a CSV file need not wait for

    try:
        frame = native_far_as_text(pl.read_parquet(source.path))
    except (pl.exceptions.PolarsError, OSError, ValueError, pl.exceptions.PanicException):
        raise FileError(source.path, "It cannot be read as Parquet. Save the result again.") from None
    return frame.columns, ((number, list(row)) for number, row in enumerate(frame.iter_rows(), start=1))


def _json(source: Source, columns: Sequence[str]) -> tuple[list[str], Iterator[tuple[int, list[Any]]]]:
    """A list of records, or a record on each line; what is null everywhere may be left out."""
    where, text = source.path.name, source.text(source.names[0])
    whole = source.path.suffix.lower() == ".json" and text.lstrip()[:1] == "["
    try:
        if whole:
            records = list(enumerate(json.loads(text), start=1))
        else:
            records = [(at, json.loads(line)) for at, line in enumerate(lines_of(text), start=1) if line.strip()]
        titles = list(dict.fromkeys(name for _, record in records for name in dict(record)))
    except (ValueError, TypeError, RecursionError):
        raise FileError(where, "It is no JSON with a record for each row. Save the result again.") from None
    lower = [title.lower() for title in titles]
    titles += [column for column in columns if column.lower() not in lower]
    return titles, ((number, [record.get(title) for title in titles]) for number, record in records)
