"""Best–worst scaling: counts by hand, a model, reliability, and tables that cannot be right."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import accord
import accord.errors


def judged(noise: float, *, tuples: int = 60, people: int = 4, seed: int = 0) -> list[dict[str, Any]]:
    """Sets of four of eight options that are worth 0 to 7, judged by several people."""
    rng = np.random.default_rng(seed)
    rows = []
    for place in range(tuples):
        shown = rng.permutation(8)[:4]
        for who in range(people):
            worth = shown + noise * rng.normal(size=4)
            best, worst = f"o{shown[worth.argmax()]}", f"o{shown[worth.argmin()]}"
            each = {f"item{at + 1}": f"o{option}" for at, option in enumerate(shown)}
            rows.append({"id": f"t{place}", "worker": f"p{who}", **each, "best": best, "worst": worst})
    return rows


def test_scores_are_counts_of_best_less_worst_over_shown() -> None:
    rows = [
        {"item": "t", "annotator": "ana", "options": "a,b,c,d", "best": "a", "worst": "d"},
        {"item": "t", "annotator": "ben", "options": "a,b,c,d", "best": "b", "worst": "d"},
        {"item": "u", "annotator": "ana", "options": "a,c,d,e", "best": "a", "worst": "e"},
    ]
    found = accord.best_worst_scores(rows).options
    score = dict(zip(found["label"], found["score"], strict=True))
    assert score == pytest.approx({"a": 2 / 3, "b": 0.5, "c": 0.0, "d": -2 / 3, "e": -1.0})
    assert dict(zip(found["label"], found["shown"], strict=True)) == {"a": 3, "b": 2, "c": 3, "d": 3, "e": 1}


def test_the_planted_order_comes_out_of_counts_and_model_and_is_reliable() -> None:
    found = accord.best_worst_scores(judged(0.8), n_splits=20)
    assert list(found.options["label"]) == [f"o{option}" for option in range(7, -1, -1)]
    assert np.all(np.diff(found.options["strength"]) < 0)
    assert 0.9 < found.reliability <= found.stepped_up <= 1
    assert found.to_dict()["splits"] == 20
    lost = accord.best_worst_scores(judged(50.0), n_splits=20)
    assert lost.reliability < 0.5
    assert accord.best_worst_scores(judged(50.0), n_splits=20).reliability == lost.reliability


def test_agreement_is_that_of_the_rankings_they_are() -> None:
    study = accord.Study(judged(0.8))
    assert study.kind == "ranking"
    assert accord.krippendorff_alpha(study).value > 0.6


def test_one_answer_to_each_set_has_scores_and_no_reliability() -> None:
    found = accord.best_worst_scores(judged(0.5, people=1))
    assert math.isnan(found.reliability)
    assert "judged twice" in str(found.undefined)


def test_an_option_that_was_not_shown_is_named_with_its_row() -> None:
    rows = judged(0.5, tuples=2)
    rows[3] = {**rows[3], "best": "zzz"}
    with pytest.raises(accord.errors.InputError, match=r"'zzz', is none of those shown"):
        accord.best_worst_scores(rows)


def test_rankings_that_nobody_gave_have_no_scores() -> None:
    nothing = accord.Study({"item": [1, 2], "annotator": ["a", "b"], "label": [None, None]}, answers="ranking")
    with pytest.raises(accord.errors.MeasureError, match="Nobody has answered anything yet"):
        accord.best_worst_scores(nothing)


def test_other_answers_are_refused() -> None:
    with pytest.raises(accord.errors.MeasureError, match="single"):
        accord.best_worst_scores([["a", "b"], ["a", "a"]])


@pytest.mark.parametrize("said", [{}, {"item": "tuple_id"}])
def test_what_was_shown_together_may_be_numbered(said: dict[str, Any]) -> None:
    rows = [{"tuple_id": row.pop("id"), **row} for row in judged(0.8, tuples=9)]
    study = accord.Study(rows, **said)
    assert (study.kind, study.items[0], study.n_items) == ("ranking", "t0", 9)
