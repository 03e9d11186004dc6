"""Judges' biases: golden position bias, planted ones found, absent ones not claimed, bad input refused."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accord import Study
from accord.errors import AccordError, InputError
from accord.judge import label_bias, position_bias, self_preference, verbosity_bias
from accord.judge.logistic import fit_logistic

GOLDEN: dict[str, Any] = json.loads(Path(__file__).with_name("goldens.json").read_text(encoding="utf-8"))[
    "position_bias"
]
PAIRS = GOLDEN["inputs"]


# -- position ----------------------------------------------------------------------------------------------------------


def test_position_bias_is_the_golden_one() -> None:
    found = position_bias([one for one, _ in PAIRS], [other for _, other in PAIRS])
    assert found.consistency == GOLDEN["position_consistency"]
    assert (found.primacy, found.recency) == (GOLDEN["primacy_count"], GOLDEN["recency_count"])
    assert found.fairness == GOLDEN["raw_preference_fairness_recency_minus_primacy"]
    assert found.p == pytest.approx(GOLDEN["binomial_test_primacy_vs_recency_p"], abs=1e-12)
    assert found.flips == (2, 1)


def shown(verdicts: list[list[str]], judge: str = "gpt") -> dict[str, list[Any]]:
    rows = [
        (pair, judge, label, order) for pair, two in enumerate(verdicts) for order, label in zip("xy", two, strict=True)
    ]
    return dict(zip(("item", "annotator", "label", "order"), map(list, zip(*rows, strict=True)), strict=True))


def test_a_study_with_a_column_for_the_order_says_the_same() -> None:
    lists = position_bias([one for one, _ in PAIRS], [other for _, other in PAIRS])
    study = position_bias(shown(PAIRS), order="order")
    assert {**study.to_dict()["values"], "judge": ""} == {**lists.to_dict()["values"], "judge": ""}
    assert study.judge == "gpt"


def test_verdicts_may_name_the_answers_instead_of_the_positions() -> None:
    swapped = {"1": "2", "2": "1", "T": "T"}
    by_answer = position_bias([one for one, _ in PAIRS], [swapped[other] for _, other in PAIRS], verdicts="answers")
    assert (by_answer.consistent, by_answer.primacy, by_answer.recency) == (4, 3, 1)


def test_labels_that_are_the_same_in_both_orders_may_name_answers_and_it_is_said() -> None:
    found = position_bias(["A", "A", "B", "B"], ["A", "A", "B", "A"], positions=("A", "B"))
    assert found.notes == (
        "3 of 4 pairs have the same label in both orders. If labels name the answer wherever it is shown, say "
        "verdicts='answers'.",
    )
    assert not position_bias(["A", "B"], ["A", "B"], positions=("A", "B"), verdicts="answers").notes
    with pytest.raises(InputError, match=r"Say the labels for what was shown first and second: positions=\(…, …\)"):
        position_bias(["A", "B"], ["A", "B"])


def test_swapping_the_two_orders_changes_nothing_and_renaming_positions_turns_it_round() -> None:
    one, other = [pair[0] for pair in PAIRS], [pair[1] for pair in PAIRS]
    plain, back = position_bias(one, other), position_bias(other, one)
    turned = position_bias(one, other, positions=("2", "1"))
    assert (plain.primacy, plain.recency, plain.p) == (back.primacy, back.recency, back.p)
    assert (turned.primacy, turned.recency, turned.fairness) == (plain.recency, plain.primacy, -plain.fairness)


def test_planted_primacy_is_found_and_a_fair_judge_is_not_accused_too_often() -> None:
    rng = np.random.default_rng(0)
    accused = 0
    for _ in range(100):
        wins = rng.integers(0, 2, (80, 2))  # the better answer is 0 or 1, noise in both orders
        better = rng.integers(0, 2, 80)
        fair = np.where(rng.random((80, 2)) < 0.7, better[:, None], wins)
        one, other = np.where(fair[:, 0] == 0, "1", "2"), np.where(fair[:, 1] == 0, "2", "1")
        accused += position_bias(one, other).p < 0.05
        biased = np.where(rng.random(80) < 0.4, "1", one), np.where(rng.random(80) < 0.4, "1", other)
        assert position_bias(*biased).primacy > position_bias(*biased).recency
    assert accused <= 11  # 5 % of 100; above 11 happens once in 200
    assert position_bias(np.full(50, "1"), np.full(50, "1")).p < 1e-12


def test_a_pair_without_both_verdicts_is_counted() -> None:
    found = position_bias(["1", None, "2"], ["2", "1", "1"])
    assert found.n_pairs == 2
    assert found.notes == ("1 pair without a verdict in both orders left out.",)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: position_bias(["1", "2"], ["1"]), "2 verdicts in one order and 1"),
        (lambda: position_bias(["a", "b"], ["b", "a"]), "No verdict is '1' or '2'"),
        (lambda: position_bias(["1"], ["2"], positions=("1", "1")), "name two labels"),
        (lambda: position_bias(["1"], ["2"], verdicts="winners"), "verdicts must be one of"),  # type: ignore[arg-type]
        (lambda: position_bias(shown(PAIRS)), "order="),
        (lambda: position_bias(shown(PAIRS), order="label"), "shown in two orders"),
    ],
)
def test_bad_questions_about_positions_are_refused(call: Any, says: str) -> None:
    with pytest.raises(AccordError, match=says):
        call()


# -- labels ------------------------------------------------------------------------------------------------------------


def crowd(items: int, lean: float, seed: int = 0, people: int = 3) -> Study:
    """A model that says 0 instead of something else with the probability `lean`."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, items)
    said = np.where(rng.random((items, people + 1)) < 0.8, truth[:, None], rng.integers(0, 3, (items, people + 1)))
    said[:, -1] = np.where(rng.random(items) < lean, 0, said[:, -1])
    return Study.from_wide(said)


def test_a_planted_label_bias_is_found_with_its_size() -> None:
    found = label_bias(crowd(2000, 0.2), model="4")
    row = next(iter(found.table))
    assert row["low"] < 0.2 * 2 / 3 < row["high"]
    assert found.p < 1e-6
    assert found.table["difference"].sum() == pytest.approx(0, abs=1e-12)
    assert "differs from people's" in found.sentence()


def test_a_model_without_label_bias_is_accused_as_often_as_the_test_says() -> None:
    accused = sum(label_bias(crowd(150, 0.0, seed), model="4").p < 0.05 for seed in range(100))
    assert accused <= 11


def test_with_one_person_and_two_labels_it_is_the_paired_difference() -> None:
    study = Study.from_wide([["a", "a"]] * 30 + [["a", "b"]] * 12 + [["b", "a"]] * 4 + [["b", "b"]] * 20)
    found = label_bias(study, model="2")
    gap = (4 - 12) / 66
    spread = ((12 + 4) / 66 - gap**2) * 66 / 65
    assert found.table["difference"][0] == pytest.approx(gap)
    assert found.statistic == pytest.approx(gap**2 / (spread / 66))
    assert found.df == 1
    assert found.p == pytest.approx(found.table["p"][0], abs=1e-12)  # t² for two labels


def test_with_one_person_the_statistic_is_all_but_bhapkars() -> None:
    table = [[20, 10, 5], [3, 30, 15], [0, 5, 40]]
    pairs = [["abc"[i], "abc"[j]] for i in range(3) for j in range(3) for _ in range(table[i][j])]
    found = label_bias(Study.from_wide(pairs), model="2")
    assert found.statistic * 128 / 127 == pytest.approx(15.423275, abs=1e-6)  # statsmodels: homogeneity("bhapkar")
    assert found.p == pytest.approx(0.00077124, abs=1e-8)  # SciPy: f.sf(T² · 126 / (2 · 127), 2, 126)


def test_few_items_do_not_make_a_label_bias() -> None:
    rng = np.random.default_rng(7)
    accused = 0
    for _ in range(300):
        truth = rng.integers(0, 6, 30)
        said = np.where(rng.random((30, 2)) < 0.5, truth[:, None], rng.integers(0, 6, (30, 2)))
        accused += label_bias(Study.from_wide(said), model="2").p < 0.05
    assert accused <= 25  # chi-squared instead of F: 34 of 300 expected


def test_a_model_that_says_what_people_say_has_no_bias_to_test() -> None:
    found = label_bias(Study.from_wide([["a", "a"], ["b", "b"]] * 5), model="2")
    assert math.isnan(found.p)
    assert json.dumps(found.to_dict(), allow_nan=False)


def test_label_bias_needs_common_items_and_somebody() -> None:
    apart = {"item": [1, 2], "annotator": ["ana", "gpt"], "label": ["a", "b"]}
    with pytest.raises(AccordError, match="no item in common"):
        label_bias(Study(apart), model="gpt")
    with pytest.raises(AccordError, match="nobody here is known to be one"):
        label_bias(Study({**apart, "annotator": ["ana", "tagger"]}))


# -- self-preference ---------------------------------------------------------------------------------------------------


def duel(items: int, favour: float, seed: int = 0) -> Study:
    """Pairs by gpt, by llama and by others; the judge gpt favours its own with a probability."""
    rng = np.random.default_rng(seed)
    writers = np.array(["gpt", "llama", "other"])
    authors = np.stack([rng.permutation(3)[:2] for _ in range(items)])
    better = rng.integers(0, 2, items)
    columns: dict[str, list[Any]] = {
        name: [] for name in ("item", "annotator", "label", "who", "first", "second")
    }  # fmt: skip
    for name, kind in (("ana", "person"), ("ben", "person"), ("gpt", "model"), ("llama", "model")):
        winner = np.where(rng.random(items) < 0.75, better, 1 - better)
        if name == "gpt":
            own = np.argmax(authors == 0, axis=1)
            mine = (authors == 0).any(axis=1) & (rng.random(items) < favour)
            winner = np.where(mine, own, winner)
        columns["item"] += list(range(items))
        columns["annotator"] += [name] * items
        columns["label"] += np.where(winner == 0, "first", "second").tolist()
        columns["who"] += [kind] * items
        columns["first"] += writers[authors[:, 0]].tolist()
        columns["second"] += writers[authors[:, 1]].tolist()
    return Study(columns, kind="who")


ASKED: dict[str, Any] = {"model": "gpt", "authors": ("first", "second"), "sides": ("first", "second")}


def test_planted_self_preference_is_found_beside_people_and_beside_rivals() -> None:
    found = self_preference(duel(1500, 0.3), **ASKED)
    assert found.interval.low > 0.05
    assert found.opportunity_interval.low > 0.05
    assert found.beyond_interval.low > 0.05
    assert found.rivals == ("llama",)
    assert found.difference == pytest.approx(found.judge_wins - found.people_wins)
    assert found.interval.low < 0.15 < found.interval.high  # 0.3 · 0.5


def test_a_judge_without_self_preference_is_accused_as_often_as_the_test_says() -> None:
    accused = sum(self_preference(duel(150, 0.0, seed), **ASKED).p < 0.05 for seed in range(60))
    assert accused <= 8


def test_wins_are_those_of_a_loop() -> None:
    study = duel(80, 0.2, seed=3)
    found = self_preference(study, **ASKED)
    table = {name: study._frame.cells(name) for name in ("item", "annotator", "label", "first", "second")}  # type: ignore[union-attr]
    judge: list[bool] = []
    people: dict[int, list[bool]] = {}
    for item, who, label, first, second in zip(*table.values(), strict=True):
        if "gpt" in (first, second):
            own = "first" if first == "gpt" else "second"
            if who == "gpt":
                judge.append(label == own)
            elif who in ("ana", "ben"):
                people.setdefault(item, []).append(label == own)
    assert found.judge_wins == pytest.approx(np.mean(judge))
    assert found.people_wins == pytest.approx(np.mean([np.mean(wins) for wins in people.values()]))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"own": "claude"}, "'claude' wrote none of the answers"),
        ({"authors": ("first",)}, "name two columns"),
        ({"sides": ("first", "third")}, "sides must be labels of the study"),
        ({"model": "gtp"}, "Did you mean 'gpt'"),
    ],
)
def test_bad_questions_about_self_preference_are_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(AccordError, match=says):
        self_preference(duel(20, 0.0), **{**ASKED, **options})


# -- length ------------------------------------------------------------------------------------------------------------


def essays(items: int, slope: float, seed: int = 0) -> Study:
    """Length speaks for people through quality; the judge adds a taste for length of its own."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(50, 400, (items, 2))
    lead = (lengths[:, 0] - lengths[:, 1]) / (lengths[:, 0] - lengths[:, 1]).std()
    quality = 0.5 * lead + rng.normal(size=items)
    people = [np.where(quality + rng.normal(size=items) > 0, "first", "second") for _ in range(2)]
    human = np.mean([np.where(said == "first", 1.0, -1.0) for said in people], axis=0)
    judge = np.where(rng.random(items) < 1 / (1 + np.exp(-(1.0 * human + slope * lead))), "first", "second")
    names = ("ana", "ben", "gpt")
    return Study(
        {
            "item": list(range(items)) * 3,
            "annotator": [name for name in names for _ in range(items)],
            "label": [*people[0], *people[1], *judge],
            "long1": lengths[:, 0].tolist() * 3,
            "long2": lengths[:, 1].tolist() * 3,
        }
    )


LENGTHS: dict[str, Any] = {"model": "gpt", "lengths": ("long1", "long2"), "sides": ("first", "second")}


def test_a_planted_taste_for_length_is_found_with_its_size() -> None:
    found = verbosity_bias(essays(3000, 0.6), **LENGTHS)
    assert found.interval.low < math.exp(0.6) < found.interval.high
    assert found.p < 1e-6
    assert found.people_slope == pytest.approx(1.0, abs=0.2)


def test_a_judge_that_only_follows_people_is_accused_as_often_as_the_test_says() -> None:
    accused = sum(verbosity_bias(essays(300, 0.0, seed), **LENGTHS).p < 0.05 for seed in range(60))
    assert accused <= 8


def test_separated_verdicts_have_no_value_and_say_why() -> None:
    study = essays(40, 100.0)
    found = verbosity_bias(study, **LENGTHS)
    assert math.isnan(found.slope)
    assert found.undefined is not None
    assert "separation" in found.undefined
    assert "undefined" in str(found)
    assert json.dumps(found.to_dict(), allow_nan=False)


def test_the_log_ratio_of_lengths_is_another_scale() -> None:
    assert verbosity_bias(essays(500, 0.6), scale="log-ratio", **LENGTHS).slope > 0.2
    with pytest.raises(AccordError, match="scale must be one of"):
        verbosity_bias(essays(10, 0.0), scale="ratio", **LENGTHS)  # type: ignore[arg-type]


def test_lengths_must_be_numbers() -> None:
    words = {"item": [1, 1], "annotator": ["ana", "gpt"], "label": ["x", "y"], "one": ["long"] * 2, "two": [3, 3]}
    with pytest.raises(AccordError, match="Lengths are numbers; the column 'one' holds 'long'"):
        verbosity_bias(Study(words), model="gpt", lengths=("one", "two"), sides=("x", "y"))


def test_the_regression_is_at_the_top_of_its_likelihood() -> None:
    rng = np.random.default_rng(1)
    columns = np.column_stack((np.ones(200), rng.normal(size=(200, 2))))
    answers = (rng.random(200) < 1 / (1 + np.exp(-(columns @ [0.3, 1.0, -0.5])))).astype(float)
    found = fit_logistic(columns, answers)
    chance = 1 / (1 + np.exp(-columns @ found.slopes))
    assert columns.T @ (answers - chance) == pytest.approx(np.zeros(3), abs=1e-6)
    spread = np.linalg.inv(columns.T @ (columns * (chance * (1 - chance))[:, None]))
    assert found.errors == pytest.approx(np.sqrt(np.diag(spread)), rel=1e-5)


@pytest.mark.parametrize(
    ("columns", "answers", "says"),
    [
        (np.ones((2, 3)), np.array([0.0, 1.0]), "too few"),
        (np.ones((9, 1)), np.ones(9), "All verdicts are the same"),
        (np.ones((9, 2)), np.array([0.0, 1.0] * 4 + [1.0]), "say the same thing"),
        (np.column_stack((np.ones(10), np.arange(10.0) - 4.5)), (np.arange(10) > 4).astype(float), "separation"),
    ],
)
def test_a_regression_that_cannot_be_says_why(columns: Any, answers: Any, says: str) -> None:
    found = fit_logistic(columns, answers)
    assert found.undefined is not None
    assert says in found.undefined
    assert np.isnan(found.slopes).all()
