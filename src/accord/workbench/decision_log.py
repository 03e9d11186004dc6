"""The log of decisions: one append-only table in an SQLite file, which any SQLite tool can read.

A changed mind is a new row, and so is an undo; triggers refuse to change or delete any. A row that `append` returned is
on the disk (write-ahead log, `synchronous=FULL`). Every row has a key that its client made: the same key again is the
same row, so that a retry doubles nothing.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from operator import attrgetter
from pathlib import Path
from threading import Lock
from typing import Any, Literal, NamedTuple, Self, TypeAlias

from accord.engine.whole_file import check_target
from accord.errors import DecisionError, FileError, InputError, at_item, quoted, remedy
from accord.workbench.file_holder import FileHold, Holder, is_still
from accord.workbench.log_file import not_written, opened_to_read, opened_to_write, unreadable

AHEAD = "-wal"  # the ending of the file that SQLite writes rows to first
AT_ONCE = 10_000  # rows read at a time

Act: TypeAlias = Literal[
    "open",  # a server began: `after` says of which study
    "decide",
    "accept",  # by a rule
    "skip",
    "undo",  # of the row `undoes`
    "comment",
    "reasons",  # `after` is the list from now on
    "guideline",  # `after` is its version from now on
]


@dataclass(frozen=True)
class NewRow:
    """What is to be kept, in the order of the table's columns; items and answers are JSON text."""

    key: str
    at: str
    by: str
    item: str | None
    act: Act
    before: str | None = None
    after: str | None = None
    reason: str = ""
    comment: str = ""
    unclear: bool = False
    seconds: float | None = None
    rule: str = ""
    second_look: bool = False
    undoes: int | None = None
    study_version: str = ""
    guideline_version: str = ""

    @property
    def request(self) -> tuple[object, ...]:
        """What a retry must have in common with the first try."""
        return self.by, self.item, self.act, self.after


@dataclass(frozen=True)
class LoggedRow(NewRow):
    """A row that is on the disk."""

    number: int = 0


NEW = tuple(one.name for one in fields(NewRow))
CELLS = attrgetter(*NEW)
QUOTED = [f'"{name}"' for name in NEW]  # before and after are words of SQL
COLUMNS = ", ".join([*QUOTED, "number"])
STANDS = "NOT EXISTS (SELECT 1 FROM decisions AS later WHERE later.undoes = decisions.number)"
PUT = f"INSERT INTO decisions ({', '.join(QUOTED)}) VALUES ({', '.join('?' * len(NEW))})"


class StateOfRow(NamedTuple):
    """The part of a row that the state of items hangs on."""

    number: int
    by: str
    item: str | None
    act: Act
    after: str | None
    rule: str
    second_look: int


MARKS = (
    f'SELECT number, by, item, act, "after", rule, second_look FROM decisions '
    f"WHERE number > ? AND act != 'undo' AND {STANDS} ORDER BY number LIMIT ?"
)


@dataclass(eq=False)
class _Ticket:
    """Rows that wait to be written together, and what came of them."""

    rows: Sequence[NewRow]
    written: list[LoggedRow] = field(default_factory=list)
    problem: Exception | None = None
    done: bool = False


class DecisionLog:
    """The decisions of one study, in a file that one server at a time may write."""

    def __init__(self, path: Path, connection: sqlite3.Connection | None, hold: FileHold | None) -> None:
        self.path = path
        self._connection = connection
        self._hold = hold
        self._writing = Lock()
        self._reading = Lock()
        self._queue_lock = Lock()
        self._waiting: list[_Ticket] = []
        self._files: dict[Path, os.stat_result] = {}  # that rows are written to
        if connection is not None:
            self._files[path] = path.stat()
        self._reader = opened_to_read(path, check=connection is None)  # last: nothing after it can fail

    @classmethod
    def open(cls, path: str | Path, holder: Holder | None = None) -> Self:
        """Open the log to write to it, or begin one.

        Raises:
            FileError: If another process has it, it is no log of decisions, it is damaged, or a newer accord wrote it.
        """
        place = Path(path)
        check_target(place)
        hold = FileHold(place)
        hold.take(holder or Holder.here())
        with ExitStack() as undone:
            undone.callback(hold.give_back)
            connection = opened_to_write(place)
            undone.callback(connection.close)
            log = cls(place, connection, hold)
            undone.pop_all()
        return log

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Open the log to read only, whoever writes to it."""
        place = Path(path)
        if not place.is_file():
            raise FileError(
                place.name, "There is no such file of decisions. Name one that is there: ", remedy(decisions=...), "."
            )
        return cls(place, None, None)

    @property
    def writes(self) -> bool:
        """May rows be appended?"""
        return self._connection is not None

    def announce(self, holder: Holder) -> None:
        """Tell whoever wants the file where it is served."""
        if self._hold is not None:
            self._hold.announce(holder)

    def close(self) -> None:
        """Let the file go; what was appended is on the disk already."""
        with self._writing, self._reading:
            for connection in (self._reader, self._connection):
                with suppress(sqlite3.Error):
                    if connection is not None:
                        connection.close()
        if self._hold is not None:
            self._hold.give_back()

    # -- writing ---------------------------------------------------------------------------------------------------

    def append(self, row: NewRow) -> LoggedRow:
        """Keep a row; it is on the disk when this returns.

        Raises:
            DecisionError: If the key belongs to another decision already.
            InputError: If the disk is full, or the file cannot be written.
        """
        return self.append_all([row])[0]

    def append_all(self, rows: Sequence[NewRow]) -> list[LoggedRow]:
        """Keep several rows, all of them or none.

        Whoever comes to write takes the rows of all who wait along: fifty people at once share a flush of the disk.
        """
        ticket = _Ticket(rows)
        with self._queue_lock:
            self._waiting.append(ticket)
        with self._writing:
            if not ticket.done:
                self._write_waiting()
        if ticket.problem is not None:
            raise ticket.problem
        return ticket.written

    def _write_waiting(self) -> None:
        with self._queue_lock:
            tickets, self._waiting = self._waiting, []
        try:
            with self._written() as connection:
                for ticket in tickets:
                    _put(connection, ticket)
        except InputError as problem:
            for ticket in tickets:
                ticket.written, ticket.problem = [], problem
        for ticket in tickets:
            ticket.done = True

    def append_many(self, rows: Sequence[NewRow]) -> range:
        """Keep many rows with new keys, all of them or none; the numbers that they have then.

        Raises:
            InputError: If they cannot be kept, or a key is there already.
        """
        with self._writing, self._written() as connection:
            first = connection.execute("SELECT coalesce(max(number), 0) + 1 FROM decisions").fetchone()[0]
            connection.executemany(PUT, map(CELLS, rows))
        return range(first, first + len(rows))

    @contextmanager
    def _written(self) -> Iterator[sqlite3.Connection]:
        """What is done within is on the disk after it, or nothing of it is."""
        connection = self._connection
        if connection is None or self._hold is None:
            raise RuntimeError("this log was opened to be read")
        self._check_place(self._hold)
        try:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")
        except BaseException as problem:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            if isinstance(problem, sqlite3.Error):
                raise not_written(self.path, problem) from None
            raise
        ahead = self.path.with_name(self.path.name + AHEAD)
        if ahead not in self._files:  # it is there from the first row on
            with suppress(OSError):
                self._files[ahead] = ahead.stat()

    def _check_place(self, hold: FileHold) -> None:
        """Will the next one who opens the file find what is written now? SQLite writes on to files that are deleted."""
        for file, ours in self._files.items():
            if not is_still(file, ours):
                raise FileError(
                    file.name,
                    "The decision was not kept: this file was moved, deleted or replaced while the server has it open. "
                    "Put it back where it was, or end the server and begin again.",
                )
        hold.keep()

    # -- reading ---------------------------------------------------------------------------------------------------

    def by_key(self, key: str) -> LoggedRow | None:
        """The row that a key belongs to."""
        return next(iter(self._rows("WHERE key = ?", [key])), None)

    def by_number(self, number: int) -> LoggedRow | None:
        """A row by its number."""
        return next(iter(self._rows("WHERE number = ?", [number])), None)

    def of_item(self, item: str) -> list[LoggedRow]:
        """Everything that was done to an item, first to last."""
        return self._rows("WHERE item = ? ORDER BY number", [item])

    def last_number(self) -> int:
        """The number of the last row; 0 where there is none."""
        with self._reading, self._errors_in_words():
            return int(self._reader.execute("SELECT coalesce(max(number), 0) FROM decisions").fetchone()[0])

    def after(self, number: int = 0) -> Iterator[LoggedRow]:
        """The rows after a number, in order, some at a time."""
        rows = self._rows("WHERE number > ? ORDER BY number LIMIT ?", [number, AT_ONCE])
        while rows:
            yield from rows
            rows = self._rows("WHERE number > ? ORDER BY number LIMIT ?", [rows[-1].number, AT_ONCE])

    def standing(self, *acts: Act) -> Iterator[LoggedRow]:
        """The rows of some acts that were not taken back, in order."""
        marks = ", ".join("?" * len(acts))
        where = f"WHERE number > ? AND act IN ({marks}) AND {STANDS} ORDER BY number LIMIT ?"
        rows = self._rows(where, [0, *acts, AT_ONCE])
        while rows:
            yield from rows
            rows = self._rows(where, [rows[-1].number, *acts, AT_ONCE])

    def of_people(self, *acts: Act) -> list[LoggedRow]:
        """The rows of some acts that people did and did not take back, in order; those of rules are not looked at."""
        marks = ", ".join("?" * len(acts))
        found = self._rows(f"WHERE rule = '' AND act IN ({marks}) AND {STANDS}", acts)
        return sorted(found, key=lambda row: row.number)

    def unclear(self) -> list[LoggedRow]:
        """The rows at which somebody found the guideline unclear, and that were not taken back; the latest first."""
        found = self._rows(f"WHERE rule = '' AND act IN ('decide', 'comment', 'skip') AND unclear AND {STANDS}", ())
        return sorted(found, key=lambda row: -row.number)

    def marks(self) -> Iterator[StateOfRow]:
        """What stands of every row, in order: all that the state of items hangs on, and quick to read."""
        last = 0
        while True:
            with self._reading, self._errors_in_words():
                found = self._reader.execute(MARKS, [last, AT_ONCE]).fetchall()
            if not found:
                return
            yield from (StateOfRow(*cells) for cells in found)
            last = found[-1][0]

    def last_undoable(self, name: str) -> LoggedRow | None:
        """Somebody's last decision, skip or comment that was not taken back."""
        found = self._rows(
            f"WHERE by = ? AND rule = '' AND act IN ('decide', 'skip', 'comment') AND {STANDS} "
            "ORDER BY number DESC LIMIT 1",
            [name],
        )
        return next(iter(found), None)

    def _rows(self, where: str, values: Sequence[Any]) -> list[LoggedRow]:
        with self._reading, self._errors_in_words():
            return _selected(self._reader, where, values)

    @contextmanager
    def _errors_in_words(self) -> Iterator[None]:
        """What SQLite says of a file that cannot be read, in words."""
        try:
            yield
        except sqlite3.Error as problem:
            raise unreadable(self.path, problem) from None


def _put(connection: sqlite3.Connection, ticket: _Ticket) -> None:
    """Write the rows of one ticket; where a key is another's, none of them."""
    connection.execute("SAVEPOINT ticket")
    try:
        ticket.written = [_put_row(connection, row) for row in ticket.rows]
    except (DecisionError, UnicodeError, OverflowError) as problem:  # its own fault: the others' rows are kept
        ticket.problem = problem
        connection.execute("ROLLBACK TO ticket")
    connection.execute("RELEASE ticket")


def _put_row(connection: sqlite3.Connection, row: NewRow) -> LoggedRow:
    cells = CELLS(row)
    try:
        number = connection.execute(PUT, cells).lastrowid
    except sqlite3.IntegrityError:
        there = _selected(connection, "WHERE key = ?", [row.key])
        if not there:
            raise
        if there[0].request != row.request:
            raise DecisionError(
                "The key ",
                quoted(row.key),
                " belongs to another decision, of item ",
                at_item(there[0].item),
                ". Make a new key for every decision.",
            ) from None
        return there[0]
    assert number is not None
    return _row([*cells, number])


def _selected(connection: sqlite3.Connection, where: str, values: Sequence[Any]) -> list[LoggedRow]:
    return [_row(cells) for cells in connection.execute(f"SELECT {COLUMNS} FROM decisions {where}", values)]


def now() -> str:
    """The time, as rows have it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _row(cells: Sequence[Any]) -> LoggedRow:
    values = dict(zip((*NEW, "number"), cells, strict=True))
    values["unclear"], values["second_look"] = bool(values["unclear"]), bool(values["second_look"])
    return LoggedRow(**values)
