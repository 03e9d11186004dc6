"""Labels that look like a scale: numbers, words of a known order, grades; and names that do not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.annotations.answers import Answers
from accord.annotations.recognised_scale import places_in_order, recognised
from accord.annotations.scale_words import folded, known_orders

IN_ORDER = [
    ["low", "medium", "high"],
    ["Very Low", "LOW", "Medium", "High", "very-high"],
    ["never", "rarely", "sometimes", "often", "always"],
    ["none", "mild", "moderate", "severe"],
    ["poor", "fair", "good", "very good", "excellent"],
    ["bad", "neutral", "good"],
    ["small", "medium", "large"],
    ["Strongly disagree", "Disagree", "Neither agree nor disagree", "Agree", "Strongly agree"],
    ["Not at all", "Slightly", "Moderately", "Very", "Extremely"],
    ["not at all helpful", "slightly helpful", "very helpful"],
    ["low quality", "medium quality", "high quality"],
    ["very unlikely", "unlikely", "likely", "very likely"],
    ["no", "partly", "yes"],
    ["minor", "major", "critical"],
    ["much worse", "about the same", "slightly better", "much better"],
    ["very negative", "negative", "neutral", "positive", "very positive"],
    ["F", "D", "C", "B", "A"],
    ["C-", "B", "B+", "A-"],
    ["A1", "A2", "B1", "C2"],
    ["1", "2", "3", "10"],
    ["1 star", "2 stars", "5 stars"],
    ["1 - strongly disagree", "2 - disagree", "3 - neutral"],
    ["level 1", "level 2", "level 10"],
    ["1st grade", "2nd grade", "3rd grade", "4th Grade"],
    ["Grade I", "Grade II", "Grade III", "Grade IV", "Grade IX"],
    ["BI-RADS 2", "BI-RADS 3", "BI-RADS 5"],
    ["I", "II", "III"],
    ["0", "1+", "2+", "3+"],
    ["-", "+", "++", "+++"],
    [f"{share}%" for share in range(0, 100, 4)],
    ["nie", "selten", "manchmal", "oft", "immer"],
    ["Stimme überhaupt nicht zu", "stimme eher nicht zu", "stimme eher zu", "stimme voll und ganz zu"],
    ["leicht", "mittel", "schwer"],
    ["mangelhaft", "ausreichend", "befriedigend", "gut", "sehr gut"],
    ["jamais", "parfois", "souvent", "toujours"],
    ["pas du tout d’accord", "plutôt pas d'accord", "plutôt d'accord", "tout à fait d'accord"],
    ["nunca", "a veces", "siempre"],
    ["bajo", "medio", "alto"],
    ["mai", "qualche volta", "spesso", "sempre"],
    ["basso", "medio", "alto"],
    ["discordo totalmente", "discordo", "neutro", "concordo", "concordo totalmente"],
    ["baixo", "médio", "alto"],
    ["nooit", "soms", "vaak", "altijd"],
    ["helemaal mee oneens", "mee oneens", "neutraal", "mee eens", "helemaal mee eens"],
]  # fmt: skip
NAMES = [
    ["cat", "dog", "bird"],
    ["yes", "no"],
    ["low", "high"],  # two of any kind are no scale to measure
    ["yes", "no", "maybe"],
    ["Yes", "No", "Unsure"],
    ["A", "B", "C", "D"],  # options of a question
    ["a", "b", "c"],
    ["entailment", "neutral", "contradiction"],
    ["low", "medium", "high", "don't know"],
    ["medium", "moderate", "high"],  # two words of one rank
    ["1a", "2b", "3c"],
    ["topic 1", "topic 2", "topic 3"],
    ["Type I", "Type II", "Type III"],
    ["C1", "C3", "D2"],
    ["C1", "C3", "C9"],  # codes of any kind
    ["mix", "six", "fix"],
    ["yes", "no", "+"],
    [f"{number}. theme" for number in range(1, 20)],  # a code book
    ["sport", "art", "1"],
    [True, False],
]


def of(labels: list[Any]) -> Answers:
    return Answers("single", tuple(sorted(labels)))


@pytest.mark.parametrize("labels", IN_ORDER, ids=lambda labels: labels[0])
def test_words_of_a_known_order_are_put_in_it(labels: list[str]) -> None:
    found = recognised(of(labels))
    assert found is not None
    assert (list(found.order), found.level, found.clear, found.worth_asking) == (labels, "ordinal", False, True)


@pytest.mark.parametrize("labels", NAMES, ids=str)
def test_names_are_names(labels: list[Any]) -> None:
    assert recognised(of(labels)) is None


def test_three_plain_words_of_sentiment_have_an_order_and_nobody_is_asked() -> None:
    found = recognised(of(["negative", "neutral", "positive"]))
    assert found is not None
    assert (found.order, found.worth_asking) == (("negative", "neutral", "positive"), False)


@pytest.mark.parametrize(
    ("labels", "level", "clear"),
    [
        ([1, 2, 3, 4, 5], "ordinal", False),
        ([-1, 0, 1], "ordinal", False),
        ([1, 2, 3, 4, 5, 6], "ordinal", False),  # names of topics, in one real study
        ([0, 5, 5.5, 10.5], "interval", True),
        (list(range(-100, 101)), "interval", True),
        (list(range(100)), "interval", False),  # a hundred classes are numbered so, too
    ],
    ids=["1 to 5", "-1 to 1", "1 to 6", "decimals", "both sides of zero", "0 to 99"],
)
def test_numbers_may_be_a_scale(labels: list[Any], level: str, clear: bool) -> None:
    found = recognised(of(labels))
    assert found is not None
    assert (found.level, found.clear, list(found.order)) == (level, clear, labels)


def test_other_answers_than_labels_are_not_asked_about() -> None:
    assert recognised(Answers("set", ("low", "medium", "high"), ((0,), (1, 2)))) is None


@given(st.permutations(["Never", "RARELY", "some-times".replace("-", ""), "often", "always"]))
def test_the_order_in_which_labels_come_does_not_matter(labels: list[str]) -> None:
    found = recognised(Answers("single", tuple(labels)))
    assert found is not None
    assert [folded(word) for word in map(str, found.order)] == ["never", "rarely", "sometimes", "often", "always"]


def test_a_listed_order_stands_and_no_other_is_looked_for() -> None:
    assert places_in_order(Answers("single", ("high", "low", "medium"), order="listed")) is None
    assert places_in_order(of([1, 2, 3])) is None
    found = places_in_order(of(["low", "medium", "high"]))
    assert found is not None
    assert found.tolist() == [2, 0, 1], "of high, low, medium"


def test_every_known_word_is_written_as_labels_are_compared() -> None:
    for order in known_orders():
        assert len(set(order.values())) > 2
        assert [word for word in order if folded(word) != word] == []
