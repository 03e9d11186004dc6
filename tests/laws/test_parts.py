"""Where a value comes from: by item, by label, by annotator and by pair, against the oracle."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord.measures.registered import MEASURES
from tests.laws.studies import LEVELS, Case, Drawn, at_level, cases, kinds_for, measures, near, studies, studies_for
from tests.oracles import coefficients as oracle

EVERY_MEASURE = pytest.mark.parametrize("measure", measures)
POOLED = ("cohen_kappa", "scott_pi", "fleiss_kappa", "conger_kappa", "light_kappa")


def weight_of(case: Case, drawn: Drawn) -> oracle.Weight:
    """How alike two answers are; at a numeric level, 1 − distance over the widest in the data."""
    if case.weight is not None:
        weight: oracle.Weight = case.weight
        return weight
    level, study = str(case.options["level"]), drawn.items()
    if level == "nominal":
        return oracle.identity
    met = {answer for item in oracle.pairable(study) for answer in item.values()}
    in_order = [label for label in drawn.scale if label in met]
    period = case.options.get("period") or (max(drawn.scale) - min(drawn.scale) + 1 if drawn.numeric else None)
    distance = oracle.distance_of(level, study, in_order, period)
    widest = 1.0 if level == "circular" else max(distance(a, b) for a in in_order for b in in_order) or 1.0
    return lambda a, b: 1 - distance(a, b) / widest


def defined(case: Case, drawn: Drawn) -> accord.Agreement | None:
    """The result, if there is a value to take apart."""
    result = case(drawn.study())
    return None if result.undefined else result


# By item ----------------------------------------------------------------------------------------------------


@EVERY_MEASURE
@settings(max_examples=12)
@given(data=st.data())
def test_items_add_up_to_the_value(measure: str, data: st.DataObject) -> None:
    drawn = data.draw(studies_for(measure))
    for case in cases(measure, drawn):
        result = defined(case, drawn)
        if result is None:
            continue
        table = result.by_item()
        there = table["weight"] > 0
        assert near(float(table["weight"].sum()), 1.0)
        assert near(float(table["weight"][there] @ table["value"][there]), result.value, 1e-9), case


@pytest.mark.parametrize("measure", [name for name in measures if name != "light_kappa"])
@settings(max_examples=12)
@given(data=st.data())
def test_items_are_those_of_the_oracle(measure: str, data: st.DataObject) -> None:
    drawn = data.draw(studies_for(measure))
    study = drawn.items()
    for case in cases(measure, drawn):
        result = defined(case, drawn)
        if result is None:
            continue
        each = MEASURES[measure].each == "answer"
        slow = oracle.by_item(study, weight_of(case, drawn), result.expected, each_answer_once=each)
        rows = list(result.by_item())
        answered = [place for place, item in enumerate(study) if item]
        assert [row["item"] for row in rows] == answered
        for row, place in zip(rows, answered, strict=True):
            assert row["answers"] == len(study[place])
            assert near(row["observed"], slow[place].observed, 1e-11), case
            assert near(row["value"], slow[place].value, 1e-9), case
            assert near(row["weight"], slow[place].weight), case


@settings(max_examples=30)
@given(drawn=studies())
def test_an_item_of_light_is_the_mean_of_its_pairs(drawn: Drawn) -> None:
    """Each pair of answers stands against the chance of its own pair, and a pair weighs as much as any other."""
    for case in cases("light_kappa", drawn):
        result = defined(case, drawn)
        if result is None:
            continue
        assert case.weight is not None
        study, alike = drawn.items(), case.weight
        pairs = {
            pair: parts
            for pair, parts in oracle.by_pair(study, drawn.scale, alike, oracle.conger_kappa).items()
            if not math.isnan(parts.value)
        }
        common = {pair: len(oracle.only(study, pair)) for pair in pairs}
        for row in result.by_item():
            item = study[row["item"]]
            met = [pair for pair in pairs if pair[0] in item and pair[1] in item]
            shares = [1 / (len(pairs) * common[pair]) for pair in met]
            values = [oracle.beyond_chance(alike(item[g], item[h]), pairs[g, h].expected).value for g, h in met]
            assert near(row["weight"], math.fsum(shares))
            if met:
                mean = math.fsum(s * v for s, v in zip(shares, values, strict=True)) / math.fsum(shares)
                assert near(row["value"], mean, 1e-9)


# By label ---------------------------------------------------------------------------------------------------


def whether(drawn: Drawn, label: Any) -> list[dict[oracle.Annotator, bool]]:
    """Every answer reduced to whether it holds the label; a ranked answer holds its primary one."""

    def holds(answer: Any) -> bool:
        match drawn.kind:
            case "set":
                return label in answer
            case "ranked":
                return bool(answer[0] == label)
        return bool(answer == label)

    return [{who: holds(answer) for who, answer in item.items()} for item in drawn.items()]


def assert_labels(result: accord.Agreement, drawn: Drawn, slow: oracle.Measure, chance: Any = None) -> None:
    for row in result.by_label(chance=chance):
        parts = slow(whether(drawn, row["label"]), (False, True), oracle.identity)
        assert near(row["value"], parts.value, 1e-11), (row, parts)
        if not math.isnan(parts.observed):
            assert near(row["observed"], parts.observed)
            assert near(row["expected"], parts.expected)


@EVERY_MEASURE
@settings(max_examples=12)
@given(data=st.data())
def test_labels_are_those_of_the_oracle(measure: str, data: st.DataObject) -> None:
    """Kappas pool the annotators' marginals; the other measures keep their own chance."""
    drawn = data.draw(studies_for(measure))
    first = next(cases(measure, drawn), None)
    if first is None or not drawn.seen:
        return
    own = oracle.weighted_alpha if measure == "krippendorff_alpha" else getattr(oracle, measure)
    assert_labels(first(drawn.study()), drawn, oracle.fleiss_kappa if measure in POOLED else own)


@settings(max_examples=20)
@given(drawn=studies(("single", "set")))
def test_labels_with_own_marginals_are_cohens_or_congers_on_request(drawn: Drawn) -> None:
    if not drawn.seen:
        return
    result = accord.conger_kappa(drawn.study())
    two = len(oracle.annotators(drawn.items())) <= 2
    assert_labels(result, drawn, oracle.cohen_kappa if two else oracle.conger_kappa, chance="own")


# By annotator -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", [name for name in measures if name != "light_kappa"])
@settings(max_examples=10)
@given(data=st.data())
def test_annotators_are_those_of_the_oracle(measure: str, data: st.DataObject) -> None:
    drawn = data.draw(studies_for(measure))
    for case in cases(measure, drawn):
        result = defined(case, drawn)
        if result is None:
            continue
        study = drawn.items()
        if measure == "cohen_kappa":
            study = [dict(item) for item in oracle.pairable(study)]
        expected = None if MEASURES[measure].chance == "own" else result.expected
        each = MEASURES[measure].each == "answer"
        slow = oracle.by_annotator(study, weight_of(case, drawn), expected, each_answer_once=each)
        rows = {row["annotator"]: row for row in result.by_annotator()}
        assert set(slow) <= set(rows)
        for who, parts in slow.items():
            assert near(rows[str(who)]["observed"], parts.observed, 1e-11), (case, who)
            assert near(rows[str(who)]["expected"], parts.expected, 1e-11), (case, who)
            assert near(rows[str(who)]["value"], parts.value, 1e-9), (case, who)


@EVERY_MEASURE
@settings(max_examples=15)
@given(data=st.data())
def test_each_of_two_annotators_is_as_uncertain_as_the_study(measure: str, data: st.DataObject) -> None:
    """All pairs of answers hold both, so the two have the study's value and error; the limits are normal ones."""
    drawn = data.draw(studies(kinds_for(measure), (2, 2), items=(2, 12)))
    for case in cases(measure, drawn):
        result = defined(case, drawn)
        if result is None or result.interval().undefined or len(result.by_pair()) == 0:
            continue
        for row in result.by_annotator():
            assert near(row["value"], result.value, 1e-9), case
            if not row["low"] > result.entry.low:  # cut there, or none where all agree
                continue
            assert near((row["value"] - row["low"]) / 1.959963984540054, result.interval().se, 1e-5), case


MANY: list[tuple[str, dict[str, Any]]] = [(name, {}) for name in measures if not MEASURES[name].two]
MANY += [("krippendorff_alpha", {"level": level}) for level in LEVELS[1:]]


@pytest.mark.parametrize(("measure", "options"), MANY, ids=[f"{name} {said}" for name, said in MANY])
def test_the_error_of_an_annotator_comes_near_the_jackknife(measure: str, options: dict[str, Any]) -> None:
    rng = np.random.default_rng(14)
    truth = rng.choice([1.0, 2.0, 3.0, 5.0], 90, p=[0.4, 0.3, 0.2, 0.1])
    right = rng.random((90, 4)) < [0.9, 0.8, 0.7, 0.5]
    cells = np.where(right, truth[:, None], rng.choice([1.0, 2.0, 3.0, 5.0], (90, 4)))
    cells[rng.random(cells.shape) < 0.2] = np.nan

    def of_each(rows: Any) -> list[dict[str, Any]]:
        study = accord.Study.from_wide(rows, labels=[1, 2, 3, 5])
        return list(MEASURES[measure].function(study, **options).by_annotator())

    without = np.array([[row["value"] for row in of_each(np.delete(cells, item, axis=0))] for item in range(90)])
    jackknife = np.sqrt(89 / 90 * ((without - without.mean(axis=0)) ** 2).sum(axis=0))
    errors = [(row["value"] - row["low"]) / 1.959963984540054 for row in of_each(cells)]
    assert errors == pytest.approx(jackknife, rel=0.08)


@settings(max_examples=30)
@given(drawn=studies())
def test_an_annotator_of_light_is_the_mean_of_their_pairs(drawn: Drawn) -> None:
    for case in cases("light_kappa", drawn):
        result = case(drawn.study())
        if result.undefined:
            continue
        assert case.weight is not None
        pairs = oracle.by_pair(drawn.items(), drawn.scale, case.weight, oracle.conger_kappa)
        for row in result.by_annotator():
            own = [p for pair, p in pairs.items() if row["annotator"] in pair and not math.isnan(p.value)]
            assert near(row["value"], oracle.mean([parts.value for parts in own]), 1e-11)


# By pair ----------------------------------------------------------------------------------------------------


@EVERY_MEASURE
@settings(max_examples=8)
@given(data=st.data())
def test_pairs_are_those_of_the_oracle(measure: str, data: st.DataObject) -> None:
    """The measure on the items both answered, for every two who met."""
    drawn = data.draw(studies_for(measure))
    for case in cases(measure, drawn):
        result = defined(case, drawn)
        if result is None:
            continue
        rows = {(row["first"], row["second"]): row for row in result.by_pair()}
        people = [str(who + 1) for who in range(drawn.people)]
        met = [pair for pair in rows if oracle.only(drawn.items(), pair)]
        assert met == list(rows) == [p for p in _pairs(people) if oracle.only(drawn.items(), p)]
        for pair, row in rows.items():
            alone = both(drawn, pair)
            assert row["items"] == len(alone.rows)
            slow = case.slow(alone)
            assert near(row["value"], slow.value, 1e-11), (case, pair)
            if not math.isnan(row["value"]):
                assert near(row["observed"], slow.observed, 1e-11), (case, pair)
                assert near(row["expected"], slow.expected, 1e-11), (case, pair)


@EVERY_MEASURE
@settings(max_examples=5)
@given(data=st.data())
def test_the_error_of_a_pair_is_that_of_its_own_study(measure: str, data: st.DataObject) -> None:
    drawn = data.draw(studies_for(measure, ("single",)))
    for case in cases(measure, drawn):
        result = defined(case, drawn)
        if result is None or "chance" in case.options:
            continue
        for row in result.by_pair():
            alone = case(both(drawn, (row["first"], row["second"])).study())
            if alone.undefined is None:
                assert near(row["se"], alone.interval().se, 1e-9), (case, row)


def _pairs(people: list[str]) -> list[tuple[str, str]]:
    return [(one, other) for place, one in enumerate(people) for other in people[place + 1 :]]


def both(drawn: Drawn, pair: tuple[Any, ...]) -> Drawn:
    """The items both answered, on the scale of the whole study."""
    rows = tuple(tuple(item[who] for who in pair) for item in oracle.only(drawn.items(), pair))
    kept = drawn.kind == "single"
    return replace(
        drawn, rows=rows, labels=tuple(drawn.scale) if kept else drawn.labels, declared=kept or drawn.declared
    )


@pytest.mark.parametrize("level", ["interval", "ratio", "ordinal", "circular"])
@settings(max_examples=15)
@given(drawn=studies(("score",)))
def test_parts_of_scores_are_those_of_the_oracle(level: str, drawn: Drawn) -> None:
    case = at_level(level, drawn)
    result = defined(case, drawn)
    if result is None:
        return
    alike = weight_of(case, drawn)
    slow = oracle.by_annotator(drawn.items(), alike, result.expected, each_answer_once=True)
    rows = {row["annotator"]: row for row in result.by_annotator()}
    assert all(near(rows[str(who)]["observed"], parts.observed, 1e-9) for who, parts in slow.items())
    items = oracle.by_item(drawn.items(), alike, result.expected, each_answer_once=True)
    for row in result.by_item():
        assert near(row["observed"], items[row["item"]].observed, 1e-9)
        assert near(row["weight"], items[row["item"]].weight)
