"""What holds for every measure of the registry: one test a law, run once for each measure."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import accord
from accord.measures.registered import MEASURES
from tests.laws.studies import (
    Case,
    Drawn,
    agreeing,
    annotators_for,
    cases,
    everything_is_large,
    kinds_for,
    measures,
    near,
    same,
    studies,
    studies_for,
    wide_study,
)

EVERY_MEASURE = pytest.mark.parametrize("measure", measures)
RANDOM = st.randoms(use_true_random=False)


def a_case(data: st.DataObject, measure: str, drawn: Drawn) -> Case:
    """The measure with one of its choices of weights, chance and level."""
    choices = list(cases(measure, drawn))
    assume(choices)
    return data.draw(st.sampled_from(choices))


def digits(result: accord.Agreement) -> dict[str, float]:
    """All that a shuffle must leave as it is, to the last digit."""
    found = {"value": result.value, "observed": result.observed, "expected": result.expected}
    for method in ("analytic", "jackknife", "bootstrap", "bca", "bayesian"):
        span = result.interval(method=method, n_resamples=40, rng=7)
        found |= {f"{method} low": span.low, f"{method} high": span.high, f"{method} se": span.se}
    return found


def assert_same(one: Mapping[str, float], other: Mapping[str, float]) -> None:
    assert one.keys() == other.keys()
    different = {name: (value, other[name]) for name, value in one.items() if not same(value, other[name])}
    assert not different


def test_every_measure_obeys_laws_here_or_among_those_of_its_family() -> None:
    tests = Path(__file__).parents[1]
    files = [
        tests / "multilabel" / "test_laws.py",
        *(tests / "spans").glob("test_*.py"),
        *(tests / "rankings").glob("test_*.py"),
        *(tests / "scores").glob("test_*.py"),
        *(tests / "preferences").glob("test_*.py"),
    ]
    elsewhere = "".join(file.read_text(encoding="utf-8") for file in files)
    assert [name for name in MEASURES if name not in measures and name not in elsewhere] == []


# Order and names --------------------------------------------------------------------------------------------


@EVERY_MEASURE
@settings(max_examples=10)
@given(data=st.data(), shuffle=RANDOM)
def test_the_order_of_rows_changes_no_digit(measure: str, data: st.DataObject, shuffle: random.Random) -> None:
    drawn = data.draw(studies_for(measure))
    case = a_case(data, measure, drawn)
    table = drawn.long()
    assume(table["item"])
    order = list(range(len(table["item"])))
    shuffle.shuffle(order)
    mixed = {name: [cells[place] for place in order] for name, cells in table.items()}
    before, after = (case(accord.Study(rows, **drawn.roles)) for rows in (table, mixed))
    assert_same(digits(before), digits(after))
    assert list(before.by_item()["item"]) == list(after.by_item()["item"])
    assert_same(dict(enumerate_column(before, "value")), dict(enumerate_column(after, "value")))


def enumerate_column(result: accord.Agreement, name: str) -> list[tuple[str, float]]:
    return [(str(place), float(cell)) for place, cell in enumerate(result.by_item()[name])]


@EVERY_MEASURE
@settings(max_examples=6)
@given(data=st.data(), shuffle=RANDOM)
def test_the_order_of_items_in_a_wide_table_changes_no_digit(
    measure: str, data: st.DataObject, shuffle: random.Random
) -> None:
    drawn = data.draw(studies_for(measure))
    case = a_case(data, measure, drawn)
    rows = list(drawn.rows)
    shuffle.shuffle(rows)
    assert "item order" in MEASURES[measure].properties
    assert_same(digits(case(drawn.study())), digits(case(replace(drawn, rows=tuple(rows)).study())))


@EVERY_MEASURE
@settings(max_examples=6)
@given(data=st.data(), shuffle=RANDOM)
def test_the_order_of_items_changes_no_digit_where_patterns_are_told_by_fingerprints(
    measure: str, data: st.DataObject, shuffle: random.Random
) -> None:
    drawn = data.draw(studies_for(measure))
    case = a_case(data, measure, drawn)
    rows = list(drawn.rows)
    shuffle.shuffle(rows)
    coded = case(drawn.study())
    with everything_is_large():
        one, two = case(drawn.study()), case(replace(drawn, rows=tuple(rows)).study())
        assert_same(digits(one), digits(two))
    assert near(one.value, coded.value, 1e-11)
    if one.coefficient is not None and coded.coefficient is not None:
        assert sorted(one.coefficient.sample.items) == sorted(coded.coefficient.sample.items)


@EVERY_MEASURE
@settings(max_examples=12)
@given(data=st.data(), shuffle=RANDOM)
def test_the_order_of_annotators_does_not_matter(measure: str, data: st.DataObject, shuffle: random.Random) -> None:
    drawn = data.draw(studies_for(measure))
    case = a_case(data, measure, drawn)
    order = list(range(drawn.people))
    shuffle.shuffle(order)
    other = replace(drawn, rows=tuple(tuple(row[who] for who in order) for row in drawn.rows))
    assert "annotator order" in MEASURES[measure].properties
    one, two = case(drawn.study()), case(other.study())
    assert near(one.value, two.value)
    assert near(one.interval().se, two.interval().se, 1e-9)


@EVERY_MEASURE
@settings(max_examples=10)
@given(data=st.data(), shuffle=RANDOM)
def test_the_names_of_labels_do_not_matter(measure: str, data: st.DataObject, shuffle: random.Random) -> None:
    drawn = data.draw(studies_for(measure, ("single",), numbers=False))
    names = [f"label {place}" for place in range(len(drawn.labels))]
    shuffle.shuffle(names)
    renamed = dict(zip(drawn.labels, names, strict=True))
    rows = tuple(tuple(None if cell is None else renamed[cell] for cell in row) for row in drawn.rows)
    other = replace(drawn, rows=rows, labels=tuple(names))
    choices = [choice for choice in cases(measure, drawn) if not callable(choice.options.get("weights"))]
    for case in choices:
        if drawn.declared or not isinstance(case.options.get("weights"), list):  # a table goes by the order of labels
            assert near(case(drawn.study()).value, case(other.study()).value), case
    assert "label names" in MEASURES[measure].properties


# Shapes of data ---------------------------------------------------------------------------------------------


def shapes(drawn: Drawn) -> dict[str, Any]:
    """The study read from every shape and engine that can hold it; each a function that makes it."""
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    long, roles = drawn.long(), drawn.roles
    records = [dict(zip(long, row, strict=True)) for row in zip(*long.values(), strict=True)]
    lists = drawn.kind in ("set", "ranked")
    wide = {str(who + 1): [_listed(row[who], lists) for row in drawn.rows] for who in range(drawn.people)}
    return {
        "a mapping": lambda: accord.Study(long, **roles),
        "records": lambda: accord.Study(records, **roles),
        "pandas": lambda: accord.Study(pd.DataFrame(long), **roles),
        "Polars": lambda: accord.Study(pl.DataFrame(long), **roles),
        "lazy Polars": lambda: accord.Study(pl.LazyFrame(long), **roles),
        "Arrow": lambda: accord.Study(pa.table(long), **roles),
        "wide pandas": lambda: wide_study(pd.DataFrame(wide), drawn),
        "wide Polars": lambda: wide_study(pl.DataFrame(wide), drawn),
        "wide Arrow": lambda: wide_study(pa.table(wide), drawn),
        "rows": lambda: wide_study([[_listed(cell, lists) for cell in row] for row in drawn.rows], drawn),
    }


def _listed(cell: Any, lists: bool) -> Any:
    return list(cell) if lists and cell is not None else cell


@EVERY_MEASURE
@settings(max_examples=4)
@given(data=st.data())
def test_every_shape_of_the_same_data_has_the_same_digits(measure: str, data: st.DataObject) -> None:
    kinds = ("single", "set", "ranked", "score") if measure == "krippendorff_alpha" else ("single", "set", "ranked")
    drawn = data.draw(studies_for(measure, kinds))
    case = a_case(data, measure, drawn)
    assume(drawn.seen)
    expected = digits(case(drawn.study()))
    for shape, make in shapes(drawn).items():
        found = digits(case(make()))
        assert {name: value for name, value in found.items() if not same(value, expected[name])} == {}, shape


@pytest.mark.parametrize("measure", [name for name in measures if not (MEASURES[name].named or MEASURES[name].two)])
@settings(max_examples=10)
@given(data=st.data())
def test_a_table_of_counts_has_the_digits_of_the_ratings(measure: str, data: st.DataObject) -> None:
    drawn = data.draw(studies_for(measure, ("single",)))
    assume(drawn.seen)
    case, scale = a_case(data, measure, drawn), drawn.scale
    counts = [[row.count(label) for label in scale] for row in drawn.rows]
    one, two = case(drawn.study()), case(accord.Study.from_counts(counts, labels=scale))
    assert_same(digits(one), digits(two))


@EVERY_MEASURE
@settings(max_examples=6)
@given(data=st.data())
def test_two_sequences_and_a_confusion_table_are_a_wide_table(measure: str, data: st.DataObject) -> None:
    drawn = data.draw(studies(("single",), (2, 2), gaps=False))
    case, scale = a_case(data, measure, drawn), drawn.scale
    first, second = zip(*drawn.rows, strict=True)
    table = [[drawn.rows.count((one, other)) for other in scale] for one in scale]
    expected = digits(case(drawn.study()))
    assert_same(digits(case(accord.Study.from_pairs(first, second, labels=scale))), expected)
    assert_same(digits(case(accord.Study.from_confusion(table, labels=scale))), expected)


# Copies -----------------------------------------------------------------------------------------------------


@EVERY_MEASURE
@settings(max_examples=10)
@given(data=st.data(), times=st.integers(2, 5))
def test_copies_of_the_data_set(measure: str, data: st.DataObject, times: int) -> None:
    """Copies leave a value as it is; alpha, which draws without replacement, goes to a limit by a known factor."""
    drawn = data.draw(studies_for(measure))
    copied = replace(drawn, rows=drawn.rows * times)
    for case in cases(measure, drawn):
        once, often = case(drawn.study()), case(copied.study())
        if "copies" in MEASURES[measure].properties:
            assert near(once.value, often.value), case
        elif unit_diagonal(case):
            n = once.n_answers
            assert once.undefined is None or often.undefined
            if once.undefined is None:
                shrink = n / (n - 1) * (times * n - 1) / (times * n)
                assert near(1 - often.value, (1 - once.value) * shrink, 1e-10), case


def unit_diagonal(case: Case) -> bool:
    """Is every answer fully like itself?"""
    weights = case.options.get("weights")
    return not isinstance(weights, list) and weights != "shared-mass"


# The ends of the scale --------------------------------------------------------------------------------------


@EVERY_MEASURE
@settings(max_examples=10)
@given(data=st.data())
def test_perfect_agreement_is_one(measure: str, data: st.DataObject) -> None:
    drawn = data.draw(agreeing(kinds_for(measure), annotators_for(measure)[1]))
    for case in cases(measure, drawn):
        if unit_diagonal(case):
            result = case(drawn.study())
            assert near(result.value, 1.0), case
            assert near(result.observed, 1.0), case


@EVERY_MEASURE
@settings(max_examples=10)
@given(data=st.data())
def test_no_value_is_above_one(measure: str, data: st.DataObject) -> None:
    drawn = data.draw(studies_for(measure))
    for case in cases(measure, drawn):
        result = case(drawn.study())
        if result.undefined is None:
            assert result.value <= 1 + 1e-12
            assert -1e-12 <= result.observed <= 1 + 1e-12
            assert -1e-12 <= result.expected <= 1
            span = result.interval()
            assert math.isnan(span.high) == (span.undefined is not None)
            assert not span.high > 1


@EVERY_MEASURE
@settings(max_examples=8)
@given(data=st.data())
def test_undefined_is_nan_with_a_reason_and_never_an_error(measure: str, data: st.DataObject) -> None:
    drawn = data.draw(studies_for(measure, items=(1, 4)))
    for case in cases(measure, drawn):
        result = case(drawn.study())
        assert math.isnan(result.value) == (result.undefined is not None), case
        if result.undefined is not None:
            assert_says_why(result)
        json.dumps(result.to_dict(), allow_nan=False)
        for table in (result.by_item(), result.by_label(), result.by_annotator(), result.by_pair()):
            json.dumps(table.to_dict(), allow_nan=False)


def assert_says_why(result: accord.Agreement) -> None:
    """Everything one may ask of an undefined value answers with the reason."""
    assert result.undefined
    assert result.undefined.endswith(".")
    assert result.undefined in str(result)
    for method in ("analytic", "gwet", "jackknife", "bootstrap", "bca", "bayesian"):
        span = result.interval(method=method, n_resamples=10, rng=0)
        assert math.isnan(span.low)
        assert math.isnan(span.high)
        assert span.undefined == result.undefined
    for test in (result.test(), result.test(method="permutation", n_resamples=5, rng=0)):
        assert math.isnan(test.p)
        assert test.undefined == result.undefined
    assert accord.compare(result, result).undefined == result.undefined


@EVERY_MEASURE
@pytest.mark.parametrize(
    "rows",
    [
        [["a", "a"], ["a", "a"]],
        [["a", None], [None, "b"]],
        [[None, None], [None, None]],
        [["a", None], ["b", None]],
        [["a", None]],
    ],
    ids=["one label", "nobody met", "all missing", "one annotator", "one answer"],
)
def test_degenerate_studies_are_undefined(measure: str, rows: list[list[str | None]]) -> None:
    function = MEASURES[measure].function
    result = function(accord.Study.from_wide(rows))
    agreed = measure == "percent_agreement" and rows[0] == ["a", "a"]
    assert (result.value == 1) if agreed else (math.isnan(result.value) and result.undefined)
    declared = function(accord.Study.from_wide(rows, labels=["a", "b", "c"]))
    fixed_chance = measure in ("percent_agreement", "brennan_prediger_kappa", "gwet_ac")
    defined = fixed_chance and rows[0] == ["a", "a"]
    assert (declared.value == 1) if defined else (math.isnan(declared.value) and declared.undefined)
