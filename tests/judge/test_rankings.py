"""Models that put options in order: tau-b and overlap with people, against slow twins, and what people reach."""

from __future__ import annotations

from itertools import combinations
from statistics import mean

import numpy as np
import pytest

import accord
from accord.errors import MeasureError, OptionError
from accord.judge import evaluate, verdict
from tests.command.running import run
from tests.oracles import rankings as oracle
from tests.rankings.drawn import Lists, by_query, study_of

PEOPLE = ("ana", "ben", "cleo")


def drawn() -> Lists:
    """Three people and a model who follow one order, more or less."""
    rng = np.random.default_rng(5)
    lists: Lists = {}
    for query in range(12):
        good = rng.normal(size=5)
        for who in (*PEOPLE, "gpt"):
            order = np.argsort(-(good + 0.7 * rng.normal(size=5)))
            lists[f"q{query:02}", who] = {"abcde"[option]: float(place) for place, option in enumerate(order)}
    del lists["q03", "ben"], lists["q05", "gpt"]
    return lists


def named(lists: Lists) -> list[dict[str, dict[str, float]]]:
    """By query, who gave which order."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for (query, who), order in lists.items():
        found.setdefault(query, {})[who] = dict(order)
    return list(found.values())


def test_tau_with_people_is_the_mean_over_queries_of_the_mean_over_people() -> None:
    lists = drawn()
    found = evaluate("gpt", study_of(lists), people=list(PEOPLE)).only
    queries = [orders for orders in named(lists) if "gpt" in orders]
    slow = [
        mean(oracle.tau_b(orders["gpt"], order) for who, order in orders.items() if who != "gpt") for orders in queries
    ]
    assert found.values["tau"].value == pytest.approx(mean(slow))
    assert found.items == len(queries) == 11
    assert found.values["tau"].low < mean(slow) < found.values["tau"].high
    assert found.ceiling is not None
    among = [
        mean(oracle.tau_b(orders[one], orders[other]) for one, other in combinations(sorted(set(orders) - {"gpt"}), 2))
        for orders in queries
    ]
    assert found.ceiling.person["tau"].value == pytest.approx(mean(among))
    assert found.ceiling.below["tau"].value < found.ceiling.above["tau"].value


def test_against_gold_a_person_and_their_mean_order_stand_beside_the_model() -> None:
    lists = drawn()
    found = evaluate("gpt", study_of(lists), gold="cleo", people=["ana", "ben"]).only
    slow = [oracle.tau_b(orders["gpt"], orders["cleo"]) for orders in named(lists) if "gpt" in orders]
    assert found.values["tau"].value == pytest.approx(mean(slow))
    assert found.ceiling is not None
    assert found.ceiling.gold


def test_the_verdict_and_the_command_take_rankings(tmp_path_factory: pytest.TempPathFactory) -> None:
    study = study_of(drawn())
    told = str(verdict(study, models=["gpt"], measure="overlap", n_resamples=100))
    assert "Overlap 0." in told
    path = study.write(tmp_path_factory.mktemp("judged") / "orders.csv")
    assert "people reach" in run("judge", str(path), "--models", "gpt").out
    assert len(by_query(drawn())) == 12


def test_what_no_ranking_has_is_refused() -> None:
    study = study_of(drawn())
    with pytest.raises(OptionError, match="tau"):
        evaluate("gpt", study, measure="kappa")
    with pytest.raises(OptionError, match="as what they are"):
        evaluate("gpt", study, weights="linear")
    with pytest.raises((MeasureError, accord.AccordError)):
        evaluate({"q00": "a"}, study)
