"""Arrays of numbers take short cuts; cell by cell, as objects, they say the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from accord import Study, krippendorff_alpha
from accord.annotations.factorize import code
from accord.errors import LabelError

NUMBERS: dict[str, list[float]] = {
    "whole": [1, 2, 2, 5, -3],
    "with gaps": [1, np.nan, 2, 2, np.nan],
    "the first is a gap": [np.nan, 7, 7, 8, 9],
    "halves": [0.5, 1, np.nan, 1.5, 0.5],
    "negative zero": [-0.0, 0.0, 1, np.nan, 1],
    "far apart": [1, 10**12, np.nan, -(10**12), 1],
    "beyond exact integers": [2.0**60, 2.0**60, 1, 2.0**70, np.nan],
    "nothing": [np.nan] * 5,
}


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.float16])
@pytest.mark.parametrize("numbers", NUMBERS.values(), ids=NUMBERS.keys())
def test_floats_are_coded_as_their_objects_are(numbers: list[float], kind: Any) -> None:
    with np.errstate(over="ignore"):
        array = np.array(numbers, dtype=kind)
    if not np.isfinite(array[~np.isnan(array)]).all():
        with pytest.raises(LabelError):
            code(array)
        return
    quick, slow = code(array), code(list(array.astype(object)))
    assert quick.values == slow.values
    assert [type(value) for value in quick.values] == [type(value) for value in slow.values]
    assert quick.codes.tolist() == slow.codes.tolist()


SCORES = np.array([[1.5, 2.0], [3.25, np.nan], [1.5, 1.5], [4.0, 3.0]])


@pytest.mark.parametrize("level", ["interval", "ordinal", "ratio"])
def test_scores_of_an_array_are_those_of_its_objects(level: Any) -> None:
    objects = SCORES.astype(object)
    objects[1, 1] = None
    masked = np.ma.masked_invalid(SCORES)
    studies = [Study.from_wide(cells, answers="score") for cells in (SCORES, objects, masked)]
    assert {study.kind for study in studies} == {"score"}
    assert {repr(study) for study in studies} == {repr(studies[0])}
    assert {tuple(study.left_out.items()) for study in studies} == {tuple(studies[0].left_out.items())}
    values = [krippendorff_alpha(study, level=level).value for study in studies]
    assert values == pytest.approx([values[0]] * 3, abs=1e-15)


def test_whole_numbers_can_be_scores() -> None:
    grid = np.array([[1, 2], [3, 3], [2, 2]])
    assert Study.from_wide(grid, answers="score").answers.scores.tolist() == [1, 2, 3]


def test_an_infinite_score_is_refused_with_its_row() -> None:
    with pytest.raises(LabelError, match="inf in row 1"):
        Study.from_wide(np.array([[1.0, 2.0], [3.0, np.inf]]), answers="score")
