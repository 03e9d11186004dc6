"""What the command prints: boxed tables in a terminal, plain text in a pipe, progress on the error stream."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from accord.agreement.table import Table, column_text
from accord.reporting.tables import one_line

# Where a terminal is too narrow for all columns, these go first; what stands nowhere else stays.
FIRST_TO_GO = ("se", "annotators", "items", "expected", "observed")
BETWEEN = 3  # a border and two blanks for each column
Report = Callable[..., None]  # of (done, total), and of (done, total, objective) where something is raised


def show(table: Table) -> None:
    """A table for the eye: boxed in a terminal, plain in a pipe."""
    if sys.stdout.isatty():
        _boxed(table)
    else:
        sys.stdout.write(as_text(table))


def as_text(table: Table) -> str:
    """All rows in plain columns, each as wide as its widest cell."""
    columns = _filled(table)
    cells = [[_heading(name), *(one_line(column_text(name, cell)) for cell in table.data[name])] for name in columns]
    widths = [max(map(width, column)) for column in cells]
    right = [_is_numeric(table, name) for name in columns]
    lines = [one_line(table.title)]
    for row in zip(*cells, strict=True):
        padded = (_padded(*part) for part in zip(row, widths, right, strict=True))
        lines.append("  ".join(padded).rstrip())
    return "\n".join([*lines, *map(one_line, table.notes)]) + "\n"


def width(text: str) -> int:
    """How many places a text takes on the screen: wide letters two, marks above a letter none.

    >>> width("kappa"), width("良い"), width("é")
    (5, 4, 1)
    """
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def _padded(text: str, wide: int, right: bool) -> str:
    blanks = " " * (wide - width(text))
    return blanks + text if right else text + blanks


def _heading(name: str) -> str:
    return one_line(name).replace("_", " ")


def _filled(table: Table) -> list[str]:
    """The columns that say anything to a reader."""
    return list(table.shown.columns)


def _is_numeric(table: Table, name: str) -> bool:
    return all(isinstance(cell, int | float) or hasattr(cell, "dtype") for cell in table.data[name])


def _boxed(table: Table) -> None:
    from rich.console import Console
    from rich.table import Table as Box
    from rich.text import Text

    console = Console(highlight=False)
    shown, gone = _fitting(table, console.width)
    box = Box(title=Text(one_line(table.title)), title_justify="left", header_style="bold")
    for name in shown:
        numeric = _is_numeric(table, name)
        box.add_column(Text(_heading(name)), justify="right" if numeric else "left", overflow="fold", no_wrap=numeric)
    for row in table:
        box.add_row(*(Text(one_line(column_text(name, row[name]))) for name in shown))
    console.print(box)
    for note in table.notes:
        console.print(Text(one_line(note)))
    if gone:
        console.print(Text(f"Not shown, for want of width: {', '.join(map(_heading, gone))}."))


def _fitting(table: Table, room: int) -> tuple[list[str], list[str]]:
    """The columns that a terminal has room for, and those it has not."""
    shown, gone = _filled(table), []
    wide = {
        name: max(width(one_line(text)) for text in (_heading(name), *(column_text(name, c) for c in table.data[name])))
        for name in shown
    }
    for name in FIRST_TO_GO:
        if sum(wide[kept] + BETWEEN for kept in shown) < room:
            break
        if name in shown:
            shown.remove(name)
            gone.append(name)
    return shown, gone


@contextmanager
def working(steps: Sequence[str], *, quiet: bool) -> Iterator[list[Report]]:
    """A function of (done, total) for each step of long work: bars on the error stream of a terminal, else silent."""
    if quiet or not sys.stderr.isatty():
        yield [_silent for _ in steps]
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    parts = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*parts, console=Console(stderr=True), transient=True) as bars:
        yield [_bar(bars, bars.add_task(step, total=None), step) for step in steps]


def _bar(bars: Any, task: Any, step: str) -> Report:
    def report(done: int, total: int, objective: float | None = None) -> None:
        description = step if objective is None else f"{step}: iteration {done:,}, likelihood {objective:,.2f}"
        bars.update(task, completed=done, total=total, description=description)

    return report


def _silent(_done: int, _total: int) -> None:
    """Say nothing."""
