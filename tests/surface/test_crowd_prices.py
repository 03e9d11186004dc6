"""What takes longer than all other coefficients together is computed when asked for, and named with its price."""

from __future__ import annotations

import sys

import pytest

import accord
from accord import Study

CROWD = Study.from_wide([["a", "a", "b", None], ["b", "b", "b", "a"], ["a", None, "a", "a"], ["b", "a", "b", "b"]])


def test_a_kappa_for_every_pair_of_a_large_crowd_is_named_with_its_price(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["accord.measures.light"], "PAIRS_UNASKED", 5)
    found = accord.measure(CROWD)
    assert found.costly == ("light_kappa",)
    assert "light_kappa" not in [result.measure for result in found]
    assert str(found).splitlines()[-1].startswith("Light's kappa needs a kappa for each of up to 6 pairs")
    assert found.only("light_kappa")[0].value == accord.light_kappa(CROWD).value


def test_a_crowd_whose_people_seldom_meet_has_few_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["accord.measures.light"], "PAIRS_UNASKED", 3)
    two_each = {"item": [1, 1, 2, 2], "annotator": ["a", "b", "c", "d"], "label": ["x", "x", "y", "x"]}
    assert "light_kappa" in [result.measure for result in accord.measure(Study(two_each))]


def test_what_costs_little_is_never_left_out() -> None:
    assert accord.measure(CROWD).costly == ()
    assert "light_kappa" in [result.measure for result in accord.measure(CROWD)]
