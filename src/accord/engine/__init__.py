"""The only package that imports narwhals: dataframes of any engine, as codes (`frames`) or as sums (`scan`).

pandas, Polars, PyArrow in memory; Polars lazy, DuckDB, Spark, Dask and Ibis where the rows stay in their engine.
"""

from accord.engine.frames import (
    Categories,
    Columns,
    Frame,
    column_cells,
    index_of,
    is_frame,
    is_series,
    refuse_empty,
    series_categories,
)
from accord.engine.lookup import Lookup
from accord.engine.scan import Scan

__all__ = [
    "Categories",
    "Columns",
    "Frame",
    "Lookup",
    "Scan",
    "column_cells",
    "index_of",
    "is_frame",
    "is_series",
    "refuse_empty",
    "series_categories",
]
