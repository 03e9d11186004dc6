"""How many annotators an item needs: Condorcet's jury by counting, Spearman and Brown by hand."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import jsonschema
import numpy as np
import pytest

from accord.consensus.answers_needed import answers_needed
from accord.errors import AccordError
from accord.planning import annotators_needed
from accord.planning.how_many_annotators import majority_accuracy, mean_reliability
from tests.oracles.gold import majority_right

# From this project's collection of reproduced values (gold-and-models.json), computed there in loops of their own.
PEOPLE = (1, 3, 5, 7, 9, 11, 15, 21)
MAJORITY_ACCURACY = {  # of so many people, each right so often
    0.6: (0.6, 0.648, 0.68256, 0.710208, 0.733432, 0.753498, 0.786897, 0.825622),
    0.7: (0.7, 0.784, 0.83692, 0.873964, 0.901191, 0.921775, 0.949987, 0.97361),
    0.8: (0.8, 0.896, 0.94208, 0.966656, 0.980419, 0.988346, 0.99576, 0.99903),
    0.9: (0.9, 0.972, 0.99144, 0.997272, 0.999109, 0.999704, 0.999966, 0.999999),
}
PEOPLE_NEEDED = {  # for a majority that is right in 90, 95 and 99 of 100 items
    0.6: (41, 67, 133),
    0.7: (9, 17, 31),
    0.8: (5, 7, 13),
    0.9: (1, 3, 5),
}


@pytest.mark.parametrize("accuracy", [0.3, 0.5, 0.6, 0.9])
@pytest.mark.parametrize("people", [1, 2, 3, 4, 5, 8])
def test_the_majority_is_right_as_often_as_counting_says(accuracy: float, people: int) -> None:
    assert majority_accuracy(accuracy, np.array([people]))[0] == pytest.approx(
        majority_right(accuracy, people), abs=1e-12
    )


def test_an_even_number_is_never_better_than_one_less() -> None:
    people = np.arange(2, 40, 2)
    assert majority_accuracy(0.7, people) == pytest.approx(majority_accuracy(0.7, people - 1), abs=1e-12)


def test_condorcet_and_the_annotators_needed_are_the_golden_ones() -> None:
    for accuracy, reached in MAJORITY_ACCURACY.items():
        assert majority_accuracy(accuracy, np.array(PEOPLE)) == pytest.approx(reached, abs=5e-7)
    for accuracy, numbers in PEOPLE_NEEDED.items():
        for target, number in zip((0.9, 0.95, 0.99), numbers, strict=True):
            assert annotators_needed(target, accuracy=accuracy).number == number
            assert answers_needed(accuracy, target)[0] == number  # the same question asked of gold


def test_spearman_and_brown_are_the_golden_ones() -> None:
    assert mean_reliability(0.5, np.array([3]))[0] == pytest.approx(0.75, abs=1e-12)
    assert annotators_needed(0.8, reliability=0.4).number == 6


def test_the_mean_of_the_number_needed_reaches_the_target_and_one_less_does_not() -> None:
    for reliability in (0.1, 0.35, 0.6, 0.95):
        found = annotators_needed(0.9, reliability=reliability)
        assert found.number is not None
        assert found.reached >= 0.9 - 1e-9
        if found.number > 1:
            assert mean_reliability(reliability, np.array([found.number - 1]))[0] < 0.9


def test_annotators_no_better_than_a_coin_are_never_enough_and_it_says_so() -> None:
    for found in (
        annotators_needed(0.9, accuracy=0.5),
        annotators_needed(0.9, accuracy=0.505),
        annotators_needed(0.9, reliability=0.0),
    ):
        assert found.number is None
        assert str(found).startswith("No number of annotators gives")
        assert found.to_dict()["undefined"]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({}, "one of the two"),
        ({"accuracy": 0.7, "reliability": 0.7}, "one of the two"),
        ({"accuracy": 70}, "accuracy must lie between 0 and 1"),
        ({"reliability": -0.1}, "reliability must lie between 0 and 1"),
        ({"accuracy": "much"}, "accuracy must lie between 0 and 1"),
        ({"reliability": [0.5]}, "reliability must lie between 0 and 1"),
    ],
)
def test_what_cannot_be_asked_is_refused(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(AccordError, match=message):
        annotators_needed(0.9, **asked)
    for target in (90, "0.9", True):
        with pytest.raises(AccordError, match="target must lie"):
            annotators_needed(target, accuracy=0.7)  # type: ignore[arg-type]


def test_the_annotators_needed_keep_the_schema() -> None:
    schema = json.loads(files("accord").joinpath("schema.json").read_text(encoding="utf-8"))
    for found in (annotators_needed(0.9, accuracy=0.7), annotators_needed(0.9, accuracy=0.4)):
        told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
        jsonschema.Draft202012Validator(schema).validate(told)
        assert "annotators" in found._repr_html_()
