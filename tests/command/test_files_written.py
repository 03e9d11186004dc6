"""What commands write: never over what is there unless asked, to the standard output where that is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import accord
from tests.command.running import DATA, TINY, run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / TINY).write_bytes((DATA / TINY).read_bytes())
    return tmp_path


def test_convert_does_not_write_over_its_source(folder: Path) -> None:
    before = (folder / TINY).read_bytes()
    said = run("convert", TINY, "-o", TINY, folder=folder)
    assert said.code == 2
    assert "is read here" in said.err
    assert "--force" in said.err
    assert (folder / TINY).read_bytes() == before


@pytest.mark.parametrize(("command", "name"), [("convert", "out.csv"), ("report", "report.html"), ("report", "r.md")])
def test_a_file_that_exists_is_replaced_only_when_asked(command: str, name: str, folder: Path) -> None:
    (folder / name).write_text("precious", encoding="utf-8")
    said = run(command, TINY, "-o", name, folder=folder)
    assert said.code == 2
    assert "exists already" in said.err
    assert (folder / name).read_text(encoding="utf-8") == "precious"
    assert run(command, TINY, "-o", name, "--force", folder=folder).code == 0
    assert (folder / name).read_text(encoding="utf-8") != "precious"


def test_convert_prints_where_no_file_is_named(folder: Path) -> None:
    said = run("convert", TINY, folder=folder)
    assert said.out.startswith("item,annotator,label")
    assert [path.name for path in folder.iterdir()] == [TINY]
    (folder / "again.csv").write_text(said.out, encoding="utf-8")
    assert accord.read(folder / "again.csv").n_annotations == accord.read(folder / TINY).n_annotations


def test_the_standard_output_has_the_format_that_is_asked_for(folder: Path) -> None:
    lines = run("convert", TINY, "-o", "-", "--format", "jsonl", folder=folder).out.splitlines()
    assert {"item", "annotator", "label"} <= set(json.loads(lines[0]))
    assert run("report", TINY, "-o", "-", "--format", "md", folder=folder).out.startswith("# ")
    assert run("gold", TINY, "-o", "-", folder=folder).out.startswith("item,")


@pytest.mark.parametrize("command", ["convert", "gold", "report"])
def test_two_things_do_not_share_the_standard_output(command: str, folder: Path) -> None:
    said = run(command, TINY, "-o", "-", "--json", folder=folder)
    assert said.code == 2
    assert "both write to the standard output" in said.err


def test_a_printed_report_cannot_keep_who_is_who(folder: Path) -> None:
    assert "--anonymise keeps who is who in a file" in run("report", TINY, "-o", "-", "--anonymise", folder=folder).err


def test_quiet_prints_what_was_asked_for(folder: Path) -> None:
    said = run("gold", TINY, "-q", "--queue", "3", "--show-annotators", folder=folder)
    assert "Items to decide" in said.out
    assert "Annotators" in said.out
    assert "Gold by" not in said.out
    assert run("gold", TINY, "-q", folder=folder).out == ""
