"""A gold in a file: one row per item."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

from accord.agreement.table import Table
from accord.engine.whole_file import check_target, path_of, whole
from accord.errors import OptionError, json_value
from accord.options import ESCAPED
from accord.study.csv_writer import write_csv


def write_table(table: Table, path: str | Path, *, keep_formulas: bool = False) -> Path:
    """Write a table with a row per item; the ending of the name tells the format."""
    writers: dict[str, Callable[[Table, Path], None]] = {
        ".csv": partial(_delimited, keep_formulas=keep_formulas),
        ".tsv": partial(_delimited, delimiter="\t", keep_formulas=keep_formulas),
        ".jsonl": _json_lines,
        ".parquet": _parquet,
    }
    target = path_of(path)
    if target.suffix.lower() not in writers:
        raise OptionError.ending(target.name, writers)
    check_target(target)
    with whole(target) as half:
        writers[target.suffix.lower()](table, half)
    return target


def _delimited(table: Table, path: Path, delimiter: str = ",", *, keep_formulas: bool) -> None:
    with path.open("w", encoding="utf-8", errors=ESCAPED, newline="") as stream:
        write_csv(stream, table.data, delimiter, keep_formulas=keep_formulas)


def _json_lines(table: Table, path: Path) -> None:
    with path.open("w", encoding="utf-8", errors=ESCAPED, newline="") as stream:
        for row in table:
            stream.write(json.dumps({name: json_value(cell) for name, cell in row.items()}, ensure_ascii=False) + "\n")


def _parquet(table: Table, path: Path) -> None:
    table.to_polars().write_parquet(path)
