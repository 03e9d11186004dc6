"""Krippendorff 1995 and 2004: alpha for unitizing before it was replaced, and nominal coefficients of positions.

The book (2004, page 254) prints .0144, .0532 and .7286 for c, .0490 and 1 for k, and .8591 for both; exact arithmetic
gives .858665 for both.
"""

from __future__ import annotations

from typing import Any

import pytest

import accord

START = 150  # the book's continuum begins there
BOOK = {
    "i": [(225, 70, "c"), (370, 30, "c"), (180, 60, "k"), (300, 50, "k")],
    "j": [(220, 80, "c"), (355, 20, "c"), (400, 20, "c"), (180, 60, "k"), (300, 50, "k")],
}


def study(units: dict[str, list[tuple[int, int, str]]], start: int, length: int) -> accord.Study:
    """Units given by start, length and label, in one document."""
    rows = [
        {"doc": "d", "who": who, "tag": label, "from": at - start, "to": at - start + size, "text": "." * length}
        for who, marks in units.items()
        for at, size, label in marks
    ]
    return accord.Study(rows, item="doc", annotator="who", label="tag", start="from", end="to", text="text")


def test_the_book() -> None:
    result = accord.unitizing_alpha_1995(study(BOOK, START, 300))
    assert result.value == pytest.approx(0.8586654051841702, abs=1e-9)
    assert round(result.value, 3) == 0.859
    by_label = result.by_label()
    assert [round(1 - float(one), 4) for one in by_label["observed"]] == [0.0144, 0.0]
    assert [round(1 - float(one), 4) for one in by_label["expected"]] == [0.0532, 0.0490]
    assert [round(float(one), 4) for one in by_label["value"]] == [0.7286, 1.0]


def test_one_unit_against_three_has_the_value_of_dkpro() -> None:
    units = {"r0": [(1, 8, "A")], "r1": [(2, 1, "A"), (4, 1, "A"), (6, 1, "A")]}
    result = accord.unitizing_alpha_1995(study(units, 0, 10))
    assert 1 - result.observed == pytest.approx(0.91)
    assert 1 - result.expected == pytest.approx(0.5351851851851852, abs=1e-9)
    assert result.value == pytest.approx(-0.7003460207612457, abs=1e-9)


def test_it_says_that_its_authors_replaced_it() -> None:
    result = accord.unitizing_alpha_1995(study(BOOK, START, 300))
    assert any("replaced" in note for note in result.notes)
    assert "replaced it in 2016" in str(accord.unitizing_alpha_1995.__doc__)


def test_positions_of_the_paper_have_the_values_of_scikit_learn_and_krippendorff() -> None:
    """The two strings of 1995 as spans: Cohen's kappa .385, alpha .329 by position."""
    first, second = "001111111100001111110000", "000011110000000110000000"
    units: dict[str, list[tuple[int, int, str]]] = {
        who: [(at, 1, "1") for at, value in enumerate(text) if value == "1"]
        for who, text in (("a", first), ("b", second))
    }
    marked: Any = study(units, 0, 24)
    assert accord.cohen_kappa(marked).value == pytest.approx(0.3846153846153846, abs=1e-9)
    assert accord.krippendorff_alpha(marked).value == pytest.approx(0.3285714285714285, abs=1e-9)
    assert accord.fleiss_kappa(marked).value == pytest.approx(0.314, abs=5e-4)
