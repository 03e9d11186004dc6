"""Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", works through examples B and C.

Example C is the best known table of the field: four observers, twelve units, gaps. It circulates in two
versions. Krippendorff's second observer gave the only answer on the last unit; in Gwet's irrCAC the third
did. Whatever pools the observers cannot tell; Conger's kappa can.
"""

from __future__ import annotations

import pytest

import accord
from tests.tables import Figure, load, printed_in


@printed_in("krippendorff2011")
def test_accord_computes_what_krippendorff_works_out(figure: Figure) -> None:
    assert figure.computed() == figure.printed()


def test_who_gave_the_lone_answer_matters_to_conger() -> None:
    here, in_irrcac = load("krippendorff2011-c").study(), load("gwet2014-four-annotators").study()
    assert accord.conger_kappa(here).value == pytest.approx(0.76207, abs=5e-6)
    assert accord.conger_kappa(in_irrcac).value == pytest.approx(0.76282, abs=5e-6)


@pytest.mark.parametrize("name", ["fleiss_kappa", "gwet_ac", "brennan_prediger_kappa", "krippendorff_alpha"])
def test_who_gave_the_lone_answer_matters_to_nothing_that_pools(name: str) -> None:
    measure = getattr(accord, name)
    here, in_irrcac = load("krippendorff2011-c").study(), load("gwet2014-four-annotators").study()
    assert measure(here).value == pytest.approx(measure(in_irrcac).value, abs=1e-12)
