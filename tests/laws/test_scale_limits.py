"""Values that stand exactly on a limit of a scale of words."""

from __future__ import annotations

import pytest

from accord import Study, cohen_kappa
from accord.agreement.interpretation import BENCHMARKS


@pytest.mark.parametrize(
    ("table", "value", "word"),
    [
        ([[40, 10], [10, 40]], 0.6, "moderate"),  # computed as 0.6000000000000001
        ([[45, 5], [5, 45]], 0.8, "substantial"),
        ([[30, 20], [20, 30]], 0.2, "slight"),
        ([[25, 25], [25, 25]], 0.0, "slight"),
        ([[24, 26], [26, 24]], -0.04, "poor"),
    ],
)
def test_a_limit_of_landis_and_koch_belongs_to_the_lower_band_except_zero(
    table: list[list[int]], value: float, word: str
) -> None:
    result = cohen_kappa(Study.from_confusion(table))
    assert result.value == pytest.approx(value, abs=1e-12)
    assert result.interpret().word == word


@pytest.mark.parametrize(("value", "word"), [(0.7 + 0.1, "definite"), (1 - 0.33, "tentative"), (0.6699, "discounted")])
def test_a_limit_of_krippendorff_belongs_to_the_upper_band(value: float, word: str) -> None:
    assert word in (BENCHMARKS["krippendorff-1980"].band(value).word or "")


@pytest.mark.parametrize(
    ("value", "word"),
    [(0.8, "to be relied on"), (0.667, "for tentative conclusions only"), (0.6669, "not to be relied on")],
)
def test_the_later_limits_of_krippendorff_are_667_and_800(value: float, word: str) -> None:
    assert BENCHMARKS["krippendorff"].band(value).word == word


@pytest.mark.parametrize("scale", sorted(set(BENCHMARKS) - {"krippendorff", "krippendorff-1980", "cicchetti"}))
def test_a_last_digit_that_arithmetic_leaves_does_not_move_a_value_over_a_limit(scale: str) -> None:
    for band in BENCHMARKS[scale].bands[:-1]:
        assert BENCHMARKS[scale].band(band.high + 1e-15) is BENCHMARKS[scale].band(band.high)
        assert BENCHMARKS[scale].band(band.high + 1e-6) is not band
