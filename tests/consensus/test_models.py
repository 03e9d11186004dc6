"""What every model must do: climb, not depend on any order, keep known labels, and survive the edges."""

from __future__ import annotations

import math
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose

import accord
from accord import AccordError, Study
from accord.consensus import em
from accord.consensus.ballots import Ballots
from accord.consensus.checkpoints import Reached
from accord.consensus.evidence import votes
from accord.consensus.fit_models import FIRST
from accord.consensus.glad import _Problem
from accord.consensus.mace import Mace
from accord.consensus.method_outcome import Options
from tests.consensus.simulated import rebuilt, shuffled, simulate
from tests.oracles import gold as oracle

MODELS = ("one-coin", "dawid-skene", "mace", "glad")
LEARNING = (*MODELS, "worker-agreement", "sharpening")
METHODS = ("majority", "expert-index", *LEARNING)


@st.composite
def small_studies(draw: Any) -> Study:
    """A handful of items and annotators, with gaps and, at times, repeats."""
    records = draw(
        st.lists(st.tuples(st.integers(0, 5), st.sampled_from("abcd"), st.sampled_from("xyz")), min_size=2, max_size=24)
    )
    item, annotator, label = zip(*records, strict=True)
    return Study({"item": item, "annotator": annotator, "label": label}, labels=list("xyz"), duplicates="repeat")


@pytest.mark.parametrize("method", MODELS)
@given(study=small_studies())
@settings(max_examples=40)
def test_the_objective_never_falls(method: str, study: Study) -> None:
    gold = accord.gold(study, method=method, iterations=60)
    if gold.progress is not None:
        trace = np.array(gold.progress.trace)
        assert np.isfinite(trace).all()
        assert (np.diff(trace) >= -1e-9 * np.abs(trace[1:]).clip(1)).all()


@pytest.mark.parametrize("inference", ["variational", "em"])
def test_both_ways_to_infer_mace_climb(inference: str) -> None:
    gold = accord.gold(simulate(seed=5).study, method="mace", inference=inference)
    assert gold.progress is not None
    assert gold.progress.objective == {"variational": "evidence bound", "em": "log posterior"}[inference]
    assert (np.diff(gold.progress.trace) >= -1e-9).all()


@pytest.mark.parametrize("method", METHODS)
def test_the_order_of_rows_changes_nothing(method: str) -> None:
    study = simulate(items=80, seed=1).study
    options: dict[str, Any] = {"order": "two-pass"} if method == "expert-index" else {}
    one, other = (accord.gold(s, method=method, **options) for s in (study, shuffled(study, 7)))
    assert one.labels == other.labels
    assert_allclose(one.soft(), other.soft(), rtol=0, atol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_the_names_and_order_of_annotators_and_labels_change_nothing(method: str) -> None:
    study = simulate(items=80, seed=2).study
    people = {name: f"{place:02d}" for place, name in enumerate(reversed(study.annotators))}
    labels = dict(zip(study.labels, ["z", "m", "a"], strict=True))
    renamed = rebuilt(study, np.arange(len(study._annotations.rows[0])), people, labels)
    options: dict[str, Any] = {"order": "two-pass"} if method == "expert-index" else {}
    one, other = (accord.gold(s, method=method, **options) for s in (study, renamed))
    assert [labels.get(label) for label in one.labels] == other.labels
    assert_allclose(one.soft(), other.soft()[:, ::-1], rtol=0, atol=1e-5)


@pytest.mark.parametrize("method", MODELS)
def test_good_annotators_are_told_from_bad_ones(method: str) -> None:
    made = simulate(items=500, accuracy=(0.95, 0.9, 0.6, 0.45, 0.4, 0.38), seed=4)
    gold = accord.gold(made.study, method=method)
    vote = accord.gold(made.study, method="majority", ties="random", rng=0)
    weights = gold.outcomes[0].weights
    assert weights is not None
    assert (weights[:2] > weights[2:].max()).all()
    assert made.right(gold.codes) > made.right(vote.codes)


def rows_of(study: Study) -> list[tuple[int, int, int]]:
    item, who, answer, _ = study._annotations.rows
    return list(zip(item.tolist(), who.tolist(), answer.tolist(), strict=True))


def test_dawid_skene_is_the_textbook_algorithm() -> None:
    study = simulate(items=60, seed=6).study
    posterior, likelihood = oracle.dawid_skene(rows_of(study), (60, len(study.annotators), 3), rounds=20)
    gold = accord.gold(study, method="dawid-skene", prior="none", iterations=20, tolerance=-1.0)
    assert gold.log_likelihood == pytest.approx(likelihood, rel=1e-12)
    assert_allclose(gold.soft(), posterior, atol=1e-9)


def test_mace_by_em_is_the_algorithm_with_its_hidden_guesses_written_out() -> None:
    study = simulate(items=40, seed=8).study
    posterior, likelihood = oracle.mace(rows_of(study), (40, len(study.annotators), 3), rounds=10)
    gold = accord.gold(study, method="mace", inference="em", iterations=10, tolerance=-1.0)
    assert gold.log_likelihood == pytest.approx(likelihood, rel=1e-12)
    assert_allclose(gold.soft(), posterior, atol=1e-9)


def test_the_gradient_of_glad_is_the_slope_of_its_posterior() -> None:
    study = simulate(items=12, seed=9).study
    problem = _Problem(Ballots.of(study._annotations), Options())
    rng = np.random.default_rng(0)
    point = rng.normal(1, 0.5, problem.ballots.n_annotators + problem.ballots.n_items)
    slope = problem(point)[1]
    step = 1e-6
    for place in range(len(point)):
        ahead, behind = point.copy(), point.copy()
        ahead[place] += step
        behind[place] -= step
        assert (problem(ahead)[0] - problem(behind)[0]) / (2 * step) == pytest.approx(slope[place], abs=1e-5)


def test_the_likelihood_of_glad_is_that_of_its_evidence() -> None:
    study = simulate(items=15, seed=10).study
    gold = accord.gold(study, method="glad")
    skill, ease = gold.outcomes[0].details["skill"], gold.outcomes[0].details["ease"]
    item, who, answer, _ = study._annotations.rows
    joint = np.full((15, 3), -math.log(3))
    for i, j, k in zip(item, who, answer, strict=True):
        right = 1 / (1 + math.exp(-skill[j] * ease[i]))
        joint[i] += [math.log(right if c == k else (1 - right) / 2) for c in range(3)]
    assert gold.log_likelihood == pytest.approx(np.logaddexp.reduce(joint, axis=1).sum(), rel=1e-9)
    assert_allclose(gold.soft(), np.exp(joint - np.logaddexp.reduce(joint, axis=1)[:, None]), atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["one-coin", "dawid-skene", "mace"])
def test_restarts_differ_and_the_best_is_kept(method: str) -> None:
    ballots = Ballots.of(simulate(items=60, accuracy=(0.6, 0.5, 0.45, 0.4), answers=3, seed=11).study._annotations)
    options = Options()
    first = FIRST[method](ballots, options)
    finals = set()
    for seed in range(4):
        rng = np.random.default_rng(seed)
        mass, labels, _ = em.mass_of(ballots, votes(ballots))
        model = first(mass * rng.gamma(0.5, size=mass.shape), labels)
        sums = em.Sums(lambda evidence: em.mass_of(ballots, evidence), ballots.total)
        finals.add(round(em._climb(sums, Reached(model), None, 1, 1e-9, None).trace[0], 6))
    assert len(finals) == 4, "random starts begin in different places"
    plain = em.fit(ballots, first)
    more = em.fit(ballots, first, restarts=10, rng=np.random.default_rng(0))
    assert more.trace[-1] >= plain.trace[-1]


@pytest.mark.parametrize("method", METHODS)
def test_known_labels_stay_fixed_and_teach(method: str) -> None:
    made = simulate(items=120, accuracy=(0.9, 0.35, 0.35, 0.35), answers=4, seed=12)
    known = {place: made.study.labels[made.truth[place]] for place in range(60)}
    gold = accord.gold(made.study, method=method, known=known)
    assert [gold[place] for place in range(60)] == [known[place] for place in range(60)]
    assert set(gold.to_table()["source"][:60]) == {"known"}
    if method in MODELS:
        without = accord.gold(made.study, method=method)
        assert (gold.codes[60:] == made.truth[60:]).mean() > (without.codes[60:] == made.truth[60:]).mean()
        assert gold.progress is not None
        assert (np.diff(gold.progress.trace) >= -1e-9).all()


def test_known_labels_that_cannot_be_are_refused() -> None:
    study = simulate(items=5).study
    with pytest.raises(AccordError, match="does not hold"):
        accord.gold(study, method="majority", known={0: "elsewhere"})
    with pytest.raises(AccordError, match="None of its items"):
        accord.gold(study, method="majority", known={"0": "label 1"})
    gold = accord.gold(study, method="majority", known={0: "label 1", 99: "label 1"})
    assert "1 items whose label is known are not in the study." in gold.notes


@pytest.mark.parametrize("method", ["one-coin", "dawid-skene", "mace"])
def test_a_known_label_stays_where_nobody_answered_and_shares_are_learned(method: str) -> None:
    study = Study.from_wide([["x", "x"], ["y", "y"], ["x", "y"], [None, None]], labels=["x", "y", "z"])
    gold = accord.gold(study, method=method, known={3: "z"}, label_shares="learned")
    assert gold.labels == ["x", "y", None, "z"]
    assert gold.soft()[3].tolist() == [0, 0, 1]
    assert (gold.soft()[:3, 2] == 0).all()  # the share of z is still 0


@pytest.mark.parametrize("method", METHODS)
def test_known_labels_are_all_there_is_where_nobody_answered_anything(method: str) -> None:
    study = Study.from_wide([[None, None], [None, None]], labels=["x", "y"])
    gold = accord.gold(study, method=method, known={0: "y"})
    assert gold.labels == ["y", None]


@pytest.mark.parametrize("prior", [(1, 0), [[1, 0], [0, 1]]])
def test_a_prior_of_none_on_wrong_answers_is_no_trouble(prior: Any) -> None:
    table = {"item": [1, 1, 2, 2, 3, 3], "annotator": list("ababab"), "label": list("xxyyxx")}
    gold = accord.gold(table, method="dawid-skene", prior=prior)
    assert gold.labels == ["x", "y", "x"]
    assert gold.progress is not None
    assert gold.progress.objective == "log posterior"
    assert np.isfinite(gold.progress.trace).all()


@pytest.mark.parametrize("method", LEARNING)
def test_a_single_annotator_teaches_nothing(method: str) -> None:
    gold = accord.gold({"item": [1, 2, 3], "annotator": ["a"] * 3, "label": ["x", "y", "x"]}, method=method)
    assert gold.labels == ["x", "y", "x"]
    assert np.isnan(gold.confidence).all()
    assert gold.confidence_is == "none"
    assert any("nothing can be learned" in note for note in gold.notes)


@pytest.mark.parametrize("method", METHODS)
def test_unanimous_answers_are_the_gold(method: str) -> None:
    table = {"item": [1, 1, 2, 2, 3, 3], "annotator": list("ababab"), "label": list("xxyyxx")}
    gold = accord.gold(Study(table, labels=["x", "y", "unused"]), method=method)
    assert gold.labels == ["x", "y", "x"]
    assert (gold.confidence[~np.isnan(gold.confidence)] > 0.5).all()
    assert list(gold.distribution()["items"]) == [2, 1, 0]


@pytest.mark.parametrize("method", METHODS)
def test_a_label_nobody_used_is_nobodys(method: str) -> None:
    table = {"item": [k // 3 for k in range(60)], "annotator": ["a", "b", "c"] * 20,
             "label": [("x", "y")[(k // 3 + (k % 7 == 0)) % 2] for k in range(60)]}  # fmt: skip
    plain, declared = (
        accord.gold(table, method=method, rng=0, labels=labels) for labels in (None, ["x", "unused", "y"])
    )
    assert declared.labels == plain.labels
    assert "unused" not in declared.labels
    assert np.isfinite(declared.confidence).all()


@pytest.mark.parametrize("method", METHODS)
def test_one_label_in_the_scale_is_every_items(method: str) -> None:
    gold = accord.gold({"item": [1, 1, 2, 2], "annotator": list("abab"), "label": list("xxxx")}, method=method)
    assert gold.labels == ["x", "x"]


@pytest.mark.parametrize("method", METHODS)
def test_fifteen_hundred_answers_on_one_item_do_not_underflow(method: str) -> None:
    rng = np.random.default_rng(0)
    many = rng.choice(["x", "y"], 1500, p=[0.7, 0.3]).tolist()
    people = [f"p{place:04d}" for place in range(1500)]
    table = {
        "item": ["big"] * 1500 + ["small"] * 3,
        "annotator": people + people[:3],
        "label": [*many, "y", "y", "x"],
    }
    gold = accord.gold(table, method=method)
    assert gold["big"] == "x"
    assert np.isfinite(gold.soft()).all()


@pytest.mark.parametrize("method", METHODS)
def test_an_annotator_with_one_answer_and_an_item_with_one_are_no_trouble(method: str) -> None:
    table = {
        "item": [1, 1, 1, 2, 2, 3, 3, 4],
        "annotator": ["a", "b", "new", "a", "b", "a", "b", "a"],
        "label": ["x", "x", "x", "y", "y", "x", "x", "y"],
    }
    gold = accord.gold(table, method=method)
    assert gold.labels == ["x", "y", "x", "y"]
    assert len(gold.annotators()) == 3


def test_an_item_nobody_answered_is_undecided_in_every_method() -> None:
    study = Study.from_wide([["x", "x", "y"], [None, None, None], ["y", "y", "y"]])
    for method in (*METHODS, "auto"):
        gold = accord.gold(study, method=method)
        assert gold.labels[1] is None, method
        assert gold.reason(1) == "nobody answered it"


def test_labels_may_be_held_even_or_given() -> None:
    study = simulate(items=100, seed=13).study
    learned = accord.gold(study, method="dawid-skene").outcomes[0].shares
    even = accord.gold(study, method="dawid-skene", label_shares="uniform").outcomes[0].shares
    given_ones = accord.gold(study, method="mace", label_shares=[0.5, 0.25, 0.25]).outcomes[0].shares
    assert learned is not None
    assert even is not None
    assert given_ones is not None
    assert_allclose(even, 1 / 3)
    assert_allclose(given_ones, [0.5, 0.25, 0.25])
    assert np.ptp(learned) > 0
    with pytest.raises(AccordError, match="sum to 1"):
        accord.gold(study, method="mace", label_shares=[0.5, 0.5, 0.5])
    with pytest.raises(AccordError, match="does not learn"):
        accord.gold(study, method="glad", label_shares="learned")


def test_an_option_of_another_method_is_refused() -> None:
    study = simulate(items=5).study
    with pytest.raises(AccordError, match="does not take 'ties'"):
        accord.gold(study, method="dawid-skene", ties="first")
    with pytest.raises(AccordError, match="Did you mean 'dawid-skene'"):
        accord.gold(study, method="dawid-skeen")
    with pytest.raises(AccordError, match="prior must be 'learned', 'mild', 'none', a number of pseudo-answers"):
        accord.gold(study, method="dawid-skene", prior=-1)


def test_blocks_and_threads_change_no_digit(monkeypatch: pytest.MonkeyPatch) -> None:
    study = simulate(items=900, seed=14).study
    whole = accord.gold(study, method="dawid-skene")
    monkeypatch.setattr("accord.consensus.ballots.BLOCK_ITEMS", 64)
    in_blocks = accord.gold(study, method="dawid-skene")
    monkeypatch.setenv("ACCORD_THREADS", "1")
    alone = accord.gold(study, method="dawid-skene")
    assert in_blocks.progress is not None
    assert alone.progress is not None
    assert in_blocks.progress.trace == alone.progress.trace
    assert whole.log_likelihood == pytest.approx(in_blocks.log_likelihood, rel=1e-12)
    assert whole.labels == in_blocks.labels
    assert len(in_blocks.annotators()) == len(whole.annotators())
    assert_allclose(in_blocks.annotators()["competence"], whole.annotators()["competence"])


def test_mace_keeps_its_guesses_and_habits() -> None:
    made = simulate(items=400, accuracy=(0.9, 0.9, 0.85, 0.33), answers=4, seed=15)
    model = accord.gold(made.study, method="mace").outcomes[0].details["model"]
    assert isinstance(model, Mace)
    assert model.competence[3] < 0.15 < 0.7 < model.competence[0]
    assert_allclose(model.habits.sum(axis=1), 1)
    assert_allclose(model.confusion.sum(axis=2), 1)


def test_progress_tells_iterations_and_the_objective(capsys: pytest.CaptureFixture[str]) -> None:
    study = simulate(items=20).study
    told: list[tuple[int, int]] = []
    accord.gold(study, method="dawid-skene", progress=lambda done, total: told.append((done, total)))
    assert [done for done, _ in told] == list(range(1, len(told) + 1))
    accord.gold(study, method="dawid-skene", progress=True)
    assert "objective -" in capsys.readouterr().err
    accord.gold(study, method="dawid-skene")
    assert capsys.readouterr().err == ""
