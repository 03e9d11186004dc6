"""Gold against a reference."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import accord
from accord import AccordError, Study
from accord.agreement.inference.proportions import wilson
from accord.consensus.score_against_reference import calibration
from accord.errors import OptionError

TABLE = {
    "item": [1, 1, 1, 2, 2, 3, 3, 3, 4],
    "annotator": list("abcababca"),
    "label": ["x", "x", "y", "x", "y", "y", "y", "y", "x"],
}
TRUTH = {1: "x", 2: "y", 3: "x", 4: "x"}


@pytest.mark.slow
def test_accuracy_counts_a_tie_as_drawing_one_of_the_tied_labels() -> None:
    score = accord.gold(TABLE, method="majority").score(TRUTH)
    assert score.accuracy == pytest.approx((1 + 0.5 + 0 + 1) / 4)
    assert score.accuracy_decided == pytest.approx(2 / 3)
    assert (score.n_items, score.n_decided) == (4, 3)
    drawn = [accord.gold(TABLE, method="majority", ties="random", rng=s).score(TRUTH).accuracy for s in range(400)]
    assert np.mean(drawn) == pytest.approx(score.accuracy, abs=0.03)


def test_kappa_and_the_labels_are_those_of_the_decided_items() -> None:
    score = accord.gold(TABLE, method="majority").score(TRUTH)
    assert score.kappa is not None
    assert score.kappa.value == pytest.approx(accord.cohen_kappa(["x", "y", "x"], ["x", "x", "x"]).value)
    rows = {row["label"]: row for row in score.labels}
    assert rows["x"]["precision"] == 1
    assert rows["x"]["recall"] == pytest.approx(2 / 3)
    assert rows["y"]["precision"] == 0
    assert rows["x"]["recall_low"] < 2 / 3 < rows["x"]["recall_high"]


@pytest.mark.parametrize("how", ["mapping", "columns", "frame", "study", "gold", "table"])
def test_a_reference_comes_in_many_forms(how: str) -> None:
    gold = accord.gold(TABLE, method="majority")
    columns: dict[str, list[Any]] = {"item": list(TRUTH), "label": list(TRUTH.values())}
    forms: dict[str, Any] = {
        "mapping": TRUTH,
        "columns": columns,
        "frame": [{"item": item, "label": label} for item, label in TRUTH.items()],
        "study": Study({**columns, "annotator": ["expert"] * 4}),
        "gold": accord.gold({**columns, "annotator": ["expert"] * 4}, method="majority"),
        "table": accord.Table("truth", columns),
    }
    assert gold.score(forms[how]).accuracy == pytest.approx(2.5 / 4)


def test_items_that_are_not_in_the_study_are_counted() -> None:
    assert accord.gold(TABLE, method="majority").score({**TRUTH, 77: "x"}).not_in_study == 1
    with pytest.raises(AccordError, match="None of its items"):
        accord.gold(TABLE, method="majority").score({"1": "x"})


def test_the_bins_are_closed_on_the_right() -> None:
    """From this project's collection of reproduced values; closed on the left the gap would be 0.175."""
    confidence = np.array([0.95, 0.9, 0.85, 0.8, 0.7, 0.65, 0.6, 0.55, 0.55, 0.3])
    table, gap = calibration(confidence, np.array([1, 1, 1, 0, 1, 0, 1, 0, 1, 0], float), 10, 0.95)
    assert gap == pytest.approx(0.205)  # Guo et al. 2017
    assert table["items"].sum() == 10


def test_calibration_is_perfect_where_confidence_is_accuracy() -> None:
    trusted = np.repeat([0.25, 0.75], 400)
    credit = np.concatenate([np.arange(400) % 4 == 0, np.arange(400) % 4 != 0]).astype(float)
    assert calibration(trusted, credit, 10, 0.95)[1] == pytest.approx(0, abs=1e-12)


def test_wilsons_interval_is_the_published_one() -> None:
    low, high = wilson(81, 263, 0.95)  # Newcombe 1998, Table I
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)


def test_sets_are_scored_whole_and_by_overlap() -> None:
    study = Study(
        {"item": [1, 1, 2, 2], "annotator": list("abab"), "label": [["x", "y"], ["x", "y"], ["z"], ["z"]]},
        answers="set",
    )
    score = accord.gold(study, method="majority").score({1: ["x"], 2: ["z"]})
    assert score.accuracy == 0.5
    assert score.numbers is not None
    assert score.numbers["mean overlap of sets (Jaccard)"] == pytest.approx(0.75)
    json.dumps(score.to_dict(), allow_nan=False)


def test_the_dictionary_is_json() -> None:
    score = accord.gold(TABLE, method="dawid-skene").score(TRUTH)
    told = json.loads(json.dumps(score.to_dict(), allow_nan=False))
    assert told["accuracy"] == pytest.approx(score.accuracy)
    assert str(score).startswith("accuracy ")


@pytest.mark.parametrize("bins", [0, -1, 2.5, "x", None])
def test_bins_that_are_no_whole_number_are_refused(bins: Any) -> None:
    with pytest.raises(OptionError, match="bins must be a whole number, at least 1; got"):
        accord.gold(TABLE, method="majority").score(TRUTH, bins=bins)


@pytest.mark.parametrize("confidence", ["a", 95, 0, None])
def test_a_confidence_that_is_no_share_is_refused(confidence: Any) -> None:
    with pytest.raises(OptionError, match=r"confidence must lie between 0 and 1.*got"):
        accord.gold(TABLE, method="majority").score(TRUTH, confidence=confidence)


def test_a_score_of_sets_prints_accuracy_and_overlap() -> None:
    sets = Study.from_wide([[{"x"}, {"x"}], [{"x", "y"}, {"x", "y"}]], answers="set")
    score = accord.gold(sets, method="majority").score({sets.items[0]: ("x",), sets.items[1]: ("x",)}, bins=4)
    assert str(score).startswith("accuracy 0.5000 [")
    assert "on 2 items (2 decided), mean overlap of sets (Jaccard) 0.750, calibration error" in str(score)
    assert len(score.calibration) == 4


def test_one_item_is_one_item() -> None:
    assert "on 1 item (" in str(accord.gold(TABLE, method="majority").score({1: "x"}))
    scores = Study.from_wide([[1.5, 2.5], [3.0, 3.5]], answers="score")
    assert "on 1 item:" in str(accord.gold(scores, method="mean").score({scores.items[0]: 2.0}))
