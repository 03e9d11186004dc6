"""Polars lazy frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw

from accord.engine.dialects.dialect import Dialect, Frame


class Polars(Dialect):
    """It streams, hashes text quickly, and knows types that narwhals does not."""

    def holds_nothing(self, frame: Frame, name: str) -> bool:
        """Only a column of the type Null."""
        return str(frame.select(name).to_native().collect_schema()[name]) == "Null"

    def with_digest(self, frame: Frame, name: str) -> Frame:
        """By two hashes in one integer."""
        import polars as pl

        if not hasattr(pl, "Int128"):  # before 1.18
            return frame
        column = pl.col(name)
        digest = column.hash(1).cast(pl.Int128) * (1 << 62) + column.hash(2).cast(pl.Int128)
        digested: Frame = nw.from_native(frame.to_native().with_columns(digest.alias(name)))
        return digested

    def upload(self, _frame: Frame, columns: Mapping[str, Sequence[Any]]) -> Frame:
        """There is no connection."""
        return nw.from_dict(dict(columns), backend="polars").lazy()

    def collect(self, frame: Frame) -> nw.DataFrame[Any]:
        """In pieces."""
        return frame.collect("polars", engine="streaming")

    def write_parquet(self, frame: Frame, path: Path) -> None:
        """In pieces."""
        frame.to_native().sink_parquet(path)

    def write_csv(self, frame: Frame, path: Path) -> None:
        """In pieces."""
        frame.to_native().sink_csv(path)
