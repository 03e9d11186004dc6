"""What commands write: never over what is there unless asked, to the standard output where that is named."""

from __future__ import annotations

import errno
import json
import os
from contextlib import ExitStack
from pathlib import Path
from unittest import mock

import pytest

import accord
from accord.engine import whole_file
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


WRITING = {
    "convert": ("convert", TINY, "-o", "out.csv"),
    "report": ("report", TINY, "-o", "out.html"),
    "gold": ("gold", TINY, "-o", "out.csv"),
    "queue": ("gold", TINY, "--queue-file", "out.csv"),
    "paper": ("paper", TINY, "-o", "out.tex"),
    "tally": ("tally", TINY, "-o", "out.tally"),
    "sql": ("sql", "--table", "answers", "--dialect", "duckdb", "--labels", "x,y", "-o", "queries"),
    "publish": ("publish", TINY, "-o", "pages"),
}
STEPS = {"one step": (), "two names": ("moved_to_free",), "neither": ("moved_to_free", "link")}


@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("command", WRITING)
def test_what_appears_while_a_command_is_at_work_is_not_replaced(command: str, steps: str, folder: Path) -> None:
    """The last thing before the file takes its place is that the disk takes it: then somebody else writes it."""
    target = folder / WRITING[command][-1]
    target = target / "accord.json" if command == "sql" else target
    flush = whole_file._flush

    def meanwhile(path: Path) -> None:
        flush(path)
        if path.name.startswith(f".{target.name}") and not target.exists():
            (target / "x" if command == "publish" else target).parent.mkdir(exist_ok=True)
            (target / "x" if command == "publish" else target).write_text("precious", encoding="utf-8")

    without = STEPS[steps]
    with ExitStack() as changed:
        changed.enter_context(mock.patch.object(whole_file, "_flush", meanwhile))
        if "moved_to_free" in without:
            changed.enter_context(mock.patch.object(whole_file, "moved_to_free", return_value=False))
        if "link" in without:
            changed.enter_context(mock.patch.object(os, "link", side_effect=PermissionError(errno.EPERM, "no links")))
        said = run(*WRITING[command], folder=folder)
    assert said.code == 2
    assert "was not there before, and is now" in said.err
    assert (target / "x" if command == "publish" else target).read_text(encoding="utf-8") == "precious"
    assert not [path.name for path in target.parent.iterdir() if path.name.endswith(".part")]
    if command != "publish":
        assert "--force" in said.err
        assert run(*WRITING[command], "--force", folder=folder).code in (0, 3)
        assert target.read_bytes() != b"precious"


@pytest.mark.parametrize("force", [(), ("--force",)])
@pytest.mark.parametrize("command", [name for name in WRITING if name not in ("sql", "publish")])
def test_what_cannot_be_written_is_told_before_anything_is_worked_out(
    command: str, force: tuple[str, ...], folder: Path
) -> None:
    name, _, *words, target = WRITING[command]
    said = run(name, "missing.csv", *words, f"nowhere/{target}", *force, folder=folder)
    assert (said.code, said.out) == (2, "")
    assert "there is no folder 'nowhere'" in said.err


@pytest.mark.parametrize("steps", STEPS)
def test_a_new_file_is_written_in_however_many_steps_it_takes(steps: str, folder: Path) -> None:
    with ExitStack() as changed:
        if "moved_to_free" in STEPS[steps]:
            changed.enter_context(mock.patch.object(whole_file, "moved_to_free", return_value=False))
        if "link" in STEPS[steps]:
            changed.enter_context(mock.patch.object(os, "link", side_effect=PermissionError(errno.EPERM, "no links")))
        assert run("convert", TINY, "-o", "out.csv", folder=folder).code == 0
    assert sorted(path.name for path in folder.iterdir()) == ["out.csv", TINY]
    assert (folder / "out.csv").stat().st_nlink == 1


def test_what_lies_where_the_scales_of_a_table_are_kept_is_not_replaced(folder: Path) -> None:
    (folder / "out.csv.scale.json").write_text("precious", encoding="utf-8")
    said = run("convert", TINY, "-o", "out.csv", folder=folder)
    assert (said.code, "holds something else" in said.err) == (2, True)
    assert (folder / "out.csv.scale.json").read_text(encoding="utf-8") == "precious"
    assert not (folder / "out.csv").exists()


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


@pytest.mark.parametrize(
    "line",
    [
        ("paper", "-o", "one.md"),
        ("tally", "-o", "one.tally"),
        ("gold", "-o", "one.csv"),
        ("gold", "--queue", "3", "--queue-file", "one.csv"),
        ("report", "-o", "one.json"),
    ],
    ids=" ".join,
)
def test_the_key_to_names_is_not_written_over(line: tuple[str, ...], folder: Path) -> None:
    said = run(line[0], TINY, *line[1:], "--anonymise", "--key", f"./{line[-1]}", folder=folder)
    assert (said.code, "are one file" in said.err) == (2, True), said.err
    assert [path.name for path in folder.iterdir()] == [TINY]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("report tiny.csv --format md -o r.html", "--format says what the standard output gets"),
        ("convert tiny.csv --format csv -o r.jsonl", "--format says what the standard output gets"),
        ("gold tiny.csv --force", "--force replaces files, and none is written here"),
        ("sql --dialect sqlite --table a --force", "--force replaces files, and none is written here"),
        ("paper tiny.csv --force", "--force replaces files, and none is written here"),
        ("paper tiny.csv --width 100 -o p.md", "--width is of a figure, and none is written here"),
        ("gold tiny.csv --queue-names", "--queue-names says what a queue shows, and none is asked for"),
        ("gold tiny.csv --no-text -o g.csv", "--no-text says what a queue shows, and none is asked for"),
        ("publish tiny.csv --show-names --key k.json", "--key says who is who where names are hidden"),
        ("measure tiny.csv --anonymise --key -", "--key must name a file"),
        (
            "sql --dialect sqlite --table a --labels a,b -o tiny.csv",
            "'tiny.csv' is a file, and the queries need a folder",
        ),
    ],
)
def test_an_option_that_would_do_nothing_is_an_error(line: str, said: str, folder: Path) -> None:
    found = run(*line.split(), folder=folder)
    assert (found.code, said in found.err) == (2, True), found.err
    assert [path.name for path in folder.iterdir()] == [TINY]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("gold tiny.csv --method mace -o g.csv --checkpoint ./g.csv", "--output and --checkpoint are one file"),
        ("gold tiny.csv --method mace --queue-file q.csv --checkpoint q.csv", "--queue-file and --checkpoint are one"),
        ("paper tiny.csv -o p.md -o ./p.md", "--output names one file twice, 'p.md'. Name two, or one once."),
    ],
)
def test_no_output_is_written_over_by_another(line: str, said: str, folder: Path) -> None:
    found = run(*line.split(), folder=folder)
    assert (found.code, said in found.err) == (2, True), found.err
    assert [path.name for path in folder.iterdir()] == [TINY]


def test_two_names_of_a_file_that_is_not_there_yet_are_one(folder: Path) -> None:
    (folder / "p.csv").symlink_to("p.md")
    found = run("paper", TINY, "-o", "p.md", "-o", "p.csv", folder=folder)
    assert (found.code, "names one file twice" in found.err) == (2, True), found.err


@pytest.mark.parametrize("output", ["pages", "./pages", "link"])
def test_what_is_published_does_not_take_what_is_read_with_it(output: str, folder: Path) -> None:
    assert run("publish", TINY, "-o", "pages", "-q", folder=folder).code == 0
    (folder / "link").symlink_to("pages")
    before = (folder / "pages" / "gold.csv").read_bytes()
    roles = ("--item", "item", "--label", "label", "--annotator", "source")
    found = run("publish", "pages/gold.csv", "-o", output, *roles, folder=folder)
    assert (found.code, "is read here, and lies in the folder that would be replaced" in found.err) == (2, True)
    assert (folder / "pages" / "gold.csv").read_bytes() == before
    assert run("publish", TINY, "-o", output, "-q", folder=folder).code == 0
