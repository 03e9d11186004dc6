"""What is said of preferences: findings with a planted fault and without, the report, the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import accord
from tests.command.running import run
from tests.preferences.compared import drawn, of_counts

OF_PREFERENCES = {"position-effect", "another-order", "circular-preferences", "no-common-scale"}
EXAMPLE = str(Path(__file__).parents[2] / "examples" / "compared-answers.csv")


def names(rows: Any) -> list[str]:
    return [finding.name for finding in accord.explain(rows) if finding.name in OF_PREFERENCES]


def test_a_study_without_a_fault_is_told_none() -> None:
    assert names(drawn(11)) == []


def test_a_planted_order_effect_is_told_once() -> None:
    found = [finding for finding in accord.explain(drawn(12, first=1.2)) if finding.name == "position-effect"]
    assert len(found) == 1
    assert "prefer what stands first" in found[0].says
    assert found[0].severity == "warning"


def test_who_ranks_backwards_is_named_and_nobody_else() -> None:
    found = [finding for finding in accord.explain(drawn(13, rebel=True)) if finding.name == "another-order"]
    assert [finding.annotators for finding in found] == [("j0",)]


def test_somebody_who_goes_in_circles_under_one_prompt_is_told() -> None:
    rows = []
    for prompt in range(30):
        for who, circle in (("ana", "ab bc ac"), ("coin", "ab bc ca" if prompt % 3 == 0 else "ab bc ac")):
            for pair in circle.split():
                row = {"item": prompt, "annotator": who, "label": pair[0], "first": pair[0], "second": pair[1]}
                rows.append(row)
    found = [finding for finding in accord.explain(rows) if finding.name == "circular-preferences"]
    assert [finding.annotators for finding in found] == [("coin",)]
    assert "10 of 30 triads under one prompt" in found[0].says


def test_options_that_never_met_are_a_warning() -> None:
    rows = of_counts([("A", "B", 3, 2, 0), ("D", "C", 2, 2, 1)])
    assert names(rows) == ["no-common-scale"]


def test_the_report_draws_the_options_in_tiers(tmp_path: Path) -> None:
    accord.report(drawn(1), tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Options in order" in page
    assert "tier 1" in page
    assert "What stands first is preferred in" in page


def test_the_report_says_why_there_are_no_strengths(tmp_path: Path) -> None:
    accord.report(of_counts([("A", "B", 3, 2, 0), ("D", "C", 2, 2, 1)]), tmp_path / "report.md")
    assert "never met" in (tmp_path / "report.md").read_text(encoding="utf-8")


def test_the_command_measures_preferences_with_nothing_else_to_learn() -> None:
    said = run("measure", EXAMPLE)
    assert said.code == 0
    lines = said.out.splitlines()
    first = next(place for place, line in enumerate(lines) if line.startswith("coefficient"))
    assert lines[first + 1].startswith("Krippendorff's alpha (ordinal)")
    assert "in 3 tiers that can be told apart" in said.out
    told = json.loads(run("measure", EXAMPLE, "--json").out)
    assert told["order"]["tiers"] == [["amber", "basil"], ["cedar"], ["dune"]]


def test_the_command_promises_no_strengths_where_there_are_none(tmp_path: Path) -> None:
    file = tmp_path / "battles.csv"
    file.write_text("prompt,model_a,model_b,judge,winner\n" + "".join(f"p{n},g,h,x,model_a\n" for n in range(5)))
    said = run("measure", str(file))
    assert "no strengths" in said.out
    assert "has the strengths" not in said.out


def test_the_command_tells_strengths_with_the_gold() -> None:
    said = run("gold", EXAMPLE, "--method", "majority")
    assert "Strengths of 4 options" in said.out
    assert json.loads(run("gold", EXAMPLE, "--method", "majority", "--json").out)["order"]["n_comparisons"] == 300


def test_battles_that_nobody_judged_twice_have_an_order_and_no_agreement(tmp_path: Path) -> None:
    file = tmp_path / "arena.csv"
    rows = ["id,model_a,model_b,winner,judge"]
    rows += [f"{n},{a},{b},{w},u{n}" for n, (a, b, w) in enumerate(
        [("x", "y", "model_a"), ("y", "x", "model_a"), ("x", "z", "tie"), ("z", "y", "model_b"), ("y", "z", "model_b")]
    )]  # fmt: skip
    file.write_text("\n".join(rows), encoding="utf-8")
    said = run("measure", str(file))
    assert "Agreement needs two answers to an item" in said.out
    assert "Bradley–Terry, 5 comparisons" in said.out


def test_a_judges_taste_for_its_own_takes_sides_in_the_words_of_the_export() -> None:
    rows = [
        {"id": pair, "judge": who, "model_a": "gpt", "model_b": "other", "winner": winner}
        for pair in range(8)
        for who, winner in (("ana", "model_a" if pair % 2 else "model_b"), ("gpt-4", "model_a"))
    ]
    sides = ["model_a", "model_b"]
    found = accord.judge.self_preference(rows, authors=sides, sides=sides, model="gpt-4", own="gpt")
    assert (found.judge_wins, found.people_wins) == (1.0, 0.5)


@pytest.mark.parametrize("command", ["measure", "explain"])
def test_the_command_names_the_row_of_a_preference_that_cannot_be(tmp_path: Path, command: str) -> None:
    file = tmp_path / "arena.csv"
    file.write_text("id,model_a,model_b,winner,judge\n1,x,y,x,u1\n2,x,y,z,u2\n3,x,y,tie,u3\n", encoding="utf-8")
    said = run(command, str(file))
    assert said.code != 0
    assert "'z' is none of the two options compared in row 2" in said.err
    assert "--missing z" in said.err
