"""A sample of benchmarks/faults.py: quiet where nothing is wrong, and each planted fault found, nobody else blamed."""

from __future__ import annotations

import numpy as np
import pytest

from accord import Study
from accord.findings.explaining import explain
from benchmarks.faults import FAULTS, NOTHING, copying, found_in, wrong_warnings

CLEAN, PLANTED = 16, 5


@pytest.mark.parametrize("name", NOTHING)
def test_where_nothing_is_wrong_nobody_is_warned(name: str) -> None:
    share, which = wrong_warnings(name, CLEAN)
    assert share <= 2 / CLEAN, which  # at 5 in 100 more than two of 16 come about once in twenty-three


@pytest.mark.parametrize("name", [name for name, fault in FAULTS.items() if fault.least >= 0.8])
def test_a_planted_fault_is_found_and_nobody_else_blamed(name: str) -> None:
    share, wrongly = found_in(name, PLANTED)
    assert share >= 4 / PLANTED
    assert wrongly == 0


def test_the_honest_third_is_never_blamed_without_the_other_reading() -> None:
    for seed in range(6):
        found = explain(copying(200, 3)(np.random.default_rng(seed)))
        for one in found:
            if one.name in ("unreliable-annotator", "outlying-annotator"):
                assert one.annotators == ("3",)
                assert "or the other two do not answer independently" in one.says


@pytest.mark.parametrize("rest", range(1, 15))
def test_a_value_of_zero_but_for_rounding_accuses_nobody(rest: int) -> None:
    found = explain(Study.from_pairs(["x"] * 15, ["x"] * rest + ["y"] * (15 - rest)))
    assert "below-chance" not in [one.name for one in found.warnings]
    assert "reversed" not in " ".join(one.says for one in found)
    assert "-0.00" not in found.to_text()
    assert "e-1" not in found.to_text()


def test_two_independent_people_and_one_common_label_are_set_against_nobody() -> None:
    found = explain(Study.from_confusion([[96, 2], [2, 0]]))
    (told,) = found["below-chance"]
    assert told.severity == "note"
    assert "no better than chance" in told.says
