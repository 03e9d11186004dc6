"""From an error to an interval and a p-value, the sign test, and corrections for many questions: as SciPy has them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from accord.agreement.inference.multiple_testing import holm
from accord.agreement.inference.proportions import sign_test
from accord.agreement.inference.wald import interval_around, mean_interval
from accord.coefficients.standard_errors import (
    FISHER,
    LOG_ODDS,
    LOGARITHM,
    NORMAL,
    LimitScale,
    fishers_z,
    limits,
    p_value,
    p_values,
    quantile,
)


def test_the_interval_and_the_p_value_of_a_mean_are_students() -> None:
    values = np.random.default_rng(1).normal(0.3, 1, 12)
    theirs = stats.ttest_1samp(values, 0.0)
    assert tuple(mean_interval(values, 0.9)) == pytest.approx(theirs.confidence_interval(0.9))
    error = float(values.std(ddof=1)) / math.sqrt(len(values))
    assert p_value(float(values.mean()), error, len(values) - 1) == pytest.approx(theirs.pvalue)


def test_without_a_limit_of_df_both_are_normal() -> None:
    assert tuple(interval_around(1.0, 2.0, df=NORMAL)) == pytest.approx(stats.norm.interval(0.95, 1.0, 2.0))
    assert p_value(1.0, 2.0) == pytest.approx(2 * stats.norm.sf(0.5))


def test_an_interval_ends_where_the_value_does() -> None:
    assert tuple(interval_around(0.9, 1.0, df=NORMAL, ends=(0.0, 1.0))) == (0.0, 1.0)


def test_many_intervals_are_as_many_single_ones() -> None:
    values, errors, df = [0.1, 0.5, 0.9], [0.05, 0.2, 0.1], np.array([3, 10, 40])
    low, high = limits(values, errors, df=df, confidence=0.9, ends=(0.0, 1.0))
    for place, (value, error) in enumerate(zip(values, errors, strict=True)):
        one = interval_around(value, error, df=int(df[place]), confidence=0.9, ends=(0.0, 1.0))
        assert (one.low, one.high) == (low[place], high[place])


@pytest.mark.parametrize(("error", "df"), [(math.nan, 5), (0.1, 0)])
def test_without_an_error_or_df_there_is_no_interval_and_no_p_value(error: float, df: int) -> None:
    found = interval_around(0.5, error, df=df)
    assert math.isnan(found.low)
    assert found.undefined is not None
    assert math.isnan(p_value(0.5, error, df))


@pytest.mark.parametrize(("one", "other"), [(9, 1), (15, 5), (0, 7), (8600, 9000)])
def test_the_sign_test_is_the_exact_binomial_one(one: int, other: int) -> None:
    assert float(sign_test(one, other)) == pytest.approx(stats.binomtest(one, one + other).pvalue)


def test_nothing_to_split_is_no_surprise() -> None:
    assert float(sign_test(0, 0)) == 1.0


def test_holm_does_not_count_what_was_not_tested() -> None:
    with_gap, without = holm([0.01, math.nan, 0.04]), holm([0.01, 0.04])
    assert with_gap[[0, 2]].tolist() == without.tolist() == [0.02, 0.04]
    assert math.isnan(with_gap[1])


def test_fishers_interval_of_a_correlation_is_scipys() -> None:
    x, y = np.random.default_rng(2).normal(size=(2, 12))
    theirs = stats.pearsonr(x, x + y).confidence_interval(0.9)
    r = np.corrcoef(x, x + y)[0, 1]
    found = limits(r, 1 / 3, df=NORMAL, confidence=0.9, scale=FISHER, errors_on_scale=True)
    assert found == pytest.approx(tuple(theirs), abs=1e-12)


@pytest.mark.parametrize("scale", [FISHER, LOG_ODDS, LOGARITHM, fishers_z((0.0, 1.0))])
def test_limits_lie_about_the_place_of_a_value_as_far_as_its_error_moves_it(scale: LimitScale) -> None:
    values, step = np.array([0.02, 0.4, 0.97]), 1e-6
    low, high = limits(values, 1e-3, df=9, scale=scale)
    assert scale.place(low) + scale.place(high) == pytest.approx(2 * scale.place(values))
    slope = (scale.place(values + step) - scale.place(values - step)) / (2 * step)
    assert scale.place(high) - scale.place(values) == pytest.approx(quantile(0.95, 9) * 1e-3 * slope)
    assert scale.value(scale.place(values)) == pytest.approx(values, rel=1e-12)


@pytest.mark.parametrize("scale", [FISHER, LOG_ODDS])
def test_a_value_at_its_end_has_limits_between_the_ends(scale: LimitScale) -> None:
    low, high = limits([0.0, 1.0], [0.3, 0.3], df=NORMAL, scale=scale)
    assert ((low >= -1) & (high <= 1) & (low <= high)).all()


def test_log_odds_between_nothing_and_all_are_twice_fishers_z() -> None:
    found = limits([0.1, 0.8], 0.1, df=7, scale=LOG_ODDS)
    assert np.array(found) == pytest.approx(np.array(limits([0.1, 0.8], 0.1, df=7, scale=fishers_z((0.0, 1.0)))))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_many_p_values_are_as_many_single_ones(alternative: str) -> None:
    values, errors, df = [0.1, -0.5, 0.9, 0.2], [0.05, 0.2, 0.0, 0.1], [3.0, NORMAL, 10.0, 0.5]
    found = p_values(values, errors, df, alternative)
    singly = [p_value(*one, alternative) for one in zip(values, errors, df, strict=True)]
    assert found.tolist() == pytest.approx(singly, nan_ok=True)
    assert np.isnan(found).tolist() == [False, False, True, True]


@pytest.mark.parametrize("scale", [FISHER, LOG_ODDS, LOGARITHM])
def test_without_an_error_there_are_no_limits_on_any_scale(scale: LimitScale) -> None:
    low, high = limits([0.5, math.nan, 0.5], [math.nan, 0.1, 1e9], df=NORMAL, confidence=0.5, scale=scale)
    assert np.isnan(low).tolist() == np.isnan(high).tolist() == [True, True, False]
