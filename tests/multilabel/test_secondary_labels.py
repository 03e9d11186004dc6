"""Primary and secondary labels: curves, classes, combinations and rankings against slow counts."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

import accord
from accord import multilabel
from tests.multilabel.studies import drawn, near, ranked, three_ranks, wide
from tests.oracles import multilabel as oracle

SEEDS = range(20)


@pytest.mark.parametrize("seed", SEEDS)
def test_combinations_are_counted_as_the_paper_names_them(seed: int) -> None:
    study, _ = drawn(seed, ranked)
    slow = Counter(
        oracle.combination(item[one], item[other]) for item in study for one, other in combinations(sorted(item), 2)
    )
    table = multilabel.secondary_use(wide(study, "ranked")).combinations
    assert len(table) == 11
    assert {row["combination"]: row["count"] for row in table if row["count"]} == slow


@pytest.mark.parametrize("seed", SEEDS)
def test_combinations_make_up_observed_agreement(seed: int) -> None:
    study, _ = drawn(seed, ranked, gaps=False)
    table = multilabel.secondary_use(wide(study, "ranked"), p=0.7).combinations
    observed = sum(table["share"] * table["agreement"])
    assert near(observed, oracle.mean([oracle.item_agreement(item, 0.7) for item in study]))


@pytest.mark.parametrize("seed", SEEDS)
def test_classes_are_those_of_the_items_one_by_one(seed: int) -> None:
    study, _ = drawn(seed, ranked)
    found = accord.item_classes(wide(study, "ranked"), high=0.4)
    comparable = [number for number, item in enumerate(study) if len(item) >= 2]
    assert sum(found.numbers) == len(comparable)
    assert found.alone == sum(len(item) == 1 for item in study)
    kappa = {
        row["item"]: row["value"] for row in accord.rosenberg_binkowski_kappa(wide(study, "ranked"), p=1).by_item()
    }
    for row in found.items:
        first, second = (oracle.item_agreement(study[row["item"]], p) for p in (1, 0.5))
        expected = 3 if first > second + 1e-9 else 4 if second > first + 1e-9 else 1 if kappa[row["item"]] > 0.4 else 2
        assert row["class"] == expected
    assert sorted(item for number in (1, 2, 3, 4) for item in found.of(number)) == comparable


@pytest.mark.parametrize("seed", SEEDS)
def test_an_items_kappa_is_the_mean_over_its_annotator_pairs(seed: int) -> None:
    study, _ = drawn(seed, ranked, gaps=False)
    found = accord.rosenberg_binkowski_kappa(wide(study, "ranked"), p=0.6)
    if found.undefined or found.notes:  # a pair without a kappa is left out of the mean
        return
    for number, row in enumerate(found.by_item()):
        assert near(row["value"], oracle.item_kappa(study, number, 0.6))


def test_the_curve_has_a_band_and_a_difference() -> None:
    study, _ = drawn(12, ranked, gaps=False)
    curve = accord.p_curve(wide(study, "ranked"), p=(0.5, 0.75, 1))
    table = curve.to_table()
    assert table["p"].tolist() == [0.5, 0.75, 1.0]
    for p, value in zip(table["p"], table["value"], strict=True):
        assert near(value, oracle.mean_of_pairs(study, oracle.augmented_kappa, float(p)).value)
    assert (table["low"] < table["value"]).all()
    assert curve.to_dict()["schema"] == "accord/1"
    assert "secondary labels count" in curve.finding


def test_without_secondary_labels_p_makes_no_difference() -> None:
    study = accord.Study.from_wide([[["a"], ["a"]], [["b"], ["a"]], [["b"], ["b"]]], answers="ranked")
    assert accord.p_curve(study).finding == "Nobody gave a secondary label, so p makes no difference."


def test_more_ranks_run_from_all_alike_to_the_first_alone() -> None:
    study, _ = drawn(13, three_ranks, gaps=False)
    curve = accord.p_curve(wide(study, "ranked"), p=(0.5, 1))
    primary = [{who: answer[:1] for who, answer in item.items()} for item in study]
    assert near(curve.results[-1].value, oracle.mean_of_pairs(primary, oracle.augmented_kappa, 1.0).value)
    assert near(curve.results[0].value, oracle.mean_of_pairs(study, oracle.augmented_kappa, (1, 1, 1)).value)
    assert sum(accord.item_classes(wide(study, "ranked")).numbers) == len(study)


def test_use_by_annotator_and_by_label() -> None:
    study = accord.Study.from_wide(
        [[["a", "b"], ["b"]], [["a"], ["a", "c"]], [["a", "b"], ["c"]]], answers="ranked", labels=list("abcd")
    )
    use = multilabel.secondary_use(study)
    assert use.by_annotator["secondary"].tolist() == [2, 1]
    assert use.by_annotator["share"].tolist() == pytest.approx([2 / 3, 1 / 3])
    assert use.by_label["alone"].tolist() == [1, 1, 1, 0]
    assert use.by_label["primary"].tolist() == [3, 0, 0, 0]
    assert use.by_label["secondary"].tolist() == [0, 2, 1, 0]
    assert math.isnan(use.by_label["share_secondary"][3])
    assert "Combinations" in str(use)
    assert use.to_dict()["schema"] == "accord/1"


def test_one_way_and_both_ways_are_told_apart() -> None:
    rows: list[Any] = [[["planning", "meeting"], ["planning", "meeting"]]] * 5  # general before specific
    rows += [[["question", "answer"], ["answer", "question"]]] * 5
    rows += [[["social", "answer"], ["social"]]]
    orders = multilabel.secondary_use(accord.Study.from_wide(rows, answers="ranked")).orders
    told = {(row["first"], row["second"]): row["order"] for row in orders}
    assert told == {
        ("meeting", "planning"): "one way: planning is primary",
        ("answer", "question"): "both ways",
        ("answer", "social"): "too few to tell",
    }


def test_annotators_are_ranked_by_agreement_with_the_group() -> None:
    rows = [
        [["a"], ["a"], ["b"]],
        [["b"], ["b"], ["b"]],
        [["c"], ["c"], ["a"]],
        [["a"], ["a"], ["a"]],
        [["c"], ["b"], ["b"]],
    ]
    table = multilabel.annotators_ranked(accord.Study.from_wide(rows, answers="ranked"))
    assert table["rank"].tolist() == [1, 2, 3]
    assert list(table["value"]) == sorted(table["value"], reverse=True)
    assert table["annotator"][2] == "3"


@pytest.mark.parametrize("by", ["entropy", "variance"])
def test_items_are_ranked_by_how_mixed_their_labels_are(by: Any) -> None:
    rows = [[["a"], ["b"], ["c"]], [["a"], ["a"], ["a"]], [["a"], ["a"], ["b"]], [["a", "b"], ["a"], None]]
    table = multilabel.items_ranked(accord.Study.from_wide(rows, answers="ranked"), by=by)
    assert list(table["item"]) == [1, 3, 2, 0]
    found = {row["item"]: row for row in table}
    assert found[0]["entropy"] == pytest.approx(math.log(3))
    assert found[0]["variance"] == pytest.approx(2 / 3)
    assert found[3]["entropy"] == pytest.approx(-(0.8 * math.log(0.8) + 0.2 * math.log(0.2)))
    assert found[1]["entropy"] == found[1]["variance"] == 0


def test_measure_recommends_what_is_1_where_all_agree_and_has_the_kappa_beside_it() -> None:
    study, _ = drawn(5, ranked)
    found = accord.measure(wide(study, "ranked"))
    assert (found.recommended.measure, found.recommended.options["weights"]) == ("krippendorff_alpha", "overlap")
    assert found["rosenberg_binkowski_kappa"].options["weights"] == "shared-mass"


def test_no_item_with_two_answers_has_no_class() -> None:
    found = accord.item_classes(accord.Study.from_wide([[["a"], None], [None, ["b"]]], answers="ranked"))
    assert found.total == 0
    assert found.alone == 2
    assert str(found)


def test_measure_takes_more_than_two_ranks() -> None:
    """Nobody says p there: each rank then weighs two thirds of the one before, as 0.6 to 0.4."""
    study, _ = drawn(9, three_ranks, gaps=False)
    found = accord.measure(wide(study, "ranked"))["rosenberg_binkowski_kappa"]
    assert near(found.value, oracle.mean_of_pairs(study, oracle.augmented_kappa, (9, 6, 4)).value)
