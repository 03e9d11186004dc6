"""Names and labels that are pieces of SQL: tables in databases are read, and queries written, as if they were words.

A table that nobody asked for lies beside the one that is asked: it stays as it is, and so does the whole database.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import sqlglot

import accord
from accord.warehouses.sql_dialects import DIALECTS
from tests.fuzz.campaign import Campaign, Case, Differs
from tests.fuzz.same_study import same_values
from tests.fuzz.sums import results_in
from tests.warehouses import databases

WORDS = [
    "answers", "select", "from", "two words", 'a"b', '""', '"', "a`b", "`", "a'b", "''", "a.b", "a;b", "1", "é", "ж",
    "a\\b", "\\", "a\\'b", 'a\\"b', "a\nb", "a\r\nb", "--", "-- x\n", "/*", "*/", "%s", "?", "$1", ":x", "{x}", "#",
    "🙂", "item", "annotator", "label", "source", "accord_rows", "n_items", "x" * 60, " lead", "trail ",
    "x; DROP TABLE bystander; --", '"; DROP TABLE bystander; --', "'; DROP TABLE bystander; --",
    "\\'; DROP TABLE bystander; --", "`; DROP TABLE bystander; --", "') ; DELETE FROM bystander; --",
    "' OR '1'='1", "x') UNION SELECT name FROM bystander --",
]  # fmt: skip
PEOPLE = ["ana", "o'neil", 'b"c', "x'; DROP TABLE bystander; --", "ж", "a\\"]
BYSTANDER = ("bystander", ["name"], [("Xanthippe",)])


def draw(chance: random.Random) -> Case:
    """The names of a table and its columns, labels, people, and a few answers."""
    columns = _apart(chance, 4)
    labels = _apart(chance, chance.randint(1, 4))
    people = chance.sample(PEOPLE, chance.randint(1, 4))
    rows = [
        [f"i{item}", who, chance.choice(labels), f"g{item % 2}"]
        for item in range(chance.choice((1, 3, 8)))
        for who in people
        if chance.random() < 0.9
    ]
    return {
        "table": chance.choice(WORDS), "columns": columns, "labels": labels,
        "rows": rows or [["i", "ana", labels[0], "g"]],
        "way": chance.choice(("duckdb", "sqlite", "queries", "queries", "text", "text", "text")),
        "dialect": chance.choice(list(DIALECTS)), "named": chance.random() < 0.3,
    }  # fmt: skip


def _apart(chance: random.Random, number: int) -> list[str]:
    """Words that a database tells apart, which no spelling does."""
    found: dict[str, str] = {}
    while len(found) < number:
        word = chance.choice(WORDS)
        found.setdefault(word.strip().lower(), word)
    return list(found.values())


def attempt(case: Case, folder: Path) -> str:
    """Have the table read, or the queries run, or but parsed."""
    if case["way"] == "text":
        return _parsed(case)
    dialect = case["way"] if case["way"] != "queries" else "sqlite" if case["dialect"] < "d" else "duckdb"
    path = folder / "x.db"
    database = getattr(databases, dialect)(path)
    database.fill(*BYSTANDER)
    database.fill(_quoted(case["table"]), [_quoted(name) for name in case["columns"]], list(map(tuple, case["rows"])))
    item, annotator, label, _ = case["columns"]
    table = dict(zip(case["columns"], map(list, zip(*case["rows"], strict=True)), strict=True))
    study = accord.Study(table, item=item, annotator=annotator, label=label)
    if case["way"] == "queries":
        found = accord.read(results_in(database, _asked(case, dialect, study.labels), folder / "asked"))
        _check_bystander(database)
        database.close()
        same_values(study, found, f"{dialect}, by queries")
        return "study"
    database.close()
    before = path.read_bytes()
    found = accord.read(f"{dialect}:{path}", table=_quoted(case["table"]), item=item, annotator=annotator, label=label)
    same_values(study, found, dialect)
    if path.read_bytes() != before:
        raise Differs(f"the file of {dialect} was written")
    return "study"


def _asked(case: Case, dialect: str, labels: Any) -> accord.Queries:
    item, annotator, label, topic = map(_quoted, case["columns"])
    people = list(dict.fromkeys(row[1] for row in case["rows"]))
    return accord.queries(
        _quoted(case["table"]), dialect=dialect, item=item, annotator=annotator, label=label, by=topic, labels=labels,
        annotators=people if case["named"] and len(people) > 1 else None,
    )  # fmt: skip


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _check_bystander(database: Any) -> None:
    name, columns, rows = BYSTANDER
    if database.ask(f"SELECT * FROM {name}") != (columns, rows):
        raise Differs("a table that nobody asked for has changed")


def _parsed(case: Case) -> str:
    """Each query is one, which reads, and holds the names and texts that it was given, and no others."""
    if case["dialect"] == "bigquery" and any("." in name for name in (case["table"], *case["columns"])):
        return "a path"  # in BigQuery a name with dots is one however it is quoted
    asked = _asked(case, case["dialect"], case["labels"])
    people = {row[1] for row in case["rows"]}
    for query in asked:
        found = sqlglot.parse(query.sql, read=case["dialect"])
        if len(found) != 1 or not isinstance(found[0], sqlglot.exp.Select):
            raise Differs(f"{case['dialect']}, {query.name}: {[type(one).__name__ for one in found]}")
        texts = {one.this for one in found[0].find_all(sqlglot.exp.Literal) if one.is_string}
        names = {one.name.lower() for one in found[0].find_all(sqlglot.exp.Identifier) if one.args["quoted"]}
        odd = texts - {"", *case["labels"], *people} | names - {
            "c",
            *(name.lower() for name in [case["table"], *case["columns"]]),
        }
        if odd:
            raise Differs(f"{case['dialect']}, {query.name}: {sorted(odd)}")
    return "one query each"


CAMPAIGN = Campaign("sql", draw, attempt)
