"""The same cells in a dozen files: each must give the same study."""

from __future__ import annotations

import csv
import io
import json
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

import accord
from tests.fuzz import tables
from tests.fuzz.campaign import Campaign, Case
from tests.fuzz.same_study import compare
from tests.readers.make_table_samples import book_of

Table = dict[str, list[Any]]
# Text that text files cannot tell from a number, a gap or half a character is another campaign's.
PLAIN = {
    name: [
        cell
        for cell in tables.FAMILIES[name]
        if not isinstance(cell, str) or (cell.strip() == cell and "\x1b" not in cell)
    ]
    for name in ("words", "numbers", "hostile", "letters", "one", "nothing words")
}


def draw(chance: random.Random) -> Case:
    """A table, and which forms of it are held against the first."""
    kind = chance.choice(("labels", *tables.KINDS))
    made, told = tables.KINDS[kind]
    table = tables.table(chance, PLAIN) if kind == "labels" else made(chance)
    table["annotator"] = [who or "fay" for who in table["annotator"]]
    if chance.random() < 0.5:
        table["item"] = [f"i{item}" for item in table["item"]]
    roles = {"item": "item", "annotator": "annotator", **({"label": "label"} if "label" in table else {}), **told}
    return {"table": table, "forms": chance.sample(list(FORMS), 4), "roles": roles}


def _delimited(table: Table, path: Path, mark: str = ",", encoding: str = "utf-8", newline: str = "\n") -> Path:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=mark, lineterminator=newline)
    writer.writerows([list(table), *zip(*table.values(), strict=True)])
    path.write_bytes(out.getvalue().encode(encoding))
    return path


def _records(table: Table) -> list[dict[str, Any]]:
    return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]


def _text(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def _zipped(table: Table, folder: Path) -> Path:
    path = folder / "x.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.write(_delimited(table, folder / "x.csv"), "inside.csv")
    return path


def _book(table: Table, folder: Path) -> Path:
    path = folder / "x.xlsx"
    path.write_bytes(book_of({"Answers": [list(table), *map(list, zip(*table.values(), strict=True))]}))
    return path


def _frame(table: Table) -> pl.DataFrame:
    return pl.DataFrame(table, strict=False)


def _parquet(table: Table, path: Path) -> Path:
    _frame(table).write_parquet(path)
    return path


def _arrow(table: Table, path: Path) -> Path:
    _frame(table).write_ipc(path)
    return path


FORMS: dict[str, Callable[[Table, Path], Path]] = {
    "csv": lambda table, folder: _delimited(table, folder / "x.csv"),
    "tsv": lambda table, folder: _delimited(table, folder / "x.tsv", "\t"),
    "semicolons": lambda table, folder: _delimited(table, folder / "semi.csv", ";"),
    "windows": lambda table, folder: _delimited(table, folder / "win.csv", ",", "utf-8-sig", "\r\n"),
    "utf-16": lambda table, folder: _delimited(table, folder / "wide.csv", ",", "utf-16"),
    "json": lambda table, folder: _text(folder / "x.json", json.dumps(_records(table))),
    "lines": lambda table, folder: _text(folder / "x.jsonl", "\n".join(map(json.dumps, _records(table)))),
    "wide lines": lambda table, folder: _text(
        folder / "w.jsonl", "\n".join(json.dumps(row, ensure_ascii=False) for row in _records(table)), "utf-16"
    ),
    "columns": lambda table, folder: _text(folder / "columns.json", json.dumps(table)),
    "excel": _book,
    "parquet": lambda table, folder: _parquet(table, folder / "x.parquet"),
    "arrow": lambda table, folder: _arrow(table, folder / "x.arrow"),
    "zip": _zipped,
}


def attempt(case: Case, folder: Path) -> str:
    """Read each; the first is what the others are held against."""
    first: Any = None
    for name in case["forms"]:
        try:
            study: Any = accord.read(FORMS[name](case["table"], folder), **case["roles"])
        except accord.AccordError as problem:
            study = problem
        if first is None:
            first = study
        elif isinstance(first, Exception) != isinstance(study, Exception):
            compare_errors(first, study, name)
        elif not isinstance(first, Exception):
            compare(first, study, f"{case['forms'][0]} and {name}")
    return "error" if isinstance(first, Exception) else "study"


def compare_errors(first: Any, study: Any, name: str) -> None:
    """One form was read and another was not."""
    from tests.fuzz.campaign import Differs

    raise Differs(f"{name}: {str(first)[:200]} and {str(study)[:200]}")


CAMPAIGN = Campaign("forms", draw, attempt)
