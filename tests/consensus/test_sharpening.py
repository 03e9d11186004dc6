"""Sharpening: what the alternation finds on studies whose good annotators and bad items are known."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import accord
from accord import Study
from accord.consensus.ballots import Ballots
from accord.consensus.sharpening import Views, sharpen
from tests.consensus.simulated import Simulated, simulate
from tests.oracles.gold import first_sharpening_kappa

HARD = range(60)


@pytest.fixture(scope="module", params=[0, 1, 2])
def made(request: pytest.FixtureRequest) -> Simulated:
    return simulate(
        items=300, accuracy=(0.9, 0.85, 0.8, 0.75, 0.6, 0.4, 0.34), answers=5, seed=request.param, hard=HARD
    )


@pytest.mark.slow
@pytest.mark.parametrize("how", ["variance", "entropy"])
def test_twenty_random_starts_end_in_the_same_place(made: Simulated, how: str) -> None:
    ballots, views = Ballots.of(made.study._annotations), Views.of(np.eye(3), sets=False)
    rng = np.random.default_rng(0)
    ends = [sharpen(ballots, views, item_weights=how)]
    starts = [rng.random(ballots.n_annotators) for _ in range(20)]
    ends += [sharpen(ballots, views, item_weights=how, start=start) for start in starts]
    assert all(end.converged for end in ends)
    weights = np.array([end.annotator_weights for end in ends])
    assert np.ptp(weights, axis=0).max() < 1e-8


@pytest.mark.parametrize("how", ["variance", "entropy"])
def test_unreliable_annotators_and_bad_items_lose_weight(made: Simulated, how: str) -> None:
    gold = accord.gold(made.study, method="sharpening", item_weights=how)
    weights, items = gold.outcomes[0].weights, gold.outcomes[0].item_weights
    assert weights is not None
    assert items is not None
    assert (np.diff(weights[:5]) < 0.12).all()
    assert weights[:4].min() > 2 * weights[5:].max()
    assert items[len(HARD) :].mean() > items[: len(HARD)].mean() + 0.15


def test_more_than_the_first_step_is_done(made: Simulated) -> None:
    ballots, views = Ballots.of(made.study._annotations), Views.of(np.eye(3), sets=False)
    once = sharpen(ballots, views, iterations=1).annotator_weights
    still = sharpen(ballots, views).annotator_weights
    good, bad = slice(0, 4), slice(5, 7)
    assert still[bad].mean() / still[good].mean() < once[bad].mean() / once[good].mean()


def test_it_beats_the_plain_vote(made: Simulated) -> None:
    gold = accord.gold(made.study, method="sharpening")
    vote = accord.gold(made.study, method="majority", ties="random", rng=0)
    assert made.right(gold.codes) > made.right(vote.codes) + 0.03


def test_the_first_kappa_with_equal_weights_is_as_documented() -> None:
    grid = [["x", "x", "y"], ["y", "y", "y"], ["x", "y", "x"], ["x", "x", "x"]]
    study = Study.from_wide(grid)
    found = sharpen(Ballots.of(study._annotations), Views.of(np.eye(2), sets=False), iterations=1)
    assert_allclose(found.kappa, [first_sharpening_kappa(grid, who, "xy") for who in range(3)])


def test_ranked_answers_use_the_second_label() -> None:
    table = {
        "item": [1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4],
        "annotator": [*"aabc", *"abc", *"abc", *"abc"],
        "label": ["x", "y", "y", "z", "x", "x", "x", "y", "y", "y", "z", "z", "z"],
        "rank": [1, 2] + [1] * 11,
    }
    gold = accord.gold(Study(table, rank="rank"), method="sharpening")
    assert gold[1] == "y"  # one first and one second choice outweigh one first choice
    shares = gold.vote_shares()
    assert_allclose([shares[label][0] for label in "xyz"], [0.2, 0.4 / 3 + 1 / 3, 1 / 3])
    assert len(gold.annotators()) == 3
    vote = accord.gold(Study(table, rank="rank"), method="majority")
    assert vote[1] is None
    assert "Only primary labels were counted; method='sharpening' also uses the others." in vote.notes


def test_sets_are_weighed_by_yes_and_no_to_every_label() -> None:
    rng = np.random.default_rng(3)
    labels = ["joy", "fear", "anger", "calm"]
    truth = rng.random((150, 4)) < 0.35
    noise = [0.05, 0.1, 0.15, 0.5]
    records = []
    for who, error in enumerate(noise):
        given = truth ^ (rng.random(truth.shape) < error)
        records += [
            {"item": i, "annotator": f"p{who}", "label": [labels[c] for c in np.nonzero(row)[0]]}
            for i, row in enumerate(given)
        ]
    gold = accord.gold(Study(records, answers="set", labels=labels), method="sharpening")
    weights = gold.outcomes[0].weights
    assert weights is not None
    assert (np.diff(weights) < 0).all()
    assert weights[3] < 0.1
    found = gold.members > 0
    assert (found == truth).mean() > 0.95


def test_nobody_better_than_chance_counts_alike_and_is_said() -> None:
    table = {"item": [1, 1, 2, 2], "annotator": list("abab"), "label": ["x", "y", "y", "x"]}
    gold = accord.gold(table, method="sharpening")
    assert gold.labels == [None, None]
    assert "No annotator agrees with the others beyond chance: all count alike." in gold.notes


@pytest.mark.parametrize("how", ["variance", "entropy"])
def test_the_weights_of_items_are_given_out_and_are_those_of_the_weighted_shares(how: str) -> None:
    rows: list[list[str | None]] = [
        ["x", "x", "y", "x"],
        ["y", "y", "y", "x"],
        ["x", "y", None, None],
        ["x", None, None, None],
        [*"zzzx"],
    ]
    gold = accord.gold(Study.from_wide(rows), method="sharpening", item_weights=how)
    weights = gold.outcomes[0].weights
    assert weights is not None
    for row, found in zip(rows, gold.item_weights, strict=True):
        if sum(cell is not None for cell in row) < 2:
            assert np.isnan(found)
            continue
        given = {label: sum(w for w, cell in zip(weights, row, strict=True) if cell == label) for label in "xyz"}
        share = np.array([*given.values()]) / sum(given.values())
        if how == "variance":
            slow = 1 - (1 - (share**2).sum()) / (1 - 1 / 3)
        else:
            slow = 1 + sum(q * np.log(q) for q in share if q > 0) / np.log(3)
        assert found == pytest.approx(slow)
    table = gold.to_table()
    assert_allclose(table["item_weight"], gold.item_weights)
    assert [row["item_weight"] for row in gold.to_dict()["labels"]][3] is None


def test_an_item_whose_label_is_known_weighs_most_and_sets_have_one_weight_for_all_labels() -> None:
    rows = [["x", "y"], ["x", "x"], ["y", "y"], ["y", "x"]]
    known = accord.gold(Study.from_wide(rows), method="sharpening", known={0: "x"})
    assert known.item_weights[0] == 1
    assert known.item_weights[3] < 1
    sets = Study.from_wide([[["a", "b"], ["a"]], [["a"], ["a"]], [["b"], ["b"]], [[], ["b"]]], answers="set")
    assert accord.gold(sets, method="sharpening").item_weights.shape == (4,)


def test_methods_that_give_items_no_weights_say_which_does() -> None:
    gold = accord.gold(Study.from_wide([["x", "y"], ["x", "x"]]), method="majority")
    with pytest.raises(accord.AccordError, match="gives items no weights; method='sharpening' does"):
        _ = gold.item_weights
    assert "item_weight" not in gold.to_table().columns


def test_items_that_one_annotator_answered_have_no_weight() -> None:
    gold = accord.gold(Study.from_wide([["a"], ["b"], ["a"]]), method="sharpening")
    assert np.isnan(gold.item_weights).all()
    assert np.isnan(gold.to_table()["item_weight"]).all()
