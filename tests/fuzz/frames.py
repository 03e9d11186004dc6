"""The same cells as columns of every type that dataframe libraries have: each must give the same study."""

from __future__ import annotations

import decimal
import pickle
import random
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
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


class Word(str):
    """Text that shows itself as something else, as members of an enumeration do."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"Word.{super().__str__()}"


def _named(cells: Cells, kind: Callable[[Any], Any], nothing: Any) -> Cells:
    """Cells of a type of somebody's own, and one of the names of nothing."""
    return [nothing if cell is None else kind(cell) for cell in cells]


# By what the cells are: a column of a library from a list of cells.
OF_TEXT: dict[str, Callable[[Cells], Any]] = {
    "pandas object": lambda cells: pd.Series(cells, dtype=object),
    "pandas string": lambda cells: pd.Series(cells, dtype="string"),
    "pandas string pyarrow": lambda cells: pd.Series(cells, dtype="string[pyarrow]"),
    "pandas category": lambda cells: pd.Series(cells, dtype="category").cat.as_unordered(),
    "pandas arrow": lambda cells: pd.Series(cells, dtype=pd.ArrowDtype(pa.string())),
    "pandas large arrow": lambda cells: pd.Series(cells, dtype=pd.ArrowDtype(pa.large_string())),
    "pandas object of NA": lambda cells: pd.Series(_named(cells, str, pd.NA), dtype=object),
    "pandas object of words": lambda cells: pd.Series(_named(cells, Word, None), dtype=object),
    "list of words": lambda cells: _named(cells, Word, pd.NaT),
    "list of NumPy's text": lambda cells: _named(cells, np.str_, np.ma.masked),
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
    "pandas object of NA": lambda cells: pd.Series(_named(cells, int, pd.NA), dtype=object),
    "pandas object of decimals": lambda cells: pd.Series(_named(cells, decimal.Decimal, None), dtype=object),
    "list of decimals": lambda cells: _named(cells, decimal.Decimal, pd.NA),
    "list of NumPy's numbers": lambda cells: _named(cells, np.longdouble, np.ma.masked),
    "polars object": lambda cells: pl.Series(cells, dtype=pl.Object),
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
ODD: dict[str, Any] = {  # cells of a further column that are of no type a file has
    "not a decimal": decimal.Decimal("NaN"), "a loud one": decimal.Decimal("sNaN"), "a void": np.void(b"ab"),
    "a long one": decimal.Decimal("1" * 37), "bytes": b"\xff", "a short one": decimal.Decimal("0.12345"),
    "here": datetime(2020, 1, 1), "there": datetime(2020, 1, 1, tzinfo=UTC),  # noqa: DTZ001
    "a complex number": 1 + 2j, "a long double": np.longdouble(1), "NA": pd.NA, "masked": np.ma.masked,
    "a set": {1}, "an id": uuid.UUID(int=1), "nanoseconds": np.datetime64(1, "ns"),
    "an array of nothing": np.array(1), "a record": {"a": decimal.Decimal("NaN")}, "a tuple": (1, [2]), "none": None,
    "five thousand digits": 10**5000, "beyond a float": 10**400, "a span of time": np.timedelta64(1, "D"),
}  # fmt: skip
WRITTEN = (".csv", ".jsonl", ".parquet")
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
        "odd": [chance.choice(list(ODD)) for _ in range(2)] if chance.random() < 0.4 else None,
        "write": chance.choice((None, *WRITTEN)),
    }  # fmt: skip


def attempt(case: Case, folder: Path) -> str:
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
    if case.get("odd") is None or case["library"] == "mapping":
        compare(study, pickle.loads(pickle.dumps(study)), "in another process")  # noqa: S301 - our own
    told_apart = case["kind"] == "whole" or set(case["label"]) - {"7", None}  # in a file 7 alone is a number
    if case.get("write") is not None and case["kind"] != "booleans" and study.n_annotations and told_apart:
        again = accord.read(study.write(folder / f"long{case['write']}"))
        compare(study, again, f"after {case['write']}", declared=False, typed_items=False)
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
    """With a column of dates or times of any age, or of odd objects."""
    if case.get("odd") is not None and isinstance(frame, pd.DataFrame | dict):
        cells = [ODD[case["odd"][row % 2]] for row in range(len(case["label"]))]
        return {**frame, "odd": cells} if isinstance(frame, dict) else frame.assign(odd=pd.Series(cells, dtype=object))
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
    nothing = (pd.NA, pd.NaT, np.ma.masked)
    plain = [cell.item() if isinstance(cell, np.number) else cell for cell in cells]  # which not every library takes
    plain = [float(cell) if isinstance(cell, np.longdouble) else cell for cell in plain]
    gaps = [any(cell is none for none in nothing) or (isinstance(cell, float) and cell != cell) for cell in plain]
    return [None if gap else cell for gap, cell in zip(gaps, plain, strict=True)]


CAMPAIGN = Campaign("frames", draw, attempt)
