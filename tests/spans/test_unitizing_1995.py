"""The form of 1995: equal to the slow one, of a corpus too, and what it refuses."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import accord
from accord.errors import MeasureError
from accord.spans.continuum import Continuum
from accord.spans.over_documents import Basis
from accord.spans.unitizing_1995 import Unitizing1995
from tests.oracles import unitizing as oracle
from tests.spans.corpora import CHARACTERS, LABELS, continuum, corpora, drawn


@given(corpora(gaps=False))
def test_formula_and_sections_one_by_one_are_equal(corpus: Any) -> None:
    mine = float(Unitizing1995(continuum(*corpus), CHARACTERS).parts.value)
    if any(marks for document in corpus[0] for marks in document.values()):
        assert mine == pytest.approx(oracle.unitizing_alpha_1995(corpus[0], corpus[1], LABELS), rel=1e-9)
    else:
        assert math.isnan(mine)


def test_influence_is_the_derivative() -> None:
    found = Unitizing1995(drawn(np.random.default_rng(3), 10), CHARACTERS)
    for part in (found, found.of_label(1)):
        moved = [
            float(part.evaluate(np.ones(10) + 1e-5 * row).value - part.evaluate(np.ones(10) - 1e-5 * row).value) / 2e-5
            for row in np.eye(10)
        ]
        assert part.influence() == pytest.approx(10 * (np.array(moved) - np.mean(moved)), abs=1e-5)


def test_in_time_it_does_not_depend_on_the_unit() -> None:
    marks = {"a": [(0.0, 1.5, "x"), (3.0, 4.0, "x")], "b": [(0.5, 1.5, "x")]}
    minutes = {name: [(start / 60, end / 60, label) for start, end, label in held] for name, held in marks.items()}
    one = Unitizing1995(Continuum.of_marks([marks], 6.0), Basis("time"))
    other = Unitizing1995(Continuum.of_marks([minutes], 0.1), Basis("time"))
    assert float(one.parts.value) == pytest.approx(float(other.parts.value))


def test_a_working_and_a_sentence_tell_disagreements_which_are_no_shares() -> None:
    rows = {"d": ["d1"] * 3, "w": ["a", "b", "b"], "t": ["x", "x", "y"], "s": [0, 1, 5], "e": [4, 4, 8]}
    result = accord.unitizing_alpha_1995(accord.Study(rows, item="d", annotator="w", label="t", start="s", end="e"))
    assert "x: D_o = 0.01562" in result.working()  # 2 · 1 / (2 · 8²)
    assert "observed disagreement of" in result.sentence()
    assert "%" not in result.sentence().split("with")[-1]


def test_a_document_that_somebody_did_not_see_is_refused_and_the_newer_form_named() -> None:
    rows = {
        "d": ["d1"] * 3 + ["d2"] * 2,
        "w": ["a", "b", "c", "a", "b"],
        "t": ["x"] * 5,
        "s": [0] * 5,
        "e": [3, 4, 3, 2, 2],
    }
    study = accord.Study(rows, item="d", annotator="w", label="t", start="s", end="e")
    with pytest.raises(MeasureError, match="unitizing_alpha"):
        accord.unitizing_alpha_1995(study)


def test_of_a_label_the_units_that_have_it_are_counted() -> None:
    rows = {"d": ["d1"] * 3, "w": ["a", "b", "b"], "t": ["x", "x", "y"], "s": [0, 1, 5], "e": [4, 4, 8]}
    study = accord.Study(rows, item="d", annotator="w", label="t", start="s", end="e")
    assert accord.unitizing_alpha_1995(study).by_label()["answers"].tolist() == [2, 1]
