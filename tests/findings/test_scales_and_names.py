"""A list of labels is no order: what `explain` says of neighbours depends on a level, and on nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accord
from accord import Study
from accord.findings.explaining import explain

RNG = np.random.default_rng(5)
TRUTH = RNG.integers(0, 3, 200)[:, None].repeat(3, axis=1)
SWAPPED = np.where((TRUTH < 2) & (RNG.random(TRUTH.shape) < 0.25), 1 - TRUTH, TRUTH)  # cat for dog, dog for cat
ANIMALS = np.array(["cat", "dog", "bird"])[SWAPPED]


@pytest.mark.parametrize(
    "labels", [None, ["cat", "dog", "bird"], ["cat", "bird", "dog"]], ids=["undeclared", "side by side", "apart"]
)
def test_declaring_labels_switches_no_warning_off(labels: Any) -> None:
    found = explain(Study.from_wide(ANIMALS, labels=labels))
    first = found.warnings[0]
    assert (first.name, set(first.labels)) == ("unclear-guidelines", {"cat", "dog"})


def test_on_a_declared_scale_neighbours_are_expected_to_clash() -> None:
    study = Study.from_wide(ANIMALS, labels=["cat", "dog", "bird"], ordered=True)
    assert all(finding.name != "unclear-guidelines" for finding in explain(study).warnings)
    by_call = explain(Study.from_wide(ANIMALS, labels=["cat", "dog", "bird"]), level="ordinal")
    assert [finding.name for finding in by_call] == [finding.name for finding in explain(study)]


def test_the_value_that_is_explained_is_asked_about() -> None:
    ratings = np.clip(RNG.integers(1, 6, (40, 1)) + RNG.integers(-1, 2, (40, 3)), 1, 5)
    question = accord.measure(Study.from_wide(ratings)).question
    assert question is not None
    assert explain(Study.from_wide(ratings)).headline.endswith(str(question))
    for level in ("nominal", "ordinal"):
        assert "If they are" not in explain(Study.from_wide(ratings, levels=level)).headline
