"""From an error to an interval and a p-value, the sign test, and corrections for many questions: as SciPy has them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from accord.agreement.inference.multiple_testing import holm
from accord.agreement.inference.proportions import sign_test
from accord.agreement.inference.wald import NORMAL, interval_around, limits, mean_interval, p_value


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
