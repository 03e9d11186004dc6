"""Gold never invents: the votes behind every label, and models under which a label drifts from its name."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
from accord import Study
from accord.consensus.votes_behind import LabelSupport
from accord.errors import MeasureError
from tests.consensus.simulated import simulate


def split_opinions() -> Study:
    """Items that all see alike, and items on which people split; some are unsure of any."""
    rng = np.random.default_rng(0)
    rows = []
    for item in range(150):
        no = (0.92, 0.55, 0.15)[item % 3]
        for who in range(60):
            unsure = rng.random() < 0.06 + (0.03 if item % 3 == 1 else 0)
            label = "unsure" if unsure else "no" if rng.random() < no else "yes"
            rows.append({"item": item, "annotator": f"r{who}", "label": label})
    return Study(rows)


STUDY = split_opinions()


def test_auto_gives_no_label_that_hardly_anybody_gave() -> None:
    gold = accord.gold(STUDY)
    assert "unsure" not in gold.labels
    assert gold.method != "dawid-skene"
    assert gold.choice is not None
    assert gold.choice["model"][0] == "dawid-skene", "it predicts best, and is refused all the same"
    assert gold.notes[0].startswith("dawid-skene was refused, as a label drifts from its name under it: 10% of the")
    assert np.nanmin(gold.votes) > 0.3


def test_a_model_that_was_named_is_warned_of() -> None:
    gold = accord.gold(STUDY, method="dawid-skene")
    assert gold.labels.count("unsure") == 50
    (said,) = [note for note in gold.notes if "drifted" in note]
    assert "say 'unsure', where the leading label has 50%" in said
    assert "gold.by_label()" in said
    row = {row["label"]: row for row in gold.by_label()}["unsure"]
    assert row["items"] == 50
    assert row["votes"] == pytest.approx(0.098, abs=0.02)
    assert row["leading"] > 0.45
    assert row["in_answers"] == pytest.approx(0.07, abs=0.02)
    assert row["in_gold"] == pytest.approx(1 / 3)
    assert row["remark"] == "drifted"


def test_every_item_tells_the_votes_for_its_label(tmp_path: Path) -> None:
    table = {"item": [1, 1, 1, 2, 2, 3], "annotator": list("abcaba"), "label": ["x", "x", "y", "x", "y", "y"]}
    gold = accord.gold(table, method="majority")
    assert gold.to_table()["votes"].tolist() == pytest.approx([2 / 3, np.nan, 1], nan_ok=True)
    assert gold.decide({2: "y"}, by="judge").votes[1] == 0.5
    with gold.write(tmp_path / "gold.csv").open(encoding="utf-8", newline="") as file:
        assert [row["votes"][:5] for row in csv.DictReader(file)] == ["0.666", "", "1.0"]
    assert gold.to_dict()["by_label"] == gold.by_label().to_dict()["rows"]


def test_votes_for_sets_are_those_of_the_least_supported_label() -> None:
    table = {"item": [1, 1, 1], "annotator": list("abc"), "label": [["x", "y"], ["x", "y"], ["x"]]}
    gold = accord.gold(Study(table, answers="set"), method="majority")
    assert gold.labels == [("x", "y")]
    assert gold.votes.tolist() == pytest.approx([2 / 3])
    assert gold.by_label()["votes"].tolist() == pytest.approx([1, 2 / 3])
    assert gold.by_label()["in_answers"].tolist() == pytest.approx([1, 2 / 3])


def test_scores_have_no_votes() -> None:
    gold = accord.gold({"item": [1, 1], "annotator": list("ab"), "score": [1.0, 2.0]}, method="mean")
    assert "votes" not in gold.to_table().columns
    assert gold.to_dict()["by_label"] is None
    with pytest.raises(MeasureError, match="Scores have no labels"):
        gold.by_label()


@pytest.mark.parametrize(
    ("items", "votes", "leading", "few", "drifted"),
    [
        (50, 0.10, 0.50, 50, True),  # people split, and a third label took the name
        (462, 0.32, 0.61, 196, True),  # a part of its items are others
        (499, 0.46, 0.69, 125, False),  # half of the crowd does not read, and is overruled
        (4, 0.10, 0.50, 4, False),  # some overruled votes are no drift
        (0, np.nan, np.nan, 0, False),
    ],
)
def test_a_label_has_drifted_where_others_have_its_items(
    items: int, votes: float, leading: float, few: int, drifted: bool
) -> None:
    assert LabelSupport("x", items, votes, leading, few).drifted is drifted


def test_honest_crowds_keep_their_model() -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 400)
    rows = []
    for item in range(400):
        for who in rng.choice(40, 5, replace=False):  # every fourth says yes to everything
            right = truth[item] if rng.random() < 0.85 else 1 - truth[item]
            rows.append({"item": item, "annotator": f"p{who}", "label": "yes" if who % 4 == 0 or right else "no"})
    gold, votes = accord.gold(Study(rows)), accord.gold(Study(rows), method="majority")
    reference = {item: "yes" if label else "no" for item, label in enumerate(truth)}
    assert gold.method != "majority"
    assert not [note for note in gold.notes if "refused" in note]
    assert gold.score(reference).accuracy > votes.score(reference).accuracy


def confused_crowd(seed: int, shared_bias: bool) -> tuple[Study, dict[int, str]]:
    """Forty people with confusions of their own, or who all lean to one label; five answers each item."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, 500)
    tables = np.full((40, 4, 4), 0.05)
    tables[:, np.arange(4), np.arange(4)] += 0.45
    for table in tables:
        for row in table:
            row[0 if shared_bias else rng.integers(4)] += 0.4
    tables /= tables.sum(axis=2, keepdims=True)
    rows: list[dict[str, Any]] = []
    for item, label in enumerate(truth):
        for who in rng.choice(40, 5, replace=False):
            rows.append({"item": item, "annotator": f"p{who}", "label": "abcd"[rng.choice(4, p=tables[who, label])]})
    return Study(rows), {item: "abcd"[label] for item, label in enumerate(truth)}


@pytest.mark.parametrize(("seed", "shared_bias"), [(0, False), (0, True), (1, True)])
def test_auto_is_not_below_the_majority(seed: int, shared_bias: bool) -> None:
    study, truth = confused_crowd(seed, shared_bias)
    auto, votes = (accord.gold(study, method=method).score(truth).accuracy for method in ("auto", "majority"))
    assert auto >= votes


# -- how sure -----------------------------------------------------------------------------------------------------


def test_the_majority_of_auto_is_as_sure_as_its_model() -> None:
    made = simulate(items=400, accuracy=(0.7,) * 5, labels=4, answers=5, seed=3)
    truth = {item: f"label {label}" for item, label in enumerate(made.truth)}
    auto, votes = accord.gold(made.study), accord.gold(made.study, method="majority")
    assert (auto.method, auto.confidence_is, votes.confidence_is) == ("majority", "posterior", "vote share")
    assert auto.labels == votes.labels
    assert auto.votes.tolist() == pytest.approx(votes.votes.tolist(), nan_ok=True)
    calibrated, shares = auto.score(truth), votes.score(truth)
    assert calibrated.calibration_error < 0.04 < 0.1 < shares.calibration_error
    assert auto.posterior().columns == ("item", "label 0", "label 1", "label 2", "label 3")
    tied = next(item for item, label in zip(auto.study.items, auto.labels, strict=True) if label is None)
    assert "answers each" in str(auto.reason(tied))


def test_answers_without_skill_leave_shares_of_votes() -> None:
    study = Study.from_wide([["x", "y"], ["y", "x"], ["x", "y"], ["y", "x"]])
    gold = accord.gold(study)
    assert gold.method == "majority"
    assert gold.labels == [None] * 4
    assert gold.confidence.tolist() == [0.5] * 4


def test_dawid_and_skene_without_a_prior_are_told_that_few_answers_make_them_too_sure() -> None:
    study, truth = confused_crowd(0, shared_bias=False)
    plain, mild, learned = (accord.gold(study, method="dawid-skene", prior=prior) for prior in ("none", "mild", None))
    (note,) = plain.notes
    assert note.endswith("its confidence is too high. A prior learned from the crowd tempers it: prior='learned'.")
    assert (plain.options["prior"], mild.options["prior"], learned.options["prior"]) == ("none", "mild", "learned")
    assert not learned.notes
    errors = [one.score(truth).calibration_error for one in (learned, mild, plain)]
    assert errors == sorted(errors)
    assert errors[0] < 0.04  # 300 items leave .02 to chance
    many = simulate(items=500, accuracy=(0.9, 0.8, 0.7), labels=2, answers=3, seed=1)
    assert not accord.gold(many.study, method="dawid-skene", prior="none").notes


def test_auto_says_with_which_prior_it_was_fitted() -> None:
    study, _ = confused_crowd(0, shared_bias=False)
    gold = accord.gold(study)
    assert (gold.method, gold.options) == ("dawid-skene", {"prior": "learned"})
    assert gold.labels == accord.gold(study, method="dawid-skene").labels


@pytest.mark.parametrize("method", ["auto", "majority", "expert-index", "dawid-skene", "sharpening"])
@pytest.mark.parametrize("more", [{}, {"labels": ["x", "y"]}, {"answers": "set"}])
def test_where_nobody_answered_there_is_nothing_to_decide(method: str, more: dict[str, Any]) -> None:
    with pytest.raises(MeasureError, match="Nobody has answered anything yet"):
        accord.gold({"item": [1, 1], "annotator": ["a", "b"], "label": [None, None]}, method=method, **more)
