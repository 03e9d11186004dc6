"""Items with scores that were chosen with unequal chances count by their weights, whatever is measured of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accord

RNG = np.random.default_rng(1)
CELLS = (RNG.normal(50, 20, (40, 1)) + RNG.normal(0, 10, (40, 3))).round()
TIMES = 1 + np.arange(40) % 3
SMOOTH: list[Any] = [
    accord.mean_absolute_difference, accord.within_item_sd, accord.lin_concordance, accord.mean_pearson,
]  # fmt: skip
MEASURES = pytest.mark.parametrize("measure", [*SMOOTH, accord.mean_spearman, accord.mean_kendall])


def weighted() -> accord.Study:
    return accord.Study.from_wide(CELLS, answers="score").with_item_weights(TIMES.tolist())


def repeated() -> accord.Study:
    """As many copies of every item as it weighs."""
    return accord.Study.from_wide(np.repeat(CELLS, TIMES, axis=0), answers="score")


@MEASURES
def test_an_item_counts_as_often_as_it_weighs(measure: Any) -> None:
    found, copies = measure(weighted()), measure(repeated())
    assert found.value == pytest.approx(copies.value)
    assert found.n_items == 40
    assert any("40 are worth" in note for note in found.notes)
    for table in ("by_annotator", "by_pair"):
        assert getattr(found, table)()["value"] == pytest.approx(getattr(copies, table)()["value"])


@MEASURES
def test_errors_are_those_of_items_left_out_and_of_resamples(measure: Any) -> None:
    found = measure(weighted())
    error = found.interval().se
    assert error == pytest.approx(found.interval(method="jackknife").se, rel=0.2)
    assert error == pytest.approx(found.interval(method="bootstrap", rng=1).se, rel=0.25)
    assert error > measure(repeated()).interval().se  # which takes copies for items


@pytest.mark.parametrize("measure", SMOOTH)
def test_an_item_moves_the_value_by_its_weight(measure: Any) -> None:
    found = measure(weighted()).coefficient
    steps = [(found.evaluate(1 + move).value - found.evaluate(1 - move).value) / 2e-5 for move in 1e-5 * np.eye(40)]
    assert found.influence() == pytest.approx(40 * np.array(steps), abs=1e-4)


def test_equal_weights_change_nothing() -> None:
    study = accord.Study.from_wide(CELLS, answers="score")
    found = accord.mean_spearman(study.with_item_weights([2.0] * 40))
    assert found.interval().se == pytest.approx(accord.mean_spearman(study).interval().se)
