"""Drawing units again, by number and one by one, is a multinomial: exact totals, means and covariances."""

from __future__ import annotations

import numpy as np
import pytest

from accord.agreement.inference import resampling
from accord.coefficients.redrawn import ONE_BY_ONE, Redrawn

DRAWS = 40_000
KINDS = {
    "each unit its own kind": np.ones(6, dtype=np.int64),
    "kinds of many units": np.array([ONE_BY_ONE + 1, 100, 400], dtype=np.int64),
    "both": np.array([1, 60, 2, ONE_BY_ONE, 0, 33, 5], dtype=np.int64),
    "one kind": np.array([7], dtype=np.int64),
}


@pytest.mark.parametrize("number", KINDS.values(), ids=KINDS.keys())
def test_every_resample_has_as_many_units_as_the_study(number: np.ndarray) -> None:
    drawn = Redrawn(number).draw(np.random.default_rng(1), 50)
    assert drawn.shape == (50, len(number))
    assert (drawn.sum(axis=1) == number.sum()).all()
    assert (drawn == np.floor(drawn)).all()
    assert (drawn[:, number == 0] == 0).all()


@pytest.mark.slow
@pytest.mark.parametrize("number", KINDS.values(), ids=KINDS.keys())
def test_means_and_covariances_are_those_of_a_multinomial(number: np.ndarray) -> None:
    drawn = Redrawn(number).draw(np.random.default_rng(2), DRAWS)
    units, shares = number.sum(), number / number.sum()
    covariance = units * (np.diag(shares) - np.outer(shares, shares))
    spread = np.sqrt(np.diag(covariance))
    # five standard errors of a mean, and of a covariance of about that spread
    assert np.abs(drawn.mean(axis=0) - number) == pytest.approx(0, abs=5 * spread.max() / np.sqrt(DRAWS) + 1e-12)
    found = np.atleast_2d(np.cov(drawn, rowvar=False))
    allowed = 8 * np.outer(spread, spread).max() / np.sqrt(DRAWS) + 1e-12
    assert np.abs(found - covariance).max() <= allowed


def test_a_small_multinomial_has_the_probabilities_of_the_formula() -> None:
    drawn = Redrawn(np.array([1, 2], dtype=np.int64)).draw(np.random.default_rng(3), DRAWS)
    expected = np.array([8, 12, 6, 1]) / 27  # three draws, a third each for the first kind
    found = np.bincount(drawn[:, 0].astype(int), minlength=4) / DRAWS
    assert found == pytest.approx(expected, abs=5 * 0.5 / np.sqrt(DRAWS))


def test_blocks_of_resamples_do_not_change_what_a_seed_means(monkeypatch: pytest.MonkeyPatch) -> None:
    from accord import Study, conger_kappa

    rng = np.random.default_rng(4)
    study = Study.from_wide(rng.integers(3, size=(400, 3)))
    whole = conger_kappa(study).interval(method="bootstrap", n_resamples=200, rng=5)
    monkeypatch.setattr(resampling, "CELLS_AT_ONCE", 100)
    assert tuple(conger_kappa(study).interval(method="bootstrap", n_resamples=200, rng=5)) == pytest.approx(
        tuple(whole)
    )
