"""A label of divided answers against the rest: what Rosenberg and Binkowski's kappa is made of."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import accord
from accord import multilabel
from accord.agreement.build import tallied
from accord.coefficients.weights import against_the_rest, split_mass
from tests.multilabel.studies import SEEDS, drawn, near, ranked, three_ranks, wide
from tests.oracles import multilabel as oracle

SHARED: dict[str, Callable[..., float]] = {"shared-mass": lambda x, y: x * y, "overlap": min}
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
    assert any("by that label's share" in note for note in accord.rosenberg_binkowski_kappa(study).by_label().notes)


# The matrix Ag ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS[:20])
@pytest.mark.parametrize("weights", ["shared-mass", "overlap"])
def test_the_agreement_matrix_of_two_is_the_papers(seed: int, weights: Any) -> None:
    study, _ = drawn(seed, ranked)
    one, other = oracle.people(study)[:2] if len(oracle.people(study)) > 1 else ("", "")
    if not one or not any(one in item and other in item for item in study):
        return
    table = wide(study, "ranked")
    found = multilabel.agreement_matrix(table, annotators=(one, other), p=0.7, weights=weights)
    slow = oracle.agreement_matrix(study, one, other, 0.7, SHARED[weights])
    assert len(found.items) == len(slow)
    for row, cells in zip(found.items, slow, strict=True):
        assert row["observed"] == pytest.approx(math.fsum(cells.values()))
        assert all(near(row[label], value) for label, value in cells.items())
    for row in found.labels:
        assert row["sum"] == pytest.approx(math.fsum(cells.get(row["label"], 0.0) for cells in slow))
    kappa = accord.rosenberg_binkowski_kappa(table.of_annotators([one, other]), p=0.7, weights=weights)
    if kappa.undefined is None:
        assert found.observed == pytest.approx(kappa.observed)


def test_rows_of_the_agreement_matrix_are_the_items_and_columns_the_labels() -> None:
    study, _ = drawn(11, ranked, gaps=False)
    table = wide(study, "ranked")
    found, kappa = multilabel.agreement_matrix(table), accord.rosenberg_binkowski_kappa(table)
    assert found.items["observed"].tolist() == pytest.approx(kappa.by_item()["observed"].tolist())
    assert found.observed == pytest.approx(kappa.observed)
    for row in found.labels:
        assert found.items[row["label"]].sum() == pytest.approx(row["sum"])
    assert found.labels["share"].sum() == pytest.approx(1)


def test_the_agreement_matrix_takes_single_labels_and_labels_called_as_its_columns() -> None:
    study = accord.Study.from_pairs(["item", "observed", "c"], ["item", "observed", "observed"])
    found = multilabel.agreement_matrix(study)
    assert found.items.columns == ("item", "c", "label item", "label observed", "observed")
    assert found.items["observed"].tolist() == [1, 1, 0]
    assert found.total == 2


def test_the_agreement_matrix_refuses_what_it_cannot_be_of() -> None:
    study = accord.Study.from_wide([["a", "b", "a"], ["b", "b", "a"]])
    with pytest.raises(accord.AccordError, match="annotators must be two different annotators"):
        multilabel.agreement_matrix(study, annotators=("1", "1"))
    with pytest.raises(accord.AccordError, match="weights must be one of"):
        multilabel.agreement_matrix(study, weights="masi")  # type: ignore[arg-type]
    with pytest.raises(accord.AccordError, match="is about single or ranked answers; these are set"):
        multilabel.agreement_matrix(accord.Study.from_wide([[["a"], ["b"]]], answers="set"))
    alone = multilabel.agreement_matrix(accord.Study.from_wide([["a", None], [None, "b"]]))
    assert len(alone.items) == 0
    assert math.isnan(alone.observed)


# Rankings of annotators and items -----------------------------------------------------------------------------------


def test_annotators_of_single_labels_are_ranked_by_their_kappas_with_the_others() -> None:
    study = accord.Study.from_wide([[*"aab"], [*"bbb"], [*"cca"], [*"aab"], [*"bba"], [*"abc"]])
    table = multilabel.annotators_ranked(study)
    best = accord.light_kappa(study).by_annotator().sorted("value", descending=True)
    assert list(table["annotator"]) == list(best["annotator"])
    assert table["value"].tolist() == best["value"].tolist()
    assert table["rank"].tolist() == [1, 2, 3]


def test_single_labels_rank_as_ranked_answers_without_a_second_label() -> None:
    rows = [[*"aab"], [*"bbb"], [*"cca"], [*"aab"], [*"bba"], [*"abc"]]
    single = accord.Study.from_wide(rows)
    same = accord.Study.from_wide([[[cell] for cell in row] for row in rows], answers="ranked")
    for function in (multilabel.annotators_ranked, multilabel.items_ranked):
        assert function(single).to_dict()["rows"] == function(same).to_dict()["rows"]


def test_items_are_ranked_without_names_too() -> None:
    table = multilabel.items_ranked(accord.Study.from_counts([[3, 0], [2, 1], [0, 3]]), by="variance")
    assert list(table["item"]) == [0, 2, 1]
    assert table["variance"].tolist() == pytest.approx([0, 0, 4 / 9])
