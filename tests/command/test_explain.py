"""`accord explain`: one library call, printed, in JSON, anonymous, and as a gate for builds."""

from __future__ import annotations

from pathlib import Path

import pytest

import accord
from accord.cli.option_spelling import Spelling
from accord.errors import one_of, remedy, spelled_by
from tests.command.running import DATA, TINY, run
from tests.command.test_command import as_json

NAMED = "item,annotator,label\n" + "".join(
    f"{item},{who},{label}\n"
    for item in range(40)
    for who, label in (("ana", "yes" if item % 2 else "no"), ("ben", "yes" if item % 3 else "no"), ("Zoe", "Yes"))
)


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """Three people, two ways to write yes, and little agreement."""
    path = tmp_path / "annotations.csv"
    path.write_text(NAMED, encoding="utf-8")
    return path


def test_explain_prints_what_the_library_says_in_its_own_options() -> None:
    said = run("explain", TINY, "--quiet")
    assert (said.code, said.err) == (0, "")
    with spelled_by(Spelling.others["explain"].spell):
        assert said.out == f"{accord.explain(accord.read(DATA / TINY))}\n"


def test_explain_says_first_what_was_read_unless_it_is_quiet() -> None:
    assert run("explain", TINY).out.startswith("Study of ")


def test_explain_in_json_keeps_the_schema(export: Path) -> None:
    told = as_json(run("explain", str(export), "--json"))
    assert told["object"] == "findings"
    assert "near-duplicate-labels" in [finding["name"] for finding in told["findings"]]


def test_the_target_is_a_kind_of_task_or_a_number(export: Path) -> None:
    assert "above 0.80 (objective tasks)" in run("explain", str(export), "-q", "--target", "objective").out
    assert "above 0.55." in " ".join(run("explain", str(export), "-q", "--target", "0.55").out.split())


def test_a_target_that_cannot_be_is_one_line_with_the_way_out(export: Path) -> None:
    said = run("explain", str(export), "--target", "objectve")
    assert said.code == 2
    assert said.err.startswith("accord: --target must be one of 'objective'")
    assert len(said.err.splitlines()) == 1


def test_explain_names_nobody_when_it_must_not(export: Path) -> None:
    assert "Zoe" in run("explain", str(export), "-q").out
    for form in ([], ["--json"]):
        said = run("explain", str(export), "-q", "--anonymise", *form)
        assert not any(name in said.out for name in ("ana ", '"ana"', "ben", "Zoe"))


def test_a_warning_fails_a_build_only_when_that_is_asked(export: Path) -> None:
    assert run("explain", str(export), "-q").code == 0
    assert run("explain", str(export), "-q", "--fail-on-warning").code == 1
    assert run("explain", str(export), "-q", "--fail-on-warning", "--json").code == 1


def test_nothing_to_compare_is_exit_code_three(tmp_path: Path) -> None:
    path = tmp_path / "alone.csv"
    path.write_text("item,annotator,label\n1,ana,yes\n2,ana,no\n", encoding="utf-8")
    said = run("explain", str(path), "-q")
    assert said.code == 3
    assert "undefined" in said.out


def test_hidden_marks_in_labels_cannot_steer_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "hostile.csv"
    rows = "".join(f"{n},a,\x1b[31mred\n{n},b,{'blue' if n % 2 else 'green'}\n" for n in range(30))
    path.write_text("item,annotator,label\n" + rows, encoding="utf-8")
    assert "\x1b" not in run("explain", str(path), "-q").out


def test_a_call_of_the_library_that_is_another_command_is_spelled_as_that() -> None:
    """It was `accord measure --interval dawid-skene or mace`: the keyword is `method` there too."""
    way = remedy("accord.gold", "study", method=one_of("dawid-skene", "mace"))
    assert Spelling.others["explain"].spell(way) == "accord gold --method dawid-skene or mace"
    assert Spelling.others["gold"].spell(way) == "--method dawid-skene or mace"
