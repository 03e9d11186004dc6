"""Studies and questions that a hurried or hostile user brings: a right answer, a reason, or one clear error."""

import itertools
import math
from collections.abc import Sequence
from typing import Any

import pytest

import accord
from accord.errors import InputError, MeasureError, OptionError
from accord.judge import (
    allocate,
    alt_test,
    alt_tests,
    calibrate,
    evaluate,
    label_bias,
    panel,
    position_bias,
    prediction_powered_mean,
    self_consistency,
    verdict,
)
from accord.judge.questions import results_about

PEOPLE = ("ana", "ben", "chloe")


def study_of(answers: dict[Any, Any], models: Sequence[str] = ("gpt",), **roles: Any) -> accord.Study:
    """Rows from (item, annotator) ─▶ answer."""
    column = "score" if "score" in roles else "label"
    rows = [
        {"item": item, "annotator": name, column: answer, "kind": "model" if name in models else "person"}
        for (item, name), answer in answers.items()
    ]
    return accord.Study(rows, kind="kind", **roles)


def opposed(items: int) -> accord.Study:
    """People all say no, the model always yes."""
    names = itertools.product(range(items), (*PEOPLE, "gpt"))
    return study_of({(item, name): "yes" if name == "gpt" else "no" for item, name in names})


def test_a_model_that_differs_from_people_on_every_item_is_shown_to_differ_and_told_no() -> None:
    found = label_bias(opposed(40), model="gpt")
    assert found.table["p"].max() < 1e-6  # it was 1: no spread is not no difference
    assert "differs from people's in the same way on every item" in found.sentence()
    described = verdict(opposed(40), rng=0)
    assert described.answer("gpt") == "no"  # people who all agree have no kappa; accuracy tells
    assert "It gives 'no' less often than people: 0% against 100%." in described.sentence("gpt")
    assert "would pass" not in " ".join(described.notes)


def test_one_item_that_differs_is_no_proof() -> None:
    assert label_bias(opposed(1), model="gpt").table["p"].tolist() == [1 / 2, 1 / 2]


def test_equal_use_of_several_labels_is_not_called_one_label() -> None:
    same = study_of({(item, name): "ab"[item % 2] for item in range(10) for name in (*PEOPLE, "gpt")})
    assert label_bias(same, model="gpt").sentence().startswith("gpt and people use the labels alike on every item")


def test_an_undefined_value_is_told_once_without_a_full_stop_inside_the_sentence() -> None:
    apart = study_of({(item, name): "ab"[item % 2] for item in range(10) for name in PEOPLE} | {(99, "gpt"): "a"})
    described = evaluate("gpt", apart).only.sentence()
    assert described == "gpt: kappa undefined (There is no item that both answered) on 0 items."


def test_one_item_is_one_item() -> None:
    one = study_of(dict(zip(itertools.product(["i"], (*PEOPLE, "gpt")), "abaa", strict=True)))
    assert "on 1 item;" in evaluate("gpt", one).only.sentence()
    assert "(1 item, 3 people)" in alt_test(one, model="gpt", n_resamples=0).sentence()


def test_a_cost_has_a_best_and_no_most() -> None:
    said = {(item, name): "ab"[(item + (name == "ben")) % 2] for item in range(8) for name in (*PEOPLE, "gpt")}
    found = evaluate("gpt", study_of(said), costs=[[0, 1], [2, 0]], measure="cost")
    assert ", at best 0." in found.only.sentence("cost")
    assert "at most" in found.only.sentence("kappa")


def repeated(answers: str, runs: int = 2) -> accord.Study:
    """One model, the same answers each time."""
    rows = [
        {"item": item, "annotator": "gpt", "label": label, "run": run, "kind": "model"}
        for run in range(runs)
        for item, label in enumerate(answers)
    ]
    return accord.Study(rows, run="run", kind="kind", duplicates="repeat")


def test_a_model_is_no_gold_for_itself() -> None:
    with pytest.raises(OptionError, match="'gpt' is a system and the gold for it at once"):
        evaluate("gpt", opposed(4), gold="gpt")
    with pytest.raises(OptionError, match="'gpt' is the model itself"):
        self_consistency(repeated("abab"), gold="gpt")


def test_runs_that_never_differ_are_told_without_a_warning_of_numpy() -> None:
    found = self_consistency(repeated("aaaa"))
    assert math.isnan(found.alpha.value)
    assert "Alpha is undefined. Only 'a' was given" in str(found)
    assert found.sources is not None
    assert all(math.isnan(share) for share in found.sources["share"])


@pytest.mark.parametrize(("options", "said"), [
    ({"bins": 0}, "bins must be a whole number, at least 1"),
    ({"bins": 10**9}, "bins must be a whole number, at most 10,000"),
    ({"closed": "both"}, "closed must be one of"),
    ({"facets": ["item"]}, "facets say how a run was made"),
])  # fmt: skip
def test_odd_options_of_self_consistency_are_refused_without_gold_too(options: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        self_consistency(repeated("abab"), **options)


def test_a_facet_named_twice_is_one_facet() -> None:
    once, twice = (self_consistency(repeated("abab"), facets=["run"] * number) for number in (1, 2))
    assert str(once) == str(twice)


def test_calibration_needs_numbers_and_items() -> None:
    with pytest.raises(InputError, match="nothing to calibrate"):
        calibrate([], [])
    with pytest.raises(InputError, match="stated must hold numbers"):
        calibrate(["sure"], [1])
    with pytest.raises(InputError, match="people must hold numbers"):
        prediction_powered_mean(["yes"] * 3, [1, 0, 1], [1, 1])


def test_risk_and_coverage_of_few_items_has_a_row_for_each_number_kept() -> None:
    assert calibrate([0.5, 0.9], [0, 1]).risk_coverage()["items"].tolist() == [1, 2]


def test_no_verdicts_at_all_are_none() -> None:
    with pytest.raises(InputError, match="No verdict is '1' or '2'; there are none"):
        position_bias([], [])


def test_a_model_that_is_not_worth_its_money_labels_none() -> None:
    described = str(allocate(correlation=0.0, person_cost=1, model_cost=1, budget=100))
    assert described.startswith("people 100 items and the model none")


def test_errors_that_may_cancel_out_have_no_largest_number_of_judges() -> None:
    answers = {"i0": "aaab", "i1": "aaba", "i2": "bbbb", "i3": "aaaa", "i4": "bbba"}
    rows = {
        (item, name): label
        for item, given in answers.items()
        for name, label in zip(("ana", "ben", "gpt", "llama"), given, strict=True)
    }
    described = panel(study_of(rows, models=("gpt", "llama"))).sentence()
    assert "inf" not in described
    assert "∞)" in described


# -- scores, sets and ranked answers -----------------------------------------------------------------------------------


def scored() -> accord.Study:
    """Nobody gives the same score twice."""
    places = {name: place for place, name in enumerate((*PEOPLE, "gpt"))}
    return study_of(
        {(item, name): item + (item * 7 + place * 3) % 5 / 10 for item in range(40) for name, place in places.items()},
        score="score",
    )


def test_scores_are_held_together_by_their_distance_unless_something_else_is_said() -> None:
    found = alt_test(scored(), model="gpt", n_resamples=0)
    assert found.closeness == "rmse"
    assert found.rho == alt_test(scored(), model="gpt", closeness="rmse", n_resamples=0).rho
    assert alt_tests(scored(), n_resamples=0)["gpt"].closeness == "rmse"


def test_scores_have_a_verdict_and_the_test_alone() -> None:
    assert "gpt" in str(verdict(scored()))
    (described,) = results_about(scored(), "alt-test", epsilon=0.2)
    assert (described.model, described.epsilon, described.closeness) == ("gpt", 0.2, "rmse")


def test_a_table_of_too_many_different_answers_is_refused_before_it_is_made() -> None:
    many = study_of({(item, name): item + 0.1 for item in range(20_000) for name in (*PEOPLE, "gpt")}, score="score")
    with pytest.raises(OptionError, match="too many to table; for numbers take closeness='rmse'"):
        alt_test(many, model="gpt", closeness="accuracy", n_resamples=0)


# -- who is missing ----------------------------------------------------------------------------------------------------


def test_messages_speak_of_one_person_and_one_model() -> None:
    alone = study_of({(item, "gpt"): "ab"[item % 2] for item in range(5)})
    with pytest.raises(MeasureError, match="Label bias needs a person, and there is nobody"):
        label_bias(alone, model="gpt")
    with pytest.raises(MeasureError, match="'gpt' is a model, and no gold was given"):
        evaluate("gpt", alone)
    one = study_of({(item, name): "ab"[item % 2] for item in range(5) for name in ("ana", "gpt")})
    assert label_bias(one, model="gpt").table.title == "Labels of gpt against one person, on 5 items"
