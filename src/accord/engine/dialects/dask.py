"""Dask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw

from accord.engine.dialects.dialect import Dialect, Frame


class Dask(Dialect):
    """Its tables arrive as pandas frames, in which missing cells are NaN; it sorts and joins slowly."""

    cuts_groups = False
    joins_and_sorts = False

    def upload(self, _frame: Frame, columns: Mapping[str, Sequence[Any]]) -> Frame:
        """As one partition."""
        import dask.dataframe as dd
        import pandas as pd

        small = dd.from_pandas(pd.DataFrame(dict(columns)), npartitions=1)  # type: ignore[no-untyped-call]
        uploaded: Frame = nw.from_native(small)
        return uploaded

    def collect(self, frame: Frame) -> nw.DataFrame[Any]:
        """As pandas."""
        return frame.collect()

    def cells(self, column: nw.Series[Any]) -> list[Any]:
        """With None for NaN."""
        return [None if null else cell for cell, null in zip(column.to_list(), column.is_null().to_list(), strict=True)]
