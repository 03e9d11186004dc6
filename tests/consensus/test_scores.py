"""Numbers: mean, median and the weighted mean with bias and precision."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import accord
from accord import AccordError, Study
from accord.consensus.numeric_methods import Scores, _pooled_variance, _Precision

NUMBERS = {
    "item": [1, 1, 1, 1, 2, 2, 3],
    "annotator": list("abcdaba"),
    "score": [1.0, 2.0, 4.0, 9.0, 3.0, 5.0, 7.0],
}


def crowd(seed: int = 0, items: int = 200) -> tuple[Study, np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = rng.normal(50, 10, items)
    bias, spread = np.array([3.0, -2.0, 0.0, -1.0, 0.0]), np.array([1.0, 1.5, 2.0, 4.0, 15.0])
    given = truth[:, None] + bias + rng.normal(size=(items, 5)) * spread
    there = rng.random(given.shape) < 0.8
    item, who = np.nonzero(there)
    table = {"item": item, "annotator": [f"p{j}" for j in who], "score": given[there]}
    return Study(table, score="score"), truth, bias, spread


def test_the_mean_with_its_standard_error() -> None:
    gold = accord.gold(NUMBERS, method="mean", score="score")
    assert_allclose(gold.values, [4, 4, 7])
    assert_allclose(gold.standard_errors, np.array([np.std([1, 2, 4, 9], ddof=1) / 2, 1.0, np.nan]))


def test_the_median_of_an_even_number_lies_halfway() -> None:
    assert_allclose(accord.gold(NUMBERS, method="median", score="score").values, [3, 4, 7])
    repeated = {"item": [1] * 5, "annotator": list("aabbc"), "score": [1.0, 1.0, 2.0, 8.0, 9.0]}
    gold = accord.gold(repeated, method="median", score="score", duplicates="repeat")
    assert_allclose(gold.values, [2])


def test_biases_and_precisions_are_found() -> None:
    study, truth, bias, spread = crowd()
    gold = accord.gold(study, method="weighted-mean")
    assert gold.scored is not None
    assert gold.scored.bias is not None
    assert gold.scored.spread is not None
    found = gold.scored.bias
    # biases are relative to each other; the careless annotator's is hardly known
    assert_allclose(found[:4] - found[2], bias[:4], atol=0.6)
    assert (np.diff(gold.scored.spread[1:]) > 0).all()
    assert gold.scored.spread[4] == pytest.approx(spread[4], rel=0.15)
    plain = accord.gold(study, method="mean")
    errors = [np.std(g.values - truth[[int(str(i)) for i in study.items]]) for g in (gold, plain)]
    assert errors[0] < errors[1] / 2


def test_the_score_is_exactly_the_weighted_mean() -> None:
    study, *_ = crowd(1)
    gold = accord.gold(study, method="weighted-mean")
    assert gold.scored is not None
    assert gold.scored.bias is not None
    assert gold.scored.spread is not None
    item, who, answer, _ = study._annotations.rows
    weight = gold.scored.spread[who] ** -2.0
    value = study.answers.scores[answer] - gold.scored.bias[who]
    for place in (0, 17):
        mine = item == place
        assert gold.values[place] == pytest.approx(np.average(value[mine], weights=weight[mine]))
        assert gold.standard_errors[place] == pytest.approx(weight[mine].sum() ** -0.5)


def test_the_log_posterior_never_falls_and_is_the_integral() -> None:
    study, *_ = crowd(2, items=30)
    gold = accord.gold(study, method="weighted-mean")
    assert gold.progress is not None
    assert (np.diff(gold.progress.trace) >= -1e-9).all()
    one = Scores(np.zeros(3, int), np.arange(3), np.array([1.0, 2.0, 4.0]), np.ones(3), 1, 3)
    model = _Precision(one, pooled=2.0, prior=4.0, known=None)
    model.bias, model.precision = np.array([0.3, -0.2, 0.0]), np.array([1.0, 0.5, 2.0])
    grid = np.linspace(-40, 40, 400_001)
    density = np.ones_like(grid)
    for value, bias, precision in zip(one.value, model.bias, model.precision, strict=True):
        density *= np.sqrt(precision / (2 * np.pi)) * np.exp(-precision * (value - bias - grid) ** 2 / 2)
    assert model.expect() - model.penalty() == pytest.approx(np.log(np.trapezoid(density, grid)), abs=1e-9)


def test_known_scores_stay_fixed() -> None:
    for method in ("mean", "median", "weighted-mean"):
        gold = accord.gold(NUMBERS, method=method, score="score", known={2: 10.0})
        assert gold[2] == 10
        assert gold.to_table()["source"][1] == "known"


def test_identical_answers_teach_nothing_of_anybody() -> None:
    table = {"item": [1, 1, 2, 2], "annotator": list("abab"), "score": [1.0, 1.0, 3.0, 3.0]}
    gold = accord.gold(table, method="weighted-mean", score="score")
    assert_allclose(gold.values, [1, 3])
    assert any("nothing can be learned" in note for note in gold.notes)


def test_auto_takes_the_weighted_mean_where_annotators_differ() -> None:
    study, *_ = crowd(3)
    gold = accord.gold(study, rng=0)
    assert gold.method == "weighted-mean"
    assert "ahead of mean" in gold.notes[0]


def test_numeric_labels_may_be_averaged_and_names_may_not() -> None:
    stars = {"item": [1, 1, 2, 2], "annotator": list("abab"), "label": [1, 4, 5, 5]}
    assert_allclose(accord.gold(stars, method="mean").values, [2.5, 5])
    with pytest.raises(AccordError, match="needs numbers"):
        accord.gold({**stars, "label": list("xyxy")}, method="mean")
    with pytest.raises(AccordError, match="these are scores"):
        accord.gold(NUMBERS, method="dawid-skene", score="score")


def test_the_report_tells_bias_and_spread_with_every_method() -> None:
    study, _, _bias, _ = crowd(4)
    for method in ("mean", "median", "weighted-mean"):
        table = accord.gold(study, method=method).annotators()
        assert table.columns == ("annotator", "answers", "bias", "low", "high", "spread")
        assert table["bias"][0] > table["bias"][1] + 3
        assert (table["low"] < table["high"]).all()


def test_scores_are_scored_by_their_errors() -> None:
    gold = accord.gold(NUMBERS, method="mean", score="score")
    result = gold.score({1: 4.0, 2: 5.0, 3: 6.5})
    assert result.numbers is not None
    assert result.numbers["mean absolute error"] == pytest.approx(0.5)
    assert result.numbers["bias"] == pytest.approx(-0.5 / 3)
    assert "mean absolute error 0.500" in str(result)


def test_known_scores_stay_fixed_where_nothing_can_be_learned() -> None:
    table = {"item": [1, 2, 3], "annotator": list("aba"), "score": [1.0, 2.0, 3.0]}
    gold = accord.gold(table, method="weighted-mean", score="score", known={1: 9.0})
    assert_allclose(gold.values, [9, 2, 3])
    assert gold.standard_errors[0] == 0


@pytest.mark.parametrize("iterations", [1, 2, 7])
def test_an_iteration_that_is_stopped_leaves_nothing_a_step_ahead(iterations: int) -> None:
    study, *_ = crowd(5, items=20)
    gold = accord.gold(study, method="weighted-mean", iterations=iterations)
    assert gold.scored is not None
    assert gold.scored.bias is not None
    assert gold.scored.spread is not None
    assert gold.progress is not None
    assert len(gold.progress.trace) == iterations
    item, who, answer, count = study._annotations.rows
    values = study.answers.scores[answer]
    data = Scores(item, who, values, count.astype(float), len(study.items), len(study.annotators))
    model = _Precision(data, pooled=_pooled_variance(data, data.means()), prior=4.0, known=None)
    model.bias, model.precision = gold.scored.bias, gold.scored.spread**-2.0
    assert model.expect() == pytest.approx(gold.progress.trace[-1])
    assert_allclose(gold.values, model.centre)
    assert_allclose(gold.standard_errors, np.sqrt(model.variance))
    assert gold.log_likelihood == pytest.approx(model.expect() - model.penalty())


def test_scores_have_no_tied_labels() -> None:
    found = accord.gold({"item": [1, 1, 2, 2], "annotator": ["ana", "ben"] * 2, "score": [1, 2, 3, 3]}, score="score")
    items, tied = found.tied_labels()
    assert len(items) == len(tied) == 0
