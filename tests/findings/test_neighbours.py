"""Neighbours on a scale: their disagreement is recognised, and nothing is made of it that is not so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accord
from accord.findings import explain
from accord.findings.agreement_on_labels import confused_in_view
from accord.findings.neighbouring_labels import spreads_by_use
from accord.findings.study_view import View
from accord.measures.measure_all import among_annotators

BY_USE = "Disagreement spreads over the pairs of labels by how often they are used."


def rated(seed: int, items: int, steps: int, spread: float, people: int = 3) -> Any:
    rng = np.random.default_rng(seed)
    return np.clip(
        np.round(rng.uniform(0.5, steps + 0.5, (items, 1)) + rng.normal(0, spread, (items, people))), 1, steps
    ).astype(int)


def said(found: accord.findings.Findings) -> list[str]:
    return [text for one in found for text in (one.says, *one.speaks_for, *one.speaks_against)]


@pytest.mark.parametrize("level", [None, "ordinal", "interval"])
@pytest.mark.parametrize(("steps", "people", "spread"), [(5, 3, 0.6), (9, 4, 1.0), (7, 5, 1.0)])
def test_on_a_scale_neighbours_clash_and_that_is_recognised(steps: int, people: int, spread: float, level: Any) -> None:
    found = explain(accord.Study.from_wide(rated(1, 120, steps, spread, people)), level=level)
    (finding,) = found["neighbouring-labels"]
    share, part = finding.evidence[0].value, finding.evidence[1].value
    assert share > part + 0.05
    assert BY_USE not in said(found)
    assert not any("perhaps the task is subjective" in text for text in said(found))
    assert "weak-label" not in [one.name for one in found]  # that would be the middle of the scale


def test_numbers_are_asked_about_and_a_declared_level_is_not() -> None:
    study = accord.Study.from_wide(rated(2, 100, 5, 0.6))
    asked, told = explain(study)["neighbouring-labels"][0], explain(study, level="ordinal")["neighbouring-labels"][0]
    assert "level='ordinal'" in asked.remedy
    assert asked.evidence[2].value == pytest.approx(accord.krippendorff_alpha(study, level="ordinal").value)
    assert "Nothing needs mending" in told.remedy


def test_the_share_of_neighbours_is_that_counted_by_hand() -> None:
    cells = rated(3, 80, 5, 0.8, 2)
    (finding,) = explain(accord.Study.from_wide(cells))["neighbouring-labels"]
    apart = np.abs(cells[:, 0] - cells[:, 1])
    assert finding.evidence[0].value == pytest.approx((apart == 1).sum() / (apart > 0).sum())


def test_names_have_no_neighbours_even_in_a_list() -> None:
    words = np.array(["red", "green", "blue", "white", "black"], dtype=object)
    cells = words[rated(4, 100, 5, 0.6) - 1]
    for labels in (None, words.tolist()):
        assert "neighbouring-labels" not in [one.name for one in explain(accord.Study.from_wide(cells, labels=labels))]


def test_words_of_a_known_order_are_asked_about_too() -> None:
    words = np.array(["never", "rarely", "sometimes", "often", "always"], dtype=object)
    cells = rated(6, 100, 5, 0.6)
    (finding,) = explain(accord.Study.from_wide(words[cells - 1]))["neighbouring-labels"]
    (numbers,) = explain(accord.Study.from_wide(cells))["neighbouring-labels"]
    assert [one.value for one in finding.evidence] == pytest.approx([one.value for one in numbers.evidence])


def test_numbers_that_are_names_do_not_clash_as_neighbours() -> None:
    for seed in range(10):
        rng = np.random.default_rng(seed)
        guess = rng.integers(1, 7, (100, 3))
        cells = np.where(rng.random(guess.shape) < 0.7, rng.integers(1, 7, (100, 1)), guess)
        assert "neighbouring-labels" not in [one.name for one in explain(accord.Study.from_wide(cells))]


def test_that_disagreement_spreads_by_use_is_said_where_a_test_says_so() -> None:
    rng = np.random.default_rng(5)
    words = np.array(list("abcd"), dtype=object)
    guess = rng.integers(0, 4, (400, 3))
    even = np.where(rng.random(guess.shape) < 0.5, rng.integers(0, 4, (400, 1)), guess)
    true = rng.integers(0, 4, (400, 1))
    turned = np.where(rng.random(guess.shape) < 0.3, (true + 1) % 4, true)  # no pair more than others of its kind
    for cells, spreads in ((even, True), (turned, False)):
        study = accord.Study.from_wide(words[cells])
        view = View(study, among_annotators(study), 0.7)
        assert spreads_by_use(view.marginals, confused_in_view(view)) is spreads
    few = accord.Study.from_wide(words[even[:20]])
    view = View(few, among_annotators(few), 0.7)
    assert spreads_by_use(view.marginals, confused_in_view(view)) is None


def test_of_a_thousand_numbers_no_two_are_neighbours() -> None:
    rng = np.random.default_rng(7)
    cells = rng.integers(0, 100_000, (1500, 1)) + rng.integers(0, 3, (1500, 2))
    found = explain(accord.Study.from_wide(cells))
    assert "neighbouring-labels" not in [one.name for one in found]
    assert not any(gap.what in ("causes of disagreement", "agreement on each label") for gap in found.not_looked_at)
