"""The table in memory that annotations were read from: what may be asked of it later, column by column."""

from __future__ import annotations

from typing import Any, Protocol

from accord.annotations.factorize import Coded


class SourceTable(Protocol):
    """A table with named columns."""

    columns: list[str]

    def __len__(self) -> int: ...

    def need(self, role: str, name: object) -> str:
        """The column that plays a role, or an error with the nearest name."""

    def code(self, name: str, *, what: str = "label") -> Coded:
        """A column as codes."""

    def cells(self, name: str) -> list[Any]:
        """A column as Python objects."""

    def cell(self, name: str, row: int) -> Any:
        """One cell as a Python object."""

    def lists(self, name: str) -> bool:
        """Does a column hold lists?"""
