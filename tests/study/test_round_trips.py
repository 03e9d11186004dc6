"""What is written is read again as it was: labels that break lines, and answers of which others were left out."""

from __future__ import annotations

import math
from pathlib import Path

import polars as pl
import pytest

import accord
from accord.annotations.assemble import Duplicates


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl"])
def test_a_label_with_a_carriage_return_comes_back(ending: str, tmp_path: Path) -> None:
    labels = ["x\ry", "z", "x\ry", "x\ry"]
    study = accord.Study({"item": [1, 1, 2, 2], "annotator": ["a", "b"] * 2, "label": labels})
    assert accord.read(study.write(tmp_path / f"long.{ending}")).labels == ("x\ry", "z")


@pytest.mark.parametrize("kept", ["first", "last"])
def test_a_study_of_which_repeats_were_left_out_comes_back(kept: Duplicates, tmp_path: Path) -> None:
    table = {"item": [1, 1, 1, 2, 2], "annotator": list("aabab"), "label": list("xyxyy")}
    study = accord.Study(table, item="item", annotator="annotator", label="label", duplicates=kept)
    again = accord.read(study.write(tmp_path / "long.csv"))
    assert (again.n_annotations, dict(again.left_out)) == (4, dict(study.left_out))
    assert accord.fleiss_kappa(again).value == accord.fleiss_kappa(study).value


def test_numbers_that_json_does_not_have_are_missing_in_a_file_of_json_lines(tmp_path: Path) -> None:
    """NaN and Infinity are no JSON: other readers refuse a file that has them."""
    seconds = [1.5, math.nan, math.inf, 2.0]
    table = {"item": [1, 1, 2, 2], "annotator": list("abab"), "label": list("xyxx"), "seconds": seconds}
    study = accord.Study({**table, "parts": [[one] for one in seconds], "nothing": [math.nan] * 4})
    path = study.write(tmp_path / "long.jsonl")
    frame = pl.read_ndjson(path)
    assert frame["seconds"].to_list() == [1.5, None, None, 2.0]
    assert frame["parts"].to_list() == [[1.5], [None], [None], [2.0]]
    assert frame["nothing"].to_list() == [None] * 4
    assert accord.fleiss_kappa(accord.read(path)).value == accord.fleiss_kappa(study).value
