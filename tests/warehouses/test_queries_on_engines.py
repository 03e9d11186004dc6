"""The queries of `accord.queries` on real databases give the sums that counting one by one gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import accord
from tests.oracles.query_sums import expected
from tests.warehouses import databases
from tests.warehouses.databases import Connected
from tests.warehouses.hard_rows import COLUMNS, LABELS, MISSING, PEOPLE, Row, rows

ROLES: dict[str, Any] = {
    "item": "item id", "annotator": "who", "label": "tag", "by": "topic", "cluster": "doc", "labels": LABELS,
    "missing": MISSING,
}  # fmt: skip


@pytest.fixture(params=["sqlite", "duckdb", "postgres"])
def database(request: pytest.FixtureRequest) -> Iterator[Connected]:
    """Each database with the annotations in the table `answers`."""
    if request.param == "postgres":
        found: Connected = request.getfixturevalue("postgres")
    else:
        found = getattr(databases, request.param)()
    found.fill("answers", COLUMNS, rows())
    yield found
    if request.param != "postgres":
        found.close()


def results(database: Connected, queries: accord.Queries) -> dict[str, Counter[Any]]:
    """What each query answers; its columns are as it says."""
    found = {}
    for query in queries:
        columns, lines = database.ask(query.sql)
        assert tuple(columns) == query.columns
        found[query.name] = Counter(map(_plain, lines))
    return found


def _plain(line: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(cell if isinstance(cell, str | None) else int(cell) for cell in line)


def test_every_query_gives_what_counting_gives(database: Connected) -> None:
    asked = accord.queries("answers", dialect=database.dialect, annotators=PEOPLE, **ROLES)
    assert results(database, asked) == expected(rows(), PEOPLE)


def test_only_the_annotators_asked_for_count(database: Connected) -> None:
    asked = accord.queries("answers", dialect=database.dialect, annotators=PEOPLE[:2], **ROLES)
    assert results(database, asked) == expected(rows(), PEOPLE[:2])


def test_a_query_stands_for_a_table(database: Connected) -> None:
    inner = "SELECT * FROM answers WHERE topic <> ';' -- all with a topic;\n;"
    asked = accord.queries(dialect=database.dialect, query=inner, **ROLES)
    wanted = expected([row for row in rows() if row[3] is not None])
    del wanted["named_patterns"]
    assert results(database, asked) == wanted


def test_lines_of_fewer_than_the_smallest_cell_stay_there(database: Connected) -> None:
    asked = accord.queries("answers", dialect=database.dialect, smallest_cell=3, **ROLES)
    found, whole = results(database, asked), expected(rows())
    for name in ("labels", "patterns", "annotators", "pairs"):
        assert found[name] == Counter({line: 1 for line in whole[name] if line[-1] >= 3}), name
    for name in ("totals", "duplicates", "several_groups"):
        assert found[name] == whole[name]
    assert found["patterns"] != whole["patterns"]


def test_an_item_answered_twice_and_one_in_two_groups_are_counted(database: Connected) -> None:
    more: list[Row] = [("twice", "ana", "yes", "sport", "d1"), ("twice", "ana", "n'o", "sport", "d1")]
    more += [("torn", "ana", "yes", "sport", "d1"), ("torn", "o'neil", "yes", None, "d1")]
    database.fill("torn", COLUMNS, more)
    asked = accord.queries("torn", dialect=database.dialect, **ROLES)
    found = results(database, asked)
    assert (found["duplicates"], found["several_groups"]) == (Counter([(1,)]), Counter([(1,)]))


def test_nothing_that_labels_or_names_hold_is_run(database: Connected) -> None:
    bad = "x'; DROP TABLE answers; --"
    asked = accord.queries(
        "answers", dialect=database.dialect, annotators=["ana", bad], **{**ROLES, "labels": [bad, "yes\n; DROP --"]}
    )
    results(database, asked)
    assert database.ask("SELECT COUNT(*) FROM answers")[1] == [(len(rows()),)]


def test_a_column_that_is_not_there_is_an_error_of_the_database(database: Connected) -> None:
    asked = accord.queries("answers", dialect=database.dialect, **{**ROLES, "label": "no such"})
    with pytest.raises(Exception, match="no such"):
        database.ask(asked["labels"].sql)


def test_letters_large_and_small_are_told_apart_whatever_the_column_says() -> None:
    database = databases.sqlite()
    database.connection.execute("CREATE TABLE answers (item TEXT, annotator TEXT, label TEXT COLLATE NOCASE)")
    database.connection.executemany(
        "INSERT INTO answers VALUES (?, ?, ?)", [("1", "ana", "yes"), ("1", "ben", "Yes"), ("2", "ana", "YES")]
    )
    asked = accord.queries("answers", dialect="sqlite", labels=["yes", "Yes"], missing=["yEs"])
    assert results(database, asked)["labels"] == Counter([("yes", 1), ("Yes", 1), ("YES", 1)])
    assert results(database, asked)["patterns"] == Counter([(1, 1, 1), (0, 0, 1)])
    database.close()


def test_an_empty_table_gives_zeros(database: Connected) -> None:
    database.fill("empty", COLUMNS, [])
    asked = accord.queries("empty", dialect=database.dialect, **ROLES)
    assert results(database, asked)["totals"] == Counter([(0, 0, 0, 0, 0)])
