"""Is a model as like people as people are like each other?"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
from accord.errors import MeasureError, OptionError
from accord.judge import human_likeness
from tests.judge.planted import planted

VALUES: dict[str, Any] = json.loads((Path(__file__).parent / "reference_values.json").read_text(encoding="utf-8"))
GOLDEN = VALUES["human_likeness_z"]
TOY = accord.Study.from_wide(
    [list(row) for row in zip(*GOLDEN["inputs"]["humans"], GOLDEN["inputs"]["llm"], strict=True)]
)


@pytest.mark.parametrize(("sigma", "key"), [("pairs", "z_over_pairs"), ("annotators", "z_over_annotators")])
def test_z_has_the_reference_values_over_pairs_and_over_annotators(sigma: Any, key: str) -> None:
    found, printed = human_likeness(TOY, model="4", sigma=sigma), GOLDEN[key]
    assert found.people_mean == pytest.approx(printed["mu"], abs=1e-12)
    assert found.model_mean == pytest.approx(GOLDEN["mean_llm"], abs=1e-12)
    assert found.spread == pytest.approx(printed["sd_ddof1"], abs=1e-12)
    assert found.z == pytest.approx(printed["z_ddof1"], abs=1e-12)
    assert found.word == "human-like"
    kappas = [row["kappa"] for row in found.pairs]
    assert kappas == pytest.approx([*GOLDEN["llm_human_kappas"], *GOLDEN["human_pair_kappas"]], abs=1e-12)


def test_ddof_is_an_argument() -> None:
    found = human_likeness(TOY, model="4", ddof=0)
    assert found.spread == pytest.approx(GOLDEN["z_over_pairs"]["sd_ddof0"], abs=1e-12)


def test_the_difference_is_as_unsure_as_leaving_out_items_says() -> None:
    study = planted(80, 4, {"model": 0.7}, np.random.default_rng(6))
    found = human_likeness(study, model="model")
    left = [
        human_likeness(study._where(study._annotations.rows[0] != item), model="model").difference.value
        for item in range(80)
    ]
    se = math.sqrt(79 / 80 * float(np.sum((np.array(left) - np.mean(left)) ** 2)))
    assert found.difference.value == pytest.approx(found.model_mean - found.people_mean)
    assert found.difference.interval.se == pytest.approx(se, rel=0.05)


def test_a_poor_model_is_below_people_and_one_that_repeats_the_truth_is_super_consistent() -> None:
    study = planted(400, 4, {"poor": 0.4, "perfect": 1.0}, np.random.default_rng(7))
    people = ["p0", "p1", "p2", "p3"]
    poor, perfect = (human_likeness(study, model=name, people=people) for name in ("poor", "perfect"))
    assert poor.word == "below people"
    assert poor.difference.high < 0
    assert perfect.word == "super-consistent"
    assert perfect.difference.low > 0


def test_pairs_that_never_met_are_left_out_and_said() -> None:
    rows = [["a", "b", None, "a"], ["b", "b", None, "b"], ["a", None, "a", "a"], ["b", None, "a", "b"]] * 5
    found = human_likeness(rows, model="4")
    assert "1 of 6 pairs have no kappa" in found.notes[0]
    assert math.isfinite(found.difference.value)


def test_people_who_all_agree_have_no_spread_and_the_difference_remains() -> None:
    found = human_likeness([["a", "a", "a", "b"], ["b", "b", "b", "b"], ["a", "a", "a", "a"]] * 4, model="4")
    assert math.isnan(found.z)
    assert found.undefined == "the people's kappas do not differ."
    assert found.difference.value < 0
    assert found.word == "undefined"
    json.dumps(found.to_dict(), allow_nan=False)


def test_what_cannot_be_asked_is_an_error() -> None:
    with pytest.raises(OptionError, match="sigma must be one of"):
        human_likeness(TOY, model="4", sigma="items")  # type: ignore[arg-type]
    with pytest.raises(MeasureError, match="needs 3 people"):
        human_likeness(TOY, model="4", people=["1", "2"])
    with pytest.raises(MeasureError, match="is about single answers; these are"):
        human_likeness(accord.Study.from_wide([[1.5, 2.5, 1.0, 2.0]] * 3, answers="score"), model="4")


def test_people_are_compared_on_the_items_that_the_model_answered() -> None:
    study = planted(100, 3, {"model": 0.7}, np.random.default_rng(11))
    place = study.annotators.index("model")
    half = study._where((study._annotations.rows[1] != place) | (study._annotations.rows[0] < 50))
    whole = study._where(study._annotations.rows[0] < 50)
    one, other = (human_likeness(part, model="model") for part in (half, whole))
    assert (one.people_mean, one.z) == pytest.approx((other.people_mean, other.z))
    assert tuple(one.difference.interval) == pytest.approx(tuple(other.difference.interval))
