"""Tests against chance: what shuffled answers would show, known without a shuffle."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import accord
from accord.agreement.inference.shuffled_answers import Shuffled, shuffled
from accord.measures.registered import MEASURES
from tests.oracles.resampled_values import values_of_shuffles

SHUFFLES = 1500
SLACK = 4 / math.sqrt(2 * SHUFFLES)  # four errors of a standard deviation from so many shuffles
MARGINALS = {"even": (0.6, 0.3, 0.1), "skewed": (0.9, 0.06, 0.04), "rare": (0.95, 0.05)}


def independent(
    seed: int, items: int, people: int, marginals: tuple[float, ...] = MARGINALS["even"], gaps: float = 0.0
) -> accord.Study:
    rng = np.random.default_rng(seed)
    cells = rng.choice(len(marginals), (items, people), p=marginals).astype(float)
    cells[rng.random(cells.shape) < gaps] = np.nan
    return accord.Study.from_wide(cells, labels=list(range(len(marginals))))


def moments(result: accord.Agreement) -> Shuffled:
    found = shuffled(result)
    assert found is not None
    return found


@pytest.mark.parametrize("people", [2, 4])
@pytest.mark.parametrize(
    ("measure", "options"),
    [
        ("fleiss_kappa", {}), ("conger_kappa", {"weights": "quadratic"}), ("light_kappa", {}), ("gwet_ac", {}),
        ("krippendorff_alpha", {}), ("krippendorff_alpha", {"level": "interval"}),
        ("krippendorff_alpha", {"level": "ordinal"}), ("percent_agreement", {}),
    ],
)  # fmt: skip
def test_mean_and_error_are_those_of_many_shuffles(measure: str, options: dict[str, Any], people: int) -> None:
    result = MEASURES[measure].of(independent(3, 20, people), **options)
    values, found = values_of_shuffles(result, SHUFFLES), moments(result)
    error = found.error / found.room
    assert error == pytest.approx(values.std(), rel=SLACK)
    mean = result.value - (found.seen - found.mean) / found.room
    assert mean == pytest.approx(values.mean(), abs=4 * error / math.sqrt(SHUFFLES))


@pytest.mark.parametrize("measure", ["conger_kappa", "fleiss_kappa", "percent_agreement", "gwet_ac"])
def test_gaps_are_counted(measure: str) -> None:
    """Items with more answers than others: exact where chance stays as it is, linear where it moves with the items."""
    result = MEASURES[measure].of(independent(5, 60, 4, gaps=0.3))
    values, found = values_of_shuffles(result, SHUFFLES), moments(result)
    assert found.error / found.room == pytest.approx(values.std(), rel=SLACK + 0.03)


def test_nobody_needs_a_name() -> None:
    counts = np.random.default_rng(2).multinomial(4, MARGINALS["even"], size=25)
    counts[:10, 0] += 2  # some items have six answers
    result = accord.fleiss_kappa(accord.Study.from_counts(counts))
    values, found = values_of_shuffles(result, SHUFFLES), moments(result)
    assert found.together
    assert found.error / found.room == pytest.approx(values.std(), rel=SLACK + 0.03)


def test_two_annotators_have_the_null_error_of_fleiss_cohen_and_everitt() -> None:
    """Their formula (1969) but for n where the exact variance over shuffles has n − 1."""
    table = np.array([[20, 5, 3], [10, 15, 2], [1, 4, 12]])
    n = table.sum()
    row, column = table.sum(1) / n, table.sum(0) / n
    expected = row @ column
    asymptotic = math.sqrt((expected + expected**2 - (row * column * (row + column)).sum()) / n) / (1 - expected)
    kappa = accord.cohen_kappa(accord.Study.from_confusion(table.tolist()))
    se = kappa.test().se
    assert se == pytest.approx(asymptotic * math.sqrt(n / (n - 1)), rel=1e-9)


def test_skewed_labels_of_independent_annotators_are_no_worse_than_chance() -> None:
    """Kappa is −0.020, and its interval lay below zero; no shuffle of the answers is any better."""
    kappa = accord.cohen_kappa(accord.Study.from_confusion([[96, 2], [2, 0]]))
    assert math.isnan(kappa.test(method="analytic").p)
    assert kappa.test().p > 0.5


@pytest.mark.parametrize(("people", "measure"), [(2, "cohen_kappa"), (3, "fleiss_kappa"), (4, "krippendorff_alpha")])
@pytest.mark.parametrize("marginals", MARGINALS)
def test_independent_annotators_are_seldom_told_apart_from_chance(people: int, measure: str, marginals: str) -> None:
    """Of 120 studies 6 should have p < 0.05 at most; 14 or more has probability 0.002. The rest: benchmarks."""
    p = [MEASURES[measure].of(independent(seed, 40, people, MARGINALS[marginals])).test() for seed in range(120)]
    assert sum(one.p < 0.05 for one in p if one.undefined is None) <= 13


@pytest.mark.parametrize("measure", ["cohen_kappa", "krippendorff_alpha", "light_kappa"])
def test_the_formula_and_the_permutation_agree(measure: str) -> None:
    for seed in range(3):
        result = MEASURES[measure].of(independent(seed, 60, 2))
        slow = result.test(method="permutation", n_resamples=600, rng=seed).p
        assert result.test().p == pytest.approx(slow, abs=0.12)


def test_an_alternative_halves_or_turns_the_p_value() -> None:
    kappa = accord.cohen_kappa(accord.Study.from_confusion([[20, 5], [10, 15]]))
    for method, null in (("null-error", 0.0), ("analytic", 0.2), ("jackknife", 0.0)):
        both, more, less = (
            kappa.test(method=method, null=null, alternative=side).p  # type: ignore[arg-type]
            for side in ("two-sided", "greater", "less")
        )
        assert both == pytest.approx(2 * more)
        assert less > 0.9


def test_measures_whose_zero_is_not_chance_say_what_it_is() -> None:
    study = independent(1, 60, 2, MARGINALS["skewed"])
    for measure, word in (
        ("gwet_ac", "uncertain"),
        ("brennan_prediger_kappa", "equally likely"),
        ("percent_agreement", "no agreement"),
    ):
        result = MEASURES[measure].of(study)
        found = result.test()
        assert found.method == "analytic"
        assert found.p < 1e-6
        assert found.note is not None
        assert word in str(found)
        assert result.test(method="null-error").p > 0.05  # against independent annotators
        assert "independent annotators" in str(result.test(method="null-error"))


def test_what_has_no_formula_is_shuffled_and_says_so() -> None:
    study = accord.Study.from_wide(np.random.default_rng(0).choice(3, (30, 3)), labels=[0, 1, 2])
    result = accord.dipietro_hazari_kappa(study, suggested=dict.fromkeys(study.items, 0))
    found = result.test(n_resamples=19)
    assert (found.method, found.n_resamples) == ("permutation", 19)
    assert "shuffled" in str(found)


def test_one_label_throughout_is_exactly_chance() -> None:
    kappa = accord.cohen_kappa(["x"] * 15, ["x"] * 5 + ["y"] * 10)
    assert kappa.test().p == 1


def test_one_split_item_among_many_is_no_evidence() -> None:
    """49 unanimous items and one split gave p = 2e−51 by the error at the estimate."""
    kappa = accord.fleiss_kappa([["no"] * 3] * 49 + [["yes", "yes", "no"]])
    assert kappa.test().p > 0.005


def test_clusters_are_kept() -> None:
    """Each annotator leans to one label in each document, independently of the other: no agreement, few documents."""
    low = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        lean = rng.integers(0, 2, (12, 1, 2))
        cells = np.where(rng.random((12, 8, 2)) < 0.8, lean, 1 - lean).reshape(-1, 2)
        rows: dict[str, list[Any]] = {
            "item": [f"i{place:03}" for place in range(96) for _ in "ab"],
            "annotator": list("ab") * 96,
            "label": cells.ravel().tolist(),
            "document": [place // 8 for place in range(96) for _ in "ab"],
        }
        found = accord.cohen_kappa(accord.Study(rows, cluster="document")).test()
        assert found.note is not None
        assert "12 clusters" in found.note
        low += found.p < 0.05
    assert low <= 8  # 3 expected; without clusters 27 of 60


@pytest.mark.parametrize("name", ["fleiss_kappa", "conger_kappa", "percent_agreement"])
def test_items_that_the_same_people_answered_count_together(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shuffles keep of an item who answered it; with too many people for that each pattern is taken by itself."""
    from accord.agreement.inference import who_answered

    rng = np.random.default_rng(8)
    cells = rng.integers(0, 3, (60, 4)).astype(np.float64)
    cells[rng.random(cells.shape) < 0.3] = np.nan
    study = accord.Study.from_wide(cells)
    together = getattr(accord, name)(study).test(method="null-error")
    monkeypatch.setattr(who_answered, "MOST_DIGITS", 0)
    apart = getattr(accord, name)(study).test(method="null-error")
    for part in ("p", "se", "statistic"):
        assert getattr(apart, part) == pytest.approx(getattr(together, part), rel=1e-9)
