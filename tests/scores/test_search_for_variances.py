"""Where the search for the likeliest variances ends, with SciPy's search from the same start as the oracle."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

import accord
from accord.annotations.arrays import FloatArray
from accord.scores import components
from accord.scores.mixed_equations import MixedEquations
from accord.scores.restricted_likelihood import LEAST, RestrictedLikelihood, VarianceFit, maximise
from accord.scores.score_table import scores_of

DESIGNS = [(runs, gaps) for runs in (0, 1) for gaps in (0.0, 0.2, 0.45)]
HARD = [(12, 1, 0.45), (27, 1, 0.2), (103, 1, 0.45), (112, 0, 0.45)]  # another valley was found in these
DRAWN = [(seed, *design) for seed in range(10) for design in DESIGNS] + HARD


def tiny(seed: int, runs: int, gaps: float) -> accord.Study:
    """Three to six items by two to four annotators, in up to three runs."""
    rng = np.random.default_rng([seed, runs, int(gaps * 10)])
    items, people = int(rng.integers(3, 7)), int(rng.integers(2, 5))
    times = int(rng.integers(2, 4)) if runs else 1
    every = [(i, a, t) for i in range(items) for a in range(people) for t in range(times)]
    cells = [cell for cell in every if rng.random() >= gaps]
    spreads = rng.choice([0, 0.5, 1, 2], 3)
    levels = [rng.normal(size=size) * spread for size, spread in zip((items, people, times), spreads, strict=True)]
    both = rng.normal(size=(items, people)) * rng.choice([0, 1])
    score = [sum(level[at] for level, at in zip(levels, c, strict=True)) + both[c[:2]] + rng.normal() for c in cells]
    item, who, run = zip(*cells, strict=True)
    table: dict[str, Any] = {"item": item, "annotator": [f"p{n}" for n in who], "score": np.round(score, 1).tolist()}
    return accord.Study({**table, "run": run} if runs else table, answers="score")


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> list[tuple[RestrictedLikelihood, FloatArray, VarianceFit]]:
    """What was searched for, from where, and what was found."""
    found: list[tuple[RestrictedLikelihood, FloatArray, VarianceFit]] = []

    def kept(criterion: RestrictedLikelihood, start: FloatArray) -> VarianceFit:
        found.append((criterion, start, maximise(criterion, start)))
        return found[-1][2]

    monkeypatch.setattr(components, "maximise", kept)
    return found


def by_scipy(criterion: RestrictedLikelihood, start: FloatArray) -> FloatArray:
    """Where L-BFGS-B ends, what is left over held above nothing."""
    scale = float(np.abs(start).sum())

    def scaled(at: FloatArray) -> tuple[float, FloatArray]:
        value, slope = criterion(at * scale)
        return value, slope * scale

    bounds = [*[(0.0, None)] * (len(start) - 1), (LEAST, None)]
    options = {"ftol": 1e-15, "gtol": 1e-9, "maxiter": 200, "maxls": 40}
    first = np.maximum(start / scale, 1e-3)
    found = minimize(scaled, first, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return np.asarray(found.x * scale)


def has_no_minimum(criterion: RestrictedLikelihood, at: FloatArray, scale: float) -> bool:
    """Does it fall by as much with every halving of what is left over, down to the least that is looked at?"""
    rest = float(at[-1])
    return rest <= 2 * LEAST * scale and float(criterion(at)[1][-1]) * rest > 0.5


def test_no_search_ends_higher_than_scipys_from_the_same_start(
    searched: list[tuple[RestrictedLikelihood, FloatArray, VarianceFit]],
) -> None:
    compared = with_all_explained = 0
    for drawn in DRAWN:
        searched.clear()
        accord.icc(tiny(*drawn))
        for criterion, start, fit in searched:
            oracle = by_scipy(criterion, start)
            if has_no_minimum(criterion, oracle, float(np.abs(start).sum())):
                continue
            compared += 1
            with_all_explained += not fit.variances[-1] > 0
            assert fit.criterion <= criterion(oracle)[0] + 1e-6, drawn
    assert compared > 40
    assert with_all_explained > 1


def explained_whatever() -> accord.Study:
    """Eleven scores by items, annotators, runs and every two of these, which are as many unknowns."""
    table = {
        "item": [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3],
        "annotator": ["ana", "ana", "ben", "ana", "ben", "ben", "ana", "ben", "ben", "ana", "ben"],
        "score": [0.5, 1.25, 2.0, -3.5, 1e-09, 0.5, 2.0, 1.25, 1.25, -3.5, 0.5],
        "run": [1, 2, 1, 1, 1, 2, 1, 1, 2, 1, 1],
    }
    return accord.Study(table, answers="score")


def test_as_many_unknowns_as_scores_have_no_p() -> None:
    """It hung on where the search ended: 0.036 by one, 0.33 by another."""
    icc = accord.icc(explained_whatever())
    assert icc.undefined is None
    test = icc.test(n_resamples=20, rng=0)
    assert np.isnan(test.p)
    assert test.undefined is not None
    assert "nothing is left over" in test.undefined
    assert test.undefined == icc.interval().undefined == icc.interval(method="jackknife").undefined


def test_scores_that_agree_to_the_last_have_one() -> None:
    """Nothing is left over of these either, but of shuffled ones there would be."""
    rows = [(item, who) for item in range(8) for who in "abc"][1:]
    item, who = zip(*rows, strict=True)
    icc = accord.icc(accord.Study({"item": item, "annotator": who, "score": list(item)}, answers="score"))
    assert icc.value == pytest.approx(1)
    assert icc.test(n_resamples=60, rng=0).p < 0.05


def test_the_likelihood_of_few_scores_is_the_same_by_score_and_by_level() -> None:
    table = scores_of(tiny(0, 1, 0.2))
    few = MixedEquations(table, table.effects)
    by_level = MixedEquations(table, table.effects)
    assert few.design is not None
    by_level.design = None
    for rest in (1.0, 0.1, 0.01):
        variances = np.append(np.linspace(0, 1, few.size - 1), rest)
        (value, slope), (other, other_slope) = few(variances), by_level(variances)
        assert value == pytest.approx(other, rel=1e-9)
        assert slope == pytest.approx(other_slope, rel=1e-7)
