"""Choosing a method by how well it predicts held-out answers."""

from __future__ import annotations

import numpy as np
import pytest

import accord
from accord import Study
from accord.consensus import model_selection
from accord.consensus.ballots import Ballots
from accord.consensus.model_selection import Contest
from tests.consensus.simulated import simulate


def confused(seed: int, skewed: bool) -> Study:
    """Many answers per annotator; with `skewed`, everybody errs in a direction of their own."""
    rng = np.random.default_rng(seed)
    items, people, labels = 400, 6, 4
    truth = rng.integers(0, labels, items)
    rows = []
    for who in range(people):
        for i in range(items):
            if rng.random() < 0.7:
                wrong = (truth[i] + 1 + who % 3) % labels if skewed else (truth[i] + rng.integers(1, labels)) % labels
                rows.append((i, f"p{who}", int(truth[i] if rng.random() < 0.7 else wrong)))
    item, annotator, label = zip(*rows, strict=True)
    return Study({"item": item, "annotator": annotator, "label": label})


def test_confusions_of_ones_own_are_found() -> None:
    gold = accord.gold(confused(0, skewed=True), rng=0)
    assert gold.method == "dawid-skene"
    assert gold.notes[0].startswith("dawid-skene predicts held-out answers best: log-likelihood")
    assert "too little" not in gold.notes[0]


def test_annotators_who_are_all_alike_make_it_the_majority() -> None:
    gold = accord.gold(confused(1, skewed=False), rng=0)
    assert gold.choice is not None
    ranked = list(gold.choice["model"])
    assert ranked[0] == "one-accuracy"
    assert gold.method == "majority"


def test_accuracies_that_differ_make_it_one_coin() -> None:
    made = simulate(items=500, accuracy=(0.95, 0.9, 0.6, 0.4, 0.3), labels=5, answers=4, seed=2)
    gold = accord.gold(made.study, rng=0)
    assert gold.choice is not None
    place = {name: at for at, name in enumerate(gold.choice["model"])}
    assert place["one-coin"] < place["one-accuracy"]
    assert made.right(gold.codes) > 0.8


def test_a_sample_of_very_many_items_chooses_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    study = confused(0, skewed=True)
    everything = accord.gold(study, known={0: 1}, rng=0)
    monkeypatch.setattr(model_selection, "MANY_ANSWERS", 800)
    monkeypatch.setattr(model_selection, "ENOUGH_EACH", 1)
    gold = accord.gold(study, known={0: 1}, rng=0)
    assert gold.method == everything.method == "dawid-skene"
    assert gold.choice is not None
    assert everything.choice is not None
    assert "in a sample" in gold.choice.notes[0]
    assert "in a sample" not in everything.choice.notes[0]
    assert np.array_equal(gold.codes, everything.codes)  # the model that was chosen learns from all of them


def test_whoever_waits_is_told_of_every_model_that_is_compared() -> None:
    told: list[tuple[int, int]] = []
    gold = accord.gold(confused(1, skewed=False), rng=0, progress=lambda done, total: told.append((done, total)))
    assert gold.choice is not None
    models = len(gold.choice)
    assert told[:models] == [(done, models) for done in range(1, models + 1)]


def test_some_items_keep_their_answers() -> None:
    ballots = Ballots.of(confused(0, skewed=False)._annotations)
    chosen = np.arange(ballots.n_items) % 3 == 0
    some = ballots.of_items(chosen)
    assert (some.rows(0, some.n_items).toarray() == ballots.rows(0, ballots.n_items).toarray()[chosen]).all()


def test_the_table_tells_by_how_much() -> None:
    gold = accord.gold(simulate(items=100).study, rng=0)
    assert gold.choice is not None
    assert gold.choice.columns == ("model", "method", "log_likelihood", "behind", "se")
    models = {"one-accuracy", "one-coin", "dawid-skene", "mace", "glad"}
    assert set(gold.choice["model"]) == models | {"one-coin, learned shares", "mace, learned shares"}
    assert gold.choice["behind"][0] == 0
    assert (np.diff(gold.choice["behind"]) >= 0).all()
    assert gold.to_dict()["choice"] == gold.choice.to_dict()["rows"]


def test_labels_that_are_not_even_are_noticed() -> None:
    made = simulate(items=400, accuracy=(0.9, 0.8, 0.65, 0.5), labels=2, answers=3, seed=5)
    item, who, answer, _ = made.study._annotations.rows
    rare = (made.truth[item] == 0) | (item % 8 == 0)  # seven in eight items of the second label are left out
    table = {"item": item[rare], "annotator": [f"p{j}" for j in who[rare]], "label": answer[rare]}
    choice = accord.gold(table, rng=0).choice
    assert choice is not None
    place = {name: at for at, name in enumerate(choice["model"])}
    assert place["one-coin, learned shares"] < place["one-coin"]


def test_the_same_seed_chooses_the_same() -> None:
    study = simulate(items=60).study
    one, two = (accord.gold(study, rng=5).choice for _ in range(2))
    assert one is not None
    assert two is not None
    assert one.to_dict() == two.to_dict()


def test_held_out_answers_are_predicted_as_written_out() -> None:
    # one held-out answer under the model of one accuracy s: posterior of the item from its other answers
    from accord.consensus.method_outcome import Options
    from accord.consensus.model_selection import Fold, _predicted

    study = Study.from_wide([["x", "x", "y"], ["y", "y", "y"], ["x", "x", "x"], ["y", "x", "y"]])
    ballots = Ballots.of(study._annotations)
    held = np.zeros(12, dtype=bool)
    held[2] = True  # the third annotator's y on the first item
    found = _predicted("one-accuracy", [Fold(ballots, held, Options())])
    from accord.consensus.fit_models import fitted
    from accord.consensus.option_values import mild_prior

    options = Options(pseudo=mild_prior(2), iterations=100, tolerance=1e-6)
    s = fitted("one-accuracy", ballots.keep(~held), options).model.accuracy[0]
    posterior = s**2 / (s**2 + (1 - s) ** 2)  # of x, from two x
    assert found[0] == pytest.approx(np.log(posterior * (1 - s) + (1 - posterior) * s))


def test_no_overlap_and_no_names_leave_the_majority() -> None:
    alone = accord.gold({"item": [1, 2], "annotator": ["a", "b"], "label": ["x", "y"]})
    assert alone.method == "majority"
    assert "No item has answers of two annotators" in alone.notes[0]
    counts = accord.gold(Study.from_counts([[2, 1]], labels=["x", "y"]))
    assert counts.method == "majority"


def test_sets_choose_one_model_for_all_labels() -> None:
    rng = np.random.default_rng(0)
    truth = rng.random((120, 3)) < 0.4
    records = []
    for who, error in enumerate((0.05, 0.1, 0.4)):
        given = truth ^ (rng.random(truth.shape) < error)
        records += [
            {"item": i, "annotator": f"p{who}", "label": [["a", "b", "c"][c] for c in np.nonzero(row)[0]]}
            for i, row in enumerate(given)
        ]
    gold = accord.gold(Study(records, answers="set", labels=list("abc")), rng=0)
    assert gold.kind == "set"
    assert gold.method != "majority"
    assert ((gold.members > 0) == truth).mean() > 0.93


def test_a_known_label_that_nobody_else_has_leaves_every_model_in_the_race() -> None:
    rng = np.random.default_rng(1)
    rows = [
        (i, "abcd"[who], "xy"[i % 2 if rng.random() < right else 1 - i % 2])
        for i in range(25)
        for who, right in enumerate((0.95, 0.9, 0.55, 0.2))
        if rng.random() < 0.8
    ]
    item, annotator, label = zip(*rows, (30, "a", "x"), strict=True)
    table = {"item": item, "annotator": annotator, "label": label}
    gold = accord.gold(table, labels=["x", "y", "z"], known={30: "z"}, rng=1)
    assert gold.choice is not None
    assert np.isfinite(gold.choice["log_likelihood"]).all()
    assert (np.diff(gold.choice["log_likelihood"]) <= 0).all()
    assert gold[30] == "z"


def test_a_model_without_a_score_stands_last() -> None:
    nothing, worse, better = np.full(4, np.nan), np.full(4, -2.0), np.full(4, -1.0)
    chosen = Contest({"mace": nothing, "one-coin": worse, "dawid-skene": better}, np.ones(4)).winner()
    assert chosen.method == "dawid-skene"
    assert list(chosen.table["model"]) == ["dawid-skene", "one-coin", "mace"]
    alone = Contest({"mace": nothing, "one-coin": worse}, np.ones(4)).winner()
    assert alone.method == "one-coin"
    assert "nan" not in alone.reason
    assert Contest({"mace": nothing, "glad": nothing}, np.ones(4)).winner().method == "mace"
