"""Weighted items speak of the population: a few of the studies that `benchmarks/item_weights.py` runs 2,000 of.

Everything is annotated once, and some 200 of 20,000 items again, with a chance that depends on the first label or on
how hard the item is. The mean of 100 weighted values is within three of its standard errors (about 0.01) of the value
of all items; the unweighted one is many of them away. If an interval holds the truth in 95 % of studies, fewer than 87
of 100 has probability 0.0005.
"""

from __future__ import annotations

import pytest

from benchmarks.item_weights import seen

STUDIES = 100


@pytest.mark.parametrize(
    ("population", "measure"),
    [("rare label", "gwet_ac"), ("rare label", "percent_agreement"), ("uncertain items", "cohen_kappa")],
)
def test_chosen_items_speak_of_all_items_when_they_are_weighted(population: str, measure: str) -> None:
    plain = seen(population, measure, STUDIES, weighted=False, seed=1)
    weighted = seen(population, measure, STUDIES, weighted=True, seed=1)
    assert abs(plain.bias) > 10 * plain.slack
    assert plain.held < 50
    assert abs(weighted.bias) < 3 * weighted.slack
    assert weighted.undefined == 0
    assert weighted.held >= 87


@pytest.mark.parametrize("method", ["jackknife", "bootstrap", "bayesian"])
def test_every_method_knows_of_the_weights(method: str) -> None:
    assert seen("rare label", "cohen_kappa", 40, weighted=True, method=method, seed=2).held >= 33
