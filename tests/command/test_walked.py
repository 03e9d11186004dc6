"""What a new user meets: one annotator, decisions, limits, mistakes in accord.toml, and numbers that are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
from tests.command.running import DATA, TINY, run

ALONE = "item,annotator,label\n1,ana,x\n2,ana,y\n3,ana,x\n"


@pytest.fixture
def alone(tmp_path: Path) -> str:
    (tmp_path / "alone.csv").write_text(ALONE, encoding="utf-8")
    return str(tmp_path / "alone.csv")


def test_of_one_annotator_nothing_can_be_measured(alone: str) -> None:
    said = run("doctor", alone)
    assert "Can be measured: nothing." in said.out
    assert "Agreement needs two annotators, and there is one" in said.out
    (variable,) = json.loads(run("doctor", alone, "--json").out)["variables"]
    assert variable["fits"] == []


def test_gold_of_one_annotator_decides_nothing(alone: str) -> None:
    assert "the labels are the answers given, without a confidence" in run("gold", alone).out
    assert any("No item has two answers" in note for note in accord.gold(accord.read(alone), method="majority").notes)


def test_labels_that_are_likelier_wrong_than_right_are_counted() -> None:
    random = np.random.default_rng(1)
    rows: list[dict[str, Any]] = []
    for item in range(80):
        truth = int(random.integers(4))
        for who, share in (("x", 0.75), ("y", 0.6), ("z", 0.55)):
            given = truth if random.random() < share else int(random.integers(4))
            rows.append({"item": item, "annotator": who, "label": "abcd"[given]})
    found = accord.gold(accord.Study(rows), method="one-coin")
    low = int((found.confidence[found.decided] < 0.5).sum())
    assert low > 1
    said = f"{low} items are decided with a confidence below 0.5: more likely wrong than right; a person should look."
    assert str(found).endswith(said)
    assert found.to_dict()["notes"][-1] == said
    decided = {item: "a" for item, sure in zip(found.study.items, found.confidence, strict=True) if sure < 0.5}
    assert found.decide(decided, by="lead").doubts == ()  # a person has looked
    assert accord.gold(accord.Study(rows), method="majority").doubts == ()


def test_gold_says_what_was_read_and_how_many_decisions_were_applied(tmp_path: Path) -> None:
    said = run("gold", TINY)
    assert said.out.startswith("Study of ")
    assert not run("gold", TINY, "--quiet").out.startswith("Study of ")
    study = accord.read(Path(__file__).parent / "data" / TINY)
    item, label = study.items[0], study.labels[0]
    filled = tmp_path / "filled.csv"
    filled.write_text(f"item,decision,decided_by\n{item},{label},lead\n", encoding="utf-8")
    assert "1 item decided by a person." in run("gold", TINY, "--decisions", str(filled)).out


# -- limits ------------------------------------------------------------------------------------------------------------


def test_a_limit_that_is_missed_says_as_what_the_labels_were_taken(tmp_path: Path) -> None:
    pairs = [(1, 2), (2, 2), (3, 4), (5, 5), (1, 2)]
    lines = [f"{item},{who},{label}" for item, pair in enumerate(pairs) for who, label in zip("ab", pair, strict=True)]
    (tmp_path / "stars.csv").write_text("\n".join(["item,annotator,label", *lines]), encoding="utf-8")
    said = run("measure", "stars.csv", "--fail-below", "0.9", folder=tmp_path)
    assert said.code == 1
    assert "The labels were taken as names; as an ordinal scale, Krippendorff's alpha is 0.776." in said.err
    assert "taken as names" not in run("measure", "stars.csv", "--level", "nominal", "--fail-below", "0.9",
                                       folder=tmp_path).err  # fmt: skip


def test_a_limit_that_meets_no_value_says_why(alone: str) -> None:
    said = run("measure", alone, "--fail-below", "0.5")
    assert said.code == 3
    assert said.err == (
        "accord: Krippendorff's alpha is undefined. Only one annotator answered, so there is nothing to compare.\n"
    )
    assert run("measure", alone).err == ""


# -- what was typed ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["measure", TINY, "--fail-below", "high"], "--fail-below must be a number; got 'high'. See accord measure"),
        (["gold", TINY, "--restarts=1.5"], "--restarts must be a whole number; got '1.5'. See accord gold --help."),
        (["measure", TINY, "--nosuch"], "No such option: --nosuch. See accord measure --help."),
    ],
)
def test_wrong_usage_is_told_in_sentences(typed: list[str], said: str) -> None:
    found = run(*typed)
    assert found.code == 2
    assert said in found.err


def test_nothing_after_the_name_shows_the_help_as_it_is() -> None:
    said = run()
    assert said.code == 2
    assert said.err == ""
    assert said.out.splitlines()[0] == "Usage: accord [OPTIONS] COMMAND [ARGS]..."
    assert len(said.out.splitlines()) > 15


# -- what a file says --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "command", "said"),
    [
        ('[read]\nanswers = "sets"', "measure", "[read] answers = 'sets': answers must be one of"),
        ('[read]\nlabel = "lable"', "measure", "[read] label = 'lable': tiny.csv: No column 'lable'"),
        ('[measure]\nlevel = "ordinl"', "measure", "[measure] level = 'ordinl': level must be one of"),
        ('[measure]\nlevel = {tone = "ordinal"}', "measure", "[measure] level = {'tone': 'ordinal'}: level names"),
        ('[measure]\nweights = "linaer"', "measure", "[measure] weights = 'linaer': weights must be one of"),
        ('[report]\nbenchmark = "landis"', "report", "[report] benchmark = 'landis': benchmark must be one of"),
    ],
)
def test_a_wrong_setting_is_told_as_one_of_the_file(tmp_path: Path, settings: str, command: str, said: str) -> None:
    (tmp_path / "tiny.csv").write_text((DATA / TINY).read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "accord.toml").write_text(settings, encoding="utf-8")
    found = run(command, "tiny.csv", folder=tmp_path)
    assert found.code == 2
    assert found.err.startswith(f"accord: accord.toml, {said}")
    assert "--" not in found.err


def test_a_wrong_option_is_told_as_one_though_the_file_has_the_same(tmp_path: Path) -> None:
    (tmp_path / "tiny.csv").write_text((DATA / TINY).read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "accord.toml").write_text('[read]\nanswers = "sets"', encoding="utf-8")
    assert run("measure", "tiny.csv", "--answers", "sets", folder=tmp_path).err.startswith("accord: --answers must be")


# -- names of measures -------------------------------------------------------------------------------------------------


def test_the_command_calls_measures_by_their_titles(tmp_path: Path) -> None:
    said = run("doctor", TINY).out
    assert "Light's kappa is the same measure for single labels" in said
    assert "light_kappa" not in said
    refused = accord.measure(accord.read(DATA / TINY)).left_out["rosenberg_binkowski_kappa"]
    assert "light_kappa is the same measure" in refused  # in Python, what one calls
    rows = ["item,annotator,label", "1,ana,a|b", "1,ben,a", "2,ana,b", "2,ben,b", "3,ana,a", "3,ben,b|a"]
    (tmp_path / "ranked.csv").write_text("\n".join(rows), encoding="utf-8")
    ranked = run("measure", "ranked.csv", "--separator", "|", "--answers", "ranked", folder=tmp_path).out
    assert "with its maximum." in ranked
    assert "p_curve" not in ranked
    sets = run("measure", "ranked.csv", "--separator", "|", "--answers", "set", folder=tmp_path).out
    assert "Bhowmick's A_m stands beside it." in sets
