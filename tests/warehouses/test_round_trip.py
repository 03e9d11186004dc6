"""From a table to queries, from their results on a real database to a study: the digits of the rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import accord
from tests.command.running import run
from tests.readers.results_folder import put
from tests.study.test_tallies import answers_to
from tests.warehouses import databases
from tests.warehouses.databases import Connected
from tests.warehouses.hard_rows import COLUMNS, LABELS, MISSING, PEOPLE, rows

ROLES: dict[str, Any] = {
    "item": "item id", "annotator": "who", "label": "tag", "cluster": "doc", "labels": LABELS, "missing": MISSING,
}  # fmt: skip


@pytest.fixture(params=["sqlite", "duckdb", "postgres"])
def asked(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A folder of queries, each with its result on a database beside it."""
    database = (
        request.getfixturevalue("postgres") if request.param == "postgres" else getattr(databases, request.param)()
    )
    database.fill("answers", COLUMNS, rows())
    queries = accord.queries("answers", dialect=request.param, by="topic", annotators=PEOPLE, **ROLES)
    yield answered(database, queries, tmp_path / "asked")
    if request.param != "postgres":
        database.close()


def answered(database: Connected, queries: accord.Queries, folder: Path) -> Path:
    """The queries in a folder, and what the database says to each."""
    queries.write(folder)
    for query in queries:
        columns, lines = database.ask(query.sql)
        put(folder / f"{query.name}.csv", columns, lines)
    return folder


def of_rows() -> accord.Study:
    return accord.Study(
        {name: list(cells) for name, cells in zip(COLUMNS, zip(*rows(), strict=True), strict=True)}, **ROLES
    )


def test_results_of_a_database_have_the_digits_of_the_rows(asked: Path) -> None:
    far, near = accord.from_results(asked), of_rows()
    assert (far.n_items, far.n_annotators, far.n_annotations) == (near.n_items, near.n_annotators, near.n_annotations)
    for name in ("krippendorff_alpha", "fleiss_kappa", "conger_kappa", "light_kappa", "gwet_ac"):
        function = getattr(accord, name)
        assert answers_to(function(far, by="topic")) == answers_to(function(near, by="topic")), name
    assert str(accord.pairwise(far)) == str(accord.pairwise(near))


def test_the_command_measures_what_it_asked_for(tmp_path: Path) -> None:
    database = databases.sqlite()
    database.fill("answers", COLUMNS, rows())
    options = ("--item", "item id", "--annotator", "who", "--label", "tag", "--missing", ",".join(MISSING))
    labels = ("--labels", ",".join(LABELS), "--smallest-cell", "2", "-o", "asked")
    assert run("sql", "--dialect", "sqlite", "--table", "answers", *options, *labels, folder=tmp_path).code == 0
    for file in sorted((tmp_path / "asked").glob("*.sql")):
        columns, lines = database.ask(file.read_text(encoding="utf-8"))
        put(file.with_suffix(".csv"), columns, lines)
    database.close()
    said = run("measure", "--results", "asked", folder=tmp_path)
    assert said.code == 0
    assert "Krippendorff's alpha" in said.out
    assert "lie in cells of fewer than 2 and stay in the database" in said.out
