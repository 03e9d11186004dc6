"""Hard items: told where disagreement sits in some of them, and not for carelessness, skill or chance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accord
from accord.findings import explain
from accord.findings.hard_items import EqualChances, HardItems
from accord.findings.study_view import View
from accord.measures.measure_all import among_annotators


def partly_guessed(seed: int, items: int, people: int, share: float) -> Any:
    """A share of the items is guessed by everybody; of the rest nearly all is known."""
    rng = np.random.default_rng(seed)
    true, guess = rng.integers(0, 4, (items, 1)), rng.integers(0, 4, (items, people))
    hard = rng.random((items, 1)) < share
    return np.where(hard | (rng.random(guess.shape) < 0.03), guess, true)


def careless(seed: int, items: int, skills: Any) -> Any:
    """Everybody guesses now and then, whatever the item."""
    rng = np.random.default_rng(seed)
    skills = np.atleast_1d(skills)
    guess = rng.choice(4, (items, len(skills)), p=[0.5, 0.3, 0.15, 0.05])
    return np.where(rng.random(guess.shape) < skills, rng.integers(0, 4, (items, 1)), guess)


def of(cells: Any) -> HardItems | str:
    study = accord.Study.from_wide(cells)
    return View(study, among_annotators(study), 0.7).hard_items


def shown(cells: Any) -> bool:
    found = of(cells)
    return not isinstance(found, str) and found.shown


@pytest.mark.parametrize("share", [0.2, 0.35])
def test_hard_items_are_a_finding(share: float) -> None:
    found = explain(partly_guessed(1, 200, 5, share))
    (finding,) = found["hard-items"]
    uncontested, usual, _ = (evidence.value for evidence in finding.evidence)
    assert uncontested > usual + 0.1
    assert "it is more than carelessness" in finding.says
    assert not any("spreads evenly" in one.says or "carelessness of all" in one.says for one in found)


def test_they_are_a_warning_where_agreement_misses_its_target_only() -> None:
    cells = partly_guessed(1, 200, 5, 0.35)
    assert explain(cells)["hard-items"][0].severity == "warning"
    assert explain(cells, target=0.3)["hard-items"][0].severity == "note"


def test_three_answers_each_are_enough_with_more_items() -> None:
    assert shown(partly_guessed(2, 600, 3, 0.35))


@pytest.mark.parametrize(
    "skills", [[0.6] * 5, [0.85] * 5, [0.95, 0.95, 0.95, 0.2], [0.3, 0.5, 0.7, 0.9, 0.98], [0.0] * 3]
)
def test_carelessness_and_unequal_skill_make_no_hard_items(skills: list[float]) -> None:
    assert sum(shown(careless(seed, 150, skills)) for seed in range(20)) <= 1


def test_neither_do_steps_on_a_scale() -> None:
    for seed in range(10):
        rng = np.random.default_rng(seed)
        near = np.clip(np.round(rng.uniform(0.6, 5.4, (150, 1)) + rng.normal(0, 0.7, (150, 4))), 1, 5).astype(int)
        assert not shown(near)


def test_two_answers_each_tell_nothing_of_hard_items() -> None:
    cells = partly_guessed(3, 200, 2, 0.35)
    assert isinstance(of(cells), str)
    assert any(gap.what == "hard items" for gap in explain(cells).not_looked_at)


def test_the_variance_of_equal_chances_is_that_of_many_items() -> None:
    share = np.array([0.5, 0.3, 0.2])
    model = EqualChances(share, share)
    rng = np.random.default_rng(0)
    true, guess = rng.choice(3, (200_000, 1), p=share), rng.choice(3, (200_000, 4), p=share)
    said = np.where(rng.random(guess.shape) < 0.8, true, guess)
    counts = (said[:, :, None] == np.arange(3)).sum(1)
    agreed = (counts * (counts - 1)).sum(1) / 12
    assert model.chance_of(float(agreed.mean())) == pytest.approx(0.8, abs=0.01)
    assert model.variance(float(agreed.mean()), np.array([4]))[0] == pytest.approx(float(agreed.var()), rel=0.02)
    assert model.uncontested(float(agreed.mean()), np.array([4]))[0] == pytest.approx(
        float((agreed == 1).mean()), abs=0.01
    )


def test_disagreement_that_rises_does_not_spread_evenly() -> None:
    rng = np.random.default_rng(4)
    true, guess = rng.integers(0, 4, (200, 1)), rng.integers(0, 4, (200, 3))
    known = rng.random(guess.shape) < np.linspace(0.98, 0.3, 200)[:, None]
    cells = np.where(known, true, guess)
    item, who = np.nonzero(cells >= 0)
    table = {"item": item, "annotator": who, "label": [f"l{label}" for label in cells[item, who]], "when": item}
    found = explain(accord.Study(table, time="when"))
    assert "disagreement-rises" in [one.name for one in found.warnings]
    assert not any("spreads evenly" in one.says for one in found)


def test_a_hard_fifth_is_found_with_two_hundred_items() -> None:
    studies = 25
    assert sum(of(partly_guessed(seed, 200, 5, 0.2)).p < 0.003 for seed in range(studies)) >= 0.8 * studies  # type: ignore[union-attr]
    assert sum(of(partly_guessed(seed, 200, 3, 0.2)).p < 0.003 for seed in range(studies)) >= 0.8 * studies  # type: ignore[union-attr]


def test_three_answers_of_two_labels_tell_nothing_of_hard_items() -> None:
    found = of(partly_guessed(3, 200, 3, 0.35) % 2)
    assert isinstance(found, str)
    assert "it takes four" in found
    assert not isinstance(of(partly_guessed(3, 200, 4, 0.35) % 2), str)


def test_of_very_many_labels_it_is_said_that_they_are_too_many() -> None:
    rng = np.random.default_rng(4)
    true = np.arange(420)[:, None] % 210
    found = explain(np.where(rng.random((420, 4)) < 0.5, true, rng.integers(0, 210, (420, 4))))
    why = {one.what: str(one.why) for one in found.not_looked_at}
    assert why["hard items"] == "It is told for up to 200 labels; here are 210."
    assert why["unclear guidelines"] == "it is asked of up to 200 labels, and here are 210"
