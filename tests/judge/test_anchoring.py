"""Anchoring: planted effects found, absent ones not claimed, the estimator by hand, bad input refused."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from accord import Study
from accord.errors import AccordError
from accord.judge import anchoring_effect
from tests.oracles import judge as oracle


def shown(
    items: int = 200, people: int = 12, pull: float = 0.0, seed: int = 0, *, easy_ones_shown: bool = False
) -> Study:
    """Half the people see suggestions (right 7 times in 10), and take them over with the probability `pull`."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, items)
    suggested = np.where(rng.random(items) < 0.7, truth, (truth + 1) % 3)
    easy = rng.random(items) < 0.5
    skill = rng.uniform(0.65, 0.85, people)
    rows = []
    for person in range(people):
        for item in range(items):
            if rng.random() > 0.5:
                continue
            saw = person % 2 == 0 if not easy_ones_shown else bool(rng.random() < (0.9 if easy[item] else 0.1))
            known = rng.random() < (0.99 if easy_ones_shown and easy[item] else skill[person])
            label = truth[item] if known else rng.integers(0, 3)
            if saw and rng.random() < pull:
                label = suggested[item]
            rows.append((item, f"a{person}", int(label), saw, int(suggested[item]), int(truth[item])))
    names = ("item", "annotator", "label", "saw", "suggested", "truth")
    table = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    return Study(table, item="item", annotator="annotator", label="label")


def test_a_planted_pull_is_found_and_its_harm_is_where_suggestions_are_wrong() -> None:
    found = anchoring_effect(shown(pull=0.4), shown="saw", suggested="suggested", gold="truth")
    assert found.interval.low > 0
    assert found.within
    assert found.by_correctness is not None
    right, wrong = list(found.by_correctness)
    assert wrong["low"] > 0.2
    assert wrong["difference"] > right["difference"]


def test_no_pull_is_claimed_as_often_as_the_test_says() -> None:
    claimed = sum(
        anchoring_effect(shown(60, 12, seed=seed), shown="saw", suggested="suggested").p < 0.05 for seed in range(60)
    )
    assert claimed <= 8


def test_easy_items_do_not_pass_for_anchoring() -> None:
    """Suggestions shown with easy items: the plain shares differ, the difference within items does not."""
    study = shown(150, 20, easy_ones_shown=True, seed=2)
    found = anchoring_effect(study, shown="saw", suggested="truth")
    assert found.shown - found.not_shown > 0.1
    assert found.interval.low < 0 < found.interval.high


def test_the_difference_is_that_of_a_loop() -> None:
    study = shown(40, 6, pull=0.3, seed=5)
    assert study._frame is not None
    cells = {name: study._frame.cells(name) for name in ("item", "annotator", "saw", "label", "suggested")}
    rows = [
        (item, who, bool(saw), label == suggested)
        for item, who, saw, label, suggested in zip(*cells.values(), strict=True)
    ]
    found = anchoring_effect(study, shown="saw", suggested="suggested")
    assert found.difference == pytest.approx(oracle.effect_within_items(rows))
    assert found.shown == pytest.approx(np.mean([agrees for *_, saw, agrees in rows if saw]))
    assert found.n_shown + found.n_not_shown == len(rows)


def test_on_different_items_the_plain_difference_has_the_usual_error() -> None:
    """Every answer its own item and annotator: the error of two independent shares."""
    rng = np.random.default_rng(0)
    saw, agrees = np.repeat([True, False], 50), rng.random(100) < np.repeat([0.9, 0.6], 50)
    table = {
        "item": list(range(100)),
        "annotator": [f"a{n}" for n in range(100)],
        "label": np.where(agrees, "x", "y").tolist(),
        "saw": np.where(saw, "shown", "hidden").tolist(),
        "suggested": ["x"] * 100,
    }
    found = anchoring_effect(Study(table), shown="saw", suggested="suggested")
    shares = [agrees[saw].mean(), agrees[~saw].mean()]
    error = math.sqrt(sum(share * (1 - share) / 50 for share in shares) * 100 / 99)
    assert not found.within
    assert found.difference == pytest.approx(shares[0] - shares[1])
    assert found.interval.se == pytest.approx(error)


def test_who_might_have_been_others_matters() -> None:
    study = shown(200, 8, pull=0.2, seed=1)
    spans = {
        over: anchoring_effect(study, shown="saw", suggested="suggested", over=over).interval
        for over in ("items", "annotators", "both")
    }
    assert spans["both"].se >= max(spans["items"].se, spans["annotators"].se)
    values = {
        anchoring_effect(study, shown="saw", suggested="suggested", over=over).difference for over in ("items", "both")
    }
    assert len(values) == 1


def test_where_everybody_saw_there_is_nothing_to_compare() -> None:
    table = {"item": [1, 1], "annotator": ["ana", "ben"], "label": ["a", "b"], "saw": [1, 1], "suggested": ["a", "a"]}
    found = anchoring_effect(Study(table), shown="saw", suggested="suggested")
    assert math.isnan(found.difference)
    assert found.interval.undefined is not None
    assert "nothing to compare" in found.interval.undefined
    assert json.dumps(found.to_dict(), allow_nan=False)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"shown": "label"}, "must say yes or no"),
        ({"shown": "seen"}, "No column 'seen'"),
        ({"over": "people"}, "over must be one of"),
        ({"suggested": None}, "Where are the suggested labels"),
    ],
)
def test_bad_questions_are_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(AccordError, match=says):
        anchoring_effect(shown(20, 4), **{"shown": "saw", "suggested": "suggested", **options})
