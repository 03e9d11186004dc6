"""Gold of rankings: orders against slow twins, what is undecided, and what it can be asked."""

from __future__ import annotations

import math
import tracemalloc
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

import accord
import accord.errors
from accord.consensus.rankings.kemeny import _by_program, _by_subsets, kemeny
from accord.consensus.rankings.plackett_luce import strengths
from accord.consensus.rankings.ranking_gold import RankingGold
from accord.consensus.rankings.votes import QueryLists
from tests.oracles import rankings as oracle
from tests.rankings.drawn import by_query, drawn, one_query, study_of


def query_of(ranks: list[list[float]]) -> QueryLists:
    return QueryLists(np.arange(len(ranks[0])), np.array(ranks))


@pytest.mark.parametrize("seed", range(5))
def test_kemeny_is_a_best_order_and_undecided_pairs_are_those_that_best_orders_turn_round(seed: int) -> None:
    lists = drawn(seed, queries=2, people=3)
    for orders in by_query(lists).values():
        options = sorted(set().union(*orders))
        query = query_of([[order.get(option, math.nan) for option in options] for order in orders])
        _, best = oracle.kemeny(orders)
        found = kemeny(query)
        turned = {
            (a, b)
            for a, b in combinations(range(len(options)), 2)
            if len({order.index(options[a]) < order.index(options[b]) for order in best}) == 2
        }
        assert set(found.open) == turned
        for a, b in combinations(range(len(options)), 2):
            if (a, b) not in turned and found.ranks[a] != found.ranks[b]:
                assert (found.ranks[a] < found.ranks[b]) == (best[0].index(options[a]) < best[0].index(options[b]))


@pytest.mark.parametrize("seed", range(8))
def test_an_undecided_pair_is_tied_and_a_tie_is_joined_by_undecided_pairs(seed: int) -> None:
    ranks = np.random.default_rng(seed).permuted(np.tile(np.arange(5.0), (4, 1)), axis=1)
    found = kemeny(query_of(ranks.tolist()))
    assert all(found.ranks[a] == found.ranks[b] for a, b in found.open)
    for rank in set(found.ranks.tolist()):
        tied = set(np.nonzero(found.ranks == rank)[0].tolist())
        assert len([pair for pair in found.open if set(pair) <= tied]) >= len(tied) - 1


def test_best_orders_that_share_one_pair_only_are_a_tie_of_all() -> None:
    lists: list[list[float | None]] = [[1, 2, 3], [1, 2, 3], [3, 1, 2], [3, 1, 2], [2, 3, 1]]  # best: ABC, BCA
    found = accord.gold(one_query(lists), method="kemeny")
    assert str(found.labels[0]) == "o0 = o1 = o2"
    assert found.n_decided == 0


def test_the_integer_program_finds_what_trying_every_subset_does() -> None:
    rng = np.random.default_rng(3)
    cost = query_of(np.argsort(rng.random((7, 6)), axis=1).astype(float).tolist()).before.T
    some, every = _by_program(cost), _by_subsets(cost)
    assert not (some & ~every).any()
    assert (some | some.T | np.eye(6, dtype=bool)).all()


def test_strengths_are_of_maximum_likelihood() -> None:
    rng = np.random.default_rng(0)
    truth = np.array([1.0, 0.3, 0.0, -0.8])
    ranks = np.argsort(np.argsort(-(truth + rng.gumbel(size=(60, 4))), axis=1), axis=1).astype(float)

    found = strengths(ranks, np.arange(60), prior=0.0)
    slow = minimize(oracle.plackett_luce_loss, np.zeros(4), ranks, tol=1e-10).x
    assert found.log == pytest.approx(slow - slow.mean(), abs=1e-4)
    assert np.all(found.error > 0)
    assert np.argsort(-found.log).tolist() == [0, 1, 2, 3]


def test_a_tie_at_the_end_of_a_list_counts_by_efron_in_full() -> None:
    lists = np.array([[1, 2, 2], [2, 1, 3], [3, 1, 1], [1, 3, 2], [2, 3, 1]], dtype=float)

    slow = minimize(oracle.efron_loss, np.zeros(3), lists, tol=1e-10).x
    found = strengths(lists, np.arange(5), prior=0.0)
    assert found.log == pytest.approx(slow - slow.mean(), abs=1e-4)
    assert not found.over_groups


def test_few_queries_are_told_to_have_errors_of_the_model() -> None:
    few, many = (study_of(drawn(1, queries=queries, people=3)) for queries in (3, 40))
    assert "the model's own" in str(accord.gold(few, method="plackett-luce"))
    assert "the model's own" not in str(accord.gold(many, method="plackett-luce"))


def test_over_all_queries_equal_places_are_tied_and_options_apart_are_not_compared() -> None:
    assert "Over all queries: o0 = o1 = o2 (" in str(accord.gold(one_query([[1, 1, 1]] * 2)))
    apart = {"item": [1, 1, 2, 2], "annotator": ["x"] * 4, "label": ["a", "b", "c", "d"], "rank": [1, 2, 1, 2]}
    assert "Over all queries" not in str(accord.gold(accord.Study(apart, answers="ranking")))


@pytest.mark.parametrize("method", ["borda", "kemeny", "plackett-luce"])
def test_everybody_of_one_mind_is_followed(method: str) -> None:
    study = one_query([[2, 1, 3, 4]] * 12)
    found = accord.gold(study, method=method)
    assert str(found.labels[0]) == "o1 > o0 > o2 > o3"
    assert found.decided.all()
    assert found.confidence[0] == 1
    assert found.undecided().data["item"] == []
    assert "kemeny" not in found.cite() or found.method == "kemeny"


def test_two_who_contradict_each_other_leave_the_pair_undecided() -> None:
    for method in ("borda", "kemeny"):
        found = accord.gold(one_query([[1, 2, 3], [2, 1, 3]]), method=method)
        assert str(found.labels[0]) == "o0 = o1 > o2"
        assert "'o0' and 'o1'" in str(found.reason("q"))
        assert found.n_decided == 0


def test_strengths_without_a_prior_are_undecided_where_an_option_always_wins() -> None:
    found = accord.gold(one_query([[1, 2, 3], [1, 3, 2]]), method="plackett-luce", prior="none")
    assert "infinite" in str(found.reason("q"))


def test_a_gold_of_rankings_is_a_study_of_rankings_again(tmp_path: Path) -> None:
    found = accord.gold(study_of(drawn(2)))
    path = found.write(tmp_path / "gold.csv")
    again = accord.read(path)
    assert again.kind == "ranking"
    assert again.n_items == len(found)
    assert isinstance(found, RankingGold)
    assert found.to_study().kind == "ranking"
    assert found.to_dict()["method"] == "kemeny"
    assert list(found.overall()["label"])
    assert len(found.annotators()) == 4


def test_too_many_options_for_an_exact_order_are_refused_with_the_way_out() -> None:
    study = one_query([list(map(float, range(31)))] * 2)
    with pytest.raises(accord.errors.MeasureError, match=r"up to 30 options.*borda"):
        accord.gold(study, method="kemeny")
    assert accord.gold(study).method == "borda"


def test_methods_of_labels_refuse_rankings_and_the_other_way_round() -> None:
    with pytest.raises(accord.errors.OptionError, match="these are rankings"):
        accord.gold(one_query([[1, 2, 3]] * 2), method="dawid-skene")
    with pytest.raises(accord.errors.MeasureError, match="is for rankings"):
        accord.gold([["a", "b"], ["a", "a"]], method="borda")
    with pytest.raises(accord.errors.OptionError, match="does not take"):
        accord.gold(one_query([[1, 2, 3]] * 2), method="borda", prior=1)
    with pytest.raises(accord.errors.MeasureError, match="no queue"):
        accord.gold(one_query([[1, 2, 3]] * 2)).queue()


def test_a_gold_of_many_options_holds_few_tables_of_all_pairs_of_them() -> None:
    """Of 2,000 options it took 200 MB and more: here a table of all pairs is 2 MB, and the gold tells all it knows."""
    options, rng = 500, np.random.default_rng(1)
    rows = [(1, who, option, place) for who in range(6) for place, option in enumerate(rng.permutation(options), 1)]
    columns = dict(zip(("item", "annotator", "label", "rank"), map(list, zip(*rows, strict=True)), strict=True))
    study = accord.Study(columns, label="label", rank="rank", answers="ranking")
    accord.gold(study, method="borda").to_dict()  # what is loaded once is loaded
    tracemalloc.start()
    try:
        told = accord.gold(study, method="borda").to_dict()
        assert str(accord.gold(study, method="borda"))
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(told["labels"]) == options
    assert most < 6 * 8 * options**2
