"""The coded form of unitizing alpha on labels that have an order or are numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import accord
from accord.errors import LabelError, MeasureError, OptionError
from accord.spans.coded_levels import CodedAtLevel
from accord.spans.continuum import Continuum
from accord.spans.unitizing import CodedLevel, CodedUnitizing, SelfPairs, unitizing
from tests.oracles import unitizing as oracle
from tests.spans.corpora import CHARACTERS, LABELS, corpora, drawn

NUMBERS = {"x": "1", "y": "2", "z": "5"}
PLACES = np.array([1.0, 2.0, 5.0])
LEVELS = ["ordinal", "interval", "ratio"]


def measured(held: Continuum, level: CodedLevel, pairs: SelfPairs = "left-out") -> CodedAtLevel:
    nominal = unitizing(held, CHARACTERS, "coded", pairs)
    assert isinstance(nominal, CodedUnitizing)
    return CodedAtLevel(nominal, level, PLACES)


@pytest.mark.parametrize("pairs", ["left-out", "kept"])
@pytest.mark.parametrize("level", LEVELS)
@given(corpus=corpora())
def test_formula_and_brute_force_are_equal(level: CodedLevel, pairs: SelfPairs, corpus: Any) -> None:
    documents, lengths = corpus
    named = [
        {who: [(start, end, NUMBERS[label]) for start, end, label in marks] for who, marks in one.items()}
        for one in documents
    ]
    held = Continuum.of_marks(documents, [float(length) for length in lengths], LABELS)
    found = float(measured(held, level, pairs).parts.value)
    try:
        expected = oracle.coded_alpha(named, lengths, left_out=pairs == "left-out", level=level)
    except ZeroDivisionError:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("level", LEVELS)
def test_influence_is_the_derivative(level: CodedLevel) -> None:
    found = measured(drawn(np.random.default_rng(3), 10), level)
    moved = [
        float(found.evaluate(np.ones(10) + 1e-5 * row).value - found.evaluate(np.ones(10) - 1e-5 * row).value) / 2e-5
        for row in np.eye(10)
    ]
    assert found.influence() == pytest.approx(10 * (np.array(moved) - np.mean(moved)), abs=1e-6)


@pytest.mark.parametrize("level", LEVELS)
def test_documents_add_up_and_two_annotators_are_the_whole(level: CodedLevel) -> None:
    found = measured(drawn(np.random.default_rng(4), 10, people=2), level)
    parts = found.decomposition()
    assert float(parts.weight @ parts.value) == pytest.approx(float(found.parts.value))
    each = found.by_annotator(None)  # type: ignore[arg-type]
    assert each.value.tolist() == pytest.approx([float(found.parts.value)] * 2)
    assert 0 <= float(found.parts.observed) <= 1


def test_by_annotator_singles_out_who_is_farthest() -> None:
    marks: Any = {"a": [(0, 9, "x")], "b": [(0, 9, "y")], "c": [(0, 9, "z")]}
    found = measured(Continuum.of_marks([marks, {**marks, "c": [(0, 9, "x")]}], 9.0, LABELS), "interval")
    each = found.by_annotator(None)  # type: ignore[arg-type]
    assert each.value.argmin() == 2
    assert each.observed.mean() == pytest.approx(float(found.parts.observed))


def study(tags: list[Any], **more: Any) -> accord.Study:
    rows = {"d": ["d1"] * 4, "w": ["a", "a", "b", "b"], "s": [0, 10, 0, 10], "e": [5, 15, 5, 15], "t": tags}
    return accord.Study(rows, item="d", annotator="w", label="t", start="s", end="e", **more)


def test_numbers_that_are_near_are_nearly_agreed_on() -> None:
    near = study([1, 5, 1, 4])
    nominal, interval = (accord.unitizing_alpha(near, form="coded", level=level) for level in ("nominal", "interval"))
    assert interval.value > nominal.value
    assert interval.title == "Unitizing alpha (interval, coded)"
    assert list(interval.by_label()["label"]) == [1, 4, 5]


def test_words_in_an_order_that_was_declared_are_ordinal() -> None:
    asked = study(["low", "high", "low", "middle"], labels=["low", "middle", "high"])
    nominal, ordinal = (accord.unitizing_alpha(asked, form="coded", level=level) for level in (None, "ordinal"))
    assert ordinal.value > nominal.value
    with pytest.raises(LabelError, match="whose order nobody said"):
        accord.unitizing_alpha(study(["low", "high", "low", "middle"]), form="coded", level="ordinal")


def test_words_are_no_numbers() -> None:
    with pytest.raises(LabelError, match="needs numbers"):
        accord.unitizing_alpha(study(["low", "high", "low", "middle"]), form="coded", level="interval")


def test_a_gap_has_no_place_in_an_order() -> None:
    with pytest.raises(OptionError, match="form='coded'"):
        accord.unitizing_alpha(study([1, 2, 1, 2]), level="interval")
    with pytest.raises(OptionError, match="level"):
        accord.unitizing_alpha(study([1, 2, 1, 2]), form="coded", level="circular")  # type: ignore[arg-type]


def test_too_many_labels_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accord.spans.coded_levels.MOST_LABELS", 1)
    with pytest.raises(MeasureError, match="up to 1 can be"):
        accord.unitizing_alpha(study([1, 2, 1, 2]), form="coded", level="interval")
