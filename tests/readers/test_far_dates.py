"""Dates that Python does not have, in files, frames and engines: text, and never the end of a table around them."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import accord
from accord import Study
from accord.errors import InputError
from tests.command.running import run

FAR = 2_932_896 + 6  # days: the sixth of January 10000
MICROSECONDS = 86_400_000_000
TABLE: dict[str, Any] = {"item": [1, 1, 2, 2], "annotator": ["Quentin", "Zebedee"] * 2, "label": ["x", "y", "x", "x"]}
COLUMNS = {
    "days": pa.array([FAR, 1, None, 3], pa.date32()),
    "the last and the first day": pa.array([2**31 - 1, -(2**31), None, 3], pa.date32()),
    "moments": pa.array([FAR * MICROSECONDS, 1, None, 3], pa.timestamp("us")),
    "moments of milliseconds": pa.array([2**62, -(2**62), None, 3], pa.timestamp("ms")),
    "the lowest integer": pa.array([-(2**63), 1, None, 3], pa.timestamp("us")),
    "moments of a zone": pa.array([(FAR - 6) * MICROSECONDS, 1, None, 3], pa.timestamp("us", tz="Pacific/Auckland")),
    "durations": pa.array([2**62, 1, None, -(2**62)], pa.duration("ms")),
    "categories": pa.array([FAR, FAR, None, 3], pa.date32()).dictionary_encode(),
    "days in milliseconds": pa.array([FAR * 86_400_000, 2**63 - 1, None, 3]).cast(pa.date64(), safe=False),
}
NESTED = {
    "lists": pa.array([[FAR], [1], None, []], pa.list_(pa.date32())),
    "arrays": pa.array([[FAR], [1], None, [2]], pa.list_(pa.date32(), 1)),
    "records": pa.array([{"at": FAR}, {"at": 1}, None, {"at": None}], pa.struct([("at", pa.date32())])),
    "lists of records": pa.array([[{"at": FAR}], [], None, []], pa.list_(pa.struct([("at", pa.date32())]))),
}


def studies(table: pa.Table, folder: Path) -> dict[str, Any]:
    """The same table in every form that may hold such dates."""
    frame = pl.DataFrame(table)
    frame.write_parquet(folder / "x.parquet")
    frame.write_ipc(folder / "x.arrow")
    return {
        "Arrow": table,
        "Polars": frame,
        "lazy": frame.lazy(),
        "pandas": table.to_pandas(types_mapper=pd.ArrowDtype),
        "Parquet": folder / "x.parquet",
        "Arrow file": folder / "x.arrow",
    }


def made(data: Any, **roles: Any) -> Study:
    return accord.read(data, **roles) if isinstance(data, Path) else Study(data, **roles)


@pytest.mark.parametrize("column", COLUMNS)
def test_a_column_of_far_dates_ends_no_study(column: str, tmp_path: Path) -> None:
    plain = accord.fleiss_kappa(Study(TABLE)).value
    for form, data in studies(pa.table({**TABLE, "when": COLUMNS[column]}), tmp_path).items():
        study = made(data)
        assert accord.fleiss_kappa(study).value == plain, form
        assert accord.read(study.write(tmp_path / f"{form}.csv")).n_annotations == 4, form
        assert len(accord.fleiss_kappa(study, by="when").by_group()) >= 1, form


@pytest.mark.parametrize("role", ["item", "label", "text"])
def test_far_dates_are_text_in_any_role(role: str, tmp_path: Path) -> None:
    table = pa.table({**TABLE, role: pa.array([FAR, FAR, 3, 3], pa.date32())})
    for form, data in studies(table, tmp_path).items():
        if form == "lazy" and role != "text":
            with pytest.raises(InputError, match="is of type Date"):
                made(data)
            continue
        study = made(data)
        told = {"item": study.items, "label": study.labels}.get(role, ())
        assert sorted(map(str, told)) == (["10000-01-06", "1970-01-04"] if told else []), form


@pytest.mark.parametrize("column", NESTED)
def test_far_dates_within_lists_and_records_are_refused_by_their_column(column: str, tmp_path: Path) -> None:
    for data in studies(pa.table({**TABLE, "when": NESTED[column]}), tmp_path).values():
        with pytest.raises(InputError, match="The column 'when' holds lists or records with dates"):
            accord.fleiss_kappa(made(data))
    with pytest.raises(InputError, match="lists or records with dates"):
        Study({**TABLE, "label": pl.Series(NESTED[column])})


def test_near_dates_within_lists_stay_what_they_are() -> None:
    frame = pl.DataFrame({**TABLE, "when": pl.Series([[1], [2], None, []], dtype=pl.List(pl.Date))})
    assert accord.fleiss_kappa(frame).value == accord.fleiss_kappa(TABLE).value


def test_pandas_has_dates_of_its_own_but_not_in_a_zone(tmp_path: Path) -> None:
    days = pd.Series(np.array([FAR, 1, 2, 3], dtype="datetime64[D]").astype("datetime64[s]"))
    for place, column in enumerate((days, days.dt.tz_localize("UTC").dt.tz_convert("Europe/Rome"))):
        study = Study(pd.DataFrame({**TABLE, "when": column}))
        assert study.write(tmp_path / f"{place}.csv").read_text(encoding="utf-8").count("10000-01-06") == 1


@pytest.mark.parametrize("role", ["by", "text", "time"])
@pytest.mark.parametrize("cell", ["date 'infinity'", "timestamp '294247-01-10 04:00:54'", "timestamptz 'infinity'"])
def test_an_engine_that_knows_infinity_is_read(role: str, cell: str) -> None:
    rows = f"select i // 2 as item, i % 2 as annotator, i % 3 as label, {cell} as at from range(12) t(i)"
    with duckdb.connect() as connection:
        table = connection.sql(rows)
        if role == "by":
            assert accord.fleiss_kappa(table, by="at").by_group() is not None
        else:
            roles: dict[str, Any] = {role: "at"}
            assert str(accord.explain(Study(table, **roles)))


def test_the_command_reads_a_file_with_far_dates(tmp_path: Path) -> None:
    pl.DataFrame(pa.table({**TABLE, "made": COLUMNS["days"]})).write_parquet(tmp_path / "x.parquet")
    for line in (("measure", "x.parquet"), ("explain", "x.parquet"), ("convert", "x.parquet", "-o", "y.csv")):
        said = run(*line, folder=tmp_path)
        assert (said.code, said.err) == (0, ""), line
    assert "10000-01-06" in (tmp_path / "y.csv").read_text(encoding="utf-8")


def test_ids_that_are_decimals_of_many_digits_stay_apart(tmp_path: Path) -> None:
    ids = [Decimal(12345678901234567890123456789012345670 + place // 2) for place in range(4)]
    frame = pl.DataFrame({**TABLE, "item": pl.Series(ids, dtype=pl.Decimal(38, 0))})
    frame.write_parquet(tmp_path / "x.parquet")
    for data in (frame, frame.to_arrow(), frame.to_pandas(), tmp_path / "x.parquet", {**TABLE, "item": ids}):
        assert list(made(data).items) == [ids[0], ids[2]]


@pytest.mark.parametrize("cell", ["1e400000000", "Infinity", "-Infinity"])
def test_a_decimal_beyond_any_number_is_refused(cell: str) -> None:
    with pytest.raises(accord.AccordError, match="must be finite"):
        Study({**TABLE, "label": [Decimal(cell), 1, 2, 3]})
