"""The race says what was run: figures that tests hold, versions that are pinned, verdicts that can go either way."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from benchmarks import peers, race
from docs.race_page import FEATURES, PACKAGES, race_parts, verdict
from tests.surface.test_docs import reference, text


@cache
def found() -> dict[str, Any]:
    run: dict[str, Any] = json.loads(race.RESULT.read_text(encoding="utf-8"))
    return run


def row(figure: float | None, **answer: Any) -> dict[str, Any]:
    return {"figure": figure, "tolerance": 0.0005, "answers": {"one": answer}}


def test_the_figures_of_the_race_are_those_that_are_kept_now() -> None:
    kept = [
        (table["name"], case["measure"], case["value"])
        for table in (*race.figures(), *race.undefined())
        for case in table["cases"]
    ]
    assert [(one["table"], one["measure"], one["figure"]) for one in found()["published"]] == kept


def test_the_peers_ran_in_the_versions_that_are_pinned() -> None:
    for home, (_, pinned) in peers.HOMES.items():
        ran = found()["versions"][home]
        assert {name: ran[name] for name in pinned} == pinned


def test_accord_is_right_wherever_there_is_a_figure() -> None:
    assert {verdict(one, "accord") for one in found()["published"]} == {"right"}


@pytest.mark.parametrize(
    ("asked", "word"),
    [
        (row(0.5, offered=False), "not offered"),
        (row(0.5, offered=True, value=0.5004), "right"),
        (row(0.5, offered=True, value=0.51), "wrong"),
        (row(0.5, offered=True, value=None), "none"),
        (row(0.5, offered=True, error="AssertionError"), "none"),
        (row(None, offered=True, value=1.0), "wrong"),
        (row(None, offered=True, value=None), "right"),
        (row(None, offered=True, error="ValueError"), "right"),
    ],
)
def test_an_answer_is_judged_by_the_figure(asked: dict[str, Any], word: str) -> None:
    assert verdict(asked, "one") == word


def test_every_package_of_the_race_is_on_the_page() -> None:
    timed = {name for one in found()["speed"] for name in one["packages"]}
    assert timed | set(race.ASKED_OF_TABLES) == set(PACKAGES)
    assert {name for said in FEATURES.values() for name in said} == set(PACKAGES)
    parts = race_parts(found())
    assert all(f"| {one['question']} | accord |" in parts["speeds"] for one in found()["speed"])
    assert reference.DOCS / "race.md" in reference.made()
    assert "{{" not in reference.made()[reference.DOCS / "race.md"]()


def test_what_is_wrong_is_told_with_what_was_said() -> None:
    wrong = [
        (package, one["table"])
        for one in found()["published"]
        for package in one["answers"]
        if verdict(one, package) in ("wrong", "none")
    ]
    told = race_parts(found())["wrongs"]
    assert wrong
    assert all(f"**{package}**" in told and table in told for package, table in wrong)
    assert text(reference.DOCS / "race.in.md").count("{{") == len(race_parts(found()))
