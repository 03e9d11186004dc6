"""Models that give scores: concordance, correlation, bias and difference against people, and what people reach."""

from __future__ import annotations

import math

import numpy as np
import pytest

import accord
from accord.judge import evaluate, verdict
from tests.oracles import score_pairs as oracle

RNG = np.random.default_rng(5)
TRUTH = RNG.normal(5, 2, 60)
PEOPLE = {name: TRUTH + level + RNG.normal(0, 1, 60) for name, level in (("ana", 0), ("ben", 0.4), ("cleo", -0.6))}
MODEL = TRUTH + 1.2 + RNG.normal(0, 0.8, 60)


def study(**more: np.ndarray[tuple[int], np.dtype[np.float64]]) -> accord.Study:
    return accord.Study.from_wide({**PEOPLE, **more}, answers="score")


def test_a_model_is_measured_against_a_person_drawn_at_random() -> None:
    found = evaluate("gpt", study(gpt=MODEL), people=list(PEOPLE)).only
    x = [one for one in MODEL for _ in PEOPLE]
    y = [PEOPLE[name][item] for item in range(60) for name in PEOPLE]
    assert found.values["concordance"].value == pytest.approx(oracle.lin_concordance(x, y))
    assert found.values["correlation"].value == pytest.approx(oracle.pearson(x, y))
    assert found.values["bias"].value == pytest.approx(np.mean(x) - np.mean(y))
    assert found.values["difference"].value == pytest.approx(np.mean(np.abs(np.subtract(x, y))))
    bias = np.mean([MODEL - scores for scores in PEOPLE.values()], axis=0)
    assert found.values["bias"].interval.se == pytest.approx(bias.std(ddof=1) / math.sqrt(60))


def test_what_people_reach_stands_beside() -> None:
    found = evaluate("gpt", study(gpt=MODEL), people=list(PEOPLE)).only
    assert found.ceiling is not None
    pairs = [(PEOPLE[one], PEOPLE[other]) for one in PEOPLE for other in PEOPLE if one != other]
    x, y = (np.concatenate(part) for part in zip(*pairs, strict=True))
    assert found.ceiling.person["concordance"].value == pytest.approx(oracle.lin_concordance(x.tolist(), y.tolist()))
    assert found.ceiling.below["concordance"].value < found.ceiling.above["concordance"].value
    assert found.ceiling.person["bias"].value == pytest.approx(0, abs=1e-12)
    assert "people reach" in found.sentence()


def test_errors_are_those_of_items_left_out() -> None:
    found = evaluate("gpt", study(gpt=MODEL), people=list(PEOPLE)).only

    def without(item: int) -> float:
        rest = np.delete(np.arange(60), item)
        part = accord.Study.from_wide({**{n: s[rest] for n, s in PEOPLE.items()}, "gpt": MODEL[rest]}, answers="score")
        return evaluate("gpt", part, people=list(PEOPLE)).only.values["concordance"].value

    left = np.array([without(item) for item in range(0, 60, 3)])
    assert math.sqrt(59 * left.var()) == pytest.approx(found.values["concordance"].interval.se, rel=0.5)


def test_gold_can_be_the_reference() -> None:
    found = evaluate({"gpt": MODEL.tolist(), "llama": TRUTH.tolist()}, study(), gold=TRUTH.tolist())
    assert found["llama"].values["concordance"].value == pytest.approx(1)
    assert found["gpt"].values["bias"].value == pytest.approx(float((MODEL - TRUTH).mean()))
    assert found.to_table()["system"][0] == "llama"
    assert found.compared["difference"][0] < 0
    ceiling = found["gpt"].ceiling
    assert ceiling is not None
    assert ceiling.gold


def test_the_verdict_says_who_scores_above_people() -> None:
    found = verdict(study(gpt=MODEL), models=["gpt"], n_resamples=100)
    assert found.evaluation.measure == "concordance"
    assert "above people on average" in found.sentence("gpt")
    assert found.answer("gpt") in ("no", "not shown")
    row = next(iter(found.to_table()))
    assert {"concordance", "correlation", "bias", "difference", "people_reach"} <= set(row)
    assert found.to_dict()["results"]


def test_the_best_system_stands_first_whatever_is_better() -> None:
    systems = {"high": TRUTH + 2, "fair": TRUTH + 0.1, "low": TRUTH - 1}
    for measure in ("bias", "difference", "concordance"):
        found = evaluate(list(systems), study(**systems), people=list(PEOPLE), measure=measure)
        assert found.to_table()["system"].tolist() == ["fair", "low", "high"]


def test_nobody_reaches_a_bias() -> None:
    found = evaluate("gpt", study(gpt=MODEL), people=list(PEOPLE), measure="bias")
    assert found.only.ceiling is not None
    assert "reach" not in found.only.sentence("bias")
    assert "reach" in found.only.sentence("difference")
    assert "bias" not in str(found.only.ceiling)
    assert np.isnan(found.to_table()["people_reach"]).all()


def test_one_score_throughout_has_no_concordance_but_a_bias() -> None:
    flat = accord.Study.from_wide({"a": [2.0] * 5, "b": [2.0] * 5, "gpt": [2.0] * 5}, answers="score")
    found = evaluate("gpt", flat, people=["a", "b"]).only
    assert found.values["concordance"].undefined
    assert found.values["bias"].value == 0


def test_measures_of_labels_are_not_asked_of_scores() -> None:
    with pytest.raises(accord.AccordError, match="measure must be one of 'concordance'"):
        evaluate("gpt", study(gpt=MODEL), measure="kappa")
    with pytest.raises(accord.AccordError, match="weights"):
        evaluate("gpt", study(gpt=MODEL), weights="quadratic")
