"""Polars lazy frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt

from accord.annotations.in_threads import BATCH
from accord.engine.dialects.dialect import Cells, Dialect, Frame, Prints, Signs, Trouble

MANY_TEXTS = 20_000  # different ones among the first million rows
TOGETHER = 4  # pieces in which texts are counted together
KEY, PLACE = "key_", "place_"


class Polars(Dialect):
    """It streams, hashes text quickly, and knows types that narwhals does not."""

    signs: ClassVar[Signs] = {
        Trouble.FILE: ("out of specification", "PanicException", "SnappyError", "InvalidThrift", "protocol error")
    }
    gives_batches = True

    def holds_nothing(self, frame: Frame, name: str) -> bool:
        """Only a column of the type Null."""
        return str(frame.select(name).to_native().collect_schema()[name]) == "Null"

    def with_digest(self, frame: Frame, name: str) -> Frame:
        """By two hashes in one integer."""
        digested: Frame = nw.from_native(frame.to_native().with_columns(_digest(name).alias(name)))
        return digested

    def counted_texts(self, frame: Frame, name: str) -> list[tuple[Any, ...]] | None:
        """By digest and some rows at a time where they are many: a group-by of them holds as much as it has read.

        A streaming group-by of keys that come back seldom keeps a row each time, and a text points into all that was
        read with it: of 150 million rows of 1.3 million names of 64 letters that takes 3.7 GB.
        """
        import polars as pl

        rows = frame.to_native().select(pl.col(name))
        if rows.head(BATCH).select(pl.col(name).n_unique()).collect().item() < MANY_TEXTS:
            return None
        texts: list[Any] = []
        known = pl.DataFrame(schema={KEY: pl.Int128, "number_": pl.UInt64})
        for some in _together(self._pieces(rows.with_columns(_digest(name).alias(KEY)))):
            part = some.with_row_index(PLACE).group_by(KEY).agg(pl.len().cast(pl.UInt64), pl.col(PLACE).first())
            known = known.join(part.select(KEY, "len"), on=KEY, how="left", maintain_order="left")
            known = known.select(KEY, pl.col("number_") + pl.col("len").fill_null(0))
            new = part.join(known, on=KEY, how="anti")
            texts += some.get_column(name).gather(new.get_column(PLACE)).to_list()
            known = pl.concat([known, new.select(KEY, pl.col("len").alias("number_"))])
        return list(zip(texts, known.get_column("number_").to_list(), strict=True))

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


def _together(pieces: Iterator[Any]) -> Iterator[Any]:
    """Some pieces as one, so that what was counted before is looked through less often."""
    import polars as pl

    while some := list(islice(pieces, TOGETHER)):
        yield pl.concat(some)


def _digest(name: str) -> Any:
    """An expression: a number of 126 bits for a text."""
    import polars as pl

    column = pl.col(name)
    return column.hash(1).cast(pl.Int128) * (1 << 62) + column.hash(2).cast(pl.Int128)
