"""Panels: correlated errors, the effective number of judges, costs and allocation, suggesters side by side."""

from __future__ import annotations

import json
import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import accord
from accord import Study
from accord.errors import AccordError, MeasureError, OptionError
from accord.judge import allocate, cheapest_labels, panel, side_by_side
from accord.judge.panels import effective
from tests.oracles import judge as oracle
from tests.shared import DATA


def models_and_people(
    items: int, models: int, together: float, seed: int = 0, accuracy: float = 0.7
) -> tuple[Study, list[str]]:
    """Models are right or wrong together with the probability `together`; three people are nearly always right."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, items)
    common = rng.random(items) < accuracy
    shared = rng.random((items, models)) < together
    right = np.where(shared, common[:, None], rng.random((items, models)) < accuracy)
    wrong = np.where(shared, ((truth + 1) % 4)[:, None], (truth[:, None] + rng.integers(1, 4, (items, models))) % 4)
    said = np.where(right, truth[:, None], wrong)
    people = np.where(rng.random((items, 3)) < 0.99, truth[:, None], (truth[:, None] + 1) % 4)
    names = [f"m{number}" for number in range(models)]
    table = {f"p{number}": people[:, number] for number in range(3)} | {
        name: said[:, place] for place, name in enumerate(names)
    }
    rows = [(item, who, int(column[item])) for who, column in table.items() for item in range(items)]
    return Study(dict(zip(("item", "annotator", "label"), map(list, zip(*rows, strict=True)), strict=True))), names


def test_correlations_are_those_of_loops_and_their_mean_gives_the_effective_number() -> None:
    study, names = models_and_people(60, 4, 0.6)
    found = panel(study, models=names)
    truth = accord.gold(study.of_annotators(["p0", "p1", "p2"]), method="majority").labels
    said = {
        name: [row["label"] for row in _answers(study, name)] for name in names
    }  # fmt: skip
    wrong = {name: [float(a != b) for a, b in zip(said[name], truth, strict=True)] for name in names}
    slow = [oracle.correlation(wrong[one], wrong[other]) for one, other in combinations(names, 2)]
    assert found.pairs["correlation"].tolist() == pytest.approx(slow)
    mean = sum(slow) / len(slow)
    assert found.correlation == pytest.approx(mean)
    assert found.effective == pytest.approx(4 / (1 + 3 * mean))
    assert found.members["accuracy"].tolist() == pytest.approx([1 - np.mean(wrong[name]) for name in names])


def _answers(study: Study, name: str) -> list[dict[str, Any]]:
    item, annotator, answer, _ = study._annotations.rows
    mine = annotator == study.annotators.index(name)
    order = np.argsort(item[mine])
    return [{"label": study.labels[code]} for code in answer[mine][order].tolist()]


@pytest.mark.parametrize(("together", "n_effective"), [(0.0, 8.0), (1.0, 1.0)])
def test_independent_models_count_in_full_and_copies_count_once(together: float, n_effective: float) -> None:
    study, names = models_and_people(3000, 8, together)
    found = panel(study, models=names)
    assert found.effective == pytest.approx(n_effective, rel=0.1)
    assert found.effective_interval.low <= n_effective * 1.02
    assert found.effective_interval.high >= n_effective * 0.98


@pytest.mark.slow
def test_the_interval_of_the_correlation_holds_the_planted_one() -> None:
    held = 0
    for seed in range(60):
        study, names = models_and_people(200, 4, 0.6, seed)
        found = panel(study, models=names)
        held += found.correlation_interval.low <= 0.36 <= found.correlation_interval.high  # both share: 0.6²
    assert held >= 50  # 95 % of 60 is 57; below 50 happens less than once in 500


def test_a_panel_of_independent_models_is_right_more_often_than_its_members() -> None:
    study, names = models_and_people(800, 7, 0.0)
    found = panel(study, models=names)
    assert found.accuracy > found.members["accuracy"].max()
    copies, names = models_and_people(800, 7, 1.0)
    assert panel(copies, models=names, method="majority").accuracy == pytest.approx(
        panel(copies, models=names).members["accuracy"].mean(), abs=0.02
    )


def test_shared_wrong_answers_are_told() -> None:
    study, names = models_and_people(500, 3, 1.0)
    assert (panel(study, models=names).pairs["same_wrong"] == 1).all()


def test_a_model_without_errors_has_no_correlation_and_is_named() -> None:
    study = Study.from_wide([["a", "a", "a", "b"], ["b", "b", "b", "b"], ["a", "a", "a", "a"], ["b", "b", "b", "a"]])
    found = panel(study, models=["2", "3", "4"], people=["1"])
    assert math.isnan(found.correlation)
    assert any("never wrong: '2', '3'" in note for note in found.notes)
    assert json.dumps(found.to_dict(), allow_nan=False)


def test_gold_may_be_given_and_people_are_then_not_needed() -> None:
    study, names = models_and_people(100, 3, 0.5)
    alone = study.of_annotators(names)
    with pytest.raises(MeasureError, match="no people and no gold"):
        panel(alone, models=names)
    truth = accord.gold(study.of_annotators(["p0", "p1", "p2"]), method="majority")
    assert panel(alone, models=names, gold=truth).correlation == panel(study, models=names).correlation
    assert panel(study, models=names, gold="p0").against == "gold"


def test_a_panel_needs_two_models_and_single_labels() -> None:
    study, names = models_and_people(20, 2, 0.5)
    with pytest.raises(MeasureError, match="two models or more"):
        panel(study, models=names[:1])
    with pytest.raises(AccordError, match="no annotator 'm9'"):
        panel(study, models=["m0", "m9"])


def test_effective_numbers_at_the_edges() -> None:
    assert effective(5, 0.0) == 5
    assert effective(5, 1.0) == 1
    assert effective(5, -0.25) == math.inf
    assert math.isnan(effective(5, math.nan))


# -- costs -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def unsure() -> accord.Gold:
    """Votes of three, tied on nothing and unsure of most."""
    said = [["ill", "well", "well"], ["well", "well", "well"], ["ill", "ill", "well"]]
    return accord.gold(Study.from_wide(said * 8), method="majority")


@pytest.mark.parametrize(("dear", "cheaper"), [(("b", "c"), "b"), (("c", "b"), "c")])
def test_of_labels_that_lead_together_the_cheapest_counts_as_the_likeliest(dear: Any, cheaper: str) -> None:
    """Twice b, twice c, once a: which of them stands first on the scale decides nothing, and nothing is changed."""
    tied = accord.gold(accord.Study.from_wide([["b", "c", "b", "c", "a"]], labels=["a", "b", "c"]), method="majority")
    away = {("b", "a"): 9, ("c", "a"): 9}
    row = next(iter(cheapest_labels(tied, {("b", "c"): 1, ("c", "b"): 1, **away, dear: 3})))
    assert row["label"] == row["likeliest"] == cheaper
    assert not row["changed"]


def test_of_labels_that_cost_the_same_the_likeliest_is_given() -> None:
    """P(a) = 1/4 and P(b) = 3/4: a costs 3/4 · 0.4, b 1/4 · 1.2, which differ in the last digit alone."""
    unsure = accord.gold(accord.Study.from_wide([["a", "b", "b", "b"]], labels=["a", "b"]), method="majority")
    row = next(iter(cheapest_labels(unsure, {("b", "a"): 0.4, ("a", "b"): 1.2})))
    assert row["label"] == "b"
    assert not row["changed"]


def test_the_cheapest_label_is_that_of_a_loop(unsure: accord.Gold) -> None:
    costs = [[0.0, 10.0], [1.0, 0.0]]  # to call the ill well costs ten times as much
    table = cheapest_labels(unsure, costs)
    labels = unsure.study.labels
    for row, soft in zip(table, unsure.soft().tolist(), strict=True):
        expected = [sum(p * costs[c][d] for c, p in enumerate(soft)) for d in range(2)]
        assert row["label"] == labels[expected.index(min(expected))]
        assert row["cost"] == pytest.approx(min(expected))
    assert table["changed"].sum() == 8
    assert cheapest_labels(unsure, [[0, 1], [1, 0]])["changed"].sum() == 0
    assert list(cheapest_labels(unsure, {("ill", "well"): 10, ("well", "ill"): 1})["label"]) == list(table["label"])


@pytest.mark.parametrize(
    ("costs", "says"),
    [
        ([[0, 1, 2], [1, 0, 2]], "costs must be square, 2 × 2.*given is 2 × 3"),
        ([[0, 1], [1]], "some rows differ in length"),
        (3, "given is a single number"),
        ([[0, -1], [1, 0]], "0 or more"),
        ([[0, math.nan], [1, 0]], "finite"),
        ({("ill", "dead"): 3}, r"\(true, given\)"),
    ],
)
def test_costs_that_cannot_be_are_refused(unsure: accord.Gold, costs: Any, says: str) -> None:
    with pytest.raises(OptionError, match=says):
        cheapest_labels(unsure, costs)


def test_the_best_split_of_a_budget_is_that_of_a_search() -> None:
    found = allocate(correlation=0.8, person_cost=2.0, model_cost=0.05, budget=500)
    best = min(
        math.sqrt(0.36 / people + 0.64 / items)
        for people in range(2, 250)
        if (items := int((500 - 2.0 * people) / 0.05)) >= people
    )
    assert found.se == pytest.approx(best, rel=0.01)
    assert found.cost <= 500
    assert found.se < found.se_people_alone


def test_a_useless_or_dear_model_is_not_bought() -> None:
    assert allocate(correlation=0.0, person_cost=1, model_cost=0.01, budget=100).items == 0
    assert allocate(correlation=0.3, person_cost=1, model_cost=1, budget=100).items == 0
    with pytest.raises(OptionError, match="correlation"):
        allocate(correlation=2, person_cost=1, model_cost=1, budget=100)
    with pytest.raises(OptionError, match="pays for 1 item at"):
        allocate(correlation=0.5, person_cost=1, model_cost=1, budget=1)


# -- suggesters side by side -------------------------------------------------------------------------------------------


def test_every_model_and_heuristic_stands_beside_the_others_with_its_own_kappa() -> None:
    study, names = models_and_people(200, 2, 0.3)
    table = {name: study._frame.cells(name) for name in ("item", "annotator", "label")}  # type: ignore[union-attr]
    table["always"] = [0] * len(table["item"])
    study = Study(table)
    found = side_by_side(study, models=names, heuristics=["always"])
    assert list(found.results) == ["m0", "m1", "always"]
    people = study.of_annotators(["p0", "p1", "p2"])
    for name in names:
        suggested = {item: study.labels[code] for item, code in enumerate(_codes(study, name))}
        alone = accord.dipietro_hazari_kappa(people, suggested=suggested)
        assert found[name].value == pytest.approx(alone.value)
    assert found["always"].value < found["m0"].value
    assert len(found.differences()) == 3


def _codes(study: Study, name: str) -> list[int]:
    return [study.labels.index(row["label"]) for row in _answers(study, name)]


def test_one_suggester_is_enough_and_none_is_refused() -> None:
    study, names = models_and_people(50, 1, 0.3)
    assert "Differences" not in str(side_by_side(study, models=names))
    with pytest.raises(MeasureError, match="Nobody suggests anything"):
        side_by_side(study)


def test_items_without_a_majority_of_people_are_said_to_be_left_out() -> None:
    cells = {"ana": list("aabbab"), "ben": list("aabbba"), "gpt": list("aabbab"), "coin": list("ababab")}
    found = panel(Study.from_wide(cells), models=["gpt", "coin"])
    assert found.n_items == 4
    assert "2 items without a majority of people left out, of 6 that models answered." in found.notes


def test_in_a_wide_table_a_model_is_its_column() -> None:
    import pandas as pd

    frame = pd.DataFrame({"ana": list("aabb"), "ben": list("abbb"), "gpt": list("aabb")})
    by_name = accord.dipietro_hazari_kappa(Study.from_wide(frame), suggested="gpt")
    people = Study.from_wide(frame[["ana", "ben"]])
    assert by_name.value == accord.dipietro_hazari_kappa(people, suggested=list("aabb")).value


PANDALM = DATA / "pandalm_pairwise/long.csv"


@pytest.mark.shared
def test_two_judges_of_pandalm_are_worth_less_than_one_and_a_half() -> None:
    found = panel(accord.read(PANDALM, kind="annotator_type"))
    assert found.models == ("gpt-3.5-turbo", "pandalm-7b")
    assert found.correlation == pytest.approx(0.401, abs=5e-4)
    assert found.effective == pytest.approx(2 / 1.401, abs=1e-3)
    assert found.pairs["same_wrong"][0] == pytest.approx(0.706, abs=5e-4)
    beside = side_by_side(accord.read(PANDALM, kind="annotator_type"))
    assert [round(float(value), 3) for value in beside.to_table()["value"]] == [0.411, 0.361]
