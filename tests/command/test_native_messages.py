"""Threads of Polars print their panics past Python; a user of the command reads a line of accord's instead."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from tests.command.running import Said, piped
from tests.readers.corruption import damaged

PRINTING = """
import os, sys
from accord.cli.native_messages import panics_put_aside
with panics_put_aside(lambda: {shown}):
    os.write(2, {native!r})
    print("told by accord", file=sys.stderr)
os.write(2, b"afterwards")
"""
PANIC = b"thread 'one' panicked at some.rs:1:1:\n"


def printed(native: bytes, *, shown: bool = False) -> str:
    script = PRINTING.format(native=native, shown=shown)
    return subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True).stderr


def test_a_panic_is_not_shown() -> None:
    assert printed(PANIC) == "told by accord\nafterwards"


def test_a_panic_is_shown_to_who_looks_for_mistakes() -> None:
    assert printed(PANIC, shown=True) == f"told by accord\n{PANIC.decode()}afterwards"


def test_what_else_is_printed_past_python_is_told_at_the_end() -> None:
    assert printed(b"out of room\n") == "told by accord\nout of room\nafterwards"


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Answers with lists of labels in a Parquet file."""
    path = tmp_path_factory.mktemp("parquet") / "answers.parquet"
    given = {"item": [row // 2 for row in range(80)], "annotator": ["a", "b"] * 40, "label": [["x"], ["x", "y"]] * 40}
    pl.DataFrame(given).write_parquet(path)
    return path


@pytest.mark.parametrize("seed", [248, 690, 1039])  # on which threads of Polars 2.1 panic
def test_a_damaged_parquet_file_is_told_in_a_line(seed: int, answers: Path, tmp_path: Path) -> None:
    path = tmp_path / "damaged.parquet"
    path.write_bytes(damaged(answers.read_bytes(), random.Random(seed)))
    said: Said = piped("measure", str(path), RUST_BACKTRACE="1")
    assert said.err == "" or (said.err.startswith("accord: ") and said.err.count("\n") == 1), said.err
    assert "panicked" not in said.err
    assert "unwrap" not in said.err
