"""Against chance by shuffles, each of which fits all variances anew: how much work that is, and where it ends."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord.agreement.inference import hypothesis_tests
from accord.agreement.inference.hypothesis_tests import Shuffle, ShuffleOfRuns
from accord.scores.descent_from_zero import descend_from_zero
from accord.scores.eliminated_items import EliminatedItems


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Callable[[type, str], list[int]]:
    """A method that counts how often it is called."""

    def count(owner: type, name: str) -> list[int]:
        calls, whole = [0], getattr(owner, name)

        def wrapped(*given: Any, **more: Any) -> Any:
            calls[0] += 1
            return whole(*given, **more)

        monkeypatch.setattr(owner, name, wrapped)
        return calls

    return count


def ragged(items: int, people: int, per_item: int, seed: int = 3) -> accord.Study:
    """Scores by some annotators of each item, one of them on one item less."""
    rng = np.random.default_rng(seed)
    cells = [(item, who) for item in range(items) for who in rng.choice(people, per_item, replace=False)][1:]
    item, who = zip(*cells, strict=True)
    score = rng.normal(size=len(cells)).round(2)
    return accord.Study({"item": item, "annotator": [f"p{n}" for n in who], "score": score}, answers="score")


def test_a_shuffle_of_few_scores_takes_few_looks_at_the_likelihood(counted: Callable[[type, str], list[int]]) -> None:
    """It took SciPy's search, whose threads wait for each other: 33 s for a thousand shuffles of twelve scores."""
    icc = accord.icc(ragged(6, 3, 2))
    looks = counted(EliminatedItems, "pieces")
    test = icc.test(n_resamples=40, rng=0)
    assert test.method == "permutation"
    assert 0 < test.p <= 1
    assert looks[0] <= 40 * 60


def test_equations_of_many_annotators_are_not_solved_a_thousand_times(
    counted: Callable[[type, str], list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hypothesis_tests, "MOST_SHUFFLED", 1_400)
    icc = accord.icc(ragged(80, 60, 4))
    shuffles = counted(Shuffle, "__call__")
    test = icc.test()
    assert shuffles == [0]
    assert test.method == "analytic"
    assert test.note is not None
    assert "every shuffle would take long" in test.note
    assert icc.test(method="permutation", n_resamples=2, rng=0).p > 0
    assert shuffles == [2], "whoever asks gets it"


def test_fewer_shuffles_where_each_takes_long(
    counted: Callable[[type, str], list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six sets of factors and what is left over: seven variances to search for."""
    monkeypatch.setattr(hypothesis_tests, "MOST_SHUFFLED", 15_000)
    shuffles = counted(ShuffleOfRuns, "__call__")
    icc = accord.icc(with_runs())
    work = icc.coefficient.shuffle_work  # type: ignore[union-attr]
    test = icc.test()
    assert shuffles == [1000 * 15_000 // work] == [test.n_resamples]
    assert 99 < shuffles[0] < 1000
    assert test.note == (
        f"The null error of this value is not known by a formula, so answers were shuffled {shuffles[0]} times, as "
        "each shuffle takes long."
    )


def with_runs(items: int = 8) -> accord.Study:
    """Three annotators, some of whom scored an item two or three times."""
    rng = np.random.default_rng(5)
    cells = [(item, who, run) for item in range(items) for who in "abc" for run in range(rng.integers(1, 4))]
    item, who, run = zip(*cells, strict=True)
    score = (np.array(item) + rng.normal(size=len(item))).round(1)
    return accord.Study({"item": item, "annotator": who, "score": score, "run": run}, answers="score")


def test_scores_that_were_given_again_are_tested_run_by_run() -> None:
    """It ended in an IndexError: mixed answers of several runs were read as scores."""
    test = accord.icc(with_runs()).test(n_resamples=60, rng=0)
    assert test.method == "permutation"
    assert test.p == pytest.approx(2 / 61)


@pytest.mark.parametrize("together", [True, False])
def test_a_shuffle_of_runs_keeps_together_what_one_said_of_an_item(together: bool) -> None:
    study = with_runs()
    shuffled = ShuffleOfRuns(study, together=together)(np.random.default_rng(0))
    before, after = said_by(study), said_by(shuffled)
    assert before.keys() == after.keys()
    assert before != after
    assert sorted(before.values()) == sorted(after.values())
    for who in range(0 if together else 3):
        mine = [sorted(said for (_, by), said in one.items() if by == who) for one in (before, after)]
        assert mine[0] == mine[1]


def said_by(study: accord.Study) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """Run and answer of each item and annotator."""
    found: dict[tuple[int, int], list[tuple[int, int]]] = {}
    run = study._column("run", "run").codes.tolist()
    for item, who, answer, one in zip(*(column.tolist() for column in study._annotations.rows[:3]), run, strict=True):
        found.setdefault((item, who), []).append((one, answer))
    return found


@settings(max_examples=60)
@given(size=st.integers(1, 4), seed=st.integers(0, 10**6))
def test_the_descent_ends_where_no_other_set_of_zeros_is_lower(size: int, seed: int) -> None:
    """A quadratic function: the least over every set of numbers that are zero, solved as equations."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(size, size))
    curve, middle = root @ root.T + 0.1 * np.eye(size), rng.normal(size=size)

    def function(at: Any) -> tuple[float, Any]:
        away = at - middle
        return float(away @ curve @ away) / 2, curve @ away

    found = descend_from_zero(function, np.ones(size), close=1e-15)
    assert (found >= 0).all()
    lowest = min(function(np.zeros(size))[0], *(least_with(curve, middle, list(free)) for free in subsets(size)))
    assert function(found)[0] == pytest.approx(lowest, abs=1e-9)


def subsets(size: int) -> chain[tuple[int, ...]]:
    return chain.from_iterable(combinations(range(size), number) for number in range(1, size + 1))


def least_with(curve: Any, middle: Any, free: list[int]) -> float:
    """The least where these are free and all others zero; infinite where one of these would be below."""
    zero = [place for place in range(len(middle)) if place not in free]
    at = np.zeros(len(middle))
    inner, outer = curve[np.ix_(free, free)], curve[np.ix_(free, zero)]
    at[free] = middle[free] + np.linalg.solve(inner, outer @ middle[zero])
    away = at - middle
    return float(away @ curve @ away) / 2 if (at >= 0).all() else np.inf
