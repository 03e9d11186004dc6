"""Answers of one person to one item are no agreement between annotators: everybody counts once on an item."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import accord
from accord import Agreement, Study
from accord.agreement.uncertainty import Method
from tests.oracles import repeats as oracle

LABELS = ["x", "y", "z"]


def said(
    seed: int, labels: list[Any], *, people: int = 4, items: int = 12, most: int = 3
) -> list[dict[str, list[Any]]]:
    """A study with gaps and repeats, in which people contradict themselves; somebody answers every item."""
    rng = np.random.default_rng(seed)
    study = []
    for _ in range(items):
        truth = rng.integers(len(labels))
        who = [person for person in range(people) if rng.random() < 0.75] or [0]
        study.append(
            {
                "abcdef"[person]: [
                    labels[truth if rng.random() < 0.6 else rng.integers(len(labels))]
                    for _ in range(rng.integers(1, most + 1))
                ]
                for person in who
            }
        )
    return study


def as_study(items: list[dict[str, list[Any]]], **more: Any) -> Study:
    rows = [(i, who, answer) for i, item in enumerate(items) for who, answers in item.items() for answer in answers]
    item, annotator, label = (list(column) for column in zip(*rows, strict=True))
    return Study({"item": item, "annotator": annotator, "label": label}, duplicates="repeat", **more)


TABLES: dict[str, tuple[Callable[..., Agreement], Callable[..., float], str]] = {
    "percent": (accord.percent_agreement, lambda *_: 0.0, "item"),
    "fleiss": (accord.fleiss_kappa, oracle.expected_pooled, "item"),
    "conger": (accord.conger_kappa, oracle.expected_own, "item"),
    "brennan": (accord.brennan_prediger_kappa, oracle.expected_uniform, "item"),
    "gwet": (accord.gwet_ac, oracle.expected_hesitant, "item"),
    "alpha": (accord.krippendorff_alpha, oracle.expected_without_replacement, "answer"),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("seed", range(3))
def test_every_chance_model_is_the_slow_one_between_different_people(name: str, seed: int) -> None:
    measure, expected, each = TABLES[name]
    items = said(seed, LABELS)
    found = measure(as_study(items))
    o, e = oracle.observed(items, each=each), expected(items, LABELS)
    assert (found.observed, found.expected) == pytest.approx((o, e))
    assert found.value == pytest.approx(oracle.corrected(o, e))


@pytest.mark.parametrize("name", ["fleiss", "conger", "brennan", "gwet", "alpha"])
def test_weights_are_met_on_average_too(name: str) -> None:
    measure, expected, each = TABLES[name]
    scale = [1, 2, 3, 4]
    items = said(5, scale)

    def alike(a: int, b: int) -> float:
        return 1 - (a - b) ** 2 / 9

    found = measure(as_study(items, labels=scale), weights="quadratic")
    o, e = oracle.observed(items, alike, each=each), expected(items, scale, alike)
    assert (found.observed, found.expected) == pytest.approx((o, e))


def test_a_mean_over_pairs_of_annotators_is_the_slow_one() -> None:
    for seed in range(3):
        items = said(seed, LABELS, people=3)
        assert accord.light_kappa(as_study(items)).value == pytest.approx(oracle.light(items, LABELS))
        two = [{who: answers for who, answers in item.items() if who in "ab"} for item in items]
        two = [item for item in two if len(item) == 2]
        assert accord.cohen_kappa(as_study(two)).value == pytest.approx(oracle.light(two, LABELS))


def test_numeric_levels_are_the_slow_ones() -> None:
    items = said(8, [1, 2, 4, 7], items=10)
    study, ranks = as_study(items), oracle.mid_ranks(items)
    distances: dict[str, Callable[[Any, Any], float]] = {
        "interval": lambda a, b: (a - b) ** 2,
        "ratio": lambda a, b: ((a - b) / (a + b)) ** 2,
        "circular": lambda a, b: math.sin(math.pi * (a - b) / 7) ** 2,
        "ordinal": lambda a, b: (ranks[a] - ranks[b]) ** 2,
    }
    for level, apart in distances.items():
        found = accord.krippendorff_alpha(study, level=level)  # type: ignore[arg-type]
        assert found.value == pytest.approx(oracle.alpha(items, apart)), level


def listed(seed: int, answers: Sequence[tuple[str, ...]], kind: str) -> tuple[list[dict[str, list[Any]]], Study]:
    """Answers of several labels each."""
    items = said(seed, list(answers))
    rows = [(i, who, answer) for i, item in enumerate(items) for who, given in item.items() for answer in given]
    item, annotator, label = (list(column) for column in zip(*rows, strict=True))
    table = {"item": item, "annotator": annotator, "label": [list(answer) for answer in label]}
    return items, Study(table, answers=kind, duplicates="repeat", labels=["u", "v", "w"])  # type: ignore[arg-type]


def test_sets_of_labels_that_somebody_gave_again_are_the_slow_ones() -> None:
    sets = [("u",), ("u", "v"), ("w",), ()]
    items, study = listed(20, sets, "set")

    def on_pairs(a: tuple[str, ...], b: tuple[str, ...]) -> float:
        alike = 3 - len(set(a) ^ set(b))
        return alike * (alike - 1) / 6

    def clubbed(a: tuple[str, ...], b: tuple[str, ...]) -> float:
        return on_pairs(a, b) + len(set(a) - set(b)) * len(set(b) - set(a)) / 3

    found = accord.bhowmick_am(study)
    e = oracle.expected_own(items, sets, clubbed)
    assert (found.observed, found.expected) == pytest.approx((oracle.observed(items, on_pairs), e))
    assert "P_e" in found.working()

    def jaccard(a: tuple[str, ...], b: tuple[str, ...]) -> float:
        return len(set(a) & set(b)) / len(set(a) | set(b)) if a or b else 1.0

    alpha = accord.krippendorff_alpha(study, weights="jaccard")
    assert alpha.expected == pytest.approx(oracle.expected_without_replacement(items, sets, jaccard))


def test_ranked_answers_that_somebody_gave_again_are_the_slow_ones() -> None:
    ranked = [("u",), ("u", "v"), ("v", "u"), ("w", "u")]
    items, study = listed(21, ranked, "ranked")

    def mass(answer: tuple[str, ...], label: str) -> float:
        return (0.6, 0.4)[answer.index(label)] if label in answer and len(answer) > 1 else float(label in answer)

    def shared(a: tuple[str, ...], b: tuple[str, ...]) -> float:
        return sum(mass(a, label) * mass(b, label) for label in "uvw")

    found = accord.rosenberg_binkowski_kappa(study, p=0.6)
    assert found.value == pytest.approx(oracle.light(items, ranked, shared))


def test_orders_of_all_labels_that_somebody_gave_again_are_the_slow_ones() -> None:
    orders = [("u", "v", "w"), ("u", "w", "v"), ("w", "v", "u"), ("v", "u", "w")]
    items, study = listed(22, orders, "ranking")
    found = accord.krippendorff_alpha(study, level="ordinal")
    ranks = [  # each label of an item is an item of its own, whose answers are ranks; chance draws any two ranks
        {who: [1 + answer.index(label) for answer in given] for who, given in item.items()}
        for item in items
        for label in "uvw"
    ]
    assert found.value == pytest.approx(oracle.alpha(ranks, lambda a, b: (a - b) ** 2))
    coefficient = found.coefficient
    assert coefficient is not None
    number = coefficient.sample.items.astype(np.float64)
    for pattern in range(3):
        step = 1e-5 * (np.arange(len(number)) == pattern)
        more, less = (coefficient.evaluate(number + sign * step).value for sign in (1, -1))
        slope = float(more - less) / 2e-5 * number.sum()
        assert coefficient.influence()[pattern] == pytest.approx(slope - _mean_slope(coefficient), abs=1e-4)


def _mean_slope(coefficient: Any) -> float:
    number = coefficient.sample.items.astype(np.float64)
    more, less = (float(coefficient.evaluate(number * (1 + sign * 1e-6)).value) for sign in (1, -1))
    return (more - less) / 2e-6


def test_suggestions_are_judged_by_different_people() -> None:
    items = said(4, LABELS)
    hints = [LABELS[place % 3] for place in range(len(items))]
    found = accord.dipietro_hazari_kappa(as_study(items), suggested=dict(enumerate(hints)))
    assert found.value == pytest.approx(oracle.differential(items, LABELS, hints))


def at_level(level: Any) -> Callable[[Study], Agreement]:
    return lambda study: accord.krippendorff_alpha(study, level=level)


ALL: dict[str, Callable[[Study], Agreement]] = {
    **{name: measure for name, (measure, _, _) in TABLES.items()},
    "light": accord.light_kappa,
    **{level: at_level(level) for level in ("interval", "ordinal", "ratio", "circular")},
    "quadratic": lambda study: accord.gwet_ac(study, weights="quadratic"),
    "suggested": lambda study: accord.dipietro_hazari_kappa(
        study, suggested={item: 1 + item % 4 for item in range(30)}
    ),
}


@pytest.mark.parametrize("name", ALL)
def test_saying_everything_twice_changes_no_digit_but_rounding(name: str) -> None:
    items = [{who: answers[:1] for who, answers in item.items()} for item in said(9, [1, 2, 3, 4], items=30)]
    twice = [{who: answers * 2 for who, answers in item.items()} for item in items]
    once, again = ALL[name](as_study(items, labels=[1, 2, 3, 4])), ALL[name](as_study(twice, labels=[1, 2, 3, 4]))
    for what in ("value", "observed", "expected", "n_items"):
        assert getattr(once, what) == getattr(again, what)
    assert tuple(once.interval()) == tuple(again.interval())


@pytest.mark.parametrize("name", ALL)
def test_contradicting_oneself_is_as_good_as_half_of_each(name: str) -> None:
    """x, y and x, x, y, y are one answer: what counts is how often somebody said what."""
    items = said(10, [1, 2, 3, 4], items=30, most=2)
    twice = [{who: answers * 2 for who, answers in item.items()} for item in items]
    once, again = (ALL[name](as_study(study, labels=[1, 2, 3, 4])) for study in (items, twice))
    assert once.value == again.value
    assert tuple(once.interval()) == tuple(again.interval())


@pytest.mark.parametrize("name", ALL)
def test_the_analytic_error_is_the_derivative_of_the_value(name: str) -> None:
    found = ALL[name](as_study(said(11, [1, 2, 3, 4], items=30, most=2), labels=[1, 2, 3, 4]))
    coefficient = found.coefficient
    assert coefficient is not None
    items = coefficient.sample.items.astype(np.float64)
    number, moved = items.sum(), []
    for pattern in range(len(items)):
        step = 1e-5 * (np.arange(len(items)) == pattern)
        more, less = (float(coefficient.evaluate(items + sign * step).value) for sign in (1, -1))
        moved.append((more - less) / 2e-5 * number)
    centred = np.array(moved) - items @ np.array(moved) / number
    assert coefficient.influence() == pytest.approx(centred, abs=1e-5)
    error = math.sqrt(number / (number - 1) * float(items @ centred**2)) / number
    assert found.interval().se == pytest.approx(error, rel=1e-4)


@pytest.mark.parametrize("name", ALL)
def test_leaving_out_an_item_is_the_study_without_it(name: str) -> None:
    items = said(12, [1, 2, 3, 4], items=16, most=2)
    study = as_study(items, labels=[1, 2, 3, 4])
    found = ALL[name](study)
    assert found.coefficient is not None
    left_out = found.coefficient.leave_one_out()
    assert found.coefficient.sample.locate is not None
    place = found.coefficient.sample.locate()
    for number in (0, 5, 11):
        if place[number] >= 0:
            without = as_study([{} if at == number else item for at, item in enumerate(items)], labels=[1, 2, 3, 4])
            assert left_out[place[number]] == pytest.approx(ALL[name](without).value)


def test_parts_of_a_value_are_between_different_people() -> None:
    items = said(13, LABELS, items=25)
    study = as_study(items)
    fleiss = accord.fleiss_kappa(study)
    by_item = {row["item"]: row for row in fleiss.by_item()}
    for number, item in enumerate(items):
        if len(item) > 1:
            assert by_item[number]["observed"] == pytest.approx(oracle.on_item(item, oracle.same))
    assert float(np.nansum(fleiss.by_item()["weight"] * np.nan_to_num(fleiss.by_item()["value"]))) == pytest.approx(
        fleiss.value
    )
    for row in fleiss.by_label():
        yes = [{who: [a == row["label"] for a in said_so] for who, said_so in item.items()} for item in items]
        e = oracle.expected_pooled(yes, [False, True])
        assert row["value"] == pytest.approx(oracle.corrected(oracle.observed(yes), e))
    for row in accord.light_kappa(study).by_pair():
        two = [{who: item[who] for who in (row["first"], row["second"])} for item in items
               if row["first"] in item and row["second"] in item]  # fmt: skip
        assert (row["items"], row["value"]) == (len(two), pytest.approx(oracle.light(two, LABELS)))
    for row in accord.percent_agreement(study).by_annotator():
        weight = value = 0.0
        for item in items:
            r = len(item)
            for who in set(item) - {row["annotator"]} if row["annotator"] in item and r > 1 else ():
                weight += 1 / (r * (r - 1))
                value += oracle.met(item[row["annotator"]], item[who], oracle.same) / (r * (r - 1))
        assert row["value"] == pytest.approx(value / weight)


def test_annotators_who_never_agree_are_not_saved_by_repeating_themselves() -> None:
    """The reproduction of the check: 0.333, and Fleiss −0.333, where the two never agree."""
    items = [{"a": ["xy"[i % 2]] * 2, "b": ["yx"[i % 2]] * 2} for i in range(20)]
    study = as_study(items)
    assert accord.percent_agreement(study).value == 0
    for measure in (accord.fleiss_kappa, accord.cohen_kappa, accord.conger_kappa, accord.light_kappa, accord.scott_pi):
        assert measure(study).value == -1
    assert accord.krippendorff_alpha(study).value == pytest.approx(1 - 39 / 20)
    assert accord.brennan_prediger_kappa(study).value == -1


def test_half_the_items_asked_twice_do_not_raise_agreement() -> None:
    """The reproduction of the check, with a made population: pooled answers give some hundredths more."""
    rng = np.random.default_rng(3)
    items = []
    for number in range(200):
        truth = int(rng.integers(3))
        views = {who: truth if rng.random() < 0.42 else int(rng.integers(3)) for who in "abcd"}
        items.append(
            {
                who: [LABELS[view if rng.random() < 0.9 else rng.integers(3)] for _ in range(1 + number % 2)]
                for who, view in views.items()
            }
        )
    study, first = as_study(items), as_study([{who: said_so[:1] for who, said_so in item.items()} for item in items])
    alpha, of_first = accord.krippendorff_alpha(study), accord.krippendorff_alpha(first)
    pooled = accord.krippendorff_alpha(
        Study.from_counts(
            [[sum(a == k for said_so in item.values() for a in said_so) for k in LABELS] for item in items]
        )
    )
    assert abs(alpha.value - of_first.value) < 0.02
    assert pooled.value > alpha.value + 0.03
    assert alpha.interval().se < of_first.interval().se, "answering again makes it surer"


def test_counts_that_name_nobody_stay_as_they_are() -> None:
    study = Study.from_counts([[2, 0], [1, 1], [0, 2]])
    assert accord.percent_agreement(study).value == pytest.approx(2 / 3)


def test_annotators_may_be_drawn_again_or_left_out() -> None:
    study = as_study(said(14, [1, 2, 3, 4], people=6, items=30, most=2), labels=[1, 2, 3, 4])
    for name in ("fleiss", "alpha", "conger", "light", "gwet", "interval", "ordinal", "circular", "ratio"):
        found = ALL[name](study)
        methods: tuple[Method, ...] = ("jackknife", "bootstrap")
        for method in methods:
            low, high = found.interval(resample="annotators", method=method, n_resamples=50, rng=1)
            assert low < found.value < high, (name, method)


@pytest.mark.parametrize(
    "name", ["fleiss", "alpha", "conger", "light", "gwet", "interval", "ordinal", "circular", "ratio"]
)
def test_one_copy_of_everybody_is_the_study_itself_and_none_of_somebody_the_study_without_them(name: str) -> None:
    from accord.coefficients.annotator_copies import AnnotatorCopies

    study = as_study(said(15, [1, 2, 3, 4], people=5, items=25, most=2), labels=[1, 2, 3, 4])
    found = ALL[name](study)
    assert found.coefficient is not None
    copies = AnnotatorCopies(found.coefficient, study._tally_of_people(named=True))
    assert found.coefficient.with_copies(copies, np.ones(5), copies.items) == pytest.approx(found.value)
    without = np.array([1.0, 1, 0, 1, 1])
    assert found.coefficient.with_copies(copies, without, copies.items) == pytest.approx(
        ALL[name](study.of_annotators([who for who in study.annotators if who != "c"])).value
    )


def test_chance_deals_out_what_people_said_of_an_item_together() -> None:
    found = accord.fleiss_kappa(as_study(said(16, LABELS, items=40)))
    tested = found.test(method="permutation", n_resamples=99, rng=1)
    assert tested.p == pytest.approx(0.01, abs=0.02)
    nothing = [{who: ["xyz"[(i + ord(who)) % 3]] * 2 for who in "ab"} for i in range(30)]
    assert (
        accord.krippendorff_alpha(as_study(nothing)).test(method="permutation", n_resamples=99, rng=1).p < 0.05
    )  # never alike
    other = accord.krippendorff_alpha(as_study(nothing)).test(
        method="permutation", n_resamples=99, rng=1, alternative="greater"
    )
    assert other.p > 0.5


@pytest.mark.parametrize("name", ["fleiss", "conger", "alpha", "gwet", "interval", "ordinal", "light"])
def test_errors_of_annotators_are_those_of_leaving_out_items(name: str) -> None:
    """The jackknife over items is near the derivative: with 60 items within some hundredths of the error."""
    items = said(17, [1, 2, 3, 4], people=4, items=60, most=2)
    table = ALL[name](as_study(items, labels=[1, 2, 3, 4])).by_annotator()
    half = (table["high"] - table["low"]) / 2 / 1.96
    without = [
        ALL[name](as_study([*items[:number], {}, *items[number + 1 :]], labels=[1, 2, 3, 4])).by_annotator()["value"]
        for number in range(len(items))
    ]
    spread = np.array(without) - np.mean(without, axis=0)
    jackknife = np.sqrt(59 / 60 * (spread**2).sum(axis=0))
    assert half == pytest.approx(jackknife, rel=0.08)


def test_repeats_are_found_by_sorting_as_by_marking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where people and items are many and answers few, no table of all of them is made."""
    rng = np.random.default_rng(2)
    rows = {"item": rng.integers(0, 30, 200), "annotator": rng.integers(0, 6, 200), "label": rng.integers(0, 3, 200)}
    marked = Study(rows, duplicates="repeat")
    value, names = accord.fleiss_kappa(marked).value, list(marked._answered_again().items)
    monkeypatch.setattr("accord.annotations.arrays.DENSE", 0)
    found = Study(rows, duplicates="repeat")
    assert accord.fleiss_kappa(found).value == value
    items = found._answered_again().items
    assert list(items) == names
    assert (list(items[2:4]), items[0]) == (names[2:4], names[0])
