"""A gold in a file: one row an item."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from accord.agreement.table import Table
from accord.errors import OptionError

BETWEEN = " | "  # labels of a set in one cell, here and in a queue
EMPTY_SET = "∅"  # no label fits, which is not the same as undecided


def write_table(table: Table, path: str | Path) -> Path:
    """Write a table with a row an item; the ending of the name tells the format."""
    from accord.study.write import whole

    writers: dict[str, Callable[[Table, Path], None]] = {
        ".csv": _csv, ".tsv": _tsv, ".jsonl": _json_lines, ".parquet": _parquet,
    }  # fmt: skip
    target = Path(path)
    if target.suffix.lower() not in writers:
        raise OptionError.choice("the ending of the file", target.suffix, list(writers))
    with whole(target) as half:
        writers[target.suffix.lower()](table, half)
    return target


def _delimited(table: Table, path: Path, delimiter: str) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        stream.write(_line(table.columns, delimiter))
        for row in table:
            stream.write(_line([_cell(cell) for cell in row.values()], delimiter))


def _line(cells: Sequence[Any], delimiter: str) -> str:
    """One row. The writer quotes the breaks that it ends lines with, so it is to end them with both."""
    line = io.StringIO(newline="")
    csv.writer(line, delimiter=delimiter, lineterminator="\r\n").writerow(cells)
    return line.getvalue().removesuffix("\r\n") + "\n"


def _csv(table: Table, path: Path) -> None:
    _delimited(table, path, ",")


def _tsv(table: Table, path: Path) -> None:
    _delimited(table, path, "\t")


def _json_lines(table: Table, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        for row in table:
            stream.write(json.dumps({name: _there(cell) for name, cell in row.items()}, ensure_ascii=False) + "\n")


def _parquet(table: Table, path: Path) -> None:
    table.to_polars().write_parquet(path)


def _cell(cell: Any) -> Any:
    found = _there(cell)
    if isinstance(found, list):
        return BETWEEN.join(map(str, found)) if found else EMPTY_SET
    return "" if found is None else found


def _there(cell: Any) -> Any:
    """NaN is nothing, a set of labels a list."""
    if isinstance(cell, tuple):
        return list(cell)
    return None if isinstance(cell, float) and math.isnan(cell) else cell
