"""A gold is as sure as it is right, and annotators' intervals hold their accuracy.

A bounded run of `benchmarks/gold_calibration.py`, which says how the crowds are made; it runs twenty studies of each.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import accord
from accord import Study
from accord.annotations.arrays import FloatArray
from accord.consensus import accuracy_errors, em, learned_prior
from accord.consensus.ballots import Ballots
from accord.consensus.dawid_skene import DawidSkene
from accord.consensus.fit_models import fitted
from accord.consensus.learned_prior import learn, learn_accuracy, strength, unlearned
from accord.consensus.method_outcome import Options
from accord.consensus.one_coin import OneCoin
from benchmarks.gold_calibration import CROWDS, calibrated, held
from tests.consensus.simulated import simulate

# -- confidences ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in CROWDS if name != "hard items"])
def test_dawid_and_skene_are_as_sure_as_they_are_right(name: str) -> None:
    seen = calibrated(name, 3, method="dawid-skene")
    assert abs(seen.gap) < 0.03  # 1,200 items leave .01 to chance
    assert seen.error < 0.05  # of ten bins, chance alone makes .02


def test_hard_items_make_every_model_of_annotators_alone_too_sure_but_far_less_than_before() -> None:
    plain, learned = (calibrated("hard items", 3, method="dawid-skene", prior=prior) for prior in ("none", "learned"))
    assert plain.gap > 0.1
    assert learned.gap < 0.07


def test_the_prior_costs_no_accuracy() -> None:
    for name in ("own confusions", "200 people × 10 answers"):
        plain, learned = (calibrated(name, 2, method="dawid-skene", prior=prior) for prior in ("none", "learned"))
        assert learned.accuracy > plain.accuracy - 0.01


@pytest.mark.parametrize("name", ["equal skill", "own confusions"])
def test_auto_is_calibrated_whatever_it_chooses(name: str) -> None:
    assert abs(calibrated(name, 1).gap) < 0.05  # 400 items


@pytest.mark.parametrize(
    "study",
    [
        Study.from_counts([[4, 1], [0, 5], [3, 2], [5, 0]], labels=["x", "y"]),
        Study.from_wide([["x", "y"], ["y", "x"], ["x", "y"]]),
        simulate(items=40, accuracy=(0.8, 0.8, 0.8, 0.8), seed=3).study,
    ],
    ids=["unnamed", "contradicting", "equal"],
)
def test_the_confidence_of_auto_is_a_posterior_beside_the_votes(study: Study) -> None:
    gold = accord.gold(study)
    assert gold.confidence_is == "posterior"
    assert_allclose(gold.posterior().data["x" if "x" in study.labels else "label 0"], gold.soft()[:, 0])
    assert "votes" in gold.to_table().columns
    assert "how likely the label is right" in gold.to_table().notes[-1]
    votes = accord.gold(study, method="majority")
    assert votes.confidence_is == "vote share"
    assert "no probability" in votes.to_table().notes[-1]


def test_where_nothing_is_learned_auto_has_no_confidence() -> None:
    gold = accord.gold({"item": [1, 2], "annotator": ["a", "b"], "label": ["x", "y"]})
    assert gold.labels == ["x", "y"]
    assert np.isnan(gold.confidence).all()
    assert gold.confidence_is == "none"


# -- the prior --------------------------------------------------------------------------------------------------------


def rows(rng: np.random.Generator, people: int, answers: int, held_by: float) -> FloatArray:
    """Expected answers (people, K, C) of a crowd whose rows are drawn with a strength."""
    centre = np.array([[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.1, 0.1, 0.8]])
    tables = np.array([[rng.dirichlet(held_by * row) for row in centre] for _ in range(people)])
    counts = np.array([[rng.multinomial(answers, row) for row in table] for table in tables])
    return counts.transpose(0, 2, 1).astype(np.float64)


def test_the_strength_of_the_prior_is_that_of_the_crowd() -> None:
    rng = np.random.default_rng(0)
    for held_by in (3.0, 10.0, 40.0):
        found = learn(rows(rng, 200, 60, held_by)).sum(axis=1)
        assert_allclose(found, held_by, rtol=0.3)


def test_the_strength_is_the_most_probable_one_as_written_out() -> None:
    from scipy.stats import dirichlet_multinomial, gamma

    counted = rows(np.random.default_rng(1), 6, 8, 4.0).transpose(0, 2, 1)
    centre = np.array([[0.7, 0.2, 0.1], [0.2, 0.7, 0.1], [0.1, 0.2, 0.7]])
    tried = np.geomspace(1, 100, 25)

    def probable(held_by: float) -> float:
        parts = [
            dirichlet_multinomial.logpmf(counted[j, c].astype(int), held_by * centre[c], int(counted[j, c].sum()))
            for j in range(6)
            for c in range(3)
        ]
        return float(sum(parts) + gamma.logpdf(held_by, 2.0, scale=2.0))

    assert strength(counted, centre) == pytest.approx(max(tried, key=probable))


@pytest.mark.parametrize("seed", range(30))
def test_the_best_strength_is_not_missed_by_trying_every_fourth_at_first(seed: int) -> None:
    rng = np.random.default_rng(seed)
    centre = rng.dirichlet(np.ones(3), size=3)
    counted = rng.gamma(10 ** rng.uniform(-1, 1), size=(20, 3, 3)) * rng.integers(0, 9, size=(20, 3, 1)) * centre
    every = learned_prior._log_probability(learned_prior.STRENGTHS, counted, centre)
    assert strength(counted, centre) == learned_prior.STRENGTHS[np.argmax(every)]


def test_a_crowd_of_equals_holds_its_members_tightly() -> None:
    hits = ([80.0] * 30, [99.0, 60, 95, 50, 90, 70] * 5)
    equal, unequal = (learn_accuracy(np.array(right), np.full(30, 100.0)) for right in hits)
    assert sum(equal) > 3 * sum(unequal)
    assert equal[0] / sum(equal) == pytest.approx(0.8, abs=0.01)


def test_what_an_item_taught_is_left_out_as_a_line_between_none_and_all_of_it() -> None:
    learned, expected = np.array([5.0, 0.4, 0.0]), np.array([6.0, 1.4, 1.0])
    slope = unlearned(learned, expected)
    assert slope[0] == pytest.approx(np.log(5 / 6))  # a sure item takes one of six
    assert 0.4 * slope[1] == pytest.approx(np.log(1.0 / 1.4))  # no more than was learned
    assert slope[2] == 0.0


def test_the_posterior_of_an_item_leaves_it_out_of_what_judges_it() -> None:
    # by hand, for a sure item: every annotator's table without the item's own part in it
    study = simulate(items=60, accuracy=(0.95, 0.9, 0.9, 0.85), labels=3, answers=4, seed=2).study
    gold = accord.gold(study, method="dawid-skene", tolerance=1e-12)
    ballots, evidence = gold.outcomes[0].ballots, gold.outcomes[0].evidence
    model = gold.outcomes[0].details["model"]
    before = replace(evidence, taught=None).all(ballots)
    expected = model.confusion * (model.seen + model.pseudo.sum(axis=1))[:, :, None]
    item, cell = ballots.entry_items(0, ballots.n_items), ballots.cells
    for place in np.nonzero(before.max(axis=1) > 0.9999)[0][:5]:
        logs = np.log(model.shares)
        for c in cell[item == place]:
            person, answer = divmod(int(c), 3)
            own = before[place]
            logs = logs + np.log(expected[person, :, answer] - own) - np.log(expected[person].sum(axis=1) - own)
        assert_allclose(gold.soft()[place], np.exp(logs - np.logaddexp.reduce(logs)), atol=2e-4)
    assert gold.mean_confidence < before.max(axis=1).mean()


@pytest.mark.parametrize("method", ["one-coin", "dawid-skene"])
def test_the_trace_begins_where_the_prior_stays_and_never_falls(method: str) -> None:
    progress = accord.gold(simulate(seed=1).study, method=method).progress
    assert progress is not None
    assert progress.converged
    assert progress.before == 8
    assert progress.iterations == 8 + len(progress.trace)
    assert (np.diff(progress.trace) >= -1e-9).all()


# -- competence -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "method", "studies"),
    [
        ("3 people, 200 items, 2 labels", "one-coin", 20),
        ("20 people, 200 items, 2 labels", "one-coin", 4),
        ("20 people, 200 items, 4 labels", "dawid-skene", 4),
        ("20 people, 200 items, 2 labels, 5 answers", "majority", 4),
        ("own confusions", "dawid-skene", 2),
        ("35 % spammers", "mace", 2),
        ("200 people × 10 answers", "one-coin", 1),
    ],
)
def test_the_intervals_of_competence_hold_it(name: str, method: str, studies: int) -> None:
    found = held(name, studies, method=method)
    assert found.coverage >= 0.88  # of 60 to 200 annotators of few studies; .65 to .86 before
    assert not found.refused


def with_changes(model: Any, changes: FloatArray) -> Any:
    """The model with its log odds moved: of accuracies, or of a row's wrong answers; then of the shares."""
    number = len(model.shares)
    free = changes[len(changes) - (number - 1) :]
    logs = np.log(model.shares) + np.append(0.0, free)
    shares = np.exp(logs) / np.exp(logs).sum()
    if isinstance(model, OneCoin):
        odds = np.log(model.accuracy / (1 - model.accuracy)) + changes[: len(model.accuracy)]
        return replace(model, accuracy=1 / (1 + np.exp(-odds)), shares=shares)
    confusion = np.log(model.confusion)
    wrong = ~np.eye(number, dtype=np.bool_)
    confusion[:, wrong] += changes[: confusion[:, wrong].size].reshape(len(confusion), -1)
    confusion = np.exp(confusion)
    return replace(model, confusion=confusion / confusion.sum(axis=2, keepdims=True), shares=shares)


@pytest.mark.parametrize("method", ["one-coin", "dawid-skene"])
@pytest.mark.parametrize("labels", [2, 3])
def test_the_information_is_the_curvature_of_the_posterior(method: str, labels: int) -> None:
    ballots = Ballots.of(
        simulate(items=50, accuracy=(0.9, 0.8, 0.7), labels=labels, answers=3, seed=4).study._annotations
    )
    options = Options(pseudo=np.full((labels, labels), 0.5), shares="learned", tolerance=1e-13)
    model = fitted(method, ballots, options).model
    parameters = accuracy_errors._Parameters.of(ballots, model)
    told = accuracy_errors._observed_information(ballots, em.evidence_of(model, None), parameters)

    def height(changes: FloatArray) -> float:
        moved = with_changes(model, changes)
        return float(em.mass_of(ballots, em.evidence_of(moved, None))[2] + moved.penalty())

    step = 1e-4 * np.eye(parameters.number)
    for one in range(parameters.number):
        for other in range(one + 1):
            slopes = height(step[one] + step[other]) - height(step[one] - step[other])
            slopes += height(-step[one] - step[other]) - height(step[other] - step[one])
            assert told[one, other] == pytest.approx(-slopes / 4e-8, abs=2e-3)


def test_people_who_cannot_be_told_apart_have_no_interval_and_it_is_said() -> None:
    table = {"item": np.repeat(np.arange(40), 2), "annotator": list("ab") * 40, "label": list("xyyx") * 20}
    gold = accord.gold(table, method="majority")
    found = gold.annotators()
    assert np.isnan(found["low"]).all()
    assert accuracy_errors.UNCLEAR in found.notes
    assert list(found["remark"]) == ["no interval"] * 2
    assert accuracy_errors.UNCLEAR in gold.to_dict()["notes"]


def test_many_annotators_count_each_others_uncertainty_to_the_second_order(monkeypatch: pytest.MonkeyPatch) -> None:
    made = simulate(items=300, accuracy=np.linspace(0.6, 0.95, 60), labels=3, answers=5, seed=5)
    gold = accord.gold(made.study, method="one-coin")
    exact = gold.annotators()
    monkeypatch.setattr(accuracy_errors, "MOST_PARAMETERS", 10)
    near = gold.annotators()
    assert_allclose(near["high"] - near["low"], exact["high"] - exact["low"], rtol=0.05)
    assert any("second order" in note for note in near.notes)


def test_known_labels_leave_only_the_chance_of_an_annotators_own_answers() -> None:
    rng = np.random.default_rng(0)
    right = rng.random(400) < 0.8
    table = {"item": list(range(400)), "annotator": ["a"] * 400, "label": np.where(right, "x", "y")}
    (row,) = accord.gold(table, method="one-coin", known=dict.fromkeys(range(400), "x"), labels=["x", "y"]).annotators()
    wide = 2 * 1.96 * np.sqrt(0.8 * 0.2 / 400)
    assert row["high"] - row["low"] == pytest.approx(wide, rel=0.1)


def test_tables_are_judged_under_a_prior_of_two_answers_a_row() -> None:
    made = simulate(items=200, accuracy=(0.9, 0.8, 0.7), labels=3, answers=3, seed=6)
    gold = accord.gold(made.study, method="dawid-skene")
    model = gold.outcomes[0].details["model"]
    assert isinstance(model, DawidSkene)
    options = Options(pseudo=model.pseudo * 2 / model.pseudo.sum(axis=1, keepdims=True))
    again = fitted("dawid-skene", gold.outcomes[0].ballots, options).model
    assert_allclose(gold.annotators()["competence"], np.einsum("jcc,c->j", again.confusion, again.shares), atol=0.02)
