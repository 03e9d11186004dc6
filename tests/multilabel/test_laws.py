"""What must hold of the three measures: orders and names do not matter, and special cases are other measures."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import accord
from tests.multilabel.studies import drawn, near, ranked, sets, wide

SEEDS = range(12)
Measure = Callable[[accord.Study], accord.Agreement]


def suggestions(size: int, labels: list[str], seed: int) -> dict[int, str]:
    rng = random.Random(seed)
    return {number: rng.choice(labels) for number in range(size)}


def case(kind: str, seed: int) -> tuple[list[dict[str, Any]], list[str], Any]:
    answers: Any = {"ranked": ranked, "set": sets, "single": list}[kind]
    study, labels = drawn(seed, answers)
    return study, labels, suggestions(len(study), labels, seed)


def measured(kind: str, study: accord.Study, suggested: Any) -> accord.Agreement:
    if kind == "ranked":
        return accord.rosenberg_binkowski_kappa(study)
    return accord.bhowmick_am(study) if kind == "set" else accord.dipietro_hazari_kappa(study, suggested=suggested)


def same(one: accord.Agreement, other: accord.Agreement) -> None:
    assert near(one.value, other.value)
    assert near(one.interval().se, other.interval().se)


KINDS = pytest.mark.parametrize("kind", ["ranked", "set", "single"])


@KINDS
@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_items_does_not_matter(kind: str, seed: int) -> None:
    study, labels, suggested = case(kind, seed)
    order = random.Random(seed).sample(range(len(study)), len(study))
    moved = {place: suggested[number] for place, number in enumerate(order)}
    turned = [study[number] for number in order]
    same(measured(kind, wide(study, kind, labels), suggested), measured(kind, wide(turned, kind, labels), moved))


@KINDS
@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_annotators_does_not_matter(kind: str, seed: int) -> None:
    study, labels, suggested = case(kind, seed)
    names = sorted({who for item in study for who in item})
    called = dict(zip(names, reversed(names), strict=True))
    turned = [{called[who]: answer for who, answer in item.items()} for item in study]
    same(measured(kind, wide(study, kind, labels), suggested), measured(kind, wide(turned, kind, labels), suggested))


@KINDS
@pytest.mark.parametrize("seed", SEEDS)
def test_the_names_of_labels_do_not_matter(kind: str, seed: int) -> None:
    study, labels, suggested = case(kind, seed)
    called = dict(zip(labels, random.Random(seed).sample("vwxyz", len(labels)), strict=True))

    def renamed(answer: Any) -> Any:
        return called[answer] if kind == "single" else type(answer)(called[label] for label in answer)

    turned = [{who: renamed(answer) for who, answer in item.items()} for item in study]
    others = {number: called[label] for number, label in suggested.items()}
    one, other = wide(study, kind, labels), wide(turned, kind, [called[label] for label in labels])
    same(measured(kind, one, suggested), measured(kind, other, others))


@KINDS
@pytest.mark.parametrize("seed", SEEDS)
def test_items_add_up_to_the_value(kind: str, seed: int) -> None:
    study, labels, suggested = case(kind, seed)
    found = measured(kind, wide(study, kind, labels), suggested)
    if found.undefined is None:
        table = found.by_item()
        assert near(float(np.nansum(table["weight"] * np.nan_to_num(table["value"]))), found.value)


@pytest.mark.parametrize("seed", SEEDS)
def test_p_of_one_is_cohen_on_the_primary_labels(seed: int) -> None:
    study, _ = drawn(seed, ranked)
    primary = [{who: answer[0] for who, answer in item.items()} for item in study]
    for weights in ("shared-mass", "overlap"):
        found = accord.rosenberg_binkowski_kappa(wide(study, "ranked"), p=1, weights=weights)
        assert near(found.value, accord.light_kappa(wide(primary, "single")).value)


def test_overlap_is_one_for_identical_annotators_and_products_are_not() -> None:
    answers = [["a", "b"], ["b"], ["c", "a"], ["a", "b"], ["c"]]
    study = accord.Study.from_wide([[answer] * 3 for answer in answers], answers="ranked")
    assert accord.rosenberg_binkowski_kappa(study, weights="overlap").value == pytest.approx(1)
    assert accord.rosenberg_binkowski_kappa(study).value < 1
    assert accord.rosenberg_binkowski_kappa(study).by_item()["observed"][0] == pytest.approx(0.52)


@pytest.mark.parametrize("seed", range(40))
def test_single_labels_as_sets_are_conger(seed: int) -> None:
    study, labels = drawn(seed, list)
    held = [{who: frozenset((answer,)) for who, answer in item.items()} for item in study]
    singles, as_sets = wide(study, "single", labels), wide(held, "set", labels)
    conger, size = accord.conger_kappa(singles), len(labels)
    assert near(accord.bhowmick_am(as_sets, clubbed=False).value, conger.value)
    clubbed = accord.bhowmick_am(as_sets)
    if size == 2:
        assert clubbed.undefined
    elif conger.undefined is None:
        assert near(1 - clubbed.value, (2 * size - 3) / (2 * size - 4) * (1 - conger.value))


@pytest.mark.parametrize("seed", range(40))
def test_right_and_wrong_add_up_to_fleiss(seed: int) -> None:
    study, labels = drawn(seed, list)
    table = wide(study, "single", labels)
    found = accord.dipietro_hazari_kappa(table, suggested=suggestions(len(study), labels, seed))
    fleiss = accord.fleiss_kappa(table)
    inside: Any = found.coefficient
    if inside is not None:
        assert near(inside.observed_right + inside.observed_wrong, fleiss.observed)
        assert near(inside.expected_right + inside.expected_wrong, fleiss.expected)
        assert near(inside.fleiss, fleiss.value)


def test_majority_suggestions_beat_random_ones() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(4, size=300)
    answers = np.where(rng.random((300, 5)) < 0.7, truth[:, None], rng.integers(4, size=(300, 5)))
    study = accord.Study.from_wide(answers)
    majority = np.array([np.bincount(row, minlength=4).argmax() for row in answers])
    best = accord.dipietro_hazari_kappa(study, suggested=majority)
    other = accord.dipietro_hazari_kappa(study, suggested=rng.integers(4, size=300))
    assert best.value > 0.3 > 0 > other.value
    assert accord.compare(best, other).low > 0


def test_a_similarity_of_one_between_labels_clubs_both_sides() -> None:
    study, labels = drawn(4, sets)
    table = wide(study, "set", labels)
    ones = accord.bhowmick_am(table, clubbed=False, label_weights=np.ones((len(labels), len(labels))))
    assert ones.expected == pytest.approx(accord.bhowmick_am(table).expected)
    assert ones.observed >= accord.bhowmick_am(table).observed


@KINDS
@pytest.mark.parametrize("seed", SEEDS)
def test_influence_is_the_derivative(kind: str, seed: int) -> None:
    """How far one more item of a pattern moves the value, against a small step."""
    study, labels, suggested = case(kind, seed)
    found = measured(kind, wide(study, kind, labels), suggested)
    if found.undefined:
        return
    coefficient: Any = found.coefficient
    items = coefficient.tally.items.astype(float)
    moved = []
    for pattern in range(len(items)):
        step = 1e-6 * (np.arange(len(items)) == pattern)
        more, less = coefficient.evaluate(items + step).value, coefficient.evaluate(items - step).value
        moved.append((more - less) / 2e-6)
    assert coefficient.influence() / items.sum() == pytest.approx(np.array(moved), abs=1e-6)


@KINDS
def test_all_intervals_agree_on_a_study_of_some_size(kind: str) -> None:
    rng = random.Random(8)
    labels = list("abcd")
    every: dict[str, Any] = {"ranked": ranked, "set": sets, "single": list}
    answers = every[kind](labels)
    study = []
    for _ in range(400):
        truth = rng.choice(answers)
        study.append(
            {f"p{w}": truth if rng.random() < 0.6 else rng.choice(answers) for w in range(5) if rng.random() < 0.9}
        )
    found = measured(kind, wide(study, kind, labels), suggestions(400, labels, 1))
    errors = {method: found.interval(method=method, rng=1, n_resamples=600).se
              for method in ("analytic", "jackknife", "bootstrap", "bca", "bayesian")}  # fmt: skip
    assert errors["jackknife"] == pytest.approx(errors["analytic"], rel=0.02)
    assert errors["bootstrap"] == pytest.approx(errors["analytic"], rel=0.12)
    assert errors["bayesian"] == pytest.approx(errors["analytic"], rel=0.12)
    people = (
        found.interval(resample="annotators"),
        found.interval(resample="annotators", method="bootstrap", rng=1, n_resamples=100),
    )
    assert all(span.undefined is None for span in people)
    both = found.interval(resample="both", method="bootstrap", rng=1, n_resamples=100)
    assert both.se > people[1].se
    assert len(found.by_pair()) == 10
    assert len(found.by_annotator()) == 5
    if kind != "single":  # its suggestions are random
        assert found.test(method="permutation", alternative="greater", n_resamples=30, rng=1).p < 0.05
    assert "step by step" in found.working()
    assert found.to_dict()["schema"] == "accord/1"
    assert found.cite()


@pytest.mark.parametrize("seed", SEEDS)
def test_label_pairs_are_alike_by_the_formula_of_the_definitions(seed: int) -> None:
    """W_o = C(C − d, 2)/C(C, 2), and |A∖B|·|B∖A| more where clubbed."""
    from accord.coefficients.label_pair_weights import CLUBBED, LabelPairs

    rng = np.random.default_rng(seed)
    held = rng.random((20, 7)) < 0.4
    left, right = np.array(list(combinations(range(20), 2))).T
    d = (held[left] != held[right]).sum(1)
    exchanged = (held[left] & ~held[right]).sum(1) * (held[right] & ~held[left]).sum(1)
    observed = (7 - d) * (6 - d) / 42
    assert LabelPairs(held, np.zeros((7, 7))).between(left, right) == pytest.approx(observed)
    assert LabelPairs(held, CLUBBED).between(left, right) == pytest.approx(observed + exchanged / 21)


@KINDS
def test_a_pair_has_the_error_it_has_by_itself(kind: str) -> None:
    """On complete data; by_pair works all pairs out at once, or one by one."""
    rng = random.Random(3)
    labels = list("abcd")
    every: dict[str, Any] = {"ranked": ranked, "set": sets, "single": list}
    answers = every[kind](labels)
    study = []
    for _ in range(60):
        truth = rng.choice(answers)
        study.append({f"p{w}": truth if rng.random() < 0.6 else rng.choice(answers) for w in range(3)})
    table, suggested = wide(study, kind, labels), suggestions(60, labels, 1)
    for pair in measured(kind, table, suggested).by_pair():
        alone = measured(kind, table.of_annotators([pair["first"], pair["second"]]), suggested)
        assert near(pair["value"], alone.value)
        assert pair["se"] == pytest.approx(alone.interval().se, rel=1e-9)


@KINDS
def test_clusters_of_one_item_are_items_and_larger_ones_are_not(kind: str) -> None:
    rng = random.Random(5)
    labels = list("abcd")
    every: dict[str, Any] = {"ranked": ranked, "set": sets, "single": list}
    answers = every[kind](labels)
    documents = [rng.choice(answers) for _ in range(20)]  # four items of a document are alike
    columns: dict[str, list[Any]] = {"item": [], "annotator": [], "label": [], "own": [], "document": [], "guess": []}
    for item in range(80):
        truth = documents[item // 4]
        for who in ("ana", "ben", "chloe"):
            said = truth if rng.random() < 0.6 else rng.choice(answers)
            row = (item, who, list(said) if kind != "single" else said, item, item // 4, labels[item % 4])
            for name, cell in zip(columns, row, strict=True):
                columns[name].append(cell)
    study = accord.Study(columns, answers=kind, labels=labels)  # type: ignore[arg-type]
    found = measured(kind, study, "guess")
    for method in ("analytic", "jackknife"):
        plain, own = found.interval(method=method), found.interval(method=method, cluster="own")
        assert own.se == pytest.approx(plain.se, rel=1e-9)
        by_document = found.interval(method=method, cluster="document")
        assert by_document.clusters == 20
        assert by_document.se != pytest.approx(plain.se, rel=1e-3)
