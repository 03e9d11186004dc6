"""Models judged on a scale: near misses are near, and where nobody said that it is one, it is asked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accord
from accord import Study
from accord.coefficients.weights import build
from accord.judge import alt_test, alt_tests, evaluate

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
    assert plain.notes[-1] == f"As a scale (linear weights), kappa is {told}."
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
