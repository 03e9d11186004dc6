"""Measures of rankings against slow twins, their laws, and what else can be asked of them."""

from __future__ import annotations

import math
from itertools import permutations
from statistics import mean
from typing import Any

import numpy as np
import pytest
from scipy.stats import kendalltau, spearmanr

import accord
import accord.errors
from accord.rankings.biased_overlap import biased_overlap
from accord.rankings.correlation import spearman, tau_b
from accord.rankings.ranks import Ranks
from tests.oracles import rankings as oracle
from tests.rankings.drawn import by_query, drawn, one_query, study_of

MEASURES = (
    accord.kendall_w, accord.ranking_tau_b, accord.ranking_spearman, accord.rank_biased_overlap,
    accord.krippendorff_alpha,
)  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_correlations_and_w_are_those_of_their_definitions(seed: int) -> None:
    lists = drawn(seed)
    study = study_of(lists)
    assert accord.ranking_tau_b(study).value == pytest.approx(
        oracle.mean_over_queries(by_query(lists).values(), oracle.tau_b)
    )
    assert accord.ranking_spearman(study).value == pytest.approx(
        oracle.mean_over_queries(by_query(lists).values(), oracle.spearman)
    )
    queries = [orders for orders in by_query(lists).values() if len(orders) > 1]
    values = [value for orders in queries if math.isfinite(value := oracle.kendall_w(orders))]
    assert accord.kendall_w(study).value == pytest.approx(mean(values))


@pytest.mark.parametrize("seed", range(4))
def test_alpha_is_ordinal_alpha_of_the_ranks_of_options(seed: int) -> None:
    lists = drawn(seed, queries=5)
    queries = [
        orders for orders in by_query(lists).values() if len(orders) > 1 and len(oracle.on_common(*orders)[0]) > 1
    ]
    assert accord.krippendorff_alpha(study_of(lists)).value == pytest.approx(oracle.alpha_of_ranks(queries))


@pytest.mark.parametrize("seed", range(3))
def test_overlap_with_ties_is_the_mean_over_their_orders(seed: int) -> None:
    rng = np.random.default_rng(seed)
    ranks = rng.integers(0, 3, size=(2, 5)).astype(float)
    groups = [[[f"o{at}" for at in np.nonzero(row == rank)[0]] for rank in np.unique(row)] for row in ranks]
    value = biased_overlap(ranks[:1], ranks[1:], 0.8, "a")[0]
    assert value == pytest.approx(oracle.overlap_of_orders(groups[0], groups[1], 0.8))


def test_correlations_of_many_lists_are_scipys() -> None:
    rng = np.random.default_rng(1)
    first, second = (rng.integers(0, 6, size=(40, 9)).astype(float) for _ in range(2))
    for row in range(40):
        pair = first[row], second[row]
        assert tau_b(*(part[None] for part in pair))[0] == pytest.approx(kendalltau(*pair).statistic)
        assert spearman(*(part[None] for part in pair))[0] == pytest.approx(spearmanr(*pair).statistic)


@pytest.mark.parametrize("measure", MEASURES)
def test_the_same_orders_have_1_and_names_and_directions_do_not_matter(measure: Any) -> None:
    same = {(f"q{at}", who): {"a": 1.0, "b": 2.0, "c": 3.0} for at in range(3) for who in ("p0", "p1", "p2")}
    assert measure(study_of(same)).value == pytest.approx(1)
    lists = drawn(3, gaps=False)
    renamed = {(query, f"z{who}"): {f"x{o}": 7 * r for o, r in held.items()} for (query, who), held in lists.items()}
    assert measure(study_of(renamed)).value == pytest.approx(measure(study_of(lists)).value)


@pytest.mark.parametrize("measure", MEASURES)
def test_parts_add_up_and_errors_agree(measure: Any) -> None:
    found = measure(study_of(drawn(5, queries=14, gaps=False)))
    items = found.by_item()
    assert np.nansum(items["value"] * items["weight"]) == pytest.approx(found.value)
    assert found.interval().se == pytest.approx(found.interval(method="jackknife").se, rel=0.1)
    low, high = found.interval(method="bootstrap", n_resamples=200, rng=1)
    assert low < found.value < high
    assert len(found.by_pair()) == 6
    assert len(found.by_annotator()) == 4
    assert list(found.by_label()["label"]) == ["a", "b", "c", "d", "e"]
    assert found.interval(resample="annotators").se > 0


def test_each_annotator_and_pair_is_what_a_study_of_the_two_would_give() -> None:
    study = study_of(drawn(2, queries=10))
    for measure in (accord.ranking_tau_b, accord.kendall_w):
        for row in measure(study).by_pair():
            two = study.of_annotators([row["first"], row["second"]])
            assert measure(two).value == pytest.approx(row["value"], nan_ok=True)


def test_w_is_tested_by_every_arrangement_of_a_small_query() -> None:
    """Kendall's tables: 3 annotators of 3 options who all agree, p = 1 / 36."""
    found = accord.kendall_w(one_query([[1, 2, 3]] * 3))
    test = found.test()
    assert test.method == "exact"
    assert test.p == pytest.approx(1 / 36)
    assert found.test(method="permutation", n_resamples=400).p < 0.1
    f = accord.kendall_w(one_query([[1, 2, 3, 4], [2, 1, 3, 4], [1, 2, 4, 3]])).test(method="f")
    assert 0 < f.p < 0.05


def test_orders_by_chance_are_not_above_chance_and_common_ones_are() -> None:
    rng = np.random.default_rng(0)
    orders = {
        (f"q{q}", f"p{w}"): dict(zip("abcde", rng.permutation(5).astype(float).tolist(), strict=True))
        for q in range(20)
        for w in range(3)
    }
    for measure in (accord.ranking_tau_b, accord.krippendorff_alpha):
        assert measure(study_of(orders)).test(n_resamples=99).p > 0.05
        assert measure(study_of(drawn(1, queries=12))).test(n_resamples=99).p < 0.05


def test_one_query_has_a_value_and_no_interval() -> None:
    found = accord.measure(one_query([[1, 2, 3, 4], [1, 3, 2, 4], [2, 1, 3, 4]]))
    assert found.recommended.measure == "kendall_w"
    assert math.isnan(found.recommended.interval().low)
    assert found.recommended.interval().undefined


def test_undefined_is_said_and_not_raised() -> None:
    alone = accord.kendall_w(one_query([[1, 2, 3]]))
    assert math.isnan(alone.value)
    assert alone.undefined
    tied = accord.ranking_tau_b(one_query([[1, 1, 1], [1, 2, 3]]))
    assert math.isnan(tied.value)
    assert "tied" in str(tied.undefined)
    apart = accord.kendall_w(one_query([[1, 2, None, None], [None, None, 1, 2]]))
    assert math.isnan(apart.value)
    assert "in common" in str(apart.undefined)


def test_lists_of_different_options_are_measured_by_their_overlap() -> None:
    lists = [[["a", "b", "c"], ["a", "x", "y"]], [["d", "e", "f"], ["e", "z", "d"]]]
    found = accord.measure(accord.Study.from_wide(lists, answers="ranking"))
    assert found.recommended.measure == "rank_biased_overlap"
    assert "different options" in found.reason


def test_groups_and_comparison_come_with_the_waist() -> None:
    lists = drawn(7, queries=12, gaps=False)
    rows = [
        (q, w, o, r, "odd" if int(q[1:]) % 2 else "even") for (q, w), held in lists.items() for o, r in held.items()
    ]
    names = ("item", "annotator", "label", "rank", "half")
    study = accord.Study(
        {name: [row[at] for row in rows] for at, name in enumerate(names)}, rank="rank", answers="ranking"
    )
    assert len(accord.kendall_w(study, by="half").by_group()) == 2
    difference = accord.compare(accord.ranking_tau_b(study), accord.ranking_spearman(study))
    assert math.isfinite(difference.difference)


def test_measures_of_labels_refuse_rankings_and_name_what_serves() -> None:
    study = study_of(drawn(1))
    with pytest.raises(accord.errors.MeasureError, match=r"kendall_w.*answers='ranked'"):
        accord.fleiss_kappa(study)
    with pytest.raises(accord.errors.MeasureError, match="ranks have an order and no amount"):
        accord.krippendorff_alpha(study, level="ratio")
    with pytest.raises(accord.errors.MeasureError, match="these are single"):
        accord.kendall_w([["a", "b"], ["a", "a"]])
    for options in ({"p": 1.0}, {"p": "x"}, {"ties": "c"}, {"value": "mean"}):
        with pytest.raises(accord.errors.OptionError):
            accord.rank_biased_overlap(study, **options)


def test_alpha_without_an_option_in_common_is_undefined_and_says_why() -> None:
    rows = [(who, f"{who}{rank}", rank) for who in ("ana", "ben") for rank in (1, 2, 3)]
    who, option, rank = (list(column) for column in zip(*rows, strict=True))
    table = {"item": ["q"] * 6, "annotator": who, "label": option, "rank": rank}
    found = accord.krippendorff_alpha(accord.Study(table, answers="ranking"))
    assert math.isnan(found.value)
    assert "No two annotators ranked the same options" in str(found)


@pytest.mark.parametrize(
    "measure", [accord.kendall_w, accord.ranking_tau_b, accord.ranking_spearman, accord.krippendorff_alpha]
)
def test_what_an_annotator_ranks_again_is_no_agreement_of_two(measure: Any) -> None:
    lists = {
        "item": ["q", "q", "r", "r"],
        "annotator": ["ana", "ben"] * 2,
        "label": ["a>b>c", "c>b>a", "b>c>a", "b>a>c"],
    }
    again = {name: [*cells, cells[0]] for name, cells in lists.items()}
    once, twice = (accord.Study(table, answers="ranking", duplicates="repeat") for table in (lists, again))
    assert measure(twice).value == pytest.approx(measure(once).value)


def test_options_of_several_queries_have_one_row_each() -> None:
    lists = {"item": ["q", "q", "r", "r"], "annotator": ["ana", "ben"] * 2, "label": ["a>b", "b>a", "c>a", "a>c>b"]}
    table = accord.kendall_w(accord.Study(lists, answers="ranking")).by_label()
    assert list(table["label"]) == ["a", "b", "c"]
    assert table["answers"].tolist() == [4, 3, 2]
    assert table["mean_rank"].tolist() == pytest.approx([1.5, 2, 1.5])
    assert table["first"].tolist() == pytest.approx([1 / 2, 1 / 3, 1 / 2])
    assert str(table)


def test_w_of_lists_ranked_again_is_made_of_pairs_of_different_people() -> None:
    lists = {"ana": ["a>b>c>d", "b>a>c>d"], "ben": ["a>c>b>d"], "cleo": ["d>a=b>c", "a>d>b>c", "a>b>d>c"]}
    rows = [("q", who, order) for who, given in lists.items() for order in given]
    table = dict(zip(("item", "annotator", "label"), map(list, zip(*rows, strict=True)), strict=True))
    study = accord.Study(table, answers="ranking", duplicates="repeat")

    def centred(order: str) -> np.ndarray:
        held = {option: place for place, tied in enumerate(order.split(">")) for option in tied.split("=")}
        before = [sum(other < held[option] for other in held.values()) for option in "abcd"]
        return np.array(before) + [list(held.values()).count(held[option]) / 2 for option in "abcd"] - 2.0

    ranks = {who: [centred(order) for order in given] for who, given in lists.items()}
    own = sum(np.mean([one @ one for one in given]) for given in ranks.values())
    others = [
        np.mean([one @ two for one in ranks[first] for two in ranks[second]])
        for first, second in permutations(ranks, 2)
    ]
    found = accord.kendall_w(study)
    assert found.value == pytest.approx((sum(others) + own) / (3 * own))
    assert "6 rankings" in str(found.working())
    assert 0 < found.test(method="permutation", rng=1).p <= 1


def test_w_of_one_annotator_who_ranks_twice_is_undefined() -> None:
    table = {"item": ["q"] * 2, "annotator": ["ana"] * 2, "label": ["a>b>c", "a>b>c"]}
    found = accord.kendall_w(accord.Study(table, answers="ranking", duplicates="repeat"))
    assert math.isnan(found.value)


def test_lists_of_one_annotator_are_shuffled_alike() -> None:
    rows = [("q", who, "a>b>c>d>e") for who in ("ana", "ana", "ben")]
    table = dict(zip(("item", "annotator", "label"), map(list, zip(*rows, strict=True)), strict=True))
    ranks = Ranks.of(accord.Study(table, answers="ranking", duplicates="repeat"))
    drawn = [ranks.shuffled(np.random.default_rng(seed)).table(np.arange(3)) for seed in range(5)]
    assert all((one[0] == one[1]).all() for one in drawn)
    assert any((one[0] != one[2]).any() for one in drawn)
