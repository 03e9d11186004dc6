"""Limits of a few counts: both sides together, against a slow scan over all shares, and against laws."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from accord.agreement.inference.count_limits import OF_WHAT_WAS_SEEN, hidden_share, least_share, most_share
from tests.oracles.count_limits import acceptability

Floats = npt.NDArray[np.float64]


@pytest.mark.parametrize(("counted", "units"), [(1, 15), (3, 15), (7, 15), (2, 30), (9, 30), (4, 100), (12, 100)])
def test_limits_are_the_ends_of_what_a_slow_scan_accepts(counted: int, units: int) -> None:
    """But where none at all comes in: it is left out from its exact bound on, not from where the scan would."""
    step = 1e-4
    shares = np.arange(step, 0.999, step)
    accepted = shares[[acceptability(counted, units, share, OF_WHAT_WAS_SEEN) > 0.05 for share in shares.tolist()]]
    assert most_share(counted, units, 0.95) == pytest.approx(accepted[-1], abs=2 * step)
    least, bound = least_share(counted, units, 0.95), hidden_share(0.95, units)
    if accepted[0] < bound - 2 * step or accepted[0] > 1.3 * bound:
        assert least == pytest.approx(accepted[0], abs=2 * step)
    else:
        assert bound - 2 * step <= least <= accepted[0] + 2 * step


@pytest.mark.parametrize("units", [15, 20, 30, 50, 100, 200, 1000])
def test_whatever_the_truth_is_it_is_held_in_about_95_of_100_studies(units: int) -> None:
    """Exactly, for every true share with .3 to 25 units expected, at most half of them."""
    counts = np.arange(min(units // 2, 60) + 1)
    low = np.array([least_share(count, units, 0.95) for count in counts.tolist()])
    high = np.array([most_share(count, units, 0.95) for count in counts.tolist()])
    if units < 60:  # more than half of them: the others are the few
        low, high = np.concatenate((low, 1 - high[::-1])), np.concatenate((high, 1 - low[::-1]))
        counts = np.concatenate((counts, units - counts[::-1]))
        counts, first = np.unique(counts, return_index=True)
        low, high = low[first], high[first]
    true = np.linspace(0.3 / units, min(0.3, 25 / units), 400)
    held = [stats.binom.pmf(counts, units, one)[(low <= one) & (one <= high)].sum() for one in true.tolist()]
    assert min(held) > 0.92
    assert max(held) < 0.992
    assert 0.945 < np.mean(held) < 0.958


@pytest.mark.parametrize("confidence", [0.5, 0.8, 0.95, 0.999])
@pytest.mark.parametrize("units", [4, 15, 60, 1_000, 1_000_000])
def test_one_more_moves_both_limits_up(units: int, confidence: float) -> None:
    counts = range(min(units // 2, 30) + 1)
    low = [least_share(count, units, confidence) for count in counts]
    high = [most_share(count, units, confidence) for count in counts]
    assert (np.diff(low) > -1e-12).all()
    assert (np.diff(high) > -1e-12).all()
    assert all(least <= count / units <= most for least, count, most in zip(low, counts, high, strict=True))


def test_a_wider_confidence_has_wider_limits() -> None:
    spans = [(least_share(3, 40, confidence), most_share(3, 40, confidence)) for confidence in (0.8, 0.9, 0.95, 0.99)]
    assert [low for low, _ in spans] == sorted((low for low, _ in spans), reverse=True)
    assert [high for _, high in spans] == sorted(high for _, high in spans)


def test_of_none_at_all_the_bound_is_exact() -> None:
    assert least_share(0, 20, 0.95) == 0
    assert (1 - most_share(0, 20, 0.95)) ** 20 == pytest.approx(0.05)


def test_what_may_weigh_more_leaves_out_less() -> None:
    """Where none at all reaches further, its probability is not spent on that side, and the other may have it."""
    assert least_share(7, 100, 0.95, none_is_left_out=False) > least_share(7, 100, 0.95)
    assert least_share(2, 100, 0.95, none_is_left_out=False) == pytest.approx(least_share(2, 100, 0.95))
