"""Confidence against correctness: golden values, the oracle, and edges."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accord.errors import InputError, OptionError
from accord.judge import calibrate
from tests.oracles import judge as oracle

GOLDEN: dict[str, Any] = json.loads(Path(__file__).with_name("goldens.json").read_text(encoding="utf-8"))["calibration"]
SAID, RIGHT = GOLDEN["inputs"]["conf"], GOLDEN["inputs"]["correct"]


@pytest.mark.parametrize(
    ("closed", "name"), [("right", "ece10_right_closed_Guo2017"), ("left", "ece10_left_closed")]
)  # fmt: skip
def test_the_calibration_error_depends_on_the_closed_edge_as_given(closed: Any, name: str) -> None:
    assert calibrate(SAID, RIGHT, closed=closed).expected_error == pytest.approx(GOLDEN[name], abs=1e-12)


def test_largest_error_brier_and_log_loss_are_the_golden_ones() -> None:
    found = calibrate(SAID, RIGHT)
    assert found.largest_error == pytest.approx(GOLDEN["mce10_right_closed"], abs=1e-12)
    assert found.brier == pytest.approx(GOLDEN["brier_top_label"], abs=1e-12)
    assert found.log_loss == pytest.approx(GOLDEN["log_loss"], abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_areas_are_those_of_loops(seed: int) -> None:
    rng = np.random.default_rng(seed)
    said, right = rng.choice([0.2, 0.4, 0.6, 0.8, 1.0], 7), rng.integers(0, 2, 7).astype(float)
    right[:2] = 0, 1
    found = calibrate(said, right)
    assert found.auroc == pytest.approx(oracle.auroc(said.tolist(), right.tolist()))
    assert found.aurc == pytest.approx(oracle.aurc(said.tolist(), right.tolist()))


def test_the_interval_of_the_area_is_delongs() -> None:
    rng = np.random.default_rng(5)
    right = rng.integers(0, 2, 60).astype(float)
    said = np.clip(rng.normal(0.5 + 0.2 * right, 0.2), 0, 1)
    yes, no = said[right == 1], said[right == 0]
    kernel = (yes[:, None] > no) + 0.5 * (yes[:, None] == no)
    error = math.sqrt(kernel.mean(1).var(ddof=1) / len(yes) + kernel.mean(0).var(ddof=1) / len(no))
    found = calibrate(said, right)
    assert found.auroc == pytest.approx(kernel.mean())
    assert found.auroc_interval.se == pytest.approx(error)


def test_a_perfect_ranking_has_no_excess_and_a_reversed_one_has_the_most() -> None:
    right = np.array([1.0] * 30 + [0.0] * 10)
    good = calibrate(np.linspace(1, 0, 40), right)
    bad = calibrate(np.linspace(0, 1, 40), right)
    assert good.excess_aurc == pytest.approx(0, abs=1e-12)
    assert (good.auroc, bad.auroc) == (1.0, 0.0)
    assert bad.excess_aurc > 0.2
    assert good.coverage_for(1.0) == 0.75
    assert good.coverage_for(0.75) == 1.0
    assert bad.coverage_for(0.99) == 0.0


def test_adaptive_bins_hold_as_many_items_and_keep_ties_together() -> None:
    said = np.array([0.5] * 50 + [1.0] * 50)
    right = np.array([1.0, 0.0] * 25 + [1.0] * 50)
    assert calibrate(said, right).adaptive_error == pytest.approx(0)
    assert calibrate(said, 1 - right).adaptive_error == pytest.approx(0.5)


def test_risk_and_coverage_end_at_the_whole() -> None:
    table = calibrate(SAID, RIGHT).risk_coverage()
    assert table["coverage"][-1] == 1
    assert table["risk"][-1] == pytest.approx(0.4)


def test_all_right_has_no_area_and_says_so() -> None:
    found = calibrate([0.5, 0.9], [1, 1])
    assert math.isnan(found.auroc)
    assert found.auroc_interval.undefined
    assert "undefined" in str(found)
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["values"]["auroc"] is None


@pytest.mark.parametrize(
    ("said", "right", "options", "error", "says"),
    [
        ([0.5], [1, 0], {}, InputError, "1 confidence and 2 answers"),
        ([50], [1], {}, InputError, "between 0 and 1; found 50"),
        ([0.5], [1], {"closed": "both"}, OptionError, "closed must be one of"),
        ([0.5], [1], {"bins": 0}, OptionError, "bins must be a whole number"),
    ],
)
def test_bad_input_is_refused(said: Any, right: Any, options: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        calibrate(said, right, **options)
