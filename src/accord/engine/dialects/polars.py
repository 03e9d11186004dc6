"""Polars lazy frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt

from accord.annotations.in_threads import BATCH
from accord.engine.dialects.dialect import Cells, Dialect, Frame, Prints

MANY_TEXTS = 100_000  # different ones among the first million rows
KEY, PLACE = "key_", "place_"


class Polars(Dialect):
    """It streams, hashes text quickly, and knows types that narwhals does not."""

    gives_batches = True

    def holds_nothing(self, frame: Frame, name: str) -> bool:
        """Only a column of the type Null."""
        return str(frame.select(name).to_native().collect_schema()[name]) == "Null"

    def with_digest(self, frame: Frame, name: str) -> Frame:
        """By two hashes in one integer."""
        digested: Frame = nw.from_native(frame.to_native().with_columns(_digest(name).alias(name)))
        return digested

    def counted_texts(self, frame: Frame, name: str) -> list[tuple[Any, ...]] | None:
        """By digest where they are many, and then a name for each: a group-by of text holds every piece it has read.

        A text in a group points into what was read with it, all of which stays in memory until the last group is made:
        of a million names of 64 letters that takes gigabytes.
        """
        import polars as pl

        rows = frame.to_native().select(pl.col(name))
        if rows.head(BATCH).select(pl.col(name).n_unique()).collect().item() < MANY_TEXTS:
            return None
        digests = rows.select(_digest(name).alias(KEY)).group_by(KEY).agg(pl.len().alias("number_"))
        counted = digests.collect(engine="streaming").with_row_index(PLACE)
        texts = np.full(len(counted), None, dtype=object)
        found = np.zeros(len(counted), dtype=np.bool_)
        named = rows.with_columns(_digest(name).alias(KEY)).join(counted.lazy().select(KEY, PLACE), on=KEY)
        for piece in self._pieces(named.select(PLACE, name)):
            place = piece.get_column(PLACE).to_numpy()
            new, first = np.unique(np.where(found[place], -1, place.astype(np.int64)), return_index=True)
            if len(new) and new[0] < 0:
                new, first = new[1:], first[1:]
            texts[new] = piece.get_column(name).gather(first).to_list()
            found[new] = True
        return list(zip(texts.tolist(), counted.get_column("number_").to_list(), strict=True))

    def _pieces(self, rows: Any) -> Iterator[Any]:
        """What a lazy frame gives, some rows at a time and in any order; before 1.34 all at once."""
        if not hasattr(rows, "collect_batches"):
            yield rows.collect(engine="streaming")
            return
        yield from rows.collect_batches(chunk_size=BATCH, maintain_order=False, engine="streaming")

    def prints(self, frame: Frame, names: Sequence[str], bounds: tuple[int, int] | None) -> Iterator[Prints]:
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
        for piece in self._pieces(chosen):
            yield np.asarray(piece.get_column("print_f").to_numpy(), dtype=np.uint64)

    def upload(self, _frame: Frame, columns: Mapping[str, Cells]) -> Frame:
        """There is no connection."""
        return nw.from_dict(dict(columns), backend="polars").lazy()

    def collect(self, frame: Frame) -> nw.DataFrame[Any]:
        """In pieces."""
        return frame.collect("polars", engine="streaming")

    def batches(self, frame: Frame, names: Sequence[str]) -> Iterator[tuple[npt.NDArray[Any], ...]]:
        """In pieces, where it can."""
        for piece in self._pieces(frame.to_native()):
            yield tuple(piece.get_column(name).to_numpy() for name in names)

    def write_parquet(self, frame: Frame, path: Path) -> None:
        """In pieces."""
        frame.to_native().sink_parquet(path)

    def write_csv(self, frame: Frame, path: Path) -> None:
        """In pieces."""
        frame.to_native().sink_csv(path)


def _digest(name: str) -> Any:
    """An expression: a number of 126 bits for a text."""
    import polars as pl

    column = pl.col(name)
    return column.hash(1).cast(pl.Int128) * (1 << 62) + column.hash(2).cast(pl.Int128)
