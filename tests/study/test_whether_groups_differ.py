"""Whether groups and variables differ: one test for all of them, and the surest difference where a few items weigh."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord import Agreement
from accord.agreement.groups import parts, whether_they_differ
from accord.agreement.inference.difference import welch_satterthwaite
from accord.agreement.inference.informative_items import degrees_of_freedom
from accord.agreement.inference.joint_tests import Together, df_apart, hotelling, with_surest


def weighty() -> Agreement:
    """Six variables on the same items: most scores are nil, a few items weigh very much, one variable is well known."""
    rng = np.random.default_rng(3)
    rows: dict[str, list[Any]] = {name: [] for name in ("item", "who", "score", "what")}
    for place, what in enumerate("abcdef"):
        strong = np.where(rng.random(200) < 0.3, np.exp(rng.normal(2.5, 0.4, 200)), 0.3)[:, None]
        cells = strong * np.exp(rng.normal(0, 1.2 if place else 0.1, (200, 4)))
        item, who = np.divmod(np.arange(800), 4)
        columns = {"item": item.tolist(), "who": who.tolist(), "score": cells.ravel().round(1).tolist()}
        for name, column in {**columns, "what": [what] * 800}.items():
            rows[name] += column
    study = accord.Study(rows, item="item", annotator="who", score="score", task="what")
    return accord.krippendorff_alpha(study, level="interval")


def test_the_joint_test_is_as_sure_as_the_surest_difference() -> None:
    """Where a few items weigh much, F of six variables has hardly a degree of freedom left."""
    result = weighty()
    _, told = whether_they_differ(result, parts(result))
    assert told is not None
    apart = result.differences()
    assert told.p == pytest.approx(15 * min(apart["p"]))
    assert told.p == pytest.approx(min(apart["p_holm"]))
    assert told.pairs == 15
    (said,) = (note for note in result.by_group().notes if note.startswith("The variables "))
    assert said.startswith("The variables differ: the surest difference is ")
    assert said.endswith(" corrected for 15 pairs.")


def test_a_difference_that_few_items_inform_does_not_speak_for_all() -> None:
    values, covariance = np.array([0.1, 0.9]), np.diag([1e-4, 1e-4])
    joint = hotelling(values, covariance, 0.5)
    assert joint.undefined is not None
    assert with_surest(joint, values, covariance, np.full((2, 2), 4.9)) is joint
    assert with_surest(joint, values, covariance, np.full((2, 2), 5.0)).p < 0.001
    assert with_surest(joint, values, np.zeros((2, 2)), np.full((2, 2), 50.0)) is joint


@given(st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_differences_have_the_degrees_of_freedom_of_their_scores(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(3, 20)) ** 3
    scores[0, :15] = scores[2, 10:] = 0  # the first and the last share no item
    alone = np.array([degrees_of_freedom(row) for row in scores])
    found = Together.of(scores).df(alone)
    assert found[0, 1] == found[1, 0] == pytest.approx(degrees_of_freedom(scores[0] - scores[1]))
    assert found[1, 2] == pytest.approx(degrees_of_freedom(scores[1] - scores[2]))
    errors = [math.sqrt(float(row @ row)) for row in (scores[0], scores[2])]
    assert found[0, 2] == pytest.approx(welch_satterthwaite(errors, [alone[0], alone[2]]))


@pytest.mark.parametrize("unit", [1e-3, 1e140])
def test_degrees_of_freedom_have_no_unit_however_large_scores_are(unit: float) -> None:
    assert welch_satterthwaite([unit, 2 * unit], [5.0, 9.0]) == pytest.approx(
        welch_satterthwaite([1.0, 2.0], [5.0, 9.0])
    )
    apart = df_apart(np.array([1.0, 4.0]) * unit**2, np.array([5.0, 9.0]))
    assert apart == pytest.approx(df_apart(np.array([1.0, 4.0]), np.array([5.0, 9.0])))
    cells = np.random.default_rng(0).normal(size=(30, 4))
    plain, scaled = (
        accord.mean_absolute_difference(accord.Study.from_wide(cells * by, answers="score")).interval(resample="both")
        for by in (1.0, unit)
    )
    assert (scaled.low / unit, scaled.high / unit) == pytest.approx((plain.low, plain.high))
