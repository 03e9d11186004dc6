"""Polars lazy frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt

from accord.annotations.in_threads import BATCH
from accord.engine.dialects.dialect import Dialect, Frame, Prints


class Polars(Dialect):
    """It streams, hashes text quickly, and knows types that narwhals does not."""

    gives_batches = True

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

    def prints(self, frame: Frame, names: Sequence[str], bounds: tuple[int, int] | None) -> Prints:
        """By a hash of each column, with a seed of its own."""
        import polars as pl

        first, *others = (pl.col(name).hash(seed) for seed, name in enumerate(names, start=1))
        together = first
        for other in others:
            together = together ^ other
        chosen = frame.to_native().select(together.alias("print_f"))
        if bounds is not None:
            low, high = (pl.lit(bound, pl.UInt64) for bound in bounds)
            chosen = chosen.filter(pl.col("print_f").is_between(low, high))
        column = chosen.collect(engine="streaming").get_column("print_f")
        return np.asarray(column.to_numpy(), dtype=np.uint64)

    def upload(self, _frame: Frame, columns: Mapping[str, Sequence[Any]]) -> Frame:
        """There is no connection."""
        return nw.from_dict(dict(columns), backend="polars").lazy()

    def collect(self, frame: Frame) -> nw.DataFrame[Any]:
        """In pieces."""
        return frame.collect("polars", engine="streaming")

    def batches(self, frame: Frame, names: Sequence[str]) -> Iterator[tuple[npt.NDArray[Any], ...]]:
        """In pieces, where it can; before 1.34 all at once."""
        native = frame.to_native()
        if not hasattr(native, "collect_batches"):
            yield from super().batches(frame, names)
            return
        for piece in native.collect_batches(chunk_size=BATCH, maintain_order=False, engine="streaming"):
            yield tuple(piece.get_column(name).to_numpy() for name in names)

    def write_parquet(self, frame: Frame, path: Path) -> None:
        """In pieces."""
        frame.to_native().sink_parquet(path)

    def write_csv(self, frame: Frame, path: Path) -> None:
        """In pieces."""
        frame.to_native().sink_csv(path)
