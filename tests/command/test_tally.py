"""`accord tally`, and the commands that take what it writes."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tests.command.running import run
from tests.study.test_tallies import table
from tests.surface.test_objects import SCHEMA


def csv(folder: Path, name: str, seed: int, first: int) -> Path:
    data = table(seed=seed, first=first)
    lines = [",".join(data), *(",".join(cell or "" for cell in row) for row in zip(*data.values(), strict=True))]
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / name


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two weeks, as rows and as tallies."""
    for week, seed, first in ((1, 1, 0), (2, 2, 40)):
        csv(tmp_path, f"w{week}.csv", seed, first)
        said = run("tally", f"w{week}.csv", "-o", f"w{week}.tally", "--by", "lang", "--cluster", "doc", folder=tmp_path)
        assert (said.code, said.err) == (0, "")
        assert f"The tally is in w{week}.tally:" in said.out
        assert "with who answered what" in said.out
    return tmp_path


def test_measuring_a_tally_prints_what_measuring_its_rows_prints(folder: Path) -> None:
    for options in (
        (),
        ("--by", "lang"),
        ("--by-pair",),
        ("--by-label", "--format", "csv"),
        ("--interval", "bootstrap"),
    ):
        rows = run("measure", "w1.csv", "--cluster", "doc", "-q", *options, folder=folder)
        sums = run("measure", "w1.tally", "-q", *options, folder=folder)
        assert (sums.code, sums.out) == (rows.code, rows.out)


def test_weeks_are_compared(folder: Path) -> None:
    said = run("measure", "w1.tally", "w2.tally", "--by", "shard", folder=folder)
    assert said.code == 0
    assert "2 tallies added up; --by shard compares them" in said.out
    assert "The groups are not shown to differ" in said.out


@pytest.mark.parametrize("command", ["explain", "plan"])
def test_other_commands_take_tallies(command: str, folder: Path) -> None:
    options = ["--width", "0.2"] if command == "plan" else []
    assert run(command, "w1.tally", "w2.tally", "-q", *options, folder=folder).code == 0


def test_comparing_two_tallies(folder: Path) -> None:
    said = run("compare", "w1.tally", "w2.tally", folder=folder)
    assert said.code == 0, said.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("gold", "w1.tally"), "not which they are"),
        (("measure", "w1.tally", "--by", "topic"), "make the tally again with that column"),
        (("measure", "w1.tally", "--item", "id"), "--item is about reading annotations"),
        (("tally", "w1.csv", "-o", "w1.parquet"), "must end in .tally"),
        (("tally", "w1.csv", "-o", "w1.tally"), "exists already"),
        (("tally", "w1.csv", "-o", "x.tally", "--by", "annotator"), "must say one thing of an item"),
        (("tally", "w1.csv", "-o", "x.tally", "--by", "annotator", "--anonymise"), "names the annotators"),
    ],
)
def test_what_cannot_be_is_said_in_a_line(arguments: tuple[str, ...], words: str, folder: Path) -> None:
    said = run(*arguments, folder=folder)
    assert (said.code, said.out) == (2, "")
    assert words in said.err


def test_codes_drawn_for_one_tally_are_nobody_in_another(folder: Path) -> None:
    for week in (1, 2):
        assert run("tally", f"w{week}.csv", "-o", f"a{week}.tally", "--anonymise", "-q", folder=folder).code == 0
    refused = run("measure", "a1.tally", "a2.tally", folder=folder)
    assert "may be somebody else. Write them with one key (--key …)" in refused.err
    assert "accord tally --no-named" in refused.err


def test_one_key_makes_codes_of_several_tallies_one_person(folder: Path) -> None:
    for week in (1, 2):
        options = ("--anonymise", "--key", "key.json", "-q")
        assert run("tally", f"w{week}.csv", "-o", f"k{week}.tally", *options, folder=folder).code == 0
    coded = run("measure", "k1.tally", "k2.tally", "--measure", "conger_kappa", "-q", folder=folder)
    plain = run("measure", "w1.csv", "w2.csv", "--measure", "conger_kappa", "-q", folder=folder)
    assert coded.out == plain.out
    assert b'"a"' not in (folder / "k1.tally").read_bytes()


def test_what_was_written_is_told_as_json(folder: Path) -> None:
    said = run("tally", "w1.csv", "-o", "j.tally", "--no-named", "--no-item-sketch", "--json", folder=folder)
    told = json.loads(said.out)
    jsonschema.validate(told, SCHEMA)
    assert (told["items"], told["named"], told["columns"]) == (40, False, [])
