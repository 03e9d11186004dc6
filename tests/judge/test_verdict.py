"""Can a model replace an annotator? Everything that bears on it, in one answer; planted truths told apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import accord
from accord.agreement.inference.multiple_testing import benjamini_yekutieli
from accord.judge import alt_test, evaluate, human_likeness, verdict
from accord.judge.noninferiority import t_test, tango_test, wilcoxon_test
from tests.judge.planted import biased, noisy, planted
from tests.shared import DATA

PANDALM = DATA / "pandalm_pairwise/long.csv"
ROOT = Path(__file__).parents[2]


def test_a_verdict_is_what_its_parts_say() -> None:
    study = accord.read(ROOT / "examples" / "people-and-models.csv")
    found = verdict(study)
    assert found.models == ("model-a", "model-b")
    assert found.alternative is not None
    for name in found.models:
        assert found.alternative[name].to_dict() == alt_test(study, model=name).to_dict()
        assert found.likeness[name].to_dict() == human_likeness(study, model=name).to_dict()
        assert found.evaluation[name].kappa == evaluate(name, study).only.kappa
    assert found.answer("model-b") in ("no", "not shown")
    described = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    requested = ["evaluate", *["alt_test"] * 2, *["human_likeness"] * 2, *["label_bias"] * 2]
    assert [result["question"] for result in described["results"]] == requested
    assert "<table>" in found._repr_html_()


def test_with_two_people_a_model_is_judged_but_not_tested() -> None:
    found = verdict([["a", "a", "a"], ["b", "b", "a"], ["a", "b", "a"], ["b", "b", "b"]] * 5, models=["3"])
    assert found.alternative is None
    assert found.answer("3") == "untested"
    assert "takes three people" in str(found)


# Planted truths: bounded here, in full in benchmarks/judges_simulated.py ---------------------------------------------


def passed(right: float, n_resamples: int, items: int = 200, epsilon: float = 0.1, seed: int = 0) -> float:
    """How often a model that is right with this probability passes, among people who are right at 0.8."""
    rng = np.random.default_rng(seed)
    found = [
        alt_test(planted(items, 4, {"m": right}, rng), model="m", epsilon=epsilon, n_resamples=0).passes
        for _ in range(n_resamples)
    ]
    return float(np.mean(found))


def test_a_model_as_good_as_people_passes_and_a_worse_one_does_not() -> None:
    assert passed(0.80, 30, items=500) > 0.9
    assert passed(0.60, 30, items=500) < 0.05


def boundary(rng: np.random.Generator, items: int, epsilon: float, discordant: float) -> tuple[Any, Any, Any]:
    """Counts of one person with mean difference exactly ε: the null boundary."""
    shares = [(discordant + epsilon) / 2, (discordant - epsilon) / 2, 1 - discordant]
    counts = rng.multinomial(items, shares, size=20_000).astype(float)
    return np.full(20_000, float(items)), counts[:, 0], counts[:, 1]


@pytest.mark.parametrize(("items", "discordant"), [(50, 0.3), (100, 0.3), (100, 0.15), (25, 0.4)])
def test_at_the_null_boundary_tango_keeps_its_level_and_wilcoxon_does_not(items: int, discordant: float) -> None:
    counts = boundary(np.random.default_rng(3), items, 0.1, discordant)
    size = {name: float(np.mean(test(*counts, 0.1)[1] <= 0.05)) for name, test in
            (("t", t_test), ("tango", tango_test), ("wilcoxon", wilcoxon_test))}  # fmt: skip
    assert 0.025 <= size["tango"] <= 0.065
    assert size["t"] <= 0.11
    assert size["wilcoxon"] > 0.15


def test_many_null_hypotheses_are_seldom_rejected_together() -> None:
    rng = np.random.default_rng(4)
    p = np.stack([tango_test(*boundary(rng, 100, 0.1, 0.3), 0.1)[1] for _ in range(5)], axis=1)
    assert float(benjamini_yekutieli(p).any(axis=1).mean()) <= 0.05


def test_a_biased_model_is_told_from_one_that_errs_alike_in_all_directions() -> None:
    """Both are right as often; the biased one says one label too often, and precision and recall tell."""
    rng = np.random.default_rng(5)
    truth = rng.integers(3, size=3_000)
    columns = {f"p{number}": noisy(truth, 0.85, 3, rng) for number in range(4)}
    columns |= {"fair": noisy(truth, 0.7, 3, rng), "biased": biased(truth, 0.7, 0, 3, rng)}
    found = evaluate(["fair", "biased"], accord.Study.from_wide(columns), people=["p0", "p1", "p2", "p3"])
    fair, leaning = ({row["label"]: row for row in found[name].labels} for name in ("fair", "biased"))
    assert leaning[0]["recall_low"] > fair[0]["recall_high"]
    assert leaning[0]["precision_high"] < fair[0]["precision_low"]
    assert leaning[1]["precision_low"] > fair[1]["precision_high"]


def test_a_biased_model_may_pass_the_test_and_the_verdict_says_what_is_wrong_with_it() -> None:
    rng = np.random.default_rng(10)
    truth = rng.choice(3, size=800, p=[0.6, 0.25, 0.15])
    columns = {f"p{number}": noisy(truth, 0.8, 3, rng) for number in range(4)}
    columns |= {"fair": noisy(truth, 0.84, 3, rng), "biased": biased(truth, 0.6, 0, 3, rng)}
    found = verdict(accord.Study.from_wide(columns), models=["fair", "biased"], n_resamples=100)
    assert found.alternative is not None
    assert found.alternative["biased"].passes
    assert "It gives 0 more often than people" in found.sentence("biased")
    assert "more often" not in found.sentence("fair")


def test_a_model_right_by_mere_chance_has_kappa_zero_whatever_its_accuracy() -> None:
    """Nine in ten items have one label; a model that always says it, or draws it, has accuracy and no kappa."""
    rng = np.random.default_rng(6)
    truth = (rng.random(2_000) < 0.1).astype(np.int64)
    columns = {f"p{number}": noisy(truth, 0.95, 2, rng) for number in range(3)}
    columns |= {"guesser": (rng.random(2_000) < 0.1).astype(np.int64), "constant": np.zeros(2_000, dtype=np.int64)}
    found = evaluate(["guesser", "constant"], accord.Study.from_wide(columns), people=["p0", "p1", "p2"])
    assert found["guesser"].accuracy.value > 0.78
    assert found["guesser"].kappa.low < 0.05
    assert abs(found["guesser"].kappa.value) < 0.07
    assert found["constant"].kappa.value == pytest.approx(0.0, abs=1e-12)
    assert found["guesser"].gaps["kappa"].high < 0


def test_a_model_as_good_as_a_person_is_seldom_shown_to_be_worse_than_one() -> None:
    """Against the majority of the others it is worse, as every person is; against a person it is not."""
    rng = np.random.default_rng(9)
    found = [evaluate("m", planted(200, 4, {"m": 0.8}, rng)).only for _ in range(100)]
    worse = [one.gaps["kappa"].high < 0 or one.gaps["kappa"].low > 0 for one in found]
    assert sum(worse) <= 11  # 5 are expected; more than 11 has a probability of 1 %
    assert sum(one.kappa.value < one.ceiling.below["kappa"].value for one in found if one.ceiling) >= 90


def test_systems_that_are_alike_are_seldom_said_to_differ() -> None:
    rng = np.random.default_rng(7)
    people = ["p0", "p1", "p2"]
    models = {f"m{number}": 0.7 for number in range(4)}
    wrong = 0
    for _ in range(60):
        found = evaluate(list(models), planted(120, 3, models, rng), people=people)
        wrong += bool((np.asarray(found.compared["p_holm"], float) < 0.05).any())
    assert wrong <= 8  # 3 are expected; 8 or more has a probability of 1 %


@pytest.mark.slow
def test_intervals_of_kappa_against_people_hold_the_truth() -> None:
    rng = np.random.default_rng(8)
    truth = evaluate("m", planted(200_000, 3, {"m": 0.7}, rng), people=["p0", "p1", "p2"]).only.kappa.value
    held = 0
    for _ in range(150):
        found = evaluate("m", planted(100, 3, {"m": 0.7}, rng), people=["p0", "p1", "p2"]).only.kappa
        held += found.low <= truth <= found.high
    assert 134 <= held <= 149  # 142.5 ± 3.2 standard deviations


# A real study --------------------------------------------------------------------------------------------------------


@pytest.mark.shared
def test_two_real_judges_do_not_replace_people() -> None:
    """Three people agree on 999 pairs of answers (published kappas 0.85, 0.88, 0.86); two models are far below."""
    rows = pl.read_csv(PANDALM)
    study = accord.Study(rows, item="item", annotator="annotator", label="label", kind="annotator_type")
    found = verdict(study, n_resamples=200)
    assert [found.answer(name) for name in found.models] == ["no", "no"]
    kappas = {(row["first"], row["second"]): row["kappa"] for row in found.likeness[found.models[0]].pairs}
    published = [0.8520226785167022, 0.8789438112500383, 0.8616614540762907]
    with_model = [0.46188406684213745, 0.4556768863898531, 0.46643747180436507]
    assert list(kappas.values()) == pytest.approx([*with_model, *published], abs=1e-12)
    for name, kappa in zip(found.models, (0.461, 0.424), strict=True):
        judged = found.evaluation[name]
        assert judged.kappa.value == pytest.approx(kappa, abs=0.0005)
        assert judged.ceiling is not None
        assert judged.ceiling.below["kappa"].value == pytest.approx(0.864, abs=0.0005)
        assert judged.gaps["kappa"].high < -0.3
        assert judged.ceiling.person["kappa"].value == pytest.approx(0.864, abs=0.0005)


@pytest.mark.shared
def test_the_garbage_of_a_real_judge_is_missing_or_a_wrong_answer() -> None:
    rows = pl.read_csv(PANDALM).with_columns(status=pl.when(pl.col("label") == "garbage").then(pl.lit("unparsable")))
    study = accord.Study(
        rows, item="item", annotator="annotator", label="label", kind="annotator_type", status="status"
    )
    silent, wrong = (evaluate(None, study, unparsable=how)["gpt-3.5-turbo"] for how in ("missing", "label"))
    assert (silent.items, wrong.items) == (974, 999)
    assert silent.unparsable == wrong.unparsable == pytest.approx(25 / 999)
    assert (silent.kappa.value, wrong.kappa.value) == pytest.approx((0.478, 0.461), abs=0.0005)
