"""A queue in a file: to be filled in by a person, and never written over what a person has filled in."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.agreement.table import Table
from accord.engine.whole_file import whole
from accord.errors import AccordError, InputError, Keyword, OptionError, Remedy, all_quoted, counted, quoted
from accord.options import ESCAPED
from accord.study.csv_writer import write_csv

if TYPE_CHECKING:
    from accord.consensus.decision import Decision

Row = dict[str, Any]

DECIDED_BY, DECIDED_AT = "decided_by", "decided_at"
FILL_IN = ("decision", DECIDED_BY, DECIDED_AT)
DELIMITERS = {".csv": ",", ".tsv": "\t"}
ROUNDED = ("confidence", "uncertainty")


def check_ending(path: Path) -> None:
    """A queue is a table of text, for a spreadsheet."""
    if path.suffix.lower() not in DELIMITERS:
        raise OptionError.ending(path.name, DELIMITERS)


def rows_in(file: Path) -> list[Row]:
    """The rows of a queue; a file is there to decide something, and short rows end in blanks."""
    from accord.consensus.label_files import table_in  # readers load when a file comes

    names, cells = table_in(file)
    if names is None:
        raise InputError(quoted(file.name), " does not name its columns. A queue has the columns item and decision.")
    read = [dict(zip_longest(names, row[: len(names)])) for row in cells]
    rows = checked(read or [dict.fromkeys(names)])
    if all(blank(row["decision"]) for row in rows):
        raise InputError(quoted(file.name), " holds no decision. Fill in its column 'decision'.")
    return rows


def checked(rows: list[Row]) -> list[Row]:
    """Rows with the two columns that a queue must have."""
    for name in ("item", "decision"):
        if rows and name not in rows[0]:
            raise InputError(
                "No column ",
                quoted(name),
                " among the decisions, which have ",
                all_quoted(rows[0]),
                ". A queue has the columns item and decision: name them so.",
            )
    return rows


def blank(cell: Any) -> bool:
    """Does a cell say nothing?"""
    return cell is None or (isinstance(cell, str) and not cell.strip()) or (isinstance(cell, float) and np.isnan(cell))


def decisions_in(path: Path) -> list[Row]:
    """What a person has filled in there; nothing where the file is new, or no queue."""
    if not path.is_file():
        return []
    try:
        return [row for row in rows_in(path) if not blank(row["decision"])]
    except AccordError:
        return []


def kept_rows(path: Path, decision_of: Callable[[Row], Decision | None], *, force: bool) -> list[Row]:
    """The decisions in a file that the gold has too, with who and when; an error where others would be lost."""
    rows = decisions_in(path)
    kept = []
    for row in rows:
        decision = decision_of(row)
        if decision is None and not force:
            raise would_be_lost(path, len(rows))
        if decision is None:
            continue
        row[DECIDED_BY] = decision.by if blank(row.get(DECIDED_BY)) else row[DECIDED_BY]
        row[DECIDED_AT] = decision.at if blank(row.get(DECIDED_AT)) else row[DECIDED_AT]
        kept.append(row)
    return kept


def would_be_lost(path: Path, number: int) -> InputError:
    """The error for a queue that would take the place of decisions."""
    return InputError(
        quoted(str(path)),
        f" holds {counted(number, 'decisions')}, which a new queue would replace. Keep them: ",
        Remedy({"decisions": str(path)}, python=f"gold.decide({str(path)!r})"),
        "; or name another file, or say ",
        Keyword("force"),
        " to lose them.",
    )


def write_queue(table: Table, kept: list[Row], path: Path, *, free: bool) -> None:
    """The items to decide, and below them what was decided before; columns that a person added stay."""
    names = list(dict.fromkeys([*table.columns, *(name for row in kept for name in row)]))
    rows = [*table, *kept]
    with whole(path, free=free) as half, half.open("w", encoding="utf-8", errors=ESCAPED, newline="") as file:
        columns = {name: [_written(name, row.get(name)) for row in rows] for name in names}
        write_csv(file, columns, DELIMITERS[path.suffix.lower()])


def _written(name: str, cell: Any) -> Any:
    """A cell of the file: few digits."""
    return f"{cell:.6g}" if name in ROUNDED and isinstance(cell, float) else cell
