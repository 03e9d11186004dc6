"""What a Gold holds and tells."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import accord
from accord import AccordError, Gold, Study, Table
from accord.errors import OptionError
from tests.consensus.simulated import simulate

TABLE = {
    "item": [1, 1, 1, 2, 2, 3, 3, 3],
    "annotator": list("abcababc"),
    "label": ["x", "x", "y", "x", "y", "y", "y", "y"],
}
SCORES = Study.from_wide([[1.5, 2.5], [3.0, 3.5], [4.0, 4.5], [2.0, 2.5]], answers="score")


@pytest.fixture(scope="module")
def modelled() -> Gold:
    return accord.gold(simulate(items=40).study, method="dawid-skene")


def test_vote_shares_and_posteriors_are_different_things_with_different_names(modelled: Gold) -> None:
    shares, posterior = modelled.vote_shares(), modelled.posterior()
    assert (shares.title, posterior.title) == ("Vote shares", "Posterior")
    assert shares.columns == posterior.columns == ("item", *modelled.study.labels)
    assert_allclose(np.sum([posterior[str(label)] for label in modelled.study.labels], axis=0), 1)
    assert not np.allclose(shares["label 0"], posterior["label 0"])
    assert modelled.confidence_is == "posterior"
    vote = accord.gold(TABLE, method="majority")
    assert vote.confidence_is == "vote share"
    with pytest.raises(AccordError, match="no posterior"):
        vote.posterior()


def test_confidence_is_the_soft_label_of_the_label(modelled: Gold) -> None:
    assert_allclose(modelled.confidence, modelled.soft().max(axis=1))


def test_the_table_has_a_row_an_item_with_source_and_reason() -> None:
    table = accord.gold(TABLE, method="majority").to_table()
    assert isinstance(table, Table)
    assert list(table["label"]) == ["x", None, "y"]
    assert list(table["source"]) == ["majority", "undecided", "majority"]
    assert list(table["reason"]) == ["", "'x', 'y' are tied (1 answer each)", ""]
    assert list(table["answers"]) == [3, 2, 3]


def test_a_label_by_the_name_of_its_item() -> None:
    gold = accord.gold(TABLE, method="majority")
    assert gold[3] == "y"
    with pytest.raises(KeyError, match="item must be one of 1, 2, 3; got 9"):
        gold[9]


def test_the_dictionary_is_json_with_nothing_lost() -> None:
    gold = accord.gold(TABLE, method="dawid-skene", prior=(1.0, 0.5))
    told = json.loads(json.dumps(gold.to_dict(), allow_nan=False))
    assert told["schema"] == "accord/1"
    assert told["method"] == "dawid-skene"
    assert told["options"] == {"prior": [1.0, 0.5]}
    assert told["fit"]["objective"] == "log posterior"
    assert len(told["labels"]) == told["items"] == 3
    assert gold.to_dict(items=False)["labels"] is None


def test_it_prints_what_was_decided_and_how() -> None:
    assert str(accord.gold(TABLE, method="majority")).startswith(
        "Gold by Majority: 2 of 3 items decided, 1 undecided.\nMean confidence (vote share)"
    )
    assert "log posterior" in str(accord.gold(TABLE, method="dawid-skene"))
    assert "log-likelihood" in str(accord.gold(TABLE, method="dawid-skene", prior="none"))
    assert "<table>" in accord.gold(TABLE, method="majority")._repr_html_()


def test_the_method_is_cited() -> None:
    assert "Dawid, A. P., Skene, A. M. (1979)" in accord.gold(TABLE, method="dawid-skene").cite()
    assert "Bhowmick" in accord.gold(TABLE, method="expert-index").cite()


def test_the_distribution_counts_every_label_of_the_scale() -> None:
    gold = accord.gold(Study(TABLE, labels=["x", "y", "z"]), method="majority")
    assert list(gold.distribution()["items"]) == [1, 1, 0]
    assert_allclose(gold.distribution()["share"], [0.5, 0.5, 0])
    assert gold.distribution().notes == ("1 of 3 items are undecided.",)


def test_sets_tell_how_many_labels_items_have() -> None:
    study = Study(
        {"item": [1, 1, 2, 2], "annotator": list("abab"), "label": [["x", "y"], ["x", "y"], [], []]}, answers="set"
    )
    gold = accord.gold(study, method="majority")
    assert gold.labels == [("x", "y"), ()]
    assert gold.distribution().notes == ("1 item with 0 labels.", "1 item with 2 labels.")
    assert list(gold.distribution()["items"]) == [1, 1]


def test_a_study_of_several_variables_is_asked_for_one() -> None:
    study = Study({**TABLE, "task": ["t"] * 4 + ["u"] * 4}, task="task")
    with pytest.raises(AccordError, match="Choose one"):
        accord.gold(study, method="majority")
    assert accord.gold(study.tasks["t"], method="majority")[1] == "x"


def test_boxes_are_no_labels_to_decide() -> None:
    boxes = Study({**TABLE, "x": [0] * 8, "y": [3] * 8, "width": [2] * 8, "height": [2] * 8}, answers="boxes")
    with pytest.raises(AccordError, match="these are boxes"):
        accord.gold(boxes)


def test_the_seed_is_kept() -> None:
    drawn = accord.gold(TABLE, method="majority", ties="random")
    assert drawn.seed is not None
    assert accord.gold(TABLE, method="majority", ties="random", rng=drawn.seed).labels == drawn.labels


@pytest.mark.engine
def test_a_lazy_frame_gives_the_same_gold() -> None:
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(TABLE)
    for method in ("majority", "dawid-skene", "expert-index"):
        eager, lazy = (accord.gold(Study(data), method=method) for data in (frame, frame.lazy()))
        assert eager.labels == lazy.labels
        assert list(lazy.to_table()["item"]) == [1, 2, 3]


def test_a_label_called_item_loses_nobody_their_ids() -> None:
    table = {"item": [1, 1, 2], "annotator": ["a", "b", "a"], "label": ["item", "item", "q"]}
    for method, ask in (("majority", Gold.vote_shares), ("dawid-skene", Gold.posterior)):
        found = accord.gold(table, method=method)
        shares = ask(found)
        assert shares.columns == ("item", "item (label)", "q")
        assert list(shares["item"]) == [1, 2]
        assert_allclose(shares["item (label)"], found.soft()[:, 0])
        assert found.labels == ["item", "q"]
        assert shares.notes == ("The label 'item' is the column 'item (label)', as another column is called 'item'.",)


@pytest.mark.parametrize(
    "option",
    [
        {"prior": "x"}, {"prior": "5"}, {"prior": [[1, 0], [0]]}, {"prior": True},
        {"iterations": "x"}, {"iterations": np.nan}, {"iterations": np.inf}, {"iterations": 2.7}, {"iterations": 0},
        {"tolerance": "x"}, {"tolerance": np.nan}, {"restarts": "x"}, {"restarts": 1.5}, {"restarts": -1},
        {"label_shares": ["a", "b"]}, {"label_shares": {"x": "a", "y": "b"}},
    ],
)  # fmt: skip
def test_an_option_that_is_no_number_is_refused_with_what_would_do(option: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match=rf"^{next(iter(option))} must be .*; got "):
        accord.gold(TABLE, method="one-coin", **option)


def test_numbers_of_any_kind_will_do() -> None:
    kinds: dict[str, Any] = {"prior": np.int64(4), "iterations": np.int32(3), "tolerance": -1}
    assert accord.gold(TABLE, method="one-coin", restarts=2, **kinds).options["iterations"] == 3
    found = accord.gold(SCORES, method="weighted-mean", prior=np.int64(4), tolerance=1e-6)
    assert_allclose(found.values, accord.gold(SCORES, method="weighted-mean", prior=4.0, tolerance=1e-6).values)


@pytest.mark.parametrize("prior", [np.inf, np.nan, 0, "x", [1, 1], True])
def test_a_prior_of_the_weighted_mean_is_a_finite_number(prior: Any) -> None:
    with pytest.raises(
        OptionError, match="prior must be a positive number, such as 4 pseudo-answers for the weighted mean"
    ):
        accord.gold(SCORES, method="weighted-mean", prior=prior)


def test_auto_of_scores_takes_no_options_of_labels() -> None:
    with pytest.raises(
        OptionError, match="method='auto' of scores does not take 'label_shares'; it takes 'iterations'"
    ):
        accord.gold(SCORES, label_shares="uniform")


def test_progress_must_take_two_numbers_or_three() -> None:
    with pytest.raises(OptionError, match=r"\(done, total\).*cannot be seen. Wrap it"):
        accord.gold(TABLE, method="one-coin", progress=max)
    with pytest.raises(OptionError, match=r"of \(done, total, objective\); got .*\. It takes \(done\)"):
        accord.gold(TABLE, method="one-coin", progress=lambda done: None)
    seen: list[tuple[Any, ...]] = []
    accord.gold(TABLE, method="one-coin", progress=lambda *told: seen.append(told))
    assert {len(told) for told in seen} == {3}
