"""What the command prints: tables as wide as the terminal in a terminal, plain text in a pipe; progress on the side."""

from __future__ import annotations

import shutil
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from accord.agreement.table import Table, cell_text, column_text, printed_by
from accord.agreement.table_formats import one_line, rendered, seen
from accord.cli.options import KEEP_FORMULAS

BETWEEN = 2  # blanks between two columns
NARROW, WIDEST = 40, 100  # letters a line of prose: a terminal may be narrower or wider than reads well
PROSE, SENTENCE = 24, 80  # letters in a cell, from which on it may wrap, and from which on it stands below the table
COUNTS = ("items", "annotators", "answers", "se")  # columns that may be said once where they do not differ
NAMES = frozenset({"item", "label", "annotator", "first", "second", "model", "decision", "reference", "gold"})
LONG_WORD = 28  # letters up to which a word stays whole, so that two columns of such words fit 60
DRAWN = "\0"  # marks the lines of a table within a text: they are not to be wrapped
Report = Callable[..., None]  # of (done, total), and of (done, total, objective) where something is raised


def show(table: Table, form: str | None = None) -> None:
    """A table for the eye, drawn in a terminal and plain in a pipe; or in a format for other programs."""
    if form is not None:
        print_data(rendered(table, form, keep_formulas=KEEP_FORMULAS.get()))
    elif sys.stdout.isatty():
        sys.stdout.write(drawn(table, shutil.get_terminal_size().columns))
    else:
        sys.stdout.write(as_text(table))


def show_all(tables: Sequence[Table], form: str | None = None) -> None:
    """Tables one after another, an empty line between."""
    for place, table in enumerate(tables):
        if place:
            sys.stdout.write("\n")
        show(table, form)


def say(*words: object) -> None:
    """Results in words: in a terminal prose wraps and tables within are drawn; a pipe has it all as it is."""
    for word in words:
        sys.stdout.write(f"{_laid_out(word) if sys.stdout.isatty() else seen(word)}\n")


def tables_in(found: object) -> list[Table]:
    """The tables that a result prints."""
    held: list[Table] = []

    def keep(table: Table) -> str:
        held.append(table)
        return ""

    with printed_by(keep):
        str(found)
    return held


def print_data(data: str | bytes) -> None:
    """What other programs read: bytes as they are and text in UTF-8, whatever the terminal writes.

    A terminal is no program: it gets marks that would steer it as what can be seen.
    """
    if sys.stdout.isatty():
        text = data.decode("utf-8", "replace") if isinstance(data, bytes) else data
        sys.stdout.write(seen(text))
        return
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:  # text alone is wanted, as in a test or a notebook
        sys.stdout.write(data if isinstance(data, str) else data.decode())
        return
    sys.stdout.flush()
    stream.write(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass"))
    stream.flush()


def prose_width() -> int:
    """As wide as the terminal, up to a width that reads well; in a pipe, that width."""
    return min(max(shutil.get_terminal_size().columns, NARROW), WIDEST) if sys.stdout.isatty() else WIDEST


def _laid_out(words: object) -> str:
    """Words for a terminal: what is a table is drawn, what is prose is wrapped."""

    def marked(table: Table) -> str:
        lines = drawn(table, shutil.get_terminal_size().columns).rstrip("\n").split("\n")
        return "\n".join(f"{DRAWN}{line}" for line in lines)

    with printed_by(marked):
        lines = str(words).split("\n")
    return "\n".join(line[1:] if line.startswith(DRAWN) else wrapped(seen(line), prose_width()) for line in lines)


def wrapped(line: str, room: int) -> str:
    """A line in as many as it takes, broken between words only; what is indented stays so.

    >>> print(wrapped("  note: one two three", 12))
      note: one
        two
        three
    """
    if width(line) <= room:
        return line
    blanks = len(line) - len(line.lstrip(" "))
    later = " " * (blanks + 2 if blanks else 0)
    first, *rest = line.split()
    lines, held = [], " " * blanks + first
    for word in rest:
        if width(f"{held} {word}") > room:
            lines.append(held)
            held = later + word
        else:
            held = f"{held} {word}"
    return "\n".join([*lines, held])


def as_text(table: Table) -> str:
    """All rows in plain columns, each as wide as its widest cell."""
    columns = _filled(table)
    cells = [[_heading(name), *_cells(table, name)] for name in columns]
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
    if text.isascii():
        return len(text)
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


def drawn(table: Table, room: int) -> str:
    """A table no wider than the room there is, with all that it holds.

    Where it is too wide, what every row has in common, and sentences, stand below it; what is still too much goes into
    a second part under the first.
    """
    columns = _filled(table)
    below: list[str] = []
    if _needs(table, columns) > room:
        columns, below = _without_sentences(table, columns)
    if _needs(table, columns) > room:
        columns, same = _without_constants(table, columns)
        below = [*same, *below]
    lines = [wrapped(one_line(table.title), room)]
    for place, part in enumerate(_split(table, columns, room)):
        lines += [*([""] if place else []), *_lines(table, part, room)]
    notes = [*below, *map(one_line, table.notes)]
    return "\n".join([*lines, *(wrapped(note, min(room, WIDEST)) for note in notes)]) + "\n"


@lru_cache(maxsize=64)  # widths are asked for again and again
def _cells(table: Table, name: str) -> tuple[str, ...]:
    """A column as text; what only looks like a number, the id of an item, a label, a group, is printed as it is."""
    named = name in NAMES or (name == table.columns[0] and name not in COUNTS)
    return tuple(
        one_line(cell_text(cell, digits=None) if named else column_text(name, cell)) for cell in table.data[name]
    )


def _natural(table: Table, name: str) -> int:
    return max(width(text) for text in (_heading(name), *_cells(table, name)))


def _least(table: Table, name: str) -> int:
    """How narrow a column may be: text wraps, between words where they are no longer than words are."""
    natural = _natural(table, name)
    if _is_numeric(table, name):
        return natural
    longest = max((width(word) for text in _cells(table, name) for word in text.split()), default=0)
    return min(natural, max(PROSE, min(longest, LONG_WORD)))


def _needs(table: Table, columns: Sequence[str]) -> int:
    return sum(_least(table, name) + BETWEEN for name in columns) - BETWEEN


def _without_sentences(table: Table, columns: list[str]) -> tuple[list[str], list[str]]:
    """Columns of sentences become lines below, with the rows that they are about."""
    first, *rest = columns
    long = [name for name in rest if not _is_numeric(table, name) and _natural(table, name) > SENTENCE]
    lines = []
    for name in long:
        about: dict[str, list[str]] = {}
        for row, text in zip(_cells(table, first), _cells(table, name), strict=True):
            if text and text != "–":
                about.setdefault(text, []).append(row)
        lines += [f"{', '.join(rows)}: {text}" for text, rows in about.items()]
    return [name for name in columns if name not in long], lines


def _without_constants(table: Table, columns: list[str]) -> tuple[list[str], list[str]]:
    """Counts that are the same in every row are said once, below."""
    counts = [name for name in COUNTS if name in columns[1:] and _is_numeric(table, name)]
    same = [name for name in counts if len(table) > 1 and len(set(_cells(table, name))) == 1]
    words = ", ".join(f"{_heading(name)} {_cells(table, name)[0]}" for name in same)
    return [name for name in columns if name not in same], [f"In every row: {words}."] if same else []


def _split(table: Table, columns: list[str], room: int) -> Iterator[list[str]]:
    """The columns in parts that there is room for, the first column again in each."""
    first, *rest = columns
    part = [first]
    for name in rest:
        if len(part) > 1 and _needs(table, [*part, name]) > room:
            yield part
            part = [first]
        part.append(name)
    yield part


def _lines(table: Table, columns: list[str], room: int) -> list[str]:
    """Rows of a part of a table: names on a line of their own, underlined; long cells wrap between words."""
    widths = _widths(table, columns, room)
    right = {name: _is_numeric(table, name) for name in columns}
    cells = {name: _cells(table, name) for name in columns}
    rows = [
        {name: _heading(name) for name in columns},
        *({name: cells[name][place] for name in columns} for place in range(len(table))),
    ]
    lines = []
    for number, row in enumerate(rows):
        parts = {name: _broken(row[name], widths[name]) for name in columns}
        for line in range(max(map(len, parts.values()))):
            texts = [parts[name][line] if line < len(parts[name]) else "" for name in columns]
            padded = [_padded(text, widths[name], right[name]) for text, name in zip(texts, columns, strict=True)]
            lines.append((" " * BETWEEN).join(padded).rstrip())
        if number == 0:
            lines.append((" " * BETWEEN).join("─" * widths[name] for name in columns))
    return lines


def _widths(table: Table, columns: list[str], room: int) -> dict[str, int]:
    """What each column needs at least, and of what is left over as much as each can use."""
    widths = {name: min(_least(table, name), room) for name in columns}
    left = room - _needs(table, columns)
    for name in sorted(columns, key=lambda name: _natural(table, name)):  # the shortest become whole first
        more = min(_natural(table, name) - widths[name], max(left, 0))
        widths[name] += max(more, 0)
        left -= max(more, 0)
    return widths


def _broken(text: str, wide: int) -> list[str]:
    """A cell in lines of a width, broken between words; a word that is too long is broken where the room ends."""
    if width(text) <= wide:
        return [text]
    lines, line = [], ""
    for word in text.split(" "):
        if line and width(f"{line} {word}") > wide:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
        while width(line) > wide:
            cut = next(end for end in range(len(line), 0, -1) if end == 1 or width(line[:end]) <= wide)
            lines.append(line[:cut])
            line = line[cut:]
    return [*lines, line] if line else lines


@contextmanager
def working(steps: Sequence[str], *, quiet: bool) -> Iterator[list[Report]]:
    """A function of (done, total) for each step of long work: bars on the error stream of a terminal, else silent."""
    if quiet or not sys.stderr.isatty():
        yield [_silent for _ in steps]
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    parts = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*parts, console=Console(stderr=True), transient=True) as bars:
        named = [escape(one_line(step)) for step in steps]  # a file may be called anything
        yield [_bar(bars, bars.add_task(step, total=None), step) for step in named]


def _bar(bars: Any, task: Any, step: str) -> Report:
    def report(done: int, total: int, objective: float | None = None) -> None:
        description = step if objective is None else f"{step}: iteration {done:,}, likelihood {objective:,.2f}"
        bars.update(task, completed=done, total=total, description=description)

    return report


def _silent(_done: int, _total: int) -> None:
    """Say nothing."""
