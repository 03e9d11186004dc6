"""Every formula of the three papers against its oracle, on random studies with gaps and two to six annotators."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import accord
from accord.coefficients.label_pair_weights import LabelPairs
from tests.multilabel.studies import SEEDS, drawn, near, ranked, sets, three_ranks, wide
from tests.oracles import multilabel as oracle


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("weights", ["shared-mass", "overlap"])
def test_augmented_kappa_is_that_of_the_paper(seed: int, weights: Any) -> None:
    study, _ = drawn(seed, ranked)
    slow = oracle.augmented_kappa if weights == "shared-mass" else oracle.overlap_kappa
    for p in (0.5, 0.6, 0.85, 1.0):
        found, expected = (
            accord.rosenberg_binkowski_kappa(wide(study, "ranked"), p=p, weights=weights),
            oracle.mean_of_pairs(study, slow, p),
        )
        assert near(found.value, expected.value)
        assert (found.undefined is None) == (not math.isnan(expected.value))
        if found.undefined is None:
            assert near(found.observed, expected.observed)
            assert near(found.expected, expected.expected)
            for pair in found.by_pair():
                parts = slow(study, pair["first"], pair["second"], p)
                assert near(pair["value"], parts.value)


@pytest.mark.parametrize("seed", SEEDS)
def test_more_ranks_share_their_weights_in_proportion(seed: int) -> None:
    study, _ = drawn(seed, three_ranks)
    p = (0.5, 0.3, 0.2)
    found = accord.rosenberg_binkowski_kappa(wide(study, "ranked"), p=p)
    assert near(found.value, oracle.mean_of_pairs(study, oracle.augmented_kappa, p).value)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("clubbed", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_am_is_that_of_the_paper(seed: int, clubbed: bool, weighted: bool) -> None:
    study, labels = drawn(seed, sets)
    similar = (lambda a, b: 1 / (2 + abs(ord(a) - ord(b)))) if weighted else None
    table = wide(study, "set", labels)
    found = accord.bhowmick_am(table, clubbed=clubbed, label_weights=_full(similar) if similar else None)
    slow = oracle.am(study, labels, clubbed=clubbed, similar=similar)
    assert near(found.value, slow.value), (found.value, slow)
    if found.undefined is None:
        assert near(found.observed, slow.observed)
        assert near(found.expected, slow.expected)


def _full(similar: Callable[..., float]) -> Callable[[Any, Any], float]:
    return lambda a, b: 1.0 if a == b else similar(a, b)


@pytest.mark.parametrize("seed", SEEDS)
def test_am_of_a_pair_is_that_of_the_two_by_themselves(seed: int) -> None:
    study, labels = drawn(seed, sets)
    for pair in accord.bhowmick_am(wide(study, "set", labels)).by_pair():
        both = [{who: item[who] for who in (pair["first"], pair["second"])} for item in study
                if pair["first"] in item and pair["second"] in item]  # fmt: skip
        parts = oracle.am(both, labels, clubbed=True)
        assert near(pair["value"], parts.value)
        assert near(pair["expected"], parts.expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_sets_too_many_for_their_label_pairs_are_summed_by_moments(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    study, labels = drawn(seed, sets)
    table = wide(study, "set", labels)
    monkeypatch.setattr("accord.coefficients.label_pair_weights.FEW_SETS", 0)
    by_moments = accord.bhowmick_am(table)
    monkeypatch.setattr("accord.coefficients.label_pair_weights.CELLS_AT_ONCE", 1)
    one_by_one = accord.bhowmick_am(table)
    monkeypatch.setattr(LabelPairs, "apply", LabelPairs._apply_directly)
    directly = accord.bhowmick_am(table)
    assert near(by_moments.value, one_by_one.value)
    assert near(by_moments.value, directly.value)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_differential_is_that_of_the_paper(seed: int) -> None:
    study, labels = drawn(seed, list)
    rng = random.Random(seed + 1000)
    suggested = [rng.choice([*labels, None]) for _ in study]
    mapping = {number: label for number, label in enumerate(suggested) if label is not None}
    if not any(study) or not any(item and number in mapping for number, item in enumerate(study)):
        return
    found = accord.dipietro_hazari_kappa(wide(study, "single", labels), suggested=mapping)
    slow = oracle.dh_kappa(study, suggested, labels)
    assert near(found.value, slow.value), (found, slow)
    if found.undefined is None:
        inside: Any = found.coefficient
        assert near(inside.observed_right, slow.R)
        assert near(inside.observed_wrong, slow.S)
        assert near(inside.expected_right, slow.C_E)
        assert near(inside.expected_wrong, slow.C_F)
        assert near(found.observed, slow.R - slow.S)
        assert near(found.expected, slow.C_E - slow.C_F)


@pytest.mark.parametrize("seed", range(20))
def test_the_matrix_form_gives_the_same(seed: int) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(5, [0.4, 0.3, 0.2, 0.1], size=30)
    suggested = rng.integers(4, size=30)
    found = accord.dipietro_hazari_kappa(accord.Study.from_counts(counts), suggested=suggested)
    assert near(found.value, float(oracle.dh_matrices(counts.tolist(), suggested.tolist())))
