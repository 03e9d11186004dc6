"""`accord plan`: from a pilot or from margins, in words and in JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import accord
from tests.command.running import DATA, TINY, run
from tests.command.test_command import as_json, golden

MODEL = ("plan", "--margins", "yes=.7,no=.3", "--value", ".7", "--seed", "1", "--simulations", "200")


def test_a_plan_from_a_pilot_is_one_library_call() -> None:
    said = as_json(run("plan", TINY, "--width", "0.5", "--seed", "1", "--simulations", "200", "--json"))
    expected = accord.plan(accord.read(DATA / TINY), width=0.5, rng=1, n_simulations=200)
    assert said["items"] == expected.items
    assert [row["width"] for row in said["buys"]] == pytest.approx(expected.buys(100)["width"], abs=1e-6)
    golden("plan.json", json.dumps(said, indent=1, ensure_ascii=False) + "\n")


def test_a_plan_from_margins_takes_the_number_of_annotators() -> None:
    said = run(*MODEL, "--annotators", "3", "--above", ".6")
    assert said.code == 0
    assert "items ± " in said.out
    assert "3 annotators and labels yes 0.7, no 0.3" in said.out
    assert "What other sizes would give" in said.out
    assert "What other sizes" not in run(*MODEL, "--annotators", "3", "--above", ".6", "--quiet").out


def test_a_target_out_of_reach_is_exit_code_3() -> None:
    said = run(*MODEL, "--above", ".9")
    assert said.code == 3
    assert said.out.startswith("No number of items gives")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("plan", "--width", "0.1"), "FILE, or --margins"),
        (("plan", TINY, "--margins", "a=.5,b=.5", "--width", "0.1"), "one of the two"),
        (("plan", TINY), "--width (of the interval) or --above"),
        (("plan", "--margins", "yes:.7", "--value", ".7", "--width", ".1"), "such as yes=.7,no=.3"),
        (("plan", "--margins", "=.7,no=.3", "--value", ".7", "--width", ".1"), "each label with its share"),
        ((*MODEL, "--annotators", "ana,ben", "--width", ".1"), "how many answer an item"),
        ((*MODEL, "--width", ".1", "--measure", "kohen_kappa"), "Did you mean 'cohen_kappa'?"),
    ],
)
def test_what_cannot_be_planned_is_one_line_with_the_way_out(arguments: tuple[str, ...], message: str) -> None:
    said = run(*arguments)
    assert (said.code, said.out) == (2, "")
    assert said.err.count("\n") == 1
    assert message in said.err


def test_one_of_several_variables_is_named_by_an_option(tmp_path: Path) -> None:
    path = tmp_path / "tasks.csv"
    rows = [
        f"{item},{who},{task},{(item * who) % 2}" for item in range(9) for who in (1, 2) for task in ("tone", "topic")
    ]
    path.write_text("\n".join(["item,annotator,task,label", *rows]), encoding="utf-8")
    asked = ("plan", str(path), "--task", "task", "--width", ".3")
    assert "choose one of the pilot's: --only tone." in run(*asked).err
    assert run(*asked, "--only", "tone").code != 2


@pytest.mark.parametrize(("options", "told"), [
    (("--margins", "yes=.7,yes=.3", "--value", ".7"), "--margins must name 'yes' once"),
    (("--margins", "yes=.7,no=.3", "--value", ".7", "--annotators", "²"), "--annotators is how many answer an item"),
    (("--margins", "yes=.7,no=.3"), "--margins needs --value: what the measure is supposed to be, for example --value"),
])  # fmt: skip
def test_plan_refuses_odd_margins_in_the_words_of_the_command(options: tuple[str, ...], told: str) -> None:
    said = run("plan", *options, "--width", ".1")
    assert (said.code, said.out) == (2, "")
    assert told in said.err


SCORES = str(Path(__file__).parents[2] / "examples" / "scored-answers.csv")


def test_scores_are_planned_by_the_reliability_of_their_mean() -> None:
    said = run("plan", SCORES, "--reliability", "0.9")
    assert said.code == 0
    assert said.out.startswith("3 annotators for a mean score with reliability 0.9 (absolute agreement")
    assert "What each part adds to the variance of a score" in said.out
    told = as_json(run("plan", SCORES, "--reliability", "0.9", "--consistency", "--json"))
    expected = accord.planning.decision_study(accord.read(SCORES), target=0.9, error="C")
    assert (told["error"], told["annotators"]) == ("C", expected.annotators)


def test_a_reliability_needs_scores() -> None:
    said = run("plan", TINY, "--reliability", "0.8")
    assert said.code == 2
    assert "needs numbers" in said.err
    assert "FILE with scores" in run("plan", "--margins", "a=.5,b=.5", "--value", ".5", "--reliability", "0.8").err
