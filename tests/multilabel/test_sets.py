"""Sets of labels: which annotators count, the tables beside A_m, and the comparison of measures."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

import accord
from accord import multilabel
from tests.multilabel.studies import drawn, near, sets, wide
from tests.oracles import multilabel as oracle

SEEDS = range(20)


@pytest.mark.parametrize("seed", SEEDS)
def test_disagreement_and_confusion_are_counted_pair_by_pair(seed: int) -> None:
    study, labels = drawn(seed, sets)
    table = wide(study, "set", labels)
    pairs = [(item[one], item[other]) for item in study for one, other in combinations(sorted(item), 2)]
    total = list(multilabel.disagreement_by_label(table))[-1]
    for label in labels:
        assert total[label] == sum((label in a) != (label in b) for a, b in pairs)
    for row in multilabel.label_confusion(table):
        one, other = row["first"], row["second"]
        taken = [{a & {one, other}, b & {one, other}} == {frozenset((one,)), frozenset((other,))} for a, b in pairs]
        assert row["count"] == sum(taken)


def test_expected_confusion_is_that_of_independent_annotators() -> None:
    rng = np.random.default_rng(2)
    rows = [[["a"] if rng.random() < 0.7 else ["b"] for _ in range(2)] for _ in range(4000)]
    (row,) = multilabel.label_confusion(accord.Study.from_wide(rows, answers="set"))
    assert row["ratio"] == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize("seed", SEEDS)
def test_items_in_bins_sum_to_those_with_two_answers(seed: int) -> None:
    study, labels = drawn(seed, sets)
    table = multilabel.observed_distribution(wide(study, "set", labels))
    assert table["items"].sum() == sum(len(item) >= 2 for item in study)
    assert (table["single_label"] <= table["items"]).all()


def test_complete_annotators_alone_or_all_of_them_is_said() -> None:
    rows: list[list[Any]] = [
        [["a"], ["a"], ["b"]],
        [["b"], ["b"], None],
        [["a", "b"], ["a"], ["a"]],
        [["c"], ["c"], ["c"]],
    ]
    study = accord.Study.from_wide(rows, answers="set")
    everybody, complete = accord.bhowmick_am(study), accord.bhowmick_am(study, annotators="complete")
    two = accord.Study.from_wide([row[:2] for row in rows], answers="set", labels=list("abc"))
    assert complete.value == pytest.approx(accord.bhowmick_am(two).value)
    assert complete.n_annotators == 2
    assert complete.notes == ("Only the 2 annotators who answered every item; 1 others are left out.",)
    assert everybody.n_annotators == 3
    assert "1 of them did not answer every item" in everybody.notes[0]


def test_similar_labels_soften_their_exchange() -> None:
    study = accord.Study.from_wide([[["anger"], ["disgust"]], [["joy"], ["joy"]]], answers="set")

    def near_each_other(one: Any, other: Any) -> float:
        return 1.0 if one == other else 0.5 if {one, other} == {"anger", "disgust"} else 0.0

    assert accord.bhowmick_am(study, label_weights=near_each_other).by_item()["observed"][0] == pytest.approx(0.5 / 3)
    assert accord.bhowmick_am(study).by_item()["observed"][0] == 0


def test_the_measures_stand_side_by_side() -> None:
    study, labels = drawn(7, sets, gaps=False)
    table = multilabel.set_measures(wide(study, "set", labels))
    found = {(row["measure"], row["weights"]): row["value"] for row in table}
    assert len(table) == 11
    assert near(found["bhowmick_am", "label-pairs"], oracle.am(study, labels, clubbed=False).value)
    assert (
        found["krippendorff_alpha", "masi"]
        == accord.krippendorff_alpha(wide(study, "set", labels), weights="masi").value
    )
    assert all(row["says"] for row in table)


def test_measure_puts_am_beside_alpha() -> None:
    study, labels = drawn(7, sets)
    found = accord.measure(wide(study, "set", labels))
    assert found.recommended.measure == "krippendorff_alpha"
    assert found["bhowmick_am"].value == accord.bhowmick_am(wide(study, "set", labels)).value


def test_more_labels_declared_change_am() -> None:
    rows = [[["a"], ["a", "b"]], [["b"], ["b"]], [["a"], ["b"]]]
    few, many = (
        accord.bhowmick_am(accord.Study.from_wide(rows, answers="set", labels=list(s))) for s in ("abc", "abcdefgh")
    )
    assert few.observed < many.observed
