"""Scores of any size: the same value in another unit, or a line that says at which size there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
from accord import Study
from accord.errors import LabelError
from accord.planning import decision_study
from tests.command.running import run

SMALLEST, TINY, HUGE, BEYOND = 5e-323, 2.0**-900, 2.0**490, 1e308
ROWS = np.random.default_rng(3).normal(size=(12, 3)) + np.random.default_rng(4).normal(size=(12, 1))


def study(scale: float) -> Study:
    return Study.from_wide(ROWS * scale, answers="score")


def csv(folder: Path, scale: float) -> Path:
    scores = (ROWS * scale).tolist()
    lines = [f"{item},{who},{row[at]!r}" for item, row in enumerate(scores) for at, who in enumerate("abc")]
    path = folder / "x.csv"
    path.write_text("\n".join(["item,annotator,score", *lines, ""]), encoding="utf-8")
    return path


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("scale", [HUGE, 2.0**-400])
def test_the_unit_of_scores_changes_nothing(scale: float) -> None:
    plain, scaled = study(1.0), study(scale)
    for measure in (accord.icc, accord.krippendorff_alpha, accord.lin_concordance):
        assert measure(scaled).value == pytest.approx(measure(plain).value)
    for in_units in (accord.mean_absolute_difference, accord.within_item_sd):
        assert in_units(scaled).value == pytest.approx(in_units(plain).value * scale)
    found, expected = (decision_study(one, target=0.9).to_table() for one in (scaled, plain))
    assert found["agreement"].tolist() == pytest.approx(expected["agreement"].tolist())
    assert found["error"].tolist() == pytest.approx((expected["error"] * scale).tolist())


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("measure", [accord.mean_absolute_difference, accord.within_item_sd])
def test_groups_that_share_items_differ_as_surely_where_scores_are_huge(measure: Any) -> None:
    rows = {"item": np.repeat(range(12), 6).tolist(), "annotator": list("abcdef") * 12, "half": list("xxxyyy") * 12}
    scores = np.hstack([ROWS, 2 * ROWS + np.random.default_rng(5).normal(size=ROWS.shape)]).ravel()
    plain, huge = (measure(Study({**rows, "score": (scores * unit).tolist()}), by="half") for unit in (1.0, HUGE))
    assert "F " in plain.by_group().notes[-1]
    assert huge.by_group().notes[-1] == plain.by_group().notes[-1]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("method", ["bayesian", "jackknife"])
def test_clusters_spread_huge_scores_as_they_spread_small_ones(method: Any) -> None:
    items = np.repeat(range(12), 2)
    columns = {"item": items.tolist(), "annotator": list("ab") * 12, "document": (items // 2).tolist()}
    plain, huge = (
        Study({**columns, "score": (ROWS[:, :2] * unit).ravel().tolist()}, cluster="document") for unit in (1.0, HUGE)
    )
    error = accord.mean_absolute_difference(plain).interval(method=method).se
    assert error > 0
    assert accord.mean_absolute_difference(huge).interval(method=method).se == pytest.approx(error * HUGE)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("scale", [HUGE, TINY, SMALLEST])
def test_every_question_about_scores_of_any_size_has_an_answer(scale: float, tmp_path: Path) -> None:
    path = csv(tmp_path, scale)
    for line in (("measure",), ("explain",), ("report", "-o", "r.html"), ("gold",), ("judge", "--models", "a")):
        said = run(line[0], str(path), *line[1:], folder=tmp_path)
        assert said.code in (0, 3), (line, said.err)


def test_scores_beyond_are_refused_in_a_line(tmp_path: Path) -> None:
    csv(tmp_path, BEYOND / 10)
    for line in (("measure",), ("explain",), ("report", "-o", "r.html"), ("gold",), ("convert",)):
        said = run(line[0], "x.csv", *line[1:], folder=tmp_path)
        assert said.code == 2
        assert "A score must lie between -1e+150 and 1e+150, whose squares are numbers too; found" in said.err
        assert len(said.err.splitlines()) == 1


def test_labels_may_be_numbers_of_any_size_as_long_as_they_are_names() -> None:
    labels = Study({"item": [1, 1, 2, 2], "annotator": ["a", "b"] * 2, "label": [1e308, 10**400, 1e308, 1e308]})
    assert accord.fleiss_kappa(labels).undefined is None
    with pytest.raises(LabelError, match=r"needs numbers between -1e\+150 and 1e\+150"):
        accord.krippendorff_alpha(labels, level="interval")
