"""Zhao's lecture (2025) teaches observed agreement, chance and Cohen's kappa step by step.

Its scikit-learn example prints 0.600. By hand: the annotators agree on 4 of 5; chance is (1·2 + 2·2 + 2·1)/25
= 8/25; so kappa is (20 − 8)/(25 − 8) = 12/17 = 0.706, and that is what scikit-learn prints.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

import accord
from tests.tables import Figure, load, printed_in


@printed_in("zhao2025")
def test_accord_computes_what_the_lecture_works_out(figure: Figure) -> None:
    assert figure.computed() == figure.printed()


def test_the_scikit_learn_example_is_twelve_seventeenths_where_the_slide_says_0_600() -> None:
    table = load("zhao2025-scikit-learn")
    ann1, ann2 = (list(column) for column in zip(*table.data, strict=True))
    agreed = sum(a == b for a, b in zip(ann1, ann2, strict=True))
    by_chance = sum(ann1.count(label) * ann2.count(label) for label in set(ann1))
    by_hand = (Fraction(agreed, 5) - Fraction(by_chance, 25)) / (1 - Fraction(by_chance, 25))
    assert by_hand == Fraction(12, 17)
    kappa = accord.cohen_kappa(ann1, ann2)
    assert kappa.value == pytest.approx(float(by_hand), abs=1e-12)
    assert f"{kappa:.3f}" == "0.706"
    assert table.cases[0]["printed"] == 0.600
