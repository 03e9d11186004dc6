"""Majority, its ties, and the vote weighted by agreement with it."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose

import accord
from accord import AccordError, Study
from accord.consensus.ballots import Ballots
from accord.consensus.majority import counted_majority, majority
from accord.consensus.method_outcome import Options
from accord.judge.ceiling import largest_share
from tests.consensus.simulated import simulate

TIED: dict[str, list[Any]] = {
    "item": [1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 4],
    "annotator": list("abcababcabc"),
    "label": ["x", "x", "y", "x", "y", "y", "y", "y", "x", "x", "x"],
}


def test_a_tie_is_undecided_and_says_so() -> None:
    gold = accord.gold(TIED, method="majority")
    assert gold.labels == ["x", None, "y", "x"]
    assert gold.reason(2) == "'x', 'y' are tied (1 answer each)"
    assert gold.reason(1) is None
    assert list(gold.undecided()["item"]) == [2]


def test_the_first_label_of_the_scale_can_be_asked_for() -> None:
    assert accord.gold(TIED, method="majority", ties="first")[2] == "x"
    assert accord.gold(Study(TIED, labels=["y", "x"]), method="majority", ties="first")[2] == "y"


def test_random_ties_follow_the_seed_and_fall_both_ways() -> None:
    drawn = [accord.gold(TIED, method="majority", ties="random", rng=seed)[2] for seed in range(30)]
    again = [accord.gold(TIED, method="majority", ties="random", rng=seed)[2] for seed in range(30)]
    assert drawn == again
    assert set(drawn) == {"x", "y"}


def test_the_expert_index_breaks_ties_for_those_who_were_right_elsewhere() -> None:
    # a was with the strict majority on items 1, 3 and 4; b too: level. Without b's answer on 4 a is ahead.
    assert accord.gold(TIED, method="majority", ties="expert-index")[2] is None
    fewer = {name: [cell for place, cell in enumerate(cells) if place != 9] for name, cells in TIED.items()}
    assert accord.gold(fewer, method="majority", ties="expert-index")[2] == "x"


def test_sets_are_decided_label_by_label() -> None:
    study = Study(
        {"item": [1, 1, 1, 2, 2], "annotator": list("abcab"), "label": [["x", "y"], ["x"], ["x", "z"], ["x"], []]},
        answers="set",
    )
    gold = accord.gold(study, method="majority")
    assert gold.labels == [("x",), None]
    assert gold.reason(2) == "as much speaks for as against 'x'"
    assert_allclose(gold.vote_shares()["y"], [1 / 3, 0])
    assert accord.gold(study, method="majority", ties="absent")[2] == ()
    with pytest.raises(AccordError, match="ties must be one of"):
        accord.gold(study, method="majority", ties="first")


def test_counts_without_names_can_vote() -> None:
    gold = accord.gold(Study.from_counts([[3, 1], [2, 2], [0, 0]], labels=["x", "y"]), method="majority")
    assert gold.labels == ["x", None, None]
    assert gold.reason(2) == "nobody answered it"
    assert_allclose(gold.confidence, [0.75, 0.5, np.nan])
    with pytest.raises(AccordError, match="who answered"):
        accord.gold(gold.study, method="dawid-skene")


def test_thousands_of_labels_and_annotators_can_vote() -> None:
    rng = np.random.default_rng(0)
    item = np.repeat(np.arange(3000), 3)
    table = {"item": item, "annotator": rng.integers(0, 2000, 9000).astype(str), "label": rng.integers(0, 4000, 9000)}
    table["label"][::3] = table["label"][1::3]
    gold = accord.gold(Study(table, duplicates="repeat"), method="majority")
    assert gold.decided.mean() > 0.99
    with pytest.raises(AccordError, match="18,772,155,775 numbers"):
        accord.gold(gold.study, method="dawid-skene")


def test_worker_agreement_weights_by_agreement_with_the_majority() -> None:
    gold = accord.gold(TIED, method="worker-agreement")
    weights = gold.outcomes[0].weights
    # a: items 1, 3, 4 with the majority, half of the tie: 3.5 of 4; c: 2 of 3
    assert weights is not None
    assert_allclose(weights, [3.5 / 4, 3.5 / 4, 2 / 3])
    assert_allclose(gold.vote_shares()["x"], [2 / 3, 0.5, 0, 1])
    assert_allclose(gold.soft()[0], np.array([7 / 4, 2 / 3]) / (7 / 4 + 2 / 3))
    assert gold.confidence_is == "weighted vote share"


def test_worker_agreement_beats_the_plain_vote_where_annotators_differ() -> None:
    made = simulate(items=600, accuracy=(0.95, 0.95, 0.5, 0.45, 0.4, 0.4), seed=3)
    plain = accord.gold(made.study, method="majority", ties="random", rng=0)
    weighed = accord.gold(made.study, method="worker-agreement")
    assert made.right(weighed.codes) > made.right(plain.codes) + 0.02


@pytest.mark.parametrize("ties", ["undecided", "first"])
def test_one_annotator_may_repeat_an_answer_any_number_of_times(ties: str) -> None:
    answers = np.repeat([0, 1], [40_000, 30_000])
    table = {"item": np.zeros(70_000, int), "annotator": np.zeros(70_000, int), "label": answers}
    found = accord.gold(table, method="majority", ties=ties, duplicates="repeat")
    assert found.labels == [0]
    assert found.confidence[0] == pytest.approx(4 / 7)
    assert list(found.to_table()["answers"]) == [70_000]


def test_counts_may_be_larger_than_32_bits() -> None:
    found = accord.gold(accord.Study.from_counts([[2**40, 2**39], [1, 3]]), method="majority")
    assert found.labels == [0, 1]
    assert list(found.to_table()["answers"]) == [3 * 2**39, 4]


@pytest.mark.parametrize("seed", range(12))
def test_one_rule_of_the_majority_wherever_it_is_counted(seed: int) -> None:
    """In memory by ballots and by counts, in an engine by shares and by counts, in the ceiling of a judge."""
    rng = np.random.default_rng(seed)
    rows = [(item, who, rng.integers(0, 3)) for item in range(40) for who in range(6) if rng.random() < 0.6]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row")
    study = Study(frame)
    counts = np.zeros((study.n_items, 3), dtype=np.int64)
    item, _, answer, _ = study._annotations.rows
    np.add.at(counts, (item, answer), 1)
    leading = counts == counts.max(axis=1, keepdims=True)
    expected = np.where(leading.sum(axis=1) == 1, leading.argmax(axis=1), -1)

    by_counts = counted_majority(study._annotations)
    by_ballots = majority(Ballots.of(study._annotations), Options())
    assert by_counts is not None
    for outcome in (by_counts, by_ballots):
        assert outcome.choices.code.tolist() == expected.tolist()
        assert (outcome.choices.tied == leading[outcome.choices.open_items]).all()
    in_engine = accord.gold(Study(frame.lazy()), method="majority")
    assert [in_engine[name] for name in study.items] == accord.gold(study, method="majority").labels
    assert in_engine.lazy().collect().sort("item")["label"].is_null().to_list() == (expected < 0).tolist()

    grid = np.full((study.n_items, study.n_annotators), -1)
    item, who, answer, _ = study._annotations.rows
    grid[item, who] = answer
    places, labels, *_ = vars(largest_share(grid, 3)).values()
    assert set(zip(places.tolist(), labels.tolist(), strict=True)) == set(map(tuple, np.argwhere(leading).tolist()))
