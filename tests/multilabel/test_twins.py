"""Every formula of the three papers against its slow twin, on random studies with gaps and two to six annotators."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest

import accord
from accord.coefficients.label_pair_weights import LabelPairs
from tests.multilabel import twins

LABELS = ("d", "a", "c", "e", "b")
SEEDS = range(60)


def drawn(
    seed: int, answers: Callable[[Sequence[str]], list[Any]], *, gaps: bool = True
) -> tuple[list[dict[str, Any]], list[str]]:
    """Items with answers that lean to a common one, and the labels there are."""
    rng = random.Random(seed)
    labels = list(LABELS[: rng.randint(2, 5)])
    options = answers(labels)
    people = [f"p{who}" for who in range(rng.randint(2, 6))]
    silence = rng.choice((0.0, 0.2, 0.5)) if gaps else 0.0
    study = []
    for _ in range(rng.randint(1, 25)):
        truth = rng.choice(options)
        said = {who: truth if rng.random() < 0.5 else rng.choice(options) for who in people if rng.random() >= silence}
        study.append(said)
    return study, labels


def wide(study: Sequence[dict[str, Any]], kind: Any, labels: Sequence[str] | None = None) -> accord.Study:
    """The study as accord reads a wide table, annotators by name."""
    people = sorted({who for item in study for who in item}) or ["p0"]
    columns: dict[str, Any] = {"item": list(range(len(study)))}
    for who in people:
        cells = [item.get(who) for item in study]
        columns[who] = [list(cell) if cell is not None and kind != "single" else cell for cell in cells]
    return accord.Study.from_wide(columns, item="item", annotators=people, answers=kind, labels=labels)


def ranked(labels: Sequence[str]) -> list[Any]:
    return [held for size in (1, 2) for held in permutations(labels, size)]


def three_ranks(labels: Sequence[str]) -> list[Any]:
    return [held for size in (1, 2, 3) for held in permutations(labels, size)]


def sets(labels: Sequence[str]) -> list[Any]:
    return [frozenset(held) for size in range(4) for held in combinations(labels, size)]


def near(found: float, slow: float) -> bool:
    return math.isclose(found, slow, rel_tol=1e-12, abs_tol=1e-12) or (math.isnan(found) and math.isnan(slow))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("weights", ["shared-mass", "overlap"])
def test_augmented_kappa_is_that_of_the_paper(seed: int, weights: Any) -> None:
    study, _ = drawn(seed, ranked)
    slow = twins.augmented_kappa if weights == "shared-mass" else twins.overlap_kappa
    for p in (0.5, 0.6, 0.85, 1.0):
        found, expected = (
            accord.rosenberg_binkowski_kappa(wide(study, "ranked"), p=p, weights=weights),
            twins.mean_of_pairs(study, slow, p),
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
    assert near(found.value, twins.mean_of_pairs(study, twins.augmented_kappa, p).value)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("clubbed", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_am_is_that_of_the_paper(seed: int, clubbed: bool, weighted: bool) -> None:
    study, labels = drawn(seed, sets)
    similar = (lambda a, b: 1 / (2 + abs(ord(a) - ord(b)))) if weighted else None
    table = wide(study, "set", labels)
    found = accord.bhowmick_am(table, clubbed=clubbed, label_weights=_full(similar) if similar else None)
    slow = twins.am(study, labels, clubbed=clubbed, similar=similar)
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
        parts = twins.am(both, labels, clubbed=True)
        assert near(pair["value"], parts.value)
        assert near(pair["expected"], parts.expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_sets_too_many_for_their_label_pairs_are_summed_by_moments(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    study, labels = drawn(seed, sets)
    table = wide(study, "set", labels)
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
    slow = twins.dh_kappa(study, suggested, labels)
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
    assert near(found.value, float(twins.dh_matrices(counts.tolist(), suggested.tolist())))
