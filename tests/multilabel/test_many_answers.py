"""Answers too many for a table of all against all: sums over them are those of the table, and results still travel."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import accord
from accord.coefficients.label_pair_weights import CLUBBED, LabelPairs
from accord.coefficients.set_weights import BETWEEN_SETS, BySharedLabels
from accord.coefficients.weights import Overlap


@pytest.mark.parametrize("credit", [0.0, CLUBBED, None], ids=["none", "clubbed", "of two labels"])
@pytest.mark.parametrize("labels", [2, 7, 12, 70])
def test_sums_over_sets_are_those_of_the_whole_table(labels: int, credit: float | None) -> None:
    """By pairs of labels where sets hold few, else directly; 70 labels need two words of bits."""
    rng = np.random.default_rng(labels)
    held = rng.random((80, labels)) < 0.3
    similar = rng.random((labels, labels))
    exchange = (similar + similar.T) / 2 * (1 - np.eye(labels))
    weights = LabelPairs(held, exchange if credit is None else credit)
    left, right = np.divmod(np.arange(6400), 80)
    table = weights.between(left, right).reshape(80, 80)
    marginals = rng.random((3, 2, 80))
    assert weights.apply(marginals) == pytest.approx(marginals @ table, rel=1e-12)
    assert np.diagonal(table) == pytest.approx(weights.diagonal)
    few = LabelPairs(held[:9], weights.exchange)
    assert few.apply(marginals[..., :9]) == pytest.approx(marginals[..., :9] @ table[:9, :9], rel=1e-12)


def test_the_mass_that_answers_share_is_summed_as_by_the_whole_table() -> None:
    rng = np.random.default_rng(1)
    mass = rng.choice([0.0, 0.4, 0.6, 1.0], (40, 5))
    weights, (left, right) = Overlap(mass), np.divmod(np.arange(1600), 40)
    table = weights.between(left, right).reshape(40, 40)
    assert table == pytest.approx(np.minimum(mass[:, None], mass[None]).sum(axis=-1))
    marginals = rng.random((3, 2, 40))
    assert weights.apply(marginals) == pytest.approx(marginals @ table, rel=1e-12)
    assert np.diagonal(table) == pytest.approx(weights.diagonal)


@pytest.mark.parametrize("name", list(BETWEEN_SETS))
def test_sums_over_sets_that_share_labels_are_remembered_and_right(name: str) -> None:
    rng = np.random.default_rng(2)
    held = rng.random((30, 9)) < 0.2
    held[0] = False  # the empty set, which is like itself and like nothing else
    weights, (left, right) = BySharedLabels(held, BETWEEN_SETS[name], name), np.divmod(np.arange(900), 30)
    table = weights.table()
    assert weights.between(left, right) == pytest.approx(table.ravel())
    assert table[0, 0] == 1
    marginals = rng.random((2, 3, 30))
    for _ in range(2):
        assert weights.apply(marginals) == pytest.approx(marginals @ table)
    assert weights.apply(marginals[0, :1]) == pytest.approx(marginals[0, :1] @ table)
    assert weights.apply(np.eye(30)) == pytest.approx(table), "more than are remembered"


@pytest.mark.parametrize(("kind", "weights"), [("set", "masi"), ("ranked", "overlap")])
def test_a_result_on_too_many_answers_for_a_table_travels_between_processes(
    kind: str, weights: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("accord.coefficients.weights.MOST_TABLED", 0)
    answers = [["a", "b"], ["b"], ["c", "a"], ["b", "c"], ["a"]]
    table = {"item": [n // 2 for n in range(30)], "annotator": list("xy") * 15, "label": (answers * 7)[3:33]}
    found = accord.fleiss_kappa(accord.Study(table, answers=kind), weights=weights)  # type: ignore[arg-type]
    again = pickle.loads(pickle.dumps(found))  # noqa: S301 - our own
    assert (again.value, str(again.interval())) == (found.value, str(found.interval()))
