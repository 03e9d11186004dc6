"""Half a character, as of a text that was cut within an emoji: no file can hold it, and no command breaks on it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import accord
from tests.command.running import run

HALF = "\ud83d"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    rows = [
        {"item": item, "annotator": who, "label": f"x{HALF}" if item % 2 else "y", "text": f"great {HALF}"}
        for item in range(6)
        for who in ("a", "b")
    ]
    path = tmp_path / "cut.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    return path


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".jsonl", ".parquet"])
def test_a_long_table_is_written_and_read_again(file: Path, ending: str) -> None:
    target = file.with_suffix(f".out{ending}")
    assert run("convert", str(file), "-o", str(target)).code == 0
    assert len(accord.read(target).labels) == 2


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet"])
def test_gold_is_written(file: Path, ending: str) -> None:
    target = file.with_suffix(f".gold{ending}")
    assert run("gold", str(file), "-o", str(target)).code == 0
    assert len(accord.read(target, item="item", label="label", annotator="source").labels) == 2


@pytest.mark.parametrize("ending", [".html", ".md", ".tex"])
def test_a_report_is_written(file: Path, ending: str) -> None:
    target = file.with_suffix(f".report{ending}")
    assert run("report", str(file), "-o", str(target)).code == 0
    assert "Cohen" in target.read_text("utf-8")
