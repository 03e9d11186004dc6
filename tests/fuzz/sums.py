"""Sums instead of rows: a tally, or the results of queries, as they are or changed by somebody who knows them.

As they are, they measure what the rows measure; changed, they are read or refused in words.
"""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path
from typing import Any

import polars as pl

import accord
from accord.study.tally_file import KEY
from tests.fuzz import tables
from tests.fuzz.campaign import Campaign, Case
from tests.fuzz.same_study import measured, same_values
from tests.fuzz.structure import changed_json, mutated
from tests.readers.corruption import damaged
from tests.warehouses import databases

PLAIN = {name: tables.FAMILIES[name] for name in ("words", "numbers", "hostile", "one", "nothing words", "digits")}
CHANGES = ("bytes", "facts", "cells")
NUMBERS = (0, -1, 1, 2, 2**31 - 1, None)


def draw(chance: random.Random) -> Case:
    """A table, how it is summed up, what is changed of that, and what is asked."""
    table = tables.table(chance, PLAIN)
    table["annotator"] = [who or "fay" for who in table["annotator"]]
    return {
        "table": {name: table[name] for name in ("item", "annotator", "label", "topic") if name in table},
        "way": chance.choice(("tally", "results")),
        "by": "topic" in table and chance.random() < 0.5,
        "named": chance.random() < 0.7,
        "smallest cell": chance.choice((None, None, 1, 2)),
        "change": chance.choice((None, *CHANGES)),
        "seed": chance.randrange(10**9),
        "ask": chance.choice(("measure", "measure", "measure", "explain", "report")),
    }


def attempt(case: Case, folder: Path) -> str:
    """Sum up, change, read and ask."""
    table, by = case["table"], ["topic"] if case["by"] else []
    if by:  # what is said of an item is said of it once
        first = dict(reversed(list(zip(table["item"], table["topic"], strict=True))))
        table = {**table, "topic": [first[item] for item in table["item"]]}
    study = accord.Study(table, item="item", annotator="annotator", label="label")
    way = _tally if case["way"] == "tally" else _results
    place = way(study, table, by, case, folder)
    if case["change"] is not None:
        changed(place, case["change"], random.Random(case["seed"]))
    found = accord.read(place)
    str(found.describe())
    _ask(found, case["ask"], folder)
    if case["change"] is None and case["smallest cell"] in (None, 1):
        if case["way"] == "results":  # whose labels stand in the order in which they were named
            study = accord.Study(table, item="item", annotator="annotator", label="label", labels=study.labels)
        same_values(study, found, f"as {case['way']}")
    return "study" if case["change"] is None else "read all the same"


def _ask(study: accord.Study, question: str, folder: Path) -> None:
    if question == "measure":
        measured(study)
    elif question == "explain":
        str(accord.explain(study))
    else:
        accord.report(study, folder / "r.md")


def _tally(study: accord.Study, _: Any, by: list[str], case: Case, folder: Path) -> Path:
    return study.write_tally(folder / "x.tally", by=by or None, named=case["named"])


def _results(study: accord.Study, table: dict[str, list[Any]], by: list[str], case: Case, folder: Path) -> Path:
    """What a database answers to the queries, in the folder of the queries."""
    asked = accord.queries(
        "answers", dialect="sqlite", labels=study.labels, by=by or None, names=case["named"],
        smallest_cell=case["smallest cell"],
    )  # fmt: skip
    database = databases.sqlite()
    texts = [[None if cell is None else str(cell) for cell in cells] for cells in table.values()]
    database.fill("answers", list(table), list(zip(*texts, strict=True)))
    place = results_in(database, asked, folder / "asked")
    database.close()
    return place


def results_in(database: databases.Connected, asked: accord.Queries, folder: Path) -> Path:
    """Have the queries run, and put what each gives beside it."""
    asked.write(folder)
    for query in asked:
        columns, lines = database.ask(query.sql)
        with (folder / f"{query.name}.csv").open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows([columns, *lines])
    return folder


def changed(place: Path, change: str, chance: random.Random) -> None:
    """One change: to bytes, to what is said of the sums, or to the sums."""
    if place.is_dir():
        results = sorted(path for path in place.iterdir() if path.suffix == ".csv")
        victim = place / "accord.json" if change == "facts" else chance.choice(results)
        held = victim.read_bytes()
        victim.write_bytes(damaged(held, chance) if change == "bytes" else mutated(held, victim.suffix, chance))
        return
    if change == "bytes":
        place.write_bytes(damaged(place.read_bytes(), chance))
        return
    facts, frame = json.loads(pl.read_parquet_metadata(place)[KEY]), pl.read_parquet(place)
    if change == "facts":
        facts = changed_json(facts, chance)
    else:
        frame = _changed_cells(frame, chance)
    frame.write_parquet(place, metadata={KEY: json.dumps(facts)})


def _changed_cells(frame: pl.DataFrame, chance: random.Random) -> pl.DataFrame:
    """Of a tally's table one cell, one column or some rows."""
    deed, column = chance.randrange(5), chance.choice(frame.columns)
    if deed == 0:
        return frame.drop(column)
    if deed == 1:
        return frame.sample(fraction=chance.choice((0.0, 0.5, 2.0)), with_replacement=True, seed=chance.randrange(99))
    if deed == 2:
        return frame.with_columns(pl.col(column).shuffle(seed=chance.randrange(99)))
    cells: list[Any] = frame[column].to_list()
    if not cells:
        return frame
    place = chance.randrange(len(cells))
    cell = cells[place]
    cells[place] = chance.choice(NUMBERS) if not isinstance(cell, list) else _changed_list(cell, chance)
    return frame.with_columns(pl.Series(column, cells, dtype=frame[column].dtype, strict=False))


def _changed_list(cells: list[Any], chance: random.Random) -> list[Any] | None:
    return chance.choice((None, [], [*cells, chance.choice(NUMBERS)], [chance.choice(NUMBERS) for _ in cells]))


CAMPAIGN = Campaign("sums", draw, attempt)
