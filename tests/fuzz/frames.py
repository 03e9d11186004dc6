"""The same cells as columns of every type that dataframe libraries have: each must give the same study."""

from __future__ import annotations

import decimal
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

import accord
from tests.fuzz.campaign import Campaign, Case, Differs
from tests.fuzz.same_study import compare, measured

Cells = list[Any]
WORDS = ["yes", "no", "maybe", "é", "e\u0301", "7", "long " * 20]
WHOLE = [0, 1, 2, 5, 100, -3]


def _as_text(cells: Cells) -> Cells:
    return [None if cell is None else str(cell) for cell in cells]


def _decimals(cells: Cells) -> Cells:
    return [None if cell is None else decimal.Decimal(cell) for cell in cells]


# By what the cells are: a column of a library from a list of cells.
OF_TEXT: dict[str, Callable[[Cells], Any]] = {
    "pandas object": lambda cells: pd.Series(cells, dtype=object),
    "pandas string": lambda cells: pd.Series(cells, dtype="string"),
    "pandas string pyarrow": lambda cells: pd.Series(cells, dtype="string[pyarrow]"),
    "pandas category": lambda cells: pd.Series(cells, dtype="category").cat.as_unordered(),
    "pandas arrow": lambda cells: pd.Series(cells, dtype=pd.ArrowDtype(pa.string())),
    "pandas large arrow": lambda cells: pd.Series(cells, dtype=pd.ArrowDtype(pa.large_string())),
    "polars string": lambda cells: pl.Series(cells, dtype=pl.String),
    "polars categorical": lambda cells: pl.Series(cells, dtype=pl.Categorical),
    "polars object": lambda cells: pl.Series(cells, dtype=pl.Object),
    "arrow string": lambda cells: pa.chunked_array([pa.array(cells, pa.string())]),
    "arrow large string": lambda cells: pa.chunked_array([pa.array(cells, pa.large_string())]),
    "arrow view": lambda cells: pa.chunked_array([pa.array(cells, pa.string_view())]),
    "arrow dictionary": lambda cells: pa.chunked_array([pa.array(cells, pa.string()).dictionary_encode()]),
    "arrow two chunks": lambda cells: pa.chunked_array(
        [pa.array(cells[:2], pa.string()).dictionary_encode(), pa.array(cells[2:], pa.string()).dictionary_encode()]
    ),
}
OF_WHOLE: dict[str, Callable[[Cells], Any]] = {
    "pandas object": lambda cells: pd.Series(cells, dtype=object),
    "pandas Int64": lambda cells: pd.Series(cells, dtype="Int64"),
    "pandas Int8": lambda cells: pd.Series(cells, dtype="Int8"),
    "pandas float": lambda cells: pd.Series(cells, dtype="float64"),
    "pandas Float32": lambda cells: pd.Series(cells, dtype="Float32"),
    "pandas arrow": lambda cells: pd.Series(cells, dtype=pd.ArrowDtype(pa.int16())),
    **{
        f"polars {kind}": lambda cells, kind=kind: pl.Series(cells, dtype=getattr(pl, kind))  # type: ignore[misc]
        for kind in ("Int8", "Int16", "Int32", "Int64", "Int128", "Float32", "Float64")
    },
    "polars Decimal": lambda cells: pl.Series(_decimals(cells), dtype=pl.Decimal(38, 2)),
    "arrow int8": lambda cells: pa.chunked_array([pa.array(cells, pa.int8())]),
    "arrow int64": lambda cells: pa.chunked_array([pa.array(cells, pa.int64())]),
    "arrow double": lambda cells: pa.chunked_array([pa.array(cells, pa.float64())]),
    "arrow decimal128": lambda cells: pa.chunked_array([pa.array(_decimals(cells), pa.decimal128(38, 4))]),
    "arrow decimal256": lambda cells: pa.chunked_array([pa.array(_decimals(cells), pa.decimal256(60, 4))]),
    "arrow dictionary": lambda cells: pa.chunked_array([pa.array(cells, pa.int64()).dictionary_encode()]),
    "numpy": lambda cells: np.array([np.nan if cell is None else cell for cell in cells], dtype=float),
}
OF_BOOLEANS: dict[str, Callable[[Cells], Any]] = {
    "pandas boolean": lambda cells: pd.Series(cells, dtype="boolean"),
    "pandas object": lambda cells: pd.Series(cells, dtype=object),
    "pandas arrow": lambda cells: pd.Series(cells, dtype=pd.ArrowDtype(pa.bool_())),
    "polars Boolean": lambda cells: pl.Series(cells, dtype=pl.Boolean),
    "arrow bool": lambda cells: pa.chunked_array([pa.array(cells, pa.bool_())]),
}
PASSENGERS: dict[str, pa.DataType] = {  # a further column, which nobody asks for: it must change nothing
    "days": pa.date32(), "days as moments": pa.date64(), "seconds": pa.timestamp("s"),
    "moments": pa.timestamp("us", tz="Asia/Tokyo"), "nanoseconds": pa.timestamp("ns"), "durations": pa.duration("ms"),
    "times": pa.time64("us"),
}  # fmt: skip
FAR = (0, 1, 2_932_897, 2**31 - 1, -(2**31), 253_402_300_800, 253_402_300_800_000_000, 2**63 - 1, -(2**63))
DECLARING = ("pandas category",)  # types that list their labels, used or not
KINDS: dict[str, tuple[Cells, dict[str, Callable[[Cells], Any]]]] = {
    "text": (WORDS, OF_TEXT),
    "whole": (WHOLE, OF_WHOLE),
    "booleans": ([True, False], OF_BOOLEANS),
}


def draw(chance: random.Random) -> Case:
    """Cells, and the type of each column."""
    kind = chance.choice(list(KINDS))
    cells, types = KINDS[kind]
    number, people = chance.choice((1, 3, 8)), chance.randint(1, 3)
    gaps = chance.random() < 0.5
    label = [None if gaps and chance.random() < 0.2 else chance.choice(cells) for _ in range(number * people)]
    item_kind = chance.choice(("text", "whole"))
    return {
        "kind": kind, "label": label, "type": chance.choice(list(types)), "people": people,
        "lazy": chance.random() < 0.3, "item kind": item_kind, "item type": chance.choice(list(KINDS[item_kind][1])),
        "annotator type": chance.choice(list(OF_TEXT)),
        "library": chance.choice(("pandas", "polars", "arrow", "mapping")),
        "passenger": chance.choice((None, *PASSENGERS)), "far": [chance.choice((*FAR, None)) for _ in label],
    }  # fmt: skip


def attempt(case: Case, _: Path) -> str:
    """The study of the frame is that of plain lists."""
    people, length = case["people"], len(case["label"])
    item = [row // people for row in range(length)]
    plain: dict[str, Cells] = {
        "item": _as_text(item) if case["item kind"] == "text" else item,
        "annotator": [f"p{row % people}" for row in range(length)],
        "label": case["label"],
    }
    typed = {
        "item": KINDS[case["item kind"]][1][case["item type"]](plain["item"]),
        "annotator": OF_TEXT[case["annotator type"]](plain["annotator"]),
        "label": KINDS[case["kind"]][1][case["type"]](plain["label"]),
    }
    first = accord.Study(plain)
    study = accord.Study(_with_passenger(_framed(typed, case["library"], lazy=case["lazy"]), case))
    if case["lazy"] and case["library"] == "polars":
        if measured(study) != measured(accord.Study(pl.DataFrame(plain, strict=False).lazy())):
            raise Differs(f"lazily, {case['type']}")
        return "study"
    declared = case["type"] not in DECLARING or case["kind"] != "text"
    compare(first, study, f"{case['library']}, {case['type']}", declared=declared)
    return "study"


def _framed(columns: dict[str, Any], library: str, *, lazy: bool) -> Any:
    """As a frame of a library, of columns of any."""
    if library == "mapping":
        return columns
    lists = {name: (column, _cells(column)) for name, column in columns.items()}
    if library == "pandas":
        return pd.DataFrame(
            {name: col if isinstance(col, pd.Series) else pd.Series(cells) for name, (col, cells) in lists.items()}
        )
    if library == "polars":
        frame = pl.DataFrame([
            col.alias(name) if isinstance(col, pl.Series) else pl.Series(name, cells, strict=False)
            for name, (col, cells) in lists.items()
        ])  # fmt: skip
        return frame.lazy() if lazy else frame
    return pa.table(
        {name: col if isinstance(col, pa.ChunkedArray) else pa.array(cells) for name, (col, cells) in lists.items()}
    )


def _with_passenger(frame: Any, case: Case) -> Any:
    """With a column of dates or times of any age."""
    kind = PASSENGERS.get(case.get("passenger") or "")
    if kind is None:
        return frame
    most = 2 ** (kind.bit_width - 1) - 1
    numbers = [None if n is None else max(min(n, most), -most - 1) for n in case["far"]]
    if kind == pa.time64("us"):
        numbers = [None if n is None else n % 86_400_000_000 for n in numbers]  # of a day
    column = pa.array(numbers, pa.int64() if kind.bit_width == 64 else pa.int32()).cast(kind, safe=False)
    if isinstance(frame, pd.DataFrame):
        return frame.assign(when=pd.Series(column, dtype=pd.ArrowDtype(column.type)))
    if isinstance(frame, pl.DataFrame | pl.LazyFrame):
        return frame.with_columns(pl.Series("when", column))
    if isinstance(frame, pa.Table):
        return frame.append_column("when", column)
    return {**frame, "when": pa.chunked_array([column])}


def _cells(column: Any) -> Cells:
    """The cells as plain values, None where one is missing."""
    cells = (
        column.to_pylist()
        if isinstance(column, pa.ChunkedArray)
        else column.tolist()
        if isinstance(column, np.ndarray)
        else list(column)
    )
    return [None if cell is pd.NA or (isinstance(cell, float) and cell != cell) else cell for cell in cells]


CAMPAIGN = Campaign("frames", draw, attempt)
