"""Warrens (2012) relates kappas of several annotators, on binary tables of four.

Page 9 prints .645 for its first example. That is the value with two of its frequencies, 6 and 4, exchanged;
for the table as printed it is .675. The denominator in equation (3.2) is misprinted too: Cohen's kappa of the
first two annotators on p. 3 is 8/11.
"""

from __future__ import annotations

import numpy as np
import pytest

import accord
from tests.tables import Figure, load, printed_in


@printed_in("warrens2012")
def test_accord_computes_the_kappa_of_the_printed_table(figure: Figure) -> None:
    assert figure.computed() == figure.printed()


def test_the_misprint_is_the_value_with_six_and_four_exchanged() -> None:
    exchanged = np.array([[1, 1, 1, 1]] * 4 + [[1, 0, 0, 0]] * 5 + [[0, 0, 0, 0]] * 6)
    kappa = accord.conger_kappa(accord.Study.from_wide(exchanged))
    assert kappa.value == pytest.approx(load("warrens2012-p9a").cases[0]["printed"], abs=0.0005)


def test_the_first_two_annotators_have_a_kappa_of_eight_elevenths() -> None:
    first, second, *_ = zip(*load("warrens2012-p3").data, strict=True)
    assert accord.cohen_kappa(first, second).value == pytest.approx(8 / 11)
