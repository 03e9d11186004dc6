"""Whatever the cells hold: a study, a value or NaN with its reason, or an AccordError. Nothing else comes out."""

from __future__ import annotations

import datetime as dt
import json
import math
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import accord
from accord import AccordError, Study

pytestmark = pytest.mark.slow

plain = st.one_of(
    st.none(),
    st.sampled_from(
        [math.nan, math.inf, -math.inf, 0.0, -0.0, 1e308, 5e-324, "", " ", "nan", "a", "b", True, False, 0, 1, 2]
    ),
    st.sampled_from(
        [pd.NA, pd.NaT, np.ma.masked, np.datetime64("NaT", "s"), np.float32(1.5), np.int8(-3), np.str_("a")]
    ),
    st.integers(),
    st.floats(),
    st.text(max_size=4),
)
odd = st.one_of(
    st.binary(max_size=3),
    st.dates(),
    st.datetimes(),
    st.decimals(),
    st.complex_numbers(),
    st.builds(dict),
    st.just(object()),
    st.sampled_from([Decimal("sNaN"), dt.timedelta(1), np.array([1, 2]), np.array(3), ..., type]),
)
lists = st.one_of(
    st.lists(plain, max_size=3), st.frozensets(st.sampled_from("abc"), max_size=3), st.tuples(plain, plain)
)
# Mostly a few cells that go together, so that many tables can be measured; at times anything.
cells = st.one_of(
    st.sampled_from(["a", "b", "c", None]),
    st.sampled_from([1, 2, 3.0, None]),
    plain,
    st.one_of(plain, odd, lists),
)
names = st.sampled_from(["identity", "linear", "ordinal", "masi", "no such thing"])
numbers = st.one_of(st.none(), st.floats(), st.floats(0, 1), st.sampled_from([0, 1, "a", True]))
kinds = st.sampled_from([None, "single", "set", "ranked", "score"])
patient = settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)


@st.composite
def tables(draw: st.DrawFn) -> list[list[Any]]:
    """Rows of cells of one kind, or of any."""
    cell = draw(
        st.sampled_from(
            [st.sampled_from(["a", "b", "c", None]), st.sampled_from([1, 2, 3, math.nan]), plain, lists, cells]
        )
    )
    width = draw(st.integers(1, 4))
    return draw(st.lists(st.lists(cell, min_size=width, max_size=width), min_size=1, max_size=6))


def ask_everything(study: Study) -> None:
    """Every measure, and what each can be asked; a refusal is an answer too."""
    described = study.describe()
    assert described.annotations == study.n_annotations
    json.dumps(described.to_dict(), allow_nan=False)
    found = accord.measure(study)
    for result in found:
        assert math.isnan(result.value) == (result.undefined is not None), "NaN has a reason, and a value has none"
        assert result.value <= result.entry.high + 1e-9 or math.isnan(result.value)
        json.dumps(result.to_dict(), allow_nan=False)
        for part in (result.by_item, result.by_annotator, result.by_pair, result.by_label, result.working):
            try:
                str(part())
            except AccordError:
                continue
    str(found)
    found._repr_html_()


def refusal_of(ask: Any) -> str | None:
    """What an AccordError says, if one comes; any other error is a failure."""
    try:
        ask()
    except AccordError as refusal:
        return str(refusal)
    return None


def only_our_errors(build: Any) -> None:
    """Build a study and ask it everything; an AccordError with a message may end it early."""
    assert refusal_of(lambda: ask_everything(build())) != ""


@patient
@given(tables(), kinds)
def test_any_rows(rows: list[list[Any]], kind: Any) -> None:
    only_our_errors(lambda: Study.from_wide(rows, answers=kind))


@patient
@given(tables())
def test_any_rows_given_to_a_measure(rows: list[list[Any]]) -> None:
    assert refusal_of(lambda: accord.measure(rows)) != ""


@patient
@given(tables(), kinds)
def test_any_array_of_objects(rows: list[list[Any]], kind: Any) -> None:
    array = np.empty((len(rows), len(rows[0])), dtype=object)
    for place, row in enumerate(rows):
        for column, cell in enumerate(row):
            array[place, column] = cell
    only_our_errors(lambda: Study.from_wide(array, answers=kind))


@patient
@given(
    st.lists(st.tuples(cells, cells, cells, cells), min_size=1, max_size=8), kinds, st.sampled_from(["first", "repeat"])
)
def test_any_long_table(rows: list[tuple[Any, ...]], kind: Any, duplicates: Any) -> None:
    table = dict(zip(("item", "annotator", "label", "rank"), map(list, zip(*rows, strict=True)), strict=True))
    only_our_errors(lambda: Study(table, answers=kind, duplicates=duplicates))
    only_our_errors(lambda: Study(table, score="label", duplicates=duplicates))


@patient
@given(st.lists(st.tuples(st.integers(1, 3), st.sampled_from("xyz"), cells), min_size=1, max_size=8), kinds)
def test_any_labels_of_sound_items_and_annotators(rows: list[tuple[Any, ...]], kind: Any) -> None:
    table = dict(zip(("item", "annotator", "label"), map(list, zip(*rows, strict=True)), strict=True))
    frame = pd.DataFrame({**table, "label": pd.Series(table["label"], dtype=object)})
    only_our_errors(lambda: Study(frame, answers=kind, duplicates="last"))
    only_our_errors(lambda: Study(table, answers="set"))


@patient
@given(tables())
def test_any_table_of_counts(rows: list[list[Any]]) -> None:
    only_our_errors(lambda: Study.from_counts(rows))
    only_our_errors(lambda: Study.from_confusion(rows))


@patient
@given(st.lists(cells, max_size=6), st.lists(cells, max_size=6))
def test_any_two_sequences(first: list[Any], second: list[Any]) -> None:
    only_our_errors(lambda: Study.from_pairs(first, second))


@patient
@given(st.lists(st.sampled_from(["a", "b", None]), min_size=2, max_size=10), st.lists(cells, max_size=4))
def test_any_scale(labels: list[Any], scale: list[Any]) -> None:
    people = ["ana", "ben"] * 5
    table = {"item": [place // 2 for place in range(len(labels))], "annotator": people[: len(labels)], "label": labels}
    only_our_errors(lambda: Study(table, labels=scale))
    only_our_errors(lambda: Study(pl.DataFrame(table, schema_overrides={"label": pl.String}), labels=scale))


@patient
@given(
    names
    | st.lists(st.lists(numbers, max_size=3), max_size=3)
    | st.lists(st.lists(numbers, min_size=2, max_size=2), min_size=2, max_size=2)
    | plain
)
def test_any_weights(weights: Any) -> None:
    def ask() -> None:
        found = accord.gwet_ac([["a", "b"], ["b", "b"], ["a", "a"]], weights=weights, labels=["a", "b"])
        assert found.value <= 1 or found.undefined is not None

    assert refusal_of(ask) != ""


@patient
@given(plain, plain, plain, plain, st.sampled_from(["analytic", "bootstrap", "bca", "bayesian", "jackknife", "gwet"]))
def test_any_options_of_an_interval(confidence: Any, n_resamples: Any, population: Any, rng: Any, method: Any) -> None:
    kappa = accord.fleiss_kappa([["a", "b"], ["b", "b"], ["a", "a"]])
    few = min(n_resamples, 50) if isinstance(n_resamples, int) and not isinstance(n_resamples, bool) else n_resamples

    def ask() -> None:
        low, high = kappa.interval(
            confidence=confidence, n_resamples=few, population=population, rng=rng, method=method
        )
        assert math.isnan(low) or low <= high

    assert refusal_of(ask) != ""
