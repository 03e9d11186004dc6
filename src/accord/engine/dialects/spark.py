"""Spark, and what speaks like it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import ClassVar

import narwhals.stable.v2 as nw
import numpy as np

from accord.engine.dialects.dialect import Cells, Dialect, Frame, Signs, Trouble, arrow_table


class Spark(Dialect):
    """It shuffles tables between machines unless told not to, and writes folders of parts."""

    signs: ClassVar[Signs] = {Trouble.OVERFLOW: ("ArithmeticException", "ARITHMETIC_OVERFLOW")}

    def upload(self, frame: Frame, columns: Mapping[str, Cells]) -> Frame:
        """In the same session."""
        session = frame.to_native().sparkSession
        if session.version < "4":
            cells = (np.asarray(column, dtype=object).tolist() for column in columns.values())
            small = session.createDataFrame(list(zip(*cells, strict=True)), list(columns))
        else:  # rows would pass through processes of Python on the machines, each time that they are read
            small = session.createDataFrame(arrow_table(columns))
        uploaded: Frame = nw.from_native(small.hint("broadcast"))  # or Spark would shuffle the large table for it
        return uploaded

    @contextmanager
    def kept(self, frame: Frame) -> Iterator[Frame]:
        """In the memory of the machines."""
        native = frame.to_native().persist()
        try:
            yield nw.from_native(native)
        finally:
            with suppress(Exception):  # a session that is gone holds nothing, and what ended it is to be told
                native.unpersist()

    def write_parquet(self, frame: Frame, path: Path) -> None:
        """A folder of parts."""
        frame.to_native().write.parquet(str(path))

    def write_csv(self, frame: Frame, path: Path) -> None:
        """A folder of parts, each with a header."""
        frame.to_native().write.option("header", "true").csv(str(path))
