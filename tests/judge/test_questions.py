"""Further questions about models: on the command line and as JSON of the schema."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

import accord
from accord import Study, judge
from accord.cli.judge import ABOUT
from accord.errors import AccordError
from accord.judge.questions import QUESTIONS, results_about
from tests.command.running import run

EXAMPLES = Path(__file__).parents[2] / "examples"
SCHEMA: dict[str, Any] = json.loads(files("accord").joinpath("schema.json").read_text(encoding="utf-8"))


def judged() -> Study:
    return accord.read(EXAMPLES / "judged-answers.csv")


def repeated() -> Study:
    return accord.read(EXAMPLES / "repeated-runs.csv", duplicates="repeat")


def part() -> Study:
    """People have the first forty items, models all."""
    study = judged()
    item, annotator, *_ = study._annotations.rows
    people = [study.annotators.index(name) for name in ("ana", "ben", "chloe", "dario")]
    return study._where((item < 40) | ~np.isin(annotator, people))


def pairs() -> Study:
    """Two verdicts of a judge on each pair, by two people too; lengths and authors with them."""
    rows = [
        (pair, who, label, order, 10 + pair, 20 - pair % 3, *(("gpt", "llama") if pair % 2 else ("llama", "gpt")))
        for pair in range(12)
        for who, order, label in (
            ("gpt", "ab", "1" if pair % 3 else "2"), ("gpt", "ba", "1" if pair % 4 else "2"),
            ("ana", "ab", "1" if pair % 5 else "2"), ("ben", "ab", "2" if pair % 3 else "1"),
        )
    ]  # fmt: skip
    names = ("item", "annotator", "label", "order", "long1", "long2", "first_by", "second_by")
    return Study(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)), duplicates="repeat")


def once() -> Study:
    study = pairs()
    return study._where(study._column("order").codes == 0)


SIDES: dict[str, Any] = {"model": "gpt", "sides": ("1", "2")}
RESULTS: dict[str, Callable[[], Any]] = {
    "self_consistency": lambda: judge.self_consistency(repeated(), facets=["prompt"], gold="gold"),
    "calibrate": lambda: judge.calibrate([0.5, 1.0], [0, 1]),
    "position_bias": lambda: judge.position_bias(pairs(), order="order", model="gpt"),
    "label_bias": lambda: judge.label_bias(judged(), model="hasty"),
    "self_preference": lambda: judge.self_preference(once(), authors=("first_by", "second_by"), **SIDES),
    "verbosity_bias": lambda: judge.verbosity_bias(once(), lengths=("long1", "long2"), **SIDES),
    "panel": lambda: judge.panel(judged()),
    "prediction_powered_mean": lambda: judge.prediction_powered_mean([1, 0, 1, 1], [1, 0, 0, 1], [0, 1, 1, 1]),
    "corrected_shares": lambda: judge.corrected_shares(part()),
    "corrected_agreement": lambda: judge.corrected_agreement(part()),
    "allocate": lambda: judge.allocate(correlation=0.5, person_cost=1, model_cost=0.1, budget=50),
    "anchoring_effect": lambda: judge.anchoring_effect(
        Study({"item": [1, 1, 2, 2], "annotator": ["a", "b"] * 2, "label": list("xxyx"), "saw": [1, 0, 1, 0]}),
        shown="saw", suggested={1: "x", 2: "y"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("question", RESULTS)
def test_every_result_is_json_of_the_schema_and_prints(question: str) -> None:
    found = RESULTS[question]()
    described = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    jsonschema.Draft202012Validator(SCHEMA).validate(described)
    assert (described["object"], described["question"]) == ("judgement", question)
    assert str(found)
    with pytest.raises(AttributeError):
        found.notes = ()  # frozen


@pytest.mark.parametrize("name", [name for name in judge.__all__ if name[0].islower()])
def test_every_function_says_what_it_does(name: str) -> None:
    assert getattr(judge, name).__doc__


def test_the_command_offers_the_questions_there_are() -> None:
    assert tuple(sorted(QUESTIONS)) == ABOUT


@pytest.mark.parametrize(
    ("about", "says"),
    [
        ("labels", "The label distribution of flatterer differs"),
        ("panel", "independent judges of 3"),
        ("suggestions", "DiPietro–Hazari kappa by suggester"),
    ],
)
def test_the_command_asks_about_models(about: str, says: str) -> None:
    said = run("judge", str(EXAMPLES / "judged-answers.csv"), "--about", about)
    assert said.code == 0
    assert says in said.out


def test_the_command_asks_about_repeated_runs() -> None:
    given = ["judge", str(EXAMPLES / "repeated-runs.csv"), "--duplicates", "repeat", "--about", "consistency"]
    said = run(*given, "--facets", "prompt,temperature", "--gold", "gold")
    assert said.code == 0
    assert "item × prompt" in said.out
    assert json.loads(run(*given, "--json").out)["question"] == "self_consistency"


def test_several_answers_are_one_json() -> None:
    described = json.loads(run("judge", str(EXAMPLES / "judged-answers.csv"), "--about", "labels", "--json").out)
    jsonschema.Draft202012Validator(SCHEMA).validate(described)
    assert [result["values"]["model"] for result in described["results"]] == ["careful", "flatterer", "hasty"]


def test_the_command_refuses_what_cannot_be_asked() -> None:
    file = str(EXAMPLES / "judged-answers.csv")
    said = run("judge", file, "--about", "consistency")
    assert said.code not in (0, 1)
    assert "answered every item once" in said.err
    assert "is for the verdict" in run("judge", file, "--about", "panel", "--measure", "alpha").err


def test_models_that_are_named_and_never_repeat_are_runs_of_one() -> None:
    found = results_about(judged(), "consistency", models=["careful", "hasty"])
    assert len(found) == 1
    assert found[0].n_items == 149


def test_shares_and_positions_are_asked_too() -> None:
    assert results_about(part(), "shares")[0].n_people == 40
    assert results_about(pairs(), "position", models=["gpt"], order="order")[0].n_pairs == 12
    with pytest.raises(AccordError, match="about must be one of"):
        results_about(judged(), "everything")


def test_whoever_is_named_as_a_model_is_nobodys_person() -> None:
    people = {"ana": list("aabbab" * 6), "ben": list("aabbaa" * 6)}
    study = Study.from_wide({**people, "gpt": list("aabbab" * 6), "coin": list("ababab" * 6)})
    found = results_about(study, "labels", models=["gpt", "coin"])
    alone = judge.label_bias(study, model="gpt", people=["ana", "ben"])
    assert found[0].table.to_dict() == alone.table.to_dict()
