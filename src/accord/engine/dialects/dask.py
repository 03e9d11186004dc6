"""Dask."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from accord.engine.dialects.dialect import Cells, Dialect, Frame
from accord.engine.lookup import Lookup


class Dask(Dialect):
    """Its tables arrive as pandas frames, in which missing cells are NaN; it sorts and joins slowly."""

    cuts_groups = False
    joins_and_sorts = False

    def upload(self, frame: Frame, columns: Mapping[str, Cells]) -> Frame:
        """As one partition, a column in the type that the frame has for it: others would not be joined as they are."""
        import dask.dataframe as dd
        import pandas as pd

        kinds = frame.to_native().dtypes
        table = pd.DataFrame(dict(columns)).astype({name: kinds[name] for name in columns if name in kinds})
        small = dd.from_pandas(table, npartitions=1)  # type: ignore[no-untyped-call]
        uploaded: Frame = nw.from_native(small)
        return uploaded

    def with_products(self, frame: Frame, terms: Mapping[str, Sequence[Lookup]]) -> Frame:
        """A partition at a time: Dask plans longer at a choice within each choice than it takes to look all up."""
        looked_up: Frame = nw.from_native(frame.to_native().map_partitions(_looked_up, dict(terms)))
        return looked_up

    def collect(self, frame: Frame) -> nw.DataFrame[Any]:
        """As pandas."""
        return frame.collect()

    def cells(self, column: nw.Series[Any]) -> list[Any]:
        """With None for NaN."""
        return [None if null else cell for cell, null in zip(column.to_list(), column.is_null().to_list(), strict=True)]


def _looked_up(part: Any, terms: Mapping[str, Sequence[Lookup]]) -> Any:
    """A partition with a column for each term: the product of its look-ups, as whole numbers of 64 bits."""
    return part.assign(**{name: math.prod(_numbers(part, lookup) for lookup in terms[name]) for name in terms})


def _numbers(part: Any, lookup: Lookup) -> Any:
    """What a look-up gives for each row; 0 for what it does not know."""
    import pandas as pd

    known = pd.Index(list(lookup.values), dtype=part[lookup.column].dtype)
    numbers = np.array([*lookup.values.values(), 0], dtype=np.int64)
    return numbers[known.get_indexer(part[lookup.column])]
