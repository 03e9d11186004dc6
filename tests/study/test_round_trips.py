"""What is written is read again as it was: labels that break lines, and answers of which others were left out."""

from __future__ import annotations

from pathlib import Path

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
