"""Plans from pilots without variance, crowds and words in place of numbers."""

from typing import Any

import pytest

import accord
from accord.errors import MeasureError, OptionError

MARGINS: dict[str, Any] = {"margins": {"yes": 0.7, "no": 0.3}, "value": 0.7, "n_simulations": 100, "rng": 1}


def test_a_pilot_without_variance_is_not_said_to_make_the_target_impossible() -> None:
    found = accord.plan([["a", "a"], ["b", "b"]] * 10, width=0.1)
    assert found.items is None
    assert str(found).startswith("It cannot be told how many items give a 95% interval")
    assert str(accord.plan([["a", "a"], ["a", "b"], ["b", "b"]] * 4, above=0.9)).startswith("No number of items gives")


def test_a_pilot_without_a_value_names_the_way_out() -> None:
    with pytest.raises(MeasureError, match=r"Only 'a' was given.*Suppose one: plan\(margins=…, value=…\)"):
        accord.plan([["a", "a"]] * 10, width=0.1)


def test_a_crowd_for_every_item_is_refused_and_many_annotators_are_not() -> None:
    with pytest.raises(OptionError, match="up to 170 annotators per item, and there are 1,000"):
        accord.plan(**MARGINS, n_annotators=1000, width=0.1)
    assert accord.plan(**MARGINS, n_annotators=170, width=0.1).items is not None


@pytest.mark.parametrize(("name", "given"), [("width", "0.1"), ("above", "high"), ("power", "most"), ("width", True)])
def test_words_in_place_of_numbers_are_refused(name: str, given: object) -> None:
    with pytest.raises(OptionError, match=f"{name} must be a number"):
        accord.plan(**MARGINS, **({"width": 0.1} if name == "power" else {}), **{name: given})  # type: ignore[arg-type]


def test_shares_near_one_are_not_rounded_to_all() -> None:
    found = accord.plan(**MARGINS, width=0.3, confidence=0.999, power=0.975)
    assert "a 99.9% interval" in found.question
    assert "in 97.5% of studies" in found.question
    assert "(99.9%, analytic)" in str(accord.cohen_kappa([*"aabba"], [*"aabbb"]).interval(confidence=0.999))


def test_answers_at_random_have_a_kappa_of_zero_and_not_of_minus_zero() -> None:
    found = accord.plan(**{**MARGINS, "value": 0}, width=0.3)
    assert "makes Cohen's kappa 0.000." in str(found)


def test_a_pilot_may_be_named() -> None:
    pilot = accord.Study.from_wide([["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"]] * 8)
    by_name, by_place = (accord.plan(pilot=pilot, width=0.3, rng=1), accord.plan(pilot, width=0.3, rng=1))
    assert by_name.items == by_place.items


def test_columns_go_with_a_pilot_only() -> None:
    with pytest.raises(accord.AccordError, match="'item' belong to a pilot; margins= has no table"):
        accord.plan(margins={"a": 0.5, "b": 0.5}, value=0.7, width=0.2, item="id")
