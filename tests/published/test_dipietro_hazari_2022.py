"""DiPietro & Hazari (2022): equations (4) to (14), the three requirements, and where the published function is wrong.

The published function counts a single vote as an agreeing pair (C(1, 2) = 1), reads the number of annotators from the
first item, and adds 1e-11 to the denominator.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accord

# (counts, suggested, value); the last two have single votes, where the published function gives .3333 and .4545
CASES: dict[str, Any] = {
    "no single votes": ([[4, 0], [2, 2], [0, 4], [4, 0]], [0, 0, 1, 0], 0.7142857142857143),
    "perfect": ([[3, 0], [0, 3]], [0, 1], 1.0),
    "all wrong": ([[3, 0], [0, 3]], [1, 0], -1.0),
    "single votes": ([[3, 1], [2, 2], [1, 3], [4, 0]], [0, 0, 1, 0], 3 / 7),
}


def kappa(counts: Any, suggested: Any) -> accord.Agreement:
    return accord.dipietro_hazari_kappa(accord.Study.from_counts(counts), suggested=suggested)


@pytest.mark.parametrize("case", CASES)
def test_values_by_hand(case: str) -> None:
    counts, suggested, value = CASES[case]
    assert kappa(counts, suggested).value == pytest.approx(value, abs=1e-12)


def test_the_parts_of_equation_13() -> None:
    found: Any = kappa([[3, 1], [2, 2], [1, 3], [4, 0]], [0, 0, 1, 0]).coefficient
    assert found.given == pytest.approx([10 / 16, 6 / 16])  # (4)
    assert found.proposed == pytest.approx([3 / 4, 1 / 4])  # (5)
    assert found.expected_right == pytest.approx(0.625**2 * 0.75 + 0.375**2 * 0.25)  # (6)
    assert found.expected_wrong == pytest.approx(0.75 * 0.375**2 + 0.25 * 0.625**2)  # (9)
    assert found.observed_right == pytest.approx((3 + 1 + 3 + 6) / 6 / 4)  # (10)
    assert found.observed_wrong == pytest.approx((0 + 1 + 0 + 0) / 6 / 4)  # (12)


def test_the_three_requirements_order_suggestions() -> None:
    """Agreement on the suggestion is good, disagreement poor, agreement on something else very poor."""
    others = [([5, 0, 0], 0), ([0, 5, 0], 1), ([0, 0, 5], 2)] * 3

    def with_one(counts: list[int]) -> float:
        rows = [*others, (counts, 0)]
        return kappa([row for row, _ in rows], [label for _, label in rows]).value

    good, poor, very_poor = with_one([5, 0, 0]), with_one([1, 2, 2]), with_one([0, 5, 0])
    assert good > poor > very_poor


def test_by_item_tells_good_poor_and_very_poor() -> None:
    table = kappa([[5, 0, 0], [1, 2, 2], [0, 5, 0], [3, 2, 0]], [0, 0, 0, 0]).by_item()
    assert list(table["verdict"]) == ["good", "poor", "very poor", "good"]
    assert list(table["suggested"]) == [0, 0, 0, 0]
    assert list(table["on_it"]) == [5, 1, 0, 3]


def test_by_label_tells_which_suggestions_are_good() -> None:
    found = kappa([[5, 0, 0], [1, 2, 2], [0, 5, 0], [0, 0, 5]], [0, 0, 0, 2])
    rows = list(found.by_label())
    assert [row["items"] for row in rows] == [3, 0, 1]
    assert [(row["good"], row["poor"], row["very_poor"]) for row in rows] == [(1, 1, 1), (0, 0, 0), (1, 0, 0)]
    weights = np.array([row["items"] for row in rows]) / 4
    assert sum(w * row["observed"] for w, row in zip(weights, rows, strict=True) if w) == pytest.approx(found.observed)
    assert sum(w * row["expected"] for w, row in zip(weights, rows, strict=True)) == pytest.approx(found.expected)


@pytest.mark.parametrize(("labels", "value"), [(2, 0.0), (4, -1 / 3), (10, -2 / 3)])
def test_random_suggestions_are_not_zero_when_annotators_agree(labels: int, value: float) -> None:
    """Every label as often right as every other is suggested for it."""
    truth, suggested = np.divmod(np.arange(labels * labels), labels)
    counts = 5 * np.eye(labels, dtype=int)[truth]
    assert kappa(counts, suggested).value == pytest.approx(value)


def test_random_annotators_give_zero_whatever_is_suggested() -> None:
    rng = np.random.default_rng(5)
    counts = rng.multinomial(5, [0.5, 0.3, 0.2], size=20_000)
    for suggested in (np.zeros(20_000, int), rng.integers(3, size=20_000)):
        low, high = kappa(counts, suggested).interval(confidence=0.999)
        assert low < 0 < high


def test_one_label_given_and_suggested_is_undefined() -> None:
    found = kappa([[3, 0], [3, 0]], [0, 0])
    assert np.isnan(found.value)
    assert "One label only" in str(found.undefined)
