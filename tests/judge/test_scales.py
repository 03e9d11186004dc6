"""Models judged on a scale: near misses are near, and where nobody said that it is one, it is asked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accord
from accord import Study
from accord.coefficients.weights import build
from accord.errors import LabelError
from accord.judge import alt_test, alt_tests, evaluate, human_likeness, label_bias, panel, side_by_side, verdict

RNG = np.random.default_rng(3)
ITEMS = 300
TRUTH = RNG.integers(1, 6, ITEMS)
PEOPLE, MODELS = ["ana", "ben", "cem", "dia"], ["exact", "near"]


def on_the_scale(values: Any) -> list[int]:
    return [int(value) for value in np.clip(np.rint(values), 1, 5)]


RATINGS = {name: on_the_scale(TRUTH + RNG.normal(0, 0.7, ITEMS)) for name in PEOPLE}
# mostly right, and else at the other end of the scale; and never far off, but seldom exactly right
RATINGS["exact"] = on_the_scale(np.where(RNG.random(ITEMS) < 0.78, TRUTH, np.where(TRUTH >= 3, 1, 5)))
RATINGS["near"] = on_the_scale(TRUTH + np.where(RNG.random(ITEMS) < 0.8, RNG.choice([-1, 1], ITEMS), 0))


def study(levels: Any = None) -> Study:
    return Study.from_wide(RATINGS, levels=levels)


def by_alt_test(levels: Any = None, **options: Any) -> Any:
    return alt_tests(study(levels), models=MODELS, people=PEOPLE, n_resamples=0, **options)


def test_closeness_follows_the_level() -> None:
    found = {level: by_alt_test(level)["near"].closeness for level in (None, "nominal", "ordinal", "interval", "ratio")}
    assert found == {None: "accuracy", "nominal": "accuracy", "ordinal": "ordinal", "interval": "rmse", "ratio": "rmse"}
    assert by_alt_test("ordinal", closeness="accuracy")["near"].closeness == "accuracy", "what the call says wins"


def test_a_verdict_that_would_be_another_on_a_scale_is_not_silent() -> None:
    names, scale = by_alt_test(), by_alt_test("ordinal")
    assert (names["exact"].passes, scale["exact"].passes) == (True, False)
    (asked,) = [note for note in names["exact"].notes if "compared as names" in note]
    assert asked == (
        "The labels are numbers (1 to 5), and answers were compared as names: the same or not. If they are a scale, "
        "say study.declare(levels='ordinal'); if they are names, study.declare(levels='nominal')."
    )
    flipped = f"As a scale, exact would not pass: ω = {scale['exact'].omega:.2f} instead of {names['exact'].omega:.2f}."
    assert flipped in names["exact"].notes
    assert not any("As a scale" in note for note in names["near"].notes), "whose verdict is the same"
    assert flipped in str(names)


@pytest.mark.parametrize("levels", ["nominal", "ordinal"])
def test_once_the_level_is_said_nothing_is_asked(levels: str) -> None:
    for result in by_alt_test(levels):
        assert not any("scale" in note for note in result.notes)
    notes = evaluate(MODELS, study(levels), people=PEOPLE).notes
    assert not any("compared as names" in note for note in notes)


def test_decimals_are_compared_by_their_distance() -> None:
    halves = {name: [value / 2 for value in cells] for name, cells in RATINGS.items()}
    found = alt_test(Study.from_wide(halves), model="near", people=PEOPLE, n_resamples=0)
    assert found.closeness == "rmse"


def test_words_of_a_known_order_are_asked_about_as_well() -> None:
    words = ["never", "rarely", "sometimes", "often", "always"]
    named = Study.from_wide({name: [words[value - 1] for value in cells] for name, cells in RATINGS.items()})
    found = alt_tests(named, models=MODELS, people=PEOPLE, n_resamples=0)
    assert any("As a scale, exact would not pass" in note for note in found["exact"].notes)
    ordinal = alt_tests(named.declare(levels="ordinal"), models=MODELS, people=PEOPLE, n_resamples=0)
    assert [one.omega for one in ordinal] == [one.omega for one in by_alt_test("ordinal")]


@pytest.mark.parametrize(
    ("levels", "weights"), [("ordinal", "linear"), ("interval", "quadratic"), ("ratio", "quadratic")]
)
def test_kappa_has_the_weights_of_the_level(levels: Any, weights: str) -> None:
    by_level, by_call = (
        evaluate(MODELS, study(levels), people=PEOPLE),
        evaluate(MODELS, study(), people=PEOPLE, weights=weights),
    )
    assert [one.kappa.value for one in by_level] == [one.kappa.value for one in by_call]
    assert f"The labels are a scale, so kappa, alpha and accuracy have {weights} weights." in by_level.notes


def test_what_kappa_would_be_on_a_scale_stands_beside_it() -> None:
    plain, linear = evaluate(MODELS, study(), people=PEOPLE), evaluate(MODELS, study("ordinal"), people=PEOPLE)
    told = ", ".join(f"{linear[name].kappa.value:.2f} for {name}" for name in MODELS)
    assert linear["exact"].ceiling is not None
    person = linear["exact"].ceiling.person["kappa"].value
    assert plain.notes[-1] == f"As a scale (linear weights), kappa is {told}; a person has {person:.2f}."
    assert plain["exact"].kappa.value > plain["near"].kappa.value
    assert linear["exact"].kappa.value < linear["near"].kappa.value, "the order of the models turns round"


def test_linear_weights_are_those_of_gwet() -> None:
    from accord.judge.closeness import alike_on_a_scale

    answers = study().answers
    table = np.asarray(build("linear", answers).apply(np.eye(len(answers))))
    assert alike_on_a_scale(answers, "test") == pytest.approx(table)


def test_names_are_judged_as_ever() -> None:
    cells = {
        name: ["cat" if value < 3 else "dog" if value < 5 else "bird" for value in held]
        for name, held in RATINGS.items()
    }
    found = alt_tests(Study.from_wide(cells), models=MODELS, people=PEOPLE, n_resamples=0)
    assert all("scale" not in note for one in found for note in one.notes)
    assert accord.judge.evaluate(MODELS, Study.from_wide(cells), people=PEOPLE).notes == ()


def test_likeness_has_the_weights_of_the_level_as_kappa_has() -> None:
    by_level = human_likeness(study("interval"), model="near", people=PEOPLE)
    by_call = human_likeness(study(), model="near", people=PEOPLE, weights="quadratic")
    assert by_level.difference.value == by_call.difference.value
    assert by_level.difference.value != human_likeness(study(), model="near", people=PEOPLE).difference.value


def test_the_question_of_the_scale_comes_before_the_verdicts() -> None:
    found = verdict(study(), models=MODELS, people=PEOPLE, n_resamples=100)
    first, second, *_ = str(found).splitlines()
    assert "answers were compared as names" in first
    assert second.startswith("As a scale (linear weights), kappa is")
    assert "a person has" in second
    assert not verdict(study("ordinal"), models=MODELS, people=PEOPLE, n_resamples=100).questions


def test_where_the_test_and_kappa_compare_answers_differently_it_is_said() -> None:
    options: dict[str, Any] = {"models": MODELS, "people": PEOPLE, "n_resamples": 100}
    assert (
        "Winning rate and advantage compare answers by their distance on the scale (closeness='ordinal'), kappa "
        "compares them as the same or not."
    ) in verdict(study(), closeness="ordinal", **options).notes
    assert any("closeness='accuracy'" in n for n in verdict(study("ordinal"), closeness="accuracy", **options).notes)
    assert not any("closeness" in note for note in verdict(study("ordinal"), closeness="rmse", **options).notes)


def test_what_counts_exact_matches_says_so_of_labels_on_a_scale() -> None:
    for ask in (panel, side_by_side):
        found = ask(study("ordinal"), models=MODELS, people=PEOPLE)
        assert any("takes them as names: the same or not" in note for note in found.notes)
        assert not any("as names" in note for note in ask(study(), models=MODELS, people=PEOPLE).notes)
    assert any("as names" in n for n in label_bias(study("ordinal"), model="near", people=PEOPLE).notes)


def test_a_level_without_an_order_of_the_labels_asks_for_the_order() -> None:
    cells = {**{name: list("xyzxyzxyz") for name in PEOPLE}, "gpt": list("xyzxyzxyy")}
    with pytest.raises(
        LabelError, match=r"level='ordinal' needs labels in an order.*Declare the scale in order: labels"
    ):
        verdict(Study.from_wide(cells, levels="ordinal"), models=["gpt"])
