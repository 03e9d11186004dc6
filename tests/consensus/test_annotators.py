"""What the gold says of annotators, and how many more answers an item needs."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import accord
from accord import AccordError, Study
from accord.consensus.answers_needed import answers_needed
from accord.consensus.competence import Judgement, spam_score
from accord.errors import OptionError
from tests.consensus.simulated import simulate
from tests.oracles.gold import right_after_more


def crowd(spammers: int, seed: int = 0) -> Study:
    """Forty annotators; the first ones answer without looking."""
    rng = np.random.default_rng(seed)
    items, people = 400, 40
    truth = rng.integers(0, 2, items)
    item = np.repeat(np.arange(items), 6)
    who = np.concatenate([rng.choice(people, 6, replace=False) for _ in range(items)])
    right = rng.random(len(who)) < 0.85
    label = np.where(right, truth[item], 1 - truth[item])
    careless = who < spammers
    label[careless] = rng.random(careless.sum()) < 0.8
    return Study({"item": item, "annotator": [f"p{j:02d}" for j in who], "label": label.astype(int)})


@pytest.mark.parametrize("method", ["dawid-skene", "one-coin", "mace", "glad", "majority", "sharpening"])
def test_those_who_do_not_look_are_suspected_and_nobody_else(method: str) -> None:
    table = accord.gold(crowd(4), method=method).annotators()
    suspected = [row["annotator"] for row in table if row["remark"].startswith("suspected")]
    assert suspected == ["p00", "p01", "p02", "p03"]


def test_nobody_is_suspected_for_a_handful_of_answers() -> None:
    study = crowd(0)
    extra: dict[str, list[Any]] = {"item": [0, 1, 2], "annotator": ["new"] * 3, "label": [1, 1, 1]}
    item, who, answer, _ = study._annotations.rows
    table = {
        "item": [*item.tolist(), *extra["item"]],
        "annotator": [*(study.annotators[j] for j in who), *extra["annotator"]],
        "label": [*(study.labels[k] for k in answer), *extra["label"]],
    }
    rows = {row["annotator"]: row for row in accord.gold(table, method="dawid-skene", prior=1).annotators()}
    assert rows["new"]["spam_probability"] < 0.5
    assert rows["new"]["high"] - rows["new"]["low"] > 0.05


def test_competence_is_near_the_truth_and_its_interval_holds_it() -> None:
    made = simulate(items=800, accuracy=(0.95, 0.9, 0.8, 0.7, 0.6, 0.5), answers=5, seed=3)
    table = accord.gold(made.study, method="one-coin").annotators()
    assert_allclose(table["competence"], made.accuracy, atol=0.05)
    held = (table["low"] <= made.accuracy + 0.02) & (made.accuracy - 0.02 <= table["high"])
    assert held.mean() >= 5 / 6


def test_few_answers_are_shrunk_towards_the_group() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 150)
    rows = [(i, who, t if rng.random() < 0.8 else 1 - t) for i, t in enumerate(truth) for who in "abcd"]
    rows += [(0, "e", truth[0]), (1, "f", 1 - truth[1])]
    item, annotator, label = zip(*rows, strict=True)
    found = {row["annotator"]: row for row in accord.gold({"item": item, "annotator": annotator, "label": label})
             .annotators()}  # fmt: skip
    assert 0.6 < found["f"]["competence"] < found["e"]["competence"] < 0.9
    assert found["f"]["high"] - found["f"]["low"] > 1.5 * (found["a"]["high"] - found["a"]["low"])


def test_leaving_an_own_answer_out_is_leaving_it_out() -> None:
    made = simulate(items=30, seed=4)
    gold = accord.gold(made.study, method="dawid-skene", prior=1)
    ballots, evidence = gold.outcomes[0].ballots, gold.outcomes[0].evidence
    others = Judgement(ballots, evidence).others(0, ballots.n_items)
    table = evidence.table
    assert table is not None
    item, cells = ballots.entry_items(0, ballots.n_items), ballots.cells
    for place in range(len(item)):
        rest = [q for q in range(len(item)) if item[q] == item[place] and cells[q] // 3 != cells[place] // 3]
        logs = evidence.offset + sum(table[cells[q]] for q in rest)
        assert_allclose(others[place], np.exp(logs - np.logaddexp.reduce(logs)), atol=1e-9)


def test_two_who_always_contradict_each_other_cannot_both_be_good() -> None:
    table = {"item": np.repeat(np.arange(40), 2), "annotator": list("ab") * 40, "label": list("xyyx") * 20}
    rows = list(accord.gold(table, method="majority").annotators())
    assert all(row["competence"] < 0.75 for row in rows)


def test_known_items_judge_even_an_annotator_without_company() -> None:
    table = {"item": list(range(30)), "annotator": ["a"] * 30, "label": ["x", "y"] * 15}
    known = {item: "x" if item % 2 == 0 or item < 6 else "y" for item in range(30)}
    (row,) = accord.gold(table, method="dawid-skene", known=known, prior=1).annotators()
    assert row["low"] < 27 / 30 < row["high"]


def test_an_annotator_without_company_is_not_judged() -> None:
    table = {"item": [1, 1, 2], "annotator": ["a", "b", "lone"], "label": ["x", "x", "y"]}
    rows = {row["annotator"]: row for row in accord.gold(table, method="majority").annotators()}
    assert np.isnan(rows["lone"]["competence"])
    assert rows["lone"]["remark"] == "nobody else answered the same items"


def test_the_spam_score_is_raykar_and_yus() -> None:
    """From this project's collection of reproduced values: mean (a_ck − a_c'k)² over pairs of labels."""
    three = [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]]
    assert spam_score(np.array([three]))[0] == pytest.approx(0.49)
    assert spam_score(np.array([[[0.8, 0.2], [0.3, 0.7]]]))[0] == pytest.approx((0.8 + 0.7 - 1) ** 2)
    assert spam_score(np.full((1, 3, 3), 1 / 3))[0] == 0
    assert spam_score(np.eye(3)[None])[0] == 1


def test_somebody_who_is_always_wrong_is_no_spammer_but_worse_than_guessing() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 60)
    grid = [[int(t), int(t), int(t), int(1 - t)] for t in truth]
    rows = list(accord.gold(Study.from_wide(grid), method="dawid-skene").annotators())
    assert rows[3]["spam_probability"] < 0.5
    assert rows[3]["remark"] == "worse than guessing"


def test_a_confusion_table_of_a_vote_is_judged_by_the_others() -> None:
    table = accord.gold(simulate(items=60).study, method="majority").confusion("person 00")
    assert "Judged by the others' answers" in table.notes[0]
    assert_allclose(sum(table[f"says label {k}"] for k in range(3)), 1)
    with pytest.raises(AccordError, match="annotator must be one of"):
        accord.gold(simulate(items=10).study, method="majority").confusion("nobody")


def test_the_jury_table_of_condorcet() -> None:
    wanted = {(0.6, 0.9): 41, (0.6, 0.99): 133, (0.7, 0.95): 17, (0.8, 0.9): 5, (0.8, 0.99): 13, (0.9, 0.95): 3}
    for (accuracy, target), number in wanted.items():
        assert answers_needed(accuracy, target).tolist() == [number]


def test_answers_needed_by_simulation() -> None:
    rng = np.random.default_rng(0)
    accuracy, posterior, target = 0.75, 0.8, 0.95
    more = int(answers_needed(accuracy, target, confidence=[posterior])[0])
    for number, enough in ((more, True), (more - 2, False)):
        truth_is_label = rng.random(200_000) < posterior
        right = rng.binomial(number, accuracy, 200_000)
        for_label = np.where(truth_is_label, right, number - right)
        odds = np.log(posterior / (1 - posterior)) + np.log(accuracy / (1 - accuracy)) * (2 * for_label - number)
        correct = np.where(odds == 0, 0.5, (odds > 0) == truth_is_label).mean()
        assert (correct >= target - 0.003) == enough or abs(correct - target) < 0.003


def test_annotators_no_better_than_chance_never_suffice() -> None:
    assert answers_needed(0.5, 0.9).tolist() == [-1]
    assert answers_needed(0.34, 0.9, labels=4).tolist() != [-1]
    with pytest.raises(AccordError, match="between"):
        answers_needed(0.8, 1.2)


@pytest.mark.parametrize("method", ["majority", "dawid-skene", "one-coin"])
def test_unsure_items_need_more_answers_than_sure_ones(method: str) -> None:
    gold = accord.gold(simulate(items=150, seed=6).study, method=method)
    table = gold.answers_needed(confidence=0.95)
    assert table.columns == ("item", "answers", "posterior", "needed")
    sure = table["posterior"] >= 0.95
    assert (table["needed"][sure] == 0).all()
    assert (table["needed"][~sure] > 0).all()
    decided = gold.decide({gold.study.items[int(np.argmin(table["posterior"]))]: "label 0"}, by="judge")
    assert decided.answers_needed().data["needed"][int(np.argmin(table["posterior"]))] == 0


def test_nobody_named_means_no_report() -> None:
    gold = accord.gold(Study.from_counts([[2, 1]], labels=["x", "y"]), method="majority")
    with pytest.raises(AccordError, match="needs to know who answered"):
        gold.annotators()


@pytest.mark.parametrize(
    ("accuracy", "labels", "posterior"), [(0.7, 3, 1 / 3), (0.6, 3, 0.5), (0.8, 4, 0.4), (0.7, 2, 0.6)]
)
def test_answers_needed_are_those_that_counting_every_outcome_finds(
    accuracy: float, labels: int, posterior: float
) -> None:
    for target in (0.75, 0.85):
        more = int(answers_needed(accuracy, target, labels=labels, confidence=[posterior])[0])
        assert right_after_more(accuracy, labels, more, posterior) >= target - 1e-9
        assert right_after_more(accuracy, labels, more - 1, posterior) < target


@pytest.mark.parametrize(("labels", "number"), [(2, 17), (3, 9), (5, 7), (10, 5), (20, 5)])
def test_a_plurality_of_several_labels_is_right_as_often_as_promised(labels: int, number: int) -> None:
    assert answers_needed(0.7, 0.95, labels=labels).tolist() == [number]
    rng = np.random.default_rng(0)
    chances = [0.7, *[0.3 / (labels - 1)] * (labels - 1)]
    for people, enough in ((number, True), (number - 1, False)):
        counts = rng.multinomial(people, chances, 200_000)
        level = counts == counts.max(axis=1, keepdims=True)
        assert ((level[:, 0] / level.sum(axis=1)).mean() >= 0.95) == enough


@pytest.mark.parametrize(("accuracy", "labels"), [(0.7, 2), (0.7, 3), (0.4, 5), (0.9, 12)])
def test_a_lower_posterior_or_a_higher_target_never_needs_fewer_answers(accuracy: float, labels: int) -> None:
    posterior = np.linspace(0.01, 0.99, 99)
    found = np.array(
        [answers_needed(accuracy, target, labels=labels, confidence=posterior) for target in (0.6, 0.9, 0.99)]
    )
    assert (found >= 0).all()
    assert (np.diff(found, axis=1) <= 0).all()
    assert (np.diff(found, axis=0) >= 0).all()


def test_an_annotator_as_good_as_the_target_is_asked_once() -> None:
    assert answers_needed(0.9, 0.9).tolist() == [1]
    assert answers_needed(0.7, 0.7, labels=6).tolist() == [1]
    assert answers_needed(1.0, 0.99, labels=3).tolist() == [1]


def test_a_single_answer_is_not_trusted_and_what_it_needs_is_unknown_in_words() -> None:
    gold = accord.gold({"item": [1], "annotator": ["a"], "label": ["x"]}, labels=["x", "y"], method="majority")
    table = gold.answers_needed()
    assert table["posterior"][0] == pytest.approx(0.5, abs=0.01)
    assert list(table["needed"]) == [None]
    assert "unknown: no item has answers of two" in table.notes[0]
    assert "nan" not in str(table)
    assert json.loads(json.dumps(table.to_dict()))["rows"][0]["needed"] is None


def test_few_equal_answers_leave_a_doubt() -> None:
    table = {"item": [1, 1, 2, 2], "annotator": list("abab"), "label": list("xxyy")}
    found = accord.gold(table, method="majority").answers_needed(confidence=0.99)
    assert (found["posterior"] < 0.99).all()
    assert (found["needed"] > 0).all()
    once = {"item": [1, 2], "annotator": ["a", "a"], "label": ["x", "y"]}
    known = accord.gold(once, method="majority", known={1: "x"}).answers_needed()
    assert "right with probability 0.667" in known.notes[0]  # one right answer in one, and the prior
    assert known["needed"][0] == 0 < known["needed"][1]


def test_counts_without_names_teach_the_accuracy_of_a_typical_annotator() -> None:
    counts = [[9, 1], [8, 2], [1, 9], [2, 8], [5, 5], [0, 0]]
    table = accord.gold(Study.from_counts(counts, labels=["x", "y"]), method="majority").answers_needed()
    assert "right with probability 0.769" in table.notes[0]
    assert table["needed"][0] == 0
    assert (table["needed"][4:] > 0).all()
    alone = accord.gold(Study.from_counts([[1, 0], [0, 1]], labels=["x", "y"]), method="majority").answers_needed()
    assert list(alone["needed"]) == [None, None]
    assert "nan" not in str(alone)


@pytest.mark.parametrize("confidence", ["x", None, 95, 0.2, float("nan")])
def test_a_confidence_of_answers_needed_that_is_none_is_refused(confidence: Any) -> None:
    with pytest.raises(OptionError, match=r"between 0\.5 and 1.*got"):
        accord.gold(simulate(items=10).study, method="majority").answers_needed(confidence=confidence)


@pytest.mark.parametrize("confidence", ["x", None, 2, 0])
def test_a_confidence_of_annotators_that_is_none_is_refused(confidence: Any) -> None:
    with pytest.raises(OptionError, match=r"between 0 and 1.*got"):
        accord.gold(simulate(items=10).study, method="majority").annotators(confidence=confidence)
    scores = Study.from_wide([[1.5, 2.5], [3.0, 3.5]], answers="score")
    with pytest.raises(OptionError, match=r"between 0 and 1.*got"):
        accord.gold(scores, method="mean").annotators(confidence=confidence)


def test_a_label_is_no_part_of_the_confusion_of_single_labels() -> None:
    with pytest.raises(OptionError, match=r"label='bad' is for sets.*Leave it out"):
        accord.gold(simulate(items=10).study, method="majority").confusion("person 00", label="bad")


def test_models_that_do_not_vote_are_no_annotators_of_the_gold() -> None:
    rows = [(item, who, "xy"[item % 2]) for item in range(6) for who in ("ana", "ben", "bot")]
    item, annotator, label = zip(*rows, strict=True)
    kind = ["model" if who == "bot" else "person" for who in annotator]
    gold = accord.gold({"item": item, "annotator": annotator, "label": label, "kind": kind}, kind="kind")
    assert list(gold.annotators()["annotator"]) == ["ana", "ben"]
    assert gold.to_table()["answers"].tolist() == [2] * 6
    assert "1 model ('bot') stands aside" in str(gold)


@pytest.mark.parametrize("method", ["dawid-skene", "one-coin"])
@pytest.mark.parametrize("repeated", [False, True])
def test_few_items_are_added_up_in_full_and_many_where_answers_are(
    method: str, repeated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A prior of none leaves probabilities of zero, whose logarithm no full table may multiply by nought."""
    from accord.consensus import ballots

    rng = np.random.default_rng(4)
    item, who = np.divmod(np.arange(120), 4)
    label = np.where(rng.random(120) < 0.8, item % 3, rng.integers(0, 3, 120))
    table = {"item": item.tolist(), "annotator": [f"p{place}" for place in who], "label": label.tolist()}
    if repeated:
        table = {name: cells + cells[:20] for name, cells in table.items()}
    found = []
    for most in (ballots.FULL_CELLS, 0):
        monkeypatch.setattr(ballots, "FULL_CELLS", most)
        gold = accord.gold(Study(table, duplicates="repeat" if repeated else "error"), method=method, prior=0)
        found.append(gold.annotators())
    for name in ("competence", "low", "high", "spam_probability"):
        assert_allclose(found[0][name], found[1][name], rtol=1e-9)


def test_nobody_is_worse_than_guessing_where_there_is_one_label() -> None:
    """Whoever guesses among one label is always right, and an interval below that accuses nobody."""
    study = accord.Study.from_wide([["a", "a", None], ["a", "a", "a"], ["a", None, "a"]])
    table = accord.gold(study, method="dawid-skene").annotators()
    assert "remark" not in table.columns or not any(table["remark"])
