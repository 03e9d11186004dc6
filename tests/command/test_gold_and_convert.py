"""`accord gold` and `accord convert`: one library call each, and files that are whole."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import accord
from tests.command.running import DATA, TINY, run
from tests.command.test_command import as_json, golden


def test_gold_writes_one_row_an_item(tmp_path: Path) -> None:
    target = tmp_path / "gold.csv"
    said = run("gold", TINY, "--method", "majority", "-o", str(target))
    assert said.code == 0
    assert f"The gold standard is in {target}" in said.out
    rows = list(csv.DictReader(target.read_text(encoding="utf-8").splitlines()))
    expected = accord.gold(accord.read(DATA / TINY), method="majority")
    assert [row["item"] for row in rows] == [str(item) for item in expected.to_table()["item"]]
    assert [row["label"] for row in rows if row["label"]] == [
        str(label) for label in expected.labels if label is not None
    ]


def test_gold_tells_the_same_in_json_with_a_seed() -> None:
    one, other = (
        run("gold", TINY, "--ties", "random", "--method", "majority", "--seed", "3", "--json") for _ in range(2)
    )
    assert one == other
    golden("gold.json", json.dumps(as_json(one), indent=1, ensure_ascii=False) + "\n")


def test_gold_by_an_unknown_method_is_one_line_with_the_way_out() -> None:
    said = run("gold", TINY, "--method", "majorty")
    assert (said.code, said.out) == (2, "")
    assert said.err.count("\n") == 1
    assert "Did you mean 'majority'?" in said.err


def test_convert_writes_a_long_table_that_reads_as_the_same_study(tmp_path: Path) -> None:
    for ending in ("csv", "jsonl", "parquet"):
        target = tmp_path / f"long.{ending}"
        assert run("convert", TINY, "-o", str(target)).code == 0
        here, there = (accord.fleiss_kappa(accord.read(path)) for path in (DATA / TINY, target))
        assert here.value == there.value


def test_convert_tells_what_it_wrote_in_json(tmp_path: Path) -> None:
    told = as_json(run("convert", TINY, "-o", str(tmp_path / "long.csv"), "--json"))
    told["path"] = Path(told["path"]).name
    golden("convert.json", json.dumps(told, indent=1, ensure_ascii=False) + "\n")


def test_convert_to_an_unknown_ending_leaves_no_file(tmp_path: Path) -> None:
    said = run("convert", TINY, "-o", str(tmp_path / "long.docx"))
    assert said.code == 2
    assert ".parquet" in said.err
    assert not list(tmp_path.iterdir())
