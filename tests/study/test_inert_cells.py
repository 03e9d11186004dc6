"""No spreadsheet runs what accord writes, and accord reads its own files as they were."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import accord
from accord import Study
from accord.readers import delimited
from accord.study.csv_writer import bare, inert
from tests.command.running import run
from tests.fuzz.commands import commands
from tests.readers.test_round_trip import content

RUN = ["=1+1", "+x", "-x", "@sum", "\tt", "\rx", "\n=1", "=cmd|' /C calc'!A0", "-e5", "=", "--1"]
FINE = ["-", "+", "-3", "+1.5", "-1,5", "-2e-3", "-5%", "'", "'tis", "a=b", "", "x"]
QUOTED = ["'=1", "''@x", "'-"]
LABELS = [*RUN, *QUOTED, "a=b", "-"]
HOSTILE = (*"=+-@\t\r",)


def hostile_table() -> dict[str, list[Any]]:
    """Labels, items and people of every kind, two answers to each item."""
    rows = [
        (f"{label}{place}", who, label)
        for place, label in enumerate(RUN + QUOTED + ["a=b", "-"])
        for who in ("=a", "-b")
    ]
    return dict(zip(("item", "annotator", "label"), map(list, zip(*rows, strict=True)), strict=True))


def cells_in(text: str) -> list[str]:
    return [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]


def runs(cell: str) -> bool:
    """Would a spreadsheet run it? Numbers and lone signs are none."""
    return cell.startswith(HOSTILE) and cell not in FINE and not cell.lstrip("+-").replace(".", "").isdigit()


@pytest.mark.parametrize("cell", RUN + FINE + QUOTED)
@pytest.mark.parametrize("keep", [False, True])
def test_what_is_taken_away_is_what_was_added(cell: str, keep: bool) -> None:
    assert bare(inert(cell, keep_formulas=keep)) == cell
    assert inert(cell, keep_formulas=keep) == cell or cell not in FINE
    assert not inert(cell).startswith(HOSTILE) or cell in FINE


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".jsonl", ".parquet"])
@pytest.mark.parametrize("keep", [False, True])
def test_a_written_study_is_inert_and_comes_back(ending: str, keep: bool, tmp_path: Path) -> None:
    first = Study({**hostile_table(), "=column": ["@"] * 32})
    path = first.write(tmp_path / f"long{ending}", keep_formulas=keep)
    again = accord.read(path)
    assert content(again) == content(first)
    assert "=column" in again.columns
    if ending == ".csv":
        assert any(map(runs, cells_in(path.read_text(encoding="utf-8")))) == keep


def test_a_large_file_comes_back_as_a_small_one_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Study({name: [cell for cell in cells if cell] for name, cells in hostile_table().items()})
    path = first.write(tmp_path / "long.csv")
    monkeypatch.setattr(delimited, "SMALL", 0)
    assert content(accord.read(path)) == content(first)


def test_a_table_of_others_keeps_its_apostrophes(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("item,annotator,label\n1,a,'-x\n1,b,'-x\n2,a,y\n2,b,y\n", encoding="utf-8")
    assert accord.read(tmp_path / "x.csv").labels == ("'-x", "y")


@pytest.mark.parametrize("engine", ["memory", "polars", "duckdb"])
def test_a_gold_is_inert_and_scores_itself(engine: str, tmp_path: Path) -> None:
    table: Any = pl.DataFrame(hostile_table())
    if engine == "duckdb":
        duckdb = pytest.importorskip("duckdb")
        connection = duckdb.connect()  # held: older versions close it with its last name, though a table is open
        table = connection.from_arrow(table.to_arrow())
    gold = accord.gold(table.lazy() if engine == "polars" else table, method="majority")
    path = gold.write(tmp_path / "gold.csv")
    written = path.read_text(encoding="utf-8")
    assert not any(map(runs, cells_in(written)))
    assert "'=1+1" in written
    assert gold.score(path).accuracy == 1
    kept = gold.write(tmp_path / "kept.csv", keep_formulas=True)
    assert any(map(runs, cells_in(kept.read_text(encoding="utf-8"))))
    assert gold.score(kept).accuracy == 1


def test_tables_are_inert_in_python_and_at_the_prompt(tmp_path: Path) -> None:
    study = Study(hostile_table())
    table = accord.fleiss_kappa(study).by_label()
    assert not any(map(runs, cells_in(table.to_csv())))
    assert any(map(runs, cells_in(table.to_csv(keep_formulas=True))))
    study.write(tmp_path / "x.parquet")
    for command in (("measure", "--by-label", "--by-item"), ("gold", "--queue", "3")):
        said = run(command[0], "x.parquet", *command[1:], "--format", "csv", folder=tmp_path)
        assert not any(map(runs, cells_in(said.out)))
        assert "'=1+1" in said.out or "'\n=1" in said.out
    said = run("measure", "x.parquet", "--by-label", "--format", "csv", "--keep-formulas", folder=tmp_path)
    assert any(map(runs, cells_in(said.out)))


def test_the_commands_that_write_tables_have_the_choice(tmp_path: Path) -> None:
    Study(hostile_table()).write(tmp_path / "x.parquet")
    for command in ("convert", "gold"):
        for more, kept in (((), False), (("--keep-formulas",), True)):
            run(command, "x.parquet", "-o", "y.csv", "--force", *more, folder=tmp_path)
            assert any(map(runs, cells_in((tmp_path / "y.csv").read_text(encoding="utf-8")))) == kept
    said = run("convert", "x.parquet", "-o", "y.jsonl", "--keep-formulas", folder=tmp_path)
    assert (said.code, "--keep-formulas is about CSV and TSV" in said.err) == (2, True)


CSV_LINES = (
    ("measure", "--format", "csv", "--by-pair", "--by-annotator", "--by-item", "--by-label", "--by", "=part"),
    ("explain", "--format", "csv"),
    ("gold", "--format", "csv", "--show-annotators", "--show-labels", "--queue", "9", "--queue-names"),
    ("gold", "-o", "g.csv", "--queue", "9", "--queue-file", "q.csv", "--queue-names"),
    ("gold", "-o", "g.tsv"),
    ("convert", "-o", "c.csv"),
    ("convert", "-o", "c.tsv"),
    ("convert", "--format", "csv"),
    ("compare", "y.csv", "--format", "csv"),
    ("doctor", "--format", "csv"),
    ("judge", "--format", "csv", "--people=-b", "--models==a"),
    ("plan", "--width", "0.3", "--format", "csv"),
    ("paper", "-o", "p.csv"),
    ("publish", "-o", "pages", "--show-names"),
)


@pytest.mark.parametrize("line", CSV_LINES, ids=lambda line: " ".join(line)[:24])
def test_every_table_of_every_command_is_inert(line: tuple[str, ...], tmp_path: Path) -> None:
    table = {**hostile_table(), "=part": ["=1", "=2"] * 16}
    for name in ("x.csv", "y.csv"):
        Study(table).write(tmp_path / name)
    given = set(tmp_path.iterdir())
    said = run(line[0], "x.csv", *line[1:], folder=tmp_path)
    assert said.code in (0, 3), said.err
    texts = [path.read_text(encoding="utf-8") for path in tmp_path.rglob("*.?sv") if path not in given]
    texts += [said.out] if "--format" in line else []
    assert texts
    assert not [cell for text in texts for cell in cells_in(text.replace("\t", ",")) if runs(cell)]


def test_every_command_that_writes_tables_is_looked_at() -> None:
    writes = {name for name, options in commands().items() if {"--keep-formulas", "--output"} & set(options)}
    no_table = {"report", "sql", "tally"}  # a page, queries, Parquet
    assert writes == {line[0] for line in CSV_LINES} | no_table


def test_nul_is_written_as_what_it_is_called(tmp_path: Path) -> None:
    study = Study({"item": [1, 1, 2, 2], "annotator": ["a", "b"] * 2, "label": ["x\0", "y", "y", "y"]})
    assert accord.read(study.write(tmp_path / "x.csv")).labels == (r"x\x00", "y")
    assert accord.read(study.write(tmp_path / "x.jsonl")).labels == ("x\0", "y")
