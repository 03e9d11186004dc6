"""Student's t and the normal without SciPy: the same numbers, wherever the sum serves and beyond."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from accord.coefficients.student_t import MANY, MOST_DF, MOST_SURE, below, two_sided_quantiles


@given(st.floats(0.01, MOST_SURE), st.integers(1, MOST_DF))
def test_quantiles_are_those_of_scipy(confidence: float, df: int) -> None:
    assert_allclose(two_sided_quantiles(confidence, df), stdtrit(df, (1 + confidence) / 2), rtol=1e-12)
    assert_allclose(two_sided_quantiles(confidence, math.inf), ndtri((1 + confidence) / 2), rtol=1e-12)


@given(st.lists(st.floats(-60, 60), min_size=1, max_size=5), st.integers(1, MOST_DF))
def test_probabilities_are_those_of_scipy(places: list[float], df: int) -> None:
    assert_allclose(below(places, df), stdtr(df, np.array(places)), atol=1e-13)
    assert_allclose(below(places, math.inf), ndtr(np.array(places)), rtol=1e-12, atol=1e-290)


def test_a_probability_lies_between_zero_and_one_however_far_out() -> None:
    for df in (1, 2, 7, 500, math.inf):
        far = below([-math.inf, -1e9, 0.0, 1e9, math.inf], df)
        assert far[2] == 0.5
        assert ((far >= 0) & (far <= 1)).all()
        assert far[[0, -1]].tolist() == [0.0, 1.0]


@given(st.floats(0.01, MOST_SURE), st.floats(MOST_DF, 1e12, exclude_min=True))
def test_quantiles_of_very_many_are_those_of_scipy(confidence: float, df: float) -> None:
    assert_allclose(two_sided_quantiles(confidence, df), stdtrit(df, (1 + confidence) / 2), rtol=1e-11)


@pytest.mark.parametrize("df", [2.5, MOST_DF - 0.5, 0.5])
def test_other_degrees_of_freedom_are_left_to_scipy(df: float) -> None:
    assert two_sided_quantiles(0.95, df) == stdtrit(df, 0.975)
    assert below(1.5, df) == stdtr(df, 1.5)


def test_many_at_once_and_hardly_any_doubt_are_left_to_scipy() -> None:
    many = np.arange(1.0, MANY + 2)
    assert two_sided_quantiles(0.9, many).tolist() == stdtrit(many, 0.95).tolist()
    assert below(many, 5).tolist() == stdtr(5, many).tolist()
    assert two_sided_quantiles(0.999_999, 3) == stdtrit(3, (1 + 0.999_999) / 2)


def test_the_shape_stays_as_it_is() -> None:
    assert two_sided_quantiles(0.95, 9).shape == ()
    assert two_sided_quantiles(0.95, np.full((2, 3), 9.0)).shape == (2, 3)
    assert np.isnan(two_sided_quantiles(0.95, math.nan))
    assert np.isnan(below(math.nan, 9))
