"""A label of divided answers against the rest: what Rosenberg and Binkowski's kappa is made of."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import accord
from accord.agreement.build import tallied
from accord.coefficients.weights import against_the_rest, split_mass
from tests.multilabel.studies import SEEDS, drawn, near, ranked, three_ranks, wide
from tests.oracles import multilabel as oracle

SHARED = {"shared-mass": lambda x, y: x * y, "overlap": min}
KAPPA = {"shared-mass": oracle.augmented_kappa, "overlap": oracle.overlap_kappa}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("weights", ["shared-mass", "overlap"])
def test_each_label_is_that_of_the_slow_version(seed: int, weights: Any) -> None:
    study, _ = drawn(seed, ranked)
    for p in (0.5, 0.6, 1.0):
        found = accord.rosenberg_binkowski_kappa(wide(study, "ranked"), p=p, weights=weights)
        for row in found.by_label() if found.undefined is None else ():
            slow = oracle.label_value(study, row["label"], KAPPA[weights], p, SHARED[weights])
            assert near(row["observed"], slow.observed)
            assert near(row["expected"], slow.expected)
            assert math.isclose(row["value"], slow.value, abs_tol=1e-9) or math.isnan(row["value"] + slow.value)


@pytest.mark.parametrize("seed", SEEDS[:15])
@pytest.mark.parametrize("measure", ["rosenberg_binkowski_kappa", "light_kappa", "conger_kappa", "fleiss_kappa",
                                     "krippendorff_alpha"])  # fmt: skip
@pytest.mark.parametrize("weights", ["shared-mass", "overlap"])
def test_the_value_is_the_mean_of_its_labels_weighted_by_what_chance_leaves(
    seed: int, measure: str, weights: str
) -> None:
    study, _ = drawn(seed, ranked)
    found = getattr(accord, measure)(wide(study, "ranked"), weights=weights)
    if found.undefined is None:
        assert _mean_of_labels(found) == pytest.approx(found.value, abs=1e-11)


def _mean_of_labels(found: accord.Agreement) -> float:
    table = found.by_label()
    left = 1 - table["expected"]
    return float((left * np.nan_to_num(table["value"])).sum() / left.sum())


@pytest.mark.parametrize("seed", SEEDS[:10])
def test_answers_of_three_ranks_make_up_their_value_too(seed: int) -> None:
    study, _ = drawn(seed, three_ranks)
    found = accord.rosenberg_binkowski_kappa(wide(study, "ranked"), p=(0.5, 0.3, 0.2))
    if found.undefined is None:
        assert _mean_of_labels(found) == pytest.approx(found.value, abs=1e-11)


def test_p_moves_the_labels_that_are_given_as_second() -> None:
    answers = [[["a", "b"], ["b", "a"]], [["a"], ["a", "c"]], [["b", "c"], ["b"]], [["c"], ["c"]], [["c"], ["b", "c"]]]
    study = accord.Study.from_wide(answers * 4, answers="ranked")
    by_p = [accord.rosenberg_binkowski_kappa(study, p=p).by_label()["value"] for p in (0.5, 0.6, 1.0)]
    assert not np.isclose(by_p[0], by_p[1]).any()
    assert not np.isclose(by_p[1], by_p[2]).any()
    table = accord.rosenberg_binkowski_kappa(study, p=0.6).by_label()
    assert table["answers"].tolist() == [16, 20, 24]  # who gave it at all, first or second
    assert table["share"].tolist() == pytest.approx([0.26, 0.32, 0.42])
    assert accord.rosenberg_binkowski_kappa(study, p=1).by_label()["answers"].tolist() == [12, 16, 12]


@pytest.mark.parametrize("chance", ["own", "pooled"])
def test_single_labels_of_two_annotators_are_those_of_cohens_kappa(chance: Any) -> None:
    one, other = [*"aabbccabca"], [*"abbbcaabcc"]
    ranked_answers = accord.Study.from_wide([[[x], [y]] for x, y in zip(one, other, strict=True)], answers="ranked")
    found = accord.rosenberg_binkowski_kappa(ranked_answers, p=1.0).by_label(chance=chance)
    single = accord.cohen_kappa(one, other).by_label(chance=chance)
    for name in ("answers", "share", "observed", "expected", "value", "low", "high"):
        assert np.asarray(found[name], float) == pytest.approx(np.asarray(single[name], float)), name


def test_pooled_marginals_by_name_are_fleiss_of_the_shares() -> None:
    study, _ = drawn(7, ranked, gaps=False)
    table = wide(study, "ranked")
    pooled = accord.rosenberg_binkowski_kappa(table).by_label(chance="pooled")
    fleiss = accord.fleiss_kappa(table, weights="shared-mass").by_label()
    assert pooled["value"].tolist() == pytest.approx(fleiss["value"].tolist())
    assert any("Chance model: pooled" in note for note in pooled.notes)


@pytest.mark.parametrize("seed", [seed for seed in range(12) if len(drawn(seed, ranked)[0]) > 5])
@pytest.mark.parametrize("weights", ["shared-mass", "overlap"])
def test_what_an_item_adds_to_a_label_is_the_slope_along_it(seed: int, weights: Any) -> None:
    study, _ = drawn(seed, ranked)
    found = accord.rosenberg_binkowski_kappa(wide(study, "ranked"), weights=weights)
    shares = split_mass(found.study.answers, 0.6)
    for held in shares.T:
        part = tallied(found).against_the_rest(against_the_rest(weights, held))
        assert part is not None
        number = part.sample.items.astype(float)
        steps = 1e-6 * np.eye(len(number))
        slopes = number.sum() * (part.evaluate(number + steps).value - part.evaluate(number - steps).value) / 2e-6
        assert part.influence() == pytest.approx(slopes - number @ slopes / number.sum(), abs=1e-6)


def test_identity_weights_still_look_at_the_primary_label_and_say_so() -> None:
    study = accord.Study.from_wide([[["a", "b"], ["b", "a"]], [["a"], ["a"]], [["b"], ["b"]]], answers="ranked")
    assert any("primary label alone" in note for note in accord.fleiss_kappa(study).by_label().notes)
    assert any("by their shares" in note for note in accord.rosenberg_binkowski_kappa(study).by_label().notes)
