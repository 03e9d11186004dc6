"""Krippendorff (2004) introduces alpha on small tables and sets other coefficients beside it.

The two tables of p. 246 have the same agreement. In the second the observers disagree about the margins
too, and Cohen's kappa rewards them for it. (The table of p. 230, with gaps, is stored as krippendorff2011-c.)
"""

from __future__ import annotations

import pytest

import accord
from tests.tables import Figure, load, printed_in


@printed_in("krippendorff2004")
def test_accord_computes_the_books_figures(figure: Figure) -> None:
    assert figure.computed() == figure.printed()


def test_kappa_rises_when_the_margins_differ_and_alpha_does_not() -> None:
    same, differing = load("krippendorff2004-p246a").study(), load("krippendorff2004-p246b").study()
    assert accord.cohen_kappa(differing).value > accord.cohen_kappa(same).value + 0.07
    alphas = [accord.krippendorff_alpha(study).value for study in (same, differing)]
    assert alphas[0] == pytest.approx(alphas[1], abs=1e-12)
