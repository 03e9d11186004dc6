"""Gwet (2014) treats gaps: four annotators on twelve items, and Ben and Gerry with one answer missing.

irrCAC, his package, prints five digits of every coefficient with its error, interval and p-value. An item
with one answer informs the marginals but has no pair; Gwet's error takes the number of items with pairs as fixed.
"""

from __future__ import annotations

import pytest

import accord
from tests.tables import Figure, load, printed_in


@printed_in("gwet2014")
def test_accord_computes_what_irrcac_prints(figure: Figure) -> None:
    assert figure.computed() == figure.printed()


def test_with_a_gap_conger_keeps_the_lone_answer_and_cohen_drops_it() -> None:
    study = load("gwet2014-ben-gerry").study()
    conger, cohen = accord.conger_kappa(study), accord.cohen_kappa(study)
    assert conger.observed == cohen.observed
    assert conger.value == pytest.approx(23 / 35)
    assert cohen.value == pytest.approx(21 / 32)
