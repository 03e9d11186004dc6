"""p-values: by shuffling answers, and by the standard error."""

from __future__ import annotations

import math
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import accord
from accord.agreement.inference.hypothesis_tests import Shuffle
from accord.coefficients.standard_errors import limits
from accord.measures.registered import MEASURES
from tests.laws.studies import Drawn, annotators_for, cases, studies
from tests.oracles import coefficients as oracle

STUDIES, DRAWS = 50, 19  # 19 shuffles make a p-value one of 1/20, 2/20 … 1


@settings(max_examples=20)
@given(drawn=studies(), seed=st.integers(0, 100), together=st.booleans())
def test_a_shuffle_keeps_who_answered_what_how_often(drawn: Drawn, seed: int, together: bool) -> None:
    study = drawn.study()
    assume(study.n_items)
    shuffled = Shuffle(study, together=together)(np.random.default_rng(seed))
    before, after = (pairs_of(one) for one in (study, shuffled))
    assert sorted(before[:, :2].tolist()) == sorted(after[:, :2].tolist())  # the same cells are filled
    columns = [2] if together else [1, 2]
    assert sorted(before[:, columns].tolist()) == sorted(after[:, columns].tolist())


def pairs_of(study: accord.Study) -> npt.NDArray[np.int64]:
    """Item, annotator and answer of every annotation."""
    return np.stack(study._annotations.rows[:3], axis=1)


def test_the_p_value_is_the_share_of_all_permutations() -> None:
    """Two annotators, six items: every one of the 720 orders of the second's answers, by the oracle."""
    first, second = "aabbcc", "aabbca"
    labels = ["a", "b", "c"]
    value = oracle.cohen_kappa(oracle.from_wide(list(zip(first, second, strict=True))), labels, oracle.identity).value
    shuffled = [
        oracle.cohen_kappa(oracle.from_wide(list(zip(first, order, strict=True))), labels, oracle.identity).value
        for order in permutations(second)
    ]
    greater = float(np.mean([other >= value - 1e-12 for other in shuffled]))
    less = float(np.mean([other <= value + 1e-12 for other in shuffled]))
    kappa = accord.cohen_kappa(list(first), list(second))
    sides: dict[Any, float] = {"greater": greater, "less": less, "two-sided": min(1.0, 2 * min(greater, less))}
    for alternative, exact in sides.items():
        found = kappa.test(method="permutation", alternative=alternative, n_resamples=1500, rng=1)
        assert found.p == pytest.approx(exact, abs=8 * math.sqrt(exact * (1 - exact) / 1500) + 2 / 1500)


def by_chance(measure: str, seed: int) -> accord.Study:
    """Twenty items, with gaps, whose annotators do not look: each has marginals of their own, but for alpha."""
    rng = np.random.default_rng(seed)
    people = min(3, annotators_for(measure)[1])
    marginals = rng.dirichlet([3, 3, 3], people)
    if measure == "krippendorff_alpha":
        marginals[:] = marginals[0]
    cells = np.stack([rng.choice(3, 20, p=own) for own in marginals], axis=1).astype(float)
    cells[rng.random(cells.shape) < 0.1] = np.nan
    return accord.Study.from_wide(cells, labels=[0, 1, 2])


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["cohen_kappa", "fleiss_kappa", "light_kappa", "gwet_ac", "krippendorff_alpha"])
def test_p_values_are_spread_evenly_where_annotators_do_not_look(measure: str) -> None:
    """Of 50 studies by chance 5 should have p ≤ 0.1 (standard deviation 2.1): 13 or more has probability 0.001.

    The mean of 50 even p-values is 0.525 ± 0.041; values that tie with their shuffles push it up a little.
    """
    function = MEASURES[measure].function
    p = np.array(
        [
            function(by_chance(measure, s))
            .test(method="permutation", alternative="greater", n_resamples=DRAWS, rng=s)
            .p
            for s in range(STUDIES)
        ]
    )
    assert (p <= 0.1).sum() <= 12
    assert p.min() <= 0.1
    assert 0.525 - 3 * 0.041 < p.mean() < 0.525 + 3 * 0.041 + 0.05


@pytest.mark.parametrize("measure", ["cohen_kappa", "fleiss_kappa", "light_kappa", "gwet_ac", "krippendorff_alpha"])
def test_agreement_beyond_chance_is_seen(measure: str) -> None:
    rng = np.random.default_rng(1)
    people = min(3, annotators_for(measure)[1])
    truth = rng.integers(0, 3, 30)
    cells = np.where(rng.random((30, people)) < 0.8, truth[:, None], rng.integers(0, 3, (30, people)))
    result = MEASURES[measure].function(accord.Study.from_wide(cells))
    assert result.test(method="permutation", n_resamples=99, rng=0).p == pytest.approx(0.02)
    assert result.test(method="permutation", alternative="greater", n_resamples=99, rng=0).p == pytest.approx(0.01)
    assert result.test().p < 0.001


@pytest.mark.parametrize("method", ["analytic", "gwet", "jackknife"])
@settings(max_examples=15)
@given(drawn=studies(("single",), items=(3, 12)), null=st.sampled_from((0.0, 0.4)))
def test_the_test_and_the_interval_say_the_same(method: Any, drawn: Drawn, null: float) -> None:
    """p < 0.05 exactly where the 95 % interval leaves out the null (its upper end is cut at 1, so null < 1)."""
    for case in cases("fleiss_kappa", drawn):
        result = case(drawn.study())
        span = result.interval(method=method)
        if result.undefined or span.undefined or span.se < 1e-9:
            continue
        found = result.test(null=null, method=method)
        assert found.df is not None
        low, high = limits(result.value, span.se, df=found.df)
        outside = null < low or null > high
        assert (found.p < 0.05) == outside or abs(found.p - 0.05) < 1e-9
        assert found.statistic == pytest.approx((result.value - null) / span.se)
