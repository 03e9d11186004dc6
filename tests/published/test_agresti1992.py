"""Agresti (1992) reprints how two pathologists graded 118 slides of the cervix (Landis and Koch 1977).

The last two labels are where they part: one of them used the fourth label almost three times as often. "One
label against the rest" then has two meanings, and both circulate as Cohen's: DKPro Statistics pools the two
annotators' marginals, R's vcd keeps them apart. accord pools unless told otherwise and names the other.
"""

from __future__ import annotations

import accord
from tests.tables import Figure, load, printed_in


@printed_in("agresti1992")
def test_accord_computes_the_kappa_its_error_and_both_readings_of_one_label(figure: Figure) -> None:
    assert figure.computed() == figure.printed()


def test_keeping_the_marginals_apart_never_lowers_the_kappa_of_a_label() -> None:
    kappa = accord.cohen_kappa(load("agresti1992").study())
    pooled, own = kappa.by_label(chance="pooled"), kappa.by_label(chance="own")
    assert all(apart >= together for apart, together in zip(own["value"], pooled["value"], strict=True))
