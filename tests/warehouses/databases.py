"""Real databases with a table of annotations in them, behind one small protocol: put rows in, ask a query."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from accord.warehouses.sql_dialects import DIALECTS


class Database(Protocol):
    """A database of a dialect."""

    dialect: str

    def ask(self, sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """The names of the columns, and the rows."""

    def fill(self, table: str, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
        """A table of texts."""


class Connected:
    """A database that Python's common interface for databases reaches."""

    def __init__(self, dialect: str, connection: Any, mark: str = "?") -> None:
        self.dialect, self.connection, self._mark = dialect, connection, mark

    def ask(self, sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """The names of the columns, and the rows."""
        cursor = self.connection.cursor()
        cursor.execute(sql)
        return [column[0] for column in cursor.description], list(cursor.fetchall())

    def fill(self, table: str, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
        """A table of texts."""
        spoken = DIALECTS[self.dialect]
        names = [spoken.identifier(column) for column in columns]
        cursor = self.connection.cursor()
        cursor.execute(f"CREATE TABLE {spoken.table(table)} ({', '.join(f'{name} TEXT' for name in names)})")
        if rows:
            cursor.executemany(
                f"INSERT INTO {spoken.table(table)} VALUES ({', '.join([self._mark] * len(names))})", rows
            )
        self.connection.commit()

    def close(self) -> None:
        """End it."""
        self.connection.close()


def sqlite(path: Path | str = ":memory:") -> Connected:
    """SQLite, which Python brings."""
    return Connected("sqlite", sqlite3.connect(path))


def duckdb(path: Path | str = ":memory:") -> Connected:
    """DuckDB."""
    import duckdb as engine

    return Connected("duckdb", engine.connect(str(path)))
