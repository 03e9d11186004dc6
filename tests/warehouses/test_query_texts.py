"""The text of the queries: in every dialect it parses and says what it said before; nothing in it can break out."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.errors import InputError, LabelError, OptionError
from accord.warehouses.sql_dialects import DIALECTS
from tests.fuzz.faults import full_disk
from tests.warehouses.hard_rows import LABELS, MISSING, PEOPLE

STORED = Path(__file__).parent / "stored"
EVERY = sorted(DIALECTS)
ROLES: dict[str, Any] = {
    "item": "item id", "annotator": "who", "label": "tag", "by": ["topic", "it`s \"odd\""], "cluster": "doc",
}  # fmt: skip


def whole(dialect: str, **more: Any) -> accord.Queries:
    given = {**ROLES, "labels": LABELS, "missing": MISSING, "annotators": PEOPLE, "smallest_cell": 5, **more}
    return accord.queries("project.answers", dialect=dialect, **given)


@pytest.mark.parametrize("dialect", EVERY)
def test_queries_are_those_that_were_stored(dialect: str) -> None:
    """After a change that is meant: ACCORD_STORED=write pytest tests/warehouses/test_query_texts.py, and read it."""
    file = STORED / f"{dialect}.txt"
    text = f"{whole(dialect)}\n"
    if os.environ.get("ACCORD_STORED") == "write":
        file.write_text(text, encoding="utf-8", newline="")
    with file.open(encoding="utf-8", newline="") as stored:
        assert stored.read() == text


@pytest.mark.parametrize("dialect", EVERY)
def test_every_query_parses_and_holds_just_the_texts_and_names_given(dialect: str) -> None:
    sqlglot = pytest.importorskip("sqlglot", reason="sqlglot is not installed")
    for query in whole(dialect):
        [parsed] = sqlglot.parse(query.sql, read=dialect)
        assert isinstance(parsed, sqlglot.exp.Select)
        texts = {one.this for one in parsed.find_all(sqlglot.exp.Literal) if one.is_string}
        assert texts - {""} <= {*LABELS, *MISSING, *PEOPLE}
        names = {one.name for one in parsed.find_all(sqlglot.exp.Identifier) if one.args["quoted"]}
        meant = {"c", "project", "answers", "item id", "who", "tag", "topic", 'it`s "odd"', "doc"}
        assert {name.lower() for name in names} <= meant
        if query.name == "patterns":
            assert set(LABELS) <= texts
            assert tuple(parsed.named_selects)[-1].lower() == "n_items"


@pytest.mark.parametrize("dialect", EVERY)
def test_every_line_that_counts_is_explained(dialect: str) -> None:
    for query in whole(dialect, labels=["no", "yes"]):
        lines = query.sql.splitlines()
        assert lines[0].startswith(f"-- {query.name}: ")
        assert lines[1].startswith("-- What leaves: ")
        told = [
            line for line in lines if any(word in line for word in ("SUM(", "COUNT(", "CASE WHEN", "HAVING", "JOIN"))
        ]
        assert all("  -- " in line for line in told if "AS n_items\n" not in f"{line}\n"), query.name


def test_a_name_in_small_letters_means_capitals_in_snowflake_unless_it_is_quoted() -> None:
    snowflake = DIALECTS["snowflake"]
    assert snowflake.table('my_db.public."small".Mixed') == '"MY_DB"."PUBLIC"."small"."Mixed"'
    assert DIALECTS["postgres"].table("public.Mixed") == '"public"."Mixed"'
    assert DIALECTS["bigquery"].table("my-project.data.answers") == "`my-project`.`data`.`answers`"
    assert DIALECTS["bigquery"].identifier("a`b\\c") == "`a\\`b\\\\c`"
    assert DIALECTS["databricks"].identifier("a`b") == "`a``b`"


def test_without_labels_there_is_the_query_that_lists_them(tmp_path: Path) -> None:
    asked = accord.queries("answers", dialect="trino")
    assert [query.name for query in asked] == ["labels"]
    assert asked.incomplete
    with pytest.raises(OptionError, match=r"not known yet.*labels=\[…\]"):
        asked.write(tmp_path / "queries")
    assert not (tmp_path / "queries").exists()


def test_whoever_must_not_be_named_is_not() -> None:
    asked = accord.queries("answers", dialect="trino", labels=["no", "yes"], names=False)
    assert [query.name for query in asked] == ["totals", "labels", "duplicates", "patterns"]


def test_files_and_a_manifest_are_written(tmp_path: Path) -> None:
    folder = whole("athena").write(tmp_path / "queries")
    manifest = json.loads((folder / "accord.json").read_text(encoding="utf-8"))
    assert manifest == whole("athena").to_dict()
    assert (manifest["format"], manifest["labels"], manifest["smallest_cell"]) == (1, LABELS, 5)
    assert manifest["queries"][4]["columns"][:3] == ["topic", 'it`s "odd"', "cluster"]
    assert {path.name for path in folder.iterdir()} == {"accord.json", *(query.file for query in whole("athena"))}
    with pytest.raises(InputError, match=r"holds 'totals.sql'.*force"):
        whole("athena").write(folder)
    whole("athena").write(folder, force=True)


def test_a_fault_leaves_no_manifest_of_other_queries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = whole("athena").write(tmp_path / "queries")
    old = {path.name: path.read_bytes() for path in folder.iterdir()}
    replaced: list[str] = []
    put = Path.replace

    def refused(half: Path, target: Path) -> Path:
        replaced.append(target.name)
        if len(replaced) == 3:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return put(half, target)

    monkeypatch.setattr(Path, "replace", refused)
    with pytest.raises(InputError, match="cannot be written"):
        whole("athena", missing=["7"]).write(folder, force=True)
    assert {path.name for path in folder.iterdir()} == set(old) - {"accord.json"}
    assert "accord.json" not in replaced


def test_a_full_disk_leaves_the_old_queries(tmp_path: Path) -> None:
    folder = whole("athena").write(tmp_path / "queries")
    old = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(InputError, match="No space left"), full_disk(2_000):
        whole("athena", missing=["7"]).write(folder, force=True)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == old


def test_results_of_other_queries_are_not_left_beside_new_ones(tmp_path: Path) -> None:
    folder = whole("athena").write(tmp_path / "queries")
    (folder / "totals.csv").write_text("n_rows\n1\n", encoding="utf-8")
    whole("athena").write(folder, force=True)  # they are results of the same queries
    with pytest.raises(InputError, match=r"results of other queries, 'totals.csv'.*Move them away"):
        whole("athena", missing=["7"]).write(folder, force=True)


def test_quotation_marks_around_a_name_are_not_part_of_it() -> None:
    asked = accord.queries("answers", dialect="snowflake", labels=["no", "yes"], by=['"topic"', "lang"])
    assert asked["patterns"].columns[:2] == ("topic", "lang")
    assert 'source."topic" AS "topic"' in asked["patterns"].sql
    assert 'source."LANG" AS "LANG"' in asked["patterns"].sql


def test_labels_may_be_whole_numbers() -> None:
    asked = accord.queries("answers", dialect="duckdb", labels=[1, 2], ordered=True)
    assert (asked.labels, asked.levels) == ((1, 2), "ordinal")
    assert "label = '2'" in asked["patterns"].sql


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"dialect": "bigqery"}, "Did you mean 'bigquery'"),
        ({"dialect": None}, "must be one of"),
        ({"table": None}, "Say where the annotations lie, once: table='answers' or query"),
        ({"query": "SELECT 1"}, "Say where the annotations lie, once"),
        ({"table": "a..b"}, "must be the name of a table"),
        ({"table": 'a."b'}, "must be the name of a table"),
        ({"table": 3}, "must be the name of a table"),
        ({"table": "accord_rows"}, "have another name than the steps of the queries"),
        ({"table": '"Accord_Items"'}, "have another name than the steps of the queries"),
        ({"table": None, "query": "SELECT 1; DROP TABLE answers"}, "hold one query"),
        ({"table": None, "query": " ; "}, "hold a query"),
        ({"table": None, "query": 3}, "be the text of a query"),
        ({"label": "item"}, "plays two roles"),
        ({"label": " "}, "label must be the name of one column"),
        ({"item": ["a", "b"]}, "item must be the name of one column"),
        ({"by": "Label_1"}, r"have a column 'Label_1' of their own.*my_Label_1"),
        ({"by": "n_items"}, "of their own"),
        ({"by": ["topic", "Topic"]}, "by must name every column once"),
        ({"by": 3}, "by must be the name of a column"),
        ({"annotators": "ana"}, "annotators must list names"),
        ({"annotators": ["ana"]}, "two annotators or more"),
        ({"annotators": ["ana", "ben"], "names": False}, "not both"),
        ({"smallest_cell": 0}, "smallest_cell must be"),
        ({"levels": "ordnal"}, "Did you mean 'ordinal'"),
        ({"labels": [f"l{number}" for number in range(201)]}, r"201 labels.*200 are the most.*query.*accord.read"),
        ({"annotators": [f"a{number}" for number in range(201)]}, "201 annotators.*leave annotators out"),
        ({"item": "a\0b"}, "NUL"),
        ({"label": "a\ud83d"}, "half a character"),
        ({"labels": ["no", "\ud83d"]}, "half a character"),
        ({"annotators": ["ana", "\udcff"]}, "half a character"),
        ({"table": None, "query": "SELECT '\ud83d'"}, "half a character"),
        ({"missing": "99"}, "missing must list the codes"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_an_error(given: dict[str, Any], said: str) -> None:
    options = {"table": "answers", "dialect": "duckdb", "labels": ["no", "yes"], **given}
    with pytest.raises(OptionError, match=said):
        accord.queries(options.pop("table"), **options)


def test_a_label_that_stands_twice_is_an_error() -> None:
    with pytest.raises(LabelError, match="more than once"):
        accord.queries("answers", dialect="duckdb", labels=["a", "a"])
    with pytest.raises(KeyError):
        accord.queries("answers", dialect="duckdb", labels=["a", "b"])["tally"]
