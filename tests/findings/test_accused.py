"""Nobody is accused wrongly: not for two camps, copies, three people, models, or another reading of a scale."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accord
from accord.findings import Findings, explain
from accord.findings.dependence import p_of_dependence
from accord.findings.study_view import View
from accord.measures.measure_all import among_annotators
from tests.findings.planted import Cells, guessed

ACCUSING = {"unreliable-annotator", "outlying-annotator", "outlying-annotators"}

# A published set of six 0/1 answers to 1,052 items: three of a control group, then three of the group concerned.
TWO_CAMPS = {
    "000000": 762, "000111": 62, "000110": 56, "000010": 51, "000001": 24, "000100": 20, "000011": 18, "111111": 13,
    "000101": 12, "001111": 10, "101111": 9, "100111": 8, "010111": 7,
}  # fmt: skip


def names(found: Findings) -> set[str]:
    return {finding.name for finding in found}


def view_of(cells: Any) -> View:
    study = accord.Study.from_wide(cells)
    return View(study, among_annotators(study), 0.7)


def copied(seed: int, people: int, items: int, share: float) -> Cells:
    """Equally good annotators, of whom the second takes a share of the answers from the first."""
    rng = np.random.default_rng([seed, people])
    cells = guessed(rng, items, (0.82,) * people)
    cells[:, 1] = np.where(rng.random(items) < share, cells[:, 0], cells[:, 1])
    return cells


# -- two camps ---------------------------------------------------------------------------------------------------------


def test_nobody_is_unreliable_whose_leaving_lowers_the_value() -> None:
    rows = [list(map(int, pattern)) for pattern, number in TWO_CAMPS.items() for _ in range(number)]
    found = explain(accord.Study.from_wide(rows))
    assert not ACCUSING & names(found)
    (camps,) = found["annotator-clusters"]
    assert (camps.severity, camps.annotators) == ("warning", ("4", "5", "6", "1", "2", "3"))
    assert "subjective-task" not in names(found)  # disagreement does not spread evenly
    without = accord.findings.leave_one_out(rows)
    assert {row["annotator"] for row in without if row["change"] < 0} == {"4", "5", "6"}


@pytest.mark.parametrize("seed", range(5))
def test_no_member_of_a_camp_is_accused(seed: int) -> None:
    rng = np.random.default_rng(seed)
    one = guessed(rng, 200, (0.93, 0.93, 0.93, 0.93))
    other = np.where(rng.random((200, 1)) < 0.4, (one[:, :1] + 1) % 4, one[:, :1])
    two = np.where(rng.random((200, 2)) < 0.93, other, rng.integers(0, 4, (200, 2)))
    found = explain(np.concatenate((one, two), axis=1))
    assert not ACCUSING & names(found)
    assert "copied-answers" not in names(found)
    assert "annotator-clusters" in names(found)


def test_a_bad_annotator_is_accused_in_a_camp_too() -> None:
    rng = np.random.default_rng(1)
    one = guessed(rng, 300, (0.95, 0.95, 0.95))
    other = np.where(rng.random((300, 1)) < 0.35, (one[:, :1] + 1) % 4, one[:, :1])
    two = np.where(rng.random((300, 3)) < 0.95, other, rng.integers(0, 4, (300, 3)))
    two[:, 2] = np.where(rng.random(300) < 0.8, rng.integers(0, 4, 300), two[:, 2])
    found = explain(np.concatenate((one, two), axis=1))
    assert {finding.annotators for finding in found if finding.name in ACCUSING} == {("6",)}


# -- copies ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("people", [4, 5, 8, 10])
def test_a_perfect_copy_is_found_among_any_number_and_nobody_else_blamed(people: int) -> None:
    found = explain(copied(1, people, 150, 1.0))
    (copies,) = found["copied-answers"]
    assert (copies.severity, copies.annotators) == ("warning", ("1", "2"))
    assert copies.p_corrected is not None
    assert copies.p_corrected < 0.001
    assert not (ACCUSING | {"annotator-clusters"}) & names(found)


def test_four_fifths_copied_are_found() -> None:
    for people in (5, 8, 10):
        (copies,) = view_of(copied(2, people, 300, 0.8)).copies
        assert copies.people == (0, 1)
        assert 0.65 < copies.share < 0.95


def test_two_pairs_of_copies_are_two_findings() -> None:
    cells = copied(3, 10, 200, 1.0)
    cells[:, 5] = cells[:, 4]
    assert {finding.annotators for finding in explain(cells)["copied-answers"]} == {("1", "2"), ("5", "6")}


def test_the_value_with_one_of_the_copies_is_told() -> None:
    cells = copied(4, 6, 200, 1.0)
    (finding,) = explain(cells)["copied-answers"]
    once = accord.fleiss_kappa(cells[:, [0, 2, 3, 4, 5]]).value
    assert f"would be {once:.2f} instead of" in finding.remedy


@pytest.mark.parametrize("kind", ["alike", "unlike", "hard", "gaps"])
def test_independent_annotators_are_no_copies(kind: str) -> None:
    """Equal and unequal skills, hard items, gaps; in a thousand and more such studies none was called a copy."""
    for seed in range(25):
        rng = np.random.default_rng([seed, 7])
        people = int(rng.integers(4, 11))
        skills = tuple(rng.uniform(0.3, 0.99, people) if kind == "unlike" else [float(rng.uniform(0.5, 0.97))] * people)
        cells = guessed(rng, int(rng.choice([40, 100, 250])), skills)
        if kind == "hard":
            cells = np.where(rng.random((len(cells), 1)) < 0.3, rng.integers(0, 4, cells.shape), cells)
        wide = cells.astype(object)
        if kind == "gaps":
            wide[rng.random(wide.shape) < 0.3] = None
        assert view_of(wide).copies == []


# -- three people ------------------------------------------------------------------------------------------------------


def test_of_three_the_one_apart_is_told_with_the_two_who_may_be_too_close() -> None:
    rng = np.random.default_rng(5)
    cells = guessed(rng, 200, (0.8, 0.8, 0.8))
    cells[:, 1] = np.where(rng.random(200) < 0.8, cells[:, 0], cells[:, 1])
    found = explain(cells)
    accusations = [finding for finding in found if finding.name in ACCUSING]
    assert accusations
    for finding in accusations:
        assert "the other two do not answer independently" in finding.says


def test_of_four_no_such_thing_is_said() -> None:
    found = explain(guessed(np.random.default_rng(6), 200, (0.95, 0.95, 0.95, 0.4)))
    assert "do not answer independently" not in found["unreliable-annotator"][0].says


# -- random, or another reading ----------------------------------------------------------------------------------------


def another_reading(rng: np.random.Generator, items: int) -> Cells:
    """A scale of eleven, four annotators; the third gives mostly two values, and these by the item."""
    true = rng.normal(0, 2.2, items)
    cells = np.stack([np.clip(np.round(true + rng.normal(0, 1.2, items)), -5, 5) for _ in range(4)], axis=1).astype(int)
    seen = true + rng.normal(0, 2.5, items)
    mostly = np.where(seen > 1.5, -1, -5) + (seen > 3) * 4
    cells[:, 2] = np.where(rng.random(items) < 0.8, mostly, rng.integers(-5, 6, items))
    return cells


@pytest.mark.parametrize("level", [None, "ordinal"])
def test_nobody_is_random_whose_answers_depend_on_the_others(level: Any) -> None:
    study = accord.Study.from_wide(another_reading(np.random.default_rng(0), 400))
    found = explain(study, level=level)
    assert not any("random or constant" in text for finding in found for text in finding.speaks_for)
    (finding,) = found["unreliable-annotator"]
    assert any("another reading" in text for text in finding.speaks_against)
    gold = {row["annotator"]: row for row in accord.gold(study, method="dawid-skene").annotators()}
    assert gold["3"]["spam_probability"] < 0.05  # and gold does not say otherwise


def test_a_guesser_is_called_random_still() -> None:
    rng = np.random.default_rng(2)
    cells = guessed(rng, 200, (0.9, 0.9, 0.9, 0.9))
    cells[:, 3] = rng.integers(0, 4, 200)
    (finding,) = explain(cells)["unreliable-annotator"]
    assert any("random or constant" in text for text in finding.speaks_for)


def test_dependence_is_found_in_answers_turned_round_and_not_in_guesses() -> None:
    rng = np.random.default_rng(3)
    cells = guessed(rng, 120, (0.9, 0.9, 0.9, 0.9))
    cells[:, 3] = (cells[:, 3] + 1) % 4
    tally = accord.Study.from_wide(cells).tally(named=True)
    assert p_of_dependence(tally, 3) < 0.01
    p = []
    for _ in range(40):
        cells[:, 3] = rng.integers(0, 4, 120)
        p.append(p_of_dependence(accord.Study.from_wide(cells).tally(named=True), 3))
    assert sum(one < 0.05 for one in p) <= 6
    cells[:, 3] = 2
    assert p_of_dependence(accord.Study.from_wide(cells).tally(named=True), 3) == 1.0


# -- models ------------------------------------------------------------------------------------------------------------


def test_no_model_is_retrained_as_an_annotator() -> None:
    rng = np.random.default_rng(4)
    cells = guessed(rng, 150, (0.9, 0.9, 0.9, 0.4, 0.9))
    who = ["ana", "ben", "chloe", "small-model", "large-model"]
    item, person = np.nonzero(cells >= 0)
    table = {
        "item": item, "annotator": [who[place] for place in person], "label": cells[item, person],
        "kind": ["model" if place > 2 else "person" for place in person],
    }  # fmt: skip
    found = explain(accord.Study(table, kind="kind"))
    about = [finding for finding in found if {"small-model", "large-model"} & {*finding.annotators}]
    assert [finding.name for finding in about] == ["models-among-annotators"]
    assert found.results[None].n_annotators == 3


def test_where_somebody_stands_apart_disagreement_does_not_spread_evenly() -> None:
    """The one apart has a small part of the disagreement, so that leaving them out repairs little."""
    cells = guessed(np.random.default_rng(9), 300, (*(0.6,) * 12, 0.1))
    found = explain(cells)
    assert ACCUSING & names(found)
    assert not any("spreads evenly" in finding.says for finding in found)
