"""Rating scales are noticed: what `measure` recommends, what it asks, and what settles it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord import Study
from tests.shared import DATA

RNG = np.random.default_rng(0)
TRUTH = RNG.integers(1, 6, 40)
LIKERT = np.clip(TRUTH[:, None] + RNG.integers(-1, 2, (40, 3)), 1, 5)  # every disagreement is at most two steps
WORDS = np.array(["never", "rarely", "sometimes", "often", "always"])[LIKERT - 1]


def test_ratings_get_both_values_side_by_side_and_one_sentence() -> None:
    found = accord.measure(Study.from_wide(LIKERT))
    question = found.question
    assert question is not None
    assert [result.title for result in found][:2] == ["Fleiss' kappa", "Krippendorff's alpha (ordinal)"]
    assert question.scale.value == accord.krippendorff_alpha(LIKERT, level="ordinal").value
    assert question.names.value == accord.fleiss_kappa(LIKERT).value
    assert str(question) == (
        "The labels are numbers (1 to 5). If they are a scale, Krippendorff's alpha (ordinal) is 0.74: say "
        "level='ordinal'. If they are names, Fleiss' kappa is 0.23: say level='nominal'."
    )
    assert str(question) in str(found)
    assert "0.74" in found._repr_html_()


def test_the_question_is_data() -> None:
    told = json.loads(json.dumps(accord.measure(Study.from_wide(WORDS)).to_dict()))
    (question,) = told["questions"]
    assert (question["level"], question["order"]) == ("ordinal", ["never", "rarely", "sometimes", "often", "always"])
    assert question["scale"]["value"] == pytest.approx(accord.krippendorff_alpha(LIKERT, level="ordinal").value)


def test_the_sentence_for_a_paper_has_both_values() -> None:
    found = accord.measure(Study.from_wide(LIKERT))
    assert found.sentence().startswith(found.recommended.sentence())
    assert "Taken as an ordinal scale, Krippendorff's alpha was 0.74" in found.sentence()
    settled = accord.measure(Study.from_wide(LIKERT), level="ordinal")
    assert settled.sentence() == settled.recommended.sentence()


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_once_the_level_is_said_the_question_goes_away(level: Any) -> None:
    by_call, by_study = accord.measure(LIKERT, level=level), accord.measure(Study.from_wide(LIKERT, levels=level))
    assert by_call.questions == by_study.questions == ()
    assert [result.title for result in by_call] == [result.title for result in by_study]
    assert [result.value for result in by_call] == [result.value for result in by_study]
    expected = "Fleiss' kappa" if level == "nominal" else f"Krippendorff's alpha ({level})"
    assert by_call.recommended.title == by_study.recommended.title == expected


def test_weights_settle_it_too() -> None:
    assert accord.measure(LIKERT, weights="linear").questions == ()


def test_a_level_of_the_call_wins_over_the_study() -> None:
    study = Study.from_wide(LIKERT, levels="interval")
    assert accord.krippendorff_alpha(study).title == "Krippendorff's alpha (interval)"
    assert accord.krippendorff_alpha(study, level="nominal").title == "Krippendorff's alpha"
    assert accord.measure(study, level="nominal").recommended.title == "Fleiss' kappa"


def test_an_ordered_categorical_is_measured_as_ordinal() -> None:
    order = ["never", "rarely", "sometimes", "often", "always"]
    frame = pd.DataFrame(WORDS, columns=["a", "b", "c"]).astype(pd.CategoricalDtype(order, ordered=True))
    found = accord.measure(Study.from_wide(frame))
    assert (found.recommended.title, found.questions) == ("Krippendorff's alpha (ordinal)", ())
    assert found.recommended.value == pytest.approx(accord.krippendorff_alpha(LIKERT, level="ordinal").value)


def test_decimals_are_measurements_and_nobody_is_asked() -> None:
    table = {"item": [1, 1, 2, 2], "annotator": ["a", "b"] * 2, "label": [10.5, 0, 5, 5.5]}
    found = accord.measure(Study(table))
    assert (found.recommended.title, found.questions) == ("Krippendorff's alpha (interval)", ())
    assert found.reason == (
        "The labels are numbers with decimals (0 to 10.5), as measurements are: alpha counts how far apart they are. "
        "If they are names all the same, say level='nominal'."
    )
    assert accord.measure(Study(table), level="nominal").recommended.title == "Cohen's kappa"


def test_the_same_coefficient_at_two_levels_says_which_is_which() -> None:
    cells: Any = LIKERT.astype(object)
    cells[0, 0] = None  # with a gap alpha is recommended for names, too
    found = accord.measure(Study.from_wide(cells))
    assert list(found.to_table()["coefficient"])[:2] == [
        "Krippendorff's alpha (nominal)",
        "Krippendorff's alpha (ordinal)",
    ]
    assert "If they are names, Krippendorff's alpha (nominal) is" in str(found.question)
    assert found["krippendorff_alpha"].options["level"] == "nominal", "by its name one finds what was asked for"


def test_words_need_no_list_to_be_ordinal_and_the_order_taken_is_said() -> None:
    study = Study.from_wide(WORDS)
    alpha = accord.krippendorff_alpha(study, level="ordinal")
    assert alpha.value == pytest.approx(accord.krippendorff_alpha(LIKERT, level="ordinal").value)
    assert alpha.notes == (
        "The order taken is never < rarely < sometimes < often < always; for another say labels=[…].",
    )
    declared = study.declare(levels="ordinal")
    assert declared.labels == ("never", "rarely", "sometimes", "often", "always")
    assert any("never < rarely < sometimes < often < always" in note for note in declared.notes)
    assert accord.krippendorff_alpha(declared).value == alpha.value
    assert accord.fleiss_kappa(declared, weights="linear").value == pytest.approx(
        accord.fleiss_kappa(LIKERT, weights="linear").value
    ), "declared, they have the order for weights too"


def test_a_list_of_labels_says_another_order() -> None:
    other = ["often", "always", "never", "rarely", "sometimes"]
    study = Study.from_wide(WORDS, labels=other)
    alpha = accord.krippendorff_alpha(study, level="ordinal")
    assert alpha.notes == ()
    places = np.array([other.index(word) for word in WORDS.ravel()]).reshape(WORDS.shape)
    assert alpha.value == pytest.approx(accord.krippendorff_alpha(places, level="ordinal").value)


def test_each_variable_is_asked_about_by_itself() -> None:
    long = [(item, who, LIKERT[item, who]) for item in range(40) for who in range(3)]
    rows = [{"item": i, "annotator": f"r{w}", "task": "tone", "label": str(x)} for i, w, x in long]
    rows += [{"item": i, "annotator": f"r{w}", "task": "topic", "label": "abc"[i % 3]} for i, w, _ in long]
    study = Study(rows, task="task")
    (question,) = accord.measure(study).questions
    assert question.variable == "tone"
    assert "say study.declare(levels={'tone': 'ordinal'})" in str(question)
    settled = accord.measure(study.declare(levels={"tone": "ordinal"}))
    assert settled.questions == ()
    assert list(settled.to_table()["coefficient"]) == ["Krippendorff's alpha (ordinal)", "Fleiss' kappa"]


def test_names_and_yes_no_are_not_asked_about() -> None:
    for cells in ([["a", "b"], ["c", "c"]], [[0, 1], [1, 1]], [["negative", "neutral"], ["positive", "positive"]]):
        assert accord.measure(Study.from_wide(cells)).questions == ()


def test_scores_and_sets_are_not_asked_about() -> None:
    assert accord.measure(Study.from_wide(LIKERT, answers="score")).questions == ()
    lists = {"item": [1, 1], "annotator": ["a", "b"], "label": [["low", "high"], ["low", "medium"]]}
    assert accord.measure(Study(lists)).questions == ()


@settings(max_examples=25, deadline=None)
@given(st.permutations(range(1, 6)))
def test_names_may_be_exchanged_and_scales_may_not(names: list[int]) -> None:
    """The value for names does not depend on which name stands for which label; the value as a scale does."""
    plain, other = (accord.measure(Study.from_wide(cells)) for cells in (LIKERT, np.array(names)[LIKERT - 1]))
    assert plain.question is not None
    assert other.question is not None
    assert other.question.names.value == pytest.approx(plain.question.names.value)
    straight = names in ([1, 2, 3, 4, 5], [5, 4, 3, 2, 1])
    assert (other.question.scale.value == pytest.approx(plain.question.scale.value)) == straight


@pytest.mark.shared
def test_topics_that_are_numbered_are_asked_about_and_not_guessed() -> None:
    found = accord.measure(accord.read(DATA / "linkedin_posts" / "long.csv"))
    assert found.recommended.options["level"] == "nominal"
    assert found.question is not None
    assert "The labels are numbers (1 to 6)." in str(found.question)
