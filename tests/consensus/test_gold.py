"""What a Gold holds and tells."""

from __future__ import annotations

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose

import accord
from accord import AccordError, Gold, Study, Table
from tests.consensus.simulated import simulate

TABLE = {
    "item": [1, 1, 1, 2, 2, 3, 3, 3],
    "annotator": list("abcababc"),
    "label": ["x", "x", "y", "x", "y", "y", "y", "y"],
}


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
    assert list(table["reason"]) == ["", "'x', 'y' are level (1 answer each)", ""]
    assert list(table["answers"]) == [3, 2, 3]


def test_a_label_by_the_name_of_its_item() -> None:
    gold = accord.gold(TABLE, method="majority")
    assert gold[3] == "y"
    with pytest.raises(KeyError, match="not an item"):
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
    assert "log-likelihood" in str(accord.gold(TABLE, method="dawid-skene"))
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
    assert gold.distribution().notes == ("1 items with 0 labels.", "1 items with 2 labels.")
    assert list(gold.distribution()["items"]) == [1, 1]


def test_a_study_of_several_variables_is_asked_for_one() -> None:
    study = Study({**TABLE, "task": ["t"] * 4 + ["u"] * 4}, task="task")
    with pytest.raises(AccordError, match="Choose one"):
        accord.gold(study, method="majority")
    assert accord.gold(study.tasks["t"], method="majority")[1] == "x"


def test_marked_places_are_no_labels_to_decide() -> None:
    spans = Study({**TABLE, "start": [0] * 8, "end": [3] * 8}, answers="spans", start="start", end="end")
    with pytest.raises(AccordError, match="these are spans"):
        accord.gold(spans)


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
