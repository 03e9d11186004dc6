"""`accord sql`: queries on the screen or in a folder."""

import json
from pathlib import Path

from tests.command.running import run

TABLE = ("--dialect", "bigquery", "--table", "project.data.answers")


def test_queries_are_printed_as_one_script() -> None:
    said = run("sql", *TABLE, "--labels", "no,yes")
    assert (said.code, said.err) == (0, "")
    assert said.out.count("  -- in the same order every time\n;\n") == 4
    assert "FROM `project`.`data`.`answers` AS source" in said.out


def test_without_labels_the_query_that_lists_them_comes_first() -> None:
    said = run("sql", *TABLE, "--label", "tag")
    assert said.code == 0
    assert said.out.startswith("-- labels: how often each label was given.")
    assert said.err == "This lists the labels. With them, accord sql --labels … writes the queries that count.\n"
    assert run("sql", *TABLE, "--quiet").err == ""


def test_a_folder_is_written_and_what_comes_next_is_said(tmp_path: Path) -> None:
    said = run("sql", *TABLE, "--labels", "1,2,3", "--ordered", "--by", "topic,week", "-o", "asked", folder=tmp_path)
    assert said.code == 0
    assert said.out.splitlines()[-1] == "Then: accord measure --results asked"
    manifest = json.loads((tmp_path / "asked" / "accord.json").read_text(encoding="utf-8"))
    assert (manifest["labels"], manifest["levels"], manifest["by"]) == ([1, 2, 3], "ordinal", ["topic", "week"])
    again = run("sql", *TABLE, "--labels", "1,2,3", "-o", "asked", folder=tmp_path)
    assert (again.code, "--force" in again.err) == (2, True)


def test_a_query_comes_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "rows.sql").write_text("SELECT * FROM answers -- all\n", encoding="utf-8")
    said = run("sql", "--dialect", "sqlite", "--query", "rows.sql", "--labels", "a,b", "--no-names", folder=tmp_path)
    assert "FROM (\nSELECT * FROM answers -- all\n  ) AS source" in said.out
    assert "-- pairs" not in said.out
    assert "no file 'none.sql'" in run("sql", "--dialect", "sqlite", "--query", "none.sql", folder=tmp_path).err
    (tmp_path / "rows.sql").write_bytes(b"\xff\xfe")
    assert "no text in UTF-8" in run("sql", "--dialect", "sqlite", "--query", "rows.sql", folder=tmp_path).err


def test_errors_name_the_options_of_the_command(tmp_path: Path) -> None:
    assert "--table answers or --query" in run("sql", "--dialect", "sqlite").err
    assert "Did you mean 'postgres'?" in run("sql", "--dialect", "postgresq", "--table", "a").err
    assert "name them: --labels …" in run("sql", *TABLE, "-o", str(tmp_path / "asked")).err
    assert "--annotators or --no-names, not both" in run("sql", *TABLE, "--annotators", "a,b", "--no-names").err
    assert "--dialect" in run("sql", "--table", "a").err


def test_json_holds_the_manifest_and_the_queries() -> None:
    told = json.loads(run("sql", *TABLE, "--labels", "no,yes", "--smallest-cell", "5", "--json").out)
    assert told["object"] == "queries"
    assert set(told["sql"]) == {query["name"] for query in told["queries"]}
