"""Krippendorff, Mathet, Bouvry & Widlöcher 2016: the unitizing alphas.

The paper's own tables were not at hand. The values are those of small continua worked out point by point: every
position of every annotator is a point; observed disagreement is over all ordered pairs of annotators at a position
/ (R − 1), expected is R · L times the share of unlike values among ordered pairs of points, without pairs inside one
unit and without a gap's point with itself. Of `THREE` the hand calculation is D_o = 38, D_e = 168 · 13230 / 25470.
"""

from __future__ import annotations

from typing import Any

import pytest

from accord.spans.continuum import Continuum
from accord.spans.over_documents import Basis
from accord.spans.unitizing import Form, SelfPairs, unitizing

CHARACTERS = Basis("character")
TWO_CODES = ({"A": [(0, 5, "x"), (8, 12, "y")], "B": [(1, 6, "x"), (8, 12, "x"), (15, 17, "y")]}, 20)
TOUCHING = ({"A": [(0, 4, "x"), (4, 8, "x"), (10, 12, "y")], "B": [(0, 8, "x"), (10, 13, "y")]}, 16)
THREE_RATERS = (
    {
        "A": [(2, 6, "k"), (10, 15, "c")],
        "B": [(2, 7, "k"), (11, 15, "c"), (20, 22, "k")],
        "C": [(3, 6, "c"), (10, 16, "c")],
    },
    24,
)
ONE_MARKS_NOTHING = ({"A": [(1, 4, "x"), (6, 9, "y")], "B": [], "C": [(1, 5, "x")]}, 12)
THREE = ({"c1": [(3, 15, "K"), (22, 53, "K")], "c2": [(3, 10, "K"), (22, 53, "K")], "c3": [(22, 46, "K")]}, 56)
CODED = ({"A": [(0, 10, "x"), (20, 30, "y")], "B": [(2, 12, "x"), (20, 28, "x"), (40, 45, "y")]}, 50)


def measured(case: Any, form: Form, pairs: SelfPairs = "left-out") -> Any:
    marks, length = case
    return unitizing(Continuum.of_marks([marks], float(length)), CHARACTERS, form, pairs)


@pytest.mark.parametrize(
    ("case", "form", "value", "observed", "expected"),
    [
        (TWO_CODES, "unitizing", 0.38264462809917354, 16, 25.917001338688085),
        (TWO_CODES, "binary", 0.6265, 8, 21.4190093708166),
        (TOUCHING, "unitizing", 0.9091639871382636, 2, 22.01769911504425),
        (TOUCHING, "binary", 0.8777056277056277, 2, 16.353982300884955),
        (THREE_RATERS, "unitizing", 0.5666089965397924, 18, 41.532934131736525),
        (THREE_RATERS, "binary", 0.665196471531676, 12, 35.84191616766467),
        (ONE_MARKS_NOTHING, "unitizing", 0.1447212336892053, 14, 16.368932038834952),
        (ONE_MARKS_NOTHING, "binary", 0.0756410256410257, 14, 15.145631067961165),
        (THREE, "unitizing", 0.5645448655652737, 38, 168 * 13230 / 25470),
        (THREE, "binary", 0.5645448655652737, 38, 168 * 13230 / 25470),
    ],
)
def test_value_and_both_disagreements(case: Any, form: Form, value: float, observed: float, expected: float) -> None:
    found = measured(case, form)
    marks, length = case
    whole = len(marks) * length  # disagreements are of all R · L positions
    assert float(found.parts.value) == pytest.approx(value, abs=1e-9)
    assert whole * (1 - float(found.parts.observed)) == pytest.approx(observed, abs=1e-9)
    assert whole * (1 - float(found.parts.expected)) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("pairs", "value"), [("left-out", 0.0), ("kept", -1 / 3)])
def test_both_readings_of_the_coded_form(pairs: SelfPairs, value: float) -> None:
    assert float(measured(CODED, "coded", pairs).parts.value) == pytest.approx(value, abs=1e-9)


def test_each_label_of_the_coded_form_and_its_coverage() -> None:
    found = measured(CODED, "coded")
    assert [float(found.of_label(label).parts.value) for label in (0, 1)] == pytest.approx([0.0, 0.0], abs=1e-9)
    assert found.label_columns()["coverage"] == pytest.approx([24 / 28, 8 / 15])


def test_a_script_that_takes_ends_for_the_last_character_loses_one_a_unit() -> None:
    """A module on GitHub prints 0.5672 for `THREE`: end − start with inclusive ends. Ours are exclusive."""
    shorter = {name: [(start, end - 1, label) for start, end, label in marks] for name, marks in THREE[0].items()}
    assert float(measured((shorter, 56), "unitizing").parts.value) != pytest.approx(0.5645448655652737, abs=1e-4)
