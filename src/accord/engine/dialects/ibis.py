"""Ibis, in front of any of its engines."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

import narwhals.stable.v2 as nw

from accord.engine.dialects.dialect import Cells, Dialect, Frame, Signs, Trouble, arrow_table


class Ibis(Dialect):
    """It takes tables from memory and writes by its engine, whose drivers of databases have errors of their own."""

    signs: ClassVar[Signs] = {
        Trouble.CONNECTION: (
            "OperationalError", "InterfaceError", "AdminShutdown", "connection is closed", "connection already closed",
            "server closed the connection", "Connection reset", "Broken pipe",
        ),
        Trouble.FUNCTION: (
            "OperationNotDefinedError", "UnsupportedOperationError", "UnsupportedBackendType", "UndefinedFunction",
        ),
        Trouble.TYPE: ("ArrowNotImplementedError", "Invalid UTF8 payload"),
    }  # fmt: skip

    def upload(self, _frame: Frame, columns: Mapping[str, Cells]) -> Frame:
        """As a table in memory."""
        import ibis

        uploaded: Frame = nw.from_native(ibis.memtable(arrow_table(columns)))
        return uploaded

    def write_parquet(self, frame: Frame, path: Path) -> None:
        """A file."""
        frame.to_native().to_parquet(path)

    def write_csv(self, frame: Frame, path: Path) -> None:
        """A file."""
        frame.to_native().to_csv(path)
