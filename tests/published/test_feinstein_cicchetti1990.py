"""Feinstein and Cicchetti (1990) show the first paradox of kappa: high agreement, low kappa.

Both tables have 85 agreements in 100. Where one label takes nine answers in ten, chance takes so much that
kappa falls from .70 to .32; coefficients whose chance does not follow the margins do not fall.
"""

from __future__ import annotations

import pytest

import accord
from tests.tables import Figure, load, printed_in


@printed_in("feinstein-cicchetti1990")
def test_accord_computes_what_feinstein_and_cicchetti_printed(figure: Figure) -> None:
    assert figure.computed() == figure.printed()


def test_skewed_margins_halve_kappa_and_leave_even_chance_alone() -> None:
    balanced = load("feinstein-cicchetti1990-balanced").study()
    skewed = load("feinstein-cicchetti1990-skewed").study()
    assert accord.cohen_kappa(skewed).value < accord.cohen_kappa(balanced).value / 2
    assert accord.brennan_prediger_kappa(balanced).value == pytest.approx(0.7)
    assert accord.brennan_prediger_kappa(skewed).value == pytest.approx(0.7)
    assert accord.gwet_ac(skewed).value > accord.gwet_ac(balanced).value
