"""The file of the log: its layout, how it is opened, and what is said where it cannot be."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from accord.errors import FileError, InputError, MayBeNames, remedy

APPLICATION = 0x61636364  # "accd": what the file says it is
VERSION = 1  # of its layout
BUSY = 5.0  # seconds to wait for a tool that reads the file

TABLE = """
CREATE TABLE decisions (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,
    by TEXT NOT NULL,
    item TEXT,
    act TEXT NOT NULL,
    "before" TEXT,
    "after" TEXT,
    reason TEXT NOT NULL,
    comment TEXT NOT NULL,
    unclear INTEGER NOT NULL,
    seconds REAL,
    rule TEXT NOT NULL,
    second_look INTEGER NOT NULL,
    undoes INTEGER REFERENCES decisions (number),
    study_version TEXT NOT NULL,
    guideline_version TEXT NOT NULL
);
CREATE INDEX decisions_by_item ON decisions (item, number);
CREATE INDEX decisions_undone ON decisions (undoes) WHERE undoes IS NOT NULL;
CREATE INDEX decisions_of_person ON decisions (by, number) WHERE rule = '';
CREATE INDEX decisions_of_people ON decisions (act, number) WHERE rule = '';
CREATE TRIGGER decisions_stay BEFORE UPDATE ON decisions
BEGIN SELECT RAISE(ABORT, 'decisions are never changed: a changed mind is a new row'); END;
CREATE TRIGGER decisions_are_kept BEFORE DELETE ON decisions
BEGIN SELECT RAISE(ABORT, 'decisions are never deleted: an undo is a new row'); END;
"""


def opened_to_write(path: Path) -> sqlite3.Connection:
    """A connection that writes; a file without anything in it becomes a log, be it that a kill left it so."""
    connection = _connected(path, "rwc")
    with _closed_unless_fine(path, connection):
        if _is_empty(connection):
            _begin(connection)
        _check(path, connection)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")  # where a flush means less than that: macOS
    return connection


def opened_to_read(path: Path, *, check: bool) -> sqlite3.Connection:
    """A connection that reads a file, which is looked at first unless another connection has done so."""
    connection = _connected(path, "ro")
    with _closed_unless_fine(path, connection):
        if check:
            _check(path, connection)
    return connection


@contextmanager
def _closed_unless_fine(path: Path, connection: sqlite3.Connection) -> Iterator[None]:
    """What looks at a file before anybody has it; where something is wrong, nothing stays open."""
    try:
        yield
    except sqlite3.Error as problem:
        connection.close()
        raise unreadable(path, problem) from None
    except BaseException:
        connection.close()
        raise


def _connected(path: Path, mode: str) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?mode={mode}"
    try:
        return sqlite3.connect(address, uri=True, timeout=BUSY, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as problem:
        raise unreadable(path, problem) from None


def _is_empty(connection: sqlite3.Connection) -> bool:
    """Is there nothing in the file: no table, and no word of what it is?"""
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return not tables and not connection.execute("PRAGMA application_id").fetchone()[0]


def _begin(connection: sqlite3.Connection) -> None:
    """An empty log, whole or not at all."""
    connection.executescript(
        f"BEGIN; PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}; {TABLE} COMMIT;"
    )


def _check(path: Path, connection: sqlite3.Connection) -> None:
    """Is it a log, of a layout that is known, and undamaged?"""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION:
        raise FileError(
            path.name,
            "It is an SQLite file, but holds no decisions of accord. It stays as it is; name another: ",
            remedy(decisions=...),
            ".",
        )
    if version > VERSION:
        raise FileError(
            path.name,
            f"A newer accord wrote it (layout {version:d}; this one knows {VERSION}). It stays as it is: install the "
            "newer one, or name another file: ",
            remedy(decisions=...),
            ".",
        )
    found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise _damaged(path, str(found))


def _damaged(path: Path, what: str) -> FileError:
    return FileError(
        path.name,
        "It is damaged (",
        MayBeNames(" ".join(what.split())),
        ") and stays as it is. Copy it, recover what can be read with `sqlite3 ",
        MayBeNames(path.name),
        " .recover`, or begin another: ",
        remedy(decisions=...),
        ".",
    )


def unreadable(path: Path, problem: sqlite3.Error) -> FileError:
    """What SQLite says of a file that cannot be read, in words."""
    code = getattr(problem, "sqlite_errorname", "")
    if code.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return _damaged(path, str(problem))
    return FileError(
        path.name,
        "SQLite cannot open it: ",
        MayBeNames(str(problem)),
        ". Mend that, or name another file: ",
        remedy(decisions=...),
        ".",
    )


def not_written(path: Path, problem: sqlite3.Error) -> InputError:
    """What it says of a row that cannot be kept."""
    code = getattr(problem, "sqlite_errorname", "")
    if code.startswith(("SQLITE_FULL", "SQLITE_IOERR")):
        return FileError(
            path.name,
            "The decision was not kept: ",
            MayBeNames(str(problem)),
            ". What was kept before is safe. Make room on the disk, then decide again.",
        )
    if code.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return _damaged(path, str(problem))
    return FileError(
        path.name, "The decision was not kept: ", MayBeNames(str(problem)), ". Mend that, then decide again."
    )
