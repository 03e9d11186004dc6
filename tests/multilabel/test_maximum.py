"""The highest value that Rosenberg and Binkowski's kappa can have with the answers there are."""

from __future__ import annotations

import math
import random
from itertools import product

import pytest

import accord
from tests.multilabel.studies import drawn, near, ranked, wide
from tests.oracles import multilabel as oracle

PERFECT = [[["a", "b"], ["a", "b"]], [["b", "c"], ["b", "c"]], [["c", "a"], ["c", "a"]]] * 2
PS = (0.5, 0.6, 0.8, 1.0)


@pytest.mark.parametrize("p", PS)
@pytest.mark.parametrize("seed", range(30))
def test_the_maximum_is_that_of_repeating_one_annotator(seed: int, p: float) -> None:
    study, _ = drawn(seed, ranked)
    kappa = accord.rosenberg_binkowski_kappa(wide(study, "ranked"), p=p)
    if kappa.undefined:
        return
    uses_secondaries = p < 1 and any(len(answer) > 1 for item in study if len(item) > 1 for answer in item.values())
    assert near(kappa.maximum, oracle.maximum(study, p) if uses_secondaries else 1.0)
    assert kappa.value <= kappa.maximum + 1e-12


@pytest.mark.parametrize("p", [0.5, 0.6, 0.9])
def test_no_pair_of_annotators_is_above_it_whatever_they_answer(p: float) -> None:
    """Every two annotators' answers to three items, of two labels."""
    answers = [("a",), ("b",), ("a", "b"), ("b", "a")]
    ours = list(product(answers, repeat=3))
    for one, other in random.Random(1).sample(list(product(ours, ours)), 300):
        study = accord.Study.from_wide(
            [[list(mine), list(yours)] for mine, yours in zip(one, other, strict=True)],
            answers="ranked",
            labels=["a", "b"],
        )
        kappa = accord.rosenberg_binkowski_kappa(study, p=p)
        assert kappa.undefined or kappa.value <= kappa.maximum + 1e-12


def test_perfect_agreement_reaches_it_and_is_not_called_fair() -> None:
    study = accord.Study.from_wide(PERFECT, answers="ranked")
    kappa = accord.rosenberg_binkowski_kappa(study)
    assert near(kappa.value, kappa.maximum)
    assert kappa.value == pytest.approx(0.28)
    assert "0.280 of at most 0.280" in kappa.sentence()
    assert "fair" not in kappa.sentence()
    meaning = kappa.interpret()
    assert meaning.word is None
    assert meaning.undefined is not None
    assert "at most 0.280" in meaning.undefined
    assert kappa.interpret(threshold=0.2).word == "on target"  # a limit of one's own is one's own affair


def test_measure_puts_the_overlap_first_and_the_kappa_beside_it_with_its_maximum() -> None:
    found = accord.measure(accord.Study.from_wide(PERFECT, answers="ranked"))
    best = found.recommended
    assert (best.measure, best.value) == ("krippendorff_alpha", 1.0)
    rows = {row["measure"]: row for row in found.to_table()}
    kappa = rows["rosenberg_binkowski_kappa"]
    assert (round(kappa["value"], 3), round(kappa["maximum"], 3)) == (0.28, 0.28)
    assert "maximum" in str(found)


def test_weights_are_for_that_row_too() -> None:
    study = accord.Study.from_wide(PERFECT, answers="ranked")
    found = accord.measure(study, weights="overlap")
    assert found["rosenberg_binkowski_kappa"].value == 1.0
    assert "maximum" not in str(found).splitlines()[1]
    own = accord.measure(study, weights=lambda one, other: float(one == other))
    assert "weights of its own" in own.left_out["rosenberg_binkowski_kappa"]


def test_a_coefficient_with_weights_below_one_for_the_same_answer_gets_no_word() -> None:
    study = accord.Study.from_wide(PERFECT, answers="ranked")
    fleiss = accord.fleiss_kappa(study, weights="shared-mass")
    assert math.isnan(fleiss.maximum)
    assert fleiss.interpret().undefined is not None
    assert accord.fleiss_kappa(study, weights="overlap").maximum == 1
