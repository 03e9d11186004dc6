"""Intervals hold the true value as often as they say: 100 simulated studies; `benchmarks/coverage.py` runs 2,000.

If an interval holds the truth in 95 % of studies, fewer than 87 of 100 has probability 0.0005, and if in 93 %, 0.01.
So 87 is the bound: an honest interval passes; one whose error is a quarter too small (coverage 0.86) fails
half the time.
The 50 % interval is the sharper check, in both directions: 34 to 66 of 100 are within three standard deviations.
The poor studies (rare labels, agreement near 1) are the second half: there an interval holds the truth, or is refused.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

import accord
from benchmarks import both
from benchmarks.coverage import MEASURES, Seen, drawn, truth

pytestmark = pytest.mark.slow

STUDIES, ITEMS = 100, 100


@cache
def studies(population: str) -> list[accord.Study]:
    """The same studies for every measure."""
    return list(drawn(population, ITEMS, STUDIES, seed=1))


RICH = ("three annotators", "five, two in five answers missing")
POOR = (("one label 90 %", 30), ("one label 95 %", 50), ("one label 98 %", 100), ("near 1", 20), ("near 1", 50))


@pytest.mark.parametrize("population", RICH)
@pytest.mark.parametrize("measure", MEASURES)
def test_analytic_intervals_hold_the_truth(measure: str, population: str) -> None:
    seen, half = Seen(), Seen()
    for study in studies(population):
        result, true = MEASURES[measure](study), truth(population, measure)
        seen.add(result.interval(method="analytic"), true)
        half.add(result.interval(method="analytic", confidence=0.5), true)
    assert seen.made == STUDIES
    assert seen.held >= 87
    assert 34 <= half.held <= 66


@pytest.mark.parametrize("measure", MEASURES)
def test_bootstrap_intervals_hold_the_truth(measure: str) -> None:
    seen, half = Seen(), Seen()
    for number, study in enumerate(studies(RICH[1])):
        result, true = MEASURES[measure](study), truth(RICH[1], measure)
        seen.add(result.interval(method="bootstrap", n_resamples=200, rng=number), true)
        half.add(result.interval(method="bootstrap", n_resamples=200, rng=number, confidence=0.5), true)
    assert seen.made == STUDIES
    assert seen.held >= 87
    assert 34 <= half.held <= 66


@pytest.mark.parametrize(("population", "items"), POOR)
def test_intervals_of_poor_studies_hold_the_truth_or_are_refused(population: str, items: int) -> None:
    """Before items were counted, 34 to 75 of 100 such intervals held it."""
    seen = {measure: Seen() for measure in ("fleiss_kappa", "gwet_ac")}
    for study in drawn(population, items, STUDIES, seed=2):
        for measure, one in seen.items():
            one.add(MEASURES[measure](study).interval(), truth(population, measure))
    for one in seen.values():
        assert one.made >= 20
        assert one.held >= one.made - max(3, round(0.12 * one.made))


@pytest.mark.parametrize(("population", "widest"), [("different skill", 0.66), ("different knowledge", 0.55)])
def test_intervals_over_annotators_and_items_hold_the_truth_and_waste_nothing(population: str, widest: float) -> None:
    """Five annotators, thirty items: widths of 0.59 and 0.47, with the interaction counted twice 0.72 and 0.63."""
    found = [one["both"] for one in both.spans(population, 30, 5, STUDIES)]
    held = sum(span.low <= both.truth(population) <= span.high for span in found)
    assert held >= 87
    assert np.mean([span.high - span.low for span in found]) < widest


def test_the_bound_is_what_it_is_said_to_be() -> None:
    def below(bound: int, coverage: float) -> float:
        return sum(math.comb(100, k) * coverage**k * (1 - coverage) ** (100 - k) for k in range(bound))

    assert below(87, 0.95) < 0.0006
    assert below(87, 0.93) < 0.02
    assert below(87, 0.86) > 0.5
    assert below(34, 0.5) < 0.001
